"""Entries that a phone had kept: written once, in order, or refused with the reason."""

import uuid

import pytest
from django.test import Client
from django.utils import timezone

from scoring.common.actor import Actor
from scoring.matches.services.matches import break_off
from scoring.models import Deal, LinkKind, TableLink
from tests.factories import diamonds, even_entries, evenings, king, make_match, record, write
from tests.matches.test_live_pages import joined
from tests.pages.test_weight import packed
from tests.support.tables import PHONE, codes, deals_of, form_data, match_of, phone_client, url

KING = {"king_taken_by": 2}
DIAMONDS = {"diamonds": [3, 4, 5, 1]}


@pytest.fixture
def phone(db):
    return phone_client()


def kept(match, contract="king", facts=None, **changes):
    """What the phone sends of an entry: what its form would have posted, and its own version."""
    return form_data(match, contract, facts or KING, client="1", **changes)


def send(phone, match, data):
    return phone.post(url("unsent", match), data)


# ── saved ───────────────────────────────────────────────────────────────


# Sent late, tapped by whoever sat there: the schedule deals and leads. C32
def test_kept_entries_arrive_in_order_each_on_the_version_before(phone):
    match, version = match_of(), 1
    match.refresh_from_db()
    version = match.version
    for number, (contract, facts) in enumerate((("king", KING), ("diamonds", DIAMONDS)), start=1):
        data = kept(match, contract, facts, version=version, chooser="0", deal_number=str(number))
        answer = send(phone, match, data)
        assert answer.status_code == 200
        assert answer.json() | {"url": ""} == {
            "state": "saved",
            "version": version + 1,
            "number": number,
            "url": "",
        }
        version = answer.json()["version"]
    rows = Deal.objects.filter(match=match).order_by("deal_number")
    assert [(row.contract, row.chooser, row.dealer) for row in rows] == [
        ("king", 0, 3),
        ("diamonds", 0, 0),
    ]


def test_evening_goes_up_in_one_go(phone):
    """A whole night in the back room is no flood."""
    evening = evenings()["evening-levant"]
    match = make_match(actor=PHONE, players=evening["players"], first_chooser=1)
    for deal in evening["deals"]:
        roles = {name: str(deal[name]) for name in ("chooser", "dealer")}
        data = kept(match, "+".join([deal["contract"]]), deal["input"], **roles)
        assert send(phone, match, data).status_code == 200, deal
    assert deals_of(match) == 20


# The answer was lost on its way: the same key gets it again, with the version of its own event.
def test_same_key_is_answered_as_the_first_time_and_writes_nothing(phone):
    match = match_of()
    data = kept(match)
    first = send(phone, match, data)
    record(match, diamonds(), actor=PHONE)
    again = send(phone, match, data)
    assert again.json() == first.json()
    assert deals_of(match) == 2


def test_lost_answer_is_found_again_after_the_match_was_closed(phone):
    match = match_of()
    data = kept(match)
    first = send(phone, match, data)
    write(break_off, match, actor=PHONE)
    assert send(phone, match, {**data, "client": "0"}).json() == first.json()


def test_key_that_the_page_has_saved_is_answered_here_too(phone):
    match = match_of()
    data = kept(match)
    assert phone.post(url("match", match), data).status_code == 303
    assert send(phone, match, data).json()["state"] == "saved"
    assert deals_of(match) == 1


# ── refused, and kept ───────────────────────────────────────────────────


def refused(answer, code, status):
    assert (answer.status_code, answer.json()["state"], answer.json()["code"]) == (
        status,
        "refused",
        code,
    )
    return answer.json()


# Anything else in between asks. C35
def test_stale_entry_is_refused_and_the_page_shows_both(phone):
    match = match_of()
    data = kept(match, deal_number="1")
    record(match, diamonds(), actor=PHONE)
    assert refused(send(phone, match, data), "stale", 409)["text"]
    assert deals_of(match) == 1
    page = phone.post(url("match", match), data)
    assert page.status_code == 409
    assert page.text.count(f'"{data["entry_key"]}"') == 2  # to save it, and to drop it


def test_choice_on_the_conflict_page_settles_what_was_kept(phone):
    match = match_of()
    data = kept(match, deal_number="1")
    theirs = record(match, diamonds(), actor=PHONE).deal
    phone.post(url("match", match), data)
    mine = form_data(match, "king", KING, action="replace", reason="Ours", deal=theirs.id)
    mine |= {"entry_key": data["entry_key"], "deal_number": "1"}
    assert phone.post(url("match", match), mine).status_code == 303
    match.refresh_from_db()
    answer = send(phone, match, data)
    assert answer.json()["version"] == match.version
    assert Deal.objects.standing().get(match=match).contract == "king"


