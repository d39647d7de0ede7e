"""Words in a picture: letters of our own, how wide they are, and what fits. Ordinary Python.

A picture is drawn with the fonts beside this module and no others, so it is the same on every
machine. How wide a text is says only whoever shapes it, Arabic above all: so it is drawn once, and
what was inked is measured.
"""

import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import resvg_py
from PIL import Image

FONTS = Path(__file__).parent / "fonts"
FILES = sorted(map(str, FONTS.glob("*.ttf")))
FAMILY = "Noto Sans"
ELLIPSIS = "…"
# Isolates: a text stands in its own direction, or in that of a language from right to left.
OWN_WAY, FROM_RIGHT, END = "\u2068", "\u2067", "\u2069"

MEASURED, ROOM, ROW = 12, 1440, 30
"""Letters of this height are measured, one text a row, on a sheet so wide."""
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Fitted(NamedTuple):
    """A text as it is drawn, so large."""

    text: str
    size: int


def png(svg: str) -> bytes:
    """The drawing as a PNG of its own size. Nothing else is read, from wherever it may name it."""
    return resvg_py.svg_to_bytes(
        svg_string=svg, skip_system_fonts=True, font_files=FILES, font_family=FAMILY
    )


def fit(
    texts: Sequence[str], room: int, sizes: Sequence[int], *, bold: bool = False
) -> list[Fitted]:
    """All of them in the largest of the sizes (the largest first) in which each has room. What is
    too long for the smallest is cut, and ends in an ellipsis."""
    found = widths(texts, bold=bold)
    size = next((size for size in sizes if max(found) * size <= room * MEASURED), sizes[-1])
    most = room * MEASURED // size
    pairs = zip(texts, found, strict=True)
    kept = [text if width <= most else _cut(text, most, bold) for text, width in pairs]
    return [Fitted(plain(text), size) for text in kept]


def plain(text: str) -> str:
    """Without what no drawing may hold."""
    return FORBIDDEN.sub("", text)


def widths(texts: Sequence[str], *, bold: bool = False) -> list[int]:
    """How wide each is in letters `MEASURED` high; `ROOM` stands for more than that."""
    drawn = Image.open(io.BytesIO(png(_sheet(texts, bold)))).getchannel("A")
    rows = (drawn.crop((0, ROW * at, ROOM, ROW * (at + 1))) for at, _ in enumerate(texts))
    return [box[2] if (box := row.getbbox()) else 0 for row in rows]


def _cut(text: str, most: int, bold: bool) -> str:
    """As much of the text as is no wider than this with an ellipsis behind."""
    tries = [*_shorter(text), ELLIPSIS]
    found = zip(tries, widths(tries, bold=bold), strict=True)
    return next((one for one, width in found if width <= most), ELLIPSIS)


def _shorter(text: str) -> Iterator[str]:
    """Without the last letters, the longest first; marks stay with their letter."""
    for end in range(len(text) - 1, 0, -1):
        if not unicodedata.combining(text[end]):
            yield text[:end].rstrip() + ELLIPSIS


def _sheet(texts: Sequence[str], bold: bool) -> str:
    rows = "".join(
        f'<text y="{ROW * at + 19}">{escape(plain(text))}</text>' for at, text in enumerate(texts)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{ROOM}" height="{ROW * len(texts)}"'
        f' font-size="{MEASURED}" font-weight="{700 if bold else 400}">{rows}</svg>'
    )
