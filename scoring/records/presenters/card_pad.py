"""Card pad: record a deal by tapping its cards; whose turn it is, and which cards are expected.

The pad does not know the hands. It accepts breaches of the rules, since they may have happened, but
stops at a play that is impossible until that is corrected.
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
# Rows of the pad: black and red suits in turn.
SUITS = "SHCD"
MAX_TOKENS = 400


@dataclass(frozen=True)
class PadKey:
    """A card of the pad. `used`: played already; `odd`: against the rules, as far as is known."""

    card: Card
    used: bool
    odd: bool


@dataclass(frozen=True)
class PadStep:
    """A tapped card or pass and its position from 0. No seat behind an impossible play."""

    at: int
    token: str
    seat: Seat | None

    @property
    def card(self) -> Card | None:
        return None if self.token == PASS else self.token


@dataclass(frozen=True)
class CardPad:
    """The cards and passes tapped so far; their seats follow from the rules."""

    contract: Contract
    ruleset: Ruleset
    leader: Seat
    tokens: tuple[str, ...] = ()

    @cached_property
    def _run(self) -> tuple[Table, tuple[Play | Pass, ...], bool]:
        """The table, the plays with their seats, and whether the last play is impossible."""
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
        """Whether the last play is impossible: it must be corrected, or the record ends there."""
        return self._run[2]

    @property
    def turn(self) -> Seat | None:
        """The seat that plays next; None after the end."""
        return None if self.table.over or self.stopped else self.table.turn

    @property
    def knows_passes(self) -> bool:
        return isinstance(self.table, Trex)

    @property
    def may_pass(self) -> bool:
        return self.knows_passes and self.turn is not None

    @property
    def led(self) -> str:
        """The suit to follow; empty for a lead."""
        table = self.table
        return table.lying[0][1] if isinstance(table, Tricks) and table.lying else ""

    @property
    def lying(self) -> Sequence[Play]:
        """The cards of the open trick; outside tricks the last four cards."""
        laid = [play for play in self.plays if isinstance(play, Play)]
        if not isinstance(self.table, Tricks):
            return laid[-4:]
        return laid[len(laid) - len(self.table.lying) :]

    @property
    def steps(self) -> list[PadStep]:
        seats = [play.seat for play in self.plays]
        rest = [None] * (len(self.tokens) - len(seats))
        return [
            PadStep(at, token, seat)
            for at, (token, seat) in enumerate(zip(self.tokens, [*seats, *rest], strict=True))
        ]

    def rows(self) -> list[list[PadKey]]:
        """Return the keys of the whole deck, a row for each suit."""
        used = set(self.tokens)
        return self._rows(used, set(self._expected(used)))

    def rows_at(self, at: int) -> list[list[PadKey]]:
        """Return the keys for replacing a token, also by a card played elsewhere."""
        before = replace(self, tokens=self.tokens[:at])
        return self._rows({self.tokens[at]}, set(before._expected(set(self.tokens))))

    def rows_before(self, at: int) -> list[list[PadKey]]:
        """Return the keys for inserting a card before a position."""
        before, used = replace(self, tokens=self.tokens[:at]), set(self.tokens)
        return self._rows(used, set(before._expected(used)))

    @property
    def takes_more(self) -> bool:
        """Whether there is a card or a pass left to insert."""
        return self.knows_passes or len(self.tokens) < len(self.ruleset.deck)

    def _rows(self, used: set[Card], expected: set[Card]) -> list[list[PadKey]]:
        return [
            [
                PadKey(card, card in used, card not in expected)
                for card in sorted(self.ruleset.deck, key=self._rank, reverse=True)
                if card[1] == suit
            ]
            for suit in SUITS
        ]

    def _rank(self, card: Card) -> int:
        return "23456789TJQKA".index(card[0])

    def _expected(self, used: set[Card]) -> Iterator[Card]:
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
            yield from self._expected_followers(left)

    def _expected_followers(self, left: Sequence[Card]) -> Iterator[Card]:
        """Yield cards of the suit led, or of others once the player is known to be void in it."""
        void = self._void_suits(self.table.turn)
        for card in left:
            if card[1] in void:
                continue
            if card[1] == self.led or self.led in void:
                yield card

    def _void_suits(self, seat: Seat) -> set[str]:
        """Return the suits that a seat did not follow."""
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
        """Return the tapped cards as a record of a deal."""
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
    """Read tokens such as `KH.9C.-`; leave out unknown ones and repeated cards."""
    tokens: list[str] = []
    for token in text.upper().split(".")[:MAX_TOKENS]:
        is_pass = token == PASS and contract.special == "trex"
        if is_pass or (token in ruleset.deck and token not in tokens):
            tokens.append(token)
    return tuple(tokens)


def replace_token(tokens: tuple[str, ...], at: int, token: str) -> tuple[str, ...]:
    """Put a token at a position; if its card was played elsewhere, the two change places."""
    changed = list(tokens)
    if token != PASS and token in tokens:
        changed[tokens.index(token)] = tokens[at]
    changed[at] = token
    return tuple(changed)


def insert_token(tokens: tuple[str, ...], at: int, token: str) -> tuple[str, ...]:
    """Insert a token before a position, unless its card was played already."""
    if token != PASS and token in tokens:
        return tokens
    return (*tokens[:at], token, *tokens[at:])
