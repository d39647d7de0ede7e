"""The pass over columns held against the explaining engine, deal by deal."""

from collections import Counter
from itertools import pairwise

from scoring.archive.columns import Packer
from scoring.archive.judging import judged
from scoring.replay.archive import replayed
from scoring.replay.engine import card_by_card


def differences(records):
    """How the pass differs from the engine on these records, in words; and how many it judged to be
    faultless, faulty, and not fit for columns."""
    counts, wrong = Counter(), []
    blocks = {}
    for record in records:
        key = record.system, repr(record.options), record.contract
        if key not in blocks:
            blocks[key] = (
                Packer(record.system, record.options, record.contract, record.ruleset()),
                [],
            )
        packer, packed = blocks[key]
        if packer.add(record, 0):
            packed.append(record)
            continue
        counts["not fit"] += 1
        if is_good(record) and not kinds_of(record):
            wrong.append(f"does not fit: {record}")
    for packer, packed in blocks.values():
        if packed:
            wrong += block_differences(packer.take(), packed, counts)
    return wrong, counts


def block_differences(columns, records, counts):
    outcomes = list(judged(columns, every_item=True))
    found = [(each, deal) for each in outcomes for deal in range(len(each.is_good))]
    for place, (record, (outcome, deal)) in enumerate(zip(records, found, strict=True)):
        is_clean = bool(outcome.is_good[deal])
        counts["faultless" if is_clean else "faulty"] += 1
        if columns.record(place) != record:
            yield f"comes back otherwise: {record}"
        if is_clean != is_good(record):
            if is_clean or not kinds_of(record):
                yield f"{'faultless' if is_clean else 'faulty'} for the pass alone: {record}"
            continue
        if is_clean:
            full = card_by_card(record, record.ruleset())
            if tuple(outcome.scores[deal].tolist()) != full.scores:
                yield f"scores {outcome.scores[deal]} of {record}"
            if facts(outcome.tally(deal)) != facts(full.tally):
                yield f"tally {outcome.tally(deal)} of {record}"


def is_good(record):
    """Whether the engine has nothing to say but tally and scores."""
    found = replayed(record, bounds=False)
    said = found.breaches or found.errors or found.claimed_ok is False
    return found.scores is not None and not said


def kinds_of(record):
    """Which of the kinds that are left to the engine (docs/archive.md) a record is of."""
    special = record.contract.special
    found = {
        "fifty_one": special == "fifty_one",
        "open trick": not special and len(record.plays) % 4 != 0,
        "captures": bool(record.captured),
        "hands not known": None in replayed(record, bounds=False).hands,
        "declined in two ways": special == "trex"
        and record.ruleset().ace_replay != "off"
        and set(declines(record)) == {True, False},
        "round of passes after an ace": special == "trex"
        and record.ruleset().ace_replay != "off"
        and has_round_after_ace(record.plays),
    }
    return [kind for kind, holds in found.items() if holds]


def declines(record):
    """For each right to lay again that was not used, whether that was in silence."""
    plays = record.plays
    for before, after in pairwise(plays):
        if len(before) == 2 and before.card[0] == "A":
            if len(after) == 1 and after.seat == before.seat:
                yield False
            elif after.seat != before.seat:
                yield True


def has_round_after_ace(plays):
    """Whether a seat lays an ace, and after passes lays the next card too."""
    laid = [place for place, play in enumerate(plays) if len(play) == 2]
    return any(
        second > first + 1
        and plays[first].card[0] == "A"
        and plays[first].seat == plays[second].seat
        for first, second in pairwise(laid)
    )


def facts(tally):
    """A tally with the fields that equality leaves out."""
    return tally, tally.queens_taken_by or {}, tally.trick_leader or {}
