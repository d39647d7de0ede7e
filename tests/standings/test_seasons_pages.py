"""The seasons of a club: the list, one, its form."""

import re
from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.translation import override

from scoring.common.actor import Actor
from scoring.house_rules.presenters.presets import PRESET_WORDS
from scoring.house_rules.services import house_rules
from scoring.models import Club, FrozenStanding, Season
from scoring.players.services import merging
from scoring.rules import preset
from scoring.standings.services import seasons
from tests.factories import NOW, make_match
from tests.support.asking import NASTY, errors
from tests.support.standings import finished, make_season

CLUB = "/clubs/cafe-younes/"
LIST = f"{CLUB}seasons/"


def filled(**changes):
    fields = {
        "name": "Autumn",
        "starts_on": "2026-09-01",
        "ends_on": "2026-12-31",
        "rules": "",
        "counted": "",
        "first_by": "total",
        "second_by": "wins",
        "third_by": "",
        "minimum": "0",
    }
    return {**fields, **changes}


def played(cast, *points):
    return finished(cast.club, dict(zip(cast.players, points, strict=True)))


def test_owner_makes_a_season_and_everybody_sees_it(cast, phone_of):
    played(cast, 40, 10, -20, -30)
    owner, form = phone_of(cast.owner), f"{LIST}new/"
    assert "No season yet." in phone_of(cast.badr).get(LIST).text
    assert owner.get(form).status_code == 200
    made = owner.post(form, filled(counted="٢", minimum="1", rules="levant"))
    season = Season.objects.get()
    assert (made.status_code, made["Location"]) == (303, f"{LIST}{season.id}/")
    assert (season.starts_on, season.counted, season.minimum) == (date(2026, 9, 1), 2, 1)
    assert (season.rules_name, season.system) == ("", "levant")
    page = phone_of(cast.badr).get(made["Location"]).text
    assert "Amal" in page
    assert "the rules <bdi>Trex with kingdoms</bdi>" in page
    assert 'the first <bdi class="num" dir="ltr">2</bdi> matches count' in page
    assert "Close the season" not in page
    assert "Autumn" in phone_of(cast.badr).get(LIST).text


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"name": ""}, {"name": ["missing"]}),
        ({"name": "２０２６"}, {"name": ["taken"]}),
        ({"starts_on": "soon"}, {"starts_on": ["invalid"]}),
        ({"ends_on": "2026-08-31"}, {"ends_on": ["ends_before"]}),
        ({"ends_on": "9999-12-31"}, {"ends_on": ["bad_date"]}),
        ({"rules": "whist"}, {"rules": ["invalid_choice"]}),
        ({"counted": "0"}, {"counted": ["min_value"]}),
        ({"second_by": "total"}, {"second_by": ["twice"]}),
    ],
)
def test_what_cannot_be_comes_back_with_what_was_typed(cast, phone_of, changes, expected):
    make_season(cast.club)
    answer = phone_of(cast.owner).post(f"{LIST}new/", filled(**changes))
    assert (answer.status_code, errors(answer)) == (422, expected)
    assert Season.objects.count() == 1
    for field, value in changes.items():
        assert answer.context["form"][field].value() == value


def test_change_meets_one_that_was_quicker_and_keeps_the_rules(cast, phone_of):
    own = cast.club.rule_sets.create(name="House", preset="levant", system="levant", options={})
    owner = phone_of(cast.owner)
    owner.post(f"{LIST}new/", filled(rules=str(own.id)))
    season, form = Season.objects.get(), f"{LIST}{Season.objects.get().id}/edit/"
    own.delete()
    seen = owner.get(form).context["seen"]
    answer = owner.post(form, filled(name="Spring", rules="kept", seen=seen))
    assert answer.status_code == 303
    season.refresh_from_db()
    assert (season.name, season.rules_name) == ("Spring", "House")
    late = owner.post(form, filled(name="Summer", seen=seen))
    assert (late.status_code, errors(late)) == (409, {"__all__": ["stale"]})
    meant = owner.post(form, filled(name="Summer", seen=late.context["seen"]))
    assert meant.status_code == 303
    assert owner.post(form, {"action": "delete"}).status_code == 303
    assert not Season.objects.exists()


