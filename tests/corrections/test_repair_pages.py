"""What several deals knew wrongly is mended: effect first, then why, and back."""

import uuid

import pytest

from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.models import MatchEvent
from tests.factories import diamonds, king
from tests.support.asking import NASTY
from tests.support.markup import flat
from tests.support.tables import codes, evening_of, match_of, phone_client, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone():
    return phone_client()


def post(phone, match, action, what="places", **fields):
    match.refresh_from_db()
    data = {"action": action, "entry_key": uuid.uuid4(), "version": match.version, **fields}
    return phone.post(url("repair", match, what=what), data)


def contracts(match):
    return [deal.contract for deal in snapshot_of(match).deals]


def test_page_lists_the_mistakes_it_mends(phone):
    match = match_of(entries=[king()])
    page = phone.get(url("repair", match)).text
    for what in ("seats", "person", "chooser", "places", "contract", "forgotten", "phantom"):
        assert f"what={what}" in page
        assert phone.get(url("repair", match, what=what)).status_code == 200


# One event with its effect shown first. C61
def test_effect_is_shown_before_anything_is_written(phone):
    match = match_of(entries=[king(taken_by=2), diamonds(0, 0, 13, 0)])
    events = MatchEvent.objects.count()
    page = post(phone, match, "look", one=1, other=2)
    assert page.status_code == 200
    assert "2 deals are touched" in page.text
    assert MatchEvent.objects.count() == events
    answer = post(phone, match, "apply", one=1, other=2, reason="mixed up")
    assert (answer.status_code, answer.url) == (303, url("repair", match))
    assert contracts(match) == ["diamonds", "king"]
    assert "mixed up" in phone.get(url("repair", match)).text


def test_people_on_wrong_seats(phone):
    match = evening_of("evening-levant", 6)
    sat = {"sat.0": 1, "sat.1": 0, "sat.2": 2, "sat.3": 3}
    page = post(phone, match, "look", "seats", entered_by="person", from_deal=1, **sat)
    assert page.status_code == 200
    assert "6 deals are touched" in page.text
    four = [seat.name for seat in match_view(match).seats]
    assert f"<bdi>{four[1]}</bdi> sits down for <bdi>{four[0]}</bdi>" in page.text
    post(phone, match, "apply", "seats", entered_by="person", from_deal=1, reason="typed so", **sat)
    assert snapshot_of(match).sheet.totals == (40, 300, 105, 55)


def test_person_chooser_and_contract(phone):
    match = match_of(entries=[king(taken_by=2), diamonds(5, 4, 4, 0)])
    answers = [
        post(phone, match, "apply", "person", seat=2, name="Elie", from_deal=2, reason="r"),
        post(phone, match, "apply", "chooser", one=0, other=3, reason="r"),
        post(phone, match, "apply", "contract", one=2, contract="tricks", reason="r"),
    ]
    assert [answer.status_code for answer in answers] == [303] * 3
    table = snapshot_of(match)
    assert contracts(match) == ["king", "tricks"]
    assert {deal.chooser for deal in table.deals} == {3}
    page = phone.get(url("deal", match, 2)).text
    assert page.count("Repaired") == 2


def test_reason_is_asked_for_with_the_effect(phone):
    match = match_of(entries=[king(), diamonds()])
    answer = post(phone, match, "apply", one=1, other=2, reason=" ")
    assert (answer.status_code, codes(answer)) == (422, ["missing"])
    assert "2 deals are touched" in answer.text


@pytest.mark.parametrize(
    ("what", "fields", "code"),
    [
        ("places", {"one": 1}, "missing"),
        ("places", {"one": 1, "other": 9}, "not_standing"),
        ("places", {"one": 1, "other": 1}, "nothing_changed"),
        ("seats", {}, "nothing_changed"),
        ("seats", {"sat.0": 1}, "same_person"),
        ("person", {"seat": 1}, "missing"),
        ("chooser", {"one": 0, "other": 9}, "bad_seat"),
        ("contract", {"one": 1, "contract": "trex"}, "other_shape"),
        ("forgotten", {}, "missing"),
        ("forgotten", {"one": 3}, "not_standing"),
        ("phantom", {"one": 0}, "not_standing"),
        ("contract", {"one": 1, "contract": "?"}, "missing"),
        ("contract", {"one": 2, "contract": "queens"}, "wrong_total"),
        ("", {}, None),
    ],
)
def test_what_cannot_be_is_said(phone, what, fields, code):
    match = match_of(entries=[king(), diamonds()])
    for action in ("look", "apply"):
        answer = post(phone, match, action, what, **fields)
        assert answer.status_code == 422
        assert code is None or code in codes(answer)


