"""Phones at a table: the page with the codes, coming in by one, the seat, and what is left when the
link has ended."""

import logging
import re
import uuid
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.serializers import serialize
from django.test import Client
from django.utils import timezone

from scoring import models
from scoring.common import limits
from scoring.common.actor import Actor
from scoring.models import Club, JoinedPhone, LinkKind, Match, SeatPhone, TableLink
from scoring.phones.services import links
from tests.factories import NOW, king, make_match
from tests.support.links import came, phone_with
from tests.support.tables import PHONE, form_data, match_of, phone_client, url

pytestmark = pytest.mark.django_db
WRONG = "AAAAA-AAAAA"


@pytest.fixture(autouse=True)
def nothing_counted():
    cache.clear()


@pytest.fixture
def holder():
    return phone_client()


@pytest.fixture
def match():
    return match_of()


@pytest.fixture
def club_match(cast):
    """A match of a private club in which Amal keeps score."""
    opening = {"club": cast.club, "players": cast.players, "actor": Actor(cast.amal)}
    return make_match(entries=[king()], now=timezone.now(), **opening)


def code_of(match, kind=LinkKind.TABLE):
    link = links.make(match_id=match.id, kind=kind, actor=PHONE, now=timezone.now())
    return links.code_of(link)


def joins(phone, code):
    return phone.post("/t/", {"code": code})


def guest_of(match, kind=LinkKind.TABLE):
    """A phone that has just come by a code."""
    phone = Client()
    assert joins(phone, code_of(match, kind)).status_code == 303
    return phone


def act(holder, match, action, **facts):
    return holder.post(url("phones", match), {"action": action, **facts})


def open_link(match, kind=LinkKind.TABLE):
    return TableLink.objects.filter(match=match, kind=kind, revoked_at=None).first()


# ── the page with the codes ─────────────────────────────────────────────


# Address and code stand beside the picture: whoever cannot scan it types. C105
def test_page_shows_picture_address_and_code(holder, match):
    page = holder.get(url("phones", match)).text
    assert "<svg" not in page
    assert act(holder, match, "make", kind="table").status_code == 303
    page = holder.get(url("phones", match)).text
    code = links.code_of(open_link(match))
    assert page.count("<svg") == 1
    assert f">{code}</b>" in page
    assert ">http://testserver/t/</bdi>" in page
    assert f"http://testserver/t/#{code}" in page
    assert "style=" not in page


def test_page_opened_on_the_box_itself_shows_an_address_that_phones_reach(
    holder, match, monkeypatch
):
    monkeypatch.setenv("TREXSCORE_URL", "http://192.168.1.7:8000")
    act(holder, match, "make", kind="view")
    for host in ("localhost:8000", "127.0.0.1:8000"):
        page = holder.get(url("phones", match), headers={"host": host}).text
        assert "http://192.168.1.7:8000/t/#" in page
        assert host not in page.replace("192.168.1.7", "")
    page = holder.get(url("phones", match), headers={"host": "10.0.0.5:8000"}).text
    assert "http://10.0.0.5:8000/t/#" in page
    assert "The phones must be in the same Wi-Fi" in page


def test_page_says_nothing_of_wifi_on_a_site_of_its_own(holder, match, settings):
    settings.TREXSCORE_HOSTS = ["trex.example"]
    settings.ALLOWED_HOSTS = ["trex.example"]
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "hosts" not in each]
    code_of(match)
    page = holder.get(url("phones", match), headers={"host": "trex.example"}).text
    assert "http://trex.example/t/#" in page
    assert "Wi-Fi" not in page


def test_page_lists_who_came_and_with_which_seat(holder, match):
    guest = guest_of(match)
    guest.post(url("seat", match), {"seat": "2"})
    page = holder.get(url("phones", match)).text
    phone = JoinedPhone.objects.get()
    assert phone.device.hex[:4] in page
    assert page.count("Carmen") == 2
    act(holder, match, "away", phone=phone.id)
    assert guest.get(url("match", match)).status_code == 404
    page = holder.get(url("phones", match)).text
    assert phone.device.hex[:4] not in page
    assert "is out at once" not in page


