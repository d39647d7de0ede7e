"""Spelling of cards, seats and short lists in records, read and written.

Everything here takes words as a person types them. What cannot be read is told to a `Report`,
with how many characters into the text it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from scoring.replay.notation.plain_text import plain, visible
from scoring.replay.record import Hands, in_order
from scoring.rules.cards import RANKS, SUITS, Card
from scoring.rules.seats import SEATS, Seat

type Report = Callable[[str, int, str], None]
"""Takes a code, a place in the text, and the words that cannot be read."""

SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
LETTERS = {"anticlockwise": "NWSE", "clockwise": "NESW"}  # in play order

MOST_CARDS = 52  # in one hand, or in one list
MOST_DIGITS = 9
MOST_IN_CARD = 12  # with marks that cannot be seen

_WORD = re.compile(r"[^\s:：]+\s*[:：]\s*[^\s:：]+(?=\s|$)|\S+")
_OPTION = re.compile(r"[^\s=]+=(?:\[[^\[\]]*\]|\{[^{}]*\}|\S*)|\S+")
_RANK = re.compile(r"10|١٠|۱۰|१०|１０|\S")


class Word(NamedTuple):
    """A piece of a text and where in it that begins."""

    text: str
    at: int


def words(text: str) -> Iterator[Word]:
    """Yield words separated by blanks; blanks around a colon separate nothing."""
    for found in _WORD.finditer(text):
        if visible(found[0]):
            yield Word(found[0], found.start())


def card_of(word: object) -> Card | None:
    """Return the card of `KH`, `hk` or `10♥`, else None."""
    if not isinstance(word, str) or len(word) > MOST_IN_CARD:
        return None
    return _CARDS.get(word) or _CARDS.get(plain(word))


def seat_of(word: str, seats: Mapping[str, Seat]) -> Seat | None:
    """Return the seat of a letter, or None."""
    return seats.get(word, seats.get(plain(word)))


def parted(word: str) -> tuple[str, str, str]:
    """Return what is before a colon, the colon, and what is after it."""
    return word.replace("：", ":").partition(":")


def seats_by_letter(clockwise: bool) -> Mapping[str, Seat]:
    """Return `N W S E` as 0..3 in play order; in a clockwise game `N E S W`.

    Lower case too."""
    return _SEATS[clockwise]


def letters(clockwise: bool) -> str:
    """Return the letters of seats 0..3."""
    return LETTERS["clockwise" if clockwise else "anticlockwise"]


def whole_number(word: str) -> int | None:
    """Return a number of at most nine digits in any script, with a hyphen or a true minus."""
    word = plain(word)
    sign, digits = (-1, word[1:]) if word[:1] == "-" else (1, word.removeprefix("+"))
    return sign * int(digits) if digits.isdecimal() and len(digits) <= MOST_DIGITS else None


# -- values of tags, from text: all take the text, the letters of the seats, and whom to tell


def read_seat(text: str, seats: Mapping[str, Seat], report: Report) -> Seat | None:
    """Read a seat: `N`."""
    seat = seat_of(text, seats)
    if seat is None:
        report("bad_seat", 0, text)
    return seat


def read_number(text: str, _seats: Mapping[str, Seat], report: Report) -> int | None:
    """Read the number of a deal."""
    number = whole_number(text)
    if number is None or number < 0:
        report("bad_tag", 0, text)
        return None
    return number


def read_yes(text: str, _seats: Mapping[str, Seat], report: Report) -> bool | None:
    """Read `true` or `false`."""
    found = _BOOLEANS.get(plain(text).lower())
    if found is None:
        report("bad_tag", 0, text)
    return found


def read_cards_and_seats(
    text: str, seats: Mapping[str, Seat], report: Report
) -> list[tuple[Card, Seat]]:
    """Read each card with its seat: `QS:S QH:E`."""
    pairs = []
    for place, (word, at) in enumerate(words(text)):
        card_word, colon, seat_word = parted(word)
        card, seat = card_of(card_word), seat_of(seat_word, seats)
        if not colon or place >= MOST_CARDS:
            report("bad_tag", at, word)
            continue
        if card is None:
            report("bad_card", at, card_word)
        if seat is None:
            report("bad_seat", at + len(card_word) + bool(seat_word), seat_word or word)
        if card is not None and seat is not None:
            pairs.append((card, seat))
    return pairs


def read_hands(text: str, seats: Mapping[str, Seat], report: Report) -> Hands:
    """Read a hand for each seat, None where it is unknown: `N:9.KT.AT97.K W:- …`."""
    found: dict[Seat, tuple[Card, ...] | None] = {}
    for word, at in words(text):
        seat_word, colon, cards = parted(word)
        seat = seat_of(seat_word, seats)
        if seat is None:
            report("bad_seat", at, seat_word)
        elif not colon or seat in found:
            report("bad_tag", at, word)
        else:
            found[seat] = (
                None if plain(cards) == "-" else _hand(cards, at + len(seat_word) + 1, report)
            )
    return (found.get(0), found.get(1), found.get(2), found.get(3))


def _hand(text: str, start: int, report: Report) -> tuple[Card, ...] | None:
    suits = text.replace("．", ".").split(".")
    if len(suits) != len(SUITS) or len(text) > 2 * MOST_CARDS:
        report("bad_tag", start - 1, text or ":")
        return None
    cards = []
    for suit, ranks in zip(SUITS, suits, strict=True):
        for found in _RANK.finditer(ranks):
            card = card_of(found[0] + suit)
            if card is None and plain(found[0]):
                report("bad_card", start + found.start(), found[0])
            elif card is not None:
                cards.append(card)
        start += len(ranks) + 1
    return in_order(cards)


def read_claim(
    text: str, seats: Mapping[str, Seat], report: Report
) -> tuple[int, int, int, int] | None:
    """Read a number for each of the four seats: `N:-25 W:0 S:-50 E:-25`."""
    found: dict[Seat, int] = {}
    for word, at in words(text):
        seat_word, _, number_word = parted(word)
        seat, number = seat_of(seat_word, seats), whole_number(number_word)
        if seat is None:
            report("bad_seat", at, seat_word)
        elif number is None or seat in found:
            report("bad_tag", at, word)
        else:
            found[seat] = number
    if len(found) == 4:
        return (found[0], found[1], found[2], found[3])
    if len(list(words(text))) < 4:
        report("bad_tag", 0, text)
    return None


def read_options(text: str, report: Report) -> tuple[dict[str, Any], dict[str, int]]:
    """Read options by name, unchecked, and where each is.

    `doubling.king=true values.trex=[1,2,3,4]`."""
    values: dict[str, Any] = {}
    places: dict[str, int] = {}
    for found in _OPTION.finditer(text):
        name, equals, value = found[0].partition("=")
        if not equals or name in values:
            report("bad_option_value" if equals else "unknown_option", found.start(), found[0])
            continue
        values[name] = _option_value(value)
        places[name] = found.start()
    return values, places


def _option_value(text: str) -> Any:
    if text.startswith("[") and text.endswith("]"):
        return [_option_word(part) for part in _parts(text)]
    if text.startswith("{") and text.endswith("}"):
        pairs = (part.partition(":") for part in _parts(text))
        return {name.strip(): _option_word(value) for name, _, value in pairs}
    return _option_word(text)


def _parts(text: str) -> list[str]:
    inside = text[1:-1].strip()
    return inside.split(",") if inside else []


def _option_word(text: str) -> Any:
    text = text.strip()
    number = whole_number(text)
    return _BOOLEANS.get(plain(text).lower(), text) if number is None else number


# -- the same values, to text


def write_cards_and_seats(pairs: tuple[tuple[Card, Seat], ...], clockwise: bool) -> str:
    """Write what `read_cards_and_seats` reads."""
    return " ".join(f"{card}:{letters(clockwise)[seat]}" for card, seat in pairs)


def write_hands(hands: Hands, clockwise: bool) -> str:
    """Write what `read_hands` reads; each suit from the top down, as people hold it."""
    return " ".join(
        f"{letters(clockwise)[seat]}:{'-' if hand is None else _suits(hand)}"
        for seat, hand in zip(SEATS, hands, strict=True)
    )


def _suits(hand: tuple[Card, ...]) -> str:
    return ".".join("".join(card[0] for card in reversed(hand) if card[1] == s) for s in SUITS)


def write_claim(claim: tuple[int, ...], clockwise: bool) -> str:
    """Write what `read_claim` reads."""
    return " ".join(f"{letters(clockwise)[seat]}:{claim[seat]}" for seat in SEATS)


def write_options(options: Mapping[str, Any]) -> str:
    """Write what `read_options` reads."""
    return " ".join(f"{name}={_option_text(value)}" for name, value in options.items())


def _option_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{name}:{_option_text(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_option_text(each) for each in value) + "]"
    return str(value)


def _all_spellings() -> dict[str, Card]:
    found: dict[str, Card] = {}
    for card_rank in RANKS:
        for card_suit in SUITS:
            ranks = {card_rank, card_rank.lower()} | ({"10"} if card_rank == "T" else set())
            suits = {card_suit, card_suit.lower(), SYMBOLS[card_suit]}
            pairs = [(rank, suit) for rank in ranks for suit in suits]
            found |= {rank + suit: card_rank + card_suit for rank, suit in pairs}
            found |= {suit + rank: card_rank + card_suit for rank, suit in pairs}
    return found


def _seats(order: str) -> dict[str, Seat]:
    both = order + order.lower()
    return {letter: place % 4 for place, letter in enumerate(both)}


_CARDS = _all_spellings()
_SEATS = {False: _seats(LETTERS["anticlockwise"]), True: _seats(LETTERS["clockwise"])}
_BOOLEANS = {"true": True, "false": False}
