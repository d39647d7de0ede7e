"""Checks of a fifty_one deal: its loser, and the cards that show who that was (C-B7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.rules.cards import Card, rank
from scoring.rules.problems import Problem, ProblemCode
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.seats import Seat, is_seat
from scoring.rules.tally import Entry


def running_sums(plays: Sequence[Card], ruleset: Ruleset) -> list[int]:
    """Return the running sum after each card."""
    sums, total = [], 0
    for card in plays:
        total += ruleset.fifty_one.values[rank(card)]
        sums.append(total)
    return sums


def loser_of(plays: Sequence[Card], opener: Seat, ruleset: Ruleset) -> Seat | None:
    """Return who laid the card that reached the target, None if nobody has.

    The opener lays first, then in seat order. Cards after the target are ignored, as in a record.
    """
    for place, total in enumerate(running_sums(plays, ruleset)):
        if total >= ruleset.fifty_one.target:
            return (opener + place) % 4
    return None


def fifty_one_problems(entry: Entry, ruleset: Ruleset) -> Iterator[Problem]:
    """Find problems of the facts of a fifty_one deal."""
    loser, plays = entry.tally.loser, entry.tally.plays
    problems = [*_loser_problems(loser, ruleset), *_play_problems(plays, ruleset)]
    yield from problems
    if problems or plays is None or not is_seat(entry.chooser):
        return
    shown = loser_of(plays, entry.chooser, ruleset)
    if shown != loser:
        yield Problem(ProblemCode.WRONG_LOSER, "loser", {"expected": shown, "found": loser})


def _loser_problems(loser: object, ruleset: Ruleset) -> Iterator[Problem]:
    if loser is None:
        if not ruleset.fifty_one_may_end_unlost:
            yield Problem(ProblemCode.MISSING, "loser")
    elif not is_seat(loser):
        yield Problem(ProblemCode.BAD_SEAT, "loser")
    elif _highest(ruleset) < ruleset.fifty_one.target:
        yield Problem(ProblemCode.IMPOSSIBLE, "loser", {"target": ruleset.fifty_one.target})


def _highest(ruleset: Ruleset) -> int:
    """Return the most that the running sum can ever be."""
    return sum(max(0, ruleset.fifty_one.values[rank(card)]) for card in ruleset.deck)


def _play_problems(plays: object, ruleset: Ruleset) -> Iterator[Problem]:
    if plays is None:
        return
    if not isinstance(plays, tuple):
        yield Problem(ProblemCode.UNKNOWN_CARD, "plays")
        return
    for place, card in enumerate(plays[: len(ruleset.deck) + 1]):
        if not isinstance(card, str) or card not in ruleset.deck:
            yield Problem(ProblemCode.UNKNOWN_CARD, f"plays.{place}")
        elif card in plays[:place]:
            yield Problem(ProblemCode.IMPOSSIBLE, f"plays.{place}", {"card": card})
    if len(plays) > len(ruleset.deck):
        yield Problem(ProblemCode.IMPOSSIBLE, "plays")
