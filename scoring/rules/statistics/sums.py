"""Totals and meetings of people over many matches, by season, game night and all time.

Matches come in order of play, each as the results of all who sat in it. A fold starts from existing
totals or from none, so a match that ends adds what it adds when everything is recalculated.

Matches come in order of play, each as the results of all who sat in it. A fold goes on from the
sums that are there, or begins with none: so what a match adds when it ends is what it adds when
everything is worked out anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from scoring.rules.seats import partner_of
from scoring.rules.standings import Win
from scoring.rules.statistics.totals import MatchSeat, Met, RunningTotal, total_with

type Key = tuple[Any, ...]
type People = Collection[UUID] | None
"""Only what is of these, from either side; None: of everybody."""
type Scope = tuple[UUID | None, UUID | None]
"""A season or an evening; neither is all time."""


class SeatResult(NamedTuple):
    """What the totals need of a result: of one person in one seat."""

    match: UUID
    player: UUID
    partner: UUID | None
    evening: UUID | None
    system: str
    win: Win
    rules_key: str
    in_teams: bool
    seat: int
    deals: int
    points: int
    place: int
    played_at: datetime


@dataclass(frozen=True)
class SeasonSpan:
    """The matches that count for a season; with `counted` the first so many of each person."""

    id: UUID
    since: datetime
    until: datetime
    rules_key: str
    counted: int | None

    def takes(self, result: SeatResult) -> bool:
        """Return whether a result counts for this season."""
        is_played = self.since <= result.played_at < self.until
        return is_played and self.rules_key in ("", result.rules_key)


# ── totals ──────────────────────────────────────────────────────────────


def totals(
    matches: Iterable[Sequence[SeatResult]],
    spans: Sequence[SeasonSpan],
    people: People = None,
    before: Mapping[Key, RunningTotal] | None = None,
) -> dict[Key, RunningTotal]:
    """Return totals by person, partner, season, game night, system and win."""
    found = dict(before or {})
    for rows in matches:
        scopes = list(_scopes(rows[0], spans))
        for (player, partner), sat in (*_of_people(rows), *_of_pairs(rows)):
            if people is not None and player not in people and partner not in people:
                continue
            for scope, counted in scopes:
                key = (player, partner, *scope, rows[0].system, rows[0].win)
                there = found.get(key)
                if counted is None or (there.matches if there else 0) < counted:
                    found[key] = total_with(there, sat, rows[0].win)
    return found


def _scopes(row: SeatResult, spans: Iterable[SeasonSpan]) -> Iterator[tuple[Scope, int | None]]:
    """Yield the scopes of a match, and how many matches of a person count there."""
    yield (None, None), None
    for season in spans:
        if season.takes(row):
            yield (season.id, None), season.counted
    if row.evening:
        yield (None, row.evening), None


type Owner = tuple[UUID, UUID | None]


def _of_people(rows: Iterable[SeatResult]) -> Iterator[tuple[Owner, MatchSeat]]:
    """Yield one entry for each person of a match, whatever seats they had."""
    sat: dict[UUID, MatchSeat] = {}
    for row in rows:
        before = sat.get(row.player)
        sat[row.player] = before.and_seat(row.points, row.place) if before else _sat(row)
    for player, own in sat.items():
        yield (player, None), own


def _of_pairs(rows: Sequence[SeatResult]) -> Iterator[tuple[Owner, MatchSeat]]:
    """Yield what two partners have together: the points of both, and the place of their side."""
    for row in rows:
        if row.partner is None or row.player > row.partner:
            continue
        for other in rows:
            # Each is the other's partner: who had the seat before has none.
            opposite = (other.seat, other.player, other.partner)
            if opposite == (partner_of(row.seat), row.partner, row.player):
                yield (
                    (row.player, row.partner),
                    _sat(row)._replace(points=row.points + other.points),
                )


def _sat(row: SeatResult) -> MatchSeat:
    return MatchSeat(row.match, row.played_at, row.points, row.place, row.place)


# ── meetings ────────────────────────────────────────────────────────────


def meetings(
    matches: Iterable[Sequence[SeatResult]],
    people: People = None,
    before: Mapping[Key, Met] | None = None,
) -> dict[Key, Met]:
    """Return meetings by person, the other person, system and win.

    Two people who only followed each other in one seat have not met."""
    found = dict(before or {})
    for rows in matches:
        for one, other, together in met_in(rows):
            if people is None or one.player in people or other.player in people:
                key = one.player, other.player, one.system, one.win
                met = found.get(key, _UNMET)
                found[key] = (
                    met.side_by_side(one.place) if together else met.against(one.place, other.place)
                )
    return found


_UNMET = Met()


def met_in(rows: Iterable[SeatResult]) -> Iterator[tuple[SeatResult, SeatResult, bool]]:
    """Yield each pair that met in a match, from either side, and whether they were partners."""
    main = _main(rows)
    for one in main:
        for other in main:
            if one.seat != other.seat:
                yield one, other, one.in_teams and other.seat == partner_of(one.seat)


def _main(rows: Iterable[SeatResult]) -> list[SeatResult]:
    """Return each person of a match in the seat where they sat most deals."""
    found: dict[UUID, SeatResult] = {}
    for row in rows:
        before = found.get(row.player)
        if before is None or row.deals > before.deals:
            found[row.player] = row
    return list(found.values())
