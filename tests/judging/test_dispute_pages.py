"""The case of a deal for whoever judges: evidence, the ruling, what it does, published."""

import re
import uuid
from dataclasses import replace
from pathlib import Path

import pytest
from django.test import Client

from scoring.common.actor import Actor
from scoring.judging.services import disputes
from scoring.ledger.queries.match_view import match_view
from scoring.matches.services import matches
from scoring.models import Club, Deal, Ruling
from scoring.records.services.photos import void_photo
from scoring.replay.notation import trex_text
from tests.factories import (
    attach,
    correct,
    diamonds,
    evening_record,
    evenings,
    finish,
    king,
    make_match,
    record,
    write,
)
from tests.support import photos
from tests.support.asking import NASTY
from tests.support.judging import act, decide, flag
from tests.support.markup import flat
from tests.support.tables import codes, taps, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast):
    return make_match(
        club=cast.club,
        players=cast.players,
        entries=[king(taken_by=2), diamonds(4, 3, 3, 3)],
        actor=Actor(cast.amal),
    )


@pytest.fixture
def arbiter(cast, phone_of):
    return phone_of(cast.esam)


def page_of(match, number=1, **query):
    return url("dispute", match, number, **query)


def typed(match, outcome, action="look", **changes):
    match.refresh_from_db()
    sent = {"entry_key": uuid.uuid4(), "version": match.version, "outcome": outcome}
    return {**sent, "action": action, "reason": "Two saw it", **changes}


def hidden(response) -> dict[str, str]:
    """What the form on the page that was looked at would send."""
    form = flat(response).split('id="effect-title"')[1].split("<form", 1)[1]
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form)
    return {name: value for name, value in found if name != "csrfmiddlewaretoken"}


def plain(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.text).split())


def publish(match, number=1, outcome="stands", **given):
    return decide(match, number, outcome, **{"reason": "Two saw it", **given})


# ---- the case


def test_case_shows_everything_on_one_page(cast, arbiter, match):
    said = {"deal_number": 1, "words": "Dima took it"}
    write(disputes.flag, match, actor=Actor(cast.dima), now=match.opened_at, **said)
    correct(match, match.deals.get(deal_number=1), king(taken_by=3), actor=Actor(cast.amal))
    attach(match, 1, evening_record("evening-levant", 1))
    taken = photos.attach(match, 1)
    write(void_photo, match, photo_id=taken.id, reason="blurred")
    publish(match, 2, actor=Actor(cast.esam), rule="C-L6")
    page = arbiter.get(page_of(match, outcome="stands", rule="C-L6"))
    text = plain(page)
    assert page.status_code == 200
    for said in ("Dima took it", "Amal", "Corrected", "typed wrong", "blurred"):
        assert said in text, said
    assert f"/photos/{taken.id}/" in page.text
    assert 'data-precedents="rule"' in page.text
    assert 'data-verdict="' in page.text
    assert "/replay/" in page.text


@pytest.mark.parametrize("outcome", ["", "stands", "corrected", "revoke", "adjusted"])
def test_outcome_asks_for_what_it_needs(arbiter, match, outcome):
    page = arbiter.get(page_of(match, 2, outcome=outcome))
    assert page.status_code == 200
    asks = {"corrected": 'name="diamonds.0"', "revoke": 'name="revoke_by"', "adjusted": "sum.0"}
    for key, name in asks.items():
        shown = key == outcome or (key, outcome) in (
            ("corrected", "revoke"),
            ("revoke", "corrected"),
        )
        assert (name in page.text) == shown, key
    assert ('name="reason"' in page.text) == bool(outcome)


def test_no_revoke_where_the_rules_or_the_contract_have_none(cast, arbiter, match):
    other = make_match(
        club=cast.club,
        players=("A1", "B2", "C3", "D4"),
        options={"revoke": "off"},
        entries=[king()],
    )
    assert 'data-outcome="revoke"' in arbiter.get(page_of(match)).text
    assert 'data-outcome="revoke"' not in arbiter.get(page_of(other)).text


