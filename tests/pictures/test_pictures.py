"""What becomes of a picture that somebody sent."""

import io
import struct
import zlib
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps

from scoring import pictures
from scoring.pictures import LONGEST, MOST_BYTES, NoPicture, Picture, read_picture, smaller
from tests.pictures.making import (
    HEIC,
    HTML,
    MAKER,
    PROGRAM,
    SCRIPT,
    SVG,
    WHEN,
    WINDOWS,
    WORDS,
    drawn,
    in_passes,
    saved,
    with_place,
)


def read(data: bytes) -> Picture:
    return read_picture(io.BytesIO(data), len(data))


def refused(data: bytes) -> str:
    with pytest.raises(NoPicture) as said:
        read(data)
    return said.value.code


def declared(data: bytes, kind: str, width: int, height: int) -> bytes:
    """The picture with another size in its header."""
    if kind == "JPEG":
        start = max(data.find(b"\xff\xc0"), data.find(b"\xff\xc2")) + 5
        size = struct.pack(">HH", height, width)
    elif kind == "PNG":
        start, size = 16, struct.pack(">II", width, height)
        size += data[24:29]
        size += struct.pack(">I", zlib.crc32(b"IHDR" + size))
    elif kind == "GIF":
        start, size = 6, struct.pack("<HH", width, height)
    else:
        start, size = 18, struct.pack("<ii", width, height)
    return data[:start] + size + data[start + len(size) :]


def opened(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        ("RGB", "JPEG"),
        ("L", "JPEG"),
        ("CMYK", "JPEG"),
        ("RGB", "PNG"),
        ("RGBA", "PNG"),
        ("P", "PNG"),
        ("LA", "PNG"),
        ("1", "PNG"),
        ("RGB", "WEBP"),
        ("RGBA", "WEBP"),
        ("RGB", "GIF"),
        ("RGB", "BMP"),
    ],
)
def test_every_usual_picture_becomes_a_jpeg(mode, kind):
    picture = read(saved(drawn(mode=mode), kind))
    image = opened(picture.data)
    assert (image.format, image.mode, image.size) == ("JPEG", "RGB", (64, 48))
    assert (picture.width, picture.height) == image.size
    assert image.getextrema()[0] != image.getextrema()[0][:1] * 2


def test_sixteen_bits_of_grey_stay_grey():
    steps = Image.new("I;16", (3, 1))
    for x, value in enumerate((0, 0x8000, 0xFFFF)):
        steps.putpixel((x, 0), value)
    image = opened(read(saved(steps.resize((96, 32), Image.Resampling.NEAREST), "PNG")).data)
    assert [round(image.getpixel((x, 16))[0] / 64) for x in (16, 48, 80)] == [0, 2, 4]


def test_what_is_clear_becomes_white_paper():
    image = opened(read(saved(Image.new("RGBA", (20, 20), (255, 0, 0, 0)), "PNG")).data)
    assert min(low for low, _ in image.getextrema()) > 250


@pytest.mark.parametrize("size", [(3000, 1000), (1000, 3000), (2001, 2001), (9000, 2)])
def test_big_one_is_made_smaller_in_its_shape(size):
    picture = read(saved(Image.new("RGB", size)))
    assert max(picture.width, picture.height) == LONGEST
    expected = min(size) * LONGEST / max(size)
    assert abs(min(picture.width, picture.height) - expected) <= 1


def test_small_one_is_not_blown_up():
    assert read(saved(drawn((8, 6)))).width == 8


@pytest.mark.parametrize("held", range(1, 9))
def test_picture_stands_upright(held):
    image = Image.new("RGB", (64, 32), "white")
    image.paste("black", (0, 0, 32, 16))
    data = with_place(image=image, held=held)
    expected = ImageOps.exif_transpose(opened(data))
    found = opened(read(data).data)
    assert found.size == expected.size
    for spot in ((4, 4), (found.width - 5, 4), (4, found.height - 5)):
        assert abs(found.getpixel(spot)[0] - expected.getpixel(spot)[0]) < 40


# The place where somebody sat is nobody's business.
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_nothing_is_left_of_place_time_and_maker(kind):
    sent = with_place(kind)
    assert MAKER.encode() in sent
    assert WHEN.encode() in sent
    kept = read(sent).data
    for gone in (MAKER, WHEN, WORDS, "Exif", "http", "xmp", "33.8953"):
        assert gone.encode() not in kept
    image = opened(kept)
    assert not image.getexif()
    assert set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


