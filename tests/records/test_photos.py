"""Photos attached to deals and taken back: a row with its file, or neither."""

import os
import shutil
import stat
from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.utils import timezone

from scoring.common.errors import ServiceError, Stale
from scoring.integrity.queries.integrity import findings
from scoring.matches.services import matches
from scoring.models import EventKind, MatchEvent, Photo
from scoring.pictures import sha256
from scoring.records.services import photo_files, photos
from scoring.records.services.photo_files import PhotoFile, sweep
from tests.factories import (
    diamonds,
    finish,
    king,
    make_evening,
    make_match,
    newest,
    record,
    void,
    write,
)
from tests.support.photos import attach, key, picture, stored, take_back

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"
    return settings.MEDIA_ROOT


@pytest.fixture
def match():
    return make_match(entries=[king()])


def refused(function, *args, **kwargs):
    with pytest.raises(ServiceError) as said:
        function(*args, **kwargs)
    return said.value.code, said.value.field


def faults(match):
    return [(finding.code, finding.row) for finding in findings(only=match.id)]


def test_photo_is_a_row_an_event_and_a_file(match, uploads):
    found = picture()
    photo = attach(match, 1, found, kind="cards")
    assert photo.path == uploads / photo.id.hex[:2] / f"{photo.id}.jpg"
    assert photo.path.read_bytes() == found.data
    assert stat.S_IMODE(photo.path.stat().st_mode) == 0o600
    row = Photo.objects.get()
    assert (row.deal_number, row.kind, row.sha256) == (1, "cards", sha256(found.data))
    assert (row.width, row.height, row.size) == (64, 48, len(found.data))
    event = MatchEvent.objects.get(entry_key=row.event.entry_key)
    assert (event.kind, event.subject_id) == (EventKind.PHOTO_ATTACHED, row.id)
    assert stored() == (1, [photo.path])
    assert not faults(match)


def test_same_key_twice_is_one_photo(match):
    once, entry_key = attach(match, entry_key=(wanted := key())), wanted
    assert attach(match, entry_key=entry_key) == once
    assert stored() == (1, [once.path])


# Somebody chooses all ten again after the line broke at the sixth.
def test_same_picture_again_is_the_one_that_is_there(match):
    found = picture()
    once = attach(match, 1, found)
    assert attach(match, 1, found) == once
    assert attach(match, 1, found, kind="cards") != once
    take_back(match, once)
    again = attach(match, 1, found)
    assert again != once
    assert len(stored()[1]) == Photo.objects.count() == 3


# A phone that uploads for a minute is not refused because somebody saved a deal meanwhile.
def test_photo_that_was_long_on_its_way_is_kept(match):
    before = newest(match)
    record(match, diamonds())
    photo = attach(match, 1, version=before)
    assert photo.event.on_version == before
    take_back(match, photo, version=before)


def test_version_that_never_was_is_refused(match):
    with pytest.raises(Stale):
        attach(match, version=newest(match) + 1)
    photo = attach(match)
    with pytest.raises(Stale):
        take_back(match, photo, version=newest(match) + 1)
    assert len(stored()[1]) == 1


# And nobody's deal is refused because of a photo.
def test_deal_typed_while_photos_come_in_is_saved(match):
    before = newest(match)
    photo = attach(match)
    take_back(match, photo)
    record(match, diamonds(), version=before)
    with pytest.raises(Stale) as said:
        record(match, diamonds(), version=before)
    assert [event.kind for event in said.value.events] == [EventKind.DEAL_RECORDED]


# Disputes come after the match. C59
@pytest.mark.parametrize("closing", [finish, lambda match: write(matches.break_off, match)])
def test_closed_match_takes_photos(closing):
    match = make_evening("evening-levant")
    closing(match)
    take_back(match, attach(match, 20))
    attach(match, 20)
    assert not faults(match)


@pytest.mark.parametrize(("number", "there"), [(0, False), (1, True), (2, True), (3, False)])
def test_photo_is_of_a_deal_played_or_of_the_next(match, number, there):
    if there:
        attach(match, number)
    else:
        assert refused(attach, match, number) == ("wrong_number", "deal_number")
        assert stored() == (0, [])


def test_deal_that_was_taken_back_can_have_photos():
    match = make_match(entries=[king(), diamonds()])
    for deal in match.deals.order_by("-deal_number"):
        void(match, deal)
    attach(match, 2)
    assert refused(attach, match, 3) == ("wrong_number", "deal_number")


