"""Spreadsheets of a club export: people, standings, matches, results, deals.

The deals have the columns that the import of matches reads.

Nothing here is needed to take a club in again: whatever it says follows from `club.json`.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, cast
from uuid import UUID

from django.db.models import Q

from scoring.importing.columns import COLUMNS, Column
from scoring.importing.own_tables import LOST, OWN_COLUMNS, OWN_ID, REASONS
from scoring.importing.values import same_text
from scoring.integrity.queries.ledger_rows import Evidence
from scoring.ledger.queries.snapshots import MatchSnapshot, Sitting, sittings
from scoring.models import Club, MatchResult, MatchState, PlayerTotal
from scoring.models.days import zone_of
from scoring.rules import Contract
from scoring.rules.scoresheet import ScoreRow
from scoring.rules.standings import Win
from scoring.spreadsheets import Cell
from scoring.standings.queries.standings import ALL_TIME, RankedPair, RankedPerson, standings_page

MOMENT = "%Y-%m-%d %H:%M"
SEATS = range(4)
UNFINISHED = (MatchState.RUNNING, MatchState.UNFINISHED)


def _four(name: str) -> list[str]:
    return [f"{name}_{seat + 1}" for seat in SEATS]


PEOPLE = ("name", "is_guest", "is_archived", "player_id", "counts_for")
STANDINGS = (
    *("system", "win", "rank", "name", "partner", "matches", "total", "average", "wins"),
    *("needs", "decided_by"),
)
MATCHES = (
    *("match", "played_at", "closed_at", "table", "evening", "system", "rules", "state", "deals"),
    *(*_four("player"), *_four("total"), *_four("place"), "version", "head"),
)
RESULTS = (
    *("match", "played_at", "system", "win", "player_id", "name", "seat", "deals"),
    *("points", "total", "place"),
)
DEALS = (*(column.name for column in COLUMNS if "total" not in column.name), *OWN_COLUMNS)

type TableRow = list[Cell]


def people(club: Club) -> Iterator[TableRow]:
    for player in club.players.order_by("name", "created_at", "id"):
        counts_for = str(player.counts_for_id) if player.counts_for_id else None
        yield [
            *(player.name, _yes(player.is_guest), _yes(player.archived_at is not None)),
            *(str(player.id), counts_for),
        ]


def standings(club: Club) -> Iterator[TableRow]:
    """Yield the all-time standings of each family. Null is empty, never 0."""
    families = PlayerTotal.objects.filter(club=club).order_by("system", "win")
    for system, win in families.values_list("system", "win").distinct():
        page = standings_page(club, ALL_TIME, (system, cast(Win, win)))
        for row in page.rows:
            record, ranked = row.record, row.player
            assert isinstance(ranked, RankedPair | RankedPerson)
            names = [person.name for person in ranked.people]
            yield [
                *(system, win, row.rank, *(names if len(names) == 2 else [*names, None])),
                *(record.matches, record.total, record.average, record.wins),
                *(row.needs or None, row.decided_by),
            ]


def ids_of_hidden_people(club: Club) -> frozenset[UUID]:
    """Return the ids of players whose name is secret. One query."""
    hidden = club.players.filter(Q(hidden_at__isnull=False) | Q(anonymised_at__isnull=False))
    return frozenset(hidden.values_list("id", flat=True))


@dataclass(frozen=True)
class ExportedMatch:
    """The lines of one match, with the names of its players."""

    club: Club
    found: Evidence
    names: Mapping[UUID, str]
    evenings: Mapping[UUID, str]
    hidden: Collection[UUID]
    table: MatchSnapshot
    seats: Sequence[Sequence[Sitting]]

    @classmethod
    def of(
        cls,
        club: Club,
        found: Evidence,
        names: Mapping[UUID, str],
        evenings: Mapping[UUID, str],
        hidden: Collection[UUID],
    ) -> "ExportedMatch":
        return cls(club, found, names, evenings, hidden, found.table(), sittings(found.seatings))

    @cached_property
    def lost(self) -> list[str]:
        """Why these lines are not enough to import the match elsewhere."""
        match, table = self.found.match, self.table
        people = [one.player_id for seat in self.seats for one in seat]
        is_complete = table.turn.over or table.turn.is_extra
        reasons = {
            "voided": match.state == MatchState.VOIDED,
            "not_finished": is_complete and match.state in UNFINISHED,
            "substitutes": any(len(seat) > 1 for seat in self.seats),
            "penalties": bool(table.adjustments),
            "sums": bool(table.subtotals),
            "hidden": any(one in self.hidden for one in people),
        }
        return [reason for reason in REASONS if reasons.get(reason)]

    def match(self) -> TableRow:
        match, sheet = self.found.match, self.table.sheet
        totals = sheet.totals if sheet.begun else [None] * 4
        places = sheet.places if match.is_finished else [None] * 4
        evening = self.evenings.get(match.evening_id) if match.evening_id else None
        return [
            *(str(match.id), self._moment(match.played_at), self._moment(match.closed_at)),
            *(match.table_name, evening, match.system, match.rules_name or match.preset),
            *(match.state, len(self.table.played), *self._names_at(None), *totals, *places),
            *(match.version, match.head),
        ]

    def results(self, rows: Iterable[MatchResult]) -> Iterator[TableRow]:
        for row in rows:
            yield [
                *(str(row.match_id), self._moment(row.played_at), row.system, row.win),
                *(str(row.player_id), self.names.get(row.player_id, ""), row.seat + 1),
                *(row.deals, row.points, row.total, row.place),
            ]

    def deals(self) -> Iterator[TableRow]:
        for row in (*self.table.sheet.rows, *self.table.sheet.uncounted):
            if row.deal:
                yield self._deal(row)

    def _deal(self, row: ScoreRow) -> TableRow:
        assert row.deal is not None
        number = row.deal.deal_number
        deal = self.table.deal(number)
        assert deal is not None
        names = self._names_at(number)
        are_plain = "substitutes" not in self.lost and len({*map(same_text, names)}) == len(names)
        facts = dict(deal.payload) | {
            "deal_number": number,
            "dealer": deal.dealer,
            "leader": deal.leader,
            "contract": "+".join(Contract.from_key(deal.contract).parts),
            "scores": list(row.points),
        }
        facts["input"] = _by_card(facts.get("input") or {})
        known = {"match": self._of_match(names), "deal": facts}
        cells = [
            _cell(column, known["deal" if column.of_deal else "match"], names if are_plain else ())
            for column in COLUMNS
            if "total" not in column.name
        ]
        own = {LOST: " ".join(self.lost) or None, OWN_ID: str(self.found.match.id)}
        return [*cells, *(own[column] for column in OWN_COLUMNS.values())]

    def _of_match(self, names: Sequence[str]) -> dict[str, Any]:
        match = self.found.match
        options = json.dumps(match.options, ensure_ascii=False) if match.options else None
        return {
            "external_id": match.external_id or str(match.id),
            "club": self.club.name,
            "played_at": self._moment(match.played_at),
            "players": list(names),
            "preset": match.system,
            "options": options,
            "table_name": match.table_name,
            "first_chooser": match.first_chooser,
            "first_dealer": match.first_dealer,
        }

    def _names_at(self, number: int | None) -> list[str]:
        """Return the names by seat in a deal, or at the end (None)."""
        found = []
        for seat in self.seats:
            until = [one for one in seat if number is None or one.from_deal <= number] or seat[:1]
            found.append(self.names.get(until[-1].player_id, "") if until else "")
        return found

    def _moment(self, when: datetime | None) -> str | None:
        """Format a moment on the clock of the club."""
        return when.astimezone(zone_of(self.club)).strftime(MOMENT) if when else None


def with_datetimes(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[list[Cell]]:
    """Yield rows for a workbook, with moments as datetimes."""
    at = [place for place, name in enumerate(columns) if name.endswith("_at")]
    for row in rows:
        line = list(row)
        for place in at:
            if line[place]:
                line[place] = datetime.strptime(str(line[place]), MOMENT)
        yield line


def _by_card(facts: Mapping[str, Any]) -> dict[str, Any]:
    doubles = facts.get("doubles") or ()
    return dict(facts) | {"doubles": {each["card"]: each["by"] for each in doubles}}


def _cell(column: Column, known: Any, names: Sequence[str]) -> Any:
    """Return the value of a column for a match or a deal; None if it has none.

    Seats are given by these names, or by number without names.
    """
    value = known
    for step in column.path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    if value is None:
        return None
    if column.holds == "seat":
        return names[value] if names else value + 1
    if column.holds == "cards":
        return " ".join(value)
    return _yes(value) if isinstance(value, bool) else value


def _yes(value: bool) -> str:
    return "yes" if value else "no"