# ---- looked at, then published


@pytest.mark.parametrize(
    ("outcome", "facts", "after"),
    [
        ("stands", {}, [-40, -30, -30, -30]),
        (
            "corrected",
            taps({"diamonds": [0, 0, 0, 13]}) | {"contract": "diamonds"},
            [0, 0, 0, -130],
        ),
        (
            "revoke",
            taps({"diamonds": [2, 0, 0, 0], "revoke_by": 1}) | {"contract": "diamonds"},
            [-20, -110, 0, 0],
        ),
        ("adjusted", {"sign.0": "plus", "sum.0": "١٠", "sign.3": "minus", "sum.3": "5"}, None),
    ],
)
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_ruling_is_looked_at_and_published(arbiter, match, outcome, facts, after, headers):
    after = after or [-30, -30, -30, -35]
    if "diamonds" in facts:
        facts = taps(facts) | {"contract": "diamonds"}
    data = typed(match, outcome, rule="C-L6", **facts)
    looked = arbiter.post(page_of(match, 2), data, headers=headers)
    assert looked.status_code == 200
    assert 'data-effects="match"' in looked.text
    assert not Ruling.objects.exists()
    sent = {**hidden(looked), "action": "publish"}
    answer = arbiter.post(page_of(match, 2), sent, headers=headers)
    assert (answer.status_code, answer["Location"]) == (303, f"{page_of(match, 2)}#rulings")
    ruling = Ruling.objects.get()
    assert (ruling.outcome, ruling.rule, ruling.after) == (outcome, "C-L6", after)
    again = arbiter.post(page_of(match, 2), sent)
    assert (again.status_code, Ruling.objects.count()) == (303, 1)


def test_what_was_looked_at_can_be_changed_once_more(arbiter, match):
    looked = arbiter.post(
        page_of(match, 2), typed(match, "adjusted", **{"sign.0": "minus", "sum.0": "7"})
    )
    page = arbiter.post(page_of(match, 2), {**hidden(looked), "action": "change"})
    assert page.status_code == 200
    assert 'name="sum.0" value="7"' in flat(page)
    assert "Two saw it" in page.text


def test_earlier_version_is_one_tap_away(arbiter, match):
    first = match.deals.get(deal_number=1)
    correct(match, first, king(taken_by=3))
    page = arbiter.get(page_of(match, outcome="corrected"))
    assert f"of={first.id}" in page.text
    page = arbiter.get(page_of(match, outcome="corrected", of=first.id))
    assert 'name="king_taken_by" value="2" checked' in flat(page)


# What would not pass the checks is not offered, and refused by hand. C55
def test_version_that_does_not_fit_any_more_is_not_offered(cast, arbiter):
    match = make_match(
        club=cast.club, players=cast.players, entries=[diamonds(4, 3, 3, 3)], actor=Actor(cast.amal)
    )
    first = match.deals.get(deal_number=1)
    correct(match, first, king(taken_by=3))
    record(match, diamonds(3, 4, 3, 3))
    page = arbiter.get(page_of(match, 1, outcome="corrected"))
    assert 'data-way="refused"' in page.text
    assert f"of={first.id}" not in page.text
    data = typed(match, "corrected", contract="diamonds", **taps({"diamonds": [4, 3, 3, 3]}))
    assert codes(arbiter.post(page_of(match, 1), data)) == ["contract_used"]


def test_record_proposes_the_correction_and_the_revoke(cast, arbiter):
    match = make_match(club=cast.club, players=cast.players, first_chooser=3)
    record(match, diamonds(4, 3, 3, 3, chooser=3), dealer=0, leader=1)
    assert "of=cards" not in arbiter.get(page_of(match, outcome="corrected")).text
    attach(match, 1, next(iter(trex_text.read(REVOKED.read_text()))))
    page = arbiter.get(page_of(match, outcome="corrected"))
    assert "of=cards" in page.text
    page = arbiter.get(page_of(match, outcome="corrected", of="cards"))
    assert all(f'name="diamonds.{seat}" value="{n}" checked' in flat(page) for seat, n in CARDS)
    page = arbiter.get(page_of(match, outcome="revoke"))
    assert 'name="revoke_by" value="0" checked' in flat(page)
    assert all(f'name="diamonds.{seat}" value="0" checked' in flat(page) for seat in range(4))


