"""Cards dealt again: said at the table, seen in the history and on the sheet, taken back."""

import uuid

import pytest
from django.test import Client

from scoring.ledger.queries.match_view import match_view
from scoring.models import Deal, Redeal
from scoring.rules import Contract, Entry, Tally
from tests.factories import king, record, redeal
from tests.support.asking import NASTY, errors
from tests.support.tables import (
    PHONE,
    codes,
    evening_of,
    form_data,
    match_of,
    phone_client,
    url,
)

pytestmark = pytest.mark.django_db

TEAMS = {"teams": "opposite", "redeal.queens_draw": True}
DRAWN = {"queens_taken_by": {"QS": 0, "QH": 1, "QD": 2, "QC": 3}}


@pytest.fixture
def phone():
    return phone_client()


def said(match, why="weak_hearts", **given):
    match.refresh_from_db()
    data = {"entry_key": uuid.uuid4(), "version": match.version, "why": why}
    return {**data, **given}


def plain(response) -> str:
    text = response.text.replace("<bdi>", "").replace("</bdi>", "")
    return " ".join(text.split())


# ── saying it ───────────────────────────────────────────────────────────


def test_three_taps_say_who_asks_and_why(phone):
    match = evening_of("evening-levant", 6)
    assert url("redeal", match) in phone.get(url("match", match)).text
    answer = phone.post(url("redeal", match), said(match, asked_by="1"))
    assert (answer.status_code, answer["Location"]) == (303, url("match", match))
    row = Redeal.objects.get()
    assert (row.deal_number, row.reason, row.asked_by) == (7, "weak_hearts", 1)
    assert Deal.objects.count() == 6
    page = plain(phone.get(url("match", match)))
    assert "Dealt again: weak hearts, Badr" in page
    assert 'deal <bdi class="num" dir="ltr">7' in page


def test_page_offers_the_reasons_of_this_table_only(phone):
    page = phone.get(url("redeal", match_of()))
    assert [why for why, _, _ in page.context["reasons"]] == [
        "weak_hearts",
        "twos",
        "misdeal",
        "other",
    ]
    played = match_of()
    order = Tally.from_json({"finish_order": [0, 1, 2, 3]})
    record(played, Entry(Contract.read("trex"), 0, False, order), actor=PHONE)
    page = phone.get(url("redeal", played))
    assert "twos" not in [why for why, _, _ in page.context["reasons"]]
    barbu = match_of(system="barbu", options={"redeal.queens_draw": True, "teams": "opposite"})
    page = phone.get(url("redeal", barbu))
    assert [why for why, _, _ in page.context["reasons"]] == ["misdeal", "other"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"why": ""}, {"why": ["required"]}),
        ({"asked_by": ""}, {"asked_by": ["missing"]}),
        ({"why": "twos", "asked_by": "1"}, {"why": ["not_this_contract"]}),  # it was played
        ({"why": "queens_draw"}, {"why": ["invalid_choice"]}),
        ({"asked_by": "7"}, {"asked_by": ["invalid_choice"]}),
        ({"asked_by": "1", "hand": ["KH", "2H"]}, {"hand": ["no_redeal"]}),
        ({"asked_by": "1", "hand": ["1H"]}, {"hand": ["invalid_choice"]}),
        ({"why": "other", "reason": " "}, {"reason": ["missing"]}),
        ({"why": "other", "reason": "x" * 501}, {"reason": ["too_long"]}),
        ({"asked_by": "1", "version": "1"}, {"__all__": ["stale"]}),
        ({"asked_by": "1", "entry_key": "none"}, {"__all__": ["form_expired"]}),
    ],
)
def test_refusal_stands_at_its_field_with_what_was_said(phone, given, expected):
    match = evening_of("evening-levant", 6)
    response = phone.post(url("redeal", match), said(match, **given))
    assert response.status_code == (409 if "stale" in str(expected) else 422)
    assert errors(response) == expected
    assert set(codes(response)) == {code for each in expected.values() for code in each}
    assert response.context["form"]["why"].value() == given.get("why", "weak_hearts")
    assert not Redeal.objects.exists()


def test_cards_that_were_tapped_for_another_reason_are_left_out(phone):
    match = match_of()
    cards = {"hand": ["2S", "2H", "2D", "2C", "KH"]}
    phone.post(url("redeal", match), said(match, "twos", asked_by="1", **cards))
    assert Redeal.objects.get().hand == ["2S", "2H", "2D", "2C"]
    page = phone.get(url("redeal", match))
    assert page.text.count('class="card suit-') >= 4


def test_same_form_twice_is_one_redeal(phone):
    match = match_of()
    data = said(match, "misdeal")
    for _ in range(2):
        assert phone.post(url("redeal", match), data).status_code == 303
    assert Redeal.objects.count() == 1


def test_words_are_shown_literally(phone):
    match = match_of()
    phone.post(url("redeal", match), said(match, "other", reason=NASTY))
    page = phone.get(url("redeal", match)).text
    assert NASTY not in page
    assert "&lt;img" in page


def test_new_cards_of_the_first_deal_ask_again_who_holds_the_seven(phone):
    match = match_of(first_chooser=2)
    phone.post(url("redeal", match), said(match, "misdeal"))
    page = phone.get(url("match", match))
    assert "Who holds" in page.text
    match.refresh_from_db()
    data = {"action": "first", "seat": 1, "version": match.version, "entry_key": uuid.uuid4()}
    phone.post(url("match", match), data)
    match.refresh_from_db()
    assert (match.first_chooser, match.first_dealer) == (1, 1)