def test_kind_that_is_none_is_refused(match):
    assert refused(attach, match, kind="selfie") == ("unknown_kind", "kind")
    assert stored() == (0, [])


def test_deal_has_so_many_photos_and_no_more(match, monkeypatch):
    monkeypatch.setattr(photos, "MOST", 2)
    monkeypatch.setattr(photos, "MOST_EVER", 3)
    first, _ = attach(match), attach(match)
    assert refused(attach, match) == ("photos_full", "pictures")
    attach(match, 2)
    take_back(match, first)
    last = attach(match)
    take_back(match, last)
    assert refused(attach, match) == ("photos_full", "pictures")
    assert stored()[0] == len(stored()[1]) == 4


# ── taken back ──────────────────────────────────────────────────────────


def test_photo_is_taken_back_with_a_reason_and_stays_on_disk(match):
    photo = attach(match)
    assert refused(take_back, match, photo, reason=" ") == ("missing", "reason")
    take_back(match, photo)
    assert list(Photo.objects.standing()) == []
    assert stored() == (1, [photo.path])
    assert refused(take_back, match, photo) == ("not_standing", "photo")
    assert not faults(match)


def test_same_key_takes_back_once(match):
    photo, entry_key = attach(match), key()
    for _ in range(2):
        assert take_back(match, photo, entry_key=entry_key) == photo
    assert match.events.filter(kind=EventKind.PHOTO_VOIDED).count() == 1


def test_photo_of_another_match_is_not_taken_back(match):
    photo = attach(make_match(entries=[king()]))
    assert refused(take_back, match, photo) == ("not_standing", "photo")


# ── whole or not at all ─────────────────────────────────────────────────


def test_refused_photo_leaves_nothing(match, monkeypatch):
    def fails(*args, **kwargs):
        raise DatabaseError("gone")

    monkeypatch.setattr(photos.chain, "append", fails)
    with pytest.raises(DatabaseError):
        attach(match)
    assert stored() == (0, [])


def test_disk_that_is_full_leaves_nothing(match, monkeypatch):
    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert refused(attach, match) == ("no_room", "pictures")
    assert stored() == (0, [])


def test_last_room_on_the_disk_is_left_to_the_ledger(match, monkeypatch):
    usage = shutil.disk_usage("/")._replace(free=photo_files.FREE_BYTES - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    assert refused(attach, match) == ("no_room", "pictures")
    assert stored() == (0, [])


def test_commit_that_fails_is_settled_an_hour_later(match, monkeypatch):
    """Nobody knew then whether the row is there; it is not, so the file goes."""

    def lost(self):
        put(self)
        raise DatabaseError("the line to the database is cut")

    put = PhotoFile.put
    monkeypatch.setattr(PhotoFile, "put", lost)
    with pytest.raises(DatabaseError):
        attach(match)
    monkeypatch.undo()
    assert len(stored()[1]) == 2
    sweep(timezone.now())
    assert len(stored()[1]) == 2
    sweep(timezone.now() + timedelta(hours=2))
    assert stored() == (0, [])


def test_plug_pulled_after_the_commit_costs_no_photo(match, monkeypatch):
    monkeypatch.setattr(PhotoFile, "__exit__", lambda *args: None)
    photo = attach(match)
    monkeypatch.undo()
    assert len(stored()[1]) == 2
    sweep(timezone.now() + timedelta(hours=2))
    assert stored() == (1, [photo.path])
    assert not faults(match)


def test_next_photo_sweeps(match, monkeypatch):
    monkeypatch.setattr(PhotoFile, "__exit__", lambda *args: None)
    attach(match)
    monkeypatch.undo()
    attach(match, now=timezone.now() + timedelta(hours=2))
    assert len(stored()[1]) == 2


# ── found out ───────────────────────────────────────────────────────────


def test_file_that_is_gone_or_changed_is_found(match):
    first, second, third = (attach(match) for _ in range(3))
    first.path.unlink()
    second.path.write_bytes(third.path.read_bytes())
    assert sorted(faults(match)) == sorted(
        [("photo_missing", first.id), ("photo_changed", second.id)]
    )


def test_file_of_a_photo_taken_back_may_be_erased_but_not_changed(match):
    first, second = attach(match), attach(match)
    take_back(match, first)
    take_back(match, second)
    first.path.unlink()
    second.path.write_bytes(b"another")
    found = {finding.code: finding for finding in findings(only=match.id)}
    assert (found["erased"].row, found["erased"].is_fault) == (first.id, False)
    assert (found["photo_changed"].row, found["photo_changed"].is_fault) == (second.id, True)
