"""A deal is flagged in one tap; who sees what until it is ruled on."""

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.common import words
from scoring.judging.services import disputes
from scoring.matches.services.matches import void_match
from scoring.models import Club, Dispute, Flag, LinkKind, Role
from tests.factories import (
    MembershipFactory,
    PlayerFactory,
    UserFactory,
    adjust,
    attach,
    correct,
    diamonds,
    evening_record,
    finish,
    king,
    make_evening,
    make_match,
    void,
    write,
)
from tests.support.asking import NASTY
from tests.support.judging import act, by, flag, rule, withdraw
from tests.support.links import came, phone_with
from tests.support.markup import flat
from tests.support.tables import PHONE, phone_client, totals, url
from tests.support.tables import codes as said

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast):
    Club.objects.filter(id=cast.club.id).update(is_public=True)
    cast.club.refresh_from_db()
    return make_match(entries=[king(), diamonds()], club=cast.club, players=cast.players)


def send(client, match, number=1, **data):
    match.refresh_from_db()
    sent = {"entry_key": uuid.uuid4(), "version": match.version, **data}
    return client.post(url("flag", match, number), sent)


def judge(client, match, action, number=1, **data):
    match.refresh_from_db()
    sent = {"entry_key": uuid.uuid4(), "version": match.version, "action": action, **data}
    return client.post(url("dispute_act", match, number), sent)


# One tap, from any of the four. C50
def test_one_tap_flags_a_deal_and_says_so(match, cast, phone_of):
    response = send(phone_of(cast.badr), match)
    assert (response.status_code, Flag.objects.get().seat) == (303, 1)
    page = phone_of(cast.badr).get(response.url)
    assert "Flagged. The arbiter sees it." in page.text
    assert 'data-dispute="open"' in page.text


def test_phrase_and_typed_words_go_together(match, cast, phone_of):
    send(phone_of(cast.badr), match, phrase="taker", words="It was me")
    page = phone_of(cast.carmen).get(url("deal", match, 1)).text
    assert "Somebody else took it. It was me" in page
    assert "Badr" in page


def test_phone_of_a_seat_flags_for_that_seat(match, cast):
    client, actor = phone_with("seat")
    came(match, actor=actor, now=timezone.now())
    match.seat_phones.create(seat=3, device=actor.device, bound_at=match.opened_at)
    assert send(client, match, words="Not so").status_code == 303
    assert Flag.objects.get().seat == 3
    assert "Dima" in client.get(url("flag", match, 1)).text


def test_own_flag_is_withdrawn_and_that_of_another_not(match, cast, phone_of):
    row = flag(match, actor=by(cast.badr))
    foreign = send(phone_of(cast.carmen), match, action="withdraw", flag=row.id)
    assert (foreign.status_code, said(foreign)) == (422, ["not_your_flag"])
    assert "Withdraw" not in phone_of(cast.carmen).get(url("deal", match, 1)).text
    page = phone_of(cast.badr).get(url("deal", match, 1)).text
    assert 'value="withdraw"' in page
    assert send(phone_of(cast.badr), match, action="withdraw", flag=row.id).status_code == 303
    assert Dispute.objects.get().state == "closed"


def test_who_has_flagged_is_offered_to_change_the_flag_and_not_a_second_one(match, cast, phone_of):
    badr = phone_of(cast.badr)
    send(badr, match, words="Not so")
    deal = badr.get(url("deal", match, 1)).text
    assert "Change or withdraw my flag" in deal
    assert "I disagree too" in phone_of(cast.carmen).get(url("deal", match, 1)).text
    page = badr.get(url("flag", match, 1)).text
    assert 'value="Not so"' in page
    assert "Replace my flag" in page
    send(badr, match, words="Carmen took it")
    assert Flag.objects.filter(void=None).count() == 1
    assert "Carmen took it" in badr.get(url("deal", match, 1)).text


def test_words_that_are_too_long_come_back(match, cast, phone_of):
    response = send(phone_of(cast.badr), match, words="x" * 501)
    assert (response.status_code, said(response)) == (422, ["too_long"])
    assert "x" * 501 in response.text


def test_form_that_lay_too_long_writes_nothing(match, cast):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.badr)
    response = send(client, match, words="It was me")
    assert (response.status_code, said(response)) == (422, ["form_expired"])
    assert "It was me" in response.text
    assert not Flag.objects.exists()


