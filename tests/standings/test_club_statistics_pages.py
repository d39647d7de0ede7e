"""A club in figures: contracts by cost, evenings of each month, records."""

from datetime import UTC, date, datetime

import pytest
from django.urls import reverse

from scoring.models import Club, ClubFigures
from scoring.standings.queries.club_statistics import Month, last_months, worked_out
from scoring.standings.services import ratings
from tests.players.test_player_pages import play

pytestmark = pytest.mark.django_db


def url(club):
    return reverse("club_figures", args=[club.slug])


def test_page_shows_costs_evenings_and_records(cast, phone_of, django_assert_max_num_queries):
    play(cast, 2)
    phone = phone_of(cast.badr)
    assert "They are being worked out" in phone.get(url(cast.club)).text
    list(ratings.work_out(club=cast.club))
    with django_assert_max_num_queries(12):
        page = phone.get(url(cast.club)).text
    assert "2 matches on 2 evenings" in page
    assert "November 2026" in page
    assert "Complex" in page
    assert "Best match" in page
    assert page.count("that match") >= 2
    assert "average of a match" not in page  # of two matches nothing is claimed
    assert "style=" not in page
    club_page = phone.get(reverse("club", args=[cast.club.slug])).text
    assert f'href="{url(cast.club)}"' in club_page


def test_club_without_a_finished_match_says_so(cast, phone_of):
    assert "No finished match yet" in phone_of(cast.badr).get(url(cast.club)).text


# A night belongs to the evening on which it began, by the club's own clock.
def test_evenings_end_at_five_in_the_morning(cast):
    play(cast, 1)
    moments = [datetime(2026, 11, 30, 20, tzinfo=UTC), datetime(2026, 12, 1, 2, 59, tzinfo=UTC)]
    for at in moments:
        match = cast.club.matches.first()
        match.pk, match.played_at = None, at
        match.save(force_insert=True)
    found = worked_out(cast.club)
    assert found["months"] == {"2026-11": [2, 3]}
    assert found["busiest"] == {"day": "2026-11-30", "matches": 2}
    cast.club.matches.filter(played_at=moments[1]).update(
        played_at=datetime(2026, 12, 1, 3, tzinfo=UTC)
    )
    assert worked_out(cast.club)["months"] == {"2026-11": [2, 2], "2026-12": [1, 1]}


def test_figures_worked_out_twice_are_the_same(cast):
    play(cast, 1)
    list(ratings.work_out(club=cast.club))
    before = ClubFigures.objects.get(club=cast.club).figures
    ratings.rebuild(club=cast.club)
    assert ClubFigures.objects.get(club=cast.club).figures == before


def test_months_without_an_evening_are_there_but_none_before_the_first():
    kept = {"2025-11": [2, 5], "2026-01": [1, 1]}
    assert last_months(kept) == [
        Month(date(2026, 1, 1), 1, 1),
        Month(date(2025, 12, 1), 0, 0),
        Month(date(2025, 11, 1), 2, 5),
    ]
    assert len(last_months({"2020-05": [1, 1], "2026-01": [1, 1]})) == 12
    assert last_months({}) == []


def test_ghassan_sees_no_figures_and_everybody_those_of_a_public_club(cast, client, phone_of):
    assert phone_of(cast.ghassan).get(url(cast.club)).status_code == 404
    assert client.get(url(cast.club)).status_code == 404
    Club.objects.filter(id=cast.club.id).update(is_public=True)
    assert client.get(url(cast.club)).status_code == 200
