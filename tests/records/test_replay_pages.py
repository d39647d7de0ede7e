"""The deal seen again: /matches/<id>/deals/<n>/replay/."""

import json
import re
from gzip import compress
from uuid import uuid4

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from pytest_django.asserts import assertContains

from scoring.ledger.services.chain import Write
from scoring.records.services.records import attach
from scoring.replay.notation.json_records import read_json
from tests.factories import NOW, correct, evenings, king, make_cast, make_match
from tests.pages.test_weight import weight
from tests.support.markup import flat
from tests.support.tables import PHONE, evening_of, phone_client, url

pytestmark = pytest.mark.django_db


def with_record(match, number, external_id):
    """Attaches the record that came with the evening."""
    match.refresh_from_db()
    content = evenings()[external_id]["deals"][number - 1]["record"]
    record = next(read_json(json.dumps(content)))
    attach(Write(match.id, uuid4(), match.version, PHONE, NOW), deal_number=number, record=record)
    return match


def levant(number=3):
    return with_record(evening_of("evening-levant", number), number, "evening-levant")


def cards_in(html, place):
    """The cards that lie at one place of the page, in order."""
    inside = re.search(rf'data-place="{place}"[^>]*>(.*?)</div>', html, re.S)
    return re.findall(r'data-card="(..)"', inside[1])


def test_every_card_lies_where_the_play_says():
    match = levant()
    html = phone_client().get(url("replay", match, 3, play=6)).content.decode()
    plays = evenings()["evening-levant"]["deals"][2]["record"]["plays"]
    assert len(re.findall(r'data-card="', html)) == 52
    for play in plays[4:6]:
        assert cards_in(html, f"middle-{play['seat']}") == [play["card"]]
    taken = {card for seat in range(4) for card in cards_in(html, f"before-{seat}")}
    assert taken == {play["card"] for play in plays[:4] if play["card"][1] == "D"}


def test_script_is_told_each_move_once():
    match = levant()
    html = phone_client().get(url("replay", match, 3)).content.decode()
    told = json.loads(re.search(r'data-scenes="([^"]*)"', html)[1].replace("&quot;", '"'))
    assert len(told) == 53
    assert len(told[0]["moves"]) == 52
    assert all(1 <= len(scene["moves"]) <= 5 for scene in told[1:])


# A link opens at its play. C114
def test_every_play_has_a_link_that_opens_there():
    match = levant()
    page = phone_client().get(url("replay", match, 3)).content.decode()
    links = re.findall(r'data-to="(\d+)"', page)
    assert links == [str(number) for number in range(1, 53)]
    there = phone_client().get(url("replay", match, 3, play=links[9]))
    assertContains(there, 'data-shown="10"')
    assert 'data-to="10" aria-current="step"' in flat(there)


@pytest.mark.parametrize(("asked", "shown"), [("-3", 0), ("999", 52), ("x", 0), ("٦", 6)])
def test_play_that_is_not_there_shows_the_nearest(asked, shown):
    page = phone_client().get(url("replay", levant(), 3, play=asked))
    assertContains(page, f'data-shown="{shown}"')


def test_seat_that_is_chosen_sits_at_the_foot():
    match = levant()
    html = phone_client().get(url("replay", match, 3, south=1)).content.decode()
    sides = re.findall(r'class="side side-(\d)[^"]*" data-seat="(\d)"', html)
    assert sides == [("3", "0"), ("0", "1"), ("1", "2"), ("2", "3")]


def test_who_looks_sits_at_the_foot():
    cast = make_cast()
    match = make_match(
        entries=evenings()["evening-levant"]["deals"][:1], club=cast.club, players=cast.players
    )
    with_record(match, 1, "evening-levant")
    client = Client()
    client.force_login(cast.dima)
    assertContains(client.get(url("replay", match, 1)), 'side-0" data-seat="3"')


@pytest.mark.parametrize("system", ["levant", "kleshchi", "barbu"])
def test_every_deal_of_an_evening_can_be_seen(system):
    name = f"evening-{system}"
    match = evening_of(name)
    contracts = set()
    for deal in evenings()[name]["deals"]:
        if deal["contract"] not in contracts:
            contracts.add(deal["contract"])
            with_record(match, deal["deal_number"], name)
            page = phone_client().get(url("replay", match, deal["deal_number"], play=20))
            assertContains(page, 'id="stage"')


def test_deal_without_a_record_is_not_there():
    match = evening_of("evening-levant", 1)
    assert phone_client().get(url("replay", match, 1)).status_code == 404


def test_stranger_sees_nothing():
    cast = make_cast()
    match = make_match(
        entries=evenings()["evening-levant"]["deals"][:1], club=cast.club, players=cast.players
    )
    with_record(match, 1, "evening-levant")
    ghassan = Client()
    ghassan.force_login(cast.ghassan)
    assert ghassan.get(url("replay", match, 1)).status_code == 404


def test_page_asks_five_times(django_assert_num_queries):
    match, client = levant(), phone_client()
    with django_assert_num_queries(5):
        client.get(url("replay", match, 3))


@pytest.mark.parametrize(
    ("evening", "contract"),
    [
        ("evening-levant", "tricks"),
        ("evening-levant", "trex"),
        ("evening-kleshchi", "trex"),
        ("evening-barbu", "fifty_one"),
    ],
)
def test_page_with_its_cards_is_small(evening, contract):
    deal = next(d for d in evenings()[evening]["deals"] if d["contract"] == contract)
    number = deal["deal_number"]
    match = with_record(evening_of(evening, number), number, evening)
    html = phone_client().get(url("replay", match, number, play=30)).content
    files = ["css/cards.css", "css/replay.css", "js/replay.js", "img/suits.svg"]
    parts = [html, *(open(finders.find(name), "rb").read() for name in files)]  # noqa: SIM115
    assert sum(len(compress(part)) for part in parts) <= 40_000


def test_everything_a_first_look_loads_is_light():
    page = phone_client().get(url("replay", levant(), 3))
    assert weight(page) <= 44_000


def test_audit_stands_beside_it_and_leads_to_the_play():
    match = levant(2)
    page = phone_client().get(url("replay", match, 2)).text
    assert 'data-verdict="agrees"' in page
    assert url("record", match, 2) in page
    deal = match.current_deals.get(deal_number=2).deal
    wrong = (deal.payload["input"]["king_taken_by"] + 1) % 4
    correct(match, deal, king(wrong, chooser=deal.chooser), dealer=deal.dealer)
    page = phone_client().get(url("replay", match, 2)).text
    assert re.search(r'data-code="taker_differs".*?data-to="\d+"', page, re.S)
