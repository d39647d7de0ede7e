"""Contracts by lot, in a fixed order, and forfeited."""

import pytest

from scoring.ledger.queries.match_view import match_view
from scoring.models import Deal
from tests.support.tables import chosen, codes, form_data, match_of, phone_client, url

pytestmark = pytest.mark.django_db

DRAWN = {"contract_order": "drawn", "general_last": True}


@pytest.fixture
def phone():
    return phone_client()


def draw(phone, match, **changes):
    return phone.post(url("match", match), {"action": "draw", **changes})


def drawn(answer) -> str:
    assert answer.status_code == 303
    return answer.url.split("contract=")[1].split("&")[0]


# Chance is no rule: the page draws, or the table has drawn and says what. C-B9
def test_the_page_draws_one_of_those_that_are_left(phone):
    match = match_of(system="barbu", options=DRAWN)
    page = phone.get(url("match", match)).text
    assert "Draw the contract" in page
    assert page.count('class="button contract') == 7
    found = {drawn(draw(phone, match)) for _ in range(100)}
    assert found == {"tricks", "last_trick", "hearts", "queens", "king", "trex", "fifty_one"}


def test_what_was_drawn_stands_in_the_address_and_is_said(phone):
    match = match_of(system="barbu", options=DRAWN)
    answer = draw(phone, match)
    for _ in range(2):  # a reload draws no other
        page = phone.get(answer.url).text
        assert "The lot fell on" in page
        assert f'name="contract" value="{drawn(answer)}"' in page
    assert not Deal.objects.exists()


def test_the_table_may_draw_for_itself(phone):
    match = match_of(system="barbu", options=DRAWN)
    page = phone.get(url("match", match, contract="queens")).text
    assert 'name="queens_taken_by.QS"' in page
    assert "The lot fell on" not in page


def test_general_is_never_drawn_before_the_others(phone):
    match = match_of(system="barbu", options=DRAWN)
    page = phone.get(url("match", match, contract="general"))
    assert codes(page) == ["not_this_contract"]
    assert 'class="contract later"' in page.text


def test_another_chooser_draws_from_what_he_has_left(phone):
    match = match_of(system="barbu", options=DRAWN)
    phone.post(url("match", match), form_data(match, "king", {"king_taken_by": 1}, chooser=2))
    found = {drawn(draw(phone, match, chooser=2)) for _ in range(60)}
    assert "king" not in found
    assert draw(phone, match, chooser=2).url.endswith("chooser=2")


@pytest.mark.parametrize("options", [{}, {"contract_order": "fixed"}])
def test_there_is_no_lot_where_the_rules_have_none(phone, options):
    match = match_of(system="barbu", options=options)
    assert "Draw the contract" not in phone.get(url("match", match, contract="")).text
    answer = draw(phone, match)
    assert (answer.status_code, codes(answer)) == (422, ["option_off"])


# ── fixed ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("order", "due", "other"), [("fixed", "king", "trex"), ("fixed_reversed", "trex", "king")]
)
def test_only_the_contract_that_is_due_opens(phone, order, due, other):
    match = match_of(system="kleshchi", options={"contract_order": order})
    assert f'name="contract" value="{due}"' in phone.get(url("match", match)).text
    page = phone.get(url("match", match, contract=other))
    assert codes(page) == ["not_this_contract"]
    assert page.text.count('class="button contract') == 1


# ── forfeits ────────────────────────────────────────────────────────────

FORFEITS = {"contract_order": "fixed", "forfeit_first_three": True}


# One tap for each of the first three. C-K5
def test_a_forfeit_is_one_tap_for_each_of_the_first_three(phone):
    match = match_of(system="kleshchi", options=FORFEITS, first_chooser=1)
    due = {1: "king", 2: "king", 5: "diamonds", 9: "queens", 13: "tricks"}
    for number in range(1, 14):
        page = phone.get(url("match", match)).text
        contract = page.split('name="contract" value="')[1].split('"')[0]
        assert contract == due.get(number, contract)
        assert ('name="forfeited"' in page) == (contract != "tricks")
        before_the_fold = page.split("Something went wrong")[0]
        assert 'name="forfeited"' in before_the_fold or contract == "tricks"
        if contract != "tricks":
            data = form_data(match, contract, forfeited=1)
            assert phone.post(url("match", match), data).status_code == 303
    page = phone.get(url("match", match)).text
    totals = [int(part.split('"')[0]) for part in page.split('<li data-total="')[1:]]
    assert totals == [-305, -305, -305, -305]


# The first three may also be taken in one row. C-K5
@pytest.mark.parametrize(("key", "costs"), [("king+diamonds", 205), ("king+queens+diamonds", 305)])
def test_several_are_forfeited_in_one_row(phone, key, costs):
    match = match_of(system="kleshchi", options=FORFEITS)
    page = phone.get(url("match", match)).text
    assert f'contract={key.replace("+", "%2B")}"' in page
    form = phone.get(url("match", match, contract=key))
    assert 'name="king_taken_by"' not in form.text
    assert chosen(form, "forfeited") == "1"
    assert f"loses {costs}" in form.text
    refused = phone.post(url("match", match), form_data(match, key, forfeited=""))
    assert set(codes(refused)) == {"missing"}
    answer = phone.post(url("match", match), form_data(match, key, forfeited=1))
    assert answer.status_code == 303, codes(answer)
    view = match_view(match)
    assert view.sheet.totals == (-costs, 0, 0, 0)
    assert not set(key.split("+")) & set(view.turn.left[0])
    assert chosen(phone.get(url("deal", match, 1, correct=1)), "forfeited") == "1"


def test_several_are_not_forfeited_out_of_their_turn(phone):
    match = match_of(system="kleshchi", options=FORFEITS)
    for key in ("king+queens", "queens+diamonds"):
        assert codes(phone.get(url("match", match, contract=key))) == ["not_this_contract"]
        answer = phone.post(url("match", match), form_data(match, key, forfeited=1))
        assert codes(answer) == ["not_this_contract"]


def test_the_preview_says_what_a_forfeit_costs(phone):
    match = match_of(system="kleshchi", options=FORFEITS)
    data = form_data(match, "king", forfeited=1, action="preview")
    answer = phone.post(url("match", match), data, headers={"HX-Request": "true"})
    assert "loses 75" in answer.text
    assert "not played" in answer.text


def test_ghassan_draws_nothing(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players, system="barbu", options=DRAWN)
    assert draw(phone_of(cast.ghassan), match).status_code == 404


def test_who_may_only_look_on_draws_nothing(cast, phone_of):
    cast.club.is_public = True
    cast.club.save()
    match = match_of(club=cast.club, players=cast.players, system="barbu", options=DRAWN)
    farah = phone_of(cast.farah)
    assert "Draw the contract" not in farah.get(url("match", match)).text
    assert draw(farah, match).status_code == 403
