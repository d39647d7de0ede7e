"""Finished matches as lists show them."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.models import Match, MatchResult


@dataclass(frozen=True)
class FinishedPlace:
    """A player with their own points, or two partners with those of their team."""

    name: str
    total: int
    place: int


@dataclass(frozen=True)
class FinishedMatch:
    """A finished match with its results by seat."""

    match: Match
    results: tuple[MatchResult, ...]

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the seats in place 1; partners as one."""
        holders = holders_of(self.results)
        first = [row for row in holders.values() if row.place == 1]
        if first and first[0].in_teams:
            return tuple(line.name for line in self._teams() if line.place == 1)
        return tuple(row.player.name for row in first)

    @property
    def by_place(self) -> list[FinishedPlace]:
        """Places, best first: of teams where teams played, else of everyone who sat there."""
        if self.results and self.results[0].in_teams:
            lines = self._teams()
        else:
            lines = [FinishedPlace(row.player.name, row.points, row.place) for row in self.results]
        return sorted(lines, key=lambda line: line.place)

    def _teams(self) -> list[FinishedPlace]:
        rows = list(holders_of(self.results).values())
        teams = [[row for row in rows if row.seat % 2 == team] for team in range(2)]
        return [
            FinishedPlace(" + ".join(row.player.name for row in team), team[0].total, team[0].place)
            for team in teams
            if team
        ]


def holders_of(results: Iterable[MatchResult]) -> dict[int, MatchResult]:
    """Return for each seat the result of the player with most of its deals."""
    found: dict[int, MatchResult] = {}
    for row in results:
        if row.seat not in found or row.deals > found[row.seat].deals:
            found[row.seat] = row
    return found