def test_what_cannot_be_deleted_says_so_and_keeps_its_form(cast, phone_of):
    season = make_season(cast.club)
    seasons.close(season=season, by=cast.owner, now=timezone.now())
    answer = phone_of(cast.owner).post(f"{LIST}{season.id}/edit/", {"action": "delete"})
    assert (answer.status_code, errors(answer, "leaving")) == (422, {"__all__": ["season_closed"]})
    assert 'data-code="season_closed"' in answer.text
    assert f'value="{season.name}"' in answer.text
    assert 'data-code="required"' not in answer.text


def test_whoever_comes_too_late_is_told_and_finds_everything_as_it_was(cast):
    season = make_season(cast.club)
    owner = Client(enforce_csrf_checks=True)
    owner.force_login(cast.owner)
    for page, action in (("", "close"), ("edit/", "delete")):
        answer = owner.post(f"{LIST}{season.id}/{page}", {"action": action})
        assert answer.status_code == 422
        assert re.findall(r'data-code="(\w+)"', answer.text) == ["form_expired"]
        assert season.name in answer.text
    season.refresh_from_db()
    assert season.closed_at is None


# A season that is closed is a frozen page. C90
def test_owner_closes_it_and_opens_it_again(cast, phone_of):
    played(cast, 40, 10, -20, -30)
    make_match(club=cast.club, players=cast.players)
    season = make_season(cast.club)
    address, owner = f"{LIST}{season.id}/", phone_of(cast.owner)
    assert "is still running and would not be among them" in owner.get(address).text
    for user in (cast.badr, cast.amal, cast.esam):
        assert phone_of(user).post(address, {"action": "close"}).status_code == 403
    assert owner.post(address, {"action": "close"}).status_code == 303
    played(cast, 0, 100, -100, 0)
    page = phone_of(cast.badr).get(address)
    assert page.context["board"].ranked[0].people[0].name == "Amal"
    assert "As it stood when the season was closed, on" in page.text
    assert "Changed since it was closed" in page.text
    assert next((one.name, one.before, one.after) for one in page.context["changes"]) == (
        "Badr",
        10,
        110,
    )
    twice = owner.post(address, {"action": "close"})
    assert (twice.status_code, 'data-code="season_closed"' in twice.text) == (422, True)
    edit = owner.post(f"{address}edit/", filled())
    assert errors(edit) == {"__all__": ["season_closed"]}
    assert owner.post(address, {"action": "reopen"}).status_code == 303
    assert not FrozenStanding.objects.exists()
    assert phone_of(cast.badr).get(address).context["changes"] == ()


def test_name_of_a_season_is_shown_literally(cast, phone_of):
    season = make_season(cast.club, name=NASTY)
    for address in (LIST, f"{LIST}{season.id}/", f"{LIST}{season.id}/edit/"):
        assert NASTY not in phone_of(cast.owner).get(address).text


# What is not of this club is not there. C94
def test_others_see_and_change_nothing(cast, phone, phone_of):
    season = make_season(cast.club)
    address = f"{LIST}{season.id}/"
    for client in (phone, phone_of(cast.ghassan)):
        for page in (LIST, address, f"{LIST}new/", f"{address}edit/"):
            assert client.get(page).status_code == 404
            assert client.post(page, filled()).status_code == 404
    Club.objects.update(is_public=True)
    assert phone.get(address).status_code == 200
    assert phone.post(address, {"action": "close"}).status_code == 403
    assert (
        phone_of(cast.ghassan).get(f"/clubs/cafe-ghassan/seasons/{season.id}/").status_code == 404
    )
    for user in (cast.badr, cast.amal):
        assert phone_of(user).get(f"{address}edit/").status_code == 404


