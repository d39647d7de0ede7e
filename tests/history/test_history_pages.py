"""The history of a deal as a tired person reads it, and each of its states brought back."""

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from scoring.common.actor import Actor
from scoring.history.presenters.history import ago, clock
from scoring.judging.services import disputes
from scoring.models import Deal, SeatPhone
from scoring.signatures.services import signatures
from tests.factories import NOW, correct, diamonds, king, make_match, record, redeal, void, write
from tests.support.tables import (
    PHONE,
    chosen,
    codes,
    evening_of,
    form_data,
    match_of,
    phone_client,
    url,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone():
    return phone_client()


def standing(match, number) -> Deal:
    return Deal.objects.standing().get(match=match, deal_number=number)


def history(page) -> list[str]:
    """Each line of it as text."""
    one = r'<li data-kind="\w+">(.*?)</li>\s*(?=<li data-kind|</ol>)'
    lines = re.findall(one, page.text, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", text).split()) for text in lines]


def restoring(page) -> list[str]:
    found = re.findall(r'href="([^"]*restore=[^"]*)"', page.text)
    return [address.replace("&amp;", "&") for address in found]


# ── what it says ────────────────────────────────────────────────────────


def test_a_correction_says_in_facts_what_it_changed(phone):
    match = match_of(entries=[king(taken_by=2)])
    correct(match, standing(match, 1), king(taken_by=0), reason="It was Amal", actor=PHONE)
    entered, corrected = history(phone.get(url("deal", match, 1)))
    assert entered.startswith("Entered")
    assert "King of hearts" in entered
    assert "K♥ : Amal instead of Carmen" in corrected
    assert "It was Amal" in corrected
    assert "counts" in corrected


def test_who_is_named_by_the_seat_of_the_phone(phone):
    match = match_of(entries=[king()])
    SeatPhone.objects.create(match=match, seat=1, device=PHONE.device, bound_at=NOW)
    line = history(phone.get(url("deal", match, 1)))[0]
    assert f"Badr · phone {PHONE.device.hex[:4]} · this phone" in line
    assert "without an account" not in line


@pytest.mark.parametrize(
    ("minutes", "said"),
    [(0, "just now"), (1, "1 minute ago"), (59, "59 minutes ago"), (130, "2 hours ago"), (721, "")],
)
def test_what_is_of_today_says_how_long_ago(minutes, said):
    assert ago(NOW, NOW + timedelta(minutes=minutes)) == said


def test_what_is_older_has_its_date_beside_the_clock():
    with timezone.override("Asia/Beirut"):
        assert clock(NOW, NOW + timedelta(hours=1)) == "20:15"
        assert clock(NOW, NOW + timedelta(days=2)) == "12 Nov 2026, 20:15"


def test_what_is_said_of_the_deal_afterwards_has_words_too(cast, phone_of):
    amal, esam = Actor(cast.amal), Actor(cast.esam)
    match = make_match(
        club=cast.club, players=cast.players, entries=[king(), diamonds()], actor=amal
    )
    about = {"deal_number": 1, "actor": esam}
    write(disputes.flag, match, **about | {"actor": amal, "words": "It was Badr"})
    write(disputes.claim, match, **about)
    write(disputes.release, match, **about)
    write(disputes.close, match, note="All agree", **about)
    write(disputes.reopen, match, reason="No", **about)
    page = phone_of(cast.amal).get(url("deal", match, 1))
    titles = ["Flagged", "Taken on by the arbiter", "Given back to the arbiters"]
    titles += ["Dispute closed", "Dispute reopened"]
    assert re.findall(r"<b>([^<]+)</b>", page.text.split("history-title")[2])[1:] == titles
    assert "It was Badr" in history(page)[1]
    assert len(history(phone_of(cast.amal).get(url("deal", match, 2)))) == 1


def test_who_has_signed_stands_in_the_history_of_each_deal(phone):
    match = evening_of("evening-levant", 6)
    row = write(signatures.sign, match, unit=1, seat=2, by_scorer=True, actor=PHONE)
    text = "Signed on the phone that keeps score: Carmen"
    assert text in history(phone.get(url("deal", match, 3)))[-1]
    write(signatures.withdraw, match, signature_id=row.id, by_scorer=True, actor=PHONE)
    assert "Signature taken back: Carmen" in history(phone.get(url("deal", match, 3)))[-1]
    assert len(history(phone.get(url("deal", match, 6)))) == 1


# ── each state is brought back ──────────────────────────────────────────


# Every save is a restorable version. C46
def test_an_earlier_version_is_one_tap_and_a_save_away(phone):
    match = match_of(entries=[king(taken_by=2, doubles=[{"card": "KH", "by": 1}])])
    first = standing(match, 1)
    correct(match, first, king(taken_by=0), actor=PHONE)
    [address] = restoring(phone.get(url("deal", match, 1)))
    page = phone.get(address)
    assert chosen(page, "king_taken_by") == "2"
    assert 'value="Restored the version of' in page.text
    facts = {"king_taken_by": 2, "doubles": [{"card": "KH", "by": 1}]}
    data = form_data(match, "king", facts, reason="Restored")
    assert phone.post(address, data).status_code == 303
    again = standing(match, 1)
    assert (again.payload, again.dealer) == (first.payload, first.dealer)
    assert "K♥ : Carmen instead of Amal" in history(phone.get(url("deal", match, 1)))[-1]


def test_a_version_of_another_contract_comes_back_as_that_contract(phone):
    match = match_of(entries=[king(taken_by=2)])
    correct(match, standing(match, 1), diamonds(4, 3, 3, 3), actor=PHONE)
    [address] = restoring(phone.get(url("deal", match, 1)))
    assert chosen(phone.get(address), "king_taken_by") == "2"


def test_who_dealt_comes_back_with_the_version(phone):
    match = match_of(entries=[king(taken_by=2)])
    first = standing(match, 1)
    correct(match, first, king(taken_by=2), dealer=1, actor=PHONE)
    [address] = restoring(phone.get(url("deal", match, 1)))
    assert chosen(phone.get(address), "drawn") is None
    assert f'name="drawn" value="{first.chooser}.{first.dealer}.' in phone.get(address).text


# What was taken back can be entered again. C119
def test_what_was_just_undone_is_brought_back_by_one_tap_and_a_save(phone):
    match = match_of(entries=[king(taken_by=2), diamonds(4, 3, 3, 3)])
    data = form_data(match, "", action="void", deal=standing(match, 2).id)
    answer = phone.post(url("match", match, contract=""), data)
    news = phone.get(answer.url)
    assert "Deal 2 was taken back: Diamonds" in news.text
    [address] = restoring(news)
    page = phone.get(address)
    assert [chosen(page, f"diamonds.{seat}") for seat in range(4)] == ["4", "3", "3", "3"]
    assert "data-filled" in page.text
    facts = {"diamonds": [4, 3, 3, 3]}
    assert phone.post(address, form_data(match, "diamonds", facts)).status_code == 303
    assert standing(match, 2).payload["input"] == {"diamonds": [4, 3, 3, 3]}
    assert "The same as before." in history(phone.get(url("deal", match, 2)))[-1]


def test_an_earlier_one_that_was_taken_back_comes_back_at_its_place(phone):
    match = evening_of("evening-levant", 4)
    for number in (2, 3):
        void(match, standing(match, number), reason="Mistake", actor=PHONE)
    assert restoring(phone.get(url("deal", match, 3))) == []  # 2 comes first
    [address, *_] = restoring(phone.get(url("deal", match, 2)))
    assert chosen(phone.get(address), "king_taken_by") == "2"


def test_what_is_no_version_of_this_deal_fills_nothing(phone):
    match, other = match_of(entries=[king(), diamonds()]), match_of(entries=[king(taken_by=1)])
    void(match, standing(match, 2), actor=PHONE)
    foreign = standing(other, 1).id
    for version in (foreign, standing(match, 1).id, uuid.uuid4(), "x"):
        page = phone.get(url("match", match, contract="diamonds", restore=version))
        assert page.status_code == 200
        assert "data-filled" not in page.text
    page = phone.get(url("deal", match, 1, correct=1, restore=foreign))
    assert chosen(page, "king_taken_by") == "2"


def test_a_version_whose_contract_was_played_since_says_so(phone):
    match = match_of(entries=[king(), diamonds()])
    gone = standing(match, 1)
    void(match, gone, reason="Mistake", actor=PHONE)
    record(match, king(taken_by=3), actor=PHONE, deal_number=1)
    page = phone.get(url("match", match, contract="king", restore=gone.id))
    assert codes(page) == ["not_this_contract"]


def test_nothing_is_offered_to_who_may_not(cast, phone_of):
    club = cast.club
    club.is_public = True
    club.save()
    match = match_of(club=club, players=cast.players, entries=[king()])
    correct(match, standing(match, 1), king(taken_by=0), actor=Actor(cast.owner))
    page = phone_of(cast.farah).get(url("deal", match, 1))
    assert len(history(page)) == 2
    assert restoring(page) == []
    void(match, standing(match, 1), actor=PHONE)
    assert restoring(phone_of(cast.farah).get(url("deal", match, 1))) == []


def test_ghassan_finds_no_history(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players, entries=[king()])
    for stranger in (phone_of(cast.ghassan), Client()):
        assert stranger.get(url("deal", match, 1, restore=standing(match, 1).id)).status_code == 404


# ── an undo says what it takes ──────────────────────────────────────────


def test_undo_names_the_deal_that_it_takes_back(phone):
    match = evening_of("evening-levant", 7)
    assert standing(match, 7).contract == "tricks"
    assert "Undo deal 7: Tricks</button>" in phone.get(url("match", match)).text
    assert "Undo deal 7: Tricks</button>" in phone.get(url("deal", match, 7, void=1)).text


def test_undo_of_a_redeal_names_it(phone):
    match = match_of(entries=[king()])
    redeal(match, actor=PHONE)
    assert "Undo: deal 2 dealt again</button>" in phone.get(url("match", match)).text
