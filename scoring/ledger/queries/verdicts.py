"""Audits of card records: which record of a deal counts, and how it differs from the entry."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from scoring.ledger.queries.deal_numbers import renumbered
from scoring.models import CardRecord, Deal, Match, Verdict
from scoring.models.canonical import canonical
from scoring.replay.archive import WRONG_CLAIM
from scoring.replay.audit import FindingCode, Report, audit
from scoring.replay.engine import replay
from scoring.replay.notation import json_records
from scoring.replay.record import Record
from scoring.replay.result import Replay
from scoring.rules import Entry, Points, Ruleset, points
from scoring.rules.rulesets.options import read_options
from scoring.rules.rulesets.ruleset import OPTION_GETTERS, to_json
from scoring.rules.schedule import leader_rule
from scoring.rules.seats import Seat

NAMED = ("id", "tags")
"""Of a record what may name people."""


class Contradiction(NamedTuple):
    """A difference between record and match outside the cards.

    `field` is `deal_number`, `leader` or the name of an option."""

    field: str
    recorded: object
    here: object


@dataclass(frozen=True)
class Audited:
    """A record compared with the current deal of its number, by the rules of the match.

    `record` is as it was given; `framed` is the same with what the deal adds that nobody wrote
    down. `row` is None for one that is not attached, `deal` where none stands."""

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
        """Everything the audit reports, each code once, in the order in which it shows."""
        found: list[str] = [breach.code for breach in self.replay.breaches]
        found += [finding.code for finding in self.report.findings]
        if False in (self.replay.claimed_ok, self.replay.possible):
            found.append(WRONG_CLAIM)
        return tuple(dict.fromkeys(found))

    def contradictions(self, deal_number: int) -> Iterator[Contradiction]:
        """Return what the record says of itself that differs from the match.

        Without contract, dealer, chooser and forced, which are findings; the leader of another
        dealer is not mentioned again."""
        record, deal = self.record, self.deal
        then = self.row.number_then if self.row else None
        if record.deal_number not in (None, deal_number, then):
            yield Contradiction("deal_number", record.deal_number, deal_number)
        here = deal.leader if deal and FindingCode.OTHER_DEALER not in self.codes else None
        if None not in (record.leader, here) and record.leader != here:
            yield Contradiction("leader", record.leader, here)
        said, _refused = read_options(record.options)
        for name, value in said.items():
            own = OPTION_GETTERS[name](self.ruleset)
            if name != "direction" and value != own:
                yield Contradiction(name, to_json(value), to_json(own))


def counting(rows: Iterable[CardRecord]) -> dict[int, CardRecord]:
    """Return by deal number the record that counts: the one with the most cards, then the newest.

    A fuller one is set aside by withdrawing it. Expects those not withdrawn, in order of events."""
    found: dict[int, CardRecord] = {}
    for row in rows:
        before = found.get(row.deal_number)
        if before is None or cards_in(row) >= cards_in(before):
            found[row.deal_number] = row
    return found


def cards_in(row: CardRecord) -> int:
    """Return how many cards a record shows as played or captured."""
    content = row.content
    shown = (*content.get("plays", ()), *content.get("captured", ()))
    return len({each["card"] for each in shown if each.get("card")})


def counting_records(match: Match) -> dict[int, CardRecord]:
    """Return by deal number the record that counts. One query."""
    return counting(renumbered(match, CardRecord.objects.standing().filter(match=match)))


def read(row: CardRecord) -> Record:
    """Return the record of a row, without id and tags.

    It had no errors when it was attached."""
    return _read(canonical(row.content))


def content_of(record: Record) -> dict[str, Any]:
    """Return what a row stores of a record: all but id and tags."""
    content = json_records.to_json(record)
    return {name: value for name, value in content.items() if name not in NAMED}


def audited(
    record: Record, deal: Deal | None, rules: Ruleset, row: CardRecord | None = None
) -> Audited:
    """Return any record compared with a deal. No query."""
    framed = _framed(record, deal, rules)
    found = _replay(canonical(content_of(framed)), rules)
    entries = [deal.entry] if deal else []
    report = audit(framed, found, entries, rules, deal.dealer if deal else None)
    return Audited(record, framed, found, report, rules, deal, row)


def _framed(record: Record, deal: Deal | None, rules: Ruleset) -> Record:
    """Return the record with the seats that only the deal names."""
    if deal is None:
        return record
    return replace(
        record,
        dealer=deal.dealer if record.dealer is None else record.dealer,
        chooser=deal.chooser if record.chooser is None else record.chooser,
        leader=_leader(record, deal, rules) if record.leader is None else record.leader,
    )


def _leader(record: Record, deal: Deal, rules: Ruleset) -> Seat | None:
    """Return the stored leader, or None so that the replay derives it.

    None where the record names the seat from which the leader follows, or is of another contract.
    """
    contract = record.contract
    if contract is None or contract.key != deal.contract:
        return None
    by_chooser = leader_rule(contract, rules) == "chooser"
    named = record.chooser if by_chooser else record.dealer
    return deal.leader if named is None else None


@lru_cache(maxsize=512)
def _read(content: str) -> Record:
    return next(json_records.read_json(content))


@lru_cache(maxsize=512)
def _replay(content: str, rules: Ruleset) -> Replay:
    """Return the replay, cached because an incomplete record takes some tenths of a second."""
    return replay(_read(content), rules)


def verdict_of(row: CardRecord, deal: Deal | None, rules: Ruleset, match: Match) -> Verdict:
    """Return the verdict row of an audit, not saved."""
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


def verdicts_of(match: Match) -> dict[int, Verdict]:
    """Return the verdicts by deal number. One query."""
    return {row.deal_number: row for row in Verdict.objects.filter(match=match)}
