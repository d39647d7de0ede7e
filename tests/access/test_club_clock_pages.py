"""Every date and time of a club is that of its own clock, wherever the server stands."""

from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import formats, timezone, translation
from django.utils.html import strip_tags

from scoring.models import Evening, Player
from tests.factories import PlayerFactory, make_match
from tests.support.standings import finished

LATE = datetime(2026, 11, 30, 22, 30, tzinfo=UTC)  # half past midnight in Beirut, on 1 December


def plain(response) -> str:
    return " ".join(strip_tags(response.text).split())


def test_two_people_of_one_name_are_told_apart_by_the_club_day(cast, phone_of):
    for moment in (LATE, LATE.replace(day=29)):
        person = PlayerFactory(club=cast.club, name="Ali")
        Player.objects.filter(id=person.id).update(created_at=moment)
    page = plain(phone_of(cast.owner).get("/clubs/cafe-younes/matches/new/"))
    assert "Ali (1) since 30 Nov 2026" in page
    assert "Ali (2) since 29 Nov 2026" in page


def test_a_refused_merge_names_the_club_day(cast, phone_of):
    make_match(club=cast.club, players=cast.players, now=LATE)
    amal, badr = cast.players[:2]
    address = reverse("player_edit", args=["cafe-younes", amal.id])
    page = plain(phone_of(cast.owner).post(address, {"action": "merge", "into": badr.id}))
    assert "30 November 2026" in page
    assert "1 December" not in page


def test_a_match_in_the_night_of_a_game_night_is_listed_under_its_day(cast, phone_of):
    night = {"name": "Monday", "starts_at": LATE, "created_at": LATE}
    evening = Evening.objects.create(club=cast.club, **night)
    finished(cast.club, dict.fromkeys(cast.players, 0), at=LATE, evening=evening)
    page = plain(phone_of(cast.owner).get("/clubs/cafe-younes/matches/", {"month": "2026-11"}))
    assert "night of 30 November 2026" in page


def test_the_clock_of_a_club_ends_with_its_page(cast, phone_of):
    phone_of(cast.owner).get("/clubs/cafe-younes/")
    assert timezone.get_current_timezone_name() == settings.TIME_ZONE


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_noon_and_midnight_are_written_like_every_other_time(language):
    with translation.override(language):
        for hour, written in ((0, "00:00"), (5, "05:00"), (12, "12:00"), (20, "20:00")):
            moment = datetime(2026, 11, 30, hour)
            assert formats.date_format(moment, "TIME_FORMAT") == written
            for name in ("DATETIME_FORMAT", "SHORT_DATETIME_FORMAT"):
                assert formats.date_format(moment, name).endswith(written)


def test_a_game_night_names_the_city_whose_clock_it_follows(cast, phone_of):
    night = {"name": "Monday", "starts_at": LATE.replace(hour=18), "created_at": LATE}
    night |= {"system": "levant", "preset": "levant"}
    evening = Evening.objects.create(club=cast.club, **night)
    address = reverse("evening", args=["cafe-younes", evening.id])
    assert "30 November 2026, 20:30 (Beirut)" in plain(phone_of(cast.owner).get(address))
