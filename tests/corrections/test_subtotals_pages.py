"""Sums from paper: entered without a typed sign, filled in deal by deal, taken back."""

import re
import uuid

import pytest
from django.urls import reverse

from scoring.ledger.queries.snapshots import snapshot_of
from scoring.matches.services import matches
from scoring.models import MatchEvent, Subtotal
from tests.factories import diamonds, evenings, king, record, write
from tests.support.tables import codes, evening_of, form_data, match_of, phone_client, totals, url

pytestmark = pytest.mark.django_db

LEVANT = evenings()["evening-levant"]["deals"]


@pytest.fixture
def phone():
    return phone_client()


def sums(*numbers):
    """What the form sends for four sums; None stays empty."""
    told = {}
    for seat, number in enumerate(numbers):
        if number is not None:
            told |= {f"sum.{seat}": abs(number), f"sign.{seat}": "minus" if number < 0 else "plus"}
    return told


def post(phone, match, action, **fields):
    match.refresh_from_db()
    data = {"action": action, "entry_key": uuid.uuid4(), "version": match.version}
    return phone.post(url("subtotal", match), {**data, **fields})


# After a crash the sums of the kingdom are enough. C67
def test_sums_are_looked_at_and_entered(phone):
    match = evening_of("evening-levant", 0)
    told = sums(100, -10, 5, -95)
    events = MatchEvent.objects.count()
    page = post(phone, match, "look", **told)
    assert page.status_code == 200
    assert "−95" in page.text
    assert MatchEvent.objects.count() == events
    answer = post(phone, match, "enter", **told)
    assert (answer.status_code, answer.url) == (303, url("subtotal", match))
    assert totals(phone.get(url("match", match, contract=""))) == [100, -10, 5, -95]
    assert "Deals" in phone.get(url("subtotal", match)).text


# What is on paper was played.
def test_deals_on_paper_are_counted_wherever_deals_are(phone):
    match = evening_of("evening-levant", 0)
    post(phone, match, "enter", **sums(100, -10, 5, -95))
    page = phone.get(url("match", match, contract="")).text
    assert "no deal has been played yet" not in page
    assert 'deal <bdi class="num" dir="ltr">6</bdi> of' in page
    home = phone.get(reverse("home")).text
    assert '<bdi class="num" dir="ltr">5</bdi> of <bdi class="num" dir="ltr">20</bdi> deals' in home
    record(match, LEVANT[0])
    home = phone.get(reverse("home")).text
    assert '<bdi class="num" dir="ltr">5</bdi> of <bdi class="num" dir="ltr">20</bdi> deals' in home
    lost = phone.get(url("match_close", match, void=1)).text
    assert "<li>5 deals</li>" in lost
    write(matches.break_off, match, reason="Late")
    page = phone.get(url("match", match)).text
    assert 'After <bdi class="num" dir="ltr">5</bdi> of' in page


# The last sum follows where the rules promise what they come to; digits of any script. C13, C14
def test_one_sum_may_stay_empty(phone):
    match = evening_of("evening-levant", 0)
    told = {**sums(100, -10, 5, None), "sum.0": "١٠٠"}
    assert "−95" in post(phone, match, "look", **told).text
    post(phone, match, "enter", **told)
    assert Subtotal.objects.get().points == [100, -10, 5, -95]


@pytest.mark.parametrize(
    ("told", "code"),
    [
        (sums(100, None, None, -95), "missing"),
        ({"sum.0": "100", **sums(None, -10, 5, -95)}, "no_sign"),
        ({**sums(100, -10, 5, -95), "sum.0": "ten"}, "bad_points"),
        ({**sums(100, -10, 5, -95), "sum.0": "99999"}, "bad_points"),
        (sums(100, -10, 5, -90), "wrong_sum"),
        (sums(2000, -2000, 0, 0), "out_of_reach"),
    ],
)
def test_what_cannot_be_is_said_and_what_was_typed_stays(phone, told, code):
    match = evening_of("evening-levant", 0)
    for action in ("look", "enter"):
        answer = post(phone, match, action, **told)
        assert answer.status_code == 422
        assert code in codes(answer)
        assert f'value="{told["sum.0"]}"' in answer.text
    assert not Subtotal.objects.exists()


