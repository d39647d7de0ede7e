"""A match broken off, voided, taken up again; and what its page says in each state."""

import uuid

import pytest
from django.test import Client
from django.utils import timezone

from scoring.common.actor import Actor
from scoring.matches.services import matches
from scoring.models import MatchResult
from tests.factories import finish, king, make_evening, make_match, record, write
from tests.support.markup import flat
from tests.support.tables import PHONE, codes, evening_of, form_data, match_of, phone_client, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone():
    return phone_client()


def sent(match, action, **given):
    match.refresh_from_db()
    data = {"entry_key": uuid.uuid4(), "version": match.version, "action": action}
    return {**data, **given}


def close(client, match, action, **given):
    return client.post(url("match_close", match), sent(match, action, **given))


def state(match):
    match.refresh_from_db()
    return match.state


def plain(response) -> str:
    text = response.text.replace("<bdi>", "").replace("</bdi>", "")
    return " ".join(text.replace('<bdi class="num" dir="ltr">', "").split())


# Texts for not started, running, finished and put aside. C104
def test_page_of_each_state_says_which_it_is(phone):
    match = match_of()
    page = phone.get(url("match", match))
    assert 'data-state="running"' in page.text
    assert "Not begun" in page.text
    record(match, king(), actor=PHONE)
    page = plain(phone.get(url("match", match)))
    assert "Not begun" not in page
    assert "deal 2 of 20" in page
    write(matches.break_off, match, actor=PHONE, reason="Carmen had to leave")
    page = phone.get(url("match", match))
    assert 'data-state="unfinished"' in page.text
    assert "After 1 of 20 deals. It counts nowhere" in plain(page)
    assert "Carmen had to leave" in page.text
    assert "Go on with it" in page.text
    write(matches.void_match, match, actor=PHONE, reason="A card was missing")
    page = phone.get(url("match", match))
    assert 'data-state="voided"' in page.text
    assert "This match counts as not played." in page.text
    assert "A card was missing" in page.text
    done = finish(evening_of("evening-levant"))
    page = phone.get(url("match", done))
    assert 'data-state="finished"' in page.text
    assert "The winner" in page.text
    for text in ("Not begun", "It counts nowhere", "counts as not played", "deal 21"):
        assert text not in page.text


def test_seats_that_only_watch_see_that_nothing_has_begun(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players, first_chooser=None)
    page = phone_of(cast.badr).get(url("match", match))
    assert "Not begun" in page.text


def test_evening_is_broken_off_and_goes_on_where_it_was_left(phone):
    match = evening_of("evening-levant", 7)
    assert url("match_close", match) in phone.get(url("match", match)).text
    page = plain(phone.get(url("match_close", match)))
    assert "7 deals are kept" in page
    data = sent(match, "break_off", reason="The café closes")
    for _ in range(2):
        answer = phone.post(url("match_close", match), data)
        assert (answer.status_code, answer["Location"]) == (303, url("match", match, contract=""))
    assert (state(match), match.current_deals.count()) == ("unfinished", 7)
    late = phone.post(url("match", match, contract="king"), form_data(match, "king"))
    assert late.status_code == 422
    again = phone.post(url("match", match), sent(match, "reopen"))
    assert (again.status_code, state(match)) == (303, "running")
    assert "deal 8 of 20" in plain(phone.get(url("match", match)))


def test_late_entry_says_that_the_match_is_closed_and_keeps_what_was_tapped(phone):
    match = match_of()
    data = form_data(match, "king", {"king_taken_by": 2})
    write(matches.break_off, match, actor=PHONE)
    late = phone.post(url("match", match, contract="king"), data)
    assert (late.status_code, codes(late)) == (422, ["match_closed"])
    assert 'name="king_taken_by" value="2" checked' in flat(late)


