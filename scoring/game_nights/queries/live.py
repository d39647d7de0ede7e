"""Live standings of a game night: tables of this round, earlier rounds, current totals.

Running matches count as they are now. Nothing of it depends on the reader.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast
from uuid import UUID

from scoring.access.joined_phones import most_deals
from scoring.game_nights.queries.game_nights import DrawnRound, GameNightCourse, family_of
from scoring.ledger.queries.results import results_of
from scoring.ledger.queries.snapshots import MatchSnapshot, sittings, snapshot_of
from scoring.models import Deal, Match, MatchResult, Player, Seating
from scoring.rules.ranking import sides
from scoring.rules.standings import PlayerRecord, Win
from scoring.standings.queries.played import FinishedMatch, holders_of
from scoring.standings.queries.standings import (
    Ids,
    RankedPair,
    RankedPerson,
    Scope,
    StandingsPage,
    ranked,
    standings_page,
)


@dataclass(frozen=True)
class SeatNow:
    """Who sits there, in a list of a table; `points` None: nothing is told of it yet."""

    name: str
    points: int | None = None
    leads: bool = False


@dataclass(frozen=True)
class TableNow:
    """One table of a round. Without a match it is drawn and not opened yet."""

    number: int
    match: Match | None
    seats: tuple[SeatNow, ...]
    deals: int = 0
    deals_total: int = 0


@dataclass(frozen=True)
class RoundNow:
    number: int
    tables: tuple[TableNow, ...]
    byes: tuple[str, ...]
    drawn: DrawnRound


@dataclass(frozen=True)
class EveningNow:
    """All that the page shows alike to everybody. `running`: what a row of the standings has of
    matches that are not finished, by whose row it is."""

    course: GameNightCourse
    current: RoundNow | None
    earlier: tuple[RoundNow, ...]
    standings: StandingsPage
    running: Mapping[Ids, int]


@dataclass(frozen=True)
class _Played:
    """A table that plays, and what it would come to if it ended now."""

    table: MatchSnapshot
    names: tuple[str, ...]
    results: tuple[MatchResult, ...]
    people: Mapping[UUID, RankedPerson]


def evening_now(course: GameNightCourse, *, with_running: bool) -> EveningNow:
    """Six queries, and one or a few for each table that plays. Where the tables are closed to
    others, nothing of what is being played is in it (`with_running` False)."""
    playing = _playing(course)
    results = _results(course)
    rounds = [_round(drawn, course, playing, results, with_running) for drawn in course.rounds]
    current = course.waiting or course.round(course.begun)
    now = None if course.evening.ended_at else current
    table, running = _standings(course, playing.values() if with_running else ())
    return EveningNow(
        course=course,
        current=next((each for each in rounds if now and each.number == now.number), None),
        earlier=tuple(each for each in reversed(rounds) if now is None or each.number < now.number),
        standings=table,
        running=running,
    )


# ── tables ──────────────────────────────────────────────────────────────


def _playing(course: GameNightCourse) -> dict[UUID, _Played]:
    """The tables that play, by match; what is under review there as it was when it was doubted.
    Two queries, and one or a few for each table."""
    matches = {match.id: match for match in course.playing}
    deals: dict[UUID, list[Deal]] = {}
    for deal in Deal.objects.filter(standing__match__in=matches).order_by("deal_number"):
        deals.setdefault(deal.match_id, []).append(deal)
    seats: dict[UUID, list[Seating]] = {}
    rows = Seating.objects.filter(match__in=matches).select_related("player", "event")
    for seat in rows.order_by("event__seq", "seat"):
        seats.setdefault(seat.match_id, []).append(seat)
    return {
        one: _played(snapshot_of(match, deals.get(one, [])).public, seats[one])
        for one, match in matches.items()
    }


def _played(table: MatchSnapshot, rows: Sequence[Seating]) -> _Played:
    players = {row.player_id: row.player for row in rows}
    return _Played(
        table,
        tuple(players[own[-1].player_id].name for own in sittings(rows)),
        tuple(results_of(table, rows)),
        {player.id: _person(player) for player in players.values()},
    )


def _person(player: Player) -> RankedPerson:
    """Whom the points of this one count for."""
    return RankedPerson(player.name, player.counted_id)


def _results(course: GameNightCourse) -> dict[UUID, list[MatchResult]]:
    """Those of the finished tables, by match and place. One query."""
    found: dict[UUID, list[MatchResult]] = {}
    rows = MatchResult.objects.filter(match__in=course.matches).select_related("player")
    for row in rows.order_by("place", "seat", "id"):
        found.setdefault(row.match_id, []).append(row)
    return found


def _round(
    drawn: DrawnRound,
    course: GameNightCourse,
    playing: Mapping[UUID, _Played],
    results: Mapping[UUID, Sequence[MatchResult]],
    with_running: bool,
) -> RoundNow:
    of_round = {
        match.table_number: match for match in course.matches if match.round_number == drawn.number
    }
    tables = tuple(
        _table(number, four, of_round.get(number), playing, results, with_running)
        for number, four in drawn.tables.items()
    )
    sat = _sat(of_round.values(), playing, results)
    byes = tuple(player.name for player in drawn.byes if player.id not in sat)
    return RoundNow(drawn.number, tables, byes, drawn)


def _sat(
    matches: Iterable[Match],
    playing: Mapping[UUID, _Played],
    results: Mapping[UUID, Sequence[MatchResult]],
) -> set[UUID | None]:
    """Who sat at these tables, if only from the middle of a match on."""
    found: set[UUID | None] = set()
    for match in matches:
        found.update(playing[match.id].people if match.id in playing else ())
        found.update(row.seated_id for row in results.get(match.id, ()))
    return found


def _table(
    number: int,
    four: Sequence[Player],
    match: Match | None,
    playing: Mapping[UUID, _Played],
    results: Mapping[UUID, Sequence[MatchResult]],
    with_running: bool,
) -> TableNow:
    as_drawn = tuple(SeatNow(player.name) for player in four)
    if match is None:
        return TableNow(number, None, as_drawn)
    if match.is_finished:
        over = results.get(match.id, ())
        return TableNow(number, match, _over(match, over) or as_drawn)
    played = playing.get(match.id)
    if played is None:
        return TableNow(number, match, as_drawn)
    sheet, total = played.table.sheet, most_deals(played.table.ruleset)
    begun = with_running and bool(sheet.rows)
    seats = tuple(
        SeatNow(
            " + ".join(played.names[seat] for seat in side),
            sum(sheet.totals[seat] for seat in side) if begun else None,
            begun and side[0] in sheet.leaders,
        )
        for side in sides(played.table.ruleset)
    )
    return TableNow(number, match, seats, len(played.table.played), total)


def _over(match: Match, results: Sequence[MatchResult]) -> tuple[SeatNow, ...]:
    """Partners with the total of their team; alone everybody with their own points, the crown with
    whoever played most deals of the seat that is first alone."""
    if results and results[0].in_teams:
        teams = sorted(FinishedMatch(match, tuple(results)).by_place, key=lambda team: team.name)
        first = [team.place for team in teams].count(1)
        return tuple(SeatNow(team.name, team.total, team.place == first == 1) for team in teams)
    best = {row.id for row in holders_of(results).values() if row.place == 1}
    alone = len(best) == 1
    return tuple(SeatNow(row.player.name, row.points, alone and row.id in best) for row in results)


# ── standings ───────────────────────────────────────────────────────────


def _standings(
    course: GameNightCourse, playing: Iterable[_Played]
) -> tuple[StandingsPage, dict[Ids, int]]:
    """The standings of the evening as if the tables ended now, and what of them is running. Three
    queries."""
    evening, club = course.evening, course.evening.club
    scope, family = Scope(evening=evening), family_of(evening)
    page = standings_page(club, scope, family, of_pairs=evening.in_pairs)
    records = {_ids(row.record): row.record for row in page.rows}
    running: dict[Ids, int] = {}
    for played in playing:
        for own in _pairs(played) if evening.in_pairs else _people(played):
            ids = _ids(own)
            records[ids] = records[ids].joined(own) if ids in records else own
            running[ids] = running.get(ids, 0) + own.total
    table = ranked(records.values(), page.criteria, 0)
    return replace(page, family=family, table=table), running


def _ids(record: PlayerRecord) -> Ids:
    assert isinstance(record.player, RankedPerson | RankedPair)
    return record.player.ids


def _people(played: _Played) -> Iterator[PlayerRecord]:
    """What each has there; two seats are one match, and one win."""
    for player in dict.fromkeys(row.player_id for row in played.results):
        own = [row for row in played.results if row.player_id == player]
        yield _record(played.people[own[0].seated_id], own, sum(row.points for row in own))


def _pairs(played: _Played) -> Iterator[PlayerRecord]:
    """What two who sit opposite have together."""
    by_seated = {row.seated_id: row for row in played.results}
    for row in played.results:
        if row.partner_id in by_seated and row.seat < 2:
            other = by_seated[row.partner_id]
            two = sorted((played.people[row.seated_id], played.people[other.seated_id]))
            yield _record(RankedPair(*two), [row], row.points + other.points)


def _record(
    entrant: RankedPerson | RankedPair, rows: Sequence[MatchResult], points: int
) -> PlayerRecord:
    return PlayerRecord(
        entrant,
        rows[0].system,
        cast(Win, rows[0].win),
        matches=1,
        total=points,
        wins=int(any(row.place == 1 for row in rows)),
        places=sum(row.place for row in rows),
        seats=len(rows),
    )
