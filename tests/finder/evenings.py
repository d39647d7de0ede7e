"""Evenings of a legal player, with one slip in them."""

from dataclasses import dataclass, replace
from random import Random

from scoring.finder import Entered, WrittenLine, WrittenSheet, WrittenTotal
from scoring.replay import engine
from scoring.rules import Entry, Ruleset, points, preset, read_entry
from scoring.rules.course import Played
from scoring.rules.schedule import turn
from scoring.rules.seats import SEATS
from tests.finder import brute
from tests.support.players import legal_deal

PRESETS = [
    *("levant", "levant-complex", "levant-partners", "levant-inverted"),
    *("kleshchi", "kleshchi-fifteens", "kleshchi-swapped", "kleshchi-pairs"),
    *("barbu", "barbu-drawn"),
]
WRITTEN = ("running", "kingdom", "match")


@dataclass
class Evening:
    """A match as it was, and as somebody entered it: `row` is the deal with the slip."""

    ruleset: Ruleset
    played: list[Played]
    truth: list[Entry]
    entered: list[Entry]
    row: int

    @property
    def slip(self):
        """The mark of the change that puts it right."""
        return "facts", self.row, brute.canonical(self.truth[self.row])

    def sheet(self, written: str) -> WrittenSheet:
        """The entered deals under the totals of what truly was."""
        lines = [Entered.of(entry, self.ruleset) for entry in self.entered]
        true = [points(entry, self.ruleset).scores for entry in self.truth]
        totals = [
            WrittenTotal(
                written, rows, tuple(sum(true[row][seat] for row in rows) for seat in SEATS)
            )
            for rows in self.added(written)
        ]
        return WrittenSheet(lines, totals)

    def paper(self, written: str) -> WrittenSheet:
        """The same as points on paper, contracts and choosers not noted."""
        sheet = self.sheet(written)
        return WrittenSheet([WrittenLine(line.points) for line in sheet.lines], sheet.totals)

    def added(self, written: str) -> list[tuple[int, ...]]:
        """The rows that each written total adds up."""
        count = len(self.truth)
        if written == "running":
            return [tuple(range(row + 1)) for row in range(count)]
        if written == "match":
            return [tuple(range(count))]
        if self.ruleset.chooser_order == "kingdom":
            choosers = dict.fromkeys(deal.chooser for deal in self.played)
            return [
                tuple(row for row in range(count) if self.played[row].chooser == chooser)
                for chooser in choosers
            ]
        return [tuple(range(row, min(row + 4, count))) for row in range(0, count, 4)]


def some_evening(seed: int) -> Evening:
    """Any evening of one of the presets, played to its end."""
    rng = Random(seed)
    name = PRESETS[seed % len(PRESETS)]
    rules = preset(name)
    played, truth = whole_match(rng, rules)
    entered = list(truth)
    row, slip = _slip(rng, rules, truth)
    entered[row] = slip
    return Evening(rules, played, truth, entered, row)


def whole_match(rng: Random, rules: Ruleset) -> tuple[list[Played], list[Entry]]:
    """Deals of a legal player until nobody has a contract left."""
    played: list[Played] = []
    entries: list[Entry] = []
    first = rng.choice(SEATS)
    while not (now := turn(rules, first, None, played)).over:
        contract = rng.choice(now.contracts)
        forced = now.is_forced(contract)
        seats = {"dealer": now.dealer, "chooser": now.chooser, "forced": forced}
        entries.append(some_deal(rng, rules, contract, **seats))
        played.append(Played(now.deal_number, now.dealer, now.chooser, contract, forced))
    return played, entries


def some_deal(rng: Random, rules: Ruleset, contract=None, **seats) -> Entry:
    """A deal of a legal player as an entry."""
    record = legal_deal(rng, rules.system, rules.options(), contract, **seats)
    tally = engine.replay(record, rules, report=False).tally
    given = {"contract": record.contract.to_json(), "chooser": record.chooser}
    read = read_entry({**given, "forced": record.forced, "input": tally.to_json()}, rules)
    assert read.entry, read.problems
    plain = replace(read.entry.tally, queens=None) if tally.queens_taken_by else read.entry.tally
    return replace(read.entry, tally=plain)


def _slip(rng: Random, rules: Ruleset, truth: list[Entry]) -> tuple[int, Entry]:
    """A deal and other facts of it that one slip makes and that cost other points: any kind of
    slip as likely as the next."""
    while True:
        row = rng.randrange(len(truth))
        right = points(truth[row], rules).scores
        by_kind: dict[str, list[Entry]] = {}
        for kind, entry in brute.neighbours(truth[row], rules):
            by_kind.setdefault(kind, []).append(entry)
        kind = rng.choice(sorted(by_kind))
        entry = rng.choice(by_kind[kind])
        if points(entry, rules).scores != right:
            return row, entry