REVOKED = Path(__file__).parents[1] / "card_records" / "revoke.trex"
CARDS = [(0, 0), (1, 0), (2, 4), (3, 9)]


def test_what_the_cards_allow_is_shown_when_it_is_asked_for(cast, arbiter):
    match = make_match(club=cast.club, players=cast.players, first_chooser=3)
    record(match, diamonds(4, 3, 3, 3, chooser=3), dealer=0, leader=1)
    assert "what_if=1" not in arbiter.get(page_of(match)).text
    whole = next(iter(trex_text.read(REVOKED.read_text())))
    attach(match, 1, whole)
    assert "what_if=1" in arbiter.get(page_of(match)).text
    page = flat(arbiter.get(page_of(match, what_if="1")))
    assert "What the revoke cost" in page
    assert page.count("<tr data-card>") >= 1


def test_claims_of_the_entry_are_held_against_an_open_record(cast, arbiter):
    match = make_match(club=cast.club, players=cast.players, first_chooser=3)
    record(match, diamonds(13, 0, 0, 0, chooser=3), dealer=0, leader=1)
    whole = next(iter(trex_text.read(REVOKED.read_text())))
    attach(match, 1, replace(whole, plays=whole.plays[:24]))
    page = flat(arbiter.get(page_of(match, what_if="1")))
    assert 'data-possible="no"' in page
    assert "Impossible" in page
    assert "diamonds after trick" in page or "diamonds at most" in page


@pytest.mark.parametrize(
    ("outcome", "changes", "expected"),
    [
        ("stands", {"reason": " "}, ["missing"]),
        ("stands", {"reason": "x" * 501}, ["too_long"]),
        ("stands", {"rule": "C-Z1"}, ["unknown_rule"]),
        ("guilty", {}, ["missing"]),
        ("adjusted", {}, ["missing"]),
        ("adjusted", {"sum.1": "5"}, ["no_sign"]),
        ("adjusted", {"sum.1": "-5", "sign.1": "plus"}, ["bad_points"]),
        ("corrected", taps({"diamonds": [4, 3, 3, 3]}), ["nothing_changed"]),
        ("corrected", taps({"diamonds": [4, 3, 3, 4]}), ["wrong_total"]),
        ("revoke", taps({"diamonds": [4, 3, 3, 3]}), ["missing"]),
    ],
)
def test_refusal_stands_where_it_was_asked_and_nothing_is_lost(
    arbiter, match, outcome, changes, expected
):
    data = typed(match, outcome, **{"contract": "diamonds", **changes})
    for action in ("look", "publish"):
        page = arbiter.post(page_of(match, 2), {**data, "action": action})
        assert (page.status_code, codes(page)) == (422, expected), action
    assert not Ruling.objects.exists()
    if outcome in ("stands", "adjusted") and data["reason"].strip():
        assert data["reason"] in page.text


# Two arbiters at once, or a correction meanwhile: nobody rules on what they have not seen.
def test_ruling_on_what_was_changed_meanwhile_shows_what_changed(cast, arbiter, match):
    data = typed(match, "stands", "publish")
    correct(match, match.deals.get(deal_number=1), king(taken_by=3), actor=Actor(cast.amal))
    page = arbiter.post(page_of(match), data)
    assert (page.status_code, codes(page)[0]) == (409, "stale")
    assert "Two saw it" in page.text
    assert "Amal" in page.text.split('data-code="stale"')[1][:900]
    assert not Ruling.objects.exists()
    publish(match, actor=Actor(cast.owner))
    page = arbiter.post(page_of(match), data | {"entry_key": uuid.uuid4()})
    assert page.status_code == 409
    assert Ruling.objects.count() == 1


