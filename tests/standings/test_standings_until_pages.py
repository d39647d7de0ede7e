"""The standings as they were on an earlier day: on the page, in the file, for programs, and the
matches behind their figures."""

import csv
from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.models import Club, Evening
from scoring.models.days import day_of
from scoring.rules import preset
from scoring.standings.services import ratings, seasons
from tests.factories import NOW
from tests.support.standings import finished, make_season

CLUB = "/clubs/cafe-younes/"
PAGE = f"{CLUB}standings/"
FILE = f"{CLUB}standings.csv"
API = "/api/clubs/cafe-younes/standings"
PARTNERS = preset("levant-partners").options()
FIRST, SECOND = NOW - timedelta(days=40), NOW - timedelta(days=39)


@pytest.fixture(autouse=True)
def later(monkeypatch):
    """Both matches are past."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def days(cast):
    """The days of two matches, of which the second turned everything round."""
    played(cast, 40, 10, -20, -30, at=FIRST)
    played(cast, -90, 10, 50, 30, at=SECOND)
    return [day_of(cast.club, at).isoformat() for at in (FIRST, SECOND)]


def played(cast, *points, **more):
    return finished(cast.club, dict(zip(cast.players, points, strict=True)), **more)


def totals(page):
    return [(row.player.name, row.record.total) for row in page.context["page"].rows]


def rows(text):
    return [(row["name"], int(row["total"])) for row in csv.DictReader(text.splitlines())]


# As of when, and of what, stands in the heading and below the table. C82, C87
def test_earlier_day_is_shown_and_said(cast, phone_of, days):
    page = phone_of(cast.badr).get(PAGE, {"until": days[0]})
    assert totals(page)[0] == ("Amal", 40)
    assert f'data-until="{days[0]}">As they were on <bdi>3 October 2026</bdi></h2>' in page.text
    assert (
        "that were played up to <bdi>3 October 2026</bdi>, as the ledger has them today"
        in page.text
    )
    assert f'<input type="date" name="until" value="{days[0]}"' in page.text
    assert totals(phone_of(cast.badr).get(PAGE, {"until": days[1]})) == totals(
        phone_of(cast.badr).get(PAGE)
    )


def test_day_ends_at_five_in_the_morning(cast, phone_of, days):
    late = SECOND.replace(hour=1) + timedelta(days=1)  # four in Beirut
    played(cast, 500, 0, 0, 0, at=late)
    phone = phone_of(cast.badr)
    assert totals(phone.get(PAGE, {"until": days[1]}))[0] == ("Amal", 450)
    assert totals(phone.get(PAGE, {"until": days[0]}))[0] == ("Amal", 40)


def test_links_and_the_form_keep_the_day_and_the_list(cast, phone_of, days):
    played(cast, 7, 5, -5, -7, at=FIRST, system="barbu")
    played(cast, 30, 10, -20, -10, at=FIRST, options=PARTNERS, pairs=True)
    asked = {"until": days[0], "system": "levant", "win": "high", "pairs": "1", "by": "wins"}
    page = phone_of(cast.badr).get(PAGE, asked)
    turned = [each for name in ("families", "kinds", "orders") for each in page.context[name]]
    addresses = [address for _, address, _ in turned]
    assert len(addresses) == 9
    assert all(f"until={days[0]}" in address for address in addresses)
    start = '<form class="field no-print" method="get" novalidate>'
    form = page.text.split(start)[1].split("</form>")[0]
    for name in ("system", "win", "pairs", "by"):
        assert f'<input type="hidden" name="{name}" value="{asked[name]}">' in form
    back = phone_of(cast.badr).get(PAGE + page.context["now"]).context["page"]
    assert (back.scope.until, back.of_pairs, back.criteria[0]) == (None, True, "wins")
    file = phone_of(cast.badr).get(FILE + page.context["file"])
    assert f'filename="cafe-younes-standings-{days[0]}.csv"' in file["Content-Disposition"]
    assert rows(file.text) == [("Amal", 10), ("Badr", 0)]


# Every figure opens the list behind it, and the list comes to the same.
def test_lists_behind_the_figures_end_on_that_day(cast, phone_of, days):
    season = make_season(cast.club, counted=2, minimum=0)
    for hours in (1, 2):
        given = {"at": FIRST + timedelta(hours=hours), "options": PARTNERS, "pairs": True}
        played(cast, 30, 10, -20, -10 * hours, **given)
    phone = phone_of(cast.badr)
    for scope in ({}, {"season": season.id}):
        for pairs in ("", "1"):
            page = phone.get(PAGE, {"until": days[0], "pairs": pairs, **scope})
            for line in page.context["board"].ranked:
                address = f"{CLUB}players/{line.people[0].id}/matches/?{line.query}"
                listed = phone.get(address)
                found, record = listed.context["found"], line.record
                assert (found.matches, found.points, found.wins) == (
                    record.matches,
                    record.total,
                    record.wins,
                )
                assert "up to <bdi>3 October 2026</bdi>" in listed.text


def test_nobody_had_played_by_then(cast, phone_of, days):
    page = phone_of(cast.badr).get(PAGE, {"until": "0001-01-01", "system": "barbu", "win": "low"})
    assert page.status_code == 200
    assert "No finished match was played up to <bdi>1 January 0001</bdi>." in page.text
    assert '<input type="hidden" name="system" value="barbu">' in page.text
    assert rows(phone_of(cast.badr).get(FILE, {"until": "2026-10-02"}).text) == []


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("2026-02-30", "invalid"),
        ("<b>", "invalid"),
        ("2026-11-13", "future"),
        ("9999-12-31", "future"),
    ],
)
def test_day_that_cannot_be_is_told_at_its_field(cast, phone_of, days, typed, code):
    season = make_season(cast.club)
    for address in (PAGE, FILE, f"{CLUB}seasons/{season.id}/"):
        page = phone_of(cast.badr).get(address, {"until": typed})
        assert page.status_code == 422
        assert list(page.context["until"].errors) == ["until"]
        assert f'<p class="field-error" data-code="{code}">' in page.text
        assert page.context["until"]["until"].value() == typed
        assert totals(page) == [("Carmen", 30), ("Badr", 20), ("Dima", 0), ("Amal", -50)]


def test_closed_season_and_evening_take_no_day(cast, phone_of, days):
    season = make_season(cast.club)
    made = {"club": cast.club, "starts_at": NOW, "created_at": NOW, "system": "levant"}
    evening = Evening.objects.create(name="Cup", **made)
    played(cast, 40, 10, -20, -30, at=NOW, evening=evening)
    phone, address = phone_of(cast.owner), f"{CLUB}seasons/{season.id}/"
    then = phone.get(address, {"until": days[0]})
    assert totals(then)[0] == ("Amal", 40)
    # It is closed where one sees what would be frozen.
    assert 'value="close"' in phone.get(address).text
    assert 'value="close"' not in then.text
    seasons.close(season=season, by=None, now=NOW)
    for url, asked in ((address, {}), (PAGE, {"evening": evening.id})):
        now, then = phone.get(url, asked), phone.get(url, {**asked, "until": days[0]})
        assert totals(now) == totals(then) != []
        assert 'name="until"' not in then.text


def test_rating_is_that_of_the_day(cast, phone_of, days):
    Club.objects.update(criteria=["rating", "total"])
    ratings.rebuild(club=cast.club)
    ratings.mark(club=cast.club, system="levant", win="high", played_at=NOW)
    page = phone_of(cast.badr).get(PAGE, {"until": days[1]})
    assert not page.context["page"].rates_anew
    assert page.context["page"].rows[0].record.rating is not None
    assert "up to this day" in page.text
    assert phone_of(cast.badr).get(PAGE).context["page"].rates_anew


# The same ranks for programs as on the page. C88
def test_programs_get_the_same(cast, phone_of, days):
    Club.objects.update(is_public=True)
    phone = phone_of(cast.badr)
    told = phone.get(API, {"until": days[0]}).json()
    assert [(row["people"][0]["name"], row["total"]) for row in told["rows"]] == totals(
        phone.get(PAGE, {"until": days[0]})
    )
    assert (told["until"], told["as_of"]) == (days[0], FIRST.isoformat())
    assert phone.get(API).json()["until"] is None
    season = make_season(cast.club)
    seasons.close(season=season, by=None, now=NOW)
    closed = {"season": season.id, "until": days[0]}
    for wrong in ({"until": "soon"}, {"until": "2026-11-13"}, closed):
        answer = phone.get(API, wrong)
        assert (answer.status_code, answer.json()["problems"][0]) == (
            400,
            {"code": "bad_value", "field": "until"},
        )


# C94
def test_others_see_nothing_of_it(cast, phone_of, days):
    for address in (PAGE, FILE, API):
        for until in (days[0], "soon"):
            assert phone_of(cast.ghassan).get(address, {"until": until}).status_code == 404


def test_earlier_day_asks_no_more_than_eight_times(
    cast, phone_of, days, django_assert_max_num_queries
):
    Club.objects.update(criteria=["rating", "total", "wins"])
    season = make_season(cast.club, criteria=["rating", "total"], counted=1)
    phone = phone_of(cast.badr)
    for address in (PAGE, FILE, f"{CLUB}seasons/{season.id}/"):
        with django_assert_max_num_queries(8):
            phone.get(address, {"until": days[0]})
