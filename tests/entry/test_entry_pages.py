"""The match page: what it shows, what it saves, what it refuses."""

import re
import uuid

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from scoring.integrity.queries.integrity import findings
from scoring.models import Deal, Match
from tests.factories import evenings, king, make_match, record, void
from tests.pages.test_weight import packed, weight
from tests.support.asking import NASTY
from tests.support.links import came, phone_with
from tests.support.markup import flat
from tests.support.tables import (
    PHONE,
    chosen,
    codes,
    deals_of,
    evening_of,
    form_data,
    match_of,
    phone_client,
    taps,
    totals,
    url,
)

pytestmark = pytest.mark.django_db

SAVE = 12


@pytest.fixture
def phone():
    return phone_client()


def save(phone, match, contract, facts, **changes):
    page = url("match", match, contract=contract)
    return phone.post(page, form_data(match, contract, facts, **changes))


# ── what it shows ───────────────────────────────────────────────────────


# Everybody sees what was played and what is left. C12
def test_contracts_still_open_are_links_and_played_ones_marked(phone):
    match = evening_of("evening-levant", 7)
    page = phone.get(url("match", match)).text
    assert f'{url("match", match, contract="king")}"' in page
    assert f'{url("match", match, contract="tricks")}"' not in page
    assert page.count("contract done") == 2  # trex and tricks of Carmen's kingdom


def test_totals_stand_at_their_seats_as_in_the_file(phone):
    for number in (1, 7, 20):
        match = evening_of("evening-levant", number)
        file = evenings()["evening-levant"]["deals"][number - 1]["totals"]
        assert totals(phone.get(url("match", match, contract=""))) == file


def test_the_first_chooser_is_asked_when_nobody_has_said(phone):
    match = match_of(first_chooser=None, first_dealer=3)
    page = phone.get(url("match", match))
    assert "7♥" in page.text
    data = form_data(match, "", action="first", seat="2")
    assert phone.post(url("match", match), data).status_code == 303
    match.refresh_from_db()
    assert match.first_chooser == 2


def said_of_the_deal(page) -> str:
    """Who deals and chooses next, as the page says it."""
    found = re.search(r'<p class="turn-deals">(.*?)</p>', page.text, re.DOTALL)
    return strip_tags(found[1]).strip() if found else ""


# Cards are dealt before the contract is chosen.
@pytest.mark.parametrize("system", ["levant", "kleshchi"])
def test_the_lot_is_asked_for_and_the_dealer_named_from_the_start(phone, system):
    match = match_of(system=system, first_chooser=1, first_dealer=None)
    for asked in ("", "king"):  # the question stands before every form
        page = phone.get(url("match", match, contract=asked))
        assert re.search(r"<h1[^>]*>Who deals first\?</h1>", page.text)
        assert 'id="entry"' not in page.text
        assert said_of_the_deal(page) == ""
        assert ">deals<" not in page.text
    answer = phone.post(url("match", match), form_data(match, "", action="deals", seat="3"))
    assert answer.status_code == 303
    match.refresh_from_db()
    assert (match.first_chooser, match.first_dealer) == (1, 3)
    page = phone.get(url("match", match, contract=""))
    assert "Who deals first?" not in page.text
    assert said_of_the_deal(page) == "Dima deals, Badr chooses."
    record(match, king(taken_by=0, chooser=1), actor=PHONE, dealer=3)
    chooser = "Badr" if system == "levant" else "Carmen"
    expected = f"Amal deals, {chooser} chooses."
    assert said_of_the_deal(phone.get(url("match", match, contract=""))) == expected


def test_dealer_can_be_named_before_the_holder_of_the_seven(phone):
    match = match_of(first_chooser=None)
    assert "7♥" not in phone.get(url("match", match)).text
    phone.post(url("match", match), form_data(match, "", action="deals", seat="1"))
    page = phone.get(url("match", match))
    assert "7♥" in page.text
    assert said_of_the_deal(page) == "Badr deals."


def test_phone_that_keeps_score_by_the_link_says_who_begins(cast):
    match = make_match(club=cast.club, players=cast.players, first_chooser=None, now=timezone.now())
    phone, guest = phone_with("table")
    came(match, actor=guest, now=timezone.now())
    phone.post(url("match", match), {"action": "take"})
    for act, seat, asked in (("deals", 2, "Who deals first?"), ("first", 3, "7♥")):
        page = phone.get(url("match", match)).text
        assert asked in page
        assert page.count("seat-choice") == 4
        data = form_data(match, "", action=act, seat=seat)
        assert phone.post(url("match", match), data).status_code == 303
    match.refresh_from_db()
    assert (match.first_chooser, match.first_dealer) == (3, 2)


