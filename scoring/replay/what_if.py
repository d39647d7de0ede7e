"""What an incomplete record allows, for programs: claims from text, answers as JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from scoring.replay.engine import run_record
from scoring.replay.notation.spelling import card_of, seat_of, seats_by_letter
from scoring.replay.partial.alternatives import Alternative, RevokeCost
from scoring.replay.partial.bounds import Proven
from scoring.replay.partial.completions import MOST_WAYS, Checked, Claim, WhatIf, what_if
from scoring.replay.record import Record
from scoring.replay.result import Replay
from scoring.rules import Item, Ruleset
from scoring.rules.cards import KING_OF_HEARTS, QUEENS

_COUNT = re.compile(r"(\w+):(\w)=(\d{1,2})")
SEED = 2000
"""Of the continuations that are played out."""


def allowed_by(
    record: Record, found: Replay, ruleset: Ruleset, claims: Sequence[Claim]
) -> WhatIf | None:
    """Return what an incomplete record allows; None for a complete one or one not replayed.

    `found` is its replay with bounds."""
    if found.complete or found.tally is None or record.contract is None:
        return None
    assert found.exact is not None
    table, plays = run_record(record, ruleset).table, found.possible_plays(record)
    known = [claim for claim in claims if claim.item in record.contract.items]
    proven = Proven(found.bounds, found.exact, found.ends)
    return what_if(record, table, ruleset, plays, known, proven, found.tally.doubles)


def read_claim(text: str, clockwise: bool) -> Claim | None:
    """Return a claim: `QH:W` (a card that a seat took) or `diamonds:N=5`; None for other text."""
    seats = seats_by_letter(clockwise)
    counted = _COUNT.fullmatch(text)
    if counted:
        name, letter, number = counted.groups()
        seat = seat_of(letter, seats)
        is_item = name in list(Item)
        return Claim(Item(name), seat, int(number)) if is_item and seat is not None else None
    word, _, letter = text.partition(":")
    card, seat = card_of(word), seat_of(letter, seats)
    if seat is None or (card != KING_OF_HEARTS and card not in QUEENS):
        return None
    return Claim(Item.KING if card == KING_OF_HEARTS else Item.QUEENS, seat, 1, card)


def what_if_json(found: WhatIf) -> dict[str, Any]:
    """Return the ways and the claims; bounds are in the report already."""
    return {
        "ways": _ways(found.ways),
        "claims": [_checked(each) for each in found.claims],
        "together": [
            {"claims": list(each.claims), "ways": _ways(each.ways)} for each in found.together
        ],
    }


def revoke_cost_json(found: RevokeCost) -> dict[str, Any]:
    """Return what happened and what each legal card would have led to."""
    return {
        "play": found.breach.play,
        "seat": found.breach.seat,
        "card": found.breach.card,
        "happened": list(found.happened),
        "alternatives": [_alternative(each) for each in found.alternatives],
    }


def _alternative(found: Alternative) -> dict[str, Any]:
    return {
        "card": found.card,
        "exact": found.is_exact,
        "ways": _ways(found.ways),
        "seats": [each._asdict() for each in found.seats],
    }


def _ways(ways: int | None) -> int | str | None:
    return f"more than {MOST_WAYS}" if ways is not None and ways > MOST_WAYS else ways


def _checked(found: Checked) -> dict[str, Any]:
    reason = found.reason._asdict() if found.reason else None
    return {
        **_claim(found.claim),
        "possible": found.possible,
        "ways": _ways(found.ways),
        "reason": reason,
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "item": claim.item.value,
        "seat": claim.seat,
        "number": claim.number,
        "card": claim.card,
    }
