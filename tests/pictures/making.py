"""Pictures as phones send them, and what only claims to be one."""

import io

from PIL import Image

BEIRUT = {1: "N", 2: (33.0, 53.0, 43.21), 3: "E", 4: (35.0, 29.0, 5.43)}
MAKER = "Cafe Phone 12"
WHEN = "2026:11:12 18:15:00"
WORDS = "Amal owes Badr twenty"


def drawn(size=(64, 48), mode="RGB"):
    """No two pixels alike, so that two pictures are told apart."""
    return Image.effect_noise(size, 80).convert(mode)


def saved(image=None, kind="JPEG", **how) -> bytes:
    file = io.BytesIO()
    (image or drawn()).save(file, kind, **how)
    return file.getvalue()


def exif(held=1) -> Image.Exif:
    """What a camera writes beside the picture: how it was held, when, and where."""
    made = Image.Exif()
    made[0x0112], made[0x010F], made[0x0132] = held, MAKER, WHEN
    made.get_ifd(0x8825).update(BEIRUT)
    return made


def with_place(kind="JPEG", image=None, held=1) -> bytes:
    xmp = f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><gps>33.8953 {MAKER}</gps></x:xmpmeta>'.encode()
    more = {"comment": WORDS} if kind == "JPEG" else {}
    return saved(image, kind, exif=exif(held), xmp=xmp, icc_profile=b"x" * 200, **more)


def in_passes(passes: int) -> bytes:
    """A picture that asks to be gone over again and again."""
    data = saved(progressive=True)
    first = data.index(b"\xff\xda")
    return data[:first] + data[first:-2] + data[first:-2] * passes + data[-2:]


PROGRAM = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00>\x00" + b"\x90" * 400
WINDOWS = b"MZ\x90\x00" + b"This program cannot be run in DOS mode." * 9
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HTML = b"<!doctype html><script>alert(1)</script>"
SCRIPT = b"#!/bin/sh\nrm -rf ~\n"
HEIC = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(100)
