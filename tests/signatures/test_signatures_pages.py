"""Signatures on the pages: the card on the match page, the page of them all, the sheet, the end."""

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from scoring.common.actor import Actor, device_id
from scoring.common.device import COOKIE, signer
from scoring.ledger.services.lease import take
from scoring.models import Club, LinkKind, Match, MatchEvent, SeatPhone, Signature
from tests.factories import (
    correct,
    entry_of,
    evenings,
    finish,
    king,
    make_evening,
    newest,
    record,
)
from tests.support import judging, signing
from tests.support.asking import NASTY
from tests.support.links import came
from tests.support.markup import flat
from tests.support.tables import PHONE, codes, form_data, match_of, phone_client, url

pytestmark = pytest.mark.django_db

LEVANT = evenings()["evening-levant"]["deals"]
GUEST = "the phone of a guest"


def just_now(deals=6, **opening):
    """An evening of this hour, so that nobody has been silent for long."""
    given = {"actor": PHONE, "now": timezone.now() - timedelta(minutes=40)}
    return make_evening("evening-levant", deals, **{**given, **opening})


@pytest.fixture
def match(db):
    return just_now()


@pytest.fixture
def phone(db):
    """The phone that keeps score; it is of no seat."""
    return phone_client()


@pytest.fixture
def guest(match):
    """Carmen's phone: it came by the link of the table and says that it is of her seat."""
    return guest_of(match, 2)


def guest_of(match, seat=None, kind=LinkKind.TABLE):
    actor = Actor(device=device_id(GUEST))
    came(match, kind, actor, now=timezone.now())
    if seat is not None:
        SeatPhone.objects.create(
            match=match, seat=seat, device=actor.device, bound_at=timezone.now()
        )
    take(match_id=match.id, actor=PHONE, now=timezone.now())
    client = Client()
    client.cookies[COOKIE] = signer().sign(GUEST)
    return client


@pytest.fixture
def cast_match(cast):
    return just_now(club=cast.club, actor=Actor(cast.amal))


def signing_data(match, action="sign_for", **changes):
    sent = {"entry_key": uuid.uuid4(), "version": newest(match), "unit": "1", "seat": "2"}
    return {"action": action, **sent, **changes}


def tap(client, match, action="sign_for", **changes):
    return client.post(url("signing", match), signing_data(match, action, **changes))


def sign(match, seat, unit=1, **changes):
    return signing.sign(match, seat, unit, **{"actor": PHONE, "now": timezone.now(), **changes})


def plain(response):
    text = re.sub(r"</?(bdi|span|small|br|b)\b[^>]*>", "", response.text)
    return " ".join(text.split())


def offered(response):
    """The seats for which this phone may sign, with what the tap is called."""
    found = re.findall(
        r'name="action" value="(sign\w*)">.*?name="seat" value="(\d)"', response.text, re.DOTALL
    )
    return {int(seat): action for action, seat in found}


def signed(response):
    """Who has signed, and whether on an own phone."""
    return dict(re.findall(r'data-signer="(\d)" data-signed="(\w+)"', response.text))


# ── the card on the match page ──────────────────────────────────────────


def test_card_says_what_is_signed_and_stands_in_nobodys_way(phone, match):
    """Points and sums of the kingdom are there before anybody signs. C58"""
    page = phone.get(url("match", match, contract=""))
    assert "Kingdom of Badr is complete: does everybody agree?" in plain(page)
    assert re.search(r'<details class="more agree" data-unit="1">', page.text)
    card = page.text[page.text.index('class="more agree"') :]
    sums = [sum(deal["scores"][seat] for deal in LEVANT[:5]) for seat in range(4)]
    written = [str(number).replace("-", "−") for number in sums]
    assert all(number in card for number in written)
    assert [f"/deals/{number}/" in card for number in (1, 5, 6)][:2] == [True, True]
    assert 'class="button contract' in page.text
    assert page.text.index('class="button contract') < page.text.index('class="more agree"')


