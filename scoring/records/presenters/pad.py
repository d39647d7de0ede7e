"""A deal tapped in card by card: whose turn it is, what is left, what would be usual.

A pad knows no hand. It takes what it is given, since what the rules forbid may be what happened;
only where a play cannot have been does it go no further until that is taken back.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scoring.replay.breaches import STOPPING
from scoring.replay.play.layout import Trex
from scoring.replay.play.table import Table, new_table
from scoring.replay.play.tricks import Tricks
from scoring.replay.record import Pass, Play, Record
from scoring.rules import Contract, Double, Ruleset, legal_leads
from scoring.rules.cards import Card
from scoring.rules.seats import Seat

PASS = "-"
# As on the fingers of a hand: black and red in turn, high cards first.
SUITS = "SHCD"
MOST_TOKENS = 400


@dataclass(frozen=True)
class Key:
    """A card of the pad. `used`: it lies already; `odd`: the rules are against it, as far as what
    was entered shows."""

    card: Card
    used: bool
    odd: bool


@dataclass(frozen=True)
class Step:
    """A card or pass that was tapped, and its place among all. No seat after a play that cannot
    have been."""

    at: int
    token: str
    seat: Seat | None

    @property
    def card(self) -> Card | None:
        return None if self.token == PASS else self.token


@dataclass(frozen=True)
class Pad:
    """What was tapped so far, cards and passes without the seats: those follow from the rules."""

    contract: Contract
    ruleset: Ruleset
    leader: Seat
    tokens: tuple[str, ...] = ()

    @cached_property
    def _run(self) -> tuple[Table, tuple[Play | Pass, ...], bool]:
        """The table, the plays with their seats, and whether the last of them cannot have been."""
        table = new_table(self.contract, self.ruleset, (None,) * 4, self.leader)
        plays: list[Play | Pass] = []
        for token in self.tokens:
            if table.over:
                break
            card = None if token == PASS else token
            plays.append(Pass(table.turn) if card is None else Play(table.turn, card))
            fault = None if card is None else table.fault(card)
            if fault and fault.code in STOPPING:
                return table, tuple(plays), True
            table.lay(card)  # type: ignore[arg-type]  # a pass is read in Trex only
        return table, tuple(plays), False

    @property
    def table(self) -> Table:
        return self._run[0]

    @property
    def plays(self) -> tuple[Play | Pass, ...]:
        return self._run[1]

    @property
    def stopped(self) -> bool:
        """Whether the last card fits nowhere: it must be taken back, or the record ends there."""
        return self._run[2]

    @property
    def turn(self) -> Seat | None:
        """Who plays next; nobody after the end."""
        return None if self.table.over or self.stopped else self.table.turn

    @property
    def knows_passes(self) -> bool:
        return isinstance(self.table, Trex)

    @property
    def may_pass(self) -> bool:
        return self.knows_passes and self.turn is not None

    @property
    def led(self) -> str:
        """The suit that is to be followed, "" for a lead."""
        table = self.table
        return table.lying[0][1] if isinstance(table, Tricks) and table.lying else ""

    @property
    def lying(self) -> Sequence[Play]:
        """The open trick, else the last cards laid."""
        laid = [play for play in self.plays if isinstance(play, Play)]
        if not isinstance(self.table, Tricks):
            return laid[-4:]
        return laid[len(laid) - len(self.table.lying) :]

    @property
    def steps(self) -> list[Step]:
        seats = [play.seat for play in self.plays]
        rest = [None] * (len(self.tokens) - len(seats))
        return [
            Step(at, token, seat)
            for at, (token, seat) in enumerate(zip(self.tokens, [*seats, *rest], strict=True))
        ]

    def rows(self) -> list[list[Key]]:
        """The whole deck by suits; a card keeps its place."""
        used = set(self.tokens)
        return self._rows(used, set(self._usual(used)))

    def rows_at(self, at: int) -> list[list[Key]]:
        """The deck for another card at this place; one that lies elsewhere changes places with
        it."""
        before = replace(self, tokens=self.tokens[:at])
        return self._rows({self.tokens[at]}, set(before._usual(set(self.tokens))))

    def rows_before(self, at: int) -> list[list[Key]]:
        """The deck for a card to insert before this place: every card that does not lie yet."""
        before, used = replace(self, tokens=self.tokens[:at]), set(self.tokens)
        return self._rows(used, set(before._usual(used)))

    @property
    def takes_more(self) -> bool:
        """Whether a card or a pass is left to insert."""
        return self.knows_passes or len(self.tokens) < len(self.ruleset.deck)

    def _rows(self, used: set[Card], usual: set[Card]) -> list[list[Key]]:
        return [
            [
                Key(card, card in used, card not in usual)
                for card in sorted(self.ruleset.deck, key=self._rank, reverse=True)
                if card[1] == suit
            ]
            for suit in SUITS
        ]

    def _rank(self, card: Card) -> int:
        return "23456789TJQKA".index(card[0])

    def _usual(self, used: set[Card]) -> Iterator[Card]:
        table, left = self.table, [card for card in self.ruleset.deck if card not in used]
        if isinstance(table, Trex):
            yield from left if table.free else table.layout.layable(left)
        elif not isinstance(table, Tricks):
            yield from left
        elif not table.lying:
            yield from legal_leads(
                sorted(left), table.hearts_broken, self.contract.parts, self.ruleset
            )
        else:
            yield from self._following(left)

    def _following(self, left: Sequence[Card]) -> Iterator[Card]:
        """Of the suit led; of another only where it was shown before that there is none left."""
        without = self._without(self.table.turn)
        for card in left:
            if card[1] in without:
                continue
            if card[1] == self.led or self.led in without:
                yield card

    def _without(self, seat: Seat) -> set[str]:
        """The suits that a seat did not follow."""
        table = self.table
        assert isinstance(table, Tricks)
        return {
            trick.cards[0][1]
            for trick in table.tricks
            if trick.cards[(seat - trick.leader) % 4][1] != trick.cards[0][1]
        }

    def record(
        self,
        *,
        name: str,
        deal_number: int,
        dealer: Seat | None,
        chooser: Seat | None,
        forced: bool = False,
        doubles: tuple[Double, ...] = (),
    ) -> Record:
        """What was tapped, as a record of this deal."""
        return Record(
            id=name,
            system=self.ruleset.system,
            contract=self.contract,
            options=self.ruleset.options(),
            deal_number=deal_number,
            dealer=dealer,
            chooser=chooser,
            forced=forced,
            doubles=doubles,
            leader=self.leader,
            plays=self.plays,
        )


def read_tokens(text: str, contract: Contract, ruleset: Ruleset) -> tuple[str, ...]:
    """Cards and passes out of an address, `KH.9C.-`; what is none, or lies already, is left out."""
    tokens: list[str] = []
    for token in text.upper().split(".")[:MOST_TOKENS]:
        is_pass = token == PASS and contract.special == "trex"
        if is_pass or (token in ruleset.deck and token not in tokens):
            tokens.append(token)
    return tuple(tokens)


def exchanged(tokens: tuple[str, ...], at: int, token: str) -> tuple[str, ...]:
    """With this card at that place. Where it lies already, the other one goes."""
    mended = list(tokens)
    if token != PASS and token in tokens:
        mended[tokens.index(token)] = tokens[at]
    mended[at] = token
    return tuple(mended)


def inserted(tokens: tuple[str, ...], at: int, token: str) -> tuple[str, ...]:
    """With this card before that place; what follows moves on by one. Unchanged where the card
    lies already."""
    if token != PASS and token in tokens:
        return tokens
    return (*tokens[:at], token, *tokens[at:])