def test_link_is_made_anew_in_one_tap_and_the_old_phones_are_out(holder, match):
    guest, old = guest_of(match), open_link(match)
    assert guest.get(url("match", match)).status_code == 200
    assert act(holder, match, "remake", link=old.id).status_code == 303
    assert guest.get(url("match", match)).status_code == 404
    new = open_link(match)
    assert new != old
    assert links.code_of(new) in holder.get(url("phones", match)).text
    assert joins(guest, links.code_of(new)).status_code == 303
    act(holder, match, "revoke", link=new.id)
    assert guest.get(url("match", match)).status_code == 404
    assert open_link(match) is None


def test_seat_is_freed_for_another_phone(holder, match):
    guest_of(match).post(url("seat", match), {"seat": "1"})
    other = guest_of(match)
    refused = other.post(url("seat", match), {"seat": "1"})
    assert refused.status_code == 422
    assert 'data-code="seat_taken"' in refused.text
    act(holder, match, "free", seat="1")
    assert other.post(url("seat", match), {"seat": "1"}).status_code == 303


@pytest.mark.parametrize(
    ("action", "facts"),
    [
        ("make", {}),
        ("make", {"kind": "owner"}),
        ("remake", {}),
        ("revoke", {"link": "x"}),
        ("away", {"phone": ""}),
        ("free", {"seat": "4"}),
        ("free", {}),
    ],
)
def test_what_no_form_sends_is_refused(holder, match, action, facts):
    response = act(holder, match, action, **facts)
    assert response.status_code == 422
    assert "data-code=" in response.text


def test_an_expired_form_makes_nothing(match):
    holder = phone_client(enforce_csrf_checks=True)
    response = act(holder, match, "make", kind="table")
    assert response.status_code == 422
    assert 'data-code="form_expired"' in response.text
    assert not TableLink.objects.exists()


def test_match_page_leads_to_the_phones_whoever_may_share(holder, match):
    page = holder.get(url("match", match)).text
    assert url("phones", match) in page
    guest = guest_of(match)
    assert url("phones", match) not in guest.get(url("match", match)).text
    assert guest.get(url("phones", match)).status_code == 404


# ── coming in ───────────────────────────────────────────────────────────


def test_by_a_table_link_the_seat_is_asked_for_once(match):
    phone, code = Client(), code_of(match)
    assert joins(phone, code.lower().replace("-", " "))["Location"] == url("seat", match)
    page = phone.get(url("seat", match)).text
    for name in ("Amal", "Badr", "Carmen", "Dima"):
        assert name in page
    chosen = phone.post(url("seat", match), {"seat": "3"})
    assert chosen["Location"] == url("match", match, contract="")
    assert SeatPhone.objects.get().seat == 3
    assert joins(phone, code)["Location"] == url("match", match)


def test_phone_that_is_sent_away_meanwhile_leaves_no_seat_taken(match, monkeypatch):
    guest, take_seat = guest_of(match), links.take_seat

    def too_late(**asked):
        JoinedPhone.objects.update(device=uuid.uuid4())
        take_seat(**asked)

    monkeypatch.setattr(links, "take_seat", too_late)
    assert guest.post(url("seat", match), {"seat": "2"}).status_code == 404
    assert not SeatPhone.objects.exists()


def test_front_page_leads_to_the_table_that_the_phone_came_to_last():
    phone, now = Client(), timezone.now()
    early, late = (match_of(now=now - timedelta(hours=hours)) for hours in (2, 1))
    for match in (late, early):
        joins(phone, code_of(match))
        assert phone.get("/")["Location"] == url("match", match)


def test_match_that_was_put_aside_asks_for_no_seat(match):
    code = code_of(match)
    Match.objects.update(state="voided", closed_at=timezone.now())
    assert joins(Client(), code)["Location"] == url("match", match)


def test_who_only_keeps_score_has_no_seat(match):
    guest = guest_of(match)
    guest.post(url("seat", match), {"seat": "3"})
    assert guest.post(url("seat", match), {"seat": ""}).status_code == 303
    assert not SeatPhone.objects.exists()


def test_by_a_view_link_the_match_is_there_and_no_seat(match):
    phone = Client()
    assert joins(phone, code_of(match, LinkKind.VIEW))["Location"] == url("match", match)
    assert phone.get(url("match", match)).status_code == 200
    assert phone.get(url("seat", match)).status_code == 404


