"""Schedule of a match: who deals, chooses and leads, which contracts are left, when it is over.

A schedule starts from what is stored and only proposes: a table that let the wrong seat deal goes
on from there. A number missing between standing deals (its deal was voided) is the next to be
played. Chance is not in the rules: where contracts are drawn or the 7 of hearts decides, the
candidates are given, not the outcome.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring.rules.contracts import Contract
from scoring.rules.course import Course, Played, first_from, lowest_missing
from scoring.rules.problems import Problem, ProblemCode
from scoring.rules.rulesets.offers import any_offer, offers
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.seats import Seat, right_of
from scoring.rules.tally import Entry

FORFEITABLE = ("king", "diamonds", "queens")
"""What a chooser may take unplayed under `forfeit_first_three` (C-K5)."""


@dataclass(frozen=True)
class Turn:
    """The place of one deal in the match: the next one, or a current one to be corrected.

    `deals_total` is the most there can be: every combined deal makes it smaller. `kingdom` and
    its two companions count from 1 and are None where choosers rotate. `dealer` and `chooser` are
    proposals, or what is stored; None until somebody tells who holds the 7 of hearts (or deals),
    and then `choosers` are the seats it may be. `left` holds each seat's contracts that no other
    standing deal has used, in the system's own order, `left_then` those that no earlier one had;
    `done` are those the chooser has played. `extra` names the tied seats when this is the
    tie-break deal, `kept` the contract that stays after a redeal: nothing else may be played.
    `asks_dealer`: the rules leave the first dealer to the lot and nobody has named one, so `dealer`
    is only the seat beside the chooser."""

    ruleset: Ruleset
    deal_number: int
    deals_total: int
    over: bool
    kingdom: int | None
    kingdom_deal: int | None
    kingdom_deals: int | None
    dealer: Seat | None
    chooser: Seat | None
    choosers: tuple[Seat, ...]
    left: tuple[tuple[str, ...], ...]
    left_then: tuple[tuple[str, ...], ...]
    done: tuple[Contract, ...]
    extra: tuple[Seat, ...]
    kept: Contract | None = None
    asks_dealer: bool = False

    @property
    def is_extra(self) -> bool:
        """Whether this is the tie-break deal, which uses up no contract."""
        return bool(self.extra)

    @property
    def needs_first_chooser(self) -> bool:
        """Whether the table must say who begins.

        That is the holder of the 7 of hearts, or the dealer. With `kingdom_pass:
        seven_each_kingdom` it is asked before every kingdom (C-L11)."""
        return self.chooser is None and not self.over

    @cached_property
    def contracts(self) -> tuple[Contract, ...]:
        """What the proposed chooser may play now; in a drawn order, what is drawn from."""
        return () if self.chooser is None else self.contracts_of(self.chooser)

    def chooser_if(self, holder: Seat) -> Seat | None:
        """Return who chooses if this seat holds the 7 of hearts.

        A player who has had a kingdom passes it to the first seat to the right that has not
        (C-L11)."""
        return first_from(self.choosers, holder)

    def contracts_of(self, seat: Seat) -> tuple[Contract, ...]:
        """Return what this seat may play if it chooses now."""
        if self.over:
            return ()
        left = self.left[seat]
        return self.kept_of(left) or tuple(
            any_offer(self.ruleset) if self.is_extra else offers(self.ruleset, left)
        )

    def kept_of(self, left: Sequence[str]) -> tuple[Contract, ...]:
        """Return the kept contract where it is one of these; empty: the chooser chooses again."""
        if self.kept is None or not (self.is_extra or set(self.kept.parts) <= set(left)):
            return ()
        return (self.kept,)

    def unplayed_by(self, seat: Seat | None) -> tuple[Contract, ...]:
        """Return what this seat may forfeit now: one or several contracts in a row (C-K5)."""
        if seat is None or self.is_extra or not self.ruleset.forfeit_first_three:
            return ()
        return tuple(_forfeits(self.left[seat]))

    @property
    def forced(self) -> bool:
        """Whether the chooser has no choice left, so that the contract is forced."""
        return bool(self.contracts) and all(map(self.is_forced, self.contracts))

    def is_forced(self, contract: Contract, chooser: Seat | None = None) -> bool:
        """Return whether this contract uses up all that was left to the chooser and so counts more.

        Never where the rules give a forced contract no factor."""
        seat = self.chooser if chooser is None else chooser
        if seat is None or self.is_extra or self.ruleset.forced_factor == 1:
            return False
        return set(self.left_then[seat]) <= set(contract.parts)

    @property
    def jack_question(self) -> bool:
        """Whether to ask if the chooser holds a jack, should he choose Trex (C-B18)."""
        trex_open = any(contract.special == "trex" for contract in self.contracts)
        return self.ruleset.trex_needs_jack and trex_open and len(self.contracts) > 1

    def leader(
        self, contract: Contract, dealer: Seat | None = None, chooser: Seat | None = None
    ) -> Seat | None:
        """Return who leads first, by the dealer and chooser given or those of the turn."""
        dealer = self.dealer if dealer is None else dealer
        chooser = self.chooser if chooser is None else chooser
        return first_leader(contract, self.ruleset, dealer, chooser)

    def uses_contract(self, entry: Entry) -> bool:
        """Return whether this deal will count among the chooser's contracts."""
        return not self.is_extra and not is_replayed(entry, self.ruleset)


