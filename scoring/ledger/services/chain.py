"""Writes to a match: lock, repeated keys, stale versions, events."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Model

from scoring.common.actor import Actor
from scoring.common.errors import RefusalCode, ServiceError, Stale
from scoring.models import Deal, EventKind, LedgerRow, Match, MatchEvent, Words
from scoring.models.canonical import plain
from scoring.models.log import COVERED, note
from scoring.models.triggers import REFUSED
from scoring.rules import ProblemCode

REASON_LENGTH = 500
QUIET = (
    EventKind.MATCH_TAKEN_IN,
    EventKind.REMATCH_OPENED,
    EventKind.PHOTO_ATTACHED,
    EventKind.PHOTO_VOIDED,
    EventKind.SIGNED,
    EventKind.SIGNATURE_VOIDED,
    EventKind.DEAL_FLAGGED,
    EventKind.FLAG_VOIDED,
    EventKind.DISPUTE_CLAIMED,
    EventKind.DISPUTE_RELEASED,
    EventKind.DISPUTE_CLOSED,
    EventKind.DISPUTE_REOPENED,
)
"""What changes no deal and no points: nobody's form is stale because of it."""
logger = logging.getLogger(__name__)


class Overtaken(Exception):
    """Raised where somebody has written since the match was read; nothing was written."""


@dataclass(frozen=True)
class Write:
    """A write to a match.

    The key made when its form was shown, the version that its writer saw, who writes and when.
    `played_at` None: the time of play was not given."""

    match_id: UUID
    entry_key: UUID
    version: int
    actor: Actor
    now: datetime
    played_at: datetime | None = None


def locked(match_id: UUID) -> Match:
    """Return the match with its row locked until the end of the transaction."""
    match = Match.objects.select_for_update(no_key=True).filter(pk=match_id).first()
    if match is None:
        raise Match.DoesNotExist
    return match


def first_answer(match: Match, entry_key: UUID, kind: EventKind) -> MatchEvent | None:
    """Return the event that this key has already written. Expects the lock.

    A key that belongs to another match or another kind of write was not made by this form."""
    event = MatchEvent.objects.filter(entry_key=entry_key).first()
    if event and (event.match_id != match.id or event.kind != kind):
        raise ServiceError(RefusalCode.FORM_EXPIRED, "entry_key")
    return event


def refuse_closed(match: Match, write: Write) -> None:
    """Refuse writes to a closed match, and log them, so that no typed score is lost (C71)."""
    if not match.is_running:
        logger.warning("late write to closed match %s", match.id)
        raise ServiceError(RefusalCode.MATCH_CLOSED)


def refuse_stale(match: Match, write: Write) -> None:
    """Refuse writes against an older version.

    Expects the lock. Events in `QUIET` change nothing that a form shows. Two queries, and only
    where something did come in between."""
    if write.version == match.version:
        return
    later = match.events.filter(seq__gt=write.version).exclude(kind__in=QUIET)
    events = later.select_related("user").order_by("seq")
    if write.version < match.version and not events:
        return
    deals = Deal.objects.filter(match=match, event__seq__gt=write.version).select_related("event")
    raise Stale(match.version, events, deals.order_by("event__seq", "deal_number"))


def refuse_unseen(match: Match, write: Write) -> None:
    """Refuse a version that never was, or one with other deal numbers."""
    if write.version > match.version or match.is_renumbered_since(write.version):
        refuse_stale(match, write)


type Answer[R] = Callable[[Match, MatchEvent], R]
type Refusal = Callable[[Match, Write], None]


def match_write[**P, R](
    kind: EventKind,
    answer: Answer[R],
    *,
    settled: Callable[[Match], R | None] = lambda match: None,
    refuse: Sequence[Refusal] = (refuse_closed, refuse_stale),
) -> Callable[[Callable[Concatenate[Match, Write, P], R]], Callable[Concatenate[Write, P], R]]:
    """Make a service of a function that writes events of this kind to a locked match.

    The service takes a `Write` in place of the match, in one transaction, and does in this order:
    lock the match (`DoesNotExist` without one); give the first answer again if the entry key is
    known; return what `settled` finds already done; refuse; call the function."""

    def service_of(function: Callable[Concatenate[Match, Write, P], R]) -> Any:
        @wraps(function)
        @transaction.atomic
        def service(write: Write, *args: P.args, **kwargs: P.kwargs) -> R:
            match = locked(write.match_id)
            if event := first_answer(match, write.entry_key, kind):
                return answer(match, event)
            if (found := settled(match)) is not None:
                return found
            for refusal in refuse:
                refusal(match, write)
            return function(match, write, *args, **kwargs)

        return service

    return service_of