def test_both_deals_were_played_and_mine_comes_after_the_other(phone):
    match = match_of()
    mine = kept(match, deal_number="1", chooser="0")
    behind = kept(match, "tricks", {"tricks": [13, 0, 0, 0]}, deal_number="2", chooser="0")
    record(match, diamonds(), actor=PHONE)
    page = phone.post(url("match", match), mine)
    assert (page.status_code, page.context["may_follow"]) == (409, True)
    saved = phone.post(url("match", match), {**mine, "action": "after", "version": "2"})
    assert saved.status_code == 303
    version = send(phone, match, mine).json()["version"]
    assert send(phone, match, {**behind, "version": version}).json()["number"] == 3
    rows = Deal.objects.filter(match=match).order_by("deal_number")
    assert [(row.deal_number, row.contract, row.chooser, row.dealer) for row in rows] == [
        (1, "diamonds", 0, 3),
        (2, "king", 0, 0),
        (3, "tricks", 0, 1),
    ]


@pytest.mark.parametrize(
    ("system", "theirs"), [("levant", king(1)), ("kleshchi", diamonds())], ids=["same", "chooser"]
)
def test_what_cannot_have_been_played_after_the_other_is_not_offered(phone, system, theirs):
    """The same contract of the same chooser, and a deal whose chooser is not the next one."""
    match = match_of(system=system)
    mine = kept(match, deal_number="1", chooser="0")
    record(match, theirs, actor=PHONE)
    page = phone.post(url("match", match), mine)
    assert (page.status_code, page.context["may_follow"]) == (409, False)


def test_closed_match_refuses_and_says_so(phone):
    match = match_of()
    data = kept(match)
    write(break_off, match, actor=PHONE)
    assert "closed" in refused(send(phone, match, data), "match_closed", 422)["text"]


def test_played_contract_names_who_has_played_it(phone):
    match = match_of(entries=[king()])
    answer = refused(send(phone, match, kept(match)), "contract_used", 422)
    assert "Amal" in answer["text"]


def test_entry_that_does_not_add_up_is_refused(phone):
    match = match_of()
    answer = send(phone, match, kept(match, "diamonds", {"diamonds": [3, 4, 5, 9]}))
    refused(answer, "wrong_total", 422)


# What an old page keeps is not guessed at. C36
@pytest.mark.parametrize("client", ["0", "", None])
def test_unknown_way_of_keeping_is_refused_politely(phone, client):
    match = match_of()
    data = kept(match)
    del data["client"]
    answer = send(phone, match, data | ({} if client is None else {"client": client}))
    assert "Open it" in refused(answer, "old_page", 422)["text"]
    assert deals_of(match) == 0


def test_expired_token_brings_a_fresh_one(db):
    phone = phone_client(enforce_csrf_checks=True)
    match = match_of()
    data = kept(match)
    answer = refused(send(phone, match, data), "form_expired", 403)
    headers = {"x-csrftoken": answer["token"]}
    assert phone.post(url("unsent", match), data, headers=headers).json()["state"] == "saved"
    assert deals_of(match) == 1


def test_post_of_another_site_gets_no_token(db):
    phone, match = phone_client(enforce_csrf_checks=True), match_of()
    answer = phone.post(
        url("unsent", match), kept(match), headers={"origin": "http://elsewhere.example"}
    )
    assert answer.status_code == 403
    assert '"token"' not in answer.text


def test_hostile_values_are_refused_in_words(phone):
    match = match_of()
    for changes in ({"entry_key": "x"}, {"version": "²"}, {"contract": "<b>"}, {"chooser": "9"}):
        answer = send(phone, match, {**kept(match), **changes})
        assert answer.status_code == 422
        assert "<b>" not in answer.json()["text"]
    assert deals_of(match) == 0


# ── whose ───────────────────────────────────────────────────────────────


def test_phone_without_its_cookie_is_told_and_learns_nothing(db):
    match = match_of()
    stranger = Client()
    answer = refused(send(stranger, match, kept(match)), "not_allowed", 404)
    nowhere = stranger.post(f"/matches/{uuid.uuid4()}/unsent/", {"client": "1"})
    assert nowhere.json() == answer


def test_link_that_was_revoked_meanwhile_refuses_and_the_entry_stays_with_the_phone(db):
    match = match_of()
    guest = joined(match, LinkKind.TABLE)
    data = kept(match)
    TableLink.objects.update(revoked_at=timezone.now())
    refused(send(guest, match, data), "not_allowed", 404)
    assert deals_of(match) == 0
    TableLink.objects.update(revoked_at=None)  # let in again, it goes up as it is
    assert send(guest, match, data).json()["state"] == "saved"


