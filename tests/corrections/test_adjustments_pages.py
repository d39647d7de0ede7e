"""Penalties and corrections of points: the arbiter's page, the sheet, the deal beside them."""

import uuid

import pytest
from django.test import Client

from scoring.common.actor import Actor
from scoring.ledger.queries.match_view import match_view
from scoring.models import Adjustment
from tests.factories import adjust, diamonds, king, make_match
from tests.support.asking import NASTY, errors
from tests.support.tables import codes, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast):
    return make_match(
        club=cast.club,
        players=cast.players,
        entries=[king(taken_by=2), diamonds(4, 3, 3, 3)],
        actor=Actor(cast.amal),
    )


@pytest.fixture
def arbiter(cast, phone_of):
    return phone_of(cast.esam)


def typed(match, **changes):
    match.refresh_from_db()
    about = {"code": "penalty", "seats": ["3"], "way": "takes", "amount": "40", "after_deal": "2"}
    sent = {"entry_key": uuid.uuid4(), "version": match.version, "reason": "Looked at a hand"}
    return {**about, **sent, **changes}


def plain(response) -> str:
    text = response.text.replace("<bdi>", "").replace("</bdi>", "")
    return " ".join(text.replace('<bdi class="num" dir="ltr">', "").split())


def totals(match):
    return match_view(match).sheet.totals


# No sign is ever typed. C13
@pytest.mark.parametrize(
    ("changes", "points"),
    [
        ({}, [0, 0, 0, -40]),
        ({"way": "gives"}, [0, 0, 0, 40]),
        ({"seats": ["0", "2"], "amount": "5"}, [-5, 0, -5, 0]),
        # Arabic and Persian digits are digits. C14
        ({"amount": "٤٠"}, [0, 0, 0, -40]),
        ({"amount": " ۱۵ "}, [0, 0, 0, -15]),
        ({"code": "correction", "after_deal": "0"}, [0, 0, 0, -40]),
    ],
)
def test_points_are_given_and_taken_without_a_sign(arbiter, match, changes, points):
    answer = arbiter.post(url("adjust", match), typed(match, **changes))
    row = Adjustment.objects.get()
    assert answer["Location"] == f"{url('adjust', match)}#a-{row.id}"
    assert (row.points, row.code) == (points, changes.get("code", "penalty"))
    assert "Looked at a hand" in arbiter.get(url("adjust", match)).text


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"amount": "-40"}, {"amount": ["min_value"]}),
        ({"amount": "−40"}, {"amount": ["invalid"]}),
        ({"amount": "0"}, {"amount": ["min_value"]}),
        ({"amount": "10001"}, {"amount": ["max_value"]}),
        ({"amount": "9" * 5000}, {"amount": ["invalid"]}),
        ({"amount": ""}, {"amount": ["required"]}),
        ({"seats": []}, {"seats": ["required"]}),
        ({"seats": ["4"]}, {"seats": ["invalid_choice"]}),
        ({"way": ""}, {"way": ["required"]}),
        ({"code": "bribe"}, {"code": ["invalid_choice"]}),
        ({"after_deal": "3"}, {"after_deal": ["invalid_choice"]}),
        ({"reason": " "}, {"reason": ["required"]}),
        ({"reason": "x" * 501}, {"reason": ["too_long"]}),
        ({"version": "1"}, {"__all__": ["stale"]}),
        ({"entry_key": ""}, {"__all__": ["form_expired"]}),
    ],
)
def test_refusal_stands_at_its_field_with_what_was_typed(arbiter, match, changes, expected):
    response = arbiter.post(url("adjust", match), typed(match, **changes))
    assert response.status_code == (409 if "stale" in str(expected) else 422)
    assert errors(response) == expected
    assert not Adjustment.objects.exists()
    assert response.context["form"]["amount"].value() == changes.get("amount", "40")