def test_rules_of_a_season_that_runs_are_offered_first(cast, phone_of):
    for name in ("levant", "barbu"):
        house_rules.create(
            club=cast.club, name=name.title(), preset=name, options=preset(name).options()
        )
    page = f"{CLUB}matches/new/"
    phone, today = phone_of(cast.amal), timezone.now().date()
    assert [each.name for each in phone.get(page).context["sets"]] == ["Levant", "Barbu"]
    rules = {"rules": preset("barbu"), "preset": "barbu", "name": "Barbu"}
    days = {"starts_on": today - timedelta(days=9), "ends_on": today + timedelta(days=9)}
    season = make_season(cast.club, **days, rules=rules)
    assert [each.name for each in phone.get(page).context["sets"]] == ["Barbu", "Levant"]
    seasons.close(season=season, by=None, now=timezone.now())
    assert [each.name for each in phone.get(page).context["sets"]] == ["Levant", "Barbu"]


def test_rules_of_a_season_are_called_in_the_language_of_the_reader(cast, phone_of):
    """A preset has a label in each language: none of them is kept as if it had been typed."""
    owner = phone_of(cast.owner)
    owner.post(f"{LIST}new/", filled(rules="levant-partners"))
    season = Season.objects.get()
    assert (season.preset, season.rules_name) == ("levant-partners", "")
    label = str(PRESET_WORDS["levant-partners"].label)
    edit = f"{LIST}{season.id}/edit/"
    assert f"As now: {label}" in owner.get(edit).text
    with override("fr"):
        french = str(PRESET_WORDS["levant-partners"].label)
    assert french != label
    assert french in owner.get(edit, headers={"Accept-Language": "fr"}).text
    assert owner.post(edit, filled(rules="kept")).status_code == 303
    season.refresh_from_db()
    assert (season.preset, season.rules_name) == ("levant-partners", "")


def test_closed_list_says_what_was_counted_then(cast, phone_of):
    """Two people were merged since, and a match came in late: the list of a row that was closed
    comes to something else, and says so; so does the page of standings."""
    played(cast, 50, 20, -20, -50)
    eve = cast.club.players.create(name="Eve")
    finished(cast.club, dict(zip((eve, *cast.players[1:]), (7, -7, 0, 0), strict=True)), at=NOW)
    season = make_season(cast.club)
    seasons.close(season=season, by=None, now=NOW)
    phone, amal = phone_of(cast.badr), cast.players[0]
    query = f"system=levant&win=high&season={season.id}"
    mine = f"/clubs/cafe-younes/players/{amal.id}/matches/?{query}"
    standings = f"/clubs/cafe-younes/standings/?{query}"
    for address in (mine, standings):
        assert "closed: " not in phone.get(address).text
    merging.merge(player=eve, into=amal, actor=Actor(cast.owner), now=NOW)
    closed = "".join(map(str, phone.get(mine).context["closed"]))
    assert strip_tags(closed).replace("\u2060", "") == (
        "Counted when the season was closed: +50 points (1 match), +7 points (1 match)."
        "People were merged since then: the closed standings list them apart."
    )
    rows = phone.get(standings).context["board"].ranked
    merged = [row for row in rows if row.people[0].id == amal.id]
    assert [strip_tags(note) for row in merged for note in row.notes] == [
        "Merged after the season was closed: 2 rows are the same here."
    ] * 2
    played(cast, 5, 0, 0, -5)
    closed = phone.get(mine).context["closed"]
    assert closed[-1] == ("Since then matches were added or corrected: the list shows them as now.")
    page = phone.get(standings)
    assert "Changed since it was closed" in page.text
    assert [(one.name, one.before, one.after) for one in page.context["changes"] if one.moved] == [
        ("Amal", 57, 62),
        ("Dima", -50, -55),
    ]
    only_firsts = phone.get(f"{mine}&place=1")
    assert only_firsts.context["closed"] == []
