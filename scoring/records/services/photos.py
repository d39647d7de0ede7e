"""Photos of the paper sheet or of the captured cards: attached to a deal, taken back.

A photo changes no point, so one that was on its way for a minute is not refused because somebody
saved a deal meanwhile; and it may come to a closed match, since disputes come later (C59).
"""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from scoring.common.actor import Actor
from scoring.common.errors import ServiceError
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.ledger.services import chain
from scoring.models import EventKind, Match, Photo, PhotoKind, Void
from scoring.pictures import Picture
from scoring.records.queries.photos import numbers_of
from scoring.records.services.photo_files import NewFile, sweep

MOST = 20
MOST_EVER = 60  # with those that were taken back


def attach_photo(
    *,
    match_id: UUID,
    entry_key: UUID,
    version: int,
    deal_number: int,
    kind: str,
    picture: Picture,
    actor: Actor,
    now: datetime,
) -> Photo:
    """Keeps the picture for a deal that was played, or is the next. The same picture of the same
    kind again is the one that is there."""
    photo = Photo(
        deal_number=deal_number,
        sha256=picture.sha256,
        kind=kind,
        width=picture.width,
        height=picture.height,
        size=len(picture.data),
    )
    sweep(now)
    with NewFile(photo, picture.data) as file, transaction.atomic():
        match = chain.locked(match_id)
        if event := chain.first_answer(match, entry_key, EventKind.PHOTO_ATTACHED):
            return Photo.objects.get(id=event.subject_id)
        _refuse_unseen(match, version)
        if known := _same(match, photo):
            return known
        _refuse(match, photo)
        write = chain.Write(entry_key, version, actor, now)
        chain.append(match, write, EventKind.PHOTO_ATTACHED, [photo])
        file.put()
    return photo


@transaction.atomic
def void_photo(
    *,
    match_id: UUID,
    entry_key: UUID,
    version: int,
    photo_id: UUID,
    reason: str,
    actor: Actor,
    now: datetime,
) -> Photo:
    """Takes one back: shown no more but to whoever has to judge. Row and file stay."""
    match = chain.locked(match_id)
    if event := chain.first_answer(match, entry_key, EventKind.PHOTO_VOIDED):
        return Photo.objects.get(void__id=event.subject_id)
    _refuse_unseen(match, version)
    reason = chain.needed_reason(reason)
    photo = Photo.objects.standing().filter(match=match, id=photo_id).first()
    if photo is None:
        raise ServiceError("not_standing", "photo")
    write = chain.Write(entry_key, version, actor, now)
    chain.append(match, write, EventKind.PHOTO_VOIDED, [Void(photo=photo)], reason=reason)
    return photo


def _refuse_unseen(match: Match, version: int) -> None:
    """Any version that there was will do, but for one with other deal numbers."""
    if version > match.version or match.is_renumbered_since(version):
        chain.refuse_stale(match, version)


def _same(match: Match, photo: Photo) -> Photo | None:
    there = Photo.objects.standing().filter(match.numbered(photo.deal_number), match=match)
    return there.filter(sha256=photo.sha256, kind=photo.kind).first()


def _refuse(match: Match, photo: Photo) -> None:
    if photo.kind not in PhotoKind.values:
        raise ServiceError("unknown_kind", "kind")
    numbers = numbers_of(snapshot_of(match))
    if photo.deal_number not in numbers:
        raise ServiceError("wrong_number", "deal_number", {"expected": numbers[-1]})
    ever = Photo.objects.filter(match.numbered(photo.deal_number), match=match)
    if ever.standing().count() >= MOST or ever.count() >= MOST_EVER:
        raise ServiceError("photos_full", "pictures", {"limit": MOST})
