"""The entered deals of a match held against the totals that the paper says."""

import re
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.urls import reverse

from scoring.ledger.queries.snapshots import ruleset_of
from scoring.rules import Contract, Entry, Tally, points
from tests.factories import adjust, diamonds, king, make_match
from tests.support.asking import NASTY
from tests.support.markup import flat
from tests.support.tables import codes, evening_of, match_of, phone_client, url


@pytest.fixture(autouse=True)
def nobody_asked_yet():
    cache.clear()


@pytest.fixture
def match(db):
    return match_of(entries=[diamonds(7, 3, 2, 1), king(2)])


def typed(kind, *totals):
    """Four totals as they are typed: digits, and the sign chosen beside them."""
    found = {}
    for seat, total in enumerate(totals):
        if total is not None:
            found[f"{kind}.{seat}"] = str(abs(total))
            found[f"{kind}.{seat}.sign"] = "-" if total < 0 else "+"
    return found


def check(match, data, client=None):
    return (client or phone_client()).post(url("match_check", match), data)


def found(response):
    return re.search(r'data-found="(\w+)"', response.text)[1]


def corrections(response):
    links = re.findall(r'<a class="button" href="([^"]*)"', response.text)
    return [link.replace("&amp;", "&") for link in links]


def test_totals_that_agree_are_said_to(match):
    response = check(match, typed("match", -70, -30, -95, -10))
    assert (response.status_code, found(response)) == (200, "agrees")


def test_penalty_that_the_paper_does_not_have_is_no_mistake_in_a_deal(match):
    adjust(match, points=(-40, 0, -40, 0))
    response = check(match, typed("match", -70, -30, -95, -10))
    told = re.sub("<[^>]+>", "", response.text)
    assert found(response) == "changes"
    assert "Penalty: −40 for Amal, Carmen is not on the paper" in told
    assert "Carmen: −95 on paper, −135 on this sheet" in told
    assert corrections(response) == []


def test_the_likeliest_change_comes_first_and_is_one_tap_from_a_correction(match):
    response = check(match, typed("match", -60, -40, -95, -10))
    assert found(response) == "changes"
    assert "7" in response.text
    link = corrections(response)[0]
    assert link.startswith(url("deal", match, 1))
    form = phone_client().get(link)
    chosen = re.findall(r'name="diamonds\.\d" value="(\d+)" checked', flat(form))
    assert chosen == ["6", "4", "2", "1"]


# No field needs a typed sign (C13), and digits of any script are read (C14).
@pytest.mark.parametrize("minus_70", ["٧٠", "۷۰", "70", "-70", "−70"])
def test_numbers_are_read_in_any_digits_with_the_sign_beside_them(match, minus_70):
    data = typed("match", -70, -30, -95, -10) | {"match.0": minus_70}
    assert found(check(match, data)) == "agrees"


def test_sign_is_chosen_as_the_deals_have_it(match):
    page = phone_client().get(url("match_check", match))
    assert page.text.count('<option value="-" selected>') >= 4


def test_empty_fields_ask_nothing(match):
    assert found(check(match, typed("match", -70, None, None, None))) == "agrees"
    response = check(match, typed("match", -60, None, None, None))
    assert found(response) == "changes"


def test_totals_after_each_deal_show_where(match):
    data = typed("running.1", -60, -40, -20, -10) | typed("running.2", -60, -40, -95, -10)
    assert [link.split("?")[0] for link in corrections(check(match, data))] == [
        url("deal", match, 1)
    ]


def test_sums_of_kingdoms_are_asked_for(match):
    response = check(match, typed("kingdom.1", -60, -40, -95, -10))
    assert len(corrections(response)) == 1


def test_equally_likely_changes_are_said_to_be(db):
    match = match_of(entries=[diamonds(4, 4, 4, 1), diamonds(4, 4, 4, 1, chooser=1)])
    response = check(match, typed("match", -90, -70, -80, -20))
    assert 'data-equal="2"' in response.text


def test_doubles_that_the_paper_cannot_tell_apart_stand_in_one_place(db):
    facts = {"queens_taken_by": {"QS": 0, "QH": 1, "QD": 2, "QC": 3}}
    tally = Tally.from_json(facts | {"doubles": [{"card": "QS", "by": 1}]})
    match = match_of(entries=[Entry(Contract.read("queens"), 0, False, tally)])
    response = check(match, typed("match", -25, -25, -25, -25))
    one = re.search(
        r'<li class="change">(?:(?!<li class="change">).)*data-alike="2".*?</details>',
        response.text,
        re.DOTALL,
    )
    told = re.sub("<[^>]+>", "", one[0])
    assert "doubled by Amal instead of Badr" in told
    assert "was not doubled" in told
    assert len(re.findall(r'class="button" href', one[0])) == 3


