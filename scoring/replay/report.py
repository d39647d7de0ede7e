"""Replays as JSON, exactly as in record-notation.md."""

from __future__ import annotations

from typing import Any

from scoring.replay.breaches import Breach
from scoring.replay.play.tricks import Trick
from scoring.replay.result import Replay
from scoring.rules import Tally

TRICK_KEYS = (
    "tricks",
    "diamonds",
    "hearts",
    "queens",
    "queens_taken_by",
    "king_taken_by",
    "last_trick_by",
    "doubles",
    "trick_leader",
)


def to_json(replay: Replay) -> dict[str, Any]:
    """Return the report of one record; a complete one has no bounds."""
    open_end = {} if replay.complete or replay.tally is None else _open_json(replay)
    return {
        "id": replay.id,
        "complete": replay.complete,
        "stopped_at": replay.stopped_at,
        "breaches": [breach_json(breach) for breach in replay.breaches],
        "tricks": [_trick(trick) for trick in replay.tricks],
        "finish_order": _list(replay.finish_order),
        "tally": tally_json(replay.tally),
        "scores": _list(replay.scores),
        "claimed": _list(replay.claimed),
        "claimed_ok": replay.claimed_ok,
        "errors": [error.to_json() for error in replay.errors],
        **open_end,
        **({"unknown": [each.to_json() for each in replay.unknown]} if replay.unknown else {}),
    }


def _open_json(replay: Replay) -> dict[str, Any]:
    if replay.bounds is None:
        return {"bounds": None, "bounds_exact": replay.exact, "possible": replay.possible}
    bounds = {item: [list(each) for each in ends] for item, ends in replay.bounds.items()}
    return {"bounds": bounds, "bounds_exact": replay.exact, "possible": replay.possible}


def breach_json(breach: Breach) -> dict[str, Any]:
    """Return one breach: its code, its place, and the legal cards."""
    return {
        "code": breach.code,
        "play": breach.play,
        "trick": breach.trick,
        "seat": breach.seat,
        "card": breach.card,
        "legal": _list(breach.legal),
    }


def tally_json(tally: Tally | None) -> dict[str, Any] | None:
    """Return every item, also those that nobody took."""
    if tally is None:
        return None
    if tally.tricks is not None:
        return _tricks_json(tally)
    if tally.finish_order is not None:
        return {"finish_order": list(tally.finish_order)}
    return {"loser": tally.loser}


def _tricks_json(tally: Tally) -> dict[str, Any]:
    found = {key: getattr(tally, key) for key in TRICK_KEYS}
    for key in ("tricks", "diamonds", "hearts", "queens"):
        found[key] = list(found[key])
    for key in ("queens_taken_by", "trick_leader"):
        found[key] = dict(found[key])
    found["doubles"] = [double._asdict() for double in tally.doubles]
    return found


def _trick(trick: Trick) -> dict[str, Any]:
    return {"leader": trick.leader, "cards": list(trick.cards), "winner": trick.winner}


def _list(value: tuple[Any, ...] | None) -> list[Any] | None:
    return None if value is None else list(value)
