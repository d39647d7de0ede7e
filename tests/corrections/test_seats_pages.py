"""Who sits where: seen by all, changed in two steps, undone."""

import re
import uuid

import pytest

from scoring.ledger.queries.match_view import match_view
from scoring.models import MatchEvent, Player
from tests.factories import diamonds, king
from tests.support.asking import NASTY
from tests.support.markup import flat
from tests.support.tables import codes, match_of, phone_client, url

pytestmark = pytest.mark.django_db

FOUR = ["Amal", "Badr", "Carmen", "Dima"]


@pytest.fixture
def phone():
    return phone_client()


def form(match, action="change", **fields):
    match.refresh_from_db()
    data = {"action": action, "entry_key": uuid.uuid4(), "version": match.version}
    return {**data, "person": "", "name": "", **fields}


def post(phone, match, action="change", **fields):
    return phone.post(url("seats", match), form(match, action, **fields))


def plain(response) -> str:
    text = re.sub(r"</?(bdi|b)\b[^>]*>", "", flat(response))
    return " ".join(text.split())


def names(match, deal=99):
    return match_view(match).names_at(deal)


def sits(match, seat):
    return match_view(match).seats[seat].player_id


# Listed first, then done. C25
def test_effect_is_shown_before_anything_is_written(phone):
    match = match_of(entries=[king(taken_by=2), diamonds(0, 0, 13, 0)])
    events = MatchEvent.objects.count()
    page = post(phone, match, "look", seat=2, name="Elie", from_deal=2)
    assert page.status_code == 200
    assert "Elie sits down for Carmen" in plain(page)
    assert "−205" in page.text
    assert "−130" in page.text
    assert 'name="reason"' in page.text
    assert (MatchEvent.objects.count(), Player.objects.filter(name="Elie").count()) == (events, 0)


# A substitute sits down at once. C25, C75
def test_guest_sits_down_for_the_next_deal(phone):
    match = match_of(entries=[king(taken_by=2)])
    looked = post(phone, match, "look", seat=2, name="Elie")
    assert 'name="reason"' not in looked.text
    answer = post(phone, match, seat=2, name="Elie", from_deal=2)
    assert (answer.status_code, answer.url) == (303, url("seats", match))
    assert names(match) == ["Amal", "Badr", "Elie", "Dima"]
    assert names(match, 1) == FOUR
    page = plain(phone.get(url("seats", match)))
    assert "Carmen: 1" in page
    assert "From deal 2: Elie for Carmen" in page


def test_two_people_change_seats(phone):
    match = match_of(entries=[king(taken_by=2)])
    post(phone, match, seat=0, person=sits(match, 2), from_deal=1, reason="sat wrong")
    assert names(match) == ["Carmen", "Badr", "Amal", "Dima"]


def test_points_that_move_need_a_reason(phone):
    match = match_of(entries=[king(taken_by=2)])
    answer = post(phone, match, seat=2, name="Elie", from_deal=1)
    assert (answer.status_code, codes(answer)) == (422, ["missing"])
    assert "Elie sits down for Carmen" in plain(answer)
    assert names(match) == FOUR


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"name": "Elie"}, "missing"),
        ({"seat": 2}, "missing"),
        ({"seat": 2, "name": "amal"}, "nothing_changed"),
        ({"seat": 2, "name": "x" * 41}, "too_long"),
        ({"seat": 2, "name": "Elie", "from_deal": 9}, "wrong_number"),
        ({"seat": 2, "person": uuid.UUID(int=5)}, "unknown_player"),
    ],
)
@pytest.mark.parametrize("action", ["look", "change"])
def test_what_cannot_be_is_said_and_what_was_typed_stays(phone, action, fields, code):
    match = match_of(entries=[king()])
    if code == "nothing_changed":
        fields = {"seat": 2, "person": sits(match, 2)}
    answer = post(phone, match, action, **fields)
    assert answer.status_code == 422
    assert code in codes(answer)
    if "name" in fields:
        assert fields["name"] in answer.text


def test_change_is_undone_in_one_tap(phone):
    match = match_of(entries=[king()])
    post(phone, match, seat=2, name="Elie", from_deal=2)
    event = match.events.get(kind="seats_changed")
    answer = post(phone, match, "undo", event=event.id)
    assert answer.status_code == 303
    assert names(match) == FOUR
    again = post(phone, match, "undo", event=event.id)
    assert (again.status_code, codes(again)) == (422, ["changed_since"])


