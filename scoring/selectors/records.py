"""Records of a deal number: which one counts, and what it says beside the entry."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from scoring.models import CardRecord, Deal, Match, Verdict, Words
from scoring.models.canonical import canonical
from scoring.replay import notation_json
from scoring.replay.archive import WRONG_CLAIM
from scoring.replay.audit import Report, audit
from scoring.replay.engine import replay
from scoring.replay.record import Play, Record
from scoring.replay.report import tally_json
from scoring.replay.result import Replay
from scoring.rules import Entry, Points, Ruleset, points, read_entry
from scoring.rules.cards import Card
from scoring.rules.options import read_options
from scoring.rules.ruleset import OPTION_GETTERS, to_json
from scoring.rules.schedule import leader_rule
from scoring.rules.seats import Seat
from scoring.selectors.matches import MatchView
from scoring.selectors.numbers import renumbered

NAMED = ("id", "tags")
"""Of a record what may name people."""


class Contradiction(NamedTuple):
    """Something beside the cards that the record says and the match does not: `field` is
    `deal_number`, `leader` or the name of an option."""

    field: str
    recorded: object
    here: object


@dataclass(frozen=True)
class Audited:
    """A record held against the deal that stands at its number, by the rules of the match.

    `record` is as it was given; `framed` is the same with what the deal adds that nobody wrote
    down. `row` is None for one that is not attached, `deal` where none stands.
    """

    record: Record
    framed: Record
    replay: Replay
    report: Report
    ruleset: Ruleset
    deal: Deal | None = None
    row: CardRecord | None = None

    @property
    def entry(self) -> Entry | None:
        return self.deal.entry if self.deal else None

    @property
    def points(self) -> Points | None:
        """What the entry is worth."""
        entry = self.entry
        return points(entry, self.ruleset) if entry else None

    @property
    def codes(self) -> tuple[str, ...]:
        """Everything the audit says, each code once, in the order in which it shows."""
        found = [breach.code for breach in self.replay.breaches]
        found += [finding.code for finding in self.report.findings]
        if False in (self.replay.claimed_ok, self.replay.possible):
            found.append(WRONG_CLAIM)
        return tuple(dict.fromkeys(found))

    def contradictions(self, deal_number: int) -> Iterator[Contradiction]:
        """What the record says of itself that is not so here, contract, dealer, chooser and forced
        apart: those are findings. The leader of another dealer is not mentioned again."""
        record, deal = self.record, self.deal
        then = self.row.number_then if self.row else None
        if record.deal_number not in (None, deal_number, then):
            yield Contradiction("deal_number", record.deal_number, deal_number)
        here = deal.leader if deal and "other_dealer" not in self.codes else None
        if None not in (record.leader, here) and record.leader != here:
            yield Contradiction("leader", record.leader, here)
        said, _refused = read_options(record.options)
        for name, value in said.items():
            own = OPTION_GETTERS[name](self.ruleset)
            if name != "direction" and value != own:
                yield Contradiction(name, to_json(value), to_json(own))


# ── which record counts ─────────────────────────────────────────────────


def counting(rows: Iterable[CardRecord]) -> dict[int, CardRecord]:
    """By deal number the one that counts: the one with the most cards, of equals the newest. A
    fuller one is set aside by withdrawing it. Expects those not taken back, in order of events."""
    found: dict[int, CardRecord] = {}
    for row in rows:
        before = found.get(row.deal_number)
        if before is None or cards_in(row) >= cards_in(before):
            found[row.deal_number] = row
    return found


def cards_in(row: CardRecord) -> int:
    """How many cards a record shows as played or captured."""
    content = row.content
    shown = (*content.get("plays", ()), *content.get("captured", ()))
    return len({each["card"] for each in shown if each.get("card")})


def counting_records(match: Match) -> dict[int, CardRecord]:
    """By deal number the record that counts. One query."""
    return counting(renumbered(match, CardRecord.objects.standing().filter(match=match)))


def row_of(match: Match, deal_number: int) -> CardRecord | None:
    """The record that counts there, with its event and who wrote that. One query."""
    rows = CardRecord.objects.standing().filter(match.numbered(deal_number), match=match)
    found = renumbered(match, rows.select_related("event__user"))
    return counting(found).get(deal_number)


def same_record(match: Match, deal_number: int, record: Record) -> CardRecord | None:
    """The row that already holds this content for the deal, not withdrawn. One query."""
    rows = CardRecord.objects.standing().filter(match.numbered(deal_number), match=match)
    content = canonical(content_of(record))
    found = (row for row in rows.select_related("event") if canonical(row.content) == content)
    return next(found, None)


def same_elsewhere(match: Match, record: Record) -> list[CardRecord]:
    """The rows with this content in other matches of the club, not withdrawn, oldest first. One
    query, none without a club."""
    if match.club_id is None:
        return []
    content = content_of(record)
    cards = {f"content__{name}": content[name] for name in ("plays", "captured") if name in content}
    rows = CardRecord.objects.standing().filter(match__club=match.club_id, **cards)
    found = rows.exclude(match=match).select_related("event", "match__club")
    return [row for row in found if canonical(row.content) == canonical(content)]


def record_of(match: Match, deal_number: int) -> Record | None:
    """The cards of the same. One query."""
    row = row_of(match, deal_number)
    return read(row) if row else None


def read(row: CardRecord) -> Record:
    """What the row holds: all but id and tags. It was read without errors when it was attached."""
    return _read(canonical(row.content))


def content_of(record: Record) -> dict[str, Any]:
    """What a row keeps of a record: all but id and tags."""
    content = notation_json.to_json(record)
    return {name: value for name, value in content.items() if name not in NAMED}


def as_given(row: CardRecord) -> Record:
    """The record with id and tags, unless those were erased. One query."""
    kept = row.event.content["words"].get("tags")
    words = Words.objects.filter(id=kept["id"]).first() if kept else None
    named = json.loads(words.text) if words else {}
    return replace(read(row), **named)


# ── what it says ────────────────────────────────────────────────────────


def audit_of(view: MatchView, deal_number: int) -> Audited | None:
    """The record that counts there beside the deal that stands there. One query."""
    row = row_of(view.match, deal_number)
    if row is None:
        return None
    return audited(read(row), view.deals.get(deal_number), view.ruleset, row)


def audited(
    record: Record, deal: Deal | None, rules: Ruleset, row: CardRecord | None = None
) -> Audited:
    """Any record held against a deal. No query."""
    framed = _framed(record, deal, rules)
    found = _replay(canonical(content_of(framed)), rules)
    entries = [deal.entry] if deal else []
    report = audit(framed, found, entries, rules, deal.dealer if deal else None)
    return Audited(record, framed, found, report, rules, deal, row)


def by_cards(found: Audited) -> Entry | None:
    """The entry that a complete record makes; None for one that leaves something open."""
    record = found.framed
    if record.contract is None or found.replay.scores is None:
        return None
    facts = {"contract": record.contract.to_json(), "input": tally_json(found.replay.tally)}
    roles = {"chooser": record.chooser, "forced": record.forced}
    return read_entry(facts | roles, found.ruleset).entry


def strange_cards(record: Record, rules: Ruleset) -> list[Card]:
    """Cards in the record that no deck of this match has."""
    named = [card for hand in record.hands for card in hand or ()]
    named += [play.card for play in record.plays if isinstance(play, Play)]
    named += [card for card, _ in (*record.captured, *record.doubles)]
    return sorted(set(named) - set(rules.deck))


def says_nothing(record: Record) -> bool:
    """Whether there is no card in it."""
    return not (record.plays or record.captured or any(record.hands))


def _framed(record: Record, deal: Deal | None, rules: Ruleset) -> Record:
    """The record with the seats that only the deal names."""
    if deal is None:
        return record
    return replace(
        record,
        dealer=deal.dealer if record.dealer is None else record.dealer,
        chooser=deal.chooser if record.chooser is None else record.chooser,
        leader=_leader(record, deal, rules) if record.leader is None else record.leader,
    )


def _leader(record: Record, deal: Deal, rules: Ruleset) -> Seat | None:
    """The stored leader, unless the record names the seat from which the leader follows or is of
    another contract; then None, so that the replay derives it."""
    contract = record.contract
    if contract is None or contract.key != deal.contract:
        return None
    by_chooser = leader_rule(contract, rules) == "chooser"
    named = record.chooser if by_chooser else record.dealer
    return deal.leader if named is None else None


@lru_cache(maxsize=512)
def _read(content: str) -> Record:
    return next(notation_json.read_json(content))


@lru_cache(maxsize=512)
def _replay(content: str, rules: Ruleset) -> Replay:
    """An open record takes some tenths of a second, so that nobody waits for it twice."""
    return replay(_read(content), rules)


# ── derived rows ────────────────────────────────────────────────────────


def verdict_of(row: CardRecord, deal: Deal | None, rules: Ruleset, match: Match) -> Verdict:
    """What is kept of an audit, not saved."""
    found = audited(read(row), deal, rules)
    contract = found.record.contract
    return Verdict(
        match=match,
        club_id=match.club_id,
        record=row,
        deal=deal,
        deal_number=row.deal_number,
        contract=contract.key if contract else "",
        agrees=found.report.agrees,
        complete=found.replay.complete,
        codes=f" {' '.join(found.codes)} " if found.codes else "",
        played_at=match.played_at,
    )


def disputed_numbers(match: Match) -> frozenset[int]:
    """The deals whose record and entry cannot both be right. One query."""
    rows = Verdict.objects.filter(match=match).disagreeing()
    return frozenset(rows.values_list("deal_number", flat=True))


def verdicts_of(match: Match) -> dict[int, Verdict]:
    """By deal number. One query."""
    return {row.deal_number: row for row in Verdict.objects.filter(match=match)}
