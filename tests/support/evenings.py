"""Whole matches from players who lay any card that is legal, with whatever their rules allow:
doubles, revokes, cheats, forfeits, combined deals, kabbouts, forced contracts."""

from dataclasses import dataclass, field, replace
from random import Random

from scoring.replay.engine import card_by_card
from scoring.rules import PRESETS, Contract, Entry, Ruleset, Tally, ruleset
from scoring.rules.schedule import FORFEITABLE, Turn, turn
from scoring.rules.scoresheet import SheetDeal, scoresheet
from tests.support.players import legal_deal

REVOKES, CHEATS, FORFEITS = 0.15, 0.06, 0.4

WORTHLESS = {
    "values.king": 1,
    "values.queen": 0,
    "values.diamond": 0,
    "values.trick": 0,
    "values.trex": [0, 0, 0, 0],
}

VARIANTS = [
    ("levant", {"combo": "free"}),
    ("levant", {"combo": "free", "teams": "opposite", "kingdom_pass": "seven_each_kingdom"}),
    ("levant", {"combo": "complex", "revoke": "total", "doubling.self_capture": "leader_gains"}),
    ("levant", {"values.trex": [150, 100, 50, -50], "dealer_rule": "owner_left"}),
    ("levant", {"chooser_order": "rotate", "combo": "free", "cheat.replay": True}),
    ("levant", {"teams": "opposite", "doubling.partner_capture": "opponents_gain"}),
    ("levant", {"teams": "opposite", "doubling.partner_capture": "no_bonus", "combo": "complex"}),
    ("levant", {"kabbout.contracts": ["tricks", "diamonds", "queens"], "kabbout.amount": 150}),
    ("levant", WORTHLESS),  # nearly every match ends level
    ("levant", {**WORTHLESS, "teams": "opposite", "combo": "complex"}),
    ("kleshchi", {"contract_order": "fixed", "forfeit_first_three": True}),
    ("kleshchi", {"contract_order": "fixed_reversed", "forfeit_first_three": True}),
    ("kleshchi", {"combo": "free", "doubling.queens_unit": "whole_contract"}),
    ("kleshchi", {"contracts_scope": "game", "chooser_first": "dealer"}),
    ("kleshchi", {"revoke": "remaining", "doubling.self_capture": "quadruple"}),
    ("barbu", {"contracts_scope": "game", "contract_order": "drawn"}),
    ("barbu", {"cheat.replay": True, "cheat.multiplied": True, "dealer_rule": "owner_deals"}),
    ("barbu", {"combo": "free", "kabbout.contracts": ["queens"], "kabbout.multiplied": False}),
    ("barbu", {"doubling.king": True, "doubling.queens": True, "revoke": "total"}),
    ("barbu", {"combo": "complex", "chooser_order": "kingdom", "chooser_first": "dealer"}),
    ("barbu", {"fifty_one.target": 96, "trex_chooser_double": "first", "signs": "swapped"}),
]
"""Systems with options that the presets leave alone."""

TABLES = [(each.system, dict(each.options)) for each in PRESETS.values()] + VARIANTS