# Destructive actions stand apart, ask first and have a way back. C119
def test_voiding_shows_what_is_lost_asks_why_and_can_be_undone(phone):
    match = finish(evening_of("evening-levant"))
    page = plain(phone.get(url("match_close", match, void=1)))
    for text in ("20 deals", "Amal Haddad +190 · 1st place", "results in the standings"):
        assert text in page
    refused = phone.post(url("match_close", match, void=1), sent(match, "void"))
    assert (refused.status_code, codes(refused)) == (422, ["missing"])
    assert "Please say why." in refused.text
    assert 'aria-invalid="true" aria-describedby="reason_error"' in refused.text
    assert "20 deals" in plain(refused)
    assert MatchResult.objects.count() == 4
    assert close(phone, match, "void", reason="The deck lacked a card").status_code == 303
    assert (state(match), MatchResult.objects.count()) == ("voided", 0)
    assert phone.post(url("match", match), sent(match, "reopen")).status_code == 303
    assert state(match) == "running"


def test_nobody_is_in_front_of_a_void_match(phone):
    match = finish(evening_of("evening-levant"))
    running = evening_of("evening-levant", 7)
    pages = [url("sheet", match), url("match", running)]
    assert all("♛" in phone.get(page).text for page in pages)
    for each in (match, running):
        close(phone, each, "void", reason="The deck lacked a card")
        for name in ("match", "sheet"):
            assert "♛" not in phone.get(url(name, each)).text


def test_stale_phone_closes_nothing(phone):
    match = match_of()
    for action in ("break_off", "void"):
        answer = close(phone, match, action, version=0, reason="why")
        assert (answer.status_code, codes(answer)) == (409, ["stale"])
    assert state(match) == "running"


@pytest.mark.parametrize(
    ("person", "break_off", "void"),
    [("amal", 303, 403), ("badr", 303, 403), ("esam", 303, 303), ("owner", 303, 303)],
)
def test_who_may_close_what_in_a_club(cast, phone_of, person, break_off, void):
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    client = phone_of(getattr(cast, person))
    assert ("?void=1" in client.get(url("match_close", match)).text) == (void == 303)
    assert close(client, match, "void", reason="why").status_code == void
    if void == 303:
        assert client.post(url("match", match), sent(match, "reopen")).status_code == 303
    assert close(client, match, "break_off").status_code == break_off
    assert client.post(url("match", match), sent(match, "reopen")).status_code == 303
    finish_and_reopen(client, match, 303 if void == 303 else 403)


def finish_and_reopen(client, match, expected):
    """Reopening what was finished is the arbiter's, unlike taking up what was broken off."""
    type(match).objects.filter(id=match.id).update(state="finished")
    assert client.post(url("match", match), sent(match, "reopen")).status_code == expected


def test_others_see_no_page_and_close_nothing(cast, phone_of):
    match = make_match(club=cast.club, players=(*cast.players[:3], "Zeina"), actor=Actor(cast.amal))
    for client in (phone_of(cast.ghassan), phone_of(cast.farah), Client(), phone_of(cast.dima)):
        assert client.get(url("match_close", match)).status_code == 404
        assert close(client, match, "break_off").status_code == 404
    assert state(match) == "running"


def test_lists_of_club_and_phone_keep_it_apart(cast, phone_of, phone):
    match = make_match(club=cast.club, players=cast.players, table_name="Table 7")
    write(matches.break_off, match)
    page = phone_of(cast.badr).get(f"/clubs/{cast.club.slug}/").text
    assert page.index("No match is running") < page.index("Broken off") < page.index("Table 7")
    own = match_of(table_name="Garden", now=timezone.now())
    assert phone.get("/").status_code == 302
    write(matches.break_off, own, actor=PHONE)
    front = phone.get("/")
    assert front.status_code == 200
    assert front.text.index("Broken off") < front.text.index("Garden")


def test_rebuilding_keeps_what_counts_nowhere_out(phone):
    match = make_evening("evening-levant", actor=PHONE)
    close(phone, match, "break_off")
    assert not MatchResult.objects.exists()
