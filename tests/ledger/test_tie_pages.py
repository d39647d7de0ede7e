"""A tie at the top under `tie_break: trex_firsts`, from the last deal to the end, on the pages."""

import re
import uuid

import pytest

from scoring.models import Deal
from scoring.rules import Contract, Entry, Tally
from tests.factories import correct, even_entries, king, make_match, record
from tests.support.markup import flat
from tests.support.tables import PHONE, codes, form_data, match_of, phone_client, url

pytestmark = pytest.mark.django_db

TEAMS = {"teams": "opposite"}


@pytest.fixture
def phone():
    return phone_client()


def plain(response) -> str:
    text = response.text.replace("<bdi>", "").replace("</bdi>", "")
    return " ".join(text.replace('<bdi class="num" dir="ltr">', "").split())


def tied(**options):
    return match_of(entries=even_entries(), options=options)


def decide(phone, match, taken_by=2):
    """The extra deal, as its form sends it."""
    data = form_data(match, "king", {"king_taken_by": taken_by}, deal_number=21)
    return phone.post(url("match", match, contract="king"), data)


def finish(phone, match):
    match.refresh_from_db()
    data = {"action": "finish", "entry_key": uuid.uuid4(), "version": match.version}
    return phone.post(url("match", match), data)


def test_extra_deal_is_offered_with_every_contract_and_never_opens_by_itself(phone):
    match = tied()
    page = phone.get(url("match", match))
    assert "Deal to settle the tie" in page.text
    assert "One more deal decides between them" in page.text
    assert "agree on a contract" in page.text
    assert 'id="entry"' not in page.text
    opened = [button.key for button in page.context["buttons"] if button.state == "open"]
    assert opened == ["king", "queens", "diamonds", "tricks", "trex"]
    form = phone.get(url("match", match, contract="king"))
    assert "Deal to settle the tie" in form.text


@pytest.mark.parametrize("options", [{}, TEAMS])
def test_extra_deal_is_saved_ends_the_match_and_stands_on_the_sheet(phone, options):
    match = tied(**options)
    assert decide(phone, match).status_code == 303
    deal = Deal.objects.get(deal_number=21)
    assert not deal.uses_contract
    page = phone.get(url("match", match))
    assert "All 20 deals are in" in plain(page)
    assert "Deal to settle" not in page.text
    row = plain(phone.get(url("sheet", match)))
    row = row[row.index('data-deal="21"') :]
    assert "tie" in row[: row.index("</tr>")]
    assert plain(phone.get(url("deal", match, 21))).count("King of hearts") > 0
    assert codes(decide(phone, match)) == ["wrong_number"]
    assert finish(phone, match).status_code == 303


def test_whoever_loses_the_extra_deal_falls_behind_and_the_rest_share(phone):
    match = tied()
    decide(phone, match)
    finish(phone, match)
    page = phone.get(url("match", match))
    assert page.context["champions"] == ["Amal", "Badr", "Dima"]
    assert "After the extra deal Amal, Badr, Dima share the place" in plain(page)


def test_one_who_is_left_has_won(phone):
    match = tied()
    facts = {"finish_order": [3, 0, 1, 2]}
    data = form_data(match, "trex", facts, deal_number=21)
    phone.post(url("match", match, contract="trex"), data)
    finish(phone, match)
    page = phone.get(url("match", match))
    assert "The winner" in page.text
    assert "The extra deal decided for Dima" in plain(page)


def test_teams_compare_what_both_brought(phone):
    match = tied(**TEAMS)
    decide(phone, match)
    finish(phone, match)
    page = phone.get(url("match", match))
    assert page.context["champions"] == ["Badr", "Dima"]
    assert "The winners" in page.text
    assert re.findall(r'class="place-name"><bdi>(.*?)<', page.text) == [
        "Badr + Dima",
        "Amal + Carmen",
    ]
    assert "The extra deal decided for Badr + Dima" in plain(page)


@pytest.mark.parametrize("options", [{}, TEAMS])
def test_finished_without_the_extra_deal_they_share(phone, options):
    match = tied(**options)
    assert finish(phone, match).status_code == 303
    page = plain(phone.get(url("match", match)))
    assert "They share the first place" in page
    assert "and share the place" in page
    assert "One more deal" not in page


def test_extra_deal_is_taken_back_and_is_due_again(phone):
    match = tied()
    decide(phone, match)
    match.refresh_from_db()
    deal = Deal.objects.get(deal_number=21)
    data = {"action": "void", "deal": deal.id, "version": match.version}
    assert phone.post(url("match", match), {**data, "entry_key": uuid.uuid4()}).status_code == 303
    assert "Deal to settle the tie" in phone.get(url("match", match)).text


def test_extra_deal_may_be_dealt_again(phone):
    match = tied()
    sent = {"why": "misdeal", "version": match.version, "entry_key": uuid.uuid4()}
    assert phone.post(url("redeal", match), sent).status_code == 303
    page = plain(phone.get(url("match", match)))
    assert "Deal to settle the tie" in page
    assert "Dealt again: misdeal" in page


def test_another_club_sees_nothing_of_it(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players, entries=even_entries())
    assert phone_of(cast.ghassan).get(url("match", match)).status_code == 404


def test_an_extra_deal_whose_tie_is_gone_is_named_and_marked(phone):
    match = match_of(entries=even_entries())
    record(match, king(taken_by=2), actor=PHONE)
    facts = Tally.from_json({"queens": [0, 2, 1, 1]})
    changed = Entry(Contract.read("queens"), 0, False, facts)
    correct(match, match.deals.get(deal_number=2), changed, actor=PHONE)
    said = "A correction removed the tie: the extra deal stays here and does not count."
    sheet = flat(phone.get(url("sheet", match)))
    assert said in sheet
    assert re.search(r'<tr class="uncounted" data-deal="21">', sheet)
    assert said in phone.get(url("match", match)).text