@dataclass
class Evening:
    """A match while it is played: how it began, its deals, and the turn before each of them with
    the seat that held the 7 of hearts if somebody had to. `strays` is how often the table does
    otherwise than is proposed."""

    system: str
    options: dict
    rng: Random
    first_chooser: int | None = None
    first_dealer: int | None = None
    strays: float = 0
    deals: list[SheetDeal] = field(default_factory=list)
    turns: list[tuple[Turn, int | None]] = field(default_factory=list)

    @property
    def rules(self) -> Ruleset:
        """The rules that are pinned to it."""
        return ruleset(self.system, self.options)

    def next_turn(self) -> tuple[Turn, int | None]:
        """Whose turn it is; where the 7 of hearts decides, somebody holds it."""
        rules, seven = self.rules, None
        given = [deal.played(rules) for deal in self.deals]
        beginning = (self.first_chooser, self.first_dealer)
        now = turn(rules, *beginning, given)
        if now.needs_first_chooser:
            seven = self.rng.randrange(4)
            now = turn(rules, *beginning, given, seven_holder=seven)
        if now.over:
            tied = scoresheet(rules, self.deals).extra_due
            now = turn(rules, *beginning, given, tied=tied)
        return now, seven

    def play(self, most: int = 99) -> None:
        """Plays to the end, or so many deals."""
        for _ in range(most):
            now, seven = self.next_turn()
            if now.over:
                return
            self.turns.append((now, seven))
            self.deals.append(self._deal(self._as_the_table_does(now)))

    def _as_the_table_does(self, now: Turn) -> Turn:
        """Sometimes another seat deals, or another one chooses that still has something left."""
        dealer, chooser, rng = now.dealer, now.chooser, self.rng
        if rng.random() < self.strays:
            dealer = rng.randrange(4)
        if rng.random() < self.strays and not now.is_extra:
            chooser = rng.choice([seat for seat in range(4) if now.left[seat]])
        return replace(now, dealer=dealer, chooser=chooser)

    def _deal(self, now: Turn) -> SheetDeal:
        entry = some_entry(self, now)
        uses = now.uses_contract(entry)
        return SheetDeal(now.deal_number, now.dealer, now.chooser, entry, uses_contract=uses)

    def cases(self) -> list[dict]:
        """The deals as in tests/cases."""
        return [case_of(self, deal) for deal in self.deals]


def played_evening(rng: Random, system: str, options: dict, strays: float = 0) -> Evening:
    """A match to its end. It begins with a chooser, or where the rules go by him with a dealer."""
    evening = Evening(system, options, rng, strays=strays)
    seat = rng.randrange(4)
    if rng.random() < 0.5:
        evening.first_chooser = seat
    else:
        evening.first_dealer = seat
    evening.play()
    return evening


def case_of(evening: Evening, deal: SheetDeal) -> dict:
    """One deal as in tests/cases."""
    told = deal.entry.to_json() | {"dealer": deal.dealer}
    return told | {"system": evening.system, "options": evening.options}


def some_entry(evening: Evening, now: Turn) -> Entry:
    """What came of a contract that the chooser may play."""
    rng, rules = evening.rng, evening.rules
    due = now.left[now.chooser][:1]
    if rules.forfeit_first_three and set(due) & set(FORFEITABLE) and rng.random() < FORFEITS:
        return _forfeited(rng, now)
    contract = rng.choice(now.contracts)
    forced = now.is_forced(contract)
    if rules.cheat.amount is not None and rng.random() < CHEATS:
        return Entry(contract, now.chooser, forced, Tally(cheat_by=rng.randrange(4)))
    record = legal_deal(
        rng,
        evening.system,
        evening.options,
        contract,
        dealer=now.dealer,
        chooser=now.chooser,
        forced=forced,
    )
    if rules.revoke != "off" and not contract.special and rng.random() < REVOKES:
        return _revoked(rng, record, rules)
    tally = card_by_card(record, rules).tally
    return Entry(contract, now.chooser, forced, tally)


def _forfeited(rng: Random, now: Turn) -> Entry:
    """Unplayed the contract whose turn it is, or the next ones with it."""
    left = now.left[now.chooser]
    most = next(n for n, name in enumerate((*left, None)) if name not in FORFEITABLE)
    contract = Contract.read(left[: rng.randint(1, most)])
    return Entry(contract, now.chooser, now.is_forced(contract), Tally(forfeited=True))


def _revoked(rng: Random, record, rules: Ruleset) -> Entry:
    """Stopped after some trick: what is still in the hands is nobody's."""
    stopped = replace(record, plays=record.plays[: 4 * rng.randint(0, rules.cards_per_hand)])
    tally = replace(card_by_card(stopped, rules).tally, revoke_by=rng.randrange(4))
    return Entry(record.contract, record.chooser, record.forced, tally)