def test_phone_that_keeps_score_signs_for_the_seats_that_are_missing(phone, match):
    sign(match, 0, actor=signing.phone_of_seat(match, 0), by_scorer=False)
    page = phone.get(url("match", match, contract=""))
    assert offered(page) == {1: "sign_for", 2: "sign_for", 3: "sign_for"}
    assert "Carmen agrees (on this phone)" in plain(page)
    answer = tap(phone, match, **{"from": "match"})
    assert answer["Location"] == url("match", match, contract="", agree=1)
    page = phone.get(answer["Location"])
    assert signed(page) == {"0": "own", "2": "for"}
    assert "agrees (on the phone that keeps score)" in plain(page)
    assert re.search(r'<details class="more agree" data-unit="1" open>', page.text)


def test_last_signature_is_told_where_nothing_is_left_to_sign(phone, match):
    for seat in range(4):
        answer = tap(phone, match, seat=seat, **{"from": "match"})
        page = phone.get(answer["Location"])
        assert ("Kingdom of Badr: ✓ signed by all" in plain(page)) == (seat == 3)
    assert "more agree" not in page.text


def test_own_phone_agrees_for_its_own_seat_only(guest, match):
    page = guest.get(url("match", match))
    assert offered(page) == {2: "sign"}
    assert "I agree" in page.text
    assert 'data-unit="1" open' in page.text
    assert tap(guest, match, "sign").status_code == 303
    row = Signature.objects.get()
    assert (row.seat, row.by_scorer, row.event.device) == (2, False, device_id(GUEST))


def test_own_seat_on_the_phone_that_keeps_score_is_its_own(phone, match):
    SeatPhone.objects.create(match=match, seat=1, device=PHONE.device, bound_at=timezone.now())
    assert offered(phone.get(url("match", match, contract="")))[1] == "sign"
    tap(phone, match, "sign", seat="1")
    tap(phone, match, "sign_for", seat="0")
    rows = Signature.objects.order_by("seat")
    assert [row.by_scorer for row in rows] == [True, False]


def test_phone_of_the_table_without_a_seat_may_say_which_is_its_own(match):
    page = guest_of(match).get(url("match", match))
    assert offered(page) == {}
    assert url("seat", match) in page.text


def test_member_who_sits_there_signs_by_the_account(cast, cast_match, phone_of):
    badr = phone_of(cast.badr)
    page = badr.get(url("match", cast_match, contract=""))
    assert offered(page)[1] == "sign"
    assert tap(badr, cast_match, "sign", seat="1").status_code == 303
    assert not Signature.objects.get().by_scorer


def test_card_goes_once_all_have_signed_or_silence_was_long_enough(phone, match):
    for seat in range(4):
        assert "more agree" in phone.get(url("match", match, contract="")).text
        sign(match, seat)
    assert "more agree" not in phone.get(url("match", match, contract="")).text
    old = make_evening("evening-levant", 6, actor=PHONE)
    assert "more agree" not in phone.get(url("match", old, contract="")).text


def test_card_is_of_the_kingdom_in_which_the_own_seat_is_missing(match, guest):
    for deal in LEVANT[6:10]:
        record(match, deal, now=timezone.now())
    assert 'data-unit="2"' in guest.get(url("match", match)).text
    tap(guest, match, "sign", unit="2")
    page = guest.get(url("match", match))
    assert 'data-unit="1"' in page.text
    assert "1 more to be signed" in page.text


def test_form_of_the_next_deal_is_not_kept_waiting(phone, match, django_assert_num_queries):
    """The card costs none where no phone has a seat."""
    with django_assert_num_queries(4):
        page = phone.get(url("match", match, contract=LEVANT[6]["contract"]))
    assert 'class="entry"' in page.text
    assert "more agree" not in page.text
    with django_assert_num_queries(4):
        page = phone.get(url("match", match, contract=""))
    assert "more agree" in page.text
    assert f'data-reader="{page["X-Reader"]}"' in page.text  # what is kept for no network is theirs


def test_save_drawn_before_a_signature_is_not_stale(phone, match):
    data = form_data(match, LEVANT[6]["contract"], LEVANT[6]["input"])
    sign(match, 1)
    assert phone.post(url("match", match), data).status_code == 303