def first_leader(
    contract: Contract, ruleset: Ruleset, dealer: Seat | None, chooser: Seat | None
) -> Seat | None:
    """Return who plays the first card, None if that depends on an unknown seat."""
    rule = leader_rule(contract, ruleset)
    if rule == "chooser":
        return chooser
    return right_of(dealer) if rule == "dealer_right" and dealer is not None else dealer


def leader_rule(contract: Contract, ruleset: Ruleset) -> str:
    """Return whether `chooser`, `dealer` or `dealer_right` plays the first card.

    C-L7, C-K8, C-K10. Fifty_one is always opened by the chooser (C-B7)."""
    if contract.special == "fifty_one":
        return "chooser"
    return ruleset.trex_start if contract.special else ruleset.first_lead


def is_replayed(entry: Entry, ruleset: Ruleset) -> bool:
    """Return whether the contract was broken off because of cheating and is played again (C-B8)."""
    return entry.tally.cheat_by is not None and ruleset.cheat.replay


def turn(
    ruleset: Ruleset,
    first_chooser: Seat | None,
    first_dealer: Seat | None,
    played: Sequence[Played],
    deal_number: int | None = None,
    *,
    tied: Sequence[Seat] = (),
    seven_holder: Seat | None = None,
    kept: Contract | None = None,
) -> Turn:
    """Return the turn of the next deal: the lowest number without a current deal.

    With the `deal_number` of a current deal return that deal's own place, judged against all the
    others.

    `tied` are the seats between which the scoresheet asks for an extra deal
    (`Scoresheet.extra_due`); `seven_holder` answers `needs_first_chooser` in a later kingdom.
    `kept` is what had been chosen before the cards were dealt again: it stays where the table
    plays `redeal.keeps_contract` and the chooser still has it, else he chooses anew (C-L15)."""
    number = lowest_missing(played) if deal_number is None else deal_number
    course = Course(ruleset, first_chooser, first_dealer, tuple(played), tuple(tied), number)
    chooser = course.chooser(seven_holder)
    kingdom, kingdom_deal, kingdom_deals = course.kingdom(chooser)
    return Turn(
        ruleset=ruleset,
        deal_number=number,
        deals_total=course.deals_total(),
        over=course.this is None and not any(course.left) and not course.extra,
        kingdom=kingdom,
        kingdom_deal=kingdom_deal,
        kingdom_deals=kingdom_deals,
        dealer=course.dealer(chooser),
        chooser=chooser,
        choosers=course.choosers,
        left=course.left,
        left_then=course.left_then,
        done=course.done(chooser),
        extra=course.extra,
        kept=kept if ruleset.redeal.keeps_contract else None,
        asks_dealer=course.asks_dealer,
    )


def check_turn(entry: Entry, turn: Turn, hand: Collection[str] | None = None) -> list[Problem]:
    """Return what the schedule has against this entry now.

    `match_over`, `contract_used` or `not_this_contract`. An entry with another chooser than the
    proposed one is checked against that chooser's contracts. `hand` is the chooser's, where it is
    known (C-B18)."""
    if turn.over:
        return [Problem(ProblemCode.MATCH_OVER, "contract", {"deals": turn.deals_total})]
    chooser = turn.chooser if entry.chooser is None else entry.chooser
    if chooser is None:
        return [Problem(ProblemCode.CHOOSER_MISSING, "chooser")]
    # A deal to be played again leaves its contract to a later one.
    left = (turn.left_then if is_replayed(entry, turn.ruleset) else turn.left)[chooser]
    used = [part for part in entry.contract.parts if part not in left]
    if used and not turn.is_extra:
        return [
            Problem(ProblemCode.CONTRACT_USED, "contract", {"seat": chooser, "contracts": used})
        ]
    # A contract that was kept was chosen with other cards: no jack is asked for.
    names = [contract.key for contract in turn.kept_of(left)] or [
        contract.key
        for contract in _open_to(entry, turn, left)
        if not _lacks_jack(contract, turn, left, hand)
    ]
    if entry.contract.key in names:
        return []
    return [
        Problem(ProblemCode.NOT_THIS_CONTRACT, "contract", {"seat": chooser, "contracts": names})
    ]


def _open_to(entry: Entry, turn: Turn, left: Sequence[str]) -> Iterable[Contract]:
    if turn.is_extra:
        return any_offer(turn.ruleset)
    if not entry.tally.forfeited:
        return offers(turn.ruleset, left)
    return _forfeits(left)


def _forfeits(left: Sequence[str]) -> list[Contract]:
    """Return the contracts that may be forfeited in one row, one after the other."""
    due = [left[:count] for count, _ in enumerate(left, start=1)]
    return [Contract.read(names) for names in due if set(names) <= set(FORFEITABLE)]


def _lacks_jack(
    contract: Contract, turn: Turn, left: Sequence[str], hand: Collection[str] | None
) -> bool:
    asked = turn.ruleset.trex_needs_jack and contract.special == "trex" and len(left) > 1
    return asked and hand is not None and not any(card[0] == "J" for card in hand)
