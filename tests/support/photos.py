"""Photos of deals, and what lies on disk of them."""

import io
import uuid
from pathlib import Path

from django.conf import settings

from scoring.models import Photo
from scoring.pictures import Picture, read_picture
from scoring.records.services.photos import attach_photo, void_photo
from tests.factories import write
from tests.pictures.making import drawn, saved


def picture() -> Picture:
    """Another one each time."""
    data = saved(drawn())
    return read_picture(io.BytesIO(data), len(data))


def attach(match, number=1, found=None, kind="sheet", **changes) -> Photo:
    given = {"deal_number": number, "picture": found or picture(), "kind": kind}
    return write(attach_photo, match, **{**given, **changes})


def take_back(match, photo, reason="The wrong sheet", **changes) -> Photo:
    return write(void_photo, match, photo_id=photo.id, reason=reason, **changes)


def stored() -> tuple[int, list[Path]]:
    """How many rows there are, and every file, drafts too."""
    files = [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]
    return Photo.objects.count(), sorted(files)


def key() -> uuid.UUID:
    return uuid.uuid4()