def test_no_seat_is_no_dealer(phone):
    match = match_of(first_chooser=1, first_dealer=None)
    answer = phone.post(url("match", match), form_data(match, "", action="deals", seat="9"))
    assert answer.status_code == 422
    match.refresh_from_db()
    assert match.first_dealer is None


@pytest.mark.parametrize("rule", ["owner_deals", "owner_left"])
def test_no_lot_where_a_rule_names_the_dealer(phone, rule):
    match = match_of(first_chooser=1, options={"dealer_rule": rule})
    page = phone.get(url("match", match, contract=""))
    assert "Who deals first?" not in page.text
    told = {"owner_deals": "Badr deals and chooses.", "owner_left": "Amal deals, Badr chooses."}
    assert said_of_the_deal(page) == told[rule]


def test_barbu_asks_who_deals_and_the_next_seat_chooses(phone):
    match = match_of(system="barbu", first_chooser=None)
    data = form_data(match, "", action="first", seat="2")
    assert phone.post(url("match", match), data).status_code == 303
    assert "<bdi>Dima</bdi> chooses" in phone.get(url("match", match)).text


def test_each_kingdom_may_ask_anew_who_holds_the_seven(phone):
    match = match_of(options={"kingdom_pass": "seven_each_kingdom"})
    for deal in evenings()["evening-levant"]["deals"][:5]:
        assert save(phone, match, deal["contract"], deal["input"]).status_code == 303
    page = flat(phone.get(url("match", match)))
    # Seat 0 had a kingdom already: if it holds the card, the next to its right chooses.
    named = re.findall(r'class="seat seat-choice" data-seat="(\d)" href="[^"]*chooser=(\d)"', page)
    assert named == [("0", "1"), ("1", "1"), ("2", "2"), ("3", "3")]
    assert page.count("<small><bdi>Badr</bdi> chooses</small>") == 1
    page = flat(phone.get(url("match", match, chooser=2, contract="king")))
    assert 'name="chooser" value="2"' in page
    assert save(phone, match, "king", {"king_taken_by": 1}, chooser=2).status_code == 303
    assert Deal.objects.get(match=match, deal_number=6).chooser == 2


def test_several_contracts_at_once_where_the_table_plays_so(phone):
    match = match_of(options={"combo": "free"})
    assert 'type="checkbox" name="contract" value="queens"' in phone.get(url("match", match)).text
    page = phone.get(f"{url('match', match)}?contract=queens&contract=king")
    assert 'name="contract" value="king+queens"' in page.text
    facts = {"king_taken_by": 1, "queens_taken_by": {"QS": 0, "QH": 1, "QD": 2, "QC": 3}}
    assert save(phone, match, "king+queens", facts).status_code == 303
    page = phone.get(url("match", match)).text
    assert page.count("contract done") == 2


# In barbu fifty-one and general are no part of another deal; in a fixed order the next few are.
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ({}, ["king", "queens", "hearts", "tricks", "last_trick"]),
        ({"contract_order": "fixed"}, []),
    ],
)
def test_only_what_can_be_combined_is_offered_together(phone, order, expected):
    page = phone.get(url("match", match_of(system="barbu", options={"combo": "free"} | order)))
    offered = re.findall(r'type="checkbox" name="contract" value="(\w+)"', page.text)
    assert sorted(offered) == sorted(expected)
    heads = re.findall(r'href="[^"]*contract=([\w%]*%2B[\w%]*)"', page.text)
    assert heads == ([] if expected else sorted(heads, key=len))
    assert bool(heads) != bool(expected)


def test_a_complex_kingdom_is_two_deals(phone):
    match = match_of(options={"combo": "complex"})
    page = phone.get(url("match", match)).text
    assert 'name="contract" value="king+queens+diamonds+tricks"' in page  # before Trex
    facts = {
        "king_taken_by": 1,
        "queens_taken_by": {"QS": 0, "QH": 1, "QD": 2, "QC": 3},
        "diamonds": [4, 3, 3, 3],
        "tricks": [4, 3, 3, 3],
    }
    answer = save(phone, match, "king+queens+diamonds+tricks", facts)
    assert answer.status_code == 303
    assert 'name="finish_order.0"' in phone.get(answer.url).text  # the only one left is open


def test_the_title_of_the_page_is_plain_text(phone):
    match = match_of(table_name="By the window")
    page = phone.get(url("match", match)).text
    assert "<title>By the window · trexscore</title>" in page


