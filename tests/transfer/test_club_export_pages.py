"""The pages on which a club is exported, and on which one is taken in."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from scoring.common import jobs
from scoring.common.actor import Actor
from scoring.models import Club, Job, JobKind, Kingdom, Role, User
from scoring.people.services import people
from scoring.transfer.forms.club_import import CODES
from scoring.transfer.services import club_import
from scoring.transfer.services.club_export import files
from tests.factories import king, make_match
from tests.support.moving import done, exported, forget_everything, text_of

EXPORT = "/clubs/cafe-younes/export/"
ARRIVAL = "/import/club/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def owner(cast, phone_of):
    make_match(club=cast.club, players=cast.players, entries=[king()])
    return phone_of(cast.owner)


def run(kind):
    job = Job.objects.get(kind=kind, state="waiting")
    jobs.run(job.id)
    return done(job)


# ── export ──────────────────────────────────────────────────────────────


def test_a_tap_makes_the_file_and_the_page_gives_it_out(owner, cast):
    assert "None has been made yet." in owner.get(EXPORT).text
    assert owner.get(EXPORT, {"file": 1}).status_code == 404
    assert owner.post(EXPORT, {"action": "begin"}).status_code == 303
    part = owner.get(EXPORT, headers=HTMX).text
    assert "<html" not in part
    assert 'hx-trigger="every 2s"' in part
    run(JobKind.EXPORT)
    page = owner.get(EXPORT)
    assert "Download (" in page.text
    assert "1 match, as of" in page.text
    answer = owner.get(EXPORT, {"file": 1})
    assert re.fullmatch(
        r'attachment; filename="cafe-younes-\d{4}-\d\d-\d\d.zip"', answer["Content-Disposition"]
    )
    archive = zipfile.ZipFile(io.BytesIO(answer.getvalue()))
    assert {"club.json", "heads.txt", "csv/deals.csv", "cafe-younes.xlsx"} <= {*archive.namelist()}


def test_while_one_is_made_the_last_one_can_be_had(owner):
    owner.post(EXPORT, {"action": "begin"})
    run(JobKind.EXPORT)
    owner.post(EXPORT, {"action": "begin"})
    assert "Download (" in owner.get(EXPORT).text
    owner.post(EXPORT, {"action": "stop"})
    assert "It was stopped." in owner.get(EXPORT).text


def test_a_file_that_was_swept_away_is_said_to_be_gone(owner, cast):
    owner.post(EXPORT, {"action": "begin"})
    job = run(JobKind.EXPORT)
    files.finished_path(cast.club, job.id).unlink()
    assert "The last one is kept no more." in owner.get(EXPORT).text
    assert owner.get(EXPORT, {"file": 1}).status_code == 404


def test_a_file_is_kept_no_longer_once_somebody_in_it_is_hidden(owner, cast):
    owner.post(EXPORT, {"action": "begin"})
    job = run(JobKind.EXPORT)
    people.hide(player=cast.players[3], actor=Actor(cast.owner), now=timezone.now())
    assert owner.get(EXPORT, {"file": 1}).status_code == 404
    assert not files.finished_path(cast.club, job.id).exists()
    owner.post(EXPORT, {"action": "begin"})
    run(JobKind.EXPORT)
    assert owner.get(EXPORT, {"file": 1}).status_code == 200


@pytest.mark.parametrize("person", ["amal", "esam", "badr", "ghassan"])
def test_only_an_owner_of_this_club_has_it(owner, cast, phone_of, person):
    owner.post(EXPORT, {"action": "begin"})
    run(JobKind.EXPORT)
    client = phone_of(getattr(cast, person))
    for answer in (client.get(EXPORT), client.get(EXPORT, {"file": 1}), client.post(EXPORT)):
        assert answer.status_code == 404


# ── arrival ─────────────────────────────────────────────────────────────


@pytest.fixture
def file(cast, tmp_path):
    make_match(club=cast.club, players=cast.players, entries=[king()])
    return exported(cast.club, tmp_path / "club.zip")


@pytest.fixture
def installer(file, phone_of):
    """Somebody who owns an installation in which nobody has been before."""
    forget_everything()
    return phone_of(User.objects.create(username="first", is_superuser=True))


def send(client, data, **more):
    return client.post(ARRIVAL, {"file": SimpleUploadedFile("club.zip", data), **more})


def test_a_club_is_taken_in_and_belongs_to_who_took_it(installer, file, tmp_path):
    assert ARRIVAL in installer.get("/").text
    text, before = text_of(file), installer.get(ARRIVAL).text
    assert "The last file" not in before
    assert "Choose a file." not in before
    answer = send(installer, file.read_bytes())
    assert (answer.status_code, answer["Location"]) == (303, ARRIVAL)
    assert 'type="file"' not in installer.get(ARRIVAL).text
    assert 'hx-trigger="every 2s"' in installer.get(ARRIVAL, headers=HTMX).text
    job = run(JobKind.IMPORT)
    page = installer.get(ARRIVAL).text
    assert "The club is here." in page
    assert reverse("club", args=["cafe-younes"]) in page
    assert not club_import.files.path_of(job.found["file"]).exists()
    club = Club.objects.get()
    assert club.memberships.get(user__username="first").role == Role.OWNER
    assert installer.get(reverse("club", args=[club.slug])).status_code == 200
    again = text_of(exported(club, tmp_path / "again.zip"))
    before, after = ({line.rstrip(",") for line in each.split("\n")} for each in (text, again))
    assert (len(after - before), before - after) == (2, set())  # an account and a member more


def test_why_a_file_was_refused_is_said_with_its_place(installer, file):
    send(installer, file.read_bytes().replace(b"PK", b"KP"))
    run(JobKind.IMPORT)
    page = installer.get(ARRIVAL).text
    assert 'data-code="not_a_zip"' in page
    assert "Nothing was written." in page
    assert 'type="file"' in page
    assert not Club.objects.exists()
    answer = installer.post(ARRIVAL, {})
    assert answer.status_code == 422
    assert "Choose a file." in answer.text


def test_it_is_stopped_and_gone_on_with(installer, file):
    send(installer, file.read_bytes())
    part = installer.post(
        ARRIVAL, {"action": "stop"}, headers={"HX-Request": "true"}, follow=True
    ).text
    assert "It was stopped." in part
    assert "<h1>" not in part
    assert 'value="begin"' not in part
    installer.post(ARRIVAL, {"action": "begin"})
    assert not Job.objects.filter(state="waiting").exists()
    installer.post(ARRIVAL, {"action": "go_on"})
    run(JobKind.IMPORT)
    assert Club.objects.count() == 1


def test_a_worker_that_died_with_the_rows_written_is_gone_on_from(installer, file):
    """The rows and the word that they are there come together."""
    send(installer, file.read_bytes())
    job = Job.objects.get(kind=JobKind.IMPORT)
    for _ in club_import.import_club(job):
        if Club.objects.exists():
            break
    assert not Kingdom.objects.exists()
    installer.post(ARRIVAL, {"action": "stop"})
    installer.post(ARRIVAL, {"action": "go_on"})
    run(JobKind.IMPORT)
    assert "The club is here." in installer.get(ARRIVAL).text
    assert Kingdom.objects.exists()


def test_every_refusal_has_words():
    source = "".join(path.read_text() for path in Path(club_import.__file__).parent.glob("*.py"))
    codes = set(re.findall(r'ClubFileRefused\(\s*"(\w+)"', source)) | {
        "other_version",
        "no_document",
    }
    assert codes <= CODES.keys()


def test_only_the_owner_of_the_installation_takes_in(cast, phone_of):
    for person in (cast.owner, cast.ghassan):
        assert phone_of(person).get(ARRIVAL).status_code == 404
        assert send(phone_of(person), b"x").status_code == 404
