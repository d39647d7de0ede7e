"""Replays and audits in English, for the commands.

Pages have sentences of their own in every language, made of the same codes and numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.replay.audit import Finding, Report
from scoring.replay.breaches import Breach
from scoring.replay.record import Record
from scoring.replay.result import Bounds, Replay

SEAT_TAGS = ("North", "West", "South", "East")

BREACHES = {
    "bad_hands": "the hands as written cannot have been dealt",
    "double_not_held": "{card} is not {seat}'s to double",
    "out_of_turn": "{seat} was not on turn",
    "already_played": "{seat} plays {card}, which was played before",
    "not_held": "{seat} plays {card} without holding it",
    "revoke": "{seat} revokes with {card}",
    "heart_lead": "{seat} leads {card} while hearts may not be led",
    "must_dump": "{seat} plays {card} where another card must be thrown",
    "lead_not_highest": "{seat} opens with {card}, which is not the highest",
    "not_adjacent": "{seat} lays {card}, which fits nowhere",
    "pass_when_able": "{seat} passes and could have laid a card",
    "unfinished": "the record ends while points are open",
}

FINDINGS = {
    "other_contract": "the entry is of another contract",
    "other_dealer": "{seat} dealt, not {other}",
    "other_chooser": "{seat} chose, not {other}",
    "other_forced": "the contract is forced in one and not in the other",
    "taker_differs": "{right} took {card}, not {other}",
    "double_not_entered": "{card} was doubled by {seat}, which was not entered",
    "double_not_recorded": "{card} is entered as doubled by {seat}, which the record does not show",
    "revoke_not_entered": "{seat} revoked, which was not entered",
    "revoke_not_recorded": "a revoke of {seat} was entered, which the record does not show",
    "not_together": "each number is possible, but not all of them together",
    "contradiction": "the record contradicts itself and proves nothing",
}

ITEMS = {
    "king": ("K♥", "K♥"),
    "queens": ("queen", "queens"),
    "diamonds": ("diamond", "diamonds"),
    "hearts": ("heart", "hearts"),
    "tricks": ("trick", "tricks"),
    "last_trick": ("last trick", "last tricks"),
}


def audit_text(record: Record, report: Report) -> str:
    """Return the audit of a record as text, a line for each statement."""
    return "\n".join(_lines(record, report)) + "\n"


def names_of(record: Record) -> Sequence[str]:
    """Return the names of the four seats as far as the record has them, else the seats."""
    return [record.tags.get(tag, tag) for tag in SEAT_TAGS]


def breach_words(breach: Breach, names: Sequence[str]) -> str:
    """Return a breach, its place and the legal cards as text."""
    said = BREACHES[breach.code].format(card=breach.card, seat=_name(breach.seat, names))
    if breach.legal:
        said += f" (legal: {' '.join(breach.legal)})"
    return _place(breach.play, breach.trick) + said


def finding_words(finding: Finding, names: Sequence[str]) -> str:
    """Return a difference between entry and record, and where it first shows, as text."""
    place = _place(finding.play, finding.trick)
    if finding.code == "number_differs":
        return place + _number_words(finding, names)
    return place + FINDINGS[finding.code].format(
        seat=_name(finding.seat, names),
        card=finding.card,
        other=_name(finding.entered, names),
        right=_name(finding.least, names),
    )


def _lines(record: Record, report: Report) -> Iterator[str]:
    names, replay = names_of(record), report.replay
    yield f"{record.id}: {record.contract or 'no contract'}, {record.system or 'no system'}"
    for error in replay.errors:
        yield f"line {error.line}, column {error.column}: {error.code} {error.text!r}"
    for each in record.unknown:
        meant = f", perhaps {each.likely}" if each.likely else ""
        yield f"line {each.line}, column {each.column}: unknown tag {each.text!r}{meant}"
    for breach in replay.breaches:
        yield breach_words(breach, names)
    yield _outcome(replay, names)
    if replay.finish_order:
        yield "out: " + ", ".join(names[seat] for seat in replay.finish_order)
    if replay.bounds is not None:
        yield from _bound_lines(replay.bounds, names)
        if not replay.exact:
            yield "too many ways to play on: the real bounds may be narrower"
    if replay.claimed_ok is not None:
        yield "the claim is right" if replay.claimed_ok else "the claim is wrong"
    if replay.possible is not None:
        yield "the claim is possible" if replay.possible else "the claim is impossible"
    for finding in report.findings:
        yield "entry: " + finding_words(finding, names)
    if report.agrees:
        yield "entry: agrees" if replay.complete else "entry: may be right"


def _outcome(replay: Replay, names: Sequence[str]) -> str:
    if replay.scores is None:
        return "no points" if replay.complete else "not complete"
    scores = zip(names, replay.scores, strict=True)
    return "points: " + ", ".join(f"{name} {score}" for name, score in scores)


def _bound_lines(bounds: Bounds, names: Sequence[str]) -> Iterator[str]:
    for item, ends in bounds.items():
        each = zip(names, ends, strict=True)
        yield f"{item}: " + ", ".join(f"{name} {_range(*own)}" for name, own in each)


def _number_words(finding: Finding, names: Sequence[str]) -> str:
    seat, entered = _name(finding.seat, names), finding.entered
    least, most = finding.least or 0, finding.most or 0
    if finding.item == "trex":
        return f"{seat} went out as number {_range(least, most)}, not {entered}"
    if finding.item == "fifty_one":
        return f"{seat} {'lost' if least else 'did not lose'}; the entry says otherwise"
    one, many = ITEMS[finding.item or ""]
    if least == most:
        return f"{seat} took {least} {one if least == 1 else many}, not the entered {entered}"
    bound, word = (least, "at least") if (entered or 0) < least else (most, "at most")
    said = f"{word} {bound} {one if bound == 1 else many}"
    return f"{seat} took {said}; the entered {entered} cannot be right"


def _place(play: int | None, trick: int | None) -> str:
    if trick is not None:
        return f"trick {trick + 1}: "
    return "" if play is None else f"play {play + 1}: "


def _range(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


def _name(seat: int | None, names: Sequence[str]) -> str:
    return "nobody" if seat is None else names[seat]