def test_an_impossible_first_chooser_is_refused(phone):
    match = match_of(first_chooser=None)
    answer = phone.post(url("match", match), form_data(match, "", action="first", seat="9"))
    assert (answer.status_code, codes(answer)) == (422, ["bad_seat"])
    assert "Not one of the four seats." in answer.text


def test_the_only_contract_left_is_open_already(phone):
    match = evening_of("evening-levant", 4)
    assert 'name="queens_taken_by.QS"' in phone.get(url("match", match)).text
    assert 'name="queens_taken_by.QS"' not in phone.get(url("match", match, contract="")).text


def test_a_contract_played_already_does_not_open(phone):
    match = evening_of("evening-levant", 2)
    page = phone.get(url("match", match, contract="tricks"))
    assert codes(page) == ["not_this_contract"]
    assert 'class="note error"' not in page.text
    assert 'name="tricks.0"' not in page.text


@pytest.mark.parametrize("contract", ["nonsense", "king+trex", "king+king", "+" * 50])
def test_an_unknown_contract_in_the_address_is_the_table(phone, contract):
    match = match_of()
    assert phone.get(url("match", match), {"contract": contract}).status_code == 200


def test_chips_show_what_they_are_worth(phone):
    match = match_of()
    page = phone.get(url("match", match, contract="diamonds")).text
    assert '<b>3</b><small><bdi class="num" dir="ltr">−30</bdi></small>' in page


# Everything is tapped: no number pad comes up, so no minus is missing on it. C13
def test_no_outcome_needs_the_number_pad(phone):
    for evening in evenings().values():
        match = match_of(system=evening["system"], first_chooser=0)
        for contract in dict.fromkeys(deal["contract"] for deal in evening["deals"]):
            page = phone.get(url("match", match, contract=contract)).text
            kinds = set(re.findall(r'<input[^>]* type="(\w+)"', page))
            assert 'class="entry"' in page
            assert kinds - {"text"} == {"radio", "hidden"}
            # Its cards, which may be left out.
            assert ("text" in kinds) == (contract == "fifty_one")
            assert page.count("<input ") == page.count('<input type="')


# The page belongs to one table and names no other. C23
def test_the_page_of_a_table_leads_to_no_other_table(phone):
    match, other = match_of(), match_of()
    for address in (url("match", match), url("match", match, contract="king")):
        page = phone.get(address).text
        assert str(match.id) in page
        assert str(other.id) not in page


# A name is never markup. C121
def test_names_are_shown_literally(phone):
    match = match_of(players=(NASTY, "Badr", "Carmen", "Dima"))
    for page in (url("match", match), url("match", match, contract="king"), url("sheet", match)):
        text = phone.get(page).text
        assert NASTY not in text
        assert "&lt;img" in text


# ── saving ──────────────────────────────────────────────────────────────


def test_saving_leads_back_to_the_table_with_undo_at_hand(phone):
    match = match_of()
    answer = save(phone, match, "king", {"king_taken_by": 2})
    assert answer.status_code == 303
    page = phone.get(answer.url)
    assert totals(page) == [0, 0, -75, 0]
    assert "Deal 1 is saved" in page.text
    assert 'value="void"' in page.text


def test_one_undo_is_offered_right_after_a_save(phone):
    match = match_of()
    save(phone, match, "king", {"king_taken_by": 2})
    for address in (url("match", match, saved=1), url("match", match, contract="")):
        assert phone.get(address).text.count('value="void"') == 1


def test_a_saved_deal_is_no_news_an_hour_later(phone):
    match = match_of()
    evening = evenings()["evening-levant"]["deals"][1]
    record(match, evening | {"deal_number": 1, "chooser": 0}, actor=PHONE)  # months ago
    page = phone.get(url("match", match, saved=1)).text
    assert "is saved" not in page


def test_the_newest_deal_is_taken_back_in_one_tap(phone):
    match = match_of()
    save(phone, match, "king", {"king_taken_by": 2})
    deal = Deal.objects.get(match=match)
    answer = phone.post(url("match", match), form_data(match, "", action="void", deal=deal.id))
    assert answer.status_code == 303
    page = phone.get(answer.url)
    assert totals(page) == [None] * 4
    assert "was taken back" in page.text


def test_what_was_taken_back_is_news_only_while_nothing_else_happened(phone):
    match = match_of()
    save(phone, match, "king", {"king_taken_by": 2})
    assert "taken back" not in phone.get(url("match", match, undone=1)).text
    deal = Deal.objects.get(match=match)
    phone.post(url("match", match), form_data(match, "", action="void", deal=deal.id))
    assert "taken back" in phone.get(url("match", match, undone=1, contract="")).text
    for other in ("2", "x", "9" * 30):
        assert "taken back" not in phone.get(url("match", match, undone=other)).text
    save(phone, match, "king", {"king_taken_by": 2})
    assert "taken back" not in phone.get(url("match", match, undone=1)).text


