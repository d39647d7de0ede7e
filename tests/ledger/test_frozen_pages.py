"""While a dispute is open nobody from outside reads what was changed since, on any page: every
address of the URL list is read before and after the change, and must say the same."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from scoring.matches.services import matches
from scoring.models import Club, LinkKind
from scoring.rules import Contract, Entry, Tally
from tests.access.test_access_pages import address, is_about, rules_of
from tests.factories import (
    NOW,
    adjust,
    attach,
    correct,
    evening_record,
    evenings,
    finish,
    make_evening,
    void,
    write,
)
from tests.support import photos
from tests.support.asking import every_page
from tests.support.judging import by, flag
from tests.support.links import came, phone_with

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(hours=1)
ASKED = {
    "live": [{"kind": kind} for kind in ("table", "news", "sheet", "screen")],
    "record": [{}, {"text": 1}, {"json": 1}],
}
"""What some pages are asked for besides."""
UNTOLD = re.compile(
    r'name="csrfmiddlewaretoken" value="\w+"|x-csrftoken[^}]*|[0-9a-f]{8}-[0-9a-f-]{27}'
    r'|data-(?:tag|drawn)="[^"]*"|\d+-[0-9a-f]{8,}(-\w+)?|<p class="sheet-seal.*?</p>'
)
"""What is another one at every look; and the seal, which says only that something was written."""


def watcher(how, match):
    if how == "visitor":
        return Client()
    client, actor = phone_with("the phone of a watcher")
    came(match, LinkKind.VIEW, actor, timezone.now())
    return client


def told(client, match, club):
    """What every page of the URL list says, by its address."""
    said = {}
    for pattern in every_page():
        if is_about(pattern, match, club) is None:
            continue
        for query in ASKED.get(pattern.name, [{}]):
            answer = client.get(address(pattern, match, club), query)
            text = answer.content.decode(errors="replace")
            said[pattern.name, str(query)] = answer.status_code, UNTOLD.sub("", text)
    return said


def change(match, cast):
    """The deal is entered otherwise, gets a penalty, other cards and another photo, each with words
    that nobody outside may read; a finished match is reopened for it."""
    esam = {"actor": by(cast.esam), "now": LATER}
    if closed := match.is_finished:
        write(matches.reopen, match, reason="A word", **esam)
    deal = match.current_deals.get(deal_number=1).deal
    entry = Entry(Contract.read("tricks"), 1, False, Tally(tricks=(13, 0, 0, 0)))
    correct(match, deal, entry, reason="A word", **esam)
    adjust(match, (0, 0, 0, -40), after_deal=1, reason="A word", **esam)
    attach(match, 1, evening_record("evening-levant", 7), **esam)
    photos.attach(match, 1, **esam)
    if closed:
        finish(match, **esam)


def take_back(match, cast):
    esam = {"actor": by(cast.esam), "now": LATER}
    void(match, match.current_deals.get(deal_number=1).deal, reason="A word", **esam)


@pytest.mark.parametrize(
    ("how", "deals", "done"),
    [
        ("visitor", 7, change),
        ("visitor", 20, change),
        ("visitor", 7, take_back),
        ("view link", 20, change),
    ],
)
def test_no_page_tells_what_was_done_under_review(cast, how, deals, done):
    Club.objects.filter(id=cast.club.id).update(is_public=how == "visitor")
    club = Club.objects.get(id=cast.club.id)
    rules_of(club)
    match = make_evening("evening-levant", deals, club=club, actor=by(cast.amal))
    photos.attach(match, 1)
    if deals == len(evenings()["evening-levant"]["deals"]):
        finish(match, actor=by(cast.amal), now=LATER)
        match.refresh_from_db()
    for pattern in every_page():
        address(pattern, match, club)  # whatever a page is about is there before the first look
    client = watcher(how, match)
    flag(match, 1, "Badr took four", actor=by(cast.badr))
    before = told(client, match, club)
    done(match, cast)
    after = told(client, match, club)
    if done is take_back:  # how many deals a running match has is told
        del before["club", "{}"]
    assert sum(status == 200 for status, _ in before.values()) > 12
    for page, said in before.items():
        assert after[page] == said, page
