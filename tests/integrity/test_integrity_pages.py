"""Is every match of the club as it was written? Asked in the background, told in words."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.common import jobs
from scoring.common.actor import Actor
from scoring.integrity.presenters.integrity import CODES
from scoring.integrity.queries import integrity
from scoring.integrity.services import integrity_check
from scoring.models import (
    Deal,
    Job,
    JobKind,
    JobState,
    Match,
    Membership,
    Rating,
    Words,
    triggers,
)
from scoring.standings.services import ratings
from tests.factories import correct, even_entries, finish, king, make_match, record

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def noted_at_once(monkeypatch):
    monkeypatch.setattr(jobs, "WRITTEN_EVERY", 0)


@pytest.fixture
def esam(cast, phone_of):
    return phone_of(cast.esam)


def address(club, **query):
    return reverse("club_integrity", args=[club.slug], query=query)


def match_of(cast, *entries, **opening):
    entries = entries or (king(),)
    actor = Actor(cast.amal)
    return make_match(club=cast.club, players=cast.players, entries=entries, actor=actor, **opening)


def check(phone, club) -> Job:
    """A tap, and the worker."""
    assert phone.post(address(club), {"action": "begin"}).status_code == 303
    job = jobs.newest(club=club, kind=JobKind.INTEGRITY)
    jobs.run(job.id)
    job.refresh_from_db()
    return job


def plain(page) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page.text).split())


def tamper(match, **columns):
    with triggers.without_triggers(connection):
        Deal.objects.filter(match=match).update(**columns)


# ── what it says ────────────────────────────────────────────────────────


def test_before_the_first_time_it_says_that_nothing_was_checked(esam, cast):
    assert "It was never checked." in plain(esam.get(address(cast.club)))


def test_all_is_well_is_said_plainly_and_when(esam, cast):
    match_of(cast)
    match_of(cast)
    job = check(esam, cast.club)
    assert (job.state, job.done, job.found["faults"]) == (JobState.DONE, 2, 0)
    page = plain(esam.get(address(cast.club)))
    assert "All is well. 2 matches are as they were written." in page
    assert "Last checked:" in page


# Two confirmed ballots although the code forbade it: a page that says so. C53
def test_what_was_changed_behind_the_back_is_told_with_its_deal(esam, cast):
    match_of(cast)
    match = match_of(cast)
    tamper(match, dealer=1)
    job = check(esam, cast.club)
    assert job.found["faults"] == 1
    page = esam.get(address(cast.club))
    assert "1 thing is not as it was written." in plain(page)
    assert "Something was changed after it was written. Deal 1" in plain(page)
    assert f'href="{reverse("deal", args=[match.id, 1])}"' in page.text
    assert "All is well" not in page.text


def test_roles_and_ratings_of_the_club_are_looked_at_too(esam, cast):
    finish(match_of(cast, *even_entries()))
    ratings.rebuild(club=cast.club)
    assert check(esam, cast.club).found["faults"] == 0
    QuerySet(Membership).filter(club=cast.club, user=cast.badr).update(role="owner")
    QuerySet(Membership).filter(club=cast.other_club).update(role="member")
    Rating.objects.filter(pk=Rating.objects.first().pk).update(mu=99.0)
    job = check(esam, cast.club)
    told = [(each["code"], each["table"]) for each in job.found["told"]]
    assert told == [("row_changed", "membership"), ("sums_differ", "rating")]
    assert "2 things are not as they were written." in plain(esam.get(address(cast.club)))


def test_a_missing_guard_of_the_database_is_told_without_a_match(esam, cast, monkeypatch):
    match_of(cast)
    monkeypatch.setattr(integrity.guards, "missing", lambda connection: ["no_update_deal"])
    check(esam, cast.club)
    page = plain(esam.get(address(cast.club)))
    assert "The database no longer refuses that rows are changed." in page


def test_what_was_erased_on_purpose_is_no_fault(esam, cast):
    match = match_of(cast)
    correct(match, Deal.objects.get(match=match), king(taken_by=0), actor=Actor(cast.esam))
    Words.objects.all().delete()
    check(esam, cast.club)
    page = plain(esam.get(address(cast.club)))
    assert "All is well" in page
    assert "1 reason or photo was taken out on purpose" in page


def test_another_club_is_not_looked_at(esam, cast):
    foreign = make_match(club=cast.other_club, players=["A", "B", "C", "D"], entries=[king()])
    tamper(foreign, dealer=1)
    assert check(esam, cast.club).found["faults"] == 0


def test_a_deal_saved_while_its_match_is_read_is_no_fault(esam, cast, monkeypatch):
    """The rows of a match are read one table after the other."""
    match, once = match_of(cast), [True]
    evidence = integrity.evidence

    def slow(matches):
        found = list(evidence(matches))
        if once.pop() if once else False:
            record(match, list(even_entries())[1], actor=Actor(cast.amal))
            found[0].match.refresh_from_db()
        return iter(found)

    monkeypatch.setattr(integrity, "evidence", slow)
    assert check(esam, cast.club).found["faults"] == 0
    assert not once


def test_it_goes_on_where_it_was_broken_off(esam, cast):
    for _ in range(3):
        match_of(cast)
    job = jobs.start(club=cast.club, kind=JobKind.INTEGRITY, actor=Actor(), now=timezone.now())
    steps = list(integrity_check.check_ledgers(job))
    job.done, job.total, job.cursor, job.found = steps[2]
    assert job.done == 2
    assert [step.done for step in integrity_check.check_ledgers(job)] == [2, 3, 3]


def test_while_it_works_the_page_says_how_far_and_when_it_was_well(esam, cast):
    match_of(cast)
    check(esam, cast.club)
    esam.post(address(cast.club), {"action": "begin"})
    part = esam.get(address(cast.club), headers={"HX-Request": "true"})
    assert "<html" not in part.text
    assert 'hx-trigger="every 2s"' in part.text
    assert "It waits for its turn." in plain(part)
    assert "Last checked:" in plain(part)
    esam.post(address(cast.club), {"action": "stop"})
    assert "It was stopped." in plain(esam.get(address(cast.club)))


def test_every_finding_has_words():
    source = Path(integrity.__file__).read_text()
    known = set(re.findall(r'(?:Finding\(\s*|_of_event\(found, )"(\w+)"', source))
    known |= {"photo_missing"}
    assert known - {"erased"} <= CODES.keys()


# ── seals kept elsewhere ────────────────────────────────────────────────


def test_seals_of_finished_matches_are_told_as_the_command_reads_them(esam, cast, tmp_path):
    match = match_of(cast, *even_entries())
    match_of(cast)
    finish(match, actor=Actor(cast.amal))
    answer = esam.get(address(cast.club, heads=1))
    match.refresh_from_db()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.text == f"{match.id} {match.version} {match.head}\n"
    kept = tmp_path / "heads"
    kept.write_text(answer.text)
    call_command("verify_ledger", "--heads", str(kept))


def test_the_printed_sheet_has_its_seal(esam, cast):
    match = match_of(cast)
    assert match.head in esam.get(reverse("sheet", args=[match.id])).text


# ── who may ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize("person", ["amal", "badr", "farah", "ghassan"])
def test_only_arbiters_and_owners(cast, phone_of, person):
    phone = phone_of(getattr(cast, person))
    assert phone.get(address(cast.club)).status_code == 404
    assert phone.post(address(cast.club), {"action": "begin"}).status_code == 404
    assert phone.get(address(cast.club, heads=1)).status_code == 404
    assert not Job.objects.exists()
    assert Client().get(address(cast.club)).status_code == 404


def test_the_club_page_leads_there(esam, cast, phone_of):
    page = reverse("club", args=[cast.club.slug])
    assert address(cast.club) in esam.get(page).text
    assert address(cast.club) not in phone_of(cast.amal).get(page).text


def test_queries_do_not_grow_with_what_was_found(esam, cast, django_assert_max_num_queries):
    for _ in range(4):
        tamper(match_of(cast), dealer=1)
    check(esam, cast.club)
    with django_assert_max_num_queries(10):
        esam.get(address(cast.club))
    assert Match.objects.count() == 4