def test_visitor_of_a_public_club_is_asked_nothing(cast, cast_match, phone_of):
    Club.objects.update(is_public=True)
    for reader in (Client(), phone_of(cast.ghassan)):
        page = reader.get(url("match", cast_match))
        assert page.status_code == 200
        assert "more agree" not in page.text


# ── what is refused ─────────────────────────────────────────────────────


def test_foreign_seat_is_refused(guest, match):
    """On ones own phone only ones own; for others only at the phone that keeps score, which any
    phone with the right to enter may be."""
    answer = tap(guest, match, "sign", seat="1")
    assert (answer.status_code, codes(answer)) == (422, ["not_your_seat"])
    assert not Signature.objects.exists()


@pytest.mark.parametrize("action", ["sign", "sign_for", "withdraw", "withdraw_for"])
def test_who_only_looks_signs_nothing(cast, cast_match, phone_of, action):
    Club.objects.update(is_public=True)
    row = sign(cast_match, 1, actor=Actor(cast.amal))
    viewer = guest_of(cast_match, kind=LinkKind.VIEW)
    for reader in (Client(), viewer, phone_of(cast.ghassan)):
        assert tap(reader, cast_match, action, signature=row.id).status_code == 403
    assert MatchEvent.objects.filter(match=cast_match).count() == newest(cast_match)
    assert Signature.objects.count() == 1


def test_ghassan_and_strangers_find_nothing(cast, cast_match, phone_of):
    for stranger in (phone_of(cast.ghassan), Client()):
        assert stranger.get(url("signing", cast_match)).status_code == 404
        assert tap(stranger, cast_match, "sign").status_code == 404


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"unit": "2"}, "unit_open"),
        ({"unit": "7"}, "no_such_unit"),
        ({"unit": ""}, "no_such_unit"),
        ({"unit": "x" * 99}, "no_such_unit"),
        ({"seat": "4"}, "bad_seat"),
        ({"seat": ""}, "bad_seat"),
        ({"version": ""}, "form_expired"),
        ({"entry_key": ""}, "form_expired"),
    ],
)
def test_nonsense_is_refused_in_words(phone, match, changes, code):
    answer = tap(phone, match, **changes)
    assert (answer.status_code, codes(answer)) == (422, [code])
    assert "Kingdom of Badr" in plain(answer)


def test_seat_that_has_signed_is_told_so(phone, match):
    sign(match, 2)
    answer = tap(phone, match)
    assert (answer.status_code, codes(answer)) == (422, ["signed_already"])


# Nobody signs blindly: what changed meanwhile is said, and seen, first. C58
def test_correction_meanwhile_is_shown_before_anybody_signs(phone, match):
    data = signing_data(match)
    deal = match.current_deals.get(deal_number=3).deal
    correct(match, deal, entry_of(LEVANT[2]), now=timezone.now())
    answer = phone.post(url("signing", match), data)
    assert (answer.status_code, codes(answer)) == (409, ["stale"])
    told = re.sub("<[^>]*>", "", plain(answer))
    assert "Changed since you looked: deal 3" in " ".join(told.split())
    assert answer.text.count('class="changed"') == 1
    assert not Signature.objects.exists()
    assert tap(phone, match).status_code == 303


def test_same_tap_twice_signs_once(phone, match):
    data = signing_data(match)
    for _ in range(2):
        assert phone.post(url("signing", match), data).status_code == 303
    assert Signature.objects.count() == 1


def test_expired_form_says_so_and_signs_nothing(match):
    strict = phone_client(enforce_csrf_checks=True)
    answer = tap(strict, match)
    assert (answer.status_code, codes(answer)) == (422, ["form_expired"])
    assert not Signature.objects.exists()


# ── taking back ─────────────────────────────────────────────────────────