def test_who_only_watches_may_not_send(cast, phone_of):
    cast.club.is_public = True
    cast.club.save()
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    for user in (cast.farah, cast.ghassan):
        refused(send(phone_of(user), match, kept(match)), "not_allowed", 404)
        assert phone_of(user).get(url("kit", match)).status_code == 404
    assert send(phone_of(cast.amal), match, kept(match)).status_code == 200


def test_ghassan_sees_nothing_of_a_private_club(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    ghassan = phone_of(cast.ghassan)
    refused(send(ghassan, match, kept(match)), "not_allowed", 404)
    assert "Amal" not in ghassan.get(url("kit", match)).text


# ── what a phone takes along ────────────────────────────────────────────


def plan_of(phone, match):
    return phone.get(url("match", match, contract="")).context["plan"]


@pytest.mark.parametrize("system", ["levant", "kleshchi", "barbu"])
def test_kit_has_a_form_for_every_contract_and_nobody_in_it(phone, system):
    match = match_of(system=system)
    kit = phone.get(url("kit", match)).json()
    assert [offer["key"] for offer in kit["offers"]] == list(kit["forms"])
    for key, form in kit["forms"].items():
        assert f'name="contract" value="{key}"' in form
        for name in ("entry_key", "version", "deal_number", "chooser", "csrfmiddlewaretoken"):
            assert f'name="{name}"' not in form
    assert kit["counts"][3] == "No network: 3 deals wait on this phone."


def test_kit_belongs_to_the_page_until_a_name_changes(phone):
    match = match_of()
    tag = phone.get(url("match", match)).context["kit"]
    assert phone.get(url("kit", match)).json()["tag"] == tag
    record(match, king(), actor=PHONE)
    assert phone.get(url("match", match)).context["kit"] == tag
    phone.cookies["django_language"] = "fr"
    assert phone.get(url("match", match)).context["kit"] != tag


def test_complex_deal_is_one_form(phone):
    kit = phone.get(url("kit", match_of(options={"combo": "complex"}))).json()
    assert list(kit["forms"]) == ["king+queens+diamonds+tricks", "trex"]


def test_plan_stands_on_the_page_of_whoever_keeps_score(phone, phone_of, cast):
    match = match_of(entries=[king()])
    assert '"number":2' in plan_of(phone, match)
    write(break_off, match, actor=PHONE)
    assert plan_of(phone, match) == ""
    assert 'data-kit="' in phone.get(url("match", match)).text


@pytest.mark.parametrize("system", ["levant", "barbu"])
def test_kit_is_light(phone, system):
    answer = phone.get(url("kit", match_of(system=system, players=("أمل " * 10, "B", "C", "D"))))
    assert packed(answer.content) < 8_000


def test_kit_reads_little(phone, django_assert_num_queries):
    match = match_of(entries=[king()])
    with django_assert_num_queries(4):
        phone.get(url("kit", match))


# ── the pages around it ─────────────────────────────────────────────────


def test_list_of_what_waits_is_a_page_without_anything_in_it(phone):
    page = phone.get("/unsent/")
    assert page.status_code == 200
    assert "waiting-list" in page.text
    assert codes(page) == []


def test_worker_serves_all_and_names_every_file_of_the_match_page(phone):
    answer = phone.get("/sw.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer["Cache-Control"]
    pages = [phone.get(address).text for address in (url("match", match_of()), "/unsent/")]
    for page in pages:
        for part in page.split("/static/")[1:]:
            name = part.partition('"')[0].partition("#")[0]
            assert f'"/static/{name}"' in answer.text, name


def test_pages_say_whose_copy_they_are(cast, phone_of):
    readers = {phone_of(user).get("/unsent/")["X-Reader"] for user in (cast.amal, cast.badr)}
    assert len(readers | {Client().get("/unsent/")["X-Reader"]}) == 3


# Without a network nobody asks who deals, where the rule of the table says it.
@pytest.mark.parametrize(("rule", "dealer"), [("owner_deals", 2), ("owner_left", 1), ("rotate", 1)])
def test_holder_of_the_seven_brings_the_dealer_along(phone, rule, dealer):
    options = {"kingdom_pass": "seven_each_kingdom", "dealer_rule": rule}
    match = make_match(actor=PHONE, options=options)
    for number, entry in enumerate(list(even_entries())[:5]):
        record(match, entry, actor=PHONE, dealer=number % 4 if rule == "rotate" else None)
    answer = send(phone, match, kept(match, chooser="2"))
    assert answer.status_code == 200, answer.json()
    assert Deal.objects.get(match=match, deal_number=6).dealer == dealer