def test_undo_that_moves_points_shows_them_and_asks_why(phone):
    match = match_of(entries=[king(taken_by=2)])
    post(phone, match, seat=2, name="Elie", from_deal=1, reason="it was Elie")
    event = match.events.get(kind="seats_changed")
    events = MatchEvent.objects.count()
    look = post(phone, match, "undo", event=event.id)
    assert look.status_code == 200
    assert "Carmen sits down for Elie" in plain(look)
    again = post(phone, match, "undo", event=event.id, reason=" ")
    assert (again.status_code, codes(again)) == (422, ["missing"])
    assert MatchEvent.objects.count() == events
    answer = post(phone, match, "undo", event=event.id, reason="it was not")
    assert answer.status_code == 303
    assert names(match, 1) == FOUR


# The answer got lost, the tap comes again.
def test_undo_that_was_written_already_is_not_refused(phone):
    match = match_of(entries=[king()])
    post(phone, match, seat=2, name="Elie", from_deal=2)
    sent = form(match, "undo", event=match.events.get(kind="seats_changed").id)
    assert phone.post(url("seats", match), sent).status_code == 303
    assert phone.post(url("seats", match), sent).status_code == 303
    assert match.events.filter(kind="seats_changed").count() == 2


def test_old_page_is_told_that_the_match_has_moved_on(phone):
    match = match_of(entries=[king()])
    answer = post(phone, match, seat=2, name="Elie", from_deal=2, version=1)
    assert (answer.status_code, codes(answer)) == (409, ["stale"])


def test_same_form_twice_writes_once(phone):
    match = match_of(entries=[king()])
    data = form(match, seat=2, name="Elie", from_deal=2)
    for _ in range(2):
        assert phone.post(url("seats", match), data).status_code == 303
    assert match.events.filter(kind="seats_changed").count() == 1


def test_part_is_drawn_for_htmx(phone):
    match = match_of()
    answer = phone.post(
        url("seats", match),
        form(match, "look", seat=0, name="Elie"),
        headers={"HX-Request": "true"},
    )
    assert "<html" not in answer.text
    assert 'id="seats"' in answer.text


def test_names_are_shown_as_they_are(phone):
    match = match_of(entries=[king()])
    answer = post(phone, match, "look", seat=0, name=NASTY)
    assert NASTY not in answer.text
    post(phone, match, seat=0, name=NASTY, from_deal=2)
    assert NASTY not in phone.get(url("seats", match)).text


def test_people_of_the_club_are_offered(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players)
    Player.objects.create(club=cast.club, name="Zeina")
    page = phone_of(cast.amal).get(url("seats", match))
    assert "Zeina" in page.text
    assert "Ghassan" not in page.text


# Only those who run the match seat people; others see who sits. C62
def test_member_who_does_not_play_sees_and_changes_nothing(cast, phone_of):
    match = match_of(club=cast.club, players=(*cast.players[:3], "Zeina"))
    phone = phone_of(cast.dima)
    page = phone.get(url("seats", match))
    assert page.status_code == 200
    assert 'name="seat"' not in page.text
    assert post(phone, match, seat=0, name="Elie").status_code == 403


# C94
def test_ghassan_finds_no_such_page(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players)
    phone = phone_of(cast.ghassan)
    assert phone.get(url("seats", match)).status_code == 404
    assert post(phone, match, seat=0, name="Elie").status_code == 404


def test_sheet_says_who_sits_down_and_what_each_person_has(phone):
    match = match_of(entries=[king(taken_by=2), diamonds(0, 0, 13, 0)])
    assert "Points of each person" not in phone.get(url("sheet", match)).text
    post(phone, match, seat=2, name="Elie", from_deal=2, reason="came late")
    page = plain(phone.get(url("sheet", match)))
    assert "Elie sits down for Carmen" in page
    after = page[page.index("Points of each person") :]
    assert after.index("Carmen") < after.index("−75") < after.index("Elie") < after.index("−130")


def test_kingdom_is_named_after_who_owned_it(phone):
    match = match_of(entries=[king(taken_by=2)])
    post(phone, match, seat=0, name="Elie", from_deal=2)
    assert "Kingdom of Amal" in plain(phone.get(url("sheet", match)))


@pytest.mark.parametrize("action", ["look", "change"])
def test_form_that_came_too_late_keeps_what_was_typed(action):
    match = match_of(entries=[king()])
    late = post(phone_client(enforce_csrf_checks=True), match, action, seat=2, name="Elie")
    assert (late.status_code, codes(late)) == (422, ["form_expired"])
    assert 'value="Elie"' in late.text
