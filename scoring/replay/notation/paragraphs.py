"""Fast reading of text that is written as `trex_text.write` writes it.

A paragraph of tags, one to a line, and then plays is a record by itself if another such paragraph
follows, or nothing. All other text, and what is unusual inside of a paragraph, goes the long way;
tests hold the two together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, NoReturn

from scoring.replay.notation.draft import Draft, drafts_of
from scoring.replay.notation.frame import (
    PART_TAGS,
    PLAIN_TAGS,
    Frame,
    is_plain,
    missing_tags,
    read_frame,
)
from scoring.replay.notation.lines import Source, numbered, raw_lines
from scoring.replay.notation.spelling import (
    letters,
    read_cards_and_seats,
    read_options,
    seats_by_letter,
)
from scoring.replay.notation.tags import record_of
from scoring.replay.record import UNKNOWN_HANDS, Hand, Hands, Pass, Play, Record
from scoring.rules import Double
from scoring.rules.cards import DECK_52, RANKS
from scoring.rules.seats import SEATS, Seat

MOST_LINES = 100
_CARD = "[2-9TJQKA][SHDC]"
_PLAIN = re.compile(
    r'(?:\[[A-Z][A-Za-z]{0,20} "[^"\\{}%\x00-\x1f\x7f]{0,1000}"\]\n){2,40}'
    rf"(?:(?:[NWSE](?: {_CARD}){{1,4}}\n){{1,13}}|(?:(?:[NWSE]:(?:{_CARD}|-)[ \n])++)++)"
    r"\n?"
)
_CLAIM = re.compile(" ".join([r"([NWSE]):(-?[0-9]{1,9})"] * 4))
_SHORT_TAGS = frozenset(PART_TAGS) - {"Id", "Captured"}
_FREE_TAGS = frozenset(PLAIN_TAGS)
_USUAL_TAGS = _SHORT_TAGS.union(PLAIN_TAGS, ["Id"])


class Paragraph(NamedTuple):
    """A record of its own, not read: its number, the lines before it, and its text."""

    number: int
    before: int
    text: str


class _Unusual(Exception):
    """Something that the long way must read."""


def paragraphs(source: Source) -> Iterator[Paragraph | Draft]:
    """Yield the records of a text or stream, one after the other."""
    groups = _Groups(raw_lines(source))
    number = 0
    while groups.now:
        if groups.is_record():
            number += 1
            yield Paragraph(number, groups.before, groups.now)
            groups.step()
            continue
        for draft in drafts_of(numbered(groups.unusual(), groups.before), number):
            number = draft.number
            yield draft


def record_of_paragraph(paragraph: Paragraph) -> Record:
    """Return the record, with everything that could not be read."""
    try:
        return _record(paragraph)
    except (_Unusual, LookupError, ValueError):
        lines = numbered(raw_lines(paragraph.text), paragraph.before)
        (draft,) = drafts_of(lines, paragraph.number - 1)
        return record_of(draft)


class _Groups:
    """Text up to and with a blank line, and the text of the group that follows."""

    def __init__(self, raw: Iterator[str]) -> None:
        self.raw = raw
        self.before = 0
        self.now, self.next = self._read(), self._read()

    def is_record(self) -> bool:
        """Return whether this group is a record by itself, whatever stands before it."""
        ends = not self.next or self.next[0] == "["
        return ends and _PLAIN.fullmatch(self.now) is not None

    def step(self) -> None:
        """Go on to the next group."""
        self.before += self.now.count("\n")
        self.now, self.next = self.next, self._read()

    def unusual(self) -> Iterator[str]:
        """Yield lines until, behind a group that is a record, another one begins."""
        while self.now:
            is_last = self.is_record()
            yield from raw_lines(self.now)
            self.step()
            if is_last and self.is_record():
                return

    def _read(self) -> str:
        lines = []
        for line in self.raw:
            lines.append(line)
            if line == "\n" or len(lines) > MOST_LINES:
                break
        return "".join(lines)


def _record(paragraph: Paragraph) -> Record:
    *tag_lines, play_text = paragraph.text.split("]\n")
    tags = {name: value for line in tag_lines for name, value in [line[1:-1].split(' "', 1)]}
    if len(tags) < len(tag_lines) or not tags.keys() <= _USUAL_TAGS:
        raise _Unusual
    if not paragraph.text.isascii() and not all(map(_is_plain, tags.items())):
        raise _Unusual
    frame = _frame(tags["System"], tags.get("Options", ""), tags["Contract"], tuple(tags))
    seats, deal = _SEATS[frame.clockwise], tags.get("Deal")
    return Record(
        id=tags.get("Id") or deal or f"file#{paragraph.number}",
        system=frame.system,
        contract=frame.contract,
        options=frame.options,
        tags={name: tags[name] for name in tags if name in _FREE_TAGS},
        deal_number=None if deal is None else _number(deal),
        dealer=seats[tags.get("Dealer")],
        chooser=seats[tags.get("Chooser")],
        forced=_YES[tags.get("Forced")],
        doubles=_doubles(tags["Doubled"], frame.clockwise) if "Doubled" in tags else (),
        leader=seats[tags.get("Leader")],
        hands=_hands(tags["Hands"], frame.clockwise) if "Hands" in tags else UNKNOWN_HANDS,
        plays=_plays(play_text.rstrip("\n").split("\n"), frame),
        claimed=_claim(tags["Result"], frame.clockwise) if "Result" in tags else None,
    )


_YES = {None: False, "true": True, "false": False}
_SEATS: Mapping[bool, Mapping[str | None, Seat | None]] = {
    clockwise: {None: None, **{letter: seat for seat, letter in enumerate(letters(clockwise))}}
    for clockwise in (False, True)
}


def _is_plain(tag: tuple[str, str]) -> bool:
    """Return whether the value of a tag is no special case."""
    name, value = tag
    return value.isascii() if name in _SHORT_TAGS else is_plain(value)


def _number(text: str) -> int:
    if len(text) > 9 or not text.isdecimal() or text != str(int(text)):
        raise _Unusual
    return int(text)


@lru_cache(maxsize=256)
def _frame(system: str, options: str, contract: str, names: tuple[str, ...]) -> Frame:
    """Return the frame of a record that has all tags that it needs."""
    values, _ = read_options(options, _refuse)
    frame = read_frame(system, values, contract.split("+"), _refuse)
    given = [name.lower() for name in names]
    if frame.ruleset is None or any(missing_tags(frame, given, True)):
        raise _Unusual
    return frame


def _refuse(*_: object) -> NoReturn:
    raise _Unusual


def _doubles(text: str, clockwise: bool) -> tuple[Double, ...]:
    pairs = read_cards_and_seats(text, seats_by_letter(clockwise), _refuse)
    return tuple(Double(*pair) for pair in pairs)


def _claim(text: str, clockwise: bool) -> tuple[int, int, int, int]:
    words = _CLAIM.fullmatch(text)
    if words is None:
        raise _Unusual
    parts = words.groups()
    found = dict(zip(parts[::2], map(int, parts[1::2]), strict=True))
    first, second, third, fourth = (found[letter] for letter in letters(clockwise))
    return first, second, third, fourth


# -- hands


def _hands(text: str, clockwise: bool) -> Hands:
    one, two, three, four = text.split(" ")
    found = {word[:2]: _hand(word) for word in (one, two, three, four)}
    first, second, third, fourth = (found[f"{letter}:"] for letter in letters(clockwise))
    return first, second, third, fourth


def _hand(text: str) -> Hand | None:
    """Return the hand behind a seat and a colon."""
    if text[2:] == "-":
        return None
    spades, hearts, diamonds, clubs = text[2:].split(".")
    return _held("S", spades) + _held("H", hearts) + _held("D", diamonds) + _held("C", clubs)


@cache
def _held(suit: str, ranks: str) -> Hand:
    """Return the cards of one suit, written from the top down. There are 8,192 ways."""
    found = tuple(rank + suit for rank in RANKS if rank in ranks)
    if "".join(card[0] for card in reversed(found)) != ranks:
        raise _Unusual
    return found


# -- plays

_PLAYS: Sequence[Mapping[str, Play]] = [
    {card: Play(seat, card) for card in DECK_52} for seat in SEATS
]
"""By seat the play of each card, made once."""
_PASSES = [Pass(seat) for seat in SEATS]


def _plays(lines: list[str], frame: Frame) -> tuple[Play | Pass, ...]:
    names = letters(frame.clockwise)
    if frame.is_trick_deal:
        return tuple(_tricks(lines, names))
    found: list[Play | Pass] = []
    for word in " ".join(lines).split(" "):
        seat, card = names.index(word[0]), word[2:]
        if word[1] != ":" or (card == "-" and not frame.has_passes):
            raise _Unusual
        found.append(_PASSES[seat] if card == "-" else _PLAYS[seat][card])
    return tuple(found)


def _tricks(lines: list[str], names: str) -> list[Play | Pass]:
    turns = dict(zip(names, _TURNS, strict=True))
    found: list[Play | Pass] = []
    *whole, last = lines
    for line in whole:
        leader, one, two, three, four = line.split(" ")
        first, second, third, fourth = turns[leader]
        found += first[one], second[two], third[three], fourth[four]
    leader, *cards = last.split(" ")
    found += [plays[card] for plays, card in zip(turns[leader], cards, strict=False)]
    return found


_TURNS = [[_PLAYS[(seat + place) % 4] for place in SEATS] for seat in SEATS]