def test_contract_that_stays_opens_by_itself(phone):
    match = match_of(options={"redeal.keeps_contract": True})
    phone.post(url("redeal", match), said(match, "twos", asked_by="3"))
    assert 'name="finish_order.0"' in phone.get(url("match", match)).text


# ── seeing it and taking it back ────────────────────────────────────────


def test_history_of_the_number_and_the_sheet_tell_it(phone):
    match = evening_of("evening-levant", 6)
    redeal(match, "weak_hearts", asked_by=1, hand=("KH",), actor=PHONE)
    record(match, king(chooser=2), actor=PHONE)
    page = plain(phone.get(url("deal", match, 7)))
    history = page[page.index("history-title") :]
    assert history.index("Dealt again: weak hearts, Badr") < history.index("Entered")
    sheet = plain(phone.get(url("sheet", match)))
    assert 'title="Dealt again: weak hearts, Badr">↻' in sheet
    row = Redeal.objects.get()
    assert f"{url('redeal', match)}#r-{row.id}" in sheet
    page = plain(phone.get(url("redeal", match)))
    assert f'id="r-{row.id}"' in page
    assert 'class="card suit-h" title="king of hearts">K' in page


def test_one_tap_takes_it_back_and_a_played_deal_asks_why(phone):
    match = evening_of("evening-levant", 6)
    row = redeal(match, actor=PHONE)
    assert 'name="redeal"' in phone.get(url("match", match)).text
    back = {"action": "void", "redeal": row.id}
    assert phone.post(url("redeal", match), said(match, **back)).status_code == 303
    assert match_view(match).table.redeals == ()
    assert codes(phone.post(url("redeal", match), said(match, **back))) == ["not_standing"]
    row = redeal(match, actor=PHONE)
    record(match, king(chooser=2), actor=PHONE)
    back = {"action": "void", "redeal": row.id}
    answer = phone.post(url("redeal", match), said(match, **back))
    assert (answer.status_code, codes(answer)) == (422, ["missing"])
    answer = phone.post(url("redeal", match), said(match, **back, reason="It was deal 6"))
    assert answer.status_code == 303
    assert "It was deal 6" in phone.get(url("redeal", match)).text
    assert "Taken back" in phone.get(url("deal", match, 7)).text


def test_number_with_nothing_but_a_redeal_has_no_page_of_a_deal(phone):
    match = match_of()
    redeal(match)
    assert phone.get(url("deal", match, 1)).status_code == 404


def test_slower_phone_hears_that_it_was_dealt_again(phone):
    match = evening_of("evening-levant", 6)
    data = form_data(match, "king", {"king_taken_by": 0})
    redeal(match, "weak_hearts", asked_by=1)
    answer = phone.post(url("match", match, contract="king"), data)
    assert (answer.status_code, codes(answer)) == (409, ["stale"])
    assert "Dealt again: weak hearts, Badr" in plain(answer)
    assert 'name="king_taken_by" value="0"' in answer.text


# ── queens, two and two ─────────────────────────────────────────────────


def test_drawn_queens_are_offered_as_a_redeal_before_and_after_saving(phone):
    match = match_of(options=TEAMS)
    where = url("match", match, contract="queens")
    data = form_data(match, "queens", DRAWN, action="preview")
    seen = phone.post(where, data, headers={"HX-Request": "true"})
    assert 'name="action" value="redeal"' in seen.text
    assert "loses" not in seen.text
    refused = phone.post(where, form_data(match, "queens", DRAWN))
    assert (refused.status_code, set(codes(refused))) == (422, {"queens_draw"})
    assert 'name="action" value="redeal"' in refused.text
    assert not Deal.objects.exists()
    saved = phone.post(where, form_data(match, "queens", DRAWN, action="redeal"))
    assert saved.status_code == 303
    row = Redeal.objects.get()
    assert (row.reason, row.contract) == ("queens_draw", "queens")
    kept = row.event.content["facts"]["entry"]["input"]["queens_taken_by"]
    assert kept == DRAWN["queens_taken_by"]
    assert "Dealt again: queens two and two" in plain(phone.get(url("match", match)))
    assert "Amal took" in plain(phone.get(url("redeal", match)))


def test_queens_that_are_no_draw_are_saved_and_not_dealt_again(phone):
    match = match_of(options=TEAMS)
    facts = {"queens_taken_by": {"QS": 0, "QH": 1, "QD": 0, "QC": 0}}
    where = url("match", match, contract="queens")
    refused = phone.post(where, form_data(match, "queens", facts, action="redeal"))
    assert (refused.status_code, codes(refused)) == (422, ["no_redeal"])
    assert phone.post(where, form_data(match, "queens", facts)).status_code == 303
    assert Deal.objects.count() == 1


# ── who may ─────────────────────────────────────────────────────────────


def test_another_phone_and_another_club_see_nothing(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players)
    redeal(match, "other", reason="A secret")
    for client in (Client(), phone_of(cast.ghassan), phone_of(cast.farah)):
        assert client.get(url("redeal", match)).status_code == 404
        assert client.post(url("redeal", match), said(match, "misdeal")).status_code == 404
    assert Redeal.objects.count() == 1


def test_table_reads_and_a_member_of_another_match_does_not_write(cast, phone_of):
    match = match_of(club=cast.club, players=(*cast.players[:3], "Zeina"))
    row = redeal(match, "misdeal")
    watching = phone_of(cast.dima)
    page = watching.get(url("redeal", match))
    assert "Dealt again: misdeal" in plain(page)
    assert 'name="why"' not in page.text
    assert watching.post(url("redeal", match), said(match, "misdeal")).status_code == 403
    back = said(match, action="void", redeal=row.id)
    assert watching.post(url("redeal", match), back).status_code == 403
    assert Redeal.objects.count() == 1