# A button whose channel is off is not rendered. C64
def test_without_a_club_there_is_no_button_and_a_post_says_why():
    match = make_match(entries=[king()], actor=PHONE)
    client, actor = phone_with("guest")
    came(match, actor=actor, now=timezone.now())
    for page in (url("deal", match, 1), url("match", match), url("sheet", match)):
        assert "/flag/" not in client.get(page).text
        assert "/flag/" not in phone_client().get(page).text
    assert 'value="taker"' not in client.get(url("flag", match, 1)).text
    response = send(client, match)
    assert (response.status_code, said(response)) == (422, ["no_arbiter"])


def test_flag_is_offered_on_deal_match_and_sheet(match, cast, phone_of):
    client = phone_of(cast.badr)
    for name, args in (("deal", [1]), ("match", []), ("sheet", [])):
        assert "/flag/" in client.get(url(name, match, *args)).text


# What people type is shown and never run. C121
def test_words_are_escaped_wherever_they_show(match, cast, phone_of):
    flag(match, words=NASTY, actor=by(cast.badr))
    for page in (url("deal", match, 1), url("flag", match, 1), queue(cast.club)):
        assert NASTY not in phone_of(cast.esam).get(page).text


def test_void_match_offers_no_flag(match, cast, phone_of):
    write(void_match, match, reason="Cards were missing")
    badr = phone_of(cast.badr)
    for page in (url("deal", match, 1), url("sheet", match)):
        assert "/flag/" not in badr.get(page).text
    assert said(send(badr, match)) == ["match_voided"]


def test_nobody_from_another_club_flags(match, cast, phone_of):
    assert send(phone_of(cast.ghassan), match).status_code == 404
    assert phone_of(cast.ghassan).get(url("flag", match, 1)).status_code == 404
    assert not Flag.objects.exists()


def test_number_that_was_never_played_is_not_there(match, cast, phone_of):
    assert phone_of(cast.badr).get(url("flag", match, 3)).status_code == 404


# ── what the public sees ────────────────────────────────────────────────


PAGES = ["match", "sheet", "deal", "adjust", "repair", "match_check"]


def page_of(client, name, match):
    shown = client.get(url(name, match, *([1] if name == "deal" else []))).text
    # What differs with every look, and with the version, says nothing of the game.
    shown = re.sub(r'(value|content)="[0-9A-Za-z-]{32,64}"', "", shown)
    varying = r'data-(tag|drawn|settled)="[^"]*"|sheet-seal.*?</p>'
    shown = re.sub(varying, "", shown, flags=re.S)
    shown = re.sub(r'"x-csrftoken": "\w+"', "", shown)
    return re.sub(r'name="version" value="\d+"|;version=\d+', "", shown)


# The public sees no score move while the arbiter still talks. C69
def test_public_pages_stand_still_until_it_is_ruled_on(match, cast, phone):
    flag(match, words="Ask Carmen", actor=by(cast.badr))
    before = {name: page_of(phone, name, match) for name in PAGES}
    assert "under review" in before["deal"]
    act(disputes.claim, match, actor=by(cast.esam))
    correct(match, match.deals.get(deal_number=1), king(taken_by=3))
    adjust(match, after_deal=1)
    for name in PAGES:
        assert page_of(phone, name, match) == before[name], name
        assert "Ask Carmen" not in before[name]
        assert "esam" not in before[name]
    rule(match, actor=by(cast.esam))
    assert "under review" not in page_of(phone, "deal", match)
    for name in ("match", "sheet", "deal"):
        assert page_of(phone, name, match) != before[name], name
    assert "Ask Carmen" not in page_of(phone, "deal", match)


def test_table_sees_the_correction_at_once(match, cast, phone, phone_of):
    flag(match, actor=by(cast.badr))
    correct(match, match.deals.get(deal_number=1), king(taken_by=3))
    assert totals(phone_of(cast.badr).get(url("match", match))) == [-130, 0, 0, -75]
    assert totals(phone.get(url("match", match))) == [-130, 0, -75, 0]


def test_deal_that_was_voided_meanwhile_stays_for_the_public(match, cast, phone):
    flag(match, 2, actor=by(cast.badr))
    before = phone.get(url("deal", match, 2)).context["scores"]
    void(match, match.deals.get(deal_number=2))
    assert phone.get(url("deal", match, 2)).context["scores"] == before
    assert "Taken back" not in phone.get(url("match", match, undone=2)).text


