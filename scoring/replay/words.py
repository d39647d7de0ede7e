"""Replays and audits in English, for the commands.

Pages have sentences of their own in every language, made of the same codes and numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.replay.audit import Finding, FindingCode, Report
from scoring.replay.breaches import Breach, BreachCode
from scoring.replay.record import Record
from scoring.replay.result import Bounds, Replay

SEAT_TAGS = ("North", "West", "South", "East")

BREACHES = {
    BreachCode.BAD_HANDS: "the hands as written cannot have been dealt",
    BreachCode.DOUBLE_NOT_HELD: "{card} is not {seat}'s to double",
    BreachCode.OUT_OF_TURN: "{seat} was not on turn",
    BreachCode.ALREADY_PLAYED: "{seat} plays {card}, which was played before",
    BreachCode.NOT_HELD: "{seat} plays {card} without holding it",
    BreachCode.REVOKE: "{seat} revokes with {card}",
    BreachCode.HEART_LEAD: "{seat} leads {card} while hearts may not be led",
    BreachCode.MUST_DUMP: "{seat} plays {card} where another card must be thrown",
    BreachCode.LEAD_NOT_HIGHEST: "{seat} opens with {card}, which is not the highest",
    BreachCode.NOT_ADJACENT: "{seat} lays {card}, which fits nowhere",
    BreachCode.PASS_WHEN_ABLE: "{seat} passes and could have laid a card",
    BreachCode.UNFINISHED: "the record ends while points are open",
}

FINDINGS = {
    FindingCode.OTHER_CONTRACT: "the entry is of another contract",
    FindingCode.OTHER_DEALER: "{seat} dealt, not {other}",
    FindingCode.OTHER_CHOOSER: "{seat} chose, not {other}",
    FindingCode.OTHER_FORCED: "the contract is forced in one and not in the other",
    FindingCode.TAKER_DIFFERS: "{right} took {card}, not {other}",
    FindingCode.DOUBLE_NOT_ENTERED: "{card} was doubled by {seat}, which was not entered",
    FindingCode.DOUBLE_NOT_RECORDED: (
        "{card} is entered as doubled by {seat}, which the record does not show"
    ),
    FindingCode.REVOKE_NOT_ENTERED: "{seat} revoked, which was not entered",
    FindingCode.REVOKE_NOT_RECORDED: (
        "a revoke of {seat} was entered, which the record does not show"
    ),
    FindingCode.NOT_TOGETHER: "each number is possible, but not all of them together",
    FindingCode.CONTRADICTION: "the record contradicts itself and proves nothing",
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
    if finding.code == FindingCode.NUMBER_DIFFERS:
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
