"""An evening of several tables: who is there, what was drawn, which tables play."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from itertools import combinations
from typing import TYPE_CHECKING, TypedDict
from uuid import UUID

from django.db.models import Count, Max, OuterRef, Prefetch, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from scoring.models import (
    Club,
    DrawnSeat,
    Evening,
    EveningPlayer,
    EveningRound,
    Match,
    MatchState,
    Player,
    Seating,
)
from scoring.rules import Ruleset, ruleset
from scoring.rules.drawing import DrawField
from scoring.rules.standings import Family
from scoring.standings.queries.standings import RankedPair, RankedPerson, Scope, ranked, records_of

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Moves(TypedDict):
        moves: int
        drawn_at: datetime | None
        people_here: int

    WatchedEvening = WithAnnotations[Evening, _Moves]


@dataclass(frozen=True)
class DrawnRound:
    """A round as it was drawn: by table the four in order of play, and who has a bye."""

    row: EveningRound
    tables: dict[int, list[Player]]
    byes: tuple[Player, ...]

    @property
    def number(self) -> int:
        return self.row.number

    @property
    def people(self) -> set[UUID]:
        seated = {player.id for four in self.tables.values() for player in four}
        return seated | {player.id for player in self.byes}

    @property
    def mark(self) -> str:
        """Another one for every draw, and for every exchange by hand."""
        return f"{self.row.seed}-{int(self.row.drawn_at.timestamp() * 1000)}"


@dataclass(frozen=True)
class GameNightCourse:
    """How far an evening is. Read in four queries, whatever was played."""

    evening: Evening
    people: tuple[EveningPlayer, ...]
    rounds: tuple[DrawnRound, ...]
    matches: tuple[Match, ...]

    @cached_property
    def begun(self) -> int:
        """The last round whose tables were opened; 0 before the first."""
        return max((match.round_number or 0 for match in self.matches), default=0)

    @property
    def next_number(self) -> int:
        return self.begun + 1

    @property
    def waiting(self) -> DrawnRound | None:
        """The round that is drawn and not begun."""
        return self.round(self.next_number)

    @property
    def playing(self) -> tuple[Match, ...]:
        """The tables that are not closed yet."""
        return tuple(match for match in self.matches if match.is_running)

    @property
    def here(self) -> tuple[EveningPlayer, ...]:
        """Who would play in the next round, by name."""
        return tuple(row for row in self.people if plays(row, self.next_number))

    @property
    def gone(self) -> tuple[EveningPlayer, ...]:
        return tuple(row for row in self.people if not plays(row, self.next_number))

    @property
    def has_changed(self) -> bool:
        """Whether somebody came or went since the seats were drawn."""
        waiting = self.waiting
        return waiting is not None and waiting.people != {row.player_id for row in self.here}

    def round(self, number: int) -> DrawnRound | None:
        return next((drawn for drawn in self.rounds if drawn.number == number), None)

    def row_of(self, player_id: UUID | None) -> EveningPlayer | None:
        return next((row for row in self.people if row.player_id == player_id), None)

    def pairs(self) -> dict[int, list[EveningPlayer]]:
        """Those who are here and have a number in common, or had one until a partner left."""
        found: dict[int, list[EveningPlayer]] = {}
        for row in self.here:
            if row.pair is not None:
                found.setdefault(row.pair, []).append(row)
        return found

    @property
    def singles(self) -> tuple[EveningPlayer, ...]:
        """Who is here without a partner."""
        paired = {row.id for two in self.pairs().values() if len(two) == 2 for row in two}
        return tuple(row for row in self.here if row.id not in paired)


def plays(row: EveningPlayer, number: int) -> bool:
    """Whether they are there in a round."""
    return row.from_round <= number and (row.until_round is None or number <= row.until_round)


def course_of(evening: Evening) -> GameNightCourse:
    """Four queries. Who was merged into somebody else takes part as that one, once ticked."""
    rows = evening.players.filter(player__merged_into=None).select_related("player")
    rows = rows.order_by("player__name", "player_id")
    seats = DrawnSeat.objects.select_related("player").order_by("table_number", "seat", "player")
    rounds = evening.rounds.prefetch_related(Prefetch("seats", seats)).order_by("number")
    matches = evening.matches.order_by("round_number", "table_number")
    return GameNightCourse(evening, tuple(rows), tuple(map(_drawn, rounds)), tuple(matches))


def at_tables(course: GameNightCourse) -> tuple[Player, ...]:
    """Who sits at a table that plays, by name, those too who are not ticked any more. One query."""
    rows = Seating.objects.filter(match__in=course.playing).select_related("player", "event")
    seats: dict[tuple[UUID, int], list[Seating]] = {}
    for row in rows.order_by("event__seq"):
        seats.setdefault((row.match_id, row.seat), []).append(row)
    people = {own[-1].player for own in seats.values()}
    return tuple(sorted(people, key=lambda player: (player.name, str(player.id))))


def _drawn(row: EveningRound) -> DrawnRound:
    tables: dict[int, list[Player]] = {}
    byes = []
    for seat in row.seats.all():
        if seat.table_number is None:
            byes.append(seat.player)
        else:
            tables.setdefault(seat.table_number, []).append(seat.player)
    return DrawnRound(row, tables, tuple(sorted(byes, key=lambda player: player.name)))


def rules_of(evening: Evening) -> Ruleset:
    """The rules its tables are opened with."""
    return ruleset(evening.system, evening.options)


def family_of(evening: Evening) -> Family:
    """All its matches are of one family, so all of them stand in one list."""
    return evening.system, rules_of(evening).win


# ── what the draw must know ─────────────────────────────────────────────


def field_of(course: GameNightCourse) -> DrawField:
    """What is drawn from: who is here, and what was in the rounds before. Two queries."""
    evening = course.evening
    tables = _people_by_table(evening)
    partners = [(two[0].player_id, two[1].player_id) for two in course.pairs().values() if two[1:]]
    return DrawField(
        people=tuple(sorted((row.player_id for row in course.here), key=str)),
        in_pairs=evening.in_pairs,
        partners=tuple(sorted(partners, key=str)),
        byes=_byes(course),
        present=_present(course, tables),
        met=_met(tables),
        ranks=_ranks(evening),
    )


def _byes(course: GameNightCourse) -> dict[UUID, list[int]]:
    found: dict[UUID, list[int]] = {}
    for drawn in course.rounds:
        if drawn.number <= course.begun:
            for player in drawn.byes:
                found.setdefault(player.id, []).append(drawn.number)
    return found


type Tables = Mapping[tuple[int | None, UUID], set[UUID]]
"""Who sat at a table, for however long, by round and match."""


def _people_by_table(evening: Evening) -> Tables:
    """Of the matches that were not voided. One query."""
    rows = Seating.objects.filter(match__evening=evening).exclude(match__state=MatchState.VOIDED)
    found: dict[tuple[int | None, UUID], set[UUID]] = {}
    for number, match, player in rows.values_list("match__round_number", "match", "player"):
        found.setdefault((number, match), set()).add(player)
    return found


def _present(course: GameNightCourse, tables: Tables) -> dict[UUID, int]:
    """In how many of the rounds begun somebody was drawn, be it for a bye, or sat down later."""
    rounds = {drawn.number: drawn.people for drawn in course.rounds if drawn.number <= course.begun}
    for (number, _match), people in tables.items():
        if number in rounds:
            rounds[number] |= people
    return dict(Counter(person for people in rounds.values() for person in people))


def _met(tables: Tables) -> dict[frozenset[UUID], int]:
    """How often two sat at one table."""
    found: dict[frozenset[UUID], int] = {}
    for people in tables.values():
        for two in map(frozenset, combinations(people, 2)):
            found[two] = found.get(two, 0) + 1
    return found


def _ranks(evening: Evening) -> dict[UUID, int]:
    """The places of the evening so far. One query."""
    scope = Scope(evening=evening)
    records = records_of(evening.club, scope, family_of(evening), of_pairs=evening.in_pairs)
    found: dict[UUID, int] = {}
    for row in reversed(ranked(records, scope.criteria(evening.club), 0).ranked):
        assert isinstance(row.player, RankedPerson | RankedPair)
        found.update((person.id, row.rank or 0) for person in row.player.people)
    return found


# ── finding evenings ────────────────────────────────────────────────────


def watched(slug: str, evening_id: UUID) -> "WatchedEvening | None":
    """The evening with its club and all that its tag is made of. One query."""
    found = _with_moves(Evening.objects.filter(pk=evening_id, club__slug=slug))
    return found.select_related("club").first()


def _with_moves(evenings: QuerySet[Evening]) -> "QuerySet[WatchedEvening]":
    """With how often anything was written at its tables, when its seats were drawn last, and how
    many take part."""
    of_evening = {"evening": OuterRef("pk")}
    moves = Match.objects.filter(**of_evening).order_by().values("evening")
    draws = EveningRound.objects.filter(**of_evening).order_by().values("evening")
    people = EveningPlayer.objects.filter(**of_evening, until_round=None)
    here = people.order_by().values("evening")
    return evenings.annotate(
        moves=Coalesce(Subquery(moves.annotate(all=Sum("version")).values("all")), Value(0)),
        drawn_at=Subquery(draws.annotate(last=Max("drawn_at")).values("last")),
        people_here=Subquery(here.annotate(all=Count("id")).values("all")),
    )


def tag_of_evening(evening: "WatchedEvening") -> str:
    """Another one for whatever changes on its page: who takes part, a draw, an entry at any table,
    its end, what people are called. Expects it as `watched` finds it."""
    own = (evening.name, evening.starts_at, evening.ended_at, evening.tables_are_open)
    people = (evening.people_here, evening.club.names_version)
    state = (*own, evening.drawn_at, *people)
    digest = sha256(repr(state).encode()).hexdigest()[:12]
    return f"{evening.moves}-{digest}"


def evenings_of(club: Club) -> QuerySet[Evening]:
    """All of a club, the latest first, each with how many took part."""
    return club.evenings.annotate(people=Count("players")).order_by("-starts_at", "id")


def next_evening(club: Club, since: datetime) -> Evening | None:
    """The one that runs or comes next: not ended, and begun at most a day ago. One query."""
    ahead = club.evenings.filter(ended_at=None, starts_at__gte=since)
    return ahead.order_by("starts_at", "id").first()


def evenings_since(club: Club, since: datetime) -> QuerySet[Evening]:
    """For a calendar."""
    return club.evenings.filter(starts_at__gte=since).order_by("starts_at", "id")
