"""Doubts about a deal: flagged from the table, taken on by an arbiter, closed. All on the chain.

A flag changes no point, so it is never stale and comes to a closed match too: disputes come later.
What an arbiter does is stale once somebody else has moved the same dispute on.
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID, uuid4

from django.db.models import Q

from scoring.common.errors import RefusalCode, ServiceError, Stale
from scoring.judging.queries.flags import raised_by
from scoring.ledger.queries.disputes import disputes_of, ledger_of
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.ledger.services import chain
from scoring.ledger.services.chain import Write, match_write, refuse_unseen, row_of, row_voided
from scoring.models import (
    Deal,
    Dispute,
    DisputeState,
    EventKind,
    Flag,
    Match,
    MatchEvent,
    MatchState,
    User,
    Void,
    Words,
)
from scoring.rules import ProblemCode
from scoring.standings.services import results

MOST = 40
"""Flags of one deal number that stand; more say nothing new."""
FLAGS = (EventKind.DEAL_FLAGGED, EventKind.FLAG_VOIDED)
MOVES = (
    EventKind.DISPUTE_CLAIMED,
    EventKind.DISPUTE_RELEASED,
    EventKind.DISPUTE_CLOSED,
    EventKind.DISPUTE_REOPENED,
    EventKind.RULING_PUBLISHED,
)


@match_write(EventKind.DEAL_FLAGGED, row_of(Flag), refuse=[refuse_unseen])
def flag(
    match: Match, write: Write, *, deal_number: int, words: str = "", seat: int | None = None
) -> Flag:
    """Flags a deal, with a few words or none. The first flag opens a dispute, the others join it. A
    person has one flag of a deal: the same words again are the flag that is there, other words
    replace it."""
    reason = chain.allowed_reason(words)
    _refuse_flag(match, deal_number, seat)
    standing = _standing(match, deal_number)
    own = [row for row in standing if raised_by(row.event, write.actor)]
    if known := next((row for row in own if _says(row, reason)), None):
        return known
    if len(standing) >= MOST and not own:
        raise ServiceError(RefusalCode.FLAGS_FULL, "", {"limit": MOST})
    row = Flag(deal_number=deal_number, seat=seat)
    facts = {"deal_number": deal_number}
    chain.append(match, write, EventKind.DEAL_FLAGGED, [row], facts, reason)
    for old in own:  # after the new one, so that the dispute is never without a flag
        taken = replace(write, entry_key=uuid4(), version=match.version)
        chain.append(match, taken, EventKind.FLAG_VOIDED, [Void(flag=old)], facts)
    refresh(match, deal_number)
    return row


@match_write(EventKind.FLAG_VOIDED, row_voided(Flag), refuse=[refuse_unseen])
def withdraw_flag(match: Match, write: Write, *, flag_id: UUID) -> Flag:
    """Takes a flag back: only who raised it may, and only until it is ruled on. The last one ends
    a dispute that no arbiter has taken on."""
    row = Flag.objects.select_related("event").filter(match=match, id=flag_id).first()
    if row is None or not raised_by(row.event, write.actor):
        raise ServiceError(RefusalCode.NOT_YOUR_FLAG, "flag")
    number = match.number_now(row.deal_number, row.event.seq)
    if number is None or hasattr(row, "void"):
        raise ServiceError(RefusalCode.NOT_STANDING, "flag")
    if not _dispute(match, number).is_under_review:
        raise ServiceError(RefusalCode.NOT_UNDER_REVIEW)
    facts = {"deal_number": number}
    chain.append(match, write, EventKind.FLAG_VOIDED, [Void(flag=row)], facts)
    refresh(match, number)
    return row


def _same_dispute(match: Match, event: MatchEvent) -> Dispute:
    return _dispute(match, match.number_now(event.content["facts"]["deal_number"], event.seq))


@match_write(EventKind.DISPUTE_CLAIMED, _same_dispute, refuse=())
def claim(match: Match, write: Write, *, deal_number: int) -> Dispute:
    """An arbiter takes it on, from another one too. Claiming one's own again does nothing."""
    dispute = _dispute(match, deal_number)
    if _is_claimed_by(dispute, write.actor.user):
        return dispute
    _refuse_moved(match, deal_number, write)
    _refuse_over(dispute)
    return _move(match, write, EventKind.DISPUTE_CLAIMED, deal_number)


@match_write(EventKind.DISPUTE_RELEASED, _same_dispute, refuse=())
def release(match: Match, write: Write, *, deal_number: int) -> Dispute:
    """Who has claimed it gives it back to the queue."""
    _refuse_moved(match, deal_number, write)
    if not _is_claimed_by(_dispute(match, deal_number), write.actor.user):
        raise ServiceError(RefusalCode.NOT_CLAIMED_BY_YOU)
    return _move(match, write, EventKind.DISPUTE_RELEASED, deal_number)


