"""All records of a club with their verdicts, and the audit of everything from that page."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scoring.common import jobs
from scoring.common.actor import Actor
from scoring.corrections.services import seats
from scoring.models import (
    CardRecord,
    EventKind,
    Job,
    JobState,
    Match,
    MatchEvent,
    Player,
    Seating,
    Verdict,
)
from scoring.records.queries.archive import RecordFilter, records_of
from tests.factories import NOW, attach, correct, evening_record, evenings, king, make_match, write
from tests.support.asking import NASTY

pytestmark = pytest.mark.django_db
LEVANT = "evening-levant"


@pytest.fixture(autouse=True)
def noted_at_once(monkeypatch):
    monkeypatch.setattr(jobs, "WRITTEN_EVERY", 0)


@pytest.fixture
def match(cast):
    """Three deals with their records: the first agrees, of the second the entry is another, the
    third has no entry yet."""
    found = make_match(
        entries=evenings()[LEVANT]["deals"][:2],
        first_chooser=1,
        club=cast.club,
        players=cast.players,
        actor=Actor(cast.amal),
    )
    for number in (1, 2, 3):
        attach(found, number, evening_record(LEVANT, number), actor=Actor(cast.amal))
    deal = found.current_deals.get(deal_number=2).deal
    facts = evenings()[LEVANT]["deals"][1]
    wrong = king((facts["input"]["king_taken_by"] + 1) % 4, chooser=deal.chooser)
    correct(found, deal, wrong, dealer=deal.dealer, actor=Actor(cast.amal))
    return found


def address(club, **query):
    return reverse("club_records", args=[club.slug], query=query)


def listed(client, club, **query):
    """The deals on the page as (number, verdict), and the page."""
    page = client.get(address(club, **query))
    assert page.status_code == 200
    lines = re.findall(r'data-verdict="(\w+)".*?/deals/(\d+)/record/', page.text, re.DOTALL)
    return [(int(number), verdict) for verdict, number in lines], page


def test_every_record_is_there_with_its_verdict(cast, phone_of, match):
    lines, page = listed(phone_of(cast.badr), cast.club)
    assert lines == [(1, "agrees"), (2, "differs"), (3, "no_entry")]
    assert "3 records" in page.text
    assert "another taker" in page.text
    assert reverse("replay", args=[match.id, 2]) in page.text
    club = phone_of(cast.badr).get(reverse("club", args=[cast.club.slug])).text
    assert address(cast.club) in club


def test_a_club_without_records_says_how_one_comes(cast, phone_of):
    lines, page = listed(phone_of(cast.badr), cast.club)
    assert lines == []
    assert "No deal of this club has a record yet" in page.text


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ({"verdict": "differs"}, [2]),
        ({"verdict": "agrees"}, [1]),
        ({"verdict": "open"}, []),
        ({"verdict": "no_entry"}, [3]),
        ({"code": "taker_differs"}, [2]),
        ({"code": "revoke"}, []),
        ({"contract": "king"}, [2]),
        ({"verdict": "agrees", "contract": "king"}, []),
        ({"verdict": "nonsense", "player": "nonsense"}, [1, 2, 3]),
        ({"page": "99"}, [1, 2, 3]),
        ({"page": "-1"}, [1, 2, 3]),
    ],
)
def test_filters(cast, phone_of, match, query, numbers):
    lines, page = listed(phone_of(cast.badr), cast.club, **query)
    assert [number for number, _ in lines] == numbers
    if not numbers:
        assert "No record is like that." in page.text


def test_by_person_only_deals_that_this_person_sat_at(cast, phone_of, match):
    esam = Player.objects.create(club=cast.club, name="Esam")
    carmen = cast.players[2]
    sat = [*cast.players[:2], esam, cast.players[3]]
    write(seats.reseat, match, players=sat, from_deal=3, actor=Actor(cast.amal), reason="went home")
    phone = phone_of(cast.badr)
    for player, numbers in ((carmen, [1, 2]), (esam, [3]), (cast.players[0], [1, 2, 3])):
        lines, _ = listed(phone, cast.club, player=str(player.id))
        assert [number for number, _ in lines] == numbers
    stranger = Player.objects.create(club=cast.other_club, name="Stranger")
    _, page = listed(phone, cast.club, player=str(stranger.id))
    assert "Stranger" not in page.text


def test_names_are_shown_literally(cast, phone_of, match):
    Player.objects.filter(id=cast.players[0].id).update(name=NASTY)
    _, page = listed(phone_of(cast.badr), cast.club)
    assert NASTY not in page.text


@pytest.mark.parametrize("person", ["ghassan", "farah"])
def test_another_club_finds_nothing(cast, phone_of, match, person):
    phone = phone_of(getattr(cast, person))
    assert phone.get(address(cast.club)).status_code == 404
    assert phone.post(audit_address(cast.club), {"action": "begin"}).status_code == 404
    assert Client().get(address(cast.club)).status_code == 404
    assert not Job.objects.exists()


def test_records_of_another_club_are_not_among_them(cast, phone_of, match):
    lines, _ = listed(phone_of(cast.ghassan), cast.other_club)
    assert lines == []


# ── whatever the size ───────────────────────────────────────────────────


def fill(club, people, matches):
    """So many matches of so many people, each with a record that nothing was worked out of."""
    players = Player.objects.bulk_create(
        Player(club=club, name=f"Person {number}") for number in range(people)
    )
    rows = [
        Match(club=club, system="levant", opened_at=NOW, played_at=NOW - timedelta(hours=number))
        for number in range(matches)
    ]
    events = [
        MatchEvent(
            match_id=row.id,
            subject_id=row.id,
            content={},
            entry_key=uuid4(),
            on_version=0,
            seq=1,
            kind=EventKind.RECORD_ATTACHED,
            entered_at=NOW,
        )
        for row in rows
    ]
    facts = [{"match": row, "event": event} for row, event in zip(rows, events, strict=True)]
    records = [CardRecord(**of, deal_number=1, content={"contract": "king"}) for of in facts]
    Match.objects.bulk_create(rows)
    MatchEvent.objects.bulk_create(events)
    CardRecord.objects.bulk_create(records)
    Seating.objects.bulk_create(
        Seating(**of, seat=seat, player=players[(number * 4 + seat) % people])
        for number, of in enumerate(facts)
        for seat in range(4)
    )
    Verdict.objects.bulk_create(
        Verdict(
            match=record.match,
            club=club,
            record=record,
            deal_number=1,
            contract="king",
            agrees=bool(number % 10),
            complete=True,
            codes="" if number % 10 else " taker_differs revoke ",
            played_at=record.match.played_at,
        )
        for number, record in enumerate(records)
    )
    return players


def test_queries_do_not_grow_with_people_and_matches(cast, phone_of):
    phone, counts = phone_of(cast.esam), []
    for people, matches in ((8, 3), (200, 2000)):
        players = fill(cast.club, people, matches)
        for query in ({}, {"player": str(players[2].id), "code": "revoke", "verdict": "differs"}):
            with CaptureQueriesContext(connection) as asked:
                lines, page = listed(phone, cast.club, **query)
            counts.append(len(asked))
    assert counts == [10, 11, 10, 11]
    assert lines
    assert len(listed(phone, cast.club)[0]) == 50
    assert "2003 records" in listed(phone, cast.club)[1].text
    last, page = listed(phone, cast.club, page=41, verdict="")
    assert len(last) == 3
    assert "Page 41 of 41" in page.text
    assert "page=40" in page.text
    plan = records_of(cast.club, RecordFilter())[:50].explain()
    assert connection.vendor != "sqlite" or "verdict_by_time" in plan


# ── the audit of everything ─────────────────────────────────────────────


def audit_address(club):
    return reverse("club_audit", args=[club.slug])


def tap(phone, club, action, **headers):
    return phone.post(audit_address(club), {"action": action}, headers=headers)


def test_it_is_begun_watched_and_told(cast, phone_of, match):
    phone = phone_of(cast.esam)
    assert "Look at every record again" in phone.get(address(cast.club)).text
    Verdict.objects.filter(deal_number=1).update(agrees=False)
    assert tap(phone, cast.club, "begin").status_code == 303
    page = phone.get(address(cast.club)).text
    assert 'data-state="waiting"' in page
    assert 'hx-trigger="every 2s"' in page
    jobs.run(Job.objects.get().id)
    part = phone.get(audit_address(cast.club), headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert 'data-state="done"' in part.text
    assert "every 2s" not in part.text
    assert "1 verdict was not as it was stored, and is put right." in part.text
    assert reverse("record", args=[match.id, 1]) in part.text
    assert "<h1>" not in part.text
    assert listed(phone, cast.club)[0][0] == (1, "agrees")
    tap(phone, cast.club, "begin")
    jobs.run(Job.objects.order_by("created_at").last().id)
    assert "Every verdict is as it was stored." in phone.get(address(cast.club)).text


def test_it_is_stopped_and_gone_on_with(cast, phone_of, match):
    phone = phone_of(cast.esam)
    tap(phone, cast.club, "begin")
    assert tap(phone, cast.club, "begin").status_code == 303  # twice is once
    part = tap(phone, cast.club, "stop", **{"HX-Request": "true"})
    assert 'data-state="stopped"' in part.text
    assert 'value="go_on"' in part.text
    part = tap(phone, cast.club, "go_on", **{"HX-Request": "true"})
    assert 'data-state="waiting"' in part.text
    jobs.run(Job.objects.get().id)
    assert Job.objects.get().state == JobState.DONE


def test_one_that_nobody_works_at_is_seen(cast, phone_of, match):
    phone = phone_of(cast.owner)
    tap(phone, cast.club, "begin")
    before = timezone.now() - timedelta(minutes=2)
    Job.objects.update(state=JobState.RUNNING, updated_at=before, done=1, total=3)
    page = phone.get(address(cast.club)).text
    assert 'data-state="silent"' in page
    assert "1 of 3 records looked at." in page
    tap(phone, cast.club, "go_on")
    assert Job.objects.get().state == JobState.WAITING


@pytest.mark.parametrize("person", ["amal", "badr"])
def test_only_who_judges_begins_it(cast, phone_of, match, person):
    phone = phone_of(getattr(cast, person))
    assert 'id="audit"' not in phone.get(address(cast.club)).text
    assert tap(phone, cast.club, "begin").status_code == 404
    assert not Job.objects.exists()
