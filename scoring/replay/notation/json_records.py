"""Records as JSON, read and written: same content, codes and error positions as the text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from scoring.replay.notation.draft import error
from scoring.replay.notation.frame import (
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
from scoring.replay.notation.json_positions import Path, find_places, repeated_keys
from scoring.replay.notation.json_stream import Found, read_values
from scoring.replay.notation.lines import Source
from scoring.replay.notation.spelling import MOST_CARDS, MOST_DIGITS, card_of
from scoring.replay.notation.tags import MOST_ERRORS
from scoring.replay.record import (
    UNKNOWN_HANDS,
    Capture,
    Claim,
    Hand,
    Hands,
    NotationError,
    Pass,
    Play,
    Record,
    UnknownTag,
    in_order,
)
from scoring.rules import Double
from scoring.rules.cards import Card
from scoring.rules.seats import Seat, is_seat

_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
SEAT_KEYS = ("dealer", "chooser", "leader")
KEYS = (
    *("id", "tags", "system", "options", "deal_number", *SEAT_KEYS, "forced", "contract"),
    *("doubles", "hands", "plays", "captured", "claimed"),
)
ROW_KEYS = {
    "doubles": ("card", "by"),
    "captured": ("card", "seat"),
    "plays": ("seat", "card", "pass"),
}
"""What is read of each row of a list."""
_MOST = 10**MOST_DIGITS


def read_json(source: Source) -> Iterator[Record]:
    """Yield the records of a JSON array, of one object, or of objects one after the other.

    What is no JSON comes as a record with the error `bad_json`."""
    for number, found in enumerate(read_values(source), start=1):
        yield record_of_value(found, number)


def to_json(record: Record) -> dict[str, Any]:
    """Return a record as plain values."""
    known = any(hand is not None for hand in record.hands)
    data: dict[str, Any] = {
        "id": record.id,
        "tags": dict(record.tags),
        "system": record.system,
        "options": dict(record.options),
        "deal_number": record.deal_number,
        "dealer": record.dealer,
        "chooser": record.chooser,
        "forced": record.forced,
        "contract": record.contract.to_json() if record.contract else None,
        "doubles": [{"card": card, "by": by} for card, by in record.doubles],
        "leader": record.leader,
        "hands": [hand and sorted(hand) for hand in record.hands] if known else None,
        "plays": [_play_to_json(play) for play in record.plays],
    }
    if record.captured:
        data["captured"] = [{"card": card, "seat": seat} for card, seat in record.captured]
    if record.claimed:
        data["claimed"] = list(record.claimed)
    return data


def write_json(record: Record) -> str:
    """Return a record without errors as one line of JSON."""
    return json.dumps(to_json(record), ensure_ascii=False)


def _play_to_json(play: Play | Pass) -> dict[str, Any]:
    if isinstance(play, Pass):
        return {"seat": play.seat, "pass": True}
    return {"seat": play.seat, "card": play.card}


class _Faults:
    """Errors by the path to their value.

    Positions are looked up at the end, since nearly every record has no error."""

    def __init__(self) -> None:
        self.found: list[tuple[str, Path, str]] = []

    def add(self, code: str, *way: str | int, said: str = "") -> None:
        """Note an error at a value, such as `"plays", 3, "card"`."""
        self.found.append((code, way, said))

    def placed(self, source: Found) -> tuple[NotationError, ...]:
        """Return the errors in the order in which they are in the source."""
        if not self.found:
            return ()
        places = find_places(source.text, {way for _, way, _ in self.found})
        errors = []
        for code, way, said in self.found[:MOST_ERRORS]:
            start, end = places[way]
            line, column = _moved(source, start)
            errors.append(error(code, line, column, said or source.text[start:end].strip('"')))
        return tuple(sorted(errors, key=lambda each: (each.line, each.column)))


def _moved(source: Found, at: int) -> tuple[int, int]:
    lines = source.text.count("\n", 0, at)
    if lines:
        return source.line + lines, at - source.text.rindex("\n", 0, at) - 1
    return source.line, source.column + at


def record_of_value(found: Found, number: int) -> Record:
    """Return the record of a value of a source, with everything that could not be read.

    `number` counts the values of the source."""
    if found.is_fault:
        fault = error("bad_json", found.line, found.column, found.text)
        return Record(f"file#{number}", errors=(fault,))
    faults = _Faults()
    data = found.value
    if not isinstance(data, Mapping):
        faults.add("bad_json")
        return Record(f"file#{number}", errors=faults.placed(found))
    for way in repeated_keys(found.text, data):
        faults.add("bad_tag", *way, said=str(way[-1]))
    frame = _frame(data, faults)
    deal_number = _deal_number(data.get("deal_number"), faults)
    has_plays = bool(data.get("plays"))
    record = Record(
        id=_id(data.get("id"), faults)
        or (f"file#{number}" if deal_number is None else str(deal_number)),
        system=frame.system,
        contract=frame.contract,
        options=frame.options,
        tags=_tags(data.get("tags"), faults),
        deal_number=deal_number,
        dealer=_seat(data.get("dealer"), faults, "dealer"),
        chooser=_seat(data.get("chooser"), faults, "chooser"),
        forced=_forced(data.get("forced"), faults),
        doubles=tuple(Double(*pair) for pair in _pairs(data, "doubles", "by", faults)),
        leader=_seat(data.get("leader"), faults, "leader"),
        hands=_hands(data.get("hands"), faults),
        plays=tuple(_plays(data.get("plays"), frame, faults)),
        captured=tuple(Capture(*pair) for pair in _pairs(data, "captured", "seat", faults)),
        claimed=_claim(data.get("claimed"), faults),
        unknown=tuple(_unknown(data, found)),
    )
    given = [name for name in ("system", "contract", *SEAT_KEYS) if data.get(name) is not None]
    for name in missing_tags(frame, given, has_plays):
        faults.add("missing_tag", said=name)
    return replace(record, errors=faults.placed(found)) if faults.found else record


def _unknown(data: Mapping[str, Any], found: Found) -> Iterator[UnknownTag]:
    """Return keys and tags that are not read, at their values."""
    tags = data.get("tags")
    free = tags if isinstance(tags, Mapping) else {}
    names: list[tuple[Path, tuple[str, ...]]] = [
        ((name,), KEYS) for name in data if name not in KEYS
    ]
    names += [
        (("tags", name), (*PLAIN_TAGS, *PART_TAGS)) for name in free if name not in PLAIN_TAGS
    ]
    names += [
        ((key, place, name), known)
        for key, known in ROW_KEYS.items()
        for place, row in enumerate(_rows(data.get(key)))
        if isinstance(row, Mapping)
        for name in row
        if name not in known
    ]
    if not names:
        return
    places = find_places(found.text, {way for way, _ in names[:MOST_TAGS]})
    for way, known in names[:MOST_TAGS]:
        name = str(way[-1])
        code = error("unknown_tag", *_moved(found, places[way].start), name)
        yield UnknownTag(code.line, code.column, code.text, likely(name, known))


def _rows(value: object) -> list[object]:
    return value[:MOST_PLAYS] if isinstance(value, list) else []


def _frame(data: Mapping[str, Any], faults: _Faults) -> Frame:
    def report(code: str, about: str, _said: str) -> None:
        way = (about,) if about in ("system", "contract", "options") else ("options", about)
        faults.add(code, *way, said=about if code == "unknown_option" else "")

    return read_frame(data.get("system"), data.get("options"), data.get("contract"), report)


def _id(value: object, faults: _Faults) -> str:
    if value is None:
        return ""
    text = str(value) if type(value) is int and abs(value) < _MOST else value
    if isinstance(text, str) and is_plain(text):
        return text
    faults.add("bad_tag", "id")
    return ""


def _deal_number(value: object, faults: _Faults) -> int | None:
    if value is None or (type(value) is int and 0 <= value < _MOST):
        return value
    faults.add("bad_tag", "deal_number")
    return None


def _tags(value: object, faults: _Faults) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        faults.add("bad_tag", "tags")
        return {}
    good = {name: text for name, text in value.items() if _is_tag(name, text)}
    for place, name in enumerate(value):
        if name not in good or place >= MOST_TAGS:
            faults.add("bad_tag", "tags", name)
    return good


def _is_tag(name: str, text: object) -> bool:
    is_free = _TAG_NAME.fullmatch(name) and name not in PART_TAGS
    return bool(is_free) and isinstance(text, str) and is_plain(text)


def _forced(value: object, faults: _Faults) -> bool:
    if value is not None and not isinstance(value, bool):
        faults.add("bad_tag", "forced")
    return value is True


def _seat(value: object, faults: _Faults, *way: str | int) -> Seat | None:
    if value is None or is_seat(value):
        return value
    faults.add("bad_seat", *way)
    return None


def _needed_seat(value: object, faults: _Faults, *way: str | int) -> Seat | None:
    if value is None:
        faults.add("bad_seat", *way)
    return _seat(value, faults, *way)


def _card(value: object, faults: _Faults, *way: str | int) -> Card | None:
    card = card_of(value)
    if card is None:
        faults.add("bad_card", *way)
    return card


def _list(value: object, most: int, faults: _Faults, *way: str | int) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        faults.add("bad_json", *way)
        return []
    if len(value) > most:
        faults.add("bad_tag", *way, most)
    return value[:most]


def _pairs(
    data: Mapping[str, Any], key: str, seat_key: str, faults: _Faults
) -> Iterator[tuple[Card, Seat]]:
    """Read `[{"card": "QS", "by": 2}]`: the cards with their seats."""
    for place, row in enumerate(_list(data.get(key), MOST_CARDS, faults, key)):
        if not isinstance(row, Mapping):
            faults.add("bad_json", key, place)
            continue
        card = _card(row.get("card"), faults, key, place, "card")
        seat = _needed_seat(row.get(seat_key), faults, key, place, seat_key)
        if card is not None and seat is not None:
            yield card, seat


def _hands(value: object, faults: _Faults) -> Hands:
    if value is None:
        return UNKNOWN_HANDS
    if not isinstance(value, list) or len(value) != 4:
        faults.add("bad_json", "hands")
        return UNKNOWN_HANDS
    north, west, south, east = (_hand(hand, seat, faults) for seat, hand in enumerate(value))
    return (north, west, south, east)


def _hand(value: object, seat: Seat, faults: _Faults) -> Hand | None:
    if value is None:
        return None
    cards = [
        _card(each, faults, "hands", seat, place)
        for place, each in enumerate(_list(value, MOST_CARDS, faults, "hands", seat))
    ]
    return in_order([card for card in cards if card is not None])


def _claim(value: object, faults: _Faults) -> Claim | None:
    if value is None:
        return None
    if (
        isinstance(value, list)
        and len(value) == 4
        and all(type(each) is int and abs(each) < _MOST for each in value)
    ):
        return (value[0], value[1], value[2], value[3])
    faults.add("bad_tag", "claimed")
    return None


def _plays(value: object, frame: Frame, faults: _Faults) -> Iterator[Play | Pass]:
    """Return the plays before the first unreadable one; errors are noted to the end."""
    if isinstance(value, list) and len(value) > MOST_PLAYS:
        faults.add("bad_line", "plays", MOST_PLAYS)
    before = len(faults.found)
    for place, row in enumerate(_list(value, MOST_PLAYS, faults, "plays")):
        play = _play(row, place, frame, faults)
        if play is not None and len(faults.found) == before:
            yield play


def _play(row: object, place: int, frame: Frame, faults: _Faults) -> Play | Pass | None:
    if not isinstance(row, Mapping):
        faults.add("bad_json", "plays", place)
        return None
    seat = _needed_seat(row.get("seat"), faults, "plays", place, "seat")
    if row.get("pass") is True:
        if row.get("card") is not None or not (frame.has_passes or frame.contract is None):
            faults.add("bad_line", "plays", place)
        return None if seat is None else Pass(seat)
    card = _card(row.get("card"), faults, "plays", place, "card")
    return None if seat is None or card is None else Play(seat, card)
