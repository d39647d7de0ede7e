"""The club to look at: what is in it, and that it is made once."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from scoring.ledger.queries.snapshots import snapshot_of
from scoring.models import Club, Evening, Match, MatchState, Rating, Season, Verdict
from scoring.standings.queries.standings import Scope, standings_page

pytestmark = pytest.mark.django_db


# Made once: it takes some seconds.
def test_demo_shows_what_a_club_has(client):
    call_command("seed_demo")
    matches = list(Match.objects.order_by("played_at"))
    ended = {match.system for match in matches if match.state == MatchState.FINISHED}
    assert ended == {"levant", "kleshchi", "barbu"}
    assert [match.state for match in matches[-1:]] == [MatchState.RUNNING]
    assert len(snapshot_of(matches[-1]).deals) == 8
    call_command("verify_ledger")
    only_one_revoke_that_nobody_noticed()
    evening_seasons_ratings_and_figures(client)
    call_command("seed_demo")
    assert Match.objects.count() == len(matches)


def only_one_revoke_that_nobody_noticed():
    """Of the evening that was written down card by card."""
    verdicts = list(Verdict.objects.order_by("deal_number"))
    assert {verdict.match.state for verdict in verdicts} == {MatchState.FINISHED}
    assert [verdict.deal_number for verdict in verdicts] == list(range(1, 21))
    assert all(verdict.complete for verdict in verdicts)
    wrong = [verdict.codes.split() for verdict in verdicts if not verdict.agrees]
    assert wrong == [["revoke", "revoke_not_entered"]]


def evening_seasons_ratings_and_figures(client):
    club = Club.objects.get()
    cup, ahead = Evening.objects.order_by("starts_at")
    assert (cup.matches.count(), cup.ended_at is None, ahead.ended_at) == (6, False, None)
    assert len(standings_page(club, Scope(evening=cup)).rows) == 9
    frozen, runs = Season.objects.order_by("starts_on")
    assert (frozen.closed_at is None, runs.closed_at) == (False, None)
    assert all(standings_page(club, Scope(season=each)).rows for each in (frozen, runs))
    assert Rating.objects.filter(club=club, system="levant").count() == 9
    amal = club.players.get(name="Amal")
    page = client.get(reverse("player", args=[club.slug, amal.id])).text
    assert "Against whom most often" in page
    assert "Evenings of each month" in client.get(reverse("club_figures", args=[club.slug])).text
    assert "Next cup" in client.get(reverse("club", args=[club.slug])).text
