"""A match: opened, begun, finished or broken off, voided, reopened, played again."""

from collections.abc import Sequence
from datetime import date, datetime
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction

from scoring.common.actor import Actor
from scoring.common.errors import ServiceError
from scoring.ledger.queries.snapshots import ruleset_of, seating_rows, sittings, snapshot_of
from scoring.ledger.services import chain, lease
from scoring.models import Club, Evening, EventKind, Match, MatchEvent, MatchState, Seating
from scoring.models.days import day_of, moved_to
from scoring.models.matches import TABLE_NAME_LENGTH
from scoring.models.names import clean_name
from scoring.people.services.naming import Chosen, seat_people
from scoring.phones.services import links
from scoring.rules import Ruleset
from scoring.standings.services import results


def open_match(
    *,
    ruleset: Ruleset,
    players: Sequence[Chosen],
    actor: Actor,
    now: datetime,
    entry_key: UUID,
    preset: str = "",
    rules_name: str = "",
    club: Club | None = None,
    table_name: str = "",
    first_chooser: int | None = None,
    first_dealer: int | None = None,
    played_at: datetime | None = None,
    external_id: str = "",
    rematch_of: Match | None = None,
    evening: Evening | None = None,
    round_number: int | None = None,
    table_number: int | None = None,
) -> Match:
    """Seats four people, in play order, under these rules. A player is a row, its id or a name. A
    table of an evening is opened by whoever hosts it: who keeps score there is left to the table.
    """
    match = Match(
        club=club,
        system=ruleset.system,
        options=ruleset.options(),
        preset=preset,
        rules_name=rules_name,
        table_name=_kept_table_name(table_name),
        first_chooser=_kept_seat("first_chooser", first_chooser),
        first_dealer=_kept_seat("first_dealer", first_dealer),
        holder_device=actor.device,
        opened_by=actor.user,
        opened_at=now,
        played_at=played_at or now,
        external_id=external_id,
        rematch_of=rematch_of,
        evening=evening,
        round_number=round_number,
        table_number=table_number,
    )
    if evening is None:
        lease.hand_over(match, actor, now)
    write = chain.Write(entry_key, 0, actor, now, played_at)
    if answered := _opened_with(entry_key):
        return answered
    try:
        return _open(match, players, write)
    except (IntegrityError, ServiceError):
        # Another connection wrote the same key in between: its answer is the answer.
        if answered := _opened_with(entry_key):
            return answered
        raise


@transaction.atomic
def set_first_chooser(
    *,
    match_id: UUID,
    entry_key: UUID,
    version: int,
    actor: Actor,
    now: datetime,
    chooser: int | None = None,
    dealer: int | None = None,
) -> Match:
    """Says who begins: the first chooser, the first dealer, or both; what is not said stays. Only
    before the first deal."""
    match = chain.locked(match_id)
    if chain.first_answer(match, entry_key, EventKind.FIRST_CHOOSER_SET):
        return match
    chain.refuse_closed(match)
    chain.refuse_stale(match, version)
    if match.current_deals.exists():
        raise ServiceError("already_begun", "first_chooser")
    if chooser is None and dealer is None:
        raise ServiceError("missing", "first_chooser")
    if chooser is not None:
        match.first_chooser = _kept_seat("first_chooser", chooser)
    if dealer is not None:
        match.first_dealer = _kept_seat("first_dealer", dealer)
    facts = {"first_chooser": match.first_chooser, "first_dealer": match.first_dealer}
    write = chain.Write(entry_key, version, actor, now)
    chain.append(match, write, EventKind.FIRST_CHOOSER_SET, facts=facts)
    return match


@transaction.atomic
def change_day(
    *,
    match_id: UUID,
    entry_key: UUID,
    version: int,
    actor: Actor,
    now: datetime,
    day: date,
    reason: str,
) -> Match:
    """Moves a match to the day on which it was played, whatever its state; the time of day stays.
    Standings, seasons and ratings follow, closed seasons keep what was announced.

    Refused: `in_future`, and `missing` without a reason.
    """
    match = chain.locked(match_id)
    if chain.first_answer(match, entry_key, EventKind.DAY_CHANGED):
        return match
    chain.refuse_stale(match, version)
    reason = chain.needed_reason(reason)
    if day == day_of(match.club, match.played_at):
        return match
    match.played_at = moved_to(match.club, match.played_at, day)
    _refuse_future(match, now)
    write = chain.Write(entry_key, version, actor, now, match.played_at)
    facts = {"played_at": match.played_at}
    chain.append(match, write, EventKind.DAY_CHANGED, facts=facts, reason=reason)
    match.verdicts.update(played_at=match.played_at)
    if match.state == MatchState.FINISHED:
        results.refresh(snapshot_of(match))
    return match


@transaction.atomic
def finish(*, match_id: UUID, entry_key: UUID, version: int, actor: Actor, now: datetime) -> Match:
    """Closes a match whose deals are all played, and writes its results. Closing a closed match
    does nothing. A tie-break deal that is due need not be played: the tied then share."""
    match = chain.locked(match_id)
    if match.state == MatchState.FINISHED:
        return match
    if chain.first_answer(match, entry_key, EventKind.MATCH_FINISHED):
        return match
    chain.refuse_closed(match)
    chain.refuse_stale(match, version)
    table = snapshot_of(match)
    if not (table.turn.over or table.turn.is_extra):
        left = {"deals": len(table.played), "expected": table.turn.deals_total}
        raise ServiceError("not_over", "", left)
    write = chain.Write(entry_key, version, actor, now)
    _enter(match, MatchState.FINISHED, write, EventKind.MATCH_FINISHED)
    results.refresh(table)
    return match