def test_totals_are_shown_before_anything_is_saved(arbiter, match):
    data = typed(match, action="preview")
    for headers in ({}, {"HX-Request": "true"}):
        page = arbiter.post(url("adjust", match), data, headers=headers)
        assert page.status_code == 200
        assert 'data-total="-70"' in page.text
        assert "Dima loses 40" in plain(page)
    assert 'id="adjust"' not in page.text
    typing = typed(match, action="preview", amount="")
    page = arbiter.post(url("adjust", match), typing, headers={"HX-Request": "true"})
    assert (page.status_code, 'data-total="-30"' in page.text) == (200, True)
    assert arbiter.post(url("adjust", match), typing).status_code == 422
    assert not Adjustment.objects.exists()


def test_where_low_totals_win_a_penalty_gives_points(cast, arbiter):
    match = make_match(club=cast.club, players=cast.players, system="barbu", first_dealer=0)
    page = arbiter.get(url("adjust", match))
    assert 'value="gives" checked' in page.text
    assert "lowest total wins" in page.text
    data = typed(match, way="gives", after_deal="0", action="preview")
    assert "Dima takes 40" in plain(arbiter.post(url("adjust", match), data))


def test_same_form_twice_is_one_row(arbiter, match):
    data = typed(match)
    for _ in range(2):
        assert arbiter.post(url("adjust", match), data).status_code == 303
    assert totals(match) == (-40, -30, -105, -70)


def test_sheet_row_leads_to_who_when_and_why_and_back(cast, arbiter, phone_of, match):
    arbiter.post(url("adjust", match), typed(match))
    row = Adjustment.objects.get()
    watching = phone_of(cast.badr)
    sheet = plain(watching.get(url("sheet", match)))
    assert f'href="{url("adjust", match)}#a-{row.id}"' in sheet
    assert "Penalty" in sheet
    page = plain(watching.get(url("adjust", match)))
    assert f'id="a-{row.id}"' in page
    assert "−40 for Dima" in page
    assert "esam" not in page
    assert "Arbiter" in page
    assert "Looked at a hand" in page
    assert "Take back" not in page
    back = {"action": "void", "adjustment": row.id, "reason": "It was nothing"}
    answer = arbiter.post(url("adjust", match), typed(match, **back))
    assert answer.status_code == 303
    assert totals(match) == (-40, -30, -105, -30)
    page = plain(watching.get(url("adjust", match)))
    assert "Taken back" in page
    assert "It was nothing" in page
    again = arbiter.post(url("adjust", match), typed(match, **back))
    assert (again.status_code, codes(again)) == (422, ["not_standing"])


# Where something offsets a correction, it is said at the field. C66
def test_deal_and_its_correction_say_what_stands_beside_them(cast, arbiter, match):
    adjust(match, (0, 0, 0, -40), after_deal=2)
    adjust(match, (75, 0, 75, 0), code="correction", after_deal=1)
    beside = "A penalty stands beside this deal: −40 for Dima."
    later = "A penalty stands after deal 2: −40 for Dima."
    correction = "A correction stands beside this deal: +75 for Amal, Carmen."
    for query in ({}, {"correct": 1}):
        first, second = (plain(arbiter.get(url("deal", match, n, **query))) for n in (1, 2))
        assert beside in second
        assert correction not in second
        assert later in first
        assert correction in first


def test_names_and_reasons_are_shown_literally(cast, arbiter):
    match = make_match(club=cast.club, players=(*cast.players[:3], NASTY[:40]))
    arbiter.post(url("adjust", match), typed(match, after_deal="0", reason=NASTY))
    for name in ("adjust", "sheet"):
        assert NASTY not in arbiter.get(url(name, match)).text


def test_who_is_no_arbiter_reads_and_writes_nothing(cast, phone_of, match):
    adjust(match)
    for user in (cast.amal, cast.badr):
        page = phone_of(user).get(url("adjust", match))
        assert page.status_code == 200
        assert 'name="amount"' not in page.text
        assert phone_of(user).post(url("adjust", match), typed(match)).status_code == 403
    for client in (phone_of(cast.ghassan), phone_of(cast.farah), Client()):
        assert client.get(url("adjust", match)).status_code == 404
        assert client.post(url("adjust", match), typed(match)).status_code == 404
    assert Adjustment.objects.count() == 1
