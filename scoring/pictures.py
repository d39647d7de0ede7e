"""A picture that somebody sent: looked at by its content and drawn anew, small and plain.

Nothing of what was sent is kept but the pixels: no place, no maker, no second picture, no program
behind the last byte. What it is called says nothing. Ordinary Python, no Django.
"""

import hashlib
import io
from dataclasses import dataclass
from math import ceil
from threading import Lock
from typing import IO

from PIL import ExifTags, Image
from PIL.Image import Transpose

WIDTH, HEIGHT = 1200, 630
"""Pixels of the picture of a result, and of the one beside a link."""
MOST_BYTES = 12_000_000
LONGEST = 2000
SMALL = 320
QUALITY, SMALL_QUALITY = 80, 70
# A JPEG in one pass is read at a fraction of its size; everything else lies in memory as a whole.
MOST_PIXELS, MOST_PIXELS_AT_ONCE = 50_000_000, 24_000_000
# Each pass over a picture takes time and may be a few bytes long; cameras make ten at most.
MOST_PASSES = 100
NEW_PASS = b"\xff\xda"
FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP")
BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"}
MEGA = 1_000_000
UPRIGHT = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_270,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_90,
}

# Our own limit depends on the format, which Pillow's does not know; `_refuse_bomb` asks before a
# pixel is decoded.
Image.MAX_IMAGE_PIXELS = None
_one_at_a_time = Lock()


class NoPicture(Exception):
    """Why this cannot be kept: a code and numbers."""

    def __init__(self, code: str, **numbers: int) -> None:
        super().__init__(code)
        self.code, self.numbers = code, numbers


@dataclass(frozen=True)
class Picture:
    """A JPEG of our own making."""

    data: bytes
    width: int
    height: int

    @property
    def sha256(self) -> str:
        return sha256(self.data)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read_picture(file: IO[bytes], size: int) -> Picture:
    """The first picture in it, upright, at most `LONGEST` pixels long. Raises `NoPicture`."""
    if size > MOST_BYTES:
        raise NoPicture("too_big", found=-(-size // MEGA), limit=MOST_BYTES // MEGA)
    data = file.read(MOST_BYTES + 1)
    with _one_at_a_time:
        return _redrawn(data)


def smaller(data: bytes) -> bytes:
    """One of our own pictures, small enough to stand among others."""
    with Image.open(io.BytesIO(data), formats=("JPEG",)) as image:
        image.thumbnail((SMALL, SMALL))
        return _jpeg(image, SMALL_QUALITY)


def is_own(data: bytes) -> bool:
    """Whether it is a picture as they are made here, whole, and no larger."""
    try:
        with Image.open(io.BytesIO(data), formats=("JPEG",)) as image:
            if max(image.size) > LONGEST or image.info.get("progressive"):
                return False
            image.load()
    except Exception:  # whatever a decoder raises on nonsense
        return False
    return True


def _redrawn(data: bytes) -> Picture:
    if data[4:8] == b"ftyp" and data[8:12] in BRANDS:
        raise NoPicture("heic")
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
    except Exception:  # whatever a decoder raises on nonsense
        raise NoPicture("not_a_picture") from None
    with image:
        _refuse_bomb(image, data)
        try:
            plain = _plain(image)
        except Exception:
            raise NoPicture("broken_picture") from None
    return Picture(_jpeg(plain, QUALITY), *plain.size)


def _refuse_bomb(image: Image.Image, data: bytes) -> None:
    """Before a pixel is decoded: what is small on the line may be huge in memory, or take hours."""
    in_passes = bool(image.info.get("progressive"))
    in_parts = image.format in ("JPEG", "MPO") and not in_passes
    limit = MOST_PIXELS if in_parts else MOST_PIXELS_AT_ONCE
    if image.width * image.height > limit:
        raise NoPicture("too_many_pixels", limit=limit // MEGA)
    if in_passes and data.count(NEW_PASS) > MOST_PASSES:
        raise NoPicture("broken_picture")


def _plain(image: Image.Image) -> Image.Image:
    """Red, green and blue on white paper, upright, and nothing else about it."""
    part = min(1, LONGEST / max(image.size))
    image.draft("RGB", (ceil(image.width * part), ceil(image.height * part)))
    small = _eight_bits(image)
    small.thumbnail((LONGEST, LONGEST))
    paper = Image.new("RGB", small.size, "white")
    paper.paste(small, mask=small if small.mode == "RGBA" else None)
    turn = UPRIGHT.get(_held(image))
    return paper if turn is None else paper.transpose(turn)


def _eight_bits(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I"):  # sixteen bits of grey, as scanners write
        return image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    mode = "RGBA" if image.has_transparency_data else "RGB"
    return image if image.mode == mode else image.convert(mode)


def _held(image: Image.Image) -> int:
    """How the camera was held: 1 (upright) unless that is written down and can be read."""
    try:
        return int(image.getexif().get(ExifTags.Base.Orientation, 1))
    except Exception:  # whatever is wrong with it, the picture is none the worse
        return 1


def _jpeg(image: Image.Image, quality: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality, optimize=True)
    return out.getvalue()