def test_closed_without_a_ruling_shows_what_stands(match, cast, phone):
    flag(match, actor=by(cast.badr))
    correct(match, match.deals.get(deal_number=1), king(taken_by=3))
    act(disputes.close, match, note="They agreed on it", actor=by(cast.esam))
    assert totals(phone.get(url("match", match))) == [-130, 0, 0, -75]
    assert "They agreed" not in phone.get(url("deal", match, 1)).text


def test_view_link_sees_what_the_public_sees(cast):
    match = make_match(entries=[king()], club=cast.club, players=cast.players)
    client, actor = phone_with("watching")
    came(match, LinkKind.VIEW, actor=actor, now=timezone.now())
    flag(match, words="Ask Carmen", actor=by(cast.badr))
    page = client.get(url("deal", match, 1)).text
    assert "under review" in page
    assert "Ask Carmen" not in page


def test_cards_and_photos_wait_for_the_ruling(match, cast, phone, phone_of):
    attach(match, 1, evening_record("evening-levant", 2))
    flag(match, actor=by(cast.badr))
    for name in ("record", "replay", "photos"):
        shown = phone.get(url(name, match, 1))
        assert said(shown) == ["under_review"], name
        assert said(phone_of(cast.badr).get(url(name, match, 1))) != ["under_review"], name
    assert phone.get(url("record", match, 1, text=1))["Content-Type"].startswith("text/html")


def test_marks_are_told_in_words(match, cast, phone, phone_of):
    flag(match, actor=by(cast.badr))
    sheet = flat(phone_of(cast.badr).get(url("sheet", match)))
    assert '<span class="hidden-text">flagged</span>' in sheet
    assert '<span class="hidden-text">under review</span>' in flat(phone.get(url("sheet", match)))
    act(disputes.claim, match, actor=by(cast.esam))
    page = phone_of(cast.badr).get(url("match", match)).text
    assert "Arbiter" in page
    assert "esam" not in page


# ── the arbiters ────────────────────────────────────────────────────────


def queue(club):
    return reverse("club_disputes", args=[club.slug])


# What nobody has handled comes first, and closing needs a note. C56
def test_queue_from_open_to_closed(match, cast, phone_of):
    esam = phone_of(cast.esam)
    flag(match, words="Not the king", actor=by(cast.badr), seat=1)
    flag(match, 2, actor=by(cast.carmen))
    act(disputes.claim, match, 2, actor=by(cast.owner))
    page = esam.get(queue(cast.club)).text
    assert page.index("Not the king") < page.index('data-case="claimed"')
    response = judge(esam, match, "claim", next="queue")
    assert (response.status_code, response.url) == (303, queue(cast.club))
    assert "You have taken this on." in esam.get(queue(cast.club)).text
    empty = judge(esam, match, "close", words=" ")
    assert (empty.status_code, said(empty)) == (422, ["missing"])
    judge(esam, match, "close", words="Settled at the table", next="queue")
    page = esam.get(queue(cast.club))
    assert [case.note for case in page.context["queue"].closed] == ["Settled at the table"]


def test_ruled_ones_wait_for_their_note(match, cast, phone_of):
    flag(match, actor=by(cast.badr))
    rule(match, actor=by(cast.esam))
    shown = phone_of(cast.esam).get(queue(cast.club)).context["queue"]
    assert [case.dispute.deal_number for case in shown.ruled] == [1]


def test_arbiters_without_a_person_are_told_apart(cast):
    arbiters = [cast.esam, UserFactory(), UserFactory()]
    for user in arbiters[1:]:
        MembershipFactory(club=cast.club, user=user, role=Role.ARBITER)
    PlayerFactory(club=cast.club, name="Rima", user=arbiters[1])
    called = [words.account(user, Club.objects.get(id=cast.club.id)) for user in arbiters]
    assert called == ["Arbiter 1", "Rima", "Arbiter 2"]


def test_second_arbiter_is_told_who_was_quicker(match, cast, phone_of):
    flag(match, actor=by(cast.badr))
    match.refresh_from_db()
    seen = match.version
    judge(phone_of(cast.esam), match, "claim")
    response = judge(phone_of(cast.owner), match, "claim", version=seen)
    assert (response.status_code, said(response)) == (409, ["stale"])
    assert "<bdi>Arbiter</bdi> has taken this on." in response.text
    assert judge(phone_of(cast.owner), match, "claim").status_code == 303
    assert Dispute.objects.get().claimed_by == cast.owner


