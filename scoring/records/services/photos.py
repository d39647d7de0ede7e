"""Attach photos of the paper sheet or of captured cards to deals, and withdraw them.

A photo changes no score: it is accepted although a deal was saved while it was uploaded, and in a
closed match, since disputes come later (C59).
"""

from uuid import UUID

from scoring.common.errors import RefusalCode, ServiceError
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.ledger.services import chain
from scoring.ledger.services.chain import Write, match_write, refuse_unseen, row_of, row_voided
from scoring.models import EventKind, Match, Photo, PhotoKind, Void
from scoring.pictures import Picture
from scoring.records.queries.photos import photo_numbers
from scoring.records.services.photo_files import PhotoFile, sweep
from scoring.rules import ProblemCode

MOST = 20
MOST_EVER = 60  # with withdrawn ones


def attach_photo(write: Write, *, deal_number: int, kind: str, picture: Picture) -> Photo:
    """Attach a picture to a deal that was played or is due.

    Return the existing photo if the same picture of the same kind is attached already."""
    photo = Photo(
        deal_number=deal_number,
        sha256=picture.sha256,
        kind=kind,
        width=picture.width,
        height=picture.height,
        size=len(picture.data),
    )
    sweep(write.now)
    with PhotoFile(photo, picture.data) as file:  # gone again if the transaction fails
        return _attach(write, photo, file)


@match_write(EventKind.PHOTO_ATTACHED, row_of(Photo), refuse=[refuse_unseen])
def _attach(match: Match, write: Write, photo: Photo, file: PhotoFile) -> Photo:
    if known := _existing(match, photo):
        return known
    _require_valid(match, photo)
    chain.append(match, write, EventKind.PHOTO_ATTACHED, [photo])
    file.put()
    return photo


@match_write(EventKind.PHOTO_VOIDED, row_voided(Photo), refuse=[refuse_unseen])
def void_photo(match: Match, write: Write, *, photo_id: UUID, reason: str) -> Photo:
    """Withdraw a photo: from then on only arbiters see it. Row and file stay."""
    reason = chain.needed_reason(reason)
    photo = Photo.objects.standing().filter(match=match, id=photo_id).first()
    if photo is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "photo")
    chain.append(match, write, EventKind.PHOTO_VOIDED, [Void(photo=photo)], reason=reason)
    return photo


def _existing(match: Match, photo: Photo) -> Photo | None:
    there = Photo.objects.standing().filter(match.numbered(photo.deal_number), match=match)
    return there.filter(sha256=photo.sha256, kind=photo.kind).first()


def _require_valid(match: Match, photo: Photo) -> None:
    if photo.kind not in PhotoKind.values:
        raise ServiceError(RefusalCode.UNKNOWN_KIND, "kind")
    numbers = photo_numbers(snapshot_of(match))
    if photo.deal_number not in numbers:
        raise ServiceError(ProblemCode.WRONG_NUMBER, "deal_number", {"expected": numbers[-1]})
    ever = Photo.objects.filter(match.numbered(photo.deal_number), match=match)
    if ever.standing().count() >= MOST or ever.count() >= MOST_EVER:
        raise ServiceError(RefusalCode.PHOTOS_FULL, "pictures", {"limit": MOST})
