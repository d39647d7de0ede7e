"""Tags and plays of one record in text to a `Record`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.replay.notation import spelling
from scoring.replay.notation.draft import Content, Draft, Tag, error
from scoring.replay.notation.frame import (
    MOST_IN_LIST,
    MOST_PLAYS,
    MOST_TAGS,
    PART_TAGS,
    PLAIN_TAGS,
    Frame,
    is_plain,
    likely,
    missing_tags,
    read_frame,
)
from scoring.replay.notation.plain_text import plain
from scoring.replay.notation.spelling import Report, Word, card_of, parted, seat_of, words
from scoring.replay.record import (
    UNKNOWN_HANDS,
    Capture,
    NotationError,
    Pass,
    Play,
    Record,
    UnknownTag,
)
from scoring.rules import Double
from scoring.rules.seats import Seat

type Seats = Mapping[str, Seat]

MOST_ERRORS = 1_000
VALUE_TAGS: Mapping[str, Callable[[str, Seats, Report], Any]] = {
    "Deal": spelling.read_number,
    "Dealer": spelling.read_seat,
    "Chooser": spelling.read_seat,
    "Leader": spelling.read_seat,
    "Forced": spelling.read_yes,
    "Doubled": spelling.read_cards_and_seats,
    "Hands": spelling.read_hands,
    "Captured": spelling.read_cards_and_seats,
    "Result": spelling.read_claim,
}
"""How the value of a tag is read."""


@dataclass
class DraftNotes:
    """What has been read of one draft, and its errors."""

    tags: dict[str, Tag] = field(default_factory=dict)
    plays: list[Content] = field(default_factory=list)
    errors: list[NotationError] = field(default_factory=list)

    def add(self, code: str, line: int, column: int, text: str) -> None:
        """Note an error."""
        self.errors.append(error(code, line, column, text))

    def report(self, tag: Tag) -> Report:
        """Return a function that notes errors at their place in the value of a tag."""
        return lambda code, at, text: self.add(code, tag.line, tag.column + at, text)

    def text(self, name: str) -> str | None:
        """Return the value of a tag, if it is there."""
        return self.tags[name].value if name in self.tags else None


def record_of(draft: Draft) -> Record:
    """Return the record, with everything that could not be read."""
    notes = _sorted(draft)
    frame = _frame(notes)
    seats = spelling.seats_by_letter(frame.clockwise)
    values = {
        name: reader(notes.tags[name].value, seats, notes.report(notes.tags[name]))
        for name, reader in VALUE_TAGS.items()
        if name in notes.tags
    }
    plays = tuple(_plays(notes, frame, seats))
    first = next(iter(draft.lines))
    given = [name.lower() for name in PART_TAGS if name in notes.tags]
    for name in missing_tags(frame, given, bool(notes.plays)):
        notes.add("missing_tag", first.line, first.column, name)
    deal_number = values.get("Deal")
    return Record(
        id=_id(notes, deal_number) or f"file#{draft.number}",
        system=frame.system,
        contract=frame.contract,
        options=frame.options,
        tags=_free_tags(notes),
        deal_number=deal_number,
        dealer=values.get("Dealer"),
        chooser=values.get("Chooser"),
        forced=bool(values.get("Forced")),
        doubles=tuple(Double(*pair) for pair in values.get("Doubled", ())),
        leader=values.get("Leader"),
        hands=values.get("Hands", UNKNOWN_HANDS),
        plays=plays,
        captured=tuple(Capture(*pair) for pair in values.get("Captured", ())),
        claimed=values.get("Result"),
        errors=tuple(sorted(notes.errors, key=_place)[:MOST_ERRORS]),
        unknown=tuple(_unknown(notes)),
    )


def _place(error: NotationError) -> tuple[int, int]:
    return error.line, error.column


def _sorted(draft: Draft) -> DraftNotes:
    notes = DraftNotes()
    free = 0
    for line in draft.lines:
        notes.errors += line.errors
        if line.kind == "plays":
            notes.plays.append(line)
        for tag in line.tags:
            is_list = tag.name in (*VALUE_TAGS, "Options")
            free += tag.name not in PART_TAGS
            if tag.name in notes.tags or free > MOST_TAGS:
                notes.add("bad_tag", tag.line, tag.column, tag.name)
            elif not is_plain(tag.value, MOST_IN_LIST if is_list else None):
                notes.add("bad_tag", tag.line, tag.column, tag.value)
                notes.tags[tag.name] = tag._replace(value="")
            else:
                notes.tags[tag.name] = tag
    return notes


def _frame(notes: DraftNotes) -> Frame:
    options: dict[str, Any] = {}
    places: dict[str, int] = {}
    if "Options" in notes.tags:
        tag = notes.tags["Options"]
        options, places = spelling.read_options(tag.value, notes.report(tag))

    def report(code: str, about: str, text: str) -> None:
        tag = notes.tags[about.capitalize() if about in ("system", "contract") else "Options"]
        if about in places:
            text = tag.value[places[about] :].split()[0]
        notes.add(code, tag.line, tag.column + places.get(about, 0), text)

    contract = notes.text("Contract")
    parts = None if contract is None else contract.replace("＋", "+").split("+")
    return read_frame(notes.text("System"), options, parts, report)


def _id(notes: DraftNotes, deal_number: int | None) -> str:
    return notes.text("Id") or ("" if deal_number is None else str(deal_number))


def _unknown(notes: DraftNotes) -> Iterator[UnknownTag]:
    known = (*PLAIN_TAGS, *PART_TAGS)
    for name, tag in notes.tags.items():
        if name not in known:
            yield UnknownTag(
                tag.line, max(0, tag.column - len(name) - 2), name, likely(name, known)
            )


def _free_tags(notes: DraftNotes) -> dict[str, str]:
    return {name: tag.value for name, tag in notes.tags.items() if name not in PART_TAGS}


# -- plays


def _plays(notes: DraftNotes, frame: Frame, seats: Seats) -> Iterator[Play | Pass]:
    """Return the plays before the first unreadable one; errors are noted to the end."""
    errors = len(notes.errors)
    count = 0
    for play in _all_plays(notes, frame, seats):
        count += 1
        if count <= MOST_PLAYS and len(notes.errors) == errors:
            yield play
    if count > MOST_PLAYS:
        notes.add("bad_line", notes.plays[-1].line, notes.plays[-1].column, notes.plays[-1].text)


def _all_plays(notes: DraftNotes, frame: Frame, seats: Seats) -> Iterator[Play | Pass]:
    due: Seat | None = None
    for line in notes.plays:
        if frame.is_trick_deal if frame.contract else ":" not in line.text:
            cards = _trick(notes, line, seats, due)
            yield from cards
            due = (cards[0].seat + len(cards)) % 4 if 0 < len(cards) < 4 else None
        else:
            for word in words(line.text):
                yield from _turn(notes, line, word, seats, frame)


def _trick(notes: DraftNotes, line: Content, seats: Seats, due: Seat | None) -> list[Play]:
    """Return the cards of a line.

    Where a line is short and the next continues with the seat that is `due`, a card was forgotten
    or the line was broken, and there is no telling which."""
    leader, *cards = words(line.text)
    seat = seat_of(leader.text, seats)
    if seat is None:
        notes.add(
            "bad_line" if ":" in leader.text else "bad_seat", line.line, leader.at, leader.text
        )
    elif seat == due or not cards:
        notes.add("bad_line", line.line, leader.at, line.text[leader.at :])
    plays = []
    for place, word in enumerate(cards):
        card = card_of(word.text)
        if place >= 4 or ":" in word.text or plain(word.text) == "-":
            notes.add("bad_line", line.line, word.at, word.text)
        elif card is None:
            notes.add("bad_card", line.line, word.at, word.text)
        elif seat is not None:
            plays.append(Play((seat + place) % 4, card))
    return plays


def _turn(
    notes: DraftNotes, line: Content, word: Word, seats: Seats, frame: Frame
) -> Iterator[Play | Pass]:
    """Read one `SEAT:CARD`, or `SEAT:-` where a seat may pass."""
    seat_word, colon, card_word = parted(word.text)
    seat, card = seat_of(seat_word, seats), card_of(card_word)
    passes = plain(card_word) == "-"
    if not colon or (passes and not frame.has_passes):
        notes.add("bad_line", line.line, word.at, word.text)
        return
    if seat is None:
        notes.add("bad_seat", line.line, word.at, seat_word or word.text)
    if card is None and not passes:
        at = word.at + len(seat_word) + bool(card_word)
        notes.add("bad_card", line.line, at, card_word or word.text)
    elif seat is not None:
        yield Pass(seat) if card is None else Play(seat, card)
