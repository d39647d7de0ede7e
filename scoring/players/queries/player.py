"""Statistics of a player, read from stored totals, never from deals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import cast
from uuid import UUID

from scoring.models import Club, ContractTotal, MatchResult, Meeting, Player, PlayerTotal
from scoring.rules.standings import Family, Standing, Win, rounded
from scoring.rules.statistics.form import (
    ENOUGH,
    Against,
    ContractSums,
    Form,
    against,
    form,
    in_order,
)
from scoring.rules.statistics.rivals import Rival, Rivals, rivals
from scoring.standings.queries.seasons import ids_of
from scoring.standings.queries.standings import StandingsPage, standings_page
from scoring.standings.queries.statistics import _named, club_contracts

RECENT = 20
COUNTS = (
    "deals",
    "points",
    "chosen",
    "chosen_points",
    "doubles",
    "double_points",
    "first",
    "second",
    "third",
    "fourth",
    "kabbouts",
)


@dataclass(frozen=True)
class RecentMatch:
    """A recent match with the player's best place and the points of all their seats."""

    match_id: UUID
    played_at: datetime
    place: int
    points: int


@dataclass(frozen=True)
class EveningTotal:
    """Points and matches of a player on one game night."""

    id: UUID
    name: str
    starts_at: datetime
    matches: int
    points: int


@dataclass(frozen=True)
class PlayerFigures:
    """The statistics of a player in one family of points.

    `scopes` are the season totals and `recent` the last matches, newest first; `evenings` are the
    best and the worst, empty if they are equal or there is only one."""

    player: Player
    total: PlayerTotal
    scopes: tuple[PlayerTotal, ...]
    page: StandingsPage
    recent: tuple[RecentMatch, ...]
    counts: dict[str, int]
    contracts: tuple[Against, ...]
    rivals: Rivals
    evenings: tuple[EveningTotal, ...]

    @property
    def family(self) -> Family:
        return family_of(self.total)

    @cached_property
    def standing(self) -> Standing | None:
        """The player's row in the club's standings."""
        rows = (row for row in self.page.rows if self.player.id in ids_of(row))
        return next(rows, None)

    @property
    def is_reviewed(self) -> bool:
        return frozenset({self.player.id}) in self.page.reviewed

    @property
    def is_enough(self) -> bool:
        """Whether enough matches were played for shares and averages to mean something."""
        return self.total.matches >= ENOUGH

    @property
    def average(self) -> int:
        return rounded(self.total.total, self.total.matches)

    @property
    def share_won(self) -> int:
        """Matches won, in per cent."""
        return rounded(100 * self.total.wins, self.total.matches)

    @property
    def place_tenths(self) -> int:
        """The average place, in tenths."""
        return rounded(10 * self.total.places, self.total.seats)

    @cached_property
    def form(self) -> Form | None:
        places = [each.place for each in self.recent]
        return form(places, self.total.places, self.total.seats)


@dataclass(frozen=True)
class Families:
    """Total rows of each family a player has played, latest first, with those of seasons."""

    totals: tuple[PlayerTotal, ...]
    seasons: tuple[PlayerTotal, ...]

    def chosen(self, family: Family | None) -> PlayerTotal | None:
        """Return the total of the requested family, else of the last one played; None if there is
        none."""
        asked = (row for row in self.totals if family_of(row) == family)
        return next(asked, self.totals[0] if self.totals else None)


def family_of(row: PlayerTotal) -> Family:
    return row.system, cast("Win", row.win)


def families_of(club: Club, player: Player) -> Families:
    """Return the player's totals by family. One query."""
    rows = PlayerTotal.objects.filter(player=player, club=club, partner=None, evening=None)
    found = list(rows.select_related("season", "best_match", "worst_match").order_by("-last_at"))
    seasons = [row for row in found if row.season]
    return Families(
        totals=tuple(row for row in found if row.season is None),
        seasons=tuple(sorted(seasons, key=_begins, reverse=True)),
    )


def figures_of(club: Club, player: Player, families: Families, total: PlayerTotal) -> PlayerFigures:
    """Return the statistics of one family. Nine queries, however many matches there are."""
    family = family_of(total)
    own = list(ContractTotal.objects.filter(club=club, player=player, **_named(family)))
    scopes = (row for row in families.seasons if family_of(row) == family)
    return PlayerFigures(
        player=player,
        total=total,
        scopes=tuple(scopes),
        page=standings_page(club, family=family),
        recent=tuple(_recent(club, player, family)),
        counts={name: sum(getattr(row, name) for row in own) for name in COUNTS},
        contracts=_contracts(club, family, own),
        rivals=_rivals(club, player, family),
        evenings=_best_and_worst(_evenings(club, player, family), family[1]),
    )


def _recent(club: Club, player: Player, family: Family) -> Iterable[RecentMatch]:
    """Return the last matches, in each of which somebody may have had several seats. One query."""
    rows = MatchResult.objects.filter(club=club, player=player, **_named(family))
    rows = rows.order_by("-played_at", "-opened_at", "-match_id")[: 2 * RECENT]
    matches = [list(own) for _, own in groupby(rows, attrgetter("match_id"))]
    for own in matches[:RECENT]:
        place, points = min(row.place for row in own), sum(row.points for row in own)
        yield RecentMatch(own[0].match_id, own[0].played_at, place, points)


def _evenings(club: Club, player: Player, family: Family) -> list[EveningTotal]:
    """Return the game nights in order of play. One query."""
    rows = PlayerTotal.objects.filter(club=club, player=player, partner=None, **_named(family))
    rows = rows.exclude(evening=None).order_by("first_at", "id")
    names = ("evening_id", "evening__name", "evening__starts_at", "matches", "total")
    return [EveningTotal(*row) for row in rows.values_list(*names)]


def _best_and_worst(evenings: Sequence[EveningTotal], win: Win) -> tuple[EveningTotal, ...]:
    """Return the best and the worst; of equal ones the first."""
    if len({each.points for each in evenings}) < 2:
        return ()
    ends = [pick(evenings, key=attrgetter("points")) for pick in (max, min)]
    return tuple(ends if win == "high" else reversed(ends))


def _contracts(club: Club, family: Family, own: Iterable[ContractTotal]) -> tuple[Against, ...]:
    """Compare each contract with the club. One query."""
    every = club_contracts(club, family)
    return tuple(
        against(row.contract, ContractSums(row.deals, row.points), every[row.contract], family[1])
        for row in sorted(own, key=lambda row: in_order(row.contract))
        if row.deals and row.contract in every
    )


def _rivals(club: Club, player: Player, family: Family) -> Rivals:
    """Compare the player with everyone they met. One query."""
    rows = Meeting.objects.filter(club=club, player=player, **_named(family))
    names = ("other_id", "other__name", "matches", "ahead", "behind", "together", "together_won")
    return rivals(Rival(*row) for row in rows.values_list(*names))


def _begins(row: PlayerTotal) -> tuple[object, ...]:
    assert row.season is not None
    return row.season.starts_on, row.season.name
