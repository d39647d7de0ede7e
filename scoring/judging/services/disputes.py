"""Doubts about a deal: flagged from the table, taken on by an arbiter, closed. All on the chain.

A flag changes no point, so it is never stale and comes to a closed match too: disputes come later.
What an arbiter does is stale once somebody else has moved the same dispute on.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Q

from scoring.common.actor import Actor
from scoring.common.errors import ServiceError, Stale
from scoring.judging.queries.flags import raised_by
from scoring.ledger.queries.disputes import disputes_of, ledger_of
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.ledger.services import chain
from scoring.models import (
    Deal,
    Dispute,
    DisputeState,
    EventKind,
    Flag,
    Match,
    MatchState,
    User,
    Void,
    Words,
)
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


@transaction.atomic
def flag(
    *,
    match_id: UUID,
    entry_key: UUID,
    version: int,
    deal_number: int,
    actor: Actor,
    now: datetime,
    words: str = "",
    seat: int | None = None,
) -> Flag:
    """Flags a deal, with a few words or none. The first flag opens a dispute, the others join it. A
    person has one flag of a deal: the same words again are the flag that is there, other words
    replace it."""
    match = chain.locked(match_id)
    if event := chain.first_answer(match, entry_key, EventKind.DEAL_FLAGGED):
        return Flag.objects.get(id=event.subject_id)
    _refuse_unseen(match, version)
    reason = chain.allowed_reason(words)
    _refuse_flag(match, deal_number, seat)
    standing = _standing(match, deal_number)
    own = [row for row in standing if raised_by(row.event, actor)]
    if known := next((row for row in own if _says(row, reason)), None):
        return known
    if len(standing) >= MOST and not own:
        raise ServiceError("flags_full", "", {"limit": MOST})
    row = Flag(deal_number=deal_number, seat=seat)
    write = chain.Write(entry_key, version, actor, now)
    facts = {"deal_number": deal_number}
    chain.append(match, write, EventKind.DEAL_FLAGGED, [row], facts, reason)
    for old in own:  # after the new one, so that the dispute is never without a flag
        taken = chain.Write(uuid4(), match.version, actor, now)
        chain.append(match, taken, EventKind.FLAG_VOIDED, [Void(flag=old)], facts)
    refresh(match, deal_number)
    return row


@transaction.atomic
def withdraw_flag(
    *, match_id: UUID, entry_key: UUID, version: int, flag_id: UUID, actor: Actor, now: datetime
) -> Flag:
    """Takes a flag back: only who raised it may, and only until it is ruled on. The last one ends
    a dispute that no arbiter has taken on."""
    match = chain.locked(match_id)
    if event := chain.first_answer(match, entry_key, EventKind.FLAG_VOIDED):
        return Flag.objects.get(void__id=event.subject_id)
    _refuse_unseen(match, version)
    row = Flag.objects.select_related("event").filter(match=match, id=flag_id).first()
    if row is None or not raised_by(row.event, actor):
        raise ServiceError("not_your_flag", "flag")
    number = match.number_now(row.deal_number, row.event.seq)
    if number is None or hasattr(row, "void"):
        raise ServiceError("not_standing", "flag")
    if not _dispute(match, number).is_under_review:
        raise ServiceError("not_under_review")
    write = chain.Write(entry_key, version, actor, now)
    facts = {"deal_number": number}
    chain.append(match, write, EventKind.FLAG_VOIDED, [Void(flag=row)], facts)
    refresh(match, number)
    return row


@transaction.atomic
def claim(
    *, match_id: UUID, entry_key: UUID, version: int, deal_number: int, actor: Actor, now: datetime
) -> Dispute:
    """An arbiter takes it on, from another one too. Claiming one's own again does nothing."""
    match = chain.locked(match_id)
    if chain.first_answer(match, entry_key, EventKind.DISPUTE_CLAIMED):
        return _dispute(match, deal_number)
    dispute = _dispute(match, deal_number)
    if _is_claimed_by(dispute, actor.user):
        return dispute
    _refuse_moved(match, deal_number, version)
    _refuse_over(dispute)
    write = chain.Write(entry_key, version, actor, now)
    return _move(match, write, EventKind.DISPUTE_CLAIMED, deal_number)


