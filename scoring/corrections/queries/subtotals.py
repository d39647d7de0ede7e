"""What of a match is on paper: which sums are due, which deals they stand for."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.ledger.queries.snapshots import MatchSnapshot
from scoring.rules import Contract, Problem, ProblemCode
from scoring.rules.course import Played
from scoring.rules.rulesets.offers import offers
from scoring.rules.schedule import turn
from scoring.rules.seats import SEATS, Seat


@dataclass(frozen=True)
class Due:
    """The kingdom or round that is being played: the deals of it that are `entered` already, and
    how many are not (`count`, from `next_deal` on). `choosers` are who chooses in those, as far as
    the schedule knows; `contracts` what the chooser of a kingdom has left, one a deal. Where
    several may be played in one deal there can be fewer of them than `count`."""

    next_deal: int
    entered: tuple[Played, ...]
    count: int
    choosers: tuple[Seat, ...]
    contracts: tuple[Contract, ...]

    @property
    def is_kingdom(self) -> bool:
        return bool(self.contracts)

    def problems(self, contracts: Sequence[Contract]) -> list[Problem]:
        """Paper says the sums of a whole kingdom or of a whole round: what is missing to that."""
        if not self.count:
            return [Problem(ProblemCode.MATCH_OVER, "contracts")]
        if len(contracts) > self.count:
            return [Problem(ProblemCode.WRONG_NUMBER, "contracts", {"expected": self.count})]
        if self.is_kingdom:
            wanted = {part for contract in self.contracts for part in contract.parts}
            given = {part for contract in contracts for part in contract.parts}
            missing = sorted(wanted - given)
        else:
            missing = [str(seat) for seat in self.choosers[len(contracts) :]]
        return [Problem(ProblemCode.MISSING, "contracts", {"missing": missing})] if missing else []

    @property
    def first_deal(self) -> int:
        return self.next_deal - len(self.entered)

    @property
    def last_deal(self) -> int:
        return self.next_deal + self.count - 1


def due(table: MatchSnapshot, chooser: Seat | None = None) -> Due:
    """The kingdom or round in which the next deal stands; `chooser` where the schedule does not
    know who chooses. None of it is left where the match is over."""
    now = table.turn
    chooser = now.chooser if chooser is None else chooser
    if now.over or now.is_extra or chooser not in SEATS or not now.left[chooser]:
        return Due(now.deal_number, (), 0, (), ())
    if table.ruleset.chooser_order == "kingdom":
        contracts = tuple(_one_by_one(table, chooser))
        entered = _own_before(table, chooser)
        choosers = (chooser,) * len(contracts)
        return Due(now.deal_number, entered, len(contracts), choosers, contracts)
    entered = _round_so_far(table)
    choosers = tuple(_rest_of_round(table, chooser, entered))
    return Due(now.deal_number, entered, len(choosers), choosers, ())


def _one_by_one(table: MatchSnapshot, chooser: Seat) -> list[Contract]:
    """What the chooser plays until nothing is left, each time the first that is offered."""
    left, found = table.turn.left[chooser], []
    while left:
        contract = next(iter(offers(table.ruleset, left)))
        found.append(contract)
        left = tuple(name for name in left if name not in contract.parts)
    return found


def _own_before(table: MatchSnapshot, chooser: Seat) -> tuple[Played, ...]:
    """The deals right before the next one in which the same seat chose."""
    found: list[Played] = []
    number = table.turn.deal_number
    for deal in sorted(table.deals_played, key=lambda deal: -deal.deal_number):
        here = deal.deal_number == number - len(found) - 1
        if here and deal.chooser == chooser and deal.uses_contract:
            found.insert(0, deal)
    return tuple(found)


def _round_so_far(table: MatchSnapshot) -> tuple[Played, ...]:
    kingdoms = table.sheet.kingdoms
    if not kingdoms or kingdoms[-1].complete:
        return ()
    own = [row.played for row in kingdoms[-1].rows if row.played]
    numbers = [deal.deal_number for deal in own]
    first = table.turn.deal_number - len(own)
    whole = numbers == list(range(first, table.turn.deal_number))
    return tuple(own) if whole and all(deal.uses_contract for deal in own) else ()


def _rest_of_round(table: MatchSnapshot, chooser: Seat, entered: tuple[Played, ...]) -> list[Seat]:
    """Who chooses after this one until each seat has, in the order in which they come."""
    match, found = table.match, [chooser]
    had = {deal.chooser for deal in entered} | {chooser}
    played = [*table.played, _any_deal(table, chooser, table.turn.deal_number)]
    while len(had) < len(SEATS):
        here = turn(table.ruleset, match.first_chooser, match.first_dealer, played)
        if here.over or here.chooser is None or here.chooser in had:
            break
        found.append(here.chooser)
        had.add(here.chooser)
        played.append(_any_deal(table, here.chooser, here.deal_number))
    return found


def _any_deal(table: MatchSnapshot, chooser: Seat, number: int) -> Played:
    contract = next(iter(offers(table.ruleset, table.turn.left[chooser])))
    return Played(number, (chooser - 1) % 4, chooser, contract)
