"""Finished matches of few words: results as they are kept, and the sums behind standings. And a
season to count them."""

from datetime import date, timedelta

from scoring.models import Match, MatchResult, Season
from scoring.rules import rules_key, ruleset
from scoring.rules.ranking import places_of
from scoring.standings.services import seasons, totals
from tests.factories import NOW


def finished(club, points, *, at=NOW, system="levant", options=None, evening=None, pairs=False):
    """A match that ended like this: `points` by person in order of seats."""
    rules = ruleset(system, options or {})
    people = list(points)
    match = Match.objects.create(
        club=club,
        system=system,
        options=options or {},
        state="finished",
        version=1,
        evening=evening,
        opened_at=at,
        played_at=at,
        closed_at=at + timedelta(hours=2),
    )
    sign = 1 if rules.win == "high" else -1
    total = [points[one] for one in people]
    if pairs:
        total = [total[seat % 2] + total[seat % 2 + 2] for seat in range(4)]
    places = places_of([sign * one for one in total])
    MatchResult.objects.bulk_create(
        MatchResult(
            match=match,
            club=club,
            evening=evening,
            player=one,
            seated=one,
            partner=people[(seat + 2) % 4] if pairs else None,
            system=system,
            win=rules.win,
            rules_key=rules_key(rules),
            in_teams=pairs,
            seat=seat,
            deals=20,
            points=points[one],
            total=total[seat],
            place=min(places[seat], 2) if pairs else places[seat],
            played_at=at,
            opened_at=at,
        )
        for seat, one in enumerate(people)
    )
    totals.recount(club=club, people={one.id for one in people})
    return match


def table(page):
    """Rank, names and total of each row."""
    return [(row.rank, row.player.name, row.record.total) for row in page.rows]


YEAR = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}


def unsaved_season(club, rules=None, **changes):
    """The season 2026; `rules` are the arguments of `Season.set_rules`."""
    season = Season(club=club, **{"name": "2026", "criteria": ["total", "wins"], **YEAR, **changes})
    season.set_rules(**rules or {"rules": None})
    return season


def make_season(club, **given):
    return seasons.create(season=unsaved_season(club, **given))


def changed(season, **changes):
    """The row with other values, not saved."""
    for name, value in changes.items():
        setattr(season, name, value)
    return season
