"""JSON values from a stream, one at a time: an array of them, or one after the other.

After something that is no JSON, reading goes on at the next object that looks like a record.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from scoring.replay.notation.lines import BYTE_ORDER_MARK, Source

MOST_CHARACTERS = 262_144  # in one value, unless it is said otherwise
CHUNK = 65_536
BLANKS = " \t\r\n"

_OBJECT = re.compile(r'\{[ \t\r\n]{0,80}"([^"\\]{0,40})"[ \t\r\n]{0,80}:')
_LONGEST_MATCH = 250
_DEEP = 10_000  # about so many characters make a text too deep
_SAYS_SOMETHING = re.compile(r"[^ \t\r\n]")
# Objects inside a record stand behind a colon, or begin with one of these.
_INNER = ("seat", "card", "pass", "by")
_OUTER = ("id", "tags", "system", "deal_number", "dealer", "chooser", "contract", "hands", "plays")


class Found(NamedTuple):
    """A value and its text, or an error where `is_fault`; line and column say where it begins."""

    value: Any
    text: str
    line: int
    column: int
    is_fault: bool = False


def _refuse(word: str) -> None:
    raise ValueError(word)  # NaN and Infinity are no JSON


_DECODER = json.JSONDecoder(parse_constant=_refuse)


class _Window:
    """The part of a source that is in memory around the reading position `at`."""

    def __init__(self, source: Source, most: int) -> None:
        self.most = most
        self._read = _chunks(source)
        self._line, self._column, self._counted = 1, 0, 0
        self.text = self._read().removeprefix(BYTE_ORDER_MARK)
        self.at = 0
        self.passed = 0  # characters that are gone
        self.is_last = False
        self.last = (1, 0)
        self.fill()

    def fill(self) -> None:
        """Read on until a whole value, or the end, is in memory."""
        if self.is_last or len(self.text) - self.at >= self.most:
            return
        self.count()
        keep = max(0, self.at - 1)
        pieces = [self.text[keep:]]
        room = self.most + CHUNK - len(pieces[0])
        while room > 0 and not self.is_last:
            pieces.append(self._read())
            room -= len(pieces[-1])
            self.is_last = not pieces[-1]
        self.text = "".join(pieces)
        self.passed += keep
        self.at -= keep
        self._counted -= keep

    def count(self) -> None:
        """Remember line and column of `at`, so that positions ahead are found quickly."""
        self._line, self._column = self.place(self.at)
        self._counted = self.at

    def place(self, at: int) -> tuple[int, int]:
        """Return line and column of a character ahead."""
        lines = self.text.count("\n", self._counted, at)
        if lines:
            return self._line + lines, at - self.text.rindex("\n", self._counted, at) - 1
        return self._line, self._column + at - self._counted

    def next(self) -> str:
        """Move to the next character that is no blank; return "" at the end."""
        while True:
            self.fill()
            if found := _SAYS_SOMETHING.search(self.text, self.at):
                self.at = found.start()
                self.fill()
                return self.text[self.at]
            self.at = len(self.text)
            if self.is_last:
                return ""

    def step(self, end: int) -> None:
        """Move past what was read, whose last position is remembered."""
        self.last = self.place(end - 1)
        self.at = end


def _chunks(source: Source) -> Callable[[], str]:
    """Return a function that reads the next piece; an empty one is the end."""
    if isinstance(source, str):
        pieces = (source[start : start + CHUNK] for start in range(0, len(source), CHUNK))
        return lambda: next(pieces, "")
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")

    def read() -> str:
        while True:
            piece = source.read(CHUNK)
            text = piece if isinstance(piece, str) else decoder.decode(piece, final=not piece)
            if text or not piece:
                return text

    return read


def read_values(source: Source, most: int = MOST_CHARACTERS) -> Iterator[Found]:
    """Yield the values of a text or stream, in order.

    One of more characters than `most` is an error."""
    return _Values(source, most).all()


def _is_inner(value: object) -> bool:
    """Return whether a value is a play or the like, outside its object because that is broken."""
    return isinstance(value, dict) and next(iter(value), "") in _INNER


class _Values:
    """The reader's state in the grammar of the whole text."""

    def __init__(self, source: Source, most: int) -> None:
        self.window = _Window(source, most)
        self.is_array = False
        self.is_empty = False  # an array without values so far
        self.is_after_value = False
        self.is_spoilt = False  # there was a fault: brackets and commas may mean nothing
        self.is_lost = False  # no record was found after a fault
        self.wasted = 0

    def all(self) -> Iterator[Found]:
        """Yield the values, and an error for each piece that is none."""
        while char := self.window.next():
            if self._takes(char):
                self.window.step(self.window.at + 1)
            elif self.is_array and self.is_after_value:
                yield self._fault(self.window.at)
                self._resume(self.window.at)
            else:
                yield self._value()
        if self.is_array and not self.is_lost:
            yield Found(None, "", *self.window.last, is_fault=True)

    def _takes(self, char: str) -> bool:
        """Consume brackets and commas between the values."""
        if char == "[" and not self.is_array:
            self.is_array, self.is_empty, self.is_after_value = True, True, False
        elif char == "]" and self.is_array and (self.is_after_value or self.is_empty):
            self.is_array, self.is_after_value = False, False
        elif char == "," and self.is_array and self.is_after_value:
            self.is_after_value = False
        else:
            return self.is_spoilt and not self.is_array and char in ",]"
        return True

    def _value(self) -> Found:
        window = self.window
        start, text = window.at, window.text
        self.is_empty = False
        try:
            value, end = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            return self._skip(error.pos, error.pos)
        except (ValueError, RecursionError):
            return self._skip(start, start + _DEEP)
        if end - start > window.most or _is_inner(value):
            return self._skip(start, end)
        window.count()
        found = Found(value, text[start:end], *window.place(start))
        window.step(end)
        self.is_after_value = True
        return found

    def _skip(self, at: int, looked: int) -> Found:
        """Return the error at a character and move to the next record.

        Search from the beginning of what was bad, since a record may be inside it. What was
        searched in vain is counted, so that this ends."""
        window = self.window
        found = self._fault(at)
        self.wasted += looked - window.at
        vain = self.wasted / (window.passed + window.at + window.most)
        self._resume(window.at + 1 if vain < 4 else max(looked, window.at + 1), only_sure=vain > 2)
        return found

    def _fault(self, at: int) -> Found:
        """Return an error at a character, or at the last one before it that is no blank."""
        window = self.window
        self.is_spoilt = True
        while at > window.at and window.text[at : at + 1] in ("", *BLANKS):
            at -= 1
        return Found(None, window.text[at : at + 80], *window.place(at), is_fault=True)

    def _resume(self, at: int, only_sure: bool = False) -> None:
        """Move to the next beginning of a record, or to the end.

        `only_sure`: one that begins with a known key."""
        window = self.window
        self.is_after_value = False
        while True:
            for found in _OBJECT.finditer(window.text, at):
                key, start = found[1], found.start()
                is_record = key in _OUTER if only_sure else key not in _INNER
                if is_record and not window.text[max(0, start - 80) : start].rstrip(" \t").endswith(
                    ":"
                ):
                    window.at = start
                    return
            window.at = max(at, len(window.text) - _LONGEST_MATCH)
            if window.is_last:
                window.at = len(window.text)
                self.is_lost = True
                return
            window.fill()
            at = window.at
