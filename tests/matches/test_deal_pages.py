"""The page of one deal: facts, lines, history; correcting it and taking it back."""

import re
import uuid

import pytest
from django.test import Client

from scoring.models import Deal, Void
from tests.factories import correct, evenings, king, record, void
from tests.support.tables import (
    PHONE,
    chosen,
    codes,
    deals_of,
    evening_of,
    form_data,
    match_of,
    phone_client,
    totals,
    url,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone():
    return phone_client()


def plain(response) -> str:
    text = response.text.replace("<bdi>", "").replace("</bdi>", "")
    return " ".join(text.split())


def standing(match, number) -> Deal:
    return Deal.objects.standing().get(match=match, deal_number=number)


def correction(match, number, contract, facts, **changes):
    data = form_data(match, contract, facts, reason="Typed wrong", **changes)
    return url("deal", match, number, correct=1, contract=contract), data


# ── what it shows ───────────────────────────────────────────────────────


def test_it_tells_what_happened_what_it_was_worth_and_why(phone):
    match = evening_of("evening-levant", 9)
    page = plain(phone.get(url("deal", match, 9)))
    assert "Deal 9: Queens" in page
    assert "Carmen الخوري chose, Amal Haddad dealt" in page
    assert 'Carmen الخوري doubled <bdi dir="ltr" class="card suit-h pillow"' in page
    assert ">−75<" in page
    assert "doubled by Carmen" in page


# Plain sentences: entered by, at, from which phone. C48, C51
def test_its_history_says_who_when_which_phone_and_why(phone):
    match = match_of()
    saved = record(match, king(taken_by=2), actor=PHONE)
    correct(match, saved.deal, king(taken_by=1), reason="It was Badr", actor=PHONE)
    void(match, standing(match, 1), actor=PHONE, reason="Misdeal")
    page = plain(phone.get(url("deal", match, 1)))
    history = page[page.index("history-title") :]
    assert history.index("Entered") < history.index("Corrected") < history.index("Taken back")
    assert "It was Badr" in history
    assert "Misdeal" in history
    assert "this phone" in history
    assert PHONE.device.hex[:4] in history
    assert codes(phone.get(url("deal", match, 1))) == ["voided"]


# Times are those of the place, not of the server. C121
def test_times_are_those_of_the_club(cast, phone_of):
    cast.club.time_zone = "Asia/Beirut"
    cast.club.save()
    match = match_of(club=cast.club, players=cast.players)
    record(match, king(), actor=PHONE)  # at 18:15 UTC
    assert "20:15" in phone_of(cast.amal).get(url("deal", match, 1)).text


def test_a_number_that_was_never_written_is_not_found(phone):
    match = match_of()
    assert phone.get(url("deal", match, 1)).status_code == 404
    assert phone.get(url("deal", match, 999_999)).status_code == 404


# ── correcting ──────────────────────────────────────────────────────────


def test_the_form_has_what_stands_in_it_and_its_worth(phone):
    match = evening_of("evening-levant", 10)
    page = phone.get(url("deal", match, 10, correct=1))
    assert chosen(page, "king_taken_by") == "0"
    assert chosen(page, "doubles.KH") == "0"
    assert "loses 75" in plain(page)
    assert 'name="reason"' in page.text


def test_an_address_may_bring_the_correction_with_it(phone):
    match = evening_of("evening-levant", 10)
    page = phone.get(url("deal", match, 10, correct=1, king_taken_by=2))
    assert chosen(page, "king_taken_by") == "2"
    assert chosen(page, "doubles.KH") == ""  # nothing of what stands is mixed in
    assert "loses 75" in plain(page)
    facts = {"contract": "diamonds"} | {f"diamonds.{seat}": n for seat, n in enumerate([13, 0, 0])}
    page = phone.get(url("deal", match, 10, correct=1, **facts))
    assert [chosen(page, f"diamonds.{seat}") for seat in range(4)] == ["13", "0", "0", None]


def test_what_an_address_brings_is_judged_and_never_saved_by_itself(phone):
    match = evening_of("evening-levant", 10)
    page = phone.get(url("deal", match, 10, correct=1, king_taken_by="<b>"))
    assert codes(page) == ["bad_seat"]
    assert "&lt;b&gt;" in page.text
    assert deals_of(match) == 10


# Any deal of an open match is corrected and later totals follow. C44
def test_a_correction_moves_every_later_total(phone):
    match = evening_of("evening-levant", 7)
    old = standing(match, 2)
    where, data = correction(match, 2, "king", {"king_taken_by": 3})
    answer = phone.post(where, data)
    assert (answer.status_code, answer.url) == (303, url("deal", match, 2))
    assert totals(phone.get(url("match", match, contract=""))) == [240, 10, 120, -65]
    assert Deal.objects.get(replaces=old).dealer == old.dealer


# The wrong deal was edited: what is corrected, and how much was played after it, is told first. C46
def test_correcting_an_earlier_deal_says_which_and_what_came_after(phone):
    match = evening_of("evening-levant", 7)
    page = plain(phone.get(url("deal", match, 2, correct=1)))
    assert 'data-later="5"' in page
    assert "King of hearts, and not the newest: 5 deals were played after it" in page
    assert 'data-later="5"' in plain(phone.get(url("deal", match, 2, void=1)))
    assert "data-later" not in phone.get(url("deal", match, 7, correct=1)).text


def test_the_preview_of_a_correction_shows_the_totals_as_they_would_be(phone):
    match = evening_of("evening-levant", 7)
    where, data = correction(match, 2, "king", {"king_taken_by": 3}, action="preview")
    answer = phone.post(where, data, headers={"HX-Request": "true"})
    assert "<html" not in answer.text
    assert ">+120<" in answer.text
    assert ">−65<" in answer.text
    assert deals_of(match) == 7


def test_it_may_have_been_another_contract(phone):
    match = evening_of("evening-levant", 2)
    page = phone.get(url("deal", match, 2, correct=1))
    other = url("deal", match, 2, correct=1, contract="diamonds").replace("&", "&amp;")
    assert other in page.text
    where, data = correction(match, 2, "diamonds", {"diamonds": [13, 0, 0, 0]})
    assert phone.post(where, data).status_code == 303
    assert standing(match, 2).contract == "diamonds"


def test_a_contract_that_another_deal_used_is_refused(phone):
    match = evening_of("evening-levant", 2)
    where, data = correction(match, 2, "tricks", {"tricks": [13, 0, 0, 0]})
    answer = phone.post(where, data)
    assert (answer.status_code, codes(answer)) == (422, ["contract_used"])
    assert chosen(answer, "tricks.0") == "13"


@pytest.mark.parametrize(("reason", "code"), [("", "missing"), ("x" * 501, "too_long")])
def test_a_reason_is_needed_and_short(phone, reason, code):
    match = evening_of("evening-levant", 2)
    where, data = correction(match, 2, "king", {"king_taken_by": 3})
    answer = phone.post(where, data | {"reason": reason})
    assert answer.status_code == 422
    assert code in codes(answer)
    field = re.search(r'<input[^>]* id="reason"[^>]*>', answer.text)
    assert field
    assert 'aria-invalid="true" aria-describedby="reason_error"' in field[0]
    assert 'id="reason_error"' in answer.text
    assert chosen(answer, "king_taken_by") == "3"
    preview = phone.post(where, data | {"action": "preview"})
    assert answer.context["purses"] == preview.context["purses"]
    assert answer.context["effects"]
    assert deals_of(match) == 2


def test_the_same_correction_twice_is_one(phone):
    match = evening_of("evening-levant", 2)
    deal = standing(match, 2).id
    where, data = correction(match, 2, "king", {"king_taken_by": 3}, deal=deal)
    assert [phone.post(where, data).status_code for _ in range(2)] == [303, 303]
    assert deals_of(match) == 3


def test_a_stale_correction_says_so_and_keeps_what_was_tapped(phone):
    match = evening_of("evening-levant", 2)
    where, data = correction(match, 2, "king", {"king_taken_by": 3})
    record(match, evenings()["evening-levant"]["deals"][2], actor=PHONE)
    answer = phone.post(where, data)
    assert (answer.status_code, codes(answer)) == (409, ["stale"])
    assert chosen(answer, "king_taken_by") == "3"


def test_a_deal_of_a_closed_match_is_not_corrected(phone):
    match = evening_of("evening-levant")
    where, data = correction(match, 2, "king", {"king_taken_by": 3})
    phone.post(url("match", match), form_data(match, "", action="finish"))
    match.refresh_from_db()
    answer = phone.post(where, data | {"version": match.version})
    assert (answer.status_code, codes(answer)) == (422, ["match_closed"])
    assert "must be reopened" in phone.get(url("deal", match, 2)).text


def test_an_expired_token_gives_the_correction_back_as_it_was():
    phone = phone_client(enforce_csrf_checks=True)
    match = evening_of("evening-levant", 2)
    where, data = correction(match, 2, "king", {"king_taken_by": 3})
    answer = phone.post(where, data)
    assert (answer.status_code, codes(answer)) == (422, ["form_expired"])
    assert chosen(answer, "king_taken_by") == "3"
    assert "Typed wrong" in answer.text


# ── taking back ─────────────────────────────────────────────────────────


# Taking back stands apart and asks first. C119
def test_taking_back_asks_once_more_without_a_script(phone):
    match = evening_of("evening-levant", 2)
    page = phone.get(url("deal", match, 1, void=1)).text
    assert 'value="void"' in page
    assert 'id="reason" name="reason"' in page
    assert deals_of(match) == 2
    assert 'value="void"' not in phone.get(url("deal", match, 1)).text


# What was taken back can be entered again. C119
def test_an_earlier_deal_is_taken_back_with_its_reason_and_played_again(phone):
    match = evening_of("evening-levant", 3)
    data = form_data(match, "", action="void", deal=standing(match, 2).id)
    answer = phone.post(url("deal", match, 2), data)
    assert (answer.status_code, codes(answer)) == (422, ["missing"])
    asked = phone.post(url("deal", match, 2, void=1), data | {"reason": " "}).text
    assert 'data-code="missing"' in asked.split('id="void"')[1]
    data |= {"reason": "Never happened", "entry_key": uuid.uuid4()}
    answers = [phone.post(url("deal", match, 2), data) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert Void.objects.filter(match=match).count() == 1
    page = phone.get(url("match", match, contract="king"))
    assert "deal <bdi" in page.text
    assert 'name="deal_number" value="2"' in page.text


def test_the_newest_deal_needs_no_reason(phone):
    match = evening_of("evening-levant", 2)
    data = form_data(match, "", action="void", deal=standing(match, 2).id)
    assert phone.post(url("deal", match, 2), data).status_code == 303


def test_a_form_speaks_only_of_the_deal_of_its_page(phone):
    """The right to take back the newest deal is not the right to touch an earlier one."""
    match = evening_of("evening-levant", 3)
    first = standing(match, 1)
    data = form_data(match, "", action="void", deal=first.id, reason="Mine")
    answer = phone.post(url("deal", match, 3), data)
    assert (answer.status_code, codes(answer)) == (422, ["not_standing"])
    third = evenings()["evening-levant"]["deals"][2]
    where, data = correction(match, 3, third["contract"], third["input"], deal=first.id)
    assert phone.post(where, data).status_code == 303
    assert standing(match, 1) == first
    assert standing(match, 3).replaces_id


@pytest.mark.parametrize("action", ["preview", "save"])
def test_a_contract_nobody_knows_is_named(phone, action):
    match = evening_of("evening-levant", 2)
    where, data = correction(match, 2, "whist", {}, action=action)
    answer = phone.post(where, data)
    assert (answer.status_code, codes(answer)) == (422, ["unknown_contract"])


def test_a_late_preview_of_a_deal_taken_back_says_so(phone):
    match = evening_of("evening-levant", 2)
    where, data = correction(match, 2, "king", {"king_taken_by": 0}, action="preview")
    void(match, standing(match, 2), actor=PHONE)
    answer = phone.post(where, data)
    assert answer.status_code == 422
    assert "not_standing" in codes(answer)


# ── who may ─────────────────────────────────────────────────────────────


def test_who_may_only_look_on_gets_neither_button_nor_form(cast, phone_of):
    club = cast.club
    club.is_public = True
    club.save()
    match = match_of(club=club, players=cast.players)
    deal = record(match, king(), actor=PHONE).deal
    farah = phone_of(cast.farah)
    page = farah.get(url("deal", match, 1))
    assert page.status_code == 200
    assert "correct=1" not in page.text
    assert farah.get(url("deal", match, 1, correct=1)).status_code == 403
    where, data = correction(match, 1, "king", {"king_taken_by": 1})
    assert farah.post(where, data).status_code == 403
    data = form_data(match, "", action="void", deal=deal.id)
    assert farah.post(url("deal", match, 1), data).status_code == 403
    assert deals_of(match) == 1


def test_ghassan_and_strangers_find_nothing(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players)
    record(match, king(), actor=PHONE)
    for stranger in (phone_of(cast.ghassan), Client()):
        assert stranger.get(url("deal", match, 1)).status_code == 404


# ── what it costs ───────────────────────────────────────────────────────


@pytest.mark.parametrize("deals", [1, 20])
def test_queries_do_not_grow_with_the_deals(phone, django_assert_num_queries, deals):
    match = evening_of("evening-levant", deals)
    with django_assert_num_queries(9):
        phone.get(url("deal", match, 1))
    with django_assert_num_queries(9):
        phone.get(url("deal", match, 1, correct=1))
