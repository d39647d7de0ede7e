"""Lines of a text or a stream, one at a time and never longer than a record needs."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import IO, NamedTuple

type Source = str | IO[str] | IO[bytes]

LONGEST_LINE = 65_536
BYTE_ORDER_MARK = "\ufeff"


class TextLine(NamedTuple):
    """A line without its end; `is_cut`: the rest of it was too long to be read."""

    number: int
    text: str
    is_cut: bool


def read_lines(source: Source) -> Iterator[TextLine]:
    """Yield the lines, counted from 1.

    Bytes that are not UTF-8 become lone surrogates."""
    return numbered(raw_lines(source))


def raw_lines(source: Source) -> Iterator[str]:
    """Yield the lines with their ends; one that is too long comes in pieces."""
    stream = StringIO(source, newline="\n") if isinstance(source, str) else source
    while line := stream.readline(LONGEST_LINE):
        yield line if isinstance(line, str) else line.decode("utf-8", "surrogateescape")


def numbered(raw: Iterator[str], before: int = 0) -> Iterator[TextLine]:
    """Yield the lines of `raw_lines`, of which so many came before."""
    number = before
    for text in raw:
        is_cut = False
        rest: str | None = text
        while rest and not rest.endswith("\n") and (rest := next(raw, None)):
            is_cut = True
        if number == 0:
            text = text.removeprefix(BYTE_ORDER_MARK)
        if number == 0 and not rest:
            yield from _of_old(text.removesuffix("\r"), is_cut)
            return
        number += 1
        yield TextLine(number, text.removesuffix("\n").removesuffix("\r"), is_cut)


def _of_old(text: str, is_cut: bool) -> Iterator[TextLine]:
    """Yield the lines of a text without line feeds, which carriage returns may separate."""
    *ended, last = text.split("\r")
    yield from (TextLine(number, each, False) for number, each in enumerate(ended, start=1))
    yield TextLine(len(ended) + 1, last, is_cut)