def test_chooser_is_asked_where_nobody_knows(phone):
    match = match_of(first_chooser=None)
    assert 'name="sum.0"' not in phone.get(url("subtotal", match)).text
    assert 'name="sum.0"' in post(phone, match, "next", chooser=1).text
    post(phone, match, "enter", chooser=1, **sums(100, -10, 5, -95))
    assert {deal.chooser for deal in snapshot_of(match).played} == {1}


def test_each_chooser_of_a_round_says_what_he_chose(phone):
    match = evening_of("evening-kleshchi", 0)
    deals = evenings()["evening-kleshchi"]["deals"][:4]
    told = sums(*(sum(deal["scores"][seat] for deal in deals) for seat in range(4)))
    missing = post(phone, match, "look", **told)
    assert "missing" in codes(missing)
    told |= {f"contract.{place}": deal["contract"] for place, deal in enumerate(deals)}
    assert post(phone, match, "look", **told).status_code == 200
    assert post(phone, match, "enter", **told).status_code == 303
    assert list(snapshot_of(match).sheet.totals) == deals[3]["totals"]


def on_paper():
    match = evening_of("evening-levant", 0)
    post(phone_client(), match, "enter", **sums(100, -10, 5, -95))
    record(match, LEVANT[5])
    return match


# Filled in later from the sheet. C67
def test_deal_is_filled_in_at_its_own_number(phone):
    match = on_paper()
    assert "on paper" in phone.get(url("sheet", match)).text
    assert "deal=2" in phone.get(url("subtotal", match)).text
    page = phone.get(url("match", match, deal=2, contract=""))
    assert "contract=king&amp;deal=2" in page.text
    form = phone.get(url("match", match, deal=2, contract="king"))
    assert 'name="deal_number" value="2"' in form.text
    data = form_data(match, "king", {"king_taken_by": 2}, deal_number=2, chooser=1)
    answer = phone.post(url("match", match, deal=2, contract="king"), data)
    assert (answer.status_code, answer.url) == (303, url("subtotal", match))
    assert snapshot_of(match).deal(2).contract == "king"
    assert totals(phone.get(url("match", match, contract=""))) == LEVANT[5]["totals"]


def test_sums_stay_in_reach_when_all_deals_are_played(phone):
    match = on_paper()
    for deal in LEVANT[6:]:
        record(match, deal)
    assert url("subtotal", match) in phone.get(url("match", match, contract="")).text
    page = phone.get(url("match", match, deal=2, contract="king"))
    assert 'name="deal_number" value="2"' in page.text


# The answer got lost, the tap comes again.
def test_sums_that_were_written_already_are_not_refused(phone):
    match = evening_of("evening-levant", 15)
    last = [sum(deal["scores"][seat] for deal in LEVANT[15:]) for seat in range(3)]
    told = {"entry_key": uuid.uuid4(), **sums(*last, None)}
    for _ in range(2):
        assert post(phone, match, "enter", **told).status_code == 303
    assert Subtotal.objects.count() == 1


def test_refused_deal_stays_at_its_number(phone):
    match = on_paper()
    data = form_data(match, "diamonds", {"diamonds": [1, 1, 1, 1]}, deal_number=2, chooser=1)
    answer = phone.post(url("match", match, deal=2, contract="diamonds"), data)
    assert answer.status_code == 422
    assert 'name="deal_number" value="2"' in answer.text


def test_contract_that_paper_does_not_have_is_refused(phone):
    match = on_paper()
    data = form_data(match, "king", {"king_taken_by": 2}, deal_number=2, chooser=3)
    answer = phone.post(url("match", match, deal=2, contract="king"), data)
    assert "not_on_paper" in codes(answer)


def test_difference_leads_to_the_check(phone):
    match = evening_of("evening-levant", 0)
    post(phone, match, "enter", **sums(115, -25, 5, -95))
    for deal in LEVANT[:5]:
        record(match, deal)
    for page in ("sheet", "subtotal"):
        answer = phone.get(url(page, match))
        assert "paper_differs" in codes(answer)
        assert url("match_check", match) in answer.text


def test_sums_are_taken_back(phone):
    match = evening_of("evening-levant", 0)
    post(phone, match, "enter", **sums(100, -10, 5, -95))
    row = Subtotal.objects.get()
    assert post(phone, match, "void", subtotal=row.id).status_code == 303
    assert snapshot_of(match).turn.deal_number == 1
    late = post(phone, match, "void", subtotal=row.id)
    assert (late.status_code, codes(late)) == (422, ["not_standing"])


