"""The result of a replay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.replay.breaches import Breach
from scoring.replay.play.tricks import Trick
from scoring.replay.record import Hands, NotationError, Record, UnknownTag
from scoring.rules import Tally
from scoring.rules.seats import Seat

type Ends = tuple[tuple[int, int], ...]
"""By seat the least and the most: of an item, of a place of Trex, or 1 for losing fifty_one."""

type Bounds = Mapping[str, Ends]
"""By item. Trex has the place (1..4) under `trex`, fifty_one the loser (0 or 1) under its name."""

type Scores = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Replay:
    """A record replayed.

    `hands` are those worked out, for a viewer; `tally` holds what is known when the record is not
    complete, and is None where nothing could be replayed. Without a report `tricks` is empty.

    What leaves something open has `bounds`, for each item the least and the most by seat, None if
    the record contradicts itself. `exact`: each of these ends comes of some completion; else they
    may be wider, never narrower. `ends` are all that can come of Trex or fifty_one, None where they
    were not counted. `possible` then says whether the claimed scores can come of it,
    None without a claim."""

    id: str
    complete: bool = False
    stopped_at: int | None = None
    breaches: tuple[Breach, ...] = ()
    tricks: tuple[Trick, ...] = ()
    finish_order: tuple[Seat, ...] | None = None
    loser: Seat | None = None
    tally: Tally | None = None
    scores: Scores | None = None
    claimed: Scores | None = None
    hands: Hands = (None, None, None, None)
    bounds: Bounds | None = None
    exact: bool | None = None
    ends: tuple[Tally, ...] | None = None
    possible: bool | None = None
    errors: tuple[NotationError, ...] = ()
    unknown: tuple[UnknownTag, ...] = ()

    def possible_plays(self, record: Record) -> int:
        """Return how many plays of the record there are before one that is impossible."""
        return len(record.plays) if self.stopped_at is None else self.stopped_at

    @property
    def claimed_ok(self) -> bool | None:
        """Whether the claimed scores are right; None without scores or without a claim."""
        if self.claimed is None or self.scores is None:
            return None
        return self.claimed == self.scores