def test_guest_of_the_table_enters_takes_back_and_corrects_in_the_window(match):
    guest = guest_of(match)
    Match.objects.update(lease_device=None)
    assert (
        guest.post(url("match", match), form_data(match, "king", {"king_taken_by": 1})).status_code
        == 303
    )
    deal = url("deal", match, 1)
    right = form_data(match, "king", {"king_taken_by": 2}, reason="misheard")
    right["deal"] = match.current_deals.get().deal_id
    assert guest.post(deal, right).status_code == 303
    match.refresh_from_db()
    assert match.current_deals.get().deal.replaces_id
    undo = {"action": "void", "deal": match.current_deals.get().deal_id}
    undo |= {"version": match.version, "entry_key": uuid.uuid4()}
    assert guest.post(url("match", match), undo).status_code == 303
    assert not match.current_deals.exists()


def test_unknown_revoked_and_ended_codes_get_the_same_answer(holder, match):
    code = code_of(match)
    act(holder, match, "revoke", link=open_link(match).id)
    ended = match_of(now=NOW)
    old = links.make(match_id=ended.id, kind=LinkKind.TABLE, actor=PHONE, now=NOW)
    told = []
    for typed in (WRONG, code, links.code_of(old)):
        answer = joins(Client(), typed)
        assert answer.status_code == 422
        told.append(
            re.sub(r"csrf\S+ value=\S+|x-csrftoken\S+ \S+", "", answer.text).replace(typed, "")
        )
    assert len(set(told)) == 1
    assert 'data-code="no_such_link"' in told[0]


def test_wrong_codes_of_one_phone_close_no_address(match):
    phone, code = Client(), code_of(match)
    joins(phone, WRONG)  # this phone is known from here on
    for _ in range(limits.WRONG_CODES):
        assert joins(phone, WRONG).status_code == 422
    refused = joins(phone, WRONG)
    assert refused.status_code == 429
    assert 'data-code="too_often"' in refused.text
    assert 1 <= int(refused["Retry-After"]) <= 60
    for _ in range(3):
        assert joins(Client(), code).status_code == 303
    assert joins(Client(), WRONG).status_code == 422
    assert joins(phone, code).status_code == 303


def test_a_code_that_came_late_is_shown_again(match):
    phone = Client(enforce_csrf_checks=True)
    code = code_of(match)
    answer = joins(phone, code)
    assert answer.status_code == 422
    assert f'value="{code}"' in answer.text
    assert not JoinedPhone.objects.exists()


def test_nothing_typed_is_told_at_the_field():
    answer = joins(Client(), "")
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text


# ── where a code must not be ────────────────────────────────────────────


def test_code_is_in_no_row_no_session_no_message_no_address_and_no_log(match, caplog):
    code = code_of(match)
    with caplog.at_level(logging.DEBUG):
        phone = Client()
        answers = [joins(phone, code), joins(phone, WRONG), phone.get("/t/")]
        phone.get(answers[0]["Location"])
    rows = "".join(
        serialize("json", each.objects.all())
        for each in models.__dict__.values()
        if isinstance(each, type)
        and issubclass(each, models.Match.__base__)
        and not each._meta.abstract
    )
    kept = rows + serialize("json", Session.objects.all()) + caplog.text
    kept += "".join(str(answer.headers) + str(answer.cookies) for answer in answers)
    for text in (code, code.replace("-", ""), WRONG):
        assert text not in kept
    assert TableLink.objects.get().digest in rows
    assert answers[2]["Referrer-Policy"] == "same-origin"


# ── what guests see ─────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", LinkKind)
@pytest.mark.parametrize("is_public", [False, True])
def test_guest_is_led_to_no_page_of_a_private_club(cast, club_match, kind, is_public):
    """Whatever a page of the match leads to is there, and a private club stays without a name."""
    Club.objects.update(is_public=is_public)
    guest, seen, ahead = guest_of(club_match, kind), set(), [url("match", club_match)]
    while ahead:
        seen.add(address := ahead.pop())
        answer = guest.get(address)
        assert answer.status_code in (200, 302), address
        if "text/html" not in answer["Content-Type"]:
            continue
        assert is_public or cast.club.name not in answer.text, address
        assert is_public or cast.club.slug not in answer.text, address
        found = re.findall(r'(?:href|hx-get)="(/matches/[^"#]*)', answer.text)
        ahead += {each.replace("&amp;", "&") for each in found} - seen - set(ahead)
    assert url("sheet", club_match) in seen
    assert url("deal", club_match, 1) in seen
    assert len(seen) > 6


