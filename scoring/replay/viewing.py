"""The table after any number of plays of a record, for a viewer.

Nothing is judged here; what the rules have against a play stands in the replay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.replay.engine import run_record
from scoring.replay.play.fifty_one import FiftyOne
from scoring.replay.play.layout import Trex
from scoring.replay.play.outcome import tally_of
from scoring.replay.play.table import Table
from scoring.replay.play.tricks import Tricks
from scoring.replay.record import Hands, Play, Record
from scoring.replay.result import Replay
from scoring.rules import Item, Ruleset, points
from scoring.rules.cards import RANK_ORDERS, SUITS, Card
from scoring.rules.items import counts_card
from scoring.rules.seats import SEATS, Seat

type Rows = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """The table after `shown` plays.

    `hands` are what is still held, None where it is not known. `lying` are the cards in the
    middle: the open trick, or the one that `winner` just took; all cards of a pile or of
    fifty_one, the last on top. `rows` are the suit rows of Trex in the order of `SUITS`, low to
    high, else empty. `before` are the penalty cards that lie face up before their takers, `tricks`
    how many each has taken. `turn` is None once nobody plays. `points` are what was gained and
    lost so far; what is still open counts nothing. `sum` is fifty_one's."""

    shown: int
    turn: Seat | None
    hands: Hands
    lying: tuple[Play, ...]
    winner: Seat | None
    before: tuple[tuple[Card, ...], ...]
    tricks: tuple[int, ...]
    rows: Rows
    finish_order: tuple[Seat, ...]
    sum: int | None
    points: tuple[int, int, int, int]


def scene(record: Record, replay: Replay, ruleset: Ruleset, shown: int) -> Scene:
    """Return the table after so many plays; more than there are show the end.

    `replay` is the record's, of hands that are not bad."""
    shown = max(0, min(shown, replay.possible_plays(record)))
    cut = replace(record, hands=replay.hands, plays=record.plays[:shown], captured=())
    run = run_record(cut, ruleset)
    table = run.table
    doubles = replay.tally.doubles if replay.tally else ()
    tally = tally_of(table, cut, ruleset, doubles)
    entry = record.entry(tally)
    tricks = table.tricks if isinstance(table, Tricks) else []
    return Scene(
        shown=shown,
        turn=None if table.over else table.turn,
        hands=_left(run.hands, run.played),
        lying=_lying(table, run.plays()),
        winner=tricks[-1].winner
        if tricks and isinstance(table, Tricks) and not table.lying
        else None,
        before=tuple(_before(table, record, seat) for seat in SEATS),
        tricks=tuple(sum(trick.winner == seat for trick in tricks) for seat in SEATS),
        rows=_rows(run.plays(), ruleset) if _has_rows(table, ruleset) else (),
        finish_order=tuple(table.finish_order) if isinstance(table, Trex) else (),
        sum=table.sum if isinstance(table, FiftyOne) else None,
        points=points(entry, ruleset).scores,
    )


def _left(hands: Hands, played: dict[Card, Seat]) -> Hands:
    one, two, three, four = (
        None if hand is None else tuple(card for card in hand if card not in played)
        for hand in hands
    )
    return one, two, three, four


def _lying(table: Table, plays: Sequence[Play]) -> tuple[Play, ...]:
    """Return the middle of the table; a trick stays until the next card is led."""
    if not isinstance(table, Tricks):
        return tuple(plays)
    since = len(plays) % 4 or min(4, len(plays))
    return tuple(plays[len(plays) - since :])


def _before(table: Table, record: Record, seat: Seat) -> tuple[Card, ...]:
    """Return the cards of the contract that a seat has taken, in the order of taking.

    None where every trick counts: those lie face down."""
    if not isinstance(table, Tricks):
        return ()
    assert record.contract is not None
    items = [item for item in record.contract.items if item not in (Item.TRICKS, Item.LAST_TRICK)]
    taken = (card for trick in table.tricks if trick.winner == seat for card in trick.cards)
    return tuple(card for card in taken if any(counts_card(item, card) for item in items))


def _has_rows(table: Table, ruleset: Ruleset) -> bool:
    return isinstance(table, Trex) and ruleset.trex_layout == "suit_rows"


def _rows(plays: Sequence[Play], ruleset: Ruleset) -> Rows:
    laid = {play.card for play in plays}
    ranks = RANK_ORDERS[ruleset.layout_rank_order]
    return tuple(tuple(rank + suit for rank in ranks if rank + suit in laid) for suit in SUITS)
