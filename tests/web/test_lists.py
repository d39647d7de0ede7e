"""Every figure opens the list behind it: what the list comes to is the figure."""

import html
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from scoring.models import ContractResult, Match, MatchResult
from scoring.services import totals
from tests.evening import planned
from tests.factories import NOW
from tests.standings import finished
from tests.web.test_player import play

pytestmark = pytest.mark.django_db

NUMBER = re.compile(r"[+−]?\d+(?:\.\d+)?")


@pytest.fixture
def full(cast):
    """A club in which Amal has everything that can be counted, against people and beside them."""
    play(cast, 5)
    play(cast, 5, teams="opposite")
    amal, _, carmen, _ = cast.players
    finished(cast.club, dict(zip(cast.players, (9, 1, 2, 3), strict=True)), at=NOW)
    guests = [cast.club.players.create(name=name) for name in ("Zed", "Yara", "Xenia")]
    finished(cast.club, dict(zip((carmen, *guests), (5, 5, -5, -5), strict=True)), at=NOW)
    own = MatchResult.objects.filter(player=amal).order_by("played_at", "id")
    for number, name in enumerate(("Cup", "Final"), start=1):
        evening, matches = planned(cast.club, name=name), own[3 * number : 3 * number + 2]
        ids = [row.match_id for row in matches]
        Match.objects.filter(id__in=ids).update(evening=evening)
        MatchResult.objects.filter(match__in=ids).update(evening=evening)
    # What dice bring too rarely.
    rows = ContractResult.objects.filter(player=amal, contract="trex").order_by("match__played_at")
    for row, times in zip(rows, (2, 0, 1), strict=False):
        ContractResult.objects.filter(id=row.id).update(kabbouts=times)
    cast.club.seasons.create(
        name="Autumn", starts_on=NOW.date(), ends_on=NOW.date() + timedelta(days=30), counted=4
    )
    totals.recount(club=cast.club, people={one.id for one in cast.players})
    return cast


def numbers(text):
    """Those of a text, but of no day."""
    return NUMBER.findall(strip_tags(re.sub("<time.*?</time>", "", text, flags=re.DOTALL)))


def lists_of(page):
    """The address of each list that a page opens, with what it is opened by."""
    found = re.findall(r'<a [^>]*href="([^"]*/matches/\?[^"]*)"[^>]*>(.*?)</a>', page, re.DOTALL)
    return [(html.unescape(address), text) for address, text in found]


def sum_of(phone, address):
    answer = phone.get(address)
    assert answer.status_code == 200, address
    found = re.search("data-sums>(.*?)</p>", answer.text)
    assert found, address
    return numbers(found[1])


# Every number that opens a list stands in what the list comes to. C82
def test_figures_of_a_person_are_what_their_lists_come_to(full, phone_of):
    phone, amal = phone_of(full.badr), full.players[0]
    page = phone.get(reverse("player", args=[full.club.slug, amal.id])).text
    opened = lists_of(page)
    for address, text in opened:
        assert set(numbers(text)) <= set(sum_of(phone, address)), (address, text)
    asked = {part for address, _ in opened for part in address.partition("?")[2].split("&")}
    counted = ("chosen", "others", "doubles", "kabbouts", "first", "second", "third", "fourth")
    assert {f"what={what}" for what in counted} <= asked
    assert {"place=1", "streak=longest", "than=ahead", "than=behind"} <= asked
    names = {part.partition("=")[0] for part in asked}
    assert names >= {"contract", "other", "beside", "season", "evening"}


def test_contracts_of_a_person_are_what_their_lists_come_to(full, phone_of):
    phone, amal = phone_of(full.badr), full.players[0]
    page = phone.get(reverse("player", args=[full.club.slug, amal.id])).text
    rows = re.findall(r"<tr>(?:(?!</tr>).)*contract=(?:(?!</tr>).)*</tr>", page, re.DOTALL)
    assert len(rows) == 2
    for row in rows:
        ((address, _),) = lists_of(row)
        deals, own = numbers(row)[:2]
        assert {deals, own} <= set(sum_of(phone, address))
