"""Error pages, and forms that come too late."""

import uuid

import pytest
from django.test import Client

from scoring.models import Match, Player
from tests.support.asking import errors, every_page

START = {
    "name0": "Amal",
    "name1": "Badr",
    "name2": "كارمن",
    "name3": "Dima",
    "preset": "kleshchi-pairs",
}
# Pages of scoring that only show something, or have nothing but buttons.
READ_ONLY = {"home", "club", "language", "sheet", "photo", "match_rules", "replay", "import_guide"}
READ_ONLY |= {"club_rules", "club_records", "club_audit", "club_disagreements"}
READ_ONLY |= {"kit", "log", "unsent_all", "service_worker"}
READ_ONLY |= {"club_evenings", "evening_live", "club_calendar", "club_alike"}
READ_ONLY |= {"club_standings", "club_standings_csv", "club_seasons", "player_matches"}
READ_ONLY |= {"club_contract", "club_matches"}
READ_ONLY |= {"player", "player_data", "club_figures", "match_figures", "match_picture"}
READ_ONLY |= {"club_export", "club_paper", "club_rebuild"}
READ_ONLY |= {"live", "screen", "ruling_report", "club_rulings", "club_disputes", "club_integrity"}
CLUB_FORMS = [f"/clubs/cafe-younes/{page}/" for page in ("settings", "players", "invite")]
CLUB_FORMS.append("/clubs/cafe-younes/matches/new/")


@pytest.fixture
def strict_phone(db):
    return Client(enforce_csrf_checks=True)


def late(client, address, form, **headers):
    """A post whose token the server knows no more."""
    return client.post(address, {**form, "csrfmiddlewaretoken": "x" * 64}, headers=headers)


def test_nothing_here(phone):
    response = phone.get("/nothing/")
    assert response.status_code == 404
    assert "There is nothing here for you" in response.text
    assert "/accounts/login/?next=%2Fnothing%2F" in response.text


def test_pages_for_a_broken_request_need_no_database(phone, settings):
    phone.raise_request_exception = False
    for status in (400, 500):
        from django.template.loader import render_to_string

        page = render_to_string(f"{status}.html")
        assert "<h1>" in page
        assert 'dir="ltr"' in page


def test_look_but_do_not_touch(cast, phone_of):
    response = phone_of(cast.badr).post("/clubs/cafe-younes/players/", {"name": "Zed"})
    assert response.status_code == 403
    assert "You may look at this" in response.text


def test_every_page_forbids_inline_script_and_style(phone):
    for address in ("/", "/nothing/", "/accounts/login/"):
        response = phone.get(address)
        assert "default-src 'self'" in response["Content-Security-Policy"]
        assert "unsafe" not in response["Content-Security-Policy"]
        assert "style=" not in response.text
        assert "<style" not in response.text
        assert "onclick" not in response.text


def test_pages_are_kept_by_nobody_else(cast, phone_of):
    for address in ("/start/", "/clubs/cafe-younes/", "/clubs/cafe-younes/players/"):
        response = phone_of(cast.owner).get(address)
        assert response["Cache-Control"] == "private, no-cache"
        assert "Cookie" in response["Vary"]


def test_late_form_comes_back_as_typed_and_writes_nothing(strict_phone):
    form = {**START, "entry_key": str(uuid.uuid4())}
    response = late(strict_phone, "/start/", form)
    assert response.status_code == 422
    assert errors(response) == {"__all__": ["form_expired"]}
    for field, value in form.items():
        assert response.context["form"][field].value() == value
    assert not Match.objects.exists()
    assert not Player.objects.exists()


def test_late_form_brings_a_token_that_works(strict_phone):
    form = {**START, "entry_key": str(uuid.uuid4())}
    page = late(strict_phone, "/start/", form)
    again = {**form, "csrfmiddlewaretoken": page.context["csrf_token"]}
    assert strict_phone.post("/start/", again).status_code == 303
    assert Match.objects.count() == 1


def test_late_form_names_other_mistakes_too(strict_phone):
    form = {**START, "name3": "Amal", "entry_key": str(uuid.uuid4())}
    assert errors(late(strict_phone, "/start/", form)) == {
        "__all__": ["form_expired"],
        "name3": ["same_person"],
    }


def test_late_post_without_rights_is_still_nothing(cast):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.ghassan)
    assert late(client, "/clubs/cafe-younes/players/", {"name": "Zed"}).status_code == 404


def test_late_guest_keeps_who_sits(cast):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.badr)
    seats = [str(player.id) for player in cast.players[:2]]
    form = {"seat": seats, "action": "guest", "name": "Ziad"}
    response = late(client, "/clubs/cafe-younes/matches/new/", form)
    assert errors(response, "guest") == {"__all__": ["form_expired"]}
    assert [player.name for player in response.context["seated"]] == ["Amal", "Badr"]
    assert response.context["guest"]["name"].value() == "Ziad"
    assert cast.club.players.count() == 4


def test_late_settings_change_nothing(cast):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.owner)
    form = {"name": "Renamed", "preset": "barbu", "time_zone": "Asia/Amman", "language": "fr"}
    response = late(client, "/clubs/cafe-younes/settings/", form)
    assert response.context["form"]["name"].value() == "Renamed"
    assert "form_expired" in errors(response)["__all__"]
    cast.club.refresh_from_db()
    assert cast.club.name == "Café Younes"


def test_post_of_another_site_gets_nothing_back(strict_phone):
    form = {**START, "entry_key": str(uuid.uuid4())}
    response = late(strict_phone, "/start/", form, Origin="http://elsewhere.example")
    assert response.status_code == 403
    assert "This came from another site" in response.text
    assert "كارمن" not in response.text


def test_every_page_that_writes_keeps_what_was_typed():
    views = {
        pattern.name: pattern.callback for pattern in every_page() if pattern.name not in READ_ONLY
    }
    careless = [
        name for name, view in views.items() if not getattr(view, "preserve_on_csrf_failure", False)
    ]
    assert careless == []


@pytest.mark.parametrize("address", ["/start/", *CLUB_FORMS])
def test_empty_post_is_told_what_is_missing(address, cast):
    for strict in (False, True):
        client = Client(enforce_csrf_checks=strict)
        client.force_login(cast.owner)
        response = client.post(address, "", content_type="application/x-www-form-urlencoded")
        assert response.status_code == 422
        found = errors(response)
        assert ("form_expired" in found.pop("__all__", [])) is strict
        assert found
