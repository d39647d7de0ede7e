"""Lines of a text or a stream, one at a time and never longer than a record needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, NamedTuple

type Source = str | IO[str] | IO[bytes]

LONGEST_LINE = 65_536
BYTE_ORDER_MARK = "\ufeff"


class Line(NamedTuple):
    """A line without its end; `is_cut`: the rest of it was too long to be read."""

    number: int
    text: str
    is_cut: bool


def read_lines(source: Source) -> Iterator[Line]:
    """Yield the lines, counted from 1.

    Bytes that are not UTF-8 become lone surrogates."""
    read = _from_text(source) if isinstance(source, str) else _from_stream(source)
    number = 0
    while text := read(LONGEST_LINE):
        is_cut = False
        rest = text
        while not rest.endswith("\n") and (rest := read(LONGEST_LINE)):
            is_cut = True
        if number == 0:
            text = text.removeprefix(BYTE_ORDER_MARK)
        if number == 0 and not text.endswith("\n"):
            yield from _of_old(text.removesuffix("\r"), is_cut)
            return
        number += 1
        yield Line(number, text.removesuffix("\n").removesuffix("\r"), is_cut)


def _of_old(text: str, is_cut: bool) -> Iterator[Line]:
    """Yield the lines of a text without line feeds, which carriage returns may separate."""
    *ended, last = text.split("\r")
    yield from (Line(number, each, False) for number, each in enumerate(ended, start=1))
    yield Line(len(ended) + 1, last, is_cut)


def _from_text(text: str) -> Callable[[int], str]:
    start = 0

    def read(most: int) -> str:
        nonlocal start
        end = text.find("\n", start, start + most) + 1 or start + most
        piece, start = text[start:end], end
        return piece

    return read


def _from_stream(stream: IO[str] | IO[bytes]) -> Callable[[int], str]:
    def read(most: int) -> str:
        line = stream.readline(most)
        return line if isinstance(line, str) else line.decode("utf-8", "surrogateescape")

    return read