# After every save the page shows the totals worked out elsewhere. C29, C88
def test_each_deal_of_the_evenings_gives_the_totals_of_the_file(phone):
    for evening in evenings().values():
        match = match_of(
            system=evening["system"],
            players=evening["players"],
            first_chooser=evening["first_chooser"],
        )
        for deal in evening["deals"]:
            answer = save(phone, match, deal["contract"], deal["input"])
            assert answer.status_code == 303, codes(answer)
            assert totals(phone.get(f"{answer.url}&contract=")) == deal["totals"]
        stored = list(Deal.objects.filter(match=match).order_by("deal_number"))
        assert [row.dealer for row in stored] == [deal["dealer"] for deal in evening["deals"]]
        assert [row.forced for row in stored] == [deal["forced"] for deal in evening["deals"]]
        leaders = [deal["record"]["leader"] for deal in evening["deals"]]
        assert [row.leader for row in stored] == leaders


def test_the_last_value_may_stay_open_without_a_script(phone):
    match = match_of()
    facts = {"diamonds.0": "3", "diamonds.1": "5", "diamonds.2": "5"}
    assert phone.post(url("match", match), form_data(match, "diamonds", **facts)).status_code == 303
    assert totals(phone.get(url("match", match))) == [-30, -50, -50, 0]


# Arabic and Persian digits are counts like any others. C14
def test_digits_of_arabic_are_numbers(phone):
    match = match_of()
    answer = save(phone, match, "diamonds", {"diamonds": ["٣", "٥", "۵", "٠"]})
    assert answer.status_code == 303


# The same key is answered alike, whatever came in between. C01
def test_the_same_key_again_gives_the_same_answer_and_one_deal(phone):
    match = match_of()
    data = form_data(match, "king", {"king_taken_by": 2})
    page = url("match", match, contract="king")
    first, second = phone.post(page, data), phone.post(page, data)
    assert (first.status_code, first.url) == (second.status_code, second.url)
    record(match, evenings()["evening-levant"]["deals"][2] | {"deal_number": 2, "chooser": 0})
    third = phone.post(page, data)
    assert (third.status_code, third.url) == (303, first.url)
    assert deals_of(match) == 2


def test_htmx_gets_the_part_and_plain_browsers_the_page(phone):
    match = match_of()
    part = phone.get(url("match", match, contract="king"), headers={"HX-Request": "true"})
    assert part.text.lstrip().startswith('<div id="match"')
    assert "HX-Request" in part.headers["Vary"]
    page = phone.get(url("match", match, contract="king"))
    assert "<html" in page.text


# ── the preview ─────────────────────────────────────────────────────────


def preview(phone, match, contract, facts, htmx=True):
    headers = {"HX-Request": "true"} if htmx else {}
    data = form_data(match, contract, facts, action="preview")
    return phone.post(url("match", match, contract=contract), data, headers=headers)


# Words beside the sign say which way it went. C21
def test_the_preview_says_who_loses_and_gains_and_writes_nothing(phone):
    match = match_of()
    facts = {"king_taken_by": 2, "doubles": [{"card": "KH", "by": 0}]}
    answer = preview(phone, match, "king", facts)
    assert answer.status_code == 200
    text = answer.text.replace("<bdi>", "").replace("</bdi>", "")
    assert "Carmen loses 150 — doubled" in text
    assert "Amal gains 75 — doubled" in text
    assert "<html" not in text
    assert deals_of(match) == 0


# The totals of all four stand beside Save and move with what is tapped. C18
def test_the_totals_move_with_the_draft(phone):
    match = match_of()
    save(phone, match, "diamonds", {"diamonds": [13, 0, 0, 0]})
    drawn = phone.get(url("match", match, contract="king")).text
    assert re.findall(r'<li data-total="(-?\d+)">', drawn) == ["-130", "0", "0", "0"]
    tapped = preview(phone, match, "king", {"king_taken_by": 2}).text
    assert re.findall(r'<li data-total="(-?\d+)">', tapped) == ["-130", "0", "-75", "0"]


def test_the_preview_of_a_contradiction_says_what_is_wrong(phone):
    answer = preview(phone, match_of(), "diamonds", {"diamonds": [3, 3, 3, 3]})
    assert codes(answer) == ["wrong_total"]
    assert "12" in answer.text


def test_the_preview_does_not_complain_of_what_is_merely_open(phone):
    answer = preview(phone, match_of(), "diamonds", {"diamonds.0": "3"})
    assert codes(answer) == []