def test_what_no_single_change_explains_is_said(match):
    response = check(match, typed("match", -71, -33, -99, 7))
    assert found(response) == "nothing"
    assert "No single change that we know explains this." in response.text
    assert corrections(response) == []


def test_deal_that_the_paper_left_out_is_named(match):
    response = check(match, typed("match", 0, 0, -75, 0))
    told = re.sub("<[^>]+>", "", response.text)
    assert "Total of the match: Deal 1: Diamonds is not counted" in told


def test_totals_off_by_the_same_are_one_sentence(match):
    data = typed("running.1", -60, -30, -20, -10) | typed("running.2", -60, -30, -95, -10)
    told = re.sub("<[^>]+>", "", check(match, data).text)
    assert "From deal 1 on: Amal is 10 too high" in told
    assert "on paper" not in told


def test_other_contract_leads_to_its_repair(db):
    match = match_of(entries=[diamonds(4, 4, 4, 1)])
    response = check(match, typed("match", -60, -60, -60, -15))
    told = re.sub("<[^>]+>", "", response.text)
    assert "the contract is Tricks instead of Diamonds" in told
    assert corrections(response) == [url("repair", match) + "?what=contract"]


def test_contract_that_was_not_forced_leads_to_its_correction(db):
    forced = replace(diamonds(4, 4, 4, 1), forced=True)
    match = match_of(entries=[forced], options={"forced_factor": 2})
    response = check(match, typed("match", -40, -40, -40, -10))
    told = re.sub("<[^>]+>", "", response.text)
    assert "the contract was not forced" in told
    link = corrections(response)[0]
    assert link.startswith(url("deal", match, 1) + "?correct=1&contract=diamonds&diamonds.0=4")


def test_contract_that_the_schedule_does_not_force_leads_to_the_repairs(db):
    match = match_of(entries=[diamonds(4, 4, 4, 1)], options={"forced_factor": 2})
    response = check(match, typed("match", -80, -80, -80, -20))
    told = re.sub("<[^>]+>", "", response.text)
    assert "the contract was forced" in told
    assert url("repair", match) in corrections(response)


def test_number_that_is_none_is_said_at_its_field_and_nothing_is_lost(match):
    data = typed("match", -70, -30, -95, -10) | {"match.1": "thirty"}
    response = check(match, data)
    assert response.status_code == 422
    assert codes(response) == ["not_a_number", "not_a_number"]
    assert 'value="95"' in response.text
    assert "thirty" in response.text


def test_nothing_typed_is_asked_for(match):
    response = check(match, {})
    assert (response.status_code, codes(response)) == (422, ["missing"])


def test_too_many_questions_wait(match):
    for _ in range(41):
        response = check(match, typed("match", -70, -30, -95, -10))
    assert (response.status_code, codes(response)) == (422, ["too_often"])


def test_form_that_came_too_late_keeps_what_was_typed(match):
    client = phone_client(enforce_csrf_checks=True)
    response = check(match, typed("match", -71, None, None, None), client)
    assert (response.status_code, codes(response)) == (422, ["form_expired"])
    assert 'value="71"' in response.text


def test_whoever_may_not_correct_sees_no_correction(cast, phone_of):
    players = (*cast.players[:3], "Zeina")
    match = make_match(club=cast.club, players=players, entries=[king(2)])
    response = check(match, typed("match", 0, -75, 0, 0), phone_of(cast.dima))
    assert (found(response), corrections(response)) == ("changes", [])


def test_closed_match_is_looked_through_without_corrections(match):
    match.state = "finished"
    match.save()
    response = check(match, typed("match", -60, -40, -95, -10))
    assert found(response) == "changes"
    assert corrections(response) == []


def test_names_are_shown_as_they_are(db):
    match = match_of(players=(NASTY, "Badr", "Carmen", "Dima"), entries=[king(2)])
    response = check(match, typed("match", -75, 0, 0, 0))
    assert NASTY not in response.text


@pytest.mark.parametrize("evening", ["evening-levant", "evening-barbu"])
def test_whole_evening_is_looked_through(db, evening):
    match = evening_of(evening)
    deals = match.current_deals.select_related("deal").order_by("deal_number")
    first = points(deals[0].deal.entry, ruleset_of(match)).scores
    response = check(match, typed("running.1", *(score + 5 for score in first)))
    assert found(response) == "nothing"
    assert found(check(match, typed("running.1", *first))) == "agrees"


def test_ghassan_finds_no_such_page(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players, entries=[king(2)])
    for answer in ("get", "post"):
        page = getattr(phone_of(cast.ghassan), answer)(reverse("match_check", args=[match.id]))
        assert page.status_code == 404


def test_match_without_deals_has_nothing_to_compare(db):
    match = match_of()
    assert check(match, {}).status_code == 422
    assert phone_client().get(url("match_check", match)).status_code == 200
