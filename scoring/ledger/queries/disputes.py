"""States of disputes, folded from flags, claims and rulings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter
from uuid import UUID

from scoring.models import (
    UNDER_REVIEW,
    Deal,
    Dispute,
    DisputeState,
    EventKind,
    Flag,
    Match,
    MatchEvent,
    Ruling,
    Void,
)


@dataclass(frozen=True)
class DisputeStep:
    """One event in the judging of a deal.

    `number` is the one that the deal had then, `flag` and `ruling` are the rows it is about."""

    kind: str
    seq: int
    at: datetime
    number: int
    user_id: UUID | None = None
    flag: UUID | None = None
    ruling: UUID | None = None


@dataclass(frozen=True)
class DisputeCourse:
    """The state after some steps.

    `opened_number` is the number that the deal had when the dispute was opened; `flags` are those
    raised since and not withdrawn; `handled`: an arbiter has had it since; `before` is the state
    before it was opened."""

    state: DisputeState
    opened_at: datetime
    opened_seq: int
    opened_number: int
    claimed_by_id: UUID | None = None
    ruling_id: UUID | None = None
    flags: frozenset[UUID | None] = frozenset()
    handled: bool = False
    before: "DisputeCourse | None" = None

    @property
    def is_under_review(self) -> bool:
        return self.state in UNDER_REVIEW


def fold(steps: Iterable[DisputeStep]) -> DisputeCourse | None:
    """Return the state after these steps, None if nobody ever flagged the deal."""
    course = None
    for step in sorted(steps, key=attrgetter("seq")):
        course = FOLDS[step.kind](course, step)
    return course


def _opened(course: DisputeCourse | None, step: DisputeStep) -> DisputeCourse:
    ruling = course.ruling_id if course else None
    opened = DisputeState.OPEN, step.at, step.seq, step.number
    return DisputeCourse(*opened, ruling_id=ruling, before=course)


def _flagged(course: DisputeCourse | None, step: DisputeStep) -> DisputeCourse:
    """Add a flag: several are one dispute; one after its end opens it again."""
    if course is None or not course.is_under_review:
        course = _opened(course, step)
    return replace(course, flags=course.flags | {step.flag})


def _withdrawn(course: DisputeCourse | None, step: DisputeStep) -> DisputeCourse | None:
    """Withdraw a flag.

    With the last one the dispute is as it was before, unless an arbiter has it."""
    if course is None or not course.is_under_review:
        return course
    flags = course.flags - {step.flag}
    if flags or course.handled:
        return replace(course, flags=flags)
    return course.before or replace(course, state=DisputeState.CLOSED, flags=flags)


def _claimed(course: DisputeCourse | None, step: DisputeStep) -> DisputeCourse:
    course = course or _opened(course, step)
    return replace(course, state=DisputeState.CLAIMED, claimed_by_id=step.user_id, handled=True)


def _released(course: DisputeCourse | None, step: DisputeStep) -> DisputeCourse:
    course = course or _opened(course, step)
    return replace(course, state=DisputeState.OPEN, claimed_by_id=None)


def _ruled(course: DisputeCourse | None, step: DisputeStep) -> DisputeCourse:
    course = course or _opened(course, step)
    return replace(course, state=DisputeState.RULED, ruling_id=step.ruling)


def _closed(course: DisputeCourse | None, step: DisputeStep) -> DisputeCourse:
    return replace(course or _opened(course, step), state=DisputeState.CLOSED)


def _reopened(course: DisputeCourse | None, step: DisputeStep) -> DisputeCourse:
    return replace(_opened(course, step), handled=True)


FOLDS: Mapping[str, Callable[[DisputeCourse | None, DisputeStep], DisputeCourse | None]] = {
    EventKind.DEAL_FLAGGED: _flagged,
    EventKind.FLAG_VOIDED: _withdrawn,
    EventKind.DISPUTE_CLAIMED: _claimed,
    EventKind.DISPUTE_RELEASED: _released,
    EventKind.DISPUTE_CLOSED: _closed,
    EventKind.DISPUTE_REOPENED: _reopened,
    EventKind.RULING_PUBLISHED: _ruled,
}
"""Each of these events says which number it is about: in its facts (`deal_number`), or by its
ruling."""


# ── from the ledger ─────────────────────────────────────────────────────


@dataclass(frozen=True)
class Ledger:
    """The rows of a match from which its disputes follow, withdrawn ones included."""

    events: Sequence[MatchEvent]
    deals: Sequence[Deal]
    flags: Sequence[Flag]
    rulings: Sequence[Ruling]
    voids: Sequence[Void]


def ledger_of(match: Match) -> Ledger:
    """Return the rows of a match. Five queries."""
    return Ledger(
        events=list(match.events.order_by("seq")),
        deals=list(Deal.objects.filter(match=match)),
        flags=list(Flag.objects.filter(match=match)),
        rulings=list(Ruling.objects.filter(match=match)),
        voids=list(Void.objects.filter(match=match)),
    )


def disputes_of(match: Match, ledger: Ledger) -> dict[int, Dispute]:
    """Return the dispute rows that should exist, by deal number, not saved."""
    steps: dict[int, list[DisputeStep]] = {}
    for step in _steps(ledger):
        if number := match.number_now(step.number, step.seq):
            steps.setdefault(number, []).append(step)
    courses = {number: fold(own) for number, own in steps.items()}
    return {
        number: _dispute(match, ledger, number, course)
        for number, course in courses.items()
        if course
    }


def _steps(ledger: Ledger) -> Iterator[DisputeStep]:
    flags = {row.event_id: row.id for row in ledger.flags}
    flags |= {row.event_id: row.flag_id for row in ledger.voids if row.flag_id}
    rulings = {row.event_id: row for row in ledger.rulings}
    for event in ledger.events:
        if event.kind not in FOLDS:
            continue
        ruling = rulings.get(event.id)
        number = ruling.deal_number if ruling else event.content["facts"]["deal_number"]
        yield DisputeStep(
            kind=event.kind,
            seq=event.seq,
            at=event.entered_at,
            number=number,
            user_id=event.user_id,
            flag=flags.get(event.id),
            ruling=ruling.id if ruling else None,
        )


def _dispute(match: Match, ledger: Ledger, number: int, course: DisputeCourse) -> Dispute:
    return Dispute(
        match=match,
        club_id=match.club_id,
        deal_number=number,
        state=course.state,
        opened_at=course.opened_at,
        opened_seq=course.opened_seq,
        frozen=_stood(ledger, course.opened_number, course.opened_seq),
        claimed_by_id=course.claimed_by_id,
        ruling_id=course.ruling_id,
    )


def _stood(ledger: Ledger, number: int, seq: int) -> Deal | None:
    """Return the deal that counted at this number before that event."""
    seqs = {event.id: event.seq for event in ledger.events}
    own = [deal for deal in ledger.deals if deal.deal_number == number]
    earlier = [deal for deal in own if seqs[deal.event_id] < seq]
    gone = {void.deal_id for void in ledger.voids if seqs[void.event_id] < seq}
    gone |= {deal.replaces_id for deal in earlier}
    return next((deal for deal in earlier if deal.id not in gone), None)
