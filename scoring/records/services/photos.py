"""Photos of the paper sheet or of the captured cards: attached to a deal, taken back.

A photo changes no point, so one that was on its way for a minute is not refused because somebody
saved a deal meanwhile; and it may come to a closed match, since disputes come later (C59).
"""

from uuid import UUID

from scoring.common.errors import RefusalCode, ServiceError
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.ledger.services import chain
from scoring.ledger.services.chain import Write, match_write, refuse_unseen, row_of, row_voided
from scoring.models import EventKind, Match, Photo, PhotoKind, Void
from scoring.pictures import Picture
from scoring.records.queries.photos import numbers_of
from scoring.records.services.photo_files import NewFile, sweep
from scoring.rules import ProblemCode

MOST = 20
MOST_EVER = 60  # with those that were taken back


def attach_photo(write: Write, *, deal_number: int, kind: str, picture: Picture) -> Photo:
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
    sweep(write.now)
    with NewFile(photo, picture.data) as file:  # gone again if the transaction fails
        return _attach(write, photo, file)


@match_write(EventKind.PHOTO_ATTACHED, row_of(Photo), refuse=[refuse_unseen])
def _attach(match: Match, write: Write, photo: Photo, file: NewFile) -> Photo:
    if known := _same(match, photo):
        return known
    _refuse(match, photo)
    chain.append(match, write, EventKind.PHOTO_ATTACHED, [photo])
    file.put()
    return photo


@match_write(EventKind.PHOTO_VOIDED, row_voided(Photo), refuse=[refuse_unseen])
def void_photo(match: Match, write: Write, *, photo_id: UUID, reason: str) -> Photo:
    """Takes one back: shown no more but to whoever has to judge. Row and file stay."""
    reason = chain.needed_reason(reason)
    photo = Photo.objects.standing().filter(match=match, id=photo_id).first()
    if photo is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "photo")
    chain.append(match, write, EventKind.PHOTO_VOIDED, [Void(photo=photo)], reason=reason)
    return photo


def _same(match: Match, photo: Photo) -> Photo | None:
    there = Photo.objects.standing().filter(match.numbered(photo.deal_number), match=match)
    return there.filter(sha256=photo.sha256, kind=photo.kind).first()


def _refuse(match: Match, photo: Photo) -> None:
    if photo.kind not in PhotoKind.values:
        raise ServiceError(RefusalCode.UNKNOWN_KIND, "kind")
    numbers = numbers_of(snapshot_of(match))
    if photo.deal_number not in numbers:
        raise ServiceError(ProblemCode.WRONG_NUMBER, "deal_number", {"expected": numbers[-1]})
    ever = Photo.objects.filter(match.numbered(photo.deal_number), match=match)
    if ever.standing().count() >= MOST or ever.count() >= MOST_EVER:
        raise ServiceError(RefusalCode.PHOTOS_FULL, "pictures", {"limit": MOST})