def test_later_taking_back_says_why(phone):
    match = on_paper()
    row = Subtotal.objects.get()
    answer = post(phone, match, "void", subtotal=row.id)
    assert (answer.status_code, codes(answer)) == (422, ["missing"])
    assert post(phone, match, "void", subtotal=row.id, reason="r").status_code == 303


def test_old_page_is_told_that_the_match_has_moved_on(phone):
    match = evening_of("evening-levant", 0)
    answer = post(phone, match, "enter", version=0, **sums(100, -10, 5, -95))
    assert (answer.status_code, codes(answer)) == (409, ["stale"])


# C62
def test_member_who_does_not_play_enters_nothing(cast, phone_of):
    match = match_of(club=cast.club, players=(*cast.players[:3], "Zeina"), entries=[king()])
    phone = phone_of(cast.dima)
    assert 'name="sum.0"' not in phone.get(url("subtotal", match)).text
    assert post(phone, match, "enter", **sums(0, 0, 0, 0)).status_code == 403


# C94
def test_ghassan_finds_no_such_page(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players, entries=[diamonds()])
    phone = phone_of(cast.ghassan)
    assert phone.get(url("subtotal", match)).status_code == 404
    assert post(phone, match, "enter", **sums(0, 0, 0, 0)).status_code == 404


# What is filled in counts already: no total moves before the last deal of it is there. C18
def test_preview_of_a_deal_on_paper_moves_no_total(phone):
    match = on_paper()
    data = form_data(match, "king", {"king_taken_by": 2}, deal_number=2, chooser=1)
    data["action"] = "preview"
    answer = phone.post(
        url("match", match, deal=2, contract="king"), data, headers={"HX-Request": "true"}
    )
    assert re.findall(r'data-total="(-?\d+)"', answer.text) == list(map(str, LEVANT[5]["totals"]))


def test_preview_of_the_last_deal_on_paper_shows_the_difference(phone):
    match = evening_of("evening-levant", 0)
    post(phone, match, "enter", **sums(115, -25, 5, -95))
    for deal in LEVANT[:4]:
        record(match, deal)
    data = form_data(match, "queens", LEVANT[4]["input"], deal_number=5, chooser=1)
    data["action"] = "preview"
    answer = phone.post(
        url("match", match, deal=5, contract="queens"), data, headers={"HX-Request": "true"}
    )
    assert re.findall(r'data-total="(-?\d+)"', answer.text) == list(map(str, LEVANT[4]["totals"]))


def test_page_says_who_entered_them_and_that_they_were_taken_back(phone):
    match = evening_of("evening-levant", 0)
    post(phone, match, "enter", **sums(100, -10, 5, -95))
    post(phone, match, "void", subtotal=Subtotal.objects.get().id, reason="another sheet")
    page = phone.get(url("subtotal", match)).text
    assert "Taken back" in page
    assert "another sheet" in page


@pytest.mark.parametrize("action", ["look", "enter"])
def test_form_that_came_too_late_keeps_what_was_typed(action):
    match = evening_of("evening-levant", 0)
    late = phone_client(enforce_csrf_checks=True)
    answer = post(late, match, action, **sums(100, -10, 5, -95))
    assert (answer.status_code, codes(answer)) == (422, ["form_expired"])
    assert 'value="95"' in answer.text


def test_sum_may_stay_empty_only_where_it_follows(phone):
    follows = "it follows from the others"
    assert follows in phone.get(url("subtotal", evening_of("evening-levant", 0))).text
    assert follows not in phone.get(url("subtotal", evening_of("evening-kleshchi", 4))).text
    assert follows not in phone.get(url("subtotal", evening_of("evening-barbu", 4))).text


@pytest.mark.parametrize("field", ["chooser", "dealer", "contract.0", "sum.0", "together.king"])
def test_nonsense_in_a_field_breaks_nothing(phone, field):
    match = evening_of("evening-kleshchi", 0)
    for nonsense in ("-1", "x", "9" * 99, "\x00", "trex+king"):
        told = {**sums(100, -10, 5, -95), field: nonsense}
        assert post(phone, match, "look", **told).status_code == 422