def test_seat_takes_its_own_back(guest, match):
    tap(guest, match, "sign")
    row = Signature.objects.get()
    assert "Take back" in guest.get(url("signing", match)).text
    answer = tap(guest, match, "withdraw", signature=row.id)
    assert answer["Location"] == f"{url('signing', match)}#u-1"
    page = guest.get(url("signing", match))
    assert signed(page) == {}
    assert 'data-taken="2"' in page.text


def test_what_another_seat_signed_is_not_offered_to_be_taken_back(phone, guest, match):
    theirs = sign(match, 1, actor=signing.phone_of_seat(match, 1), by_scorer=False)
    here = sign(match, 3)
    page = phone.get(url("signing", match)).text
    assert str(here.id) in page
    assert str(theirs.id) not in page
    assert str(here.id) not in guest.get(url("signing", match)).text
    answer = tap(phone, match, "withdraw_for", signature=theirs.id)
    assert (answer.status_code, codes(answer)) == (422, ["not_your_seat"])
    for nonsense in ("", "x", uuid.uuid4()):
        answer = tap(phone, match, "withdraw_for", signature=nonsense)
        assert (answer.status_code, codes(answer)) == (422, ["not_standing"])


def test_settled_kingdom_offers_nothing(phone, match):
    rows = [sign(match, seat) for seat in range(4)]
    page = phone.get(url("signing", match))
    assert "Take back" not in page.text
    assert offered(page) == {}
    answer = tap(phone, match, "withdraw_for", signature=rows[0].id)
    assert (answer.status_code, codes(answer)) == (422, ["signed_off"])


def test_who_is_waited_for_stands_in_one_line_and_only_while_it_matters(guest, match):
    """This phone's own seat comes first."""
    sign(match, 0)
    page = plain(guest.get(url("signing", match)))
    names = re.findall(r"Not yet: ([^<]*)<|Not yet: ([^<]*)", page)
    assert len(names) == 1
    assert "Not yet: Badr, Dima" in page
    assert page.index("I agree") < page.index("Amal agrees")
    viewer = phone_client()
    assert "Not yet" not in viewer.get(url("signing", match)).text
    old = make_evening("evening-levant", 6, actor=PHONE)
    page = viewer.get(url("signing", old)).text
    assert "accepted by silence" in page
    assert "Not yet" not in page
    assert "signers" not in page


@pytest.mark.parametrize(("state", "word"), [("voided", "Voided"), ("unfinished", "Broken off")])
def test_match_put_aside_promises_nothing_of_silence(phone, match, state, word):
    sign(match, 0)
    Match.objects.update(state=state, closed_at=timezone.now())
    page = flat(phone.get(url("signing", match)))
    assert re.search(f"> ?{word}</p>", page)
    assert "Amal" in page
    assert "silence" not in page
    assert "signed by" not in page
    assert "signed by" not in phone.get(url("sheet", match)).text


# ── all of them ─────────────────────────────────────────────────────────


def state_of(page, number=1):
    return re.search(rf'id="u-{number}" data-state="(\w+)"', page.text)[1]


def test_page_says_who_signed_when_and_on_which_phone(phone, match):
    sign(match, 2)
    page = phone.get(url("signing", match))
    assert (state_of(page), state_of(page, 2)) == ("waiting", "open")
    assert "signed by 1 of 4" in plain(page)
    assert f"phone {PHONE.device.hex[:4]}" in plain(page)
    assert "on silence is agreement" in plain(page)


def test_times_are_on_the_clock_of_the_club(cast, phone_of):
    Club.objects.filter(id=cast.club.id).update(time_zone="Asia/Tokyo", is_public=True)
    cast.club.refresh_from_db()
    match = make_evening("evening-levant", 20, club=cast.club, actor=Actor(cast.amal))
    finish(match)
    # The last deal came at 18:35 in Greenwich; a day later nobody had said a word.
    for page in (url("signing", match), url("match", match), url("sheet", match)):
        assert "Final since 14 Nov 2026, 03:35." in plain(Client().get(page))


def test_correction_leaves_the_signature_and_asks_again(phone, match):
    """Signed before it, for everybody to see."""
    sign(match, 2)
    deal = match.current_deals.get(deal_number=3).deal
    correct(match, deal, entry_of(LEVANT[2]), now=timezone.now())
    page = phone.get(url("signing", match))
    assert signed(page) == {}
    assert 'data-earlier="2"' in page.text
    assert "signed before the correction (deal 3)" in plain(page)


