"""Attach card records to deals, move and withdraw them; rows are only added.

A closed match accepts records too, since disputes come later (C59)."""

import json
from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID, uuid5

from django.db import transaction

from scoring.common.errors import RefusalCode, ServiceError, raise_for
from scoring.ledger.queries.snapshots import MatchSnapshot, snapshot_of
from scoring.ledger.queries.verdicts import content_of
from scoring.ledger.services import chain, verdicts
from scoring.ledger.services.chain import Write, match_write, row_of, row_voided
from scoring.models import CardRecord, EventKind, Match, Player, Verdict, Void
from scoring.models.names import same_name
from scoring.records.queries.records import (
    cards_of_other_decks,
    is_empty_record,
    same_elsewhere,
    same_record,
)
from scoring.replay.record import Record
from scoring.rules import Problem, ProblemCode

# More than every card of a deck with three passes before it; a longer record would slow its page.
MOST_PLAYS = 400


@match_write(EventKind.RECORD_ATTACHED, row_of(CardRecord), refuse=[chain.refuse_stale])
def attach(match: Match, write: Write, *, deal_number: int, record: Record) -> CardRecord:
    """Attach a record to a deal that was played or is due.

    It replaces an earlier record of the deal unless that shows more cards. Refuses a record that is
    attached already and one of another rule system, but not one that differs from the entry."""
    table = snapshot_of(match)
    raise_for([*number_problems(table, deal_number), *record_problems(table, record)])
    if same := same_record(match, deal_number, record):
        numbers = {"at": same.event.entered_at.isoformat(), "row": str(same.id)}
        raise ServiceError(RefusalCode.ALREADY_ATTACHED, "record", numbers)
    row = CardRecord(deal_number=deal_number, content=content_of(record))
    tags = {"id": record.id, "tags": _tags(match, record)}
    words = {"tags": json.dumps(tags, ensure_ascii=False)}
    chain.append(match, write, EventKind.RECORD_ATTACHED, [row], words=words)
    verdicts.refresh(table)
    return row


@transaction.atomic
def move(
    write: Write, *, deal_number: int, record: Record, from_id: UUID, reason: str
) -> CardRecord:
    """Attach a record here and withdraw the row with the same content (`from_id`) in another match
    of the club, both or neither."""
    row = CardRecord.objects.filter(id=from_id).first()
    if row is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "record")
    for each in sorted({write.match_id, row.match_id}):  # one order for all, against deadlocks
        chain.locked(each)
    match = chain.locked(write.match_id)
    known = chain.first_answer(match, write.entry_key, EventKind.RECORD_ATTACHED)
    if known is None and row not in same_elsewhere(match, record):
        raise ServiceError(RefusalCode.NOT_STANDING, "record")
    attached = attach(write, deal_number=deal_number, record=record)
    withdrawal = replace(
        write,
        match_id=row.match_id,
        entry_key=uuid5(write.entry_key, row.id.hex),
        version=chain.locked(row.match_id).version,
    )
    void_record(withdrawal, record_id=row.id, reason=reason)
    return attached


def _tags(match: Match, record: Record) -> dict[str, str]:
    """Return the tags of a record without the own names of hidden players. One query."""
    own = Player.objects.filter(seatings__match=match, hidden_at__isnull=False)
    hidden = {same_name(name) for name in own.values_list("own_name", flat=True)}
    return {tag: text for tag, text in record.tags.items() if same_name(text) not in hidden}


@match_write(EventKind.RECORD_VOIDED, row_voided(CardRecord), refuse=[chain.refuse_stale])
def void_record(match: Match, write: Write, *, record_id: UUID, reason: str) -> CardRecord:
    """Withdraw a record; an earlier one of the deal counts again, if there is any."""
    reason = chain.needed_reason(reason)
    row = CardRecord.objects.standing().filter(match=match, id=record_id).first()
    if row is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "record")
    chain.append(match, write, EventKind.RECORD_VOIDED, [Void(record=row)], reason=reason)
    Verdict.objects.filter(record=row).delete()
    verdicts.refresh(snapshot_of(match))
    return row


def number_problems(table: MatchSnapshot, deal_number: int) -> Iterator[Problem]:
    """Check that a record is of a deal that was played or is due."""
    last = max((deal.deal_number for deal in table.played), default=0)
    most = last if table.turn.over else max(last, table.turn.deal_number)
    if not 1 <= deal_number <= most:
        yield Problem(ProblemCode.WRONG_NUMBER, "deal_number", {"expected": most})


def record_problems(table: MatchSnapshot, record: Record) -> Iterator[Problem]:
    """Yield the reasons why a record cannot be of this match."""
    if record.errors:
        yield Problem(RefusalCode.UNREADABLE, "record", {"errors": len(record.errors)})
    elif record.system != table.match.system:
        numbers = {"found": record.system, "expected": table.match.system}
        yield Problem(RefusalCode.OTHER_SYSTEM, "record", numbers)
    elif is_empty_record(record):
        yield Problem(ProblemCode.MISSING, "record")
    elif len(record.plays) > MOST_PLAYS:
        counts = {"found": len(record.plays), "limit": MOST_PLAYS}
        yield Problem(RefusalCode.TOO_MANY_PLAYS, "record", counts)
    elif cards := cards_of_other_decks(record, table.ruleset):
        yield Problem(ProblemCode.UNKNOWN_CARD, "record", {"cards": cards})
