"""Outcome of a deal: the tally of the cards as played, and whether points are still open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scoring.replay.play.fifty_one import FiftyOne
from scoring.replay.play.layout import Trex
from scoring.replay.play.table import Table
from scoring.replay.play.tricks import Trick
from scoring.replay.record import Capture, Record
from scoring.replay.result import Scores
from scoring.rules import Contract, Double, Item, ProblemCode, Ruleset, Tally, check, points
from scoring.rules.cards import KING_OF_HEARTS, QUEENS, Card
from scoring.rules.deal.completing import places_settled
from scoring.rules.seats import SEATS, Seat


def tally_of(
    table: Table, record: Record, ruleset: Ruleset, doubles: tuple[Double, ...] = ()
) -> Tally:
    """Return the facts as far as the table knows them, every item whatever the contract."""
    if isinstance(table, Trex):
        return Tally(finish_order=finish_order(table, ruleset))
    if isinstance(table, FiftyOne):
        return Tally(loser=table.loser)
    return tally_of_tricks(table.tricks, record.captured, ruleset, doubles)


def finish_order(table: Trex, ruleset: Ruleset) -> tuple[Seat, ...]:
    """Return the seats in the order of going out.

    Once the open places make no difference they are filled, lowest seat first (rules.md, "Input of
    a deal")."""
    out = table.finish_order
    left = [seat for seat in SEATS if seat not in out]
    if table.over or (ruleset.early_end == "allowed" and _places_settled(table, ruleset)):
        return (*out, *left)
    return tuple(out)


def tally_of_tricks(
    tricks: Sequence[Trick],
    captured: Iterable[Capture],
    ruleset: Ruleset,
    doubles: tuple[Double, ...] = (),
) -> Tally:
    """Return who took what in these tricks and in the captured cards."""
    counts, diamonds, hearts = [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]
    takers: dict[Card, Seat] = {}
    leaders: dict[Card, Seat] = {}
    for leader, cards, winner in tricks:
        assert winner is not None
        counts[winner] += 1
        for card in cards:
            _count(card, winner, diamonds, hearts, takers)
            if card in takers:
                leaders[card] = leader
    for card, seat in unseen_captures(tricks, captured, ruleset).items():
        _count(card, seat, diamonds, hearts, takers)
    queens = [card for card in takers if card != KING_OF_HEARTS]
    all_played = len(tricks) == ruleset.cards_per_hand
    return Tally(
        king_taken_by=takers.get(KING_OF_HEARTS),
        queens_taken_by={card: takers[card] for card in queens},
        queens=_four([sum(takers[card] == seat for card in queens) for seat in SEATS]),
        diamonds=_four(diamonds),
        hearts=_four(hearts),
        tricks=_four(counts),
        last_trick_by=tricks[-1].winner if all_played else None,
        doubles=doubles,
        trick_leader=leaders,
    )


def unseen_captures(
    tricks: Sequence[Trick], captured: Iterable[Capture], ruleset: Ruleset
) -> dict[Card, Seat]:
    """Return captured cards that no finished trick shows, each once.

    A card recorded with two seats belongs to nobody."""
    seen = {card for trick in tricks for card in trick.cards}
    said: dict[Card, set[Seat]] = {}
    for card, seat in captured:
        if card not in seen and card in ruleset.deck:
            said.setdefault(card, set()).add(seat)
    return {card: min(seats) for card, seats in said.items() if len(seats) == 1}


def is_settled(table: Table, tally: Tally, contract: Contract, ruleset: Ruleset) -> bool:
    """Return whether no points are open any more; with `early_end: off` only at the very end."""
    if table.over or ruleset.early_end == "off":
        return table.over
    if isinstance(table, Trex):
        return _places_settled(table, ruleset)
    if isinstance(table, FiftyOne):
        return table.settled
    return all(item_is_settled(item, tally, ruleset) for item in contract.items)


def item_is_settled(item: Item, tally: Tally, ruleset: Ruleset) -> bool:
    """Return whether all of an item has been taken; tricks are open until the end."""
    match item:
        case Item.KING:
            return tally.king_taken_by is not None
        case Item.QUEENS:
            return len(tally.queens_taken_by or ()) == len(QUEENS)
        case Item.DIAMONDS:
            return sum(tally.diamonds or ()) == ruleset.how_many(item)
        case Item.HEARTS:
            return sum(tally.hearts or ()) == ruleset.how_many(item)
        case Item.TRICKS | Item.LAST_TRICK:
            return tally.last_trick_by is not None


def scores_of(record: Record, tally: Tally, ruleset: Ruleset) -> tuple[Scores | None, bool]:
    """Return the scores of a settled deal, and whether an unknown trick leader prevents them.

    None too where the chooser is unknown but matters."""
    entry = record.entry(tally)
    problems = check(entry, ruleset)
    if problems:
        return None, any(problem.code == ProblemCode.TRICK_LEADER_MISSING for problem in problems)
    return points(entry, ruleset).scores, False


def _places_settled(table: Trex, ruleset: Ruleset) -> bool:
    return places_settled(ruleset, range(len(table.finish_order) + 1, 5))


def _count(
    card: Card, taker: Seat, diamonds: list[int], hearts: list[int], takers: dict[Card, Seat]
) -> None:
    suit = card[1]
    if suit == "D":
        diamonds[taker] += 1
    elif suit == "H":
        hearts[taker] += 1
    if card in QUEENS or card == KING_OF_HEARTS:
        takers[card] = taker


def _four(counts: Sequence[int]) -> tuple[int, int, int, int]:
    return counts[0], counts[1], counts[2], counts[3]