def test_repair_is_taken_back_with_a_reason(phone):
    match = match_of(entries=[king(), diamonds()])
    post(phone, match, "apply", one=1, other=2, reason="mixed up")
    event = match.events.get(kind="match_repaired")
    asked = post(phone, match, "revert", "", event=event.id)
    assert asked.status_code == 200
    assert contracts(match) == ["diamonds", "king"]
    refused = post(phone, match, "revert", "", event=event.id, reason="")
    assert (refused.status_code, codes(refused)) == (422, ["missing"])
    assert post(phone, match, "revert", "", event=event.id, reason="r").status_code == 303
    assert contracts(match) == ["king", "diamonds"]
    late = post(phone, match, "revert", "", event=event.id, reason="r")
    assert (late.status_code, codes(late)) == (422, ["changed_since"])


def test_repair_that_was_written_already_is_not_refused(phone):
    match = match_of(entries=[diamonds(4, 3, 3, 3)])
    key = uuid.uuid4()
    told = {"one": 1, "contract": "tricks", "reason": "typed so", "entry_key": key}
    for _ in range(2):
        assert post(phone, match, "apply", "contract", **told).status_code == 303
    event, key = match.events.get(kind="match_repaired"), uuid.uuid4()
    for _ in range(2):
        answer = post(phone, match, "revert", event=event.id, reason="right", entry_key=key)
        assert answer.status_code == 303
    assert match.events.filter(kind="match_repaired").count() == 2


def test_old_page_is_told_that_the_match_has_moved_on(phone):
    match = match_of(entries=[king(), diamonds()])
    answer = post(phone, match, "apply", one=1, other=2, reason="r", version=1)
    assert (answer.status_code, codes(answer)) == (409, ["stale"])


def test_words_are_shown_as_they_are(phone):
    match = match_of(entries=[king(), diamonds()])
    post(phone, match, "apply", one=1, other=2, reason=NASTY)
    assert NASTY not in phone.get(url("repair", match)).text


# Whoever may not correct sees what was repaired and mends nothing. C62
def test_member_who_does_not_play_mends_nothing(cast, phone_of):
    players = (*cast.players[:3], "Zeina")
    match = match_of(club=cast.club, players=players, entries=[king(), diamonds()])
    phone = phone_of(cast.dima)
    assert "what=" not in phone.get(url("repair", match)).text
    for action in ("look", "apply", "revert"):
        assert post(phone, match, action, one=1, other=2, reason="r").status_code == 403
    assert contracts(match) == ["king", "diamonds"]


# C94
def test_ghassan_finds_no_such_page(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players, entries=[king()])
    phone = phone_of(cast.ghassan)
    assert phone.get(url("repair", match)).status_code == 404
    assert post(phone, match, "apply", one=1, other=2, reason="r").status_code == 404


@pytest.mark.parametrize("action", ["look", "apply"])
def test_form_that_came_too_late_keeps_what_was_chosen(action):
    match = match_of(entries=[king(), diamonds()])
    late = post(phone_client(enforce_csrf_checks=True), match, action, one=1, other=2, reason="r")
    assert (late.status_code, codes(late)) == (422, ["form_expired"])
    assert 'name="other" value="2" checked' in flat(late)


KINDS = ["seats", "person", "chooser", "places", "contract", "forgotten", "phantom"]


@pytest.mark.parametrize("what", KINDS)
@pytest.mark.parametrize(
    "field", ["sat.0", "seat", "one", "other", "contract", "person", "from_deal", "name"]
)
def test_nonsense_in_a_field_breaks_nothing(phone, what, field):
    match = match_of(entries=[king(), diamonds()])
    for nonsense in ("-1", "x", "9" * 99, "\x00", "trex+king"):
        assert post(phone, match, "look", what, **{field: nonsense}).status_code == 422