def test_without_a_script_the_preview_is_the_page_with_what_was_tapped(phone):
    answer = preview(phone, match_of(), "king", {"king_taken_by": 2}, htmx=False)
    assert "<html" in answer.text
    assert chosen(answer, "king_taken_by") == "2"
    assert "loses 75" in answer.text


def test_the_trick_leader_is_asked_in_the_preview_when_it_matters(phone):
    match = match_of(options={"doubling.self_capture": "leader_gains"})
    facts = {"king_taken_by": 2, "doubles": [{"card": "KH", "by": 2}]}
    assert 'name="trick_leader.KH"' in preview(phone, match, "king", facts).text
    other = {"king_taken_by": 1, "doubles": [{"card": "KH", "by": 2}]}
    assert 'name="trick_leader.KH"' not in preview(phone, match, "king", other).text
    full = {**taps(facts), "trick_leader.KH": "0"}
    assert "gains 75" in preview(phone, match, "king", full).text


# What hardly ever happens is asked about and stands in nobody's way. C10
def test_an_improbable_outcome_is_asked_about_and_saved(phone):
    match = match_of()
    facts = {"diamonds": [0, 0, 13, 0]}
    asked = preview(phone, match, "diamonds", facts).text
    assert "Really? <bdi>Carmen</bdi> took all there is: 13 diamonds." in asked
    assert "Really?" not in preview(phone, match, "diamonds", {"diamonds": [4, 3, 3, 3]}).text
    assert save(phone, match, "diamonds", facts).status_code == 303


# ── what is refused ─────────────────────────────────────────────────────

