"""The rules of one table as data: every option of the rules book is a field.

An option called `doubling.owner_bonus` is the field `owner_bonus` of the group `doubling`; one
without a dot is a field of `Ruleset` itself. The systems and presets are in `presets`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from operator import attrgetter
from typing import Literal

from scoring.rules.cards import Card
from scoring.rules.contracts import CONTRACT_NAMES
from scoring.rules.items import Item, how_many

RankOrder = Literal["natural", "ten_high"]


@dataclass(frozen=True)
class ValueOptions:
    """The points of each item (unsigned; the system has the sign) and of the places of Trex."""

    king: int
    queen: int
    diamond: int
    trick: int
    heart: int
    last_trick: int
    fifty_one: int
    trex: tuple[int, int, int, int]


@dataclass(frozen=True)
class HeartsLeadOptions:
    """When a heart may be led (C-L13, C-K4, C-B12)."""

    mode: Literal["free", "until_broken", "only_if_no_other"]
    contracts: frozenset[str]
    forced_lead_breaks: bool


@dataclass(frozen=True)
class DoublingOptions:
    """Cards that may be doubled, and what it does (C-L2 to C-L5, C-L9, C-L10, C-K2, C-K3)."""

    king: bool
    queens: bool
    owner_bonus: bool
    self_capture: Literal["single", "double", "quadruple", "leader_gains"]
    queens_unit: Literal["per_queen", "whole_contract"]
    partner_capture: Literal["as_opponent", "no_bonus", "normal_value", "opponents_gain"]
    in_combo: bool


@dataclass(frozen=True)
class TrexOptions:
    """House rules of the Trex deal that change no points (C-L20)."""

    expose_twos: bool


@dataclass(frozen=True)
class PileOptions:
    """The single pile of Trex (C-K1)."""

    stuck: Literal["last_player_any", "next_player_any"]
    wrap: bool


@dataclass(frozen=True)
class RedealOptions:
    """Hands that allow a redeal, and whether the contract stays (C-L14, C-L15)."""

    weak_hearts: Literal["off", "on", "with_one_card"]
    twos: Literal["off", "on_trex", "before_choice"]
    keeps_contract: bool
    queens_draw: bool


@dataclass(frozen=True)
class CheatOptions:
    """What a cheater takes (C-B8); with `amount` None this table has no such penalty."""

    amount: int | None
    multiplied: bool
    replay: bool


@dataclass(frozen=True)
class KabboutOptions:
    """Contracts in which taking everything reverses the deal, and what the others then get each.

    C-B3, C-B4, C-B14, C-B19."""

    contracts: frozenset[str]
    amount: int
    multiplied: bool


@dataclass(frozen=True)
class FiftyOneOptions:
    """What a rank adds to the running sum, and the sum that ends the deal (C-B7)."""

    values: Mapping[str, int] = field(hash=False)
    target: int


@dataclass(frozen=True)
class Ruleset:
    """All options of a match, fixed when it starts.

    Make one with `presets.ruleset` or `presets.preset`.

    The first five fields are the system's and no options; `column` is the system as its text has
    it (None: this is it), against which `options` compares."""

    system: str
    contracts: tuple[str, ...]
    deck: tuple[Card, ...]
    penalty_sign: Literal[1, -1]
    order_when_fixed: tuple[str, ...]

    direction: Literal["anticlockwise", "clockwise"]
    trex_direction: Literal["same", "reverse"]
    dealer_rule: Literal["rotate", "owner_deals", "owner_left"]
    chooser_order: Literal["kingdom", "rotate"]
    kingdom_pass: Literal["right", "seven_each_kingdom"]
    chooser_first: Literal["seven_of_hearts", "dealer_right", "dealer"]
    first_lead: Literal["dealer_right", "chooser"]
    trex_start: Literal["chooser", "dealer", "dealer_right"]
    contract_order: Literal["free", "fixed", "fixed_reversed", "drawn"]
    general_last: bool
    contracts_scope: Literal["player", "game"]
    hearts_lead: HeartsLeadOptions
    doubling: DoublingOptions
    values: ValueOptions
    signs: Literal["normal", "swapped"]
    win: Literal["high", "low"]
    combo: Literal["off", "free", "complex"]
    teams: Literal["none", "opposite"]
    trex_layout: Literal["suit_rows", "single_pile"]
    trex: TrexOptions
    pile: PileOptions
    ace_replay: Literal["off", "may", "must"]
    ace_replay_chain: bool
    redeal: RedealOptions
    revoke: Literal["remaining", "total", "off"]
    cheat: CheatOptions
    kabbout: KabboutOptions
    chooser_factor: int
    forced_factor: int
    trex_chooser_double: Literal["none", "first", "both"]
    forced_applies_to_trex: bool
    trex_needs_jack: bool
    fifty_one: FiftyOneOptions
    rank_order: RankOrder
    layout_rank_order: RankOrder
    forfeit_first_three: bool
    tie_break: Literal["trex_firsts", "shared"]
    positive_wins: bool
    early_end: Literal["allowed", "off"]
    open_hands: bool
    must_dump: Literal["off", "king", "all"]

    column: Ruleset | None = field(default=None, repr=False, compare=False)

    @property
    def cards_per_hand(self) -> int:
        """Cards a hand and tricks a deal: 13 or 8."""
        return len(self.deck) // 4

    @property
    def has_teams(self) -> bool:
        """Whether seats 0 and 2 play against 1 and 3."""
        return self.teams == "opposite"

    @cached_property
    def sign(self) -> int:
        """The sign of a penalty: the system's, reversed by `signs: swapped`."""
        return -self.penalty_sign if self.signs == "swapped" else self.penalty_sign

    @cached_property
    def item_values(self) -> Mapping[Item, int]:
        """Signed points of one of each item, undoubled and without factors."""
        values = self.values
        return {
            Item.KING: self.sign * values.king,
            Item.QUEENS: self.sign * values.queen,
            Item.DIAMONDS: self.sign * values.diamond,
            Item.HEARTS: self.sign * values.heart,
            Item.TRICKS: self.sign * values.trick,
            Item.LAST_TRICK: self.sign * values.last_trick,
        }

    @cached_property
    def trex_values(self) -> tuple[int, ...]:
        """Signed points of the four places of Trex, without factors."""
        turn = -1 if self.signs == "swapped" else 1
        return tuple(turn * value for value in self.values.trex)

    @property
    def trex_doubled_places(self) -> int:
        """How many places of Trex, from the first, the chooser's factor multiplies (C-B5)."""
        return {"none": 0, "first": 1, "both": 2}[self.trex_chooser_double]

    def how_many(self, item: Item) -> int:
        """Return how many of an item there are in a deal: 13 diamonds, 4 queens, 1 last trick."""
        return how_many(item, self.cards_per_hand)

    @cached_property
    def fixed_order(self) -> tuple[str, ...]:
        """The contracts in the order in which `contract_order` plays them, if it fixes one.

        `general_last` moves general to the end whatever the order."""
        order = self.order_when_fixed
        if self.contract_order == "fixed_reversed":
            order = order[::-1]
        if self.general_last and "general" in order:
            order = (*(name for name in order if name != "general"), "general")
        return order

    @cached_property
    def fifty_one_may_end_unlost(self) -> bool:
        """Whether the deck adds up to less than the target, so that nobody need lose."""
        return sum(self.fifty_one.values[card[0]] for card in self.deck) < self.fifty_one.target

    def options(self) -> dict[str, object]:
        """The options that differ from the system's defaults, ready for JSON.

        With `system` they make this ruleset again; a match stores them. `win` is included wherever
        the signs are swapped."""
        column = self.column or self
        return {
            name: to_json(get(self))
            for name, get in OPTION_GETTERS.items()
            if get(self) != get(column) or (name == "win" and self.signs == "swapped")
        }