def same_match(match: Match, event: MatchEvent) -> Match:
    """Return the match itself as the answer of a service."""
    return match


def row_of[M: Model](model: type[M]) -> Answer[M]:
    """Return a function that answers with the one row of this model."""
    return lambda match, event: model._default_manager.get(pk=event.subject_id)


def row_voided[M: Model](model: type[M]) -> Answer[M]:
    """Return a function that answers with the row of this model that was voided."""
    return lambda match, event: model._default_manager.get(void__id=event.subject_id)


def append(
    match: Match,
    write: Write,
    kind: EventKind,
    rows: Sequence[LedgerRow] = (),
    facts: Mapping[str, Any] | None = None,
    reason: str = "",
    words: Mapping[str, str] | None = None,
) -> MatchEvent:
    """Write the rows and the one event that names them, and update the match.

    Raises `Overtaken` where the match is not what it was when it was read, which cannot be under
    the lock.

    `facts` that bear the name of one of `Match.FACTS` are what the match says from now on. Words,
    the reason and others by name, stay outside the hash."""
    event = drafted(match, write, kind, rows, facts, reason, words)
    moved = {name: getattr(match, name) for name in Match.FACTS if name in event.content["facts"]}
    moved |= {"version": event.seq, "head": event.hash}
    as_read = Match.objects.filter(pk=match.pk, version=match.version, head=match.head)
    if not as_read.update(**moved):
        raise Overtaken
    _insert(event)
    for row in rows:
        row.save(force_insert=True)
    match.version, match.head = event.seq, event.hash
    if not moved.keys().isdisjoint(COVERED["match"]):
        note([match])
    return event


def drafted(
    match: Match,
    write: Write,
    kind: EventKind,
    rows: Sequence[LedgerRow] = (),
    facts: Mapping[str, Any] | None = None,
    reason: str = "",
    words: Mapping[str, str] | None = None,
) -> MatchEvent:
    """Return the next event of a match with its rows, not saved yet.

    Its subject is its only row, else the match."""
    subject_kind, subject_id = (
        (rows[0].TABLE, rows[0].id) if len(rows) == 1 else ("match", match.id)
    )
    event = MatchEvent(
        match=match,
        seq=match.version + 1,
        kind=kind,
        subject_kind=subject_kind,
        subject_id=subject_id,
        prev_hash=match.head,
        entry_key=write.entry_key,
        on_version=write.version,
        user=write.actor.user,
        device=write.actor.device,
        played_at=write.played_at,
        entered_at=write.now,
    )
    for row in rows:
        row.match, row.event = match, event
    said = {"reason": reason, **(words or {})}
    event.content = plain(
        {
            "rows": [[row.TABLE, row.id, row.digest()] for row in rows],
            "facts": facts or {},
            "words": {name: _kept(text) for name, text in said.items() if text},
        }
    )
    event.hash = event.work_out_hash()
    return event


def _insert(event: MatchEvent) -> None:
    """Save the event; refuse a key that is already used.

    It is of another match, since no two forms of ours share one, or nobody asked for the first
    answer."""
    try:
        event.save(force_insert=True)
    except IntegrityError as error:
        # SQLite's trigger is asked first, and of what is unique only the key can be known.
        if not any(told in str(error) for told in ("entry_key", REFUSED)):
            raise
        raise ServiceError(RefusalCode.FORM_EXPIRED, "entry_key") from None


def needed_reason(text: str) -> str:
    """Return the reason as it is stored; refuse an empty one."""
    reason = allowed_reason(text)
    if not reason:
        raise ServiceError(ProblemCode.MISSING, "reason")
    return reason


def allowed_reason(text: str) -> str:
    """Return the reason as it is stored, perhaps empty."""
    reason = text.replace("\0", "").strip()
    if len(reason) > REASON_LENGTH:
        raise ServiceError(
            RefusalCode.TOO_LONG, "reason", {"limit": REASON_LENGTH, "length": len(reason)}
        )
    return reason


def _kept(text: str) -> dict[str, Any]:
    words = Words.objects.create(text=text)
    return {"id": words.id, "digest": words.digest()}