def test_dispute_and_ruling_are_told(cast, cast_match, phone_of):
    amal, now = phone_of(cast.amal), timezone.now()
    judging.flag(cast_match, 2, actor=Actor(cast.badr), now=now)
    page = amal.get(url("signing", cast_match))
    assert state_of(page) == "disputed"
    assert offered(page) == {}
    assert "more agree" not in amal.get(url("match", cast_match, contract="")).text
    judging.rule(cast_match, 2, actor=Actor(cast.esam), now=now)
    page = amal.get(url("signing", cast_match))
    assert state_of(page) == "ruled"
    assert "settled by a ruling" in page.text


def test_names_are_escaped(db, phone):
    players, now = [NASTY[:40], "Badr", "Carmen", "Dima"], timezone.now()
    match = match_of(players=players, entries=LEVANT[:5], first_chooser=1, now=now)
    for page in (url("match", match, contract=""), url("signing", match), url("sheet", match)):
        assert "<img" not in phone.get(page).text


def test_visitor_sees_what_is_under_review_as_it_was_before(cast, cast_match):
    """Points and signatures too: nothing of the correction is given away. C69"""
    Club.objects.update(is_public=True)
    sign(cast_match, 2, actor=Actor(cast.amal))
    judging.flag(cast_match, 2, actor=Actor(cast.badr), now=timezone.now())
    deal = cast_match.current_deals.get(deal_number=2).deal
    before = Client().get(url("signing", cast_match))
    correct(cast_match, deal, king(taken_by=0, chooser=1), now=timezone.now())
    after = Client().get(url("signing", cast_match))
    points = r'<td><bdi class="num" dir="ltr">(.*?)</bdi></td>'
    assert re.findall(points, before.text) == re.findall(points, after.text)
    assert (state_of(after), signed(after)) == ("disputed", {"2": "for"})
    assert Client().get(url("sheet", cast_match)).status_code == 200


# ── the sheet and the end ───────────────────────────────────────────────


def marks(page):
    return re.findall(r'class="sign-state (\w+)"', page.text)


def test_sheet_says_how_far_each_kingdom_is(phone, match):
    page = phone.get(url("sheet", match))
    assert marks(page) == ["waiting"]
    assert "signed by 0 of 4" in plain(page)
    assert 'data-standing="open"' in page.text
    for seat in range(4):
        sign(match, seat)
    assert marks(phone.get(url("sheet", match))) == ["signed"]
    old = make_evening("evening-levant", 6, actor=PHONE)
    assert "accepted by silence" in phone.get(url("sheet", old)).text


# Until when may one challenge it? Said on the sheet and at the end. C60
def test_end_says_until_when_the_result_is_provisional(phone):
    match = just_now(20)
    finish(match, actor=PHONE, now=timezone.now())
    for page in (url("match", match), url("sheet", match)):
        assert 'data-standing="provisional"' in phone.get(page).text
    for unit in range(1, 5):
        for seat in range(4):
            sign(match, seat, unit)
    for page in (url("match", match), url("sheet", match)):
        assert 'data-standing="final"' in phone.get(page).text


def test_finished_match_is_signed_at_its_end(phone):
    match = just_now(20)
    finish(match, actor=PHONE, now=timezone.now())
    page = phone.get(url("match", match))
    assert 'data-unit="4"' in page.text
    assert tap(phone, match, unit="4", **{"from": "match"}).status_code == 303


@pytest.mark.parametrize("deals", [5, 20])
def test_pages_ask_the_same_of_one_kingdom_and_of_four(phone, deals, django_assert_num_queries):
    match = just_now(deals)
    for unit in range(1, deals // 5 + 1):
        sign(match, 1, unit)
    with django_assert_num_queries(6):
        phone.get(url("signing", match))
    with django_assert_num_queries(7):
        phone.get(url("sheet", match))
