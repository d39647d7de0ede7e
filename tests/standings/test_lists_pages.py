"""Every figure opens the list behind it: what the list comes to is the figure."""

import html
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from scoring.models import ContractResult, Match, MatchResult
from scoring.standings.services import ratings, totals
from tests.factories import NOW
from tests.players.test_player_pages import play
from tests.support.evening import planned
from tests.support.standings import finished

pytestmark = pytest.mark.django_db

NUMBER = re.compile(r"[+−]?\d+(?:\.\d+)?")


@pytest.fixture
def full(cast):
    """A club in which Amal has everything that can be counted, against people and beside them."""
    play(cast, 5)
    play(cast, 5, first=5, teams="opposite")
    amal, _, carmen, _ = cast.players
    for day, own in enumerate((9, 9, 9, -9), start=10):
        points = dict(zip(cast.players, (own, 1, 2, 3), strict=True))
        finished(cast.club, points, at=NOW + timedelta(days=day))
    guests = [cast.club.players.create(name=name) for name in ("Zed", "Yara", "Xenia")]
    finished(cast.club, dict(zip((carmen, *guests), (5, 5, -5, -5), strict=True)), at=NOW)
    own = MatchResult.objects.filter(player=amal).order_by("played_at", "id")
    for number, name in enumerate(("Cup", "Final"), start=1):
        evening, matches = planned(cast.club, name=name), own[3 * number : 3 * number + 3]
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
    found = re.findall(
        r'<a [^>]*href="([^"]*/(?:matches|contracts)/\?[^"]*)"[^>]*>(.*?)</a>', page, re.DOTALL
    )
    return [(html.unescape(address), text) for address, text in found]


def sum_of(phone, address):
    """The numbers of what a list is of, and of what it comes to."""
    answer = phone.get(address)
    assert answer.status_code == 200, address
    found = re.search("<h1>(.*data-sums>.*?)</p>", answer.text, re.DOTALL)
    assert found, address
    return set(numbers(found[1]))


def fits(phone, page):
    """That every number that opens a list stands in what the list comes to. Gives what is asked."""
    opened = {}
    for address, text in lists_of(page):
        opened.setdefault(address, set()).update(numbers(text))
    for address, told in opened.items():
        assert told <= sum_of(phone, address), address
    return {part for address in opened for part in address.partition("?")[2].split("&")}


def rows_fit(phone, rows):
    """That a row which opens a list by its name has the numbers of that list."""
    assert rows
    for row in rows:
        address, _ = lists_of(row)[0]
        assert set(numbers(row)) <= sum_of(phone, address), row


def rows_of(page, part):
    """The lines of tables and lists in which an address with this is."""
    lines = re.findall(r"<tr>.*?</tr>|<li class=.record-line.*?</li>", page, re.DOTALL)
    return [line for line in lines if part in line]


# Every sum is labelled with what it is of, and is the figure. C82
def test_figures_of_a_person_are_what_their_lists_come_to(full, phone_of):
    phone = phone_of(full.badr)
    page = phone.get(reverse("player", args=[full.club.slug, full.players[0].id])).text
    asked = fits(phone, page)
    counted = ("chosen", "others", "doubles", "kabbouts", "first", "second", "third", "fourth")
    assert {f"what={what}" for what in counted} <= asked
    assert {"place=1", "streak=longest", "than=ahead", "than=behind"} <= asked
    names = {part.partition("=")[0] for part in asked}
    assert names >= {"contract", "other", "beside", "season", "evening"}
    rows = rows_of(page, "contract=")
    assert len(rows) == 2
    rows_fit(
        phone, [re.sub('<td class="num soft">.*?</td>', "", row, flags=re.DOTALL) for row in rows]
    )


def test_figures_of_a_club_are_what_their_lists_come_to(full, phone_of):
    phone = phone_of(full.badr)
    list(ratings.work_out(club=full.club))
    page = phone.get(reverse("club_figures", args=[full.club.slug])).text
    asked = fits(phone, page)
    names = {part.partition("=")[0] for part in asked}
    assert names == {"system", "win", "contract", "month", "day", "place", "streak", "what"}
    rows_fit(phone, rows_of(page, "month="))
    rows_fit(phone, rows_of(page, "contract="))
    records = rows_of(page, "those matches")
    assert len(records) == 6
    rows_fit(phone, records)
    contract = phone.get(reverse("club_contract", args=[full.club.slug])).text
    rows_fit(phone, rows_of(contract, "contract="))


def test_standings_are_what_their_lists_come_to(full, phone_of):
    phone = phone_of(full.badr)
    for query in ("?pairs=1", "?by=place", f"?season={full.club.seasons.get().id}"):
        page = phone.get(reverse("club_standings", args=[full.club.slug]) + query).text
        assert "place=1" in fits(phone, page)


def test_lists_take_few_queries_whatever_was_played(full, phone_of, django_assert_max_num_queries):
    phone, (amal, badr, carmen, _) = phone_of(full.badr), full.players
    address = reverse("player_matches", args=[full.club.slug, amal.id])
    phone.get(address)
    asked = [
        "what=chosen&contract=trex",
        "streak=longest",
        f"other={badr.id}",
        f"beside={carmen.id}",
    ]
    for query in asked:
        with django_assert_max_num_queries(11):
            assert "data-sums" in phone.get(f"{address}?{query}").text


def test_matches_of_a_club_come_month_by_month(cast, phone_of):
    phone, address = phone_of(cast.badr), reverse("club_matches", args=[cast.club.slug])
    assert "No finished match yet" in phone.get(address).text
    points = dict(zip(cast.players, (9, 1, 2, 3), strict=True))
    for at in (datetime(2026, 8, 31, 22), datetime(2026, 9, 1, 1), datetime(2026, 11, 5, 12)):
        finished(cast.club, points, at=at.replace(tzinfo=UTC))
    newest = phone.get(address).text
    assert "November 2026" in newest
    assert "?month=2026-08" in newest
    august = phone.get(f"{address}?month=2026-08").text
    assert "2 matches on 1 evening" in august  # a night belongs to its evening
    assert "?month=2026-11" in august
    assert "like that" in phone.get(f"{address}?day=2026-09-01").text
    for wrong in ("month=2026-13", "month=0001-01", "day=9999-12-31"):
        assert "November 2026" in phone.get(f"{address}?{wrong}").text
