"""The log of the installation, as its owners read it."""

import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.common import jobs
from scoring.common.actor import Actor
from scoring.models import LogEntry, Membership, Player, User
from scoring.models.triggers import without_triggers
from scoring.standings.services import seasons
from tests.factories import NOW
from tests.support import evening as evenings
from tests.support.standings import make_season

pytestmark = pytest.mark.django_db
LOG = reverse("log")


@pytest.fixture
def first(cast):
    """An owner of the installation, who belongs to the club but for a test."""
    user = User.objects.create(username="root-login", is_superuser=True)
    Membership.objects.create(club=cast.club, user=user, role="member")
    Player.objects.create(club=cast.club, name="Farid", user=user)
    return user


@pytest.fixture
def phone(first, phone_of):
    return phone_of(first)


def listed(page):
    return page.text.partition('<ol class="lines log">')[2].partition("</ol>")[0]


def lines(page):
    """The text of each line, the newest first."""
    found = re.findall(r"<li>(.*?)</li>", listed(page), re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", each).split()) for each in found]


def test_it_is_there_for_owners_of_the_installation_alone(cast, phone, client, phone_of):
    assert phone.get(LOG).status_code == 200
    for other in (client, *map(phone_of, (cast.owner, cast.esam, cast.farah))):
        assert other.get(LOG).status_code == 404
    assert f'href="{LOG}"' in phone.get("/").text
    assert f'href="{LOG}"' not in phone_of(cast.owner).get("/").text


def test_what_a_page_writes_stands_there_with_the_person_who_did_it(cast, phone, phone_of):
    Player.objects.create(club=cast.club, name="Olga", user=cast.owner)
    member = Membership.objects.get(club=cast.club, user=cast.badr)
    address = reverse("club_member", args=[cast.club.slug, member.id])
    answer = phone_of(cast.owner).post(address, {"role": "arbiter"})
    assert answer.status_code == 303
    entry = LogEntry.objects.order_by("id").last()
    assert (entry.table, entry.row_id, entry.by_id) == ("membership", member.id, cast.owner.id)
    page = phone.get(LOG)
    line = lines(page)[0]
    assert line.startswith("Role in a club · Changed Badr, Arbiter Café Younes By: Olga ")
    assert f'href="{reverse("club", args=[cast.club.slug])}"' in page.text
    assert not any(name in listed(page) for name in ("root-login", "badr", "esam", "ghassan"))


def test_what_work_in_the_background_writes_is_of_the_account_that_began_it(cast, monkeypatch):
    def work(job):
        job.club.save()
        yield from ()

    monkeypatch.setattr(jobs, "work_of", lambda kind: work)
    job = jobs.start(club=cast.club, kind="audit", actor=Actor(cast.esam), now=NOW)
    jobs.run(job.id)
    assert LogEntry.objects.order_by("id").last().by_id == cast.esam.id


def test_entries_of_a_club_of_others_have_no_name_and_no_link(cast, phone):
    cast.other_club.save()
    Player.objects.get(club=cast.other_club).save()
    page = phone.get(LOG)
    text = "a club that you do not belong to By: nobody signed in, or the server "
    assert lines(page)[0].startswith(f"Person · Changed {text}")
    assert lines(page)[1].startswith(f"Settings of a club · Changed {text}")
    assert "Ghassan" not in page.text
    assert cast.other_club.slug not in page.text


def test_rows_written_together_are_one_line_that_leads_to_its_game_night(cast, phone):
    night = evenings.planned(cast.club, evenings.people(cast.club, 9))
    evenings.draw(night)
    page = phone.get(LOG)
    assert lines(page)[0].startswith("Seats of a draw · Added × 9 Friday Café Younes By: ")
    assert f'href="{reverse("evening", args=[cast.club.slug, night.id])}"' in page.text


def test_what_was_removed_is_told_with_its_club(cast, phone):
    season = make_season(cast.club)
    seasons.delete(season=season)
    assert lines(phone.get(LOG))[0].startswith("Season · Removed Café Younes By: ")


def test_time_is_that_of_the_server_and_its_zone_is_named(cast, phone, settings):
    with without_triggers(connection):
        QuerySet(LogEntry).update(at=datetime(2026, 3, 1, 21, 30, tzinfo=UTC))
    page = phone.get(LOG)
    assert f"those of <bdi>{settings.TIME_ZONE.rsplit('/', 1)[-1]}</bdi>" in page.text
    assert 'datetime="2026-03-01T' in page.text


def test_pages_go_from_the_newest_to_the_oldest_and_take_as_many_queries(cast, phone):
    with CaptureQueriesContext(connection) as few:
        phone.get(LOG)
    for _ in range(60):
        cast.club.save()
    with CaptureQueriesContext(connection) as many:
        newest = phone.get(LOG)
    assert len(many) <= len(few)
    assert len(lines(newest)) == 50
    assert 'href="?page=2"' in newest.text
    oldest = phone.get(LOG, {"page": "999"})
    assert lines(oldest)[-1].startswith("Settings of a club · Added")
    assert 'rel="next"' not in oldest.text


def test_empty_log_says_so(cast, phone):
    with without_triggers(connection):
        QuerySet(LogEntry)._raw_delete("default")
    assert "Nothing has been logged yet." in phone.get(LOG).text