def test_form_that_lay_open_too_long_is_shown_again(cast, phone_of, match):
    strict = phone_of(cast.esam, enforce_csrf_checks=True)
    page = strict.post(page_of(match), typed(match, "stands", "publish"))
    assert page.status_code == 422
    assert "Two saw it" in page.text
    assert not Ruling.objects.exists()


def test_void_match_takes_no_ruling(arbiter, match):
    write(matches.void_match, match, reason="a test")
    page = arbiter.get(page_of(match, outcome="stands"))
    assert 'data-code="match_voided"' in page.text
    assert "<textarea" not in page.text


def test_preview_while_typing_writes_nothing(arbiter, match):
    htmx = {"HX-Request": "true"}
    numbers = typed(match, "adjusted", "preview", **{"sign.0": "minus", "sum.0": "7"})
    part = arbiter.post(page_of(match, 2), numbers, headers=htmx)
    assert 'data-total="-47"' in part.text
    assert "<html" not in part.text
    entry = typed(
        match, "corrected", "preview", contract="diamonds", **taps({"diamonds": [13, 0, 0, 0]})
    )
    part = arbiter.post(page_of(match, 2), entry, headers=htmx)
    assert 'data-total="-130"' in part.text
    part = arbiter.get(page_of(match, 2, precedents=1, rule="C-L6"), headers=htmx)
    assert "<html" not in part.text
    assert not Ruling.objects.exists()


# ---- the finished match, the sheet, the deal, the report


def test_published_ruling_stands_beside_the_deal_for_everybody(cast, arbiter, phone_of, match):
    publish(match, 2, "adjusted", adjustment=(0, 0, 0, -5), rule="C-L6", actor=Actor(cast.esam))
    for person in (cast.badr, cast.esam):
        client = phone_of(person)
        for page in (client.get(url("deal", match, 2)), client.get(url("sheet", match))):
            text = plain(page)
            for said in (
                "Points beside it",
                "Two saw it",
                "Arbiter",
                "C-L6",
                "What a revoke costs",
            ):
                assert said in text, said
    page = phone_of(cast.esam).get(url("deal", match, 2))
    assert "correct=1" not in page.text
    assert 'data-code="ruled"' in page.text
    assert "Take back" not in plain(arbiter.get(url("adjust", match)))


def test_standings_are_shown_before_and_after(cast, arbiter):
    evening = evenings()["evening-levant"]
    match = finish(
        make_match(
            club=cast.club,
            players=cast.players,
            entries=evening["deals"],
            first_chooser=evening["first_chooser"],
        )
    )
    total = match_view(match).sheet.totals[0]
    data = typed(match, "adjusted", **{"sign.0": "minus", "sum.0": "500"})
    page = arbiter.post(page_of(match, 3), data)
    rows = page.text.split('data-effects="standings"')[1]
    assert "Amal" in rows
    assert f"{total - 500}".replace("-", "−") in rows
    assert "♛" not in rows
    assert 'data-effects="ratings"' in page.text  # places change, not points alone
    data = typed(match, "adjusted", **{"sign.0": "plus", "sum.0": "1"})
    assert 'data-effects="ratings"' not in arbiter.post(page_of(match, 3), data).text


@pytest.mark.parametrize("language", ["en", "ar"])
def test_report_tells_the_whole_case(cast, arbiter, phone_of, match, language):
    attach(match, 1, evening_record("evening-levant", 1))
    photos.attach(match, 1)
    publish(match, 1, "corrected", entry=king(taken_by=3), actor=Actor(cast.esam), rule="C-L13")
    publish(match, 1, "adjusted", adjustment=(0, 0, 0, -5), actor=Actor(cast.esam))
    match.refresh_from_db()
    client = phone_of(cast.badr)
    client.cookies["django_language"] = language
    page = client.get(url("ruling_report", match, 1))
    assert page.status_code == 200
    assert match.head in page.text
    for ruling in Ruling.objects.all():
        assert ruling.event.hash in page.text
    assert page.text.count('data-effects="match"') == 2
    assert "esam" not in page.text
    if language == "ar":
        assert 'dir="rtl"' in page.text


