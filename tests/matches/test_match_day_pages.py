"""The day on which a match was played: set during setup, changed afterwards, one everywhere."""

import uuid
from datetime import UTC, date, datetime

import pytest
from django.utils import timezone

from scoring.models import Match
from scoring.models.days import day_of
from tests.factories import PHONE, finish, make_cast, make_evening, make_match, newest
from tests.support.asking import errors
from tests.support.tables import codes, match_of, phone_client, url

SETUP = "/clubs/cafe-younes/matches/new/"
AFTER_MIDNIGHT = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)  # half past one in Beirut


def start(cast, **changes):
    people = [str(player.id) for player in cast.players]
    return {"rules": "levant", "entry_key": str(uuid.uuid4()), "seat": people, **changes}


def change(match, day, reason="Entered late"):
    data = {"entry_key": uuid.uuid4(), "version": newest(match)}
    return {**data, "day": day, "reason": reason}


def test_an_earlier_day_is_kept_as_noon_of_the_club(cast, phone_of):
    phone_of(cast.badr).post(SETUP, start(cast, day="2026-10-24"))
    assert Match.objects.get().played_at == datetime(2026, 10, 24, 9, tzinfo=UTC)


# A page that is left open past the end of the night would send the day before as typed.
def test_the_day_is_empty_while_nobody_has_chosen_one(cast, phone_of):
    page = phone_of(cast.badr).get(SETUP)
    assert page.context["form"]["day"].value() is None


@pytest.mark.parametrize("day", ["", "today"])
def test_today_or_no_day_is_the_moment_of_the_start(cast, phone_of, day):
    today = day_of(cast.club, timezone.now()).isoformat()
    phone_of(cast.badr).post(SETUP, start(cast, day=day and today))
    match = Match.objects.get()
    assert match.played_at == match.opened_at


@pytest.mark.parametrize(
    ("day", "code"),
    [("2199-01-01", "in_future"), ("24/10/2026", "invalid"), ("0001-01-01", "invalid")],
)
def test_a_day_that_cannot_be_is_refused_at_its_field(cast, phone_of, day, code):
    response = phone_of(cast.badr).post(SETUP, start(cast, day=day))
    assert response.status_code == 422
    assert errors(response) == {"day": [code]}
    assert not Match.objects.exists()


@pytest.mark.django_db
def test_the_day_changes_on_its_page_and_stands_on_match_and_sheet():
    match, phone = match_of(), phone_client()
    response = phone.post(url("match_day", match), change(match, "2026-10-03"))
    assert (response.status_code, response["Location"]) == (303, url("match_day", match))
    page = phone.get(url("match_day", match)).text
    assert "<bdi>12 November 2026</bdi> → <bdi>3 October 2026</bdi>" in page
    assert "Entered late" in page
    for name in ("match", "sheet"):
        assert "Played: <bdi>3 October 2026</bdi>" in phone.get(url(name, match)).text


@pytest.mark.django_db
def test_a_refused_day_keeps_what_was_typed():
    match, phone = match_of(), phone_client()
    response = phone.post(url("match_day", match), change(match, "2199-01-01"))
    assert response.status_code == 422
    assert codes(response) == ["in_future"]
    assert 'value="2199-01-01"' in response.text
    assert 'value="Entered late"' in response.text
    response = phone.post(url("match_day", match), change(match, "2026-10-03", reason=" "))
    assert codes(response) == ["required"]
    assert newest(match) == 1


def test_only_those_who_may_correct_are_offered_it(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players)
    page = url("match_day", match)
    assert page in phone_of(cast.esam).get(url("match", match)).text
    assert page not in phone_of(cast.farah).get(url("match", match)).text
    assert phone_of(cast.farah).get(page).status_code == 404


@pytest.mark.django_db
def test_a_night_has_one_date_on_every_page(phone_of):
    """A match of half past one in the morning belongs to the evening before."""
    cast = make_cast(is_public=True)
    match = finish(make_evening("evening-levant", club=cast.club, actor=PHONE, now=AFTER_MIDNIGHT))
    owner = phone_of(cast.owner)
    pages = [url("match", match), url("sheet", match), url("match_figures", match)]
    pages += ["/clubs/cafe-younes/", "/clubs/cafe-younes/matches/?month=2026-11"]
    for page in pages:
        text = owner.get(page).text
        assert "night of 30 November 2026" in text, page
        assert "1 December 2026" not in text, page
    assert day_of(cast.club, match.played_at) == date(2026, 11, 30)