WRONG = {
    "twelve diamonds": ("diamonds", {"diamonds": [3, 3, 3, 3]}, "wrong_total"),
    "fourteen tricks": ("tricks", {"tricks": [9, 5, 0, 0]}, "wrong_total"),
    "a seat twice": ("trex", {"finish_order": [2, 2, 3, 1]}, "not_a_permutation"),
    "an unknown seat": ("king", {"king_taken_by": 4}, "bad_seat"),
    "no seat": ("king", {}, "missing"),
    "a queen without a taker": ("queens", {"queens_taken_by": {"QS": 1}}, "missing"),
    "text for a number": ("diamonds", {"diamonds": ["many", 3, 5, 5]}, "bad_counts"),
    "a negative number": ("diamonds", {"diamonds": [-3, 6, 5, 5]}, "bad_counts"),
    "10 kB for a number": ("diamonds", {"diamonds": ["9" * 10_000, 3, 5, 5]}, "bad_counts"),
    "10 kB for a seat": ("king", {"king_taken_by": "x" * 10_000}, "bad_seat"),
    "a double by nobody": ("king", {"king_taken_by": 1, "doubles.KH": "9"}, "bad_seat"),
    "a revoke by nobody": ("king", {"king_taken_by": 1, "revoke_by": "x"}, "bad_seat"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_entry_is_refused_in_place_and_nothing_is_lost(phone, name):
    contract, facts, code = WRONG[name]
    match = match_of()
    answer = save(phone, match, contract, facts)
    assert answer.status_code == 422
    assert codes(answer) == [code]
    assert deals_of(match) == 0
    for tapped, value in taps(facts).items():
        if value in ("0", "1", "2", "3", "5", "6"):
            assert chosen(answer, tapped) == value
    if "10 kB" in name:
        assert len(answer.content) < 40_000


# Two blanks are not two zeros, and each deal has its number of all. C08, C11
def test_no_blank_is_taken_for_a_zero(phone):
    match = match_of()
    answer = save(phone, match, "diamonds", {"diamonds.0": "3", "diamonds.1": "5"})
    assert (answer.status_code, codes(answer)) == (422, ["missing"])
    assert deals_of(match) == 0
    words = re.sub(r"<[^>]+>", "", answer.text)
    assert "deal 1 of 20" in " ".join(words.split())


def test_a_wrong_entry_gets_the_part_and_its_key_again(phone):
    match = match_of()
    data = form_data(match, "king", {})
    answer = phone.post(url("match", match), data, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert answer.text.lstrip().startswith('<div id="match"')
    assert str(data["entry_key"]) in answer.text


def test_a_contract_played_already_is_refused(phone):
    match = match_of()
    save(phone, match, "king", {"king_taken_by": 2})
    answer = save(phone, match, "king", {"king_taken_by": 1})
    assert (answer.status_code, codes(answer)) == (422, ["contract_used"])
    assert chosen(answer, "king_taken_by") == "1"
    assert deals_of(match) == 1


@pytest.mark.parametrize("contract", ["last_trick", "nonsense", "king+trex", ""])
def test_a_contract_that_the_table_does_not_play_is_refused(phone, contract):
    match = match_of()
    answer = save(phone, match, contract, {"last_trick_by": 1})
    assert (answer.status_code, codes(answer)) == (422, ["unknown_contract"])


# A late write to a closed match is refused and logged. C71
def test_a_closed_match_takes_no_deal(phone, caplog):
    match = evening_of("evening-levant")
    phone.post(url("match", match), form_data(match, "", action="finish"))
    answer = save(phone, match, "king", {"king_taken_by": 2})
    assert (answer.status_code, codes(answer)) == (422, ["match_closed"])
    assert chosen(answer, "king_taken_by") == "2"
    assert deals_of(match) == 20
    assert f"late write to closed match {match.id}" in caplog.text


def test_a_21st_deal_is_refused(phone):
    match = evening_of("evening-levant")
    answer = save(phone, match, "king", {"king_taken_by": 2})
    assert (answer.status_code, codes(answer)) == (422, ["match_over"])


@pytest.mark.parametrize("changes", [{"entry_key": "1"}, {"entry_key": ""}, {"version": "x"}])
def test_a_form_without_key_or_version_is_refused(phone, changes):
    match = match_of()
    answer = save(phone, match, "king", {"king_taken_by": 2}, **changes)
    assert (answer.status_code, codes(answer)) == (422, ["form_expired"])
    assert chosen(answer, "king_taken_by") == "2"


def test_an_expired_token_gives_the_form_back_as_it_was():
    phone = phone_client(enforce_csrf_checks=True)
    match = match_of()
    answer = save(phone, match, "king", {"king_taken_by": 2})
    assert (answer.status_code, codes(answer)) == (422, ["form_expired"])
    assert chosen(answer, "king_taken_by") == "2"
    assert 'name="csrfmiddlewaretoken"' in answer.text
    assert deals_of(match) == 0


def test_refusals_come_in_the_language_of_the_reader(phone):
    match = match_of()
    phone.cookies["django_language"] = "ar"
    answer = save(phone, match, "diamonds", {"diamonds": [3, 3, 3, 3]})
    assert '<html lang="ar" dir="rtl">' in answer.text
    assert codes(answer) == ["wrong_total"]


# ── two phones ──────────────────────────────────────────────────────────


# A conflict shows both versions and merges nothing. C34, C38
def test_a_stale_form_shows_both_and_writes_nothing(phone):
    match = match_of()
    data = form_data(match, "king", {"king_taken_by": 2}, deal_number=1, chooser=0)
    save(phone, match, "diamonds", {"diamonds": [13, 0, 0, 0]})
    answer = phone.post(url("match", match, contract="king"), data)
    assert answer.status_code == 409
    theirs, mine = answer.text.split('data-side="mine"')
    assert "−130" in theirs
    assert "−75" in mine
    assert 'name="king_taken_by" value="2"' in mine
    assert deals_of(match) == 1


def conflict(phone, match):
    data = form_data(match, "king", {"king_taken_by": 2}, deal_number=1, chooser=0)
    save(phone, match, "diamonds", {"diamonds": [13, 0, 0, 0]})
    phone.post(url("match", match, contract="king"), data)
    match.refresh_from_db()
    return data | {"entry_key": uuid.uuid4(), "version": match.version}


# Whoever acts while somebody types, and whoever types: both are shown, nobody outranks. C43, C54
@pytest.mark.parametrize(("first", "late"), [("amal", "owner"), ("esam", "amal")])
def test_rank_settles_no_conflict(cast, phone_of, first, late):
    match = match_of(club=cast.club, players=cast.players)
    earlier, later = phone_of(getattr(cast, first)), phone_of(getattr(cast, late))
    data = form_data(match, "king", {"king_taken_by": 2}, deal_number=1, chooser=0)
    assert save(earlier, match, "diamonds", {"diamonds": [13, 0, 0, 0]}).status_code == 303
    answer = later.post(url("match", match, contract="king"), data)
    assert answer.status_code == 409
    assert 'data-side="theirs"' in answer.text
    assert Deal.objects.get(match=match).contract == "diamonds"
    assert not list(findings())


def test_after_a_conflict_mine_can_be_the_correction(phone):
    match = match_of()
    again = conflict(phone, match) | {"action": "replace", "reason": "two phones"}
    deal = Deal.objects.get(match=match)
    answer = phone.post(url("match", match, contract="king"), again | {"deal": deal.id})
    assert answer.status_code == 303
    assert totals(phone.get(answer.url)) == [0, 0, -75, 0]
    assert Deal.objects.get(replaces=deal).contract == "king"


def test_a_correction_after_a_conflict_needs_its_reason(phone):
    match = match_of()
    again = conflict(phone, match) | {"action": "replace", "reason": " "}
    deal = Deal.objects.get(match=match)
    answer = phone.post(url("match", match, contract="king"), again | {"deal": deal.id})
    assert (answer.status_code, codes(answer)) == (422, ["missing"])
    assert deals_of(match) == 1


def test_a_stale_form_whose_deal_is_still_open_can_be_saved_after_all(phone):
    match = match_of()
    save(phone, match, "king", {"king_taken_by": 2})
    data = form_data(match, "diamonds", {"diamonds": [13, 0, 0, 0]}, deal_number=2, chooser=0)
    void(match, Deal.objects.get(match=match), actor=PHONE)
    answer = phone.post(url("match", match, contract="diamonds"), data)
    assert answer.status_code == 409
    match.refresh_from_db()
    again = data | {"entry_key": uuid.uuid4(), "version": match.version}
    del again["deal_number"]
    assert phone.post(url("match", match, contract="diamonds"), again).status_code == 303


# The version guards, whatever the totals are. C38, C123
def test_undo_against_an_older_version_is_refused(phone):
    match = match_of()
    save(phone, match, "king", {"king_taken_by": 2})
    data = form_data(match, "", action="void", deal=Deal.objects.get(match=match).id)
    save(phone, match, "diamonds", {"diamonds": [13, 0, 0, 0]})
    answer = phone.post(url("match", match), data)
    assert (answer.status_code, codes(answer)) == (409, ["stale"])


# ── the end ─────────────────────────────────────────────────────────────


# Nobody ends a match by accident: the totals stand above the step. C10
def test_finishing_is_a_step_of_its_own_that_shows_the_totals(phone):
    match = evening_of("evening-levant")
    page = phone.get(url("match", match)).text
    assert "All 20 deals are in" in page
    assert page.index("champion") < page.index('value="finish"')
    assert Match.objects.get(pk=match.pk).state == "running"
    answer = phone.post(url("match", match), form_data(match, "", action="finish"))
    assert answer.status_code == 303
    page = flat(phone.get(answer.url))
    assert "The winner" in page
    assert "<bdi>Amal Haddad</bdi></h1>" in page


def test_a_match_is_not_finished_before_its_last_deal(phone):
    match = evening_of("evening-levant", 19)
    answer = phone.post(url("match", match), form_data(match, "", action="finish"))
    assert (answer.status_code, codes(answer)) == (422, ["not_over"])


# What a forgotten phone sends again ends nothing a second time. C71
def test_finishing_twice_is_finishing_once(phone):
    match = evening_of("evening-levant")
    data = form_data(match, "", action="finish")
    answers = [phone.post(url("match", match), data).status_code for _ in range(2)]
    assert answers == [303, 303]


# Nobody types four names twice. C100
@pytest.mark.parametrize(
    ("seats", "names"),
    [("same", ["Amal", "Badr", "Carmen", "Dima"]), ("next", ["Dima", "Amal", "Badr", "Carmen"])],
)
def test_rematch_seats_the_same_four_again(phone, seats, names):
    match = match_of()
    data = {"entry_key": uuid.uuid4(), "seats": seats}
    first = phone.post(url("rematch", match), data)
    again = phone.post(url("rematch", match), data)
    assert first.status_code == 303
    assert first.url == again.url
    page = phone.get(first.url).text
    assert [name for name in names if f">{name}</bdi>" in page] == names
    new = Match.objects.get(rematch_of=match)
    seated = new.seatings.order_by("seat").values_list("player__name", flat=True)
    assert list(seated) == names


SHORT_GAME = {"contracts_scope": "game", "chooser_order": "rotate"}


def play_level(phone, order):
    """Five deals for the whole table, after which Badr and Carmen are level in front."""
    match = match_of(options=SHORT_GAME)
    deals = {
        "king": {"king_taken_by": 0},
        "queens": {"queens_taken_by": {"QS": 1, "QH": 1, "QD": 0, "QC": 0}},
        "diamonds": {"diamonds": [13, 0, 0, 0]},
        "tricks": {"tricks": [0, 0, 0, 13]},
        "trex": {"finish_order": order},
    }
    for contract, facts in deals.items():
        assert save(phone, match, contract, facts).status_code == 303
    return match


# Equal totals say what put one before the other. C76
def test_a_tie_broken_by_trex_says_so(phone):
    match = play_level(phone, [1, 2, 3, 0])
    page = phone.get(url("match", match)).text
    assert "More first places in Trex decide" in page
    phone.post(url("match", match), form_data(match, "", action="finish"))
    assert "<bdi>Badr</bdi></h1>" in flat(phone.get(url("match", match)))


def test_a_tie_that_stays_asks_for_one_more_deal(phone):
    match = play_level(phone, [3, 1, 2, 0])
    page = phone.get(url("match", match)).text
    assert "One more deal decides between them" in page
    answer = save(phone, match, "king", {"king_taken_by": 1})
    assert answer.status_code == 303
    page = phone.get(url("match", match)).text
    assert "The extra deal decided" in page
    phone.post(url("match", match), form_data(match, "", action="finish"))
    assert "<bdi>Carmen</bdi></h1>" in flat(phone.get(url("match", match)))


def test_a_tie_may_be_left_shared(phone):
    match = play_level(phone, [3, 1, 2, 0])
    answer = phone.post(url("match", match), form_data(match, "", action="finish"))
    assert answer.status_code == 303
    assert "They share the first place" in phone.get(answer.url).text


# ── who may ─────────────────────────────────────────────────────────────


def test_a_stranger_sees_nothing_of_a_clubless_match():
    match = match_of()
    stranger = Client()
    for page in (url("match", match), url("sheet", match), url("deal", match, 1)):
        assert stranger.get(page).status_code == 404
    assert stranger.post(url("match", match), form_data(match, "king")).status_code == 404
    assert stranger.post(url("rematch", match), {}).status_code == 404


def test_ghassan_sees_nothing_of_another_club(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players)
    ghassan = phone_of(cast.ghassan)
    for page in (url("match", match), url("sheet", match), url("deal", match, 1)):
        assert ghassan.get(page).status_code == 404


def test_who_may_only_look_on_gets_no_form_and_403(cast, phone_of):
    club = cast.club
    club.is_public = True
    club.save()
    match = match_of(club=club, players=cast.players)
    farah = phone_of(cast.farah)
    page = farah.get(url("match", match, contract="king"))
    assert page.status_code == 200
    assert "entry_key" not in page.text
    answer = farah.post(url("match", match), form_data(match, "king", {"king_taken_by": 1}))
    assert answer.status_code == 403
    assert deals_of(match) == 0


# A match finished by mistake goes on, by the arbiter's hand. C10, C65
def test_only_who_judges_reopens(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players)
    for deal in evenings()["evening-levant"]["deals"]:
        record(match, deal | {"chooser": (deal["chooser"] - 1) % 4}, actor=PHONE)
    amal, esam = phone_of(cast.amal), phone_of(cast.esam)
    amal.post(url("match", match), form_data(match, "", action="finish"))
    assert "Reopen" not in amal.get(url("match", match)).text
    reopen = form_data(match, "", action="reopen")
    assert amal.post(url("match", match), reopen).status_code == 403
    assert "Reopen" in esam.get(url("match", match)).text
    assert esam.post(url("match", match), reopen).status_code == 303
    match.refresh_from_db()
    assert match.is_running


# ── what it costs ───────────────────────────────────────────────────────


@pytest.mark.parametrize("deals", [1, 6, 18])
def test_queries_do_not_grow_with_the_deals(phone, django_assert_num_queries, deals):
    match = evening_of("evening-levant", deals)
    with django_assert_num_queries(4):
        phone.get(url("match", match, contract=""))
    contract = evenings()["evening-levant"]["deals"][deals]
    with django_assert_num_queries(4):
        page = phone.get(url("match", match, contract=contract["contract"]))
    assert 'class="entry"' in page.text
    data = form_data(match, contract["contract"], contract["input"])
    with django_assert_num_queries(SAVE):
        assert phone.post(url("match", match), data).status_code == 303


@pytest.mark.parametrize("contract", ["king", "queens", "diamonds", "tricks", "trex"])
def test_the_entry_page_is_light(phone, contract):
    match = match_of(players=("أمل " * 10, "Badr", "Carmen", "Dima"))
    assert packed(phone.get(url("match", match, contract=contract)).content) < 12_000


def test_the_longest_entry_page_is_light(phone):
    match = match_of(options={"combo": "complex"})
    page = phone.get(url("match", match, contract="king+queens+diamonds+tricks"))
    assert 'name="tricks.3"' in page.text
    assert packed(page.content) < 12_000
    assert weight(page) < 60_000


def test_phone_that_holds_a_match_reopens_it(phone):
    match = evening_of("evening-levant")
    phone.post(url("match", match), form_data(match, "", action="finish"))
    assert "Reopen" in phone.get(url("match", match)).text
    reopen = form_data(match, "", action="reopen")
    assert phone.post(url("match", match), reopen).status_code == 303
    match.refresh_from_db()
    assert match.is_running
