"""The four shapes in which the outcome of any contract is entered.

| shape | slots | a slot takes |
|---|---|---|
| `seat`: one seat (K♥, last trick, fifty-one's loser) | the one | a seat |
| `seats`: cards to seats (queens) | the cards | a seat |
| `counts` (diamonds, hearts, tricks) | the seats | a number |
| `order` (trex) | the places | a seat |

What may also be left alone (doubles, a revoke) comes in rows: `rows` (a card each) and `row` take
a seat or nobody, `yes` is said or not, `role` is one seat already and may be another, and `cards`
are a list of cards in one text.

All are the same on the page: for each slot a group of native radio inputs, so no script is needed.
A field turns what was posted (flat names such as "diamonds.2") into what the rules read. It judges
nothing: a text that is no number goes on as it came, and the rules refuse it by name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from scoring.common.numbers import LONGEST, whole
from scoring.replay.notation.spelling import card_of

Raw = Mapping[str, str]
Shape = Literal["seat", "seats", "counts", "order", "rows", "row", "yes", "role", "cards"]

SEATS = range(4)
LONGEST_CARDS = 400
"""The longest text in which cards are looked for: twice what a deal needs."""
BLANKS = str.maketrans(",،;", "   ")


@dataclass(frozen=True)
class FieldChoice:
    """One radio input. `points` is what it costs or earns by itself, None where it has no price."""

    value: str
    chosen: bool
    seat: int | None = None
    points: int | None = None


@dataclass(frozen=True)
class Slot:
    """One question of a field: about a card, a seat or a place. The others are None."""

    name: str
    choices: tuple[FieldChoice, ...]
    card: str | None = None
    seat: int | None = None
    place: int | None = None
    points: int | None = None

    @property
    def filled(self) -> bool:
        return any(choice.chosen for choice in self.choices)


@dataclass(frozen=True)
class Field:
    """One key of the deal's input in one of the shapes.

    `price(n)` is the signed points of n of them, or of the n-th place; it comes from the rules,
    never from here. `total` is how many exist, `needed` how many places settle the rest.
    """

    key: str
    shape: Shape
    cards: tuple[str, ...] = ()
    total: int | None = None
    needed: int | None = None
    price: Callable[[int], int] | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the radio groups, one a slot."""
        if self.shape in ("seat", "row", "yes", "role", "cards"):
            return (self.key,)
        parts = self.cards or tuple(str(number) for number in SEATS)
        return tuple(f"{self.key}.{part}" for part in parts)

    @property
    def is_asked(self) -> bool:
        """Whether it must be answered; rows may be left alone."""
        return self.shape in ("seat", "seats", "counts", "order")

    def slots(self, raw: Raw) -> tuple[Slot, ...]:
        """What to draw, with the choices of `raw` made."""
        return tuple(self._slot(number, name, raw) for number, name in enumerate(self.names))

    def _slot(self, number: int, name: str, raw: Raw) -> Slot:
        sent = whole(raw.get(name, ""))
        card = self.cards[number] if self.cards else None
        if self.shape == "counts":
            return Slot(name, self._numbers(sent), seat=number)
        if self.shape == "cards":
            return Slot(name, ())
        if self.shape == "order":
            points = self.price(number + 1) if self.price else None
            return Slot(name, _seats(sent), place=number, points=points)
        choices = _yes(sent) if self.shape == "yes" else _seats(sent)
        if self.shape in ("rows", "row", "yes"):
            choices = (FieldChoice("", not any(choice.chosen for choice in choices)), *choices)
        return Slot(name, choices, card, points=self.price(1) if self.price else None)

    def _numbers(self, sent: object) -> tuple[FieldChoice, ...]:
        price = self.price
        return tuple(
            FieldChoice(str(n), sent == n, points=price(n) if price else None)
            for n in range((self.total or 0) + 1)
        )

    def read(self, raw: Raw) -> Any:
        """The value for the rules; None where nothing was entered. Open places and counts are
        None in their list, open cards are left out."""
        if self.shape == "cards":
            return cards_of(raw.get(self.key, "")) or None
        values = [whole(raw.get(name, "")) for name in self.names]
        if self.shape == "yes":
            return True if values[0] == 1 else values[0]
        if self.shape in ("seat", "row", "role"):
            return values[0]
        if all(value is None for value in values):
            return None
        if not self.cards:
            return values
        pairs = zip(self.cards, values, strict=True)
        return {card: value for card, value in pairs if value is not None}

    def kept(self, raw: Raw) -> dict[str, str]:
        """What was sent, to be sent once more."""
        if self.shape == "cards":
            return {self.key: " ".join(cards_of(raw.get(self.key, "")))}
        sent = {name: whole(raw.get(name, "")) for name in self.names}
        return {name: str(value) for name, value in sent.items() if value is not None}

    def refused(self, raw: Raw) -> list[str]:
        """What was sent that no radio input sends, cut to be quoted."""
        chosen = {slot.name for slot in self.slots(raw) if slot.filled}
        sent = {name: raw.get(name, "").strip() for name in self.names}
        known = {name for name in chosen if self.is_asked or _is_choice(whole(sent[name]))}
        return [text[:LONGEST] for name, text in sent.items() if text and name not in known]


def cards_of(text: str) -> list[str]:
    """Cards as people write them, in the order of the text; a word that is no card as it is.

    >>> cards_of("10♥, ٧h x")
    ['TH', '7H', 'x']
    """
    found = text[:LONGEST_CARDS].translate(BLANKS).split()
    return [card_of(_plain_digits(word)) or word[:LONGEST] for word in found]


def _plain_digits(word: str) -> str:
    return "".join(str(int(sign)) if sign.isdecimal() else sign for sign in word)


def _seats(sent: object) -> tuple[FieldChoice, ...]:
    return tuple(FieldChoice(str(seat), sent == seat, seat) for seat in SEATS)


def _yes(sent: object) -> tuple[FieldChoice, ...]:
    return (FieldChoice("1", sent == 1),)


def _is_choice(sent: object) -> bool:
    return isinstance(sent, int) and sent in SEATS
