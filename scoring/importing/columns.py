"""The columns of a table with one row a deal.

Readers, templates and the page that explains them all take them from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.importing.faults import Path
from scoring.rules.cards import KING_OF_HEARTS, QUEENS
from scoring.rules.seats import SEATS

type Holds = Literal[
    "text", "moment", "rules", "options", "seat", "number", "count", "yes", "contract", "cards"
]
ORDINALS = ("first", "second", "third", "fourth")


@dataclass(frozen=True)
class Column:
    """One column; `path` leads to its value in the match, or in the deal with `of_deal`.

    The columns of one `group` are filled in together or not at all."""

    name: str
    holds: Holds
    path: Path
    of_deal: bool = True
    group: str = ""


def _of_match(name: str, holds: Holds, *path: str | int) -> Column:
    return Column(name, holds, path or (name,), of_deal=False)


def _by_card(name: str, key: str, cards: Sequence[str]) -> Iterator[Column]:
    for card in cards:
        yield Column(f"{card.lower()}_{name}", "seat", ("input", key, card))


def _four(name: str, holds: Holds, *path: str) -> Iterator[Column]:
    """Return a column for each player."""
    for seat in SEATS:
        yield Column(f"{name}_{seat + 1}", holds, (*path, seat), group=name)


_DOUBLABLE = (KING_OF_HEARTS, *QUEENS)

COLUMNS: tuple[Column, ...] = (
    _of_match("match", "text", "external_id"),
    _of_match("club", "text"),
    _of_match("played_at", "moment"),
    *(_of_match(f"player_{seat + 1}", "text", "players", seat) for seat in SEATS),
    _of_match("rules", "rules", "preset"),
    _of_match("options", "options"),
    _of_match("table", "text", "table_name"),
    _of_match("first_chooser", "seat"),
    _of_match("first_dealer", "seat"),
    Column("deal", "number", ("deal_number",)),
    Column("dealer", "seat", ("dealer",)),
    Column("chooser", "seat", ("chooser",)),
    Column("leader", "seat", ("leader",)),
    Column("forced", "yes", ("forced",)),
    Column("contract", "contract", ("contract",)),
    Column("king_taken_by", "seat", ("input", "king_taken_by")),
    *_by_card("taken_by", "queens_taken_by", QUEENS),
    *_four("queens", "count", "input", "queens"),
    *_four("diamonds", "count", "input", "diamonds"),
    *_four("hearts", "count", "input", "hearts"),
    *_four("tricks", "count", "input", "tricks"),
    Column("last_trick_by", "seat", ("input", "last_trick_by")),
    *(
        Column(f"{word}_out", "seat", ("input", "finish_order", place), group="out")
        for place, word in enumerate(ORDINALS)
    ),
    Column("loser", "seat", ("input", "loser")),
    Column("plays", "cards", ("input", "plays")),
    *_by_card("doubled_by", "doubles", _DOUBLABLE),
    *_by_card("trick_led_by", "trick_leader", _DOUBLABLE),
    Column("revoke_by", "seat", ("input", "revoke_by")),
    Column("cheat_by", "seat", ("input", "cheat_by")),
    Column("forfeited", "yes", ("input", "forfeited")),
    *_four("score", "number", "scores"),
    *_four("total", "number", "totals"),
)
BY_NAME = {column.name: column for column in COLUMNS}
NEEDED = ("played_at", *(f"player_{seat + 1}" for seat in SEATS), "rules", "deal", "contract")
RARE = (
    *("club", "options", "first_dealer", "leader", "loser", "plays"),
    *("revoke_by", "cheat_by", "forfeited"),
    *(column.name for column in COLUMNS if "trick_led_by" in column.name),
)
"""Columns that a file to start from leaves out."""
