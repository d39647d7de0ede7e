"""What an audit of many records comes to: totals by code, club, player and contract.

Summaries add up, so that parts of an archive can be audited anywhere and in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from scoring.replay.archive import (
    WRONG_CLAIM,
    RecordMark,
    RecordVerdict,
    replayed,
)
from scoring.replay.record import Record
from scoring.replay.result import Replay
from scoring.replay.words import SEAT_TAGS

GROUPS = ("club", "player", "contract")
RECORDS, BAD = "records", "bad"
"""Counted beside the codes; no code is called so."""

type Counts = Counter[str]
type Names = Mapping[str, Iterable[str]]


class BadRecord(NamedTuple):
    """A bad record: its id, its place among all that were packed (None: unknown), and what is wrong
    with it."""

    verdict: RecordVerdict
    number: int | None = None


@dataclass
class Summary:
    """Totals of everything and of each member of a group. A code is counted once for each record
    that has it, for a player once for each record in which it is his."""

    whole: Counts = field(default_factory=Counter)
    groups: dict[str, dict[str, Counts]] = field(
        default_factory=lambda: {group: {} for group in GROUPS}
    )

    @property
    def records(self) -> int:
        return self.whole[RECORDS]

    @property
    def bad(self) -> int:
        """How many records have a code."""
        return self.whole[BAD]

    @property
    def codes(self) -> list[tuple[str, int]]:
        """Every code with its number of records, the most frequent first."""
        found = [pair for pair in self.whole.items() if pair[0] not in (RECORDS, BAD)]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def add_good(self, names: Names, records: int = 1) -> None:
        """Counts records without fault of these clubs, players and contracts."""
        self.whole[RECORDS] += records
        for group, members in names.items():
            for name in members:
                self._of(group, name)[RECORDS] += records

    def add_named(self, group: str, name: str, records: int) -> None:
        """Counts records without fault of a club or player that are in the whole already."""
        self._of(group, name)[RECORDS] += records

    def add_bad(
        self, names: Names, codes: Iterable[str], by_player: Mapping[str, set[str]]
    ) -> None:
        """Counts one bad record. `by_player` has the codes that are a player's own."""
        shared = dict.fromkeys(codes, 1) | {RECORDS: 1, BAD: 1}
        self._count({group: own for group, own in names.items() if group != "player"}, shared)
        for player in names.get("player", ()):
            own = by_player.get(player, set())
            self._of("player", player).update(
                dict.fromkeys(own, 1) | {RECORDS: 1} | ({BAD: 1} if own else {})
            )

    def merge(self, other: Summary) -> None:
        """Adds all counts of another."""
        self.whole.update(other.whole)
        for group, members in other.groups.items():
            for name, counts in members.items():
                self._of(group, name).update(counts)

    def to_json(self) -> dict[str, Any]:
        """Totals of all, and by group a list in the order of names."""
        return _row(self.whole) | {
            f"{group}s": [{"name": name} | _row(own) for name, own in sorted(members.items())]
            for group, members in self.groups.items()
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The opposite of `to_json`."""
        found = cls(_counts(data))
        for group in GROUPS:
            found.groups[group] = {row["name"]: _counts(row) for row in data[f"{group}s"]}
        return found

    def rows(self) -> Iterator[list[str | int]]:
        """A table: the names of the columns, everything, then each member of each group."""
        codes = [code for code, _ in self.codes]
        yield ["group", "name", RECORDS, BAD, *codes]
        yield ["all", "", *(self.whole[key] for key in (RECORDS, BAD, *codes))]
        for group, members in self.groups.items():
            for name, own in sorted(members.items()):
                yield [group, name, *(own[key] for key in (RECORDS, BAD, *codes))]

    def _count(self, names: Names, counts: Mapping[str, int]) -> None:
        self.whole.update(counts)
        for group, members in names.items():
            for name in members:
                self._of(group, name).update(counts)

    def _of(self, group: str, name: str) -> Counts:
        members = self.groups[group]
        if name not in members:
            members[name] = Counter()
        return members[name]


def names_in(tags: Mapping[str, str], contract: str) -> Names:
    """The club, the players and the contract of a record, as far as it says them."""
    found: dict[str, set[str]] = {
        "club": {tags["Club"]} if "Club" in tags else set(),
        "player": {tags[seat] for seat in SEAT_TAGS if seat in tags},
        "contract": {contract} if contract else set(),
    }
    return found


def add_record(summary: Summary, record: Record) -> RecordVerdict:
    """Audits a record with the explaining engine and counts what it says."""
    found = replayed(record, report=False)
    verdict = verdict_of(record.id, found)
    names = names_in(record.tags, record.contract.key if record.contract else "")
    if verdict.marks:
        codes = {mark.code for mark in verdict.marks}
        summary.add_bad(names, codes, _by_player(record, found))
    else:
        summary.add_good(names)
    return verdict


def verdict_of(own: str, found: Replay) -> RecordVerdict:
    """Everything that is wrong with a record that was replayed."""
    marks = [RecordMark(breach.code, breach.play) for breach in found.breaches]
    marks += [RecordMark(error.code, error.line) for error in found.errors]
    if found.claimed_ok is False:
        marks.append(RecordMark(WRONG_CLAIM))
    return RecordVerdict(own, tuple(marks))


def audited_records(records: Iterable[Record]) -> tuple[Summary, list[BadRecord]]:
    """The audit of some records by the explaining engine."""
    summary, named = Summary(), []
    for record in records:
        verdict = add_record(summary, record)
        if verdict.marks:
            named.append(BadRecord(verdict))
    return summary, named


def _by_player(record: Record, found: Replay) -> dict[str, set[str]]:
    own: dict[str, set[str]] = {}
    for breach in found.breaches:
        if breach.seat is not None and SEAT_TAGS[breach.seat] in record.tags:
            own.setdefault(record.tags[SEAT_TAGS[breach.seat]], set()).add(breach.code)
    return own


def _row(counts: Counts) -> dict[str, Any]:
    codes = {code: n for code, n in sorted(counts.items()) if code not in (RECORDS, BAD) and n}
    return {RECORDS: counts[RECORDS], BAD: counts[BAD], "codes": codes}


def _counts(row: Mapping[str, Any]) -> Counts:
    return Counter({RECORDS: row[RECORDS], BAD: row[BAD], **row["codes"]})