def test_lost_tab_is_found_again_on_the_front_page(club_match):
    guest = guest_of(club_match, LinkKind.VIEW)
    assert guest.get("/")["Location"] == url("match", club_match)
    assert url("match", club_match) in guest.get("/start/").text
    links.revoke(match_id=club_match.id, link_id=open_link(club_match, "view").id, now=NOW)
    assert guest.get("/").status_code == 200
    assert url("match", club_match) not in guest.get("/start/").text


def test_finished_match_stays_on_the_front_page_while_the_link_lives(match):
    guest = guest_of(match)
    Match.objects.update(state="finished")
    assert guest.get("/").status_code == 200
    assert url("match", match) in guest.get("/start/").text


def test_match_of_another_phone_is_on_no_front_page(match, django_assert_num_queries):
    guest_of(match)
    other, _ = phone_with("another")
    with django_assert_num_queries(2):
        assert url("match", match) not in other.get("/start/").text


# ── when it has ended ───────────────────────────────────────────────────


def test_whoever_was_here_is_told_that_the_link_has_ended_and_nobody_else(holder, match):
    guest = guest_of(match)
    links.revoke(match_id=match.id, link_id=open_link(match).id, now=timezone.now())
    for name in ("match", "sheet", "seat"):
        answer = guest.get(url(name, match))
        assert answer.status_code == 404
        assert "The link to this table has ended" in answer.text
    assert (
        guest.post(url("match", match), form_data(match, "king", {"king_taken_by": 1})).status_code
        == 404
    )
    stranger, _ = phone_with("a stranger")
    nowhere = stranger.get(f"/matches/{uuid.uuid4()}/").text
    there = stranger.get(url("match", match)).text
    assert "The link to this table has ended" not in there
    assert len(there) == len(nowhere)
    assert "The link to this table has ended" not in guest.get(f"/matches/{uuid.uuid4()}/").text


def test_page_that_a_guest_may_not_open_is_not_said_to_have_ended(match):
    answer = guest_of(match).get(url("match_close", match))
    assert answer.status_code == 404
    assert "has ended, or whoever" not in answer.text
    assert "The link to this table has ended" not in answer.text


def test_link_ends_by_itself_some_hours_after_the_last_deal(match, monkeypatch):
    guest, now = guest_of(match), timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(hours=5, minutes=59))
    assert guest.get(url("match", match)).status_code == 200
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(hours=6, minutes=1))
    assert guest.get(url("match", match)).status_code == 404
    page = phone_client().get(url("phones", match)).text
    assert 'data-code="link_over"' in page


# ── people and their rights ─────────────────────────────────────────────


def test_ghassan_of_another_club_sees_no_phones(cast, club_match, phone_of):
    ghassan = phone_of(cast.ghassan)
    for name in ("phones", "seat", "match"):
        assert ghassan.get(url(name, club_match)).status_code == 404
    assert act(ghassan, club_match, "make", kind="table").status_code == 404
    assert not TableLink.objects.exists()


def test_member_shares_the_own_match_and_no_other(cast, phone_of):
    own = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    other = make_match(club=cast.club, players=(*cast.players[:3], "Zeina"), actor=Actor(cast.amal))
    dima = phone_of(cast.dima)
    assert dima.get(url("phones", own)).status_code == 200
    assert dima.get(url("phones", other)).status_code == 404


def test_names_are_shown_literally(cast):
    nasty = "<img src=x onerror=alert(1)>"
    match = match_of(players=(nasty, "Badr", "Carmen", "Dima"))
    guest = guest_of(match)
    guest.post(url("seat", match), {"seat": "0"})
    for phone, name in ((guest, "seat"), (phone_client(), "phones")):
        page = phone.get(url(name, match)).text
        assert nasty not in page
        assert "&lt;img" in page


def test_page_asks_the_same_for_one_phone_and_for_ten(holder, match, django_assert_num_queries):
    came(match, now=timezone.now())
    came(match, LinkKind.VIEW, now=timezone.now())
    with django_assert_num_queries(11) as asked:
        holder.get(url("phones", match))
    for number in range(9):
        came(match, actor=Actor(device=uuid.UUID(int=number + 20)), now=timezone.now())
    with django_assert_num_queries(len(asked)):
        holder.get(url("phones", match))


def test_entry_page_of_a_guest_asks_once_more_than_that_of_the_holder(
    match, django_assert_num_queries
):
    guest = guest_of(match)
    Match.objects.update(lease_device=None)
    with django_assert_num_queries(5):
        assert guest.get(url("match", match, contract="king")).status_code == 200