@transaction.atomic
def release(
    *, match_id: UUID, entry_key: UUID, version: int, deal_number: int, actor: Actor, now: datetime
) -> Dispute:
    """Who has claimed it gives it back to the queue."""
    match = chain.locked(match_id)
    if chain.first_answer(match, entry_key, EventKind.DISPUTE_RELEASED):
        return _dispute(match, deal_number)
    _refuse_moved(match, deal_number, version)
    if not _is_claimed_by(_dispute(match, deal_number), actor.user):
        raise ServiceError("not_claimed_by_you")
    write = chain.Write(entry_key, version, actor, now)
    return _move(match, write, EventKind.DISPUTE_RELEASED, deal_number)


@transaction.atomic
def close(
    *,
    match_id: UUID,
    entry_key: UUID,
    version: int,
    deal_number: int,
    note: str,
    actor: Actor,
    now: datetime,
) -> Dispute:
    """Nothing is left to be done, with or without a ruling; the note says why (C56)."""
    match = chain.locked(match_id)
    if chain.first_answer(match, entry_key, EventKind.DISPUTE_CLOSED):
        return _dispute(match, deal_number)
    _refuse_moved(match, deal_number, version, (*MOVES, *FLAGS))
    note = chain.needed_reason(note)
    if _dispute(match, deal_number).state == DisputeState.CLOSED:
        raise ServiceError("not_under_review")
    write = chain.Write(entry_key, version, actor, now)
    return _move(match, write, EventKind.DISPUTE_CLOSED, deal_number, note)


@transaction.atomic
def reopen(
    *,
    match_id: UUID,
    entry_key: UUID,
    version: int,
    deal_number: int,
    reason: str,
    actor: Actor,
    now: datetime,
) -> Dispute:
    """Puts one that is over back into the queue. A ruling that there was stays, and holds until
    another one is published."""
    match = chain.locked(match_id)
    if chain.first_answer(match, entry_key, EventKind.DISPUTE_REOPENED):
        return _dispute(match, deal_number)
    _refuse_moved(match, deal_number, version)
    reason = chain.needed_reason(reason)
    if _dispute(match, deal_number).is_under_review:
        raise ServiceError("under_review")
    write = chain.Write(entry_key, version, actor, now)
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


def _move(
    match: Match, write: chain.Write, kind: EventKind, number: int, reason: str = ""
) -> Dispute:
    chain.append(match, write, kind, facts={"deal_number": number}, reason=reason)
    dispute = refresh(match, number)
    assert dispute
    return dispute


def _dispute(match: Match, number: int) -> Dispute:
    dispute = Dispute.objects.filter(match=match, deal_number=number).first()
    if dispute is None:
        raise ServiceError("no_dispute", "deal_number")
    return dispute


def _is_claimed_by(dispute: Dispute, user: User | None) -> bool:
    claimed = dispute.state == DisputeState.CLAIMED
    return claimed and user is not None and dispute.claimed_by_id == user.id


def _refuse_over(dispute: Dispute) -> None:
    if not dispute.is_under_review:
        raise ServiceError("not_under_review")


def _refuse_unseen(match: Match, version: int) -> None:
    """Any version that there was will do, but for one with other deal numbers."""
    if version > match.version or match.is_renumbered_since(version):
        chain.refuse_stale(match, version)


def _refuse_moved(
    match: Match, number: int, version: int, kinds: Sequence[EventKind] = MOVES
) -> None:
    """Stale where the judging of this number has gone on since."""
    _refuse_unseen(match, version)
    later = match.events.filter(seq__gt=version, kind__in=kinds)
    about = later.filter(Q(content__facts__deal_number=number) | Q(rulings__deal_number=number))
    if events := list(about.select_related("user").order_by("seq")):
        raise Stale(match.version, events, ())


def _refuse_flag(match: Match, number: int, seat: int | None) -> None:
    if match.club_id is None:
        raise ServiceError("no_arbiter")
    if match.state == MatchState.VOIDED:
        raise ServiceError("match_voided")
    if not Deal.objects.filter(match=match, deal_number=number).exists():
        raise ServiceError("wrong_number", "deal_number")
    if seat not in (None, 0, 1, 2, 3):
        raise ServiceError("bad_seat", "seat")


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