@match_write(EventKind.DISPUTE_CLOSED, _same_dispute, refuse=())
def close(match: Match, write: Write, *, deal_number: int, note: str) -> Dispute:
    """Nothing is left to be done, with or without a ruling; the note says why (C56)."""
    _refuse_moved(match, deal_number, write, (*MOVES, *FLAGS))
    note = chain.needed_reason(note)
    if _dispute(match, deal_number).state == DisputeState.CLOSED:
        raise ServiceError(RefusalCode.NOT_UNDER_REVIEW)
    return _move(match, write, EventKind.DISPUTE_CLOSED, deal_number, note)


@match_write(EventKind.DISPUTE_REOPENED, _same_dispute, refuse=())
def reopen(match: Match, write: Write, *, deal_number: int, reason: str) -> Dispute:
    """Puts one that is over back into the queue. A ruling that there was stays, and holds until
    another one is published."""
    _refuse_moved(match, deal_number, write)
    reason = chain.needed_reason(reason)
    if _dispute(match, deal_number).is_under_review:
        raise ServiceError(RefusalCode.UNDER_REVIEW)
    return _move(match, write, EventKind.DISPUTE_REOPENED, deal_number, reason)


def refresh(match: Match, number: int) -> Dispute | None:
    """Makes the dispute of a deal number say what its events say, and the results of a finished
    match what the public may see. Expects the lock. To be called after every event that speaks of
    the number's judging, when the standing deals are up to date."""
    there = Dispute.objects.filter(match=match, deal_number=number).first()
    dispute = disputes_of(match, ledger_of(match)).get(number)
    if dispute and there:
        dispute.id = there.id
        dispute.save(force_update=True)
    elif dispute:
        dispute.save(force_insert=True)
    if match.is_finished:
        results.refresh(snapshot_of(match))
    return dispute


def _move(match: Match, write: Write, kind: EventKind, number: int, reason: str = "") -> Dispute:
    chain.append(match, write, kind, facts={"deal_number": number}, reason=reason)
    dispute = refresh(match, number)
    assert dispute
    return dispute


def _dispute(match: Match, number: int | None) -> Dispute:
    disputes = Dispute.objects.filter(match=match)
    dispute = None if number is None else disputes.filter(deal_number=number).first()
    if dispute is None:
        raise ServiceError(RefusalCode.NO_DISPUTE, "deal_number")
    return dispute


def _is_claimed_by(dispute: Dispute, user: User | None) -> bool:
    claimed = dispute.state == DisputeState.CLAIMED
    return claimed and user is not None and dispute.claimed_by_id == user.id


def _refuse_over(dispute: Dispute) -> None:
    if not dispute.is_under_review:
        raise ServiceError(RefusalCode.NOT_UNDER_REVIEW)


def _refuse_moved(
    match: Match, number: int, write: Write, kinds: Sequence[EventKind] = MOVES
) -> None:
    """Stale where the judging of this number has gone on since."""
    refuse_unseen(match, write)
    later = match.events.filter(seq__gt=write.version, kind__in=kinds)
    about = later.filter(Q(content__facts__deal_number=number) | Q(rulings__deal_number=number))
    if events := list(about.select_related("user").order_by("seq")):
        raise Stale(match.version, events, ())


def _refuse_flag(match: Match, number: int, seat: int | None) -> None:
    if match.club_id is None:
        raise ServiceError(RefusalCode.NO_ARBITER)
    if match.state == MatchState.VOIDED:
        raise ServiceError(RefusalCode.MATCH_VOIDED)
    if not Deal.objects.filter(match=match, deal_number=number).exists():
        raise ServiceError(ProblemCode.WRONG_NUMBER, "deal_number")
    if seat not in (None, 0, 1, 2, 3):
        raise ServiceError(ProblemCode.BAD_SEAT, "seat")


def _standing(match: Match, number: int) -> list[Flag]:
    """The flags that nobody has withdrawn since the dispute was opened."""
    dispute = Dispute.objects.filter(match=match, deal_number=number).under_review().first()
    rows = Flag.objects.filter(match.numbered(number), match=match, void=None)
    since = dispute.opened_seq if dispute else match.version + 1
    return list(rows.filter(event__seq__gte=since).select_related("event"))


def _says(row: Flag, reason: str) -> bool:
    words = row.event.content["words"].get("reason")
    kept = Words.objects.filter(id=words["id"]).first() if words else None
    return (kept.text if kept else "") == reason
