"""Everything worked out again, by a tap."""

import re

import pytest
from django.urls import reverse

from scoring.common import jobs
from scoring.models import JobKind, JobState, Match, MatchResult, PlayerTotal
from tests.factories import finish, make_match
from tests.support.histories import SHORT, entries

pytestmark = pytest.mark.django_db


@pytest.fixture
def esam(cast, phone_of):
    return phone_of(cast.esam)


@pytest.fixture
def match(cast):
    opening = {"club": cast.club, "players": cast.players, "options": SHORT}
    return finish(make_match(entries=entries(1), table_name="Terrace", **opening))


def address(club):
    return reverse("club_rebuild", args=[club.slug])


def rebuilt(phone, club):
    """A tap, the worker, and the page then."""
    assert phone.post(address(club), {"action": "begin"}).status_code == 303
    job = jobs.newest(club=club, kind=JobKind.REBUILD)
    jobs.run(job.id)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    return plain(phone.get(address(club)))


def plain(page):
    return " ".join(re.sub(r"<[^>]*>", " ", page.text).split())


def test_nothing_differed_is_said_plainly(esam, cast, match):
    assert "It was never asked for." in plain(esam.get(address(cast.club)))
    rebuilt(esam, cast.club)  # the ratings are worked out for the first time
    assert "Nothing differed." in rebuilt(esam, cast.club)


def test_what_differed_is_told_and_right(esam, cast, match):
    MatchResult.objects.filter(seat=1).update(points=1)
    PlayerTotal.objects.all().delete()
    page = rebuilt(esam, cast.club)
    assert "Something differed, and is right now." in page
    assert "The sums of people and pairs" in page
    assert "Terrace what everybody has in it" in page
    assert PlayerTotal.objects.count() == 4


def test_match_that_cannot_be_worked_out_is_told(esam, cast, match):
    Match.objects.update(system="whist")
    assert "1 match cannot be worked out" in rebuilt(esam, cast.club)


def test_page_says_how_far_it_is_and_stops_it(esam, cast, match):
    esam.post(address(cast.club), {"action": "begin"})
    page = esam.get(address(cast.club), headers={"hx-request": "true"})
    assert "every 2s" in page.text
    assert "It waits for its turn." in plain(page)
    esam.post(address(cast.club), {"action": "stop"})
    page = plain(esam.get(address(cast.club)))
    assert "It was stopped. What was done is kept." in page
    assert "Go on" in page


def test_the_check_leads_there(esam, cast):
    page = esam.get(reverse("club_integrity", args=[cast.club.slug]))
    assert address(cast.club) in page.text


def test_people_of_another_club_find_nothing(cast, phone_of):
    for act in ("get", "post"):
        assert getattr(phone_of(cast.ghassan), act)(address(cast.club)).status_code == 404