def test_nothing_is_left_behind_the_last_byte():
    kept = read(saved() + b"PK\x03\x04 an archive" + HTML).data
    assert kept.endswith(b"\xff\xd9")
    assert b"archive" not in kept


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "GIF"])
def test_of_a_moving_picture_the_first_is_kept(kind):
    still, other = Image.new("RGB", (20, 20), "red"), Image.new("RGB", (20, 20), "blue")
    data = saved(still, kind, save_all=True, append_images=[other], duration=100)
    assert opened(data).n_frames == 2
    red, _, blue = opened(read(data).data).getpixel((10, 10))
    assert red > 200 > 50 > blue


def test_of_two_pictures_in_one_the_first_is_kept():
    data = saved(drawn(), "MPO", save_all=True, append_images=[drawn((30, 30))])
    picture = read(data)
    assert (picture.width, picture.height) == (64, 48)
    assert len(picture.data) < len(data)


@pytest.mark.parametrize("data", [b"", b"\xff\xd8", PROGRAM, WINDOWS, SVG, HTML, SCRIPT])
def test_what_is_no_picture_is_refused(data):
    assert refused(data) == "not_a_picture"


@pytest.mark.parametrize("kind", ["TIFF", "ICO"])
def test_other_kinds_of_pictures_are_refused(kind):
    assert refused(saved(kind=kind)) == "not_a_picture"


def test_heic_is_told_by_name():
    assert refused(HEIC) == "heic"


def test_half_a_picture_is_refused():
    for kind in ("JPEG", "PNG"):
        data = saved(drawn((400, 300)), kind)
        assert refused(data[: len(data) // 2]) == "broken_picture"


def test_too_many_bytes_are_not_read():
    class Endless(io.BytesIO):
        def read(self, *args):
            raise AssertionError("it was read")

    with pytest.raises(NoPicture) as said:
        read_picture(Endless(), 30_000_000)
    assert (said.value.code, said.value.numbers) == ("too_big", {"found": 30, "limit": 12})
    with pytest.raises(NoPicture, match="too_big"):
        read_picture(io.BytesIO(), MOST_BYTES + 1)


def test_bomb_is_refused_before_it_goes_off(monkeypatch):
    monkeypatch.setattr(pictures, "_plain", None)
    bomb = saved(Image.new("1", (7000, 7000)), "PNG")
    assert len(bomb) < 10_000
    assert refused(bomb) == "too_many_pixels"


@pytest.mark.parametrize(
    ("kind", "options", "limit"),
    [
        ("JPEG", {}, 50),
        ("JPEG", {"progressive": True}, 24),
        ("PNG", {}, 24),
        ("GIF", {}, 24),
        ("BMP", {}, 24),
    ],
)
def test_limit_of_108_megapixels_is_that_of_the_kind(kind, options, limit):
    with pytest.raises(NoPicture) as said:
        read(declared(saved(kind=kind, **options), kind, 12_000, 9_000))
    assert (said.value.code, said.value.numbers) == ("too_many_pixels", {"limit": limit})


def test_picture_in_many_passes_is_refused():
    assert refused(in_passes(200)) == "broken_picture"


def test_same_picture_is_drawn_the_same_way_twice():
    data = with_place()
    assert read(data).sha256 == read(data).sha256


def test_small_one_among_others():
    small = smaller(read(saved(drawn((1500, 1000)))).data)
    assert opened(small).size == (320, 213)


SAMPLES = [saved(drawn((40, 30)), kind) for kind in ("JPEG", "PNG", "WEBP")]
SAMPLES += [with_place(kind) for kind in ("JPEG", "PNG", "WEBP")]


@settings(max_examples=150)
@given(st.data())
def test_damaged_picture_is_read_or_refused_and_nothing_else(data):
    sample = bytearray(data.draw(st.sampled_from(SAMPLES)))
    for place in data.draw(st.lists(st.integers(0, len(sample) - 1), max_size=8)):
        sample[place] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(0, len(sample)))
    with suppress(NoPicture):
        assert read(bytes(sample[:end])).data.startswith(b"\xff\xd8")
