"""The form of one deal, built from the contract's items: all systems and combinations share it.

It knows what is asked and in which shape. What a chip is worth, what follows for certain and what
is wrong, the rules say; so a new option of the rules changes nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import takewhile
from typing import Any

from scoring.entry.forms.fields import Field, Raw, cards_of
from scoring.entry.forms.roles import ROLES, wrong_seats
from scoring.rules import (
    Contract,
    Entry,
    Item,
    Problem,
    ProblemCode,
    Ruleset,
    complete,
    doublable,
    places_settled,
    read_entry,
    trex_worth,
    worth,
)
from scoring.rules.cards import KING_OF_HEARTS, QUEENS
from scoring.rules.deal.doubling import asks_for_leader
from scoring.rules.deal.fifty_one import loser_of
from scoring.rules.schedule import FORFEITABLE
from scoring.rules.tally import PENALTY_KEYS

FORFEIT = Field("forfeited", "yes")
LEADERS = Field("trick_leader", "rows", (KING_OF_HEARTS, *QUEENS))


@dataclass(frozen=True)
class FormPart:
    """Fields that are open together: one step of a combined deal."""

    key: str
    fields: tuple[Field, ...]


@dataclass
class EntryForm:
    """One deal's form. `raw` is what was posted, or what `raw_of` made of a stored entry;
    `problems` are what is wrong with it, after `read` or as a service has said. `meant` are the
    roles in which the table did otherwise than was proposed. `unplayed`: several contracts that
    can only be forfeited together (C-K5)."""

    ruleset: Ruleset
    contract: Contract
    names: Sequence[str]
    raw: Raw = field(default_factory=dict)
    chooser: int | None = None
    forced: bool = False
    problems: list[Problem] = field(default_factory=list)
    meant: Raw = field(default_factory=dict)
    unplayed: bool = False

    @cached_property
    def parts(self) -> tuple[FormPart, ...]:
        if self.unplayed:
            return ()
        return tuple(_parts(self.contract, self.ruleset, self.raw))

    @cached_property
    def trouble(self) -> tuple[Field, ...]:
        """What may be said of a deal that went wrong at this table."""
        if self.unplayed:
            return (FORFEIT,)
        return tuple(_trouble(self.contract, self.ruleset))

    @property
    def questions(self) -> tuple[Field, ...]:
        """Asked only where the answer counts: who led the trick (C-L5, C-L10)."""
        asked = [card for card in (KING_OF_HEARTS, *QUEENS) if self._asks_leader(card)]
        return (Field("trick_leader", "rows", tuple(asked)),) if asked else ()

    def _asks_leader(self, card: str) -> bool:
        if not asks_for_leader(self.ruleset):
            return False
        missing = {p.field for p in self.problems if p.code == ProblemCode.TRICK_LEADER_MISSING}
        name = f"trick_leader.{card}"
        return name in missing or bool(self.raw.get(name))

    @property
    def fields(self) -> Iterator[Field]:
        for part in self.parts:
            yield from part.fields
        yield from self.trouble

    def read(self) -> Entry | None:
        """The entry, when nothing is wrong with it; else `problems` says all that is."""
        found = read_entry(
            {
                "contract": self.contract.to_json(),
                "chooser": self.chooser,
                "forced": self.forced,
                "input": self.input(),
            },
            self.ruleset,
        )
        self.problems = [*found.problems, *wrong_seats(self.raw)]
        return None if self.problems else found.entry

    def input(self) -> dict[str, Any]:
        """What was entered as the rules read it, with what follows for certain filled in.

        Counts and places of which some are still open are left out whole: the rules then miss
        them, and the page says which.
        """
        read = {one.key: one.read(self.raw) for one in (*self.fields, LEADERS)}
        given = {key: value for key, value in read.items() if value is not None}
        if "doubles" in given:
            pairs = given["doubles"].items()
            given["doubles"] = [{"card": card, "by": seat} for card, seat in pairs]
        if any(key in given for key in PENALTY_KEYS):
            return {key: _nothing_for_gaps(value) for key, value in given.items()}
        full = complete(self.contract, self.ruleset, given)
        if self.crossed is not None:
            full.setdefault("loser", self.crossed)
        return {key: value for key, value in full.items() if not _has_gaps(value)}

    @property
    def plays(self) -> list[str]:
        """The cards of fifty_one in order, up to the first that is none of the deck."""
        played = cards_of(self.raw.get("plays", "")) if self.contract.special else []
        return list(takewhile(lambda card: card in self.ruleset.deck, played))

    @property
    def crossed(self) -> int | None:
        """Who went over the top by the cards, where they are told."""
        if self.contract.special != "fifty_one" or self.chooser is None:
            return None
        return loser_of(self.plays, self.chooser, self.ruleset)

    @property
    def is_begun(self) -> bool:
        """Whether anything was entered yet."""
        return any(self.raw.get(name) for one in self.fields for name in one.names)

    @property
    def kept(self) -> dict[str, str]:
        """What was entered, as posted: to be sent once more by another form."""
        kept = dict(self.meant)
        for one in (*self.fields, LEADERS):
            kept |= one.kept(self.raw)
        return kept

    def problems_of(self, key: str) -> list[Problem]:
        """What is wrong with one field."""
        return [problem for problem in self.problems if _key(problem) == key]

    @property
    def other_problems(self) -> list[Problem]:
        """What is wrong with the whole: closed, stale, a contract played already."""
        shown = {one.key for one in (*self.fields, *self.questions, *ROLES)}
        return [problem for problem in self.problems if _key(problem) not in shown]


def raw_of(entry: Entry) -> dict[str, str]:
    """A stored entry as if it had been tapped in: for a correction."""
    raw: dict[str, str] = {}
    for key, value in entry.tally.to_json().items():
        raw |= _write(key, value)
    return raw


def _write(key: str, value: Any) -> dict[str, str]:
    if key == "plays":
        return {key: " ".join(value)}
    if key == "doubles":
        return {f"doubles.{row['card']}": str(row["by"]) for row in value}
    if isinstance(value, Mapping):
        return {f"{key}.{part}": str(one) for part, one in value.items()}
    if isinstance(value, list):
        return {f"{key}.{place}": str(one) for place, one in enumerate(value)}
    return {key: str(int(value))}


# ── which fields a contract has ─────────────────────────────────────────


def _parts(contract: Contract, ruleset: Ruleset, raw: Raw) -> Iterator[FormPart]:
    if contract.special == "trex":
        yield FormPart("trex", (_order_field(ruleset),))
    elif contract.special == "fifty_one":
        yield FormPart("fifty_one", (Field("loser", "seat"), Field("plays", "cards")))
    else:
        yield from _item_parts(contract, ruleset, raw)


def _item_parts(contract: Contract, ruleset: Ruleset, raw: Raw) -> Iterator[FormPart]:
    cards = _announced(doublable(contract, ruleset), ruleset, raw)
    doubles = (Field("doubles", "rows", cards),) if cards else ()
    # One row stands beside the takers; several are a step of their own.
    beside = doubles if len(cards) == 1 else ()
    for item in contract.items:
        yield FormPart(item, (*beside, _item_field(item, contract, ruleset, raw)))
    if doubles and not beside:
        yield FormPart("doubles", doubles)


def _announced(cards: Sequence[str], ruleset: Ruleset, raw: Raw) -> tuple[str, ...]:
    """The cards of which is asked who doubled them: one queen for all where one announcement
    doubles them all (C-K3)."""
    queens = [card for card in cards if card in QUEENS]
    if ruleset.doubling.queens_unit == "per_queen" or not queens:
        return tuple(cards)
    named = [card for card in queens if raw.get(f"doubles.{card}")] or queens[:1]
    return tuple(card for card in cards if card not in queens or card in named)


def _order_field(ruleset: Ruleset) -> Field:
    settled = (known for known in range(1, 4) if places_settled(ruleset, range(known + 1, 5)))
    return Field("finish_order", "order", needed=next(settled), price=partial(trex_worth, ruleset))


def _item_field(item: Item, contract: Contract, ruleset: Ruleset, raw: Raw) -> Field:
    price = partial(worth, ruleset, item)
    if item is Item.KING:
        return Field("king_taken_by", "seat", price=price)
    if item is Item.LAST_TRICK:
        return Field("last_trick_by", "seat", price=price)
    if item is Item.QUEENS and _by_card(contract, ruleset, raw):
        return Field("queens_taken_by", "seats", QUEENS, price=price)
    return Field(item, "counts", total=ruleset.how_many(item), price=price)


def _by_card(contract: Contract, ruleset: Ruleset, raw: Raw) -> bool:
    """Whether each queen's taker is asked, or in a long deal without doubles how many each took.
    What is there already keeps its shape."""
    if any(name.startswith("queens.") for name in raw):
        return False
    if any(name.startswith("queens_taken_by.") for name in raw):
        return True
    return len(contract.items) == 1 or any(card in QUEENS for card in doublable(contract, ruleset))


def _trouble(contract: Contract, ruleset: Ruleset) -> Iterator[Field]:
    if ruleset.revoke != "off" and not contract.special:
        yield Field("revoke_by", "row")
    if ruleset.cheat.amount is not None:
        yield Field("cheat_by", "row")
    if ruleset.forfeit_first_three and set(contract.parts) <= set(FORFEITABLE):
        yield FORFEIT


# ── small things ────────────────────────────────────────────────────────


def _key(problem: Problem) -> str:
    """The field a problem belongs to; the rules miss queens by card, who may be asked as counts."""
    return problem.field.split(".")[0]


def _has_gaps(value: Any) -> bool:
    return isinstance(value, list) and any(one is None for one in value)


def _nothing_for_gaps(value: Any) -> Any:
    """In a deal that was broken off, a count nobody entered is none."""
    return [one or 0 for one in value] if _has_gaps(value) else value
