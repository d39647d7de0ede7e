"""A match: opened, begun, finished or broken off, voided, reopened, played again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction

from scoring.common.actor import Actor
from scoring.common.errors import RefusalCode, ServiceError
from scoring.ledger.queries.snapshots import ruleset_of, seating_rows, sittings, snapshot_of
from scoring.ledger.services import chain, lease
from scoring.ledger.services.chain import Write, match_write, refuse_stale, same_match
from scoring.models import Club, Evening, EventKind, Match, MatchEvent, MatchState, Seating
from scoring.models.days import day_of, moved_to
from scoring.models.matches import TABLE_NAME_LENGTH
from scoring.models.names import clean_name
from scoring.people.services.naming import Chosen, seat_people
from scoring.phones.services import links
from scoring.rules import ProblemCode, Ruleset
from scoring.standings.services import results


@dataclass(frozen=True)
class NewMatch:
    """A match to be opened: four players in play order, each a row, its id or a name, and the rules
    they play by. A table of a game night has its `evening`, round and table number."""

    ruleset: Ruleset
    players: Sequence[Chosen]
    preset: str = ""
    rules_name: str = ""
    club: Club | None = None
    table_name: str = ""
    first_chooser: int | None = None
    first_dealer: int | None = None
    played_at: datetime | None = None
    external_id: str = ""
    rematch_of: Match | None = None
    evening: Evening | None = None
    round_number: int | None = None
    table_number: int | None = None

    def row(self, actor: Actor, now: datetime) -> Match:
        """The row as it would be saved."""
        return Match(
            club=self.club,
            system=self.ruleset.system,
            options=self.ruleset.options(),
            preset=self.preset,
            rules_name=self.rules_name,
            table_name=_kept_table_name(self.table_name),
            first_chooser=_kept_seat("first_chooser", self.first_chooser),
            first_dealer=_kept_seat("first_dealer", self.first_dealer),
            holder_device=actor.device,
            opened_by=actor.user,
            opened_at=now,
            played_at=self.played_at or now,
            external_id=self.external_id,
            rematch_of=self.rematch_of,
            evening=self.evening,
            round_number=self.round_number,
            table_number=self.table_number,
        )


def open_match(new: NewMatch, *, actor: Actor, now: datetime, entry_key: UUID) -> Match:
    """Seat four people under these rules. Whoever opens the match keeps score; at a table of a game
    night, which the host opens, that is left to the table. The same key again gives the match that
    it opened."""
    match = new.row(actor, now)
    if new.evening is None:
        lease.hand_over(match, actor, now)
    if answered := _opened_with(entry_key):
        return answered
    write = Write(match.id, entry_key, 0, actor, now, new.played_at)
    try:
        return _open(match, new.players, write)
    except (IntegrityError, ServiceError):
        # Another connection wrote the same key in between: its answer is the answer.
        if answered := _opened_with(entry_key):
            return answered
        raise


@match_write(EventKind.FIRST_CHOOSER_SET, same_match)
def set_first_chooser(
    match: Match, write: Write, *, chooser: int | None = None, dealer: int | None = None
) -> Match:
    """Says who begins: the first chooser, the first dealer, or both; what is not said stays. Only
    before the first deal."""
    if match.current_deals.exists():
        raise ServiceError(RefusalCode.ALREADY_BEGUN, "first_chooser")
    if chooser is None and dealer is None:
        raise ServiceError(ProblemCode.MISSING, "first_chooser")
    if chooser is not None:
        match.first_chooser = _kept_seat("first_chooser", chooser)
    if dealer is not None:
        match.first_dealer = _kept_seat("first_dealer", dealer)
    facts = {"first_chooser": match.first_chooser, "first_dealer": match.first_dealer}
    chain.append(match, write, EventKind.FIRST_CHOOSER_SET, facts=facts)
    return match


@match_write(EventKind.DAY_CHANGED, same_match, refuse=[refuse_stale])
def change_day(match: Match, write: Write, *, day: date, reason: str) -> Match:
    """Moves a match to the day on which it was played, whatever its state; the time of day stays.
    Standings, seasons and ratings follow, closed seasons keep what was announced.

    Refused: `in_future`, and `missing` without a reason.
    """
    reason = chain.needed_reason(reason)
    if day == day_of(match.club, match.played_at):
        return match
    match.played_at = moved_to(match.club, match.played_at, day)
    _refuse_future(match, write.now)
    write = replace(write, played_at=match.played_at)
    facts = {"played_at": match.played_at}
    chain.append(match, write, EventKind.DAY_CHANGED, facts=facts, reason=reason)
    match.verdicts.update(played_at=match.played_at)
    if match.state == MatchState.FINISHED:
        results.refresh(snapshot_of(match))
    return match


def _already(state: MatchState) -> Callable[[Match], Match | None]:
    return lambda match: match if match.state == state else None


@match_write(EventKind.MATCH_FINISHED, same_match, settled=_already(MatchState.FINISHED))
def finish(match: Match, write: Write) -> Match:
    """Closes a match whose deals are all played, and writes its results. Closing a closed match
    does nothing. A tie-break deal that is due need not be played: the tied then share."""
    table = snapshot_of(match)
    if not (table.turn.over or table.turn.is_extra):
        left = {"deals": len(table.played), "expected": table.turn.deals_total}
        raise ServiceError(RefusalCode.NOT_OVER, "", left)
    _enter(match, MatchState.FINISHED, write, EventKind.MATCH_FINISHED)
    results.refresh(table)
    return match


@match_write(EventKind.MATCH_BROKEN_OFF, same_match, settled=_already(MatchState.UNFINISHED))
def break_off(match: Match, write: Write, *, reason: str = "") -> Match:
    """Closes a match that is not played to its end: its people are free and it counts nowhere.
    Every deal stays, and `reopen` takes it up on any other day. Doing it twice does nothing."""
    reason = chain.allowed_reason(reason)
    _enter(match, MatchState.UNFINISHED, write, EventKind.MATCH_BROKEN_OFF, reason)
    return match


@match_write(
    EventKind.MATCH_VOIDED,
    same_match,
    settled=_already(MatchState.VOIDED),
    refuse=[refuse_stale],
)
def void_match(match: Match, write: Write, *, reason: str) -> Match:
    """As if it had not been played, in whatever state it is: no results, but every row stays and
    `reopen` leads back. Doing it twice does nothing."""
    reason = chain.needed_reason(reason)
    _enter(match, MatchState.VOIDED, write, EventKind.MATCH_VOIDED, reason)
    results.drop(match)
    return match


@match_write(
    EventKind.MATCH_REOPENED,
    same_match,
    settled=_already(MatchState.RUNNING),
    refuse=[refuse_stale],
)
def reopen(match: Match, write: Write, *, reason: str = "") -> Match:
    """Lets a closed match go on, however it was closed; it has no results until it is finished. The
    phone that reopens it keeps score."""
    reason = chain.allowed_reason(reason)
    _enter(match, MatchState.RUNNING, write, EventKind.MATCH_REOPENED, reason)
    results.drop(match)
    lease.hand_over(match, write.actor, write.now)
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
    again = NewMatch(
        ruleset=ruleset_of(old),
        preset=old.preset,
        rules_name=old.rules_name,
        players=[*now_sit[-1:], *now_sit[:-1]] if turn_seats else now_sit,
        club=old.club,
        table_name=old.table_name,
        rematch_of=old,
    )
    new = open_match(again, actor=actor, now=now, entry_key=entry_key)
    links.bring_along(old, new, actor=actor, now=now, seats_on=int(turn_seats))
    # Whoever still looks at the old match is shown the way: its pages change with an event.
    write = Write(old.id, uuid4(), old.version, actor, now)
    chain.append(old, write, EventKind.REMATCH_OPENED, facts={"rematch": new.id})
    return new


@transaction.atomic
def _open(match: Match, players: Sequence[Chosen], write: Write) -> Match:
    people = seat_people(match.club, players)
    match.save(force_insert=True)
    seats = [Seating(seat=seat, player=player) for seat, player in enumerate(people)]
    chain.append(match, write, EventKind.MATCH_OPENED, seats, facts=match.facts())
    return match


def _opened_with(entry_key: UUID) -> Match | None:
    event = MatchEvent.objects.filter(entry_key=entry_key).select_related("match__club").first()
    if event and event.kind != EventKind.MATCH_OPENED:
        raise ServiceError(RefusalCode.FORM_EXPIRED, "entry_key")
    return event.match if event else None


def _enter(
    match: Match, state: MatchState, write: Write, kind: EventKind, reason: str = ""
) -> None:
    """Expects the lock. A match that is not running was closed now."""
    match.state = state
    match.closed_at = None if state == MatchState.RUNNING else write.now
    facts = {"state": match.state, "closed_at": match.closed_at}
    chain.append(match, write, kind, facts=facts, reason=reason)


def _refuse_future(match: Match, now: datetime) -> None:
    """A match belongs to a day that has begun."""
    if day_of(match.club, match.played_at) > day_of(match.club, now):
        raise ServiceError(RefusalCode.IN_FUTURE, "day")


def _kept_table_name(text: str) -> str:
    name = clean_name(text)
    if len(name) > TABLE_NAME_LENGTH:
        numbers = {"limit": TABLE_NAME_LENGTH, "length": len(name)}
        raise ServiceError(RefusalCode.TOO_LONG, "table_name", numbers)
    return name


def _kept_seat(field: str, seat: int | None) -> int | None:
    if seat not in (None, 0, 1, 2, 3):
        raise ServiceError(ProblemCode.BAD_SEAT, field)
    return seat