def test_reopened_with_a_reason(match, cast, phone_of):
    flag(match, actor=by(cast.badr))
    act(disputes.close, match, note="No", actor=by(cast.esam))
    esam = phone_of(cast.esam)
    assert esam.get(url("dispute_act", match, 1, act="reopen")).status_code == 200
    assert judge(esam, match, "reopen", words="A photo turned up").status_code == 303
    assert Dispute.objects.get().state == "open"


def test_withdrawn_ones_say_so_in_the_closed_list(match, cast, phone_of):
    row = flag(match, actor=by(cast.badr))
    withdraw(match, row, actor=by(cast.badr))
    assert "Every flag was withdrawn." in phone_of(cast.esam).get(queue(cast.club)).text


def test_closed_ones_are_turned_page_by_page(cast, phone_of):
    match = make_match(entries=[king()], club=cast.club, players=cast.players)
    deal = match.deals.get()
    rows = [
        Dispute(
            match=match,
            club=cast.club,
            deal_number=number,
            state="closed",
            opened_at=match.opened_at,
            opened_seq=1,
            frozen=deal,
        )
        for number in range(1, 46)
    ]
    Dispute.objects.bulk_create(rows)
    esam = phone_of(cast.esam)
    last = esam.get(queue(cast.club) + "?page=99").context["queue"]
    assert (last.page, last.pages, len(last.closed)) == (3, 3, 5)


def test_queue_costs_the_same_for_many(cast, phone_of, django_assert_max_num_queries):
    for _ in range(4):
        match = make_match(entries=[king(), diamonds()], club=cast.club, players=cast.players)
        flag(match, 1, words="one", actor=by(cast.badr))
        flag(match, 2, actor=by(cast.carmen))
    esam = phone_of(cast.esam)
    with django_assert_max_num_queries(15):
        assert len(esam.get(queue(cast.club)).context["queue"].open) == 8


def test_only_arbiters_see_the_queue_and_its_count(match, cast, phone_of):
    flag(match, actor=by(cast.badr))
    assert "Disputes (<bdi" in phone_of(cast.esam).get(f"/clubs/{cast.club.slug}/").text
    assert "Disputes" not in phone_of(cast.badr).get(f"/clubs/{cast.club.slug}/").text
    for user in (cast.badr, cast.ghassan):
        assert phone_of(user).get(queue(cast.club)).status_code == 404
        assert judge(phone_of(user), match, "claim").status_code == 404


def test_no_dispute_nothing_to_do(match, cast, phone_of):
    esam = phone_of(cast.esam)
    assert esam.get(url("dispute_act", match, 3)).status_code == 404
    assert said(esam.get(url("dispute_act", match, 1))) == ["no_dispute"]
    response = judge(esam, match, "claim")
    assert (response.status_code, said(response)) == (422, ["no_dispute"])


# ── standings ───────────────────────────────────────────────────────────


# What is under review is marked, and counts as it was until it is ruled on. C69
def test_standings_mark_whose_points_are_under_review(cast, phone_of):
    match = make_evening("evening-levant", club=cast.club)
    finish(match)
    address = reverse("club", args=[cast.club.slug])
    badr = phone_of(cast.badr)
    before = badr.get(address).context["view"].standings[0].rows
    assert "data-review" not in badr.get(address).text
    deal = next(one for one in match.deals.all() if one.contract == "king")
    flag(match, deal.deal_number, actor=by(cast.badr))
    page = badr.get(address)
    assert page.context["view"].standings[0].rows == before
    assert page.text.count('class="flagged"') == 5  # four people and the match
    taken = deal.payload["input"]["king_taken_by"]
    entry = king(taken_by=(taken + 1) % 4, chooser=deal.chooser)
    rule(match, deal.deal_number, entry, actor=by(cast.esam))
    page = badr.get(address)
    assert page.context["view"].standings[0].rows != before
    assert "data-review" not in page.text


def test_text_for_the_chat_says_what_is_under_review_and_shows_it_as_it_was(cast, phone_of):
    match = make_match(entries=[king()], club=cast.club, players=cast.players)
    flag(match, actor=by(cast.badr))
    correct(match, match.deals.get(deal_number=1), king(taken_by=3))
    text = phone_of(cast.badr).get(url("sheet", match)).context["as_text"]
    assert "Deal 1 is under review." in text
    assert "Carmen: −75" in text