def test_report_is_for_the_arbiter_alone_before_a_ruling(cast, arbiter, phone_of, match):
    assert arbiter.get(url("ruling_report", match, 1)).status_code == 200
    assert phone_of(cast.badr).get(url("ruling_report", match, 1)).status_code == 404
    assert arbiter.get(url("ruling_report", match, 9)).status_code == 404


# A report is read from outside while other deals are doubted, and once its own is again. C69
def test_report_hides_what_is_under_review(cast, phone_of):
    Club.objects.filter(id=cast.club.id).update(is_public=True)
    entries = [king(taken_by=2), diamonds(4, 3, 3, 3)]
    match = make_match(club=cast.club, players=cast.players, entries=entries)
    flag(match, 2, actor=Actor(cast.badr))
    correct(match, match.deals.get(deal_number=2), diamonds(13, 0, 0, 0))
    publish(match, 1, "adjusted", adjustment=(0, 0, 0, -7))
    report = url("ruling_report", match, 1)
    badr, visitor = phone_of(cast.badr), Client()
    inside, outside = (
        re.sub("<[^>]+>", "", client.get(report).content.decode()) for client in (badr, visitor)
    )
    assert "−130" in inside
    assert "−130" not in outside
    assert "−37" in outside
    act(disputes.reopen, match, 1, reason="A word", actor=Actor(cast.esam))
    photos.attach(match, 1)
    assert 'id="photos-title"' in badr.get(report).content.decode()
    assert 'id="photos-title"' not in visitor.get(report).content.decode()


# ---- the rulings of a club


def test_rulings_of_a_club_are_found_by_rule_contract_and_outcome(cast, phone_of, match):
    publish(match, 1, rule="C-L13", reason="first grounds")
    publish(match, 2, "adjusted", adjustment=(0, 0, 0, -5), reason="second grounds")
    client = phone_of(cast.badr)
    address = f"/clubs/{cast.club.slug}/rulings/"
    both = client.get(address).text
    assert both.index("second grounds") < both.index("first grounds")
    for query in ({"rule": "C-L13"}, {"contract": "king"}, {"outcome": "stands"}):
        found = client.get(address, query).text
        assert "first grounds" in found, query
        assert "second grounds" not in found, query
    assert "first grounds" in client.get(address, {"rule": "nonsense", "page": "x"}).text


def test_list_asks_the_same_of_two_rulings_and_of_twenty(
    cast, phone_of, match, django_assert_num_queries
):
    client = phone_of(cast.badr)
    for number in (2, 18):
        for _ in range(number):
            publish(match, 1)
        with django_assert_num_queries(10):
            client.get(f"/clubs/{cast.club.slug}/rulings/")


# ---- who may


def test_names_and_grounds_are_shown_literally(cast, arbiter):
    match = make_match(club=cast.club, players=(*cast.players[:3], NASTY[:40]), entries=[king()])
    publish(match, 1, reason=NASTY)
    looked = arbiter.post(page_of(match), typed(match, "stands", reason=NASTY))
    pages = [looked, *(arbiter.get(url(name, match, 1)) for name in ("deal", "ruling_report"))]
    for page in (*pages, arbiter.get(f"/clubs/{cast.club.slug}/rulings/")):
        assert page.status_code == 200
        assert NASTY not in page.text


def test_another_clubs_people_find_no_case_no_report_and_no_ruling(cast, phone_of, match):
    publish(match, 1)
    ghassan = phone_of(cast.ghassan)
    for address in (page_of(match), url("ruling_report", match, 1)):
        assert ghassan.get(address).status_code == 404
    assert ghassan.get(f"/clubs/{cast.club.slug}/rulings/").status_code == 404
    answer = ghassan.post(page_of(match), typed(match, "stands", "publish"))
    assert (answer.status_code, Ruling.objects.count()) == (404, 1)
    for player in (cast.badr, cast.amal):
        assert phone_of(player).get(page_of(match)).status_code == 404
    assert Deal.objects.filter(match=match).count() == 2