@transaction.atomic
def break_off(
    *, match_id: UUID, entry_key: UUID, version: int, actor: Actor, now: datetime, reason: str = ""
) -> Match:
    """Closes a match that is not played to its end: its people are free and it counts nowhere.
    Every deal stays, and `reopen` takes it up on any other day. Doing it twice does nothing."""
    match = chain.locked(match_id)
    if match.state == MatchState.UNFINISHED:
        return match
    if chain.first_answer(match, entry_key, EventKind.MATCH_BROKEN_OFF):
        return match
    chain.refuse_closed(match)
    chain.refuse_stale(match, version)
    reason = chain.allowed_reason(reason)
    write = chain.Write(entry_key, version, actor, now)
    _enter(match, MatchState.UNFINISHED, write, EventKind.MATCH_BROKEN_OFF, reason)
    return match


@transaction.atomic
def void_match(
    *, match_id: UUID, entry_key: UUID, version: int, actor: Actor, now: datetime, reason: str
) -> Match:
    """As if it had not been played, in whatever state it is: no results, but every row stays and
    `reopen` leads back. Doing it twice does nothing."""
    match = chain.locked(match_id)
    if match.state == MatchState.VOIDED:
        return match
    if chain.first_answer(match, entry_key, EventKind.MATCH_VOIDED):
        return match
    chain.refuse_stale(match, version)
    reason = chain.needed_reason(reason)
    write = chain.Write(entry_key, version, actor, now)
    _enter(match, MatchState.VOIDED, write, EventKind.MATCH_VOIDED, reason)
    results.drop(match)
    return match


@transaction.atomic
def reopen(
    *, match_id: UUID, entry_key: UUID, version: int, actor: Actor, now: datetime, reason: str = ""
) -> Match:
    """Lets a closed match go on, however it was closed; it has no results until it is finished. The
    phone that reopens it keeps score."""
    match = chain.locked(match_id)
    if chain.first_answer(match, entry_key, EventKind.MATCH_REOPENED) or match.is_running:
        return match
    chain.refuse_stale(match, version)
    reason = chain.allowed_reason(reason)
    write = chain.Write(entry_key, version, actor, now)
    _enter(match, MatchState.RUNNING, write, EventKind.MATCH_REOPENED, reason)
    results.drop(match)
    lease.hand_over(match, actor, now)
    match.save(update_fields=lease.FIELDS)
    return match


@transaction.atomic
def rematch(
    *, match_id: UUID, turn_seats: bool, actor: Actor, now: datetime, entry_key: UUID
) -> Match:
    """A new match of the same four people under the same rules; with `turn_seats` each sits one
    seat further on. The phones of the table come along. While it has no deal yet, asking again (on
    any phone) gives the same one."""
    old = chain.locked(match_id)
    if answered := _opened_with(entry_key):
        return answered
    waiting = old.rematches.running().filter(current_deals=None).first()
    if waiting:
        return waiting
    rows = seating_rows(old)
    people = {row.player_id: row.player for row in rows}
    now_sit = [people[seat[-1].player_id] for seat in sittings(rows)]
    new = open_match(
        ruleset=ruleset_of(old),
        preset=old.preset,
        rules_name=old.rules_name,
        players=[*now_sit[-1:], *now_sit[:-1]] if turn_seats else now_sit,
        club=old.club,
        table_name=old.table_name,
        actor=actor,
        now=now,
        entry_key=entry_key,
        rematch_of=old,
    )
    links.bring_along(old, new, actor=actor, now=now, seats_on=int(turn_seats))
    # Whoever still looks at the old match is shown the way: its pages change with an event.
    write = chain.Write(uuid4(), old.version, actor, now)
    chain.append(old, write, EventKind.REMATCH_OPENED, facts={"rematch": new.id})
    return new


@transaction.atomic
def _open(match: Match, players: Sequence[Chosen], write: chain.Write) -> Match:
    people = seat_people(match.club, players)
    match.save(force_insert=True)
    seats = [Seating(seat=seat, player=player) for seat, player in enumerate(people)]
    chain.append(match, write, EventKind.MATCH_OPENED, seats, facts=match.facts())
    return match


def _opened_with(entry_key: UUID) -> Match | None:
    event = MatchEvent.objects.filter(entry_key=entry_key).select_related("match__club").first()
    if event and event.kind != EventKind.MATCH_OPENED:
        raise ServiceError("form_expired", "entry_key")
    return event.match if event else None


def _enter(
    match: Match, state: MatchState, write: chain.Write, kind: EventKind, reason: str = ""
) -> None:
    """Expects the lock. A match that is not running was closed now."""
    match.state = state
    match.closed_at = None if state == MatchState.RUNNING else write.now
    facts = {"state": match.state, "closed_at": match.closed_at}
    chain.append(match, write, kind, facts=facts, reason=reason)


def _refuse_future(match: Match, now: datetime) -> None:
    """A match belongs to a day that has begun."""
    if day_of(match.club, match.played_at) > day_of(match.club, now):
        raise ServiceError("in_future", "day")


def _kept_table_name(text: str) -> str:
    name = clean_name(text)
    if len(name) > TABLE_NAME_LENGTH:
        numbers = {"limit": TABLE_NAME_LENGTH, "length": len(name)}
        raise ServiceError("too_long", "table_name", numbers)
    return name


def _kept_seat(field: str, seat: int | None) -> int | None:
    if seat not in (None, 0, 1, 2, 3):
        raise ServiceError("bad_seat", field)
    return seat