@lru_cache(maxsize=256)
def rules_key(ruleset: Ruleset) -> str:
    """Return sixteen hex digits that are equal for rulesets with equal options.

    Made of what differs from the system's defaults, so that an option added later changes no key.
    """
    said = json.dumps([ruleset.system, ruleset.options()], sort_keys=True, separators=(",", ":"))
    return sha256(said.encode()).hexdigest()[:16]


def to_json(value: object) -> object:
    """Return an option's value as JSON: lists and plain objects.

    A set of contracts is listed in the order of `CONTRACT_NAMES`."""
    if isinstance(value, frozenset):
        return sorted(value, key=CONTRACT_NAMES.index)
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def _option_names() -> list[str]:
    own = ("system", "contracts", "deck", "penalty_sign", "order_when_fixed", "column")
    groups = {name: cls for name, cls in _GROUPS.items() if is_dataclass(cls)}
    names = [f.name for f in fields(Ruleset) if f.name not in own and f.name not in groups]
    return names + [f"{group}.{f.name}" for group, cls in groups.items() for f in fields(cls)]


_GROUPS: dict[str, type] = {
    "values": ValueOptions,
    "hearts_lead": HeartsLeadOptions,
    "doubling": DoublingOptions,
    "trex": TrexOptions,
    "pile": PileOptions,
    "redeal": RedealOptions,
    "cheat": CheatOptions,
    "kabbout": KabboutOptions,
    "fifty_one": FiftyOneOptions,
}
OPTION_GETTERS = {name: attrgetter(name) for name in _option_names()}
"""Every option by name, with the function that reads it from a ruleset."""
