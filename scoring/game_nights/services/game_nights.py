"""An evening of several tables: planned, drawn round by round, opened, ended.

What was drawn is no part of the ledger: until the tables of a round are opened it may be drawn
again. From then on the matches themselves say who sat where.
"""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext, override

from scoring.common.actor import Actor
from scoring.common.errors import RefusalCode, ServiceError
from scoring.corrections.queries.seating import newest_number
from scoring.corrections.services import seats
from scoring.game_nights.queries.game_nights import (
    DrawnRound,
    GameNightCourse,
    at_tables,
    course_of,
    field_of,
    rules_of,
)
from scoring.ledger.queries.snapshots import seating_rows, snapshot_of
from scoring.ledger.services import chain
from scoring.ledger.services.chain import Write
from scoring.matches.services.matches import NewMatch, open_match
from scoring.models import (
    DrawMethod,
    DrawnSeat,
    Evening,
    EveningPlayer,
    EveningRound,
    Match,
    Player,
)
from scoring.people.services.naming import hold
from scoring.rules import drawing

METHODS: tuple[drawing.Method, ...] = ("lot", "standing", "meet")
FEWEST = 4


# ── who takes part ──────────────────────────────────────────────────────


@transaction.atomic
def attend(
    *, evening_id: UUID, coming: Iterable[Player] = (), leaving: Iterable[Player] = ()
) -> None:
    """Who comes plays from the next round on; who leaves plays no round that is not begun, and is
    taken off the list where they never played. Nothing changes for who is here or gone already."""
    course = _locked(evening_id)
    for player in coming:
        row = _in_club(course, player)
        if row not in course.here:
            row.until_round = row.pair = None
            row.save()
    for player in leaving:
        gone = course.row_of(player.id)
        if gone in course.here and gone:
            _goes(gone, course.begun)


@transaction.atomic
def pair(*, evening_id: UUID, one: UUID | None, other: UUID | None = None) -> None:
    """These two play together from the next round on, and with nobody else; without another one
    somebody has no partner any more."""
    course = _locked(evening_id)
    wanted = [row for row in course.here if row.player_id in {one, other}]
    if len(wanted) != len({one, other} - {None}) or not wanted:
        raise ServiceError(RefusalCode.NOT_HERE, "other")
    parted = {row.pair for row in wanted} - {None}
    course.evening.players.filter(pair__in=parted).update(pair=None)
    if len(wanted) == 2:
        taken = {row.pair for row in course.people} - {None} - parted
        free = min(set(range(1, len(taken) + 2)) - taken)
        course.evening.players.filter(id__in=[row.id for row in wanted]).update(pair=free)


@transaction.atomic
def substitute(
    *, evening_id: UUID, leaving: Player, coming: Player, actor: Actor, now: datetime
) -> Match | None:
    """Sits down for somebody at once: at the table from its next deal on, in the seats that are
    drawn, with the same partner. Gives the match where one sat down in the middle of it: somebody
    who has a bye may do that, and it may be for somebody who is not ticked any more."""
    course = _locked(evening_id)
    sitting = at_tables(course)
    before = course.row_of(leaving.id)
    if before is None or not (leaving in sitting or before in course.here):
        raise ServiceError(RefusalCode.NOT_HERE, "leaving")
    row = _in_club(course, coming)
    if coming in sitting or (row in course.here and leaving not in sitting):
        raise ServiceError(RefusalCode.HERE_ALREADY, "coming")
    match = _sits_down(course, leaving, coming, actor, now)
    row.until_round, row.pair = None, before.pair or row.pair
    row.from_round = min(row.from_round, course.begun if match else course.next_number)
    row.save()
    if before in course.here:
        _goes(before, course.begun)
    if course.waiting:
        DrawnSeat.objects.filter(round=course.waiting.row, player=leaving).update(player=coming)
        _touch(course.waiting, now)
    return match


def _sits_down(
    course: GameNightCourse, leaving: Player, coming: Player, actor: Actor, now: datetime
) -> Match | None:
    """In the match that is being played, if there is one."""
    for running in course.playing:
        match = chain.locked(running.id)
        rows, table = seating_rows(match), snapshot_of(match)
        sitting = seats.now_sitting(rows, newest_number(table))
        if match.is_running and leaving in sitting:
            key = uuid5(match.id, f"{leaving.id} {coming.id} {match.version}")
            return seats.reseat(
                Write(match.id, key, match.version, actor, now),
                players=[coming if one == leaving else one for one in sitting],
                from_deal=newest_number(table),
            )
    return None


def _in_club(course: GameNightCourse, player: Player) -> EveningPlayer:
    """Their row, a new one where they were not here yet."""
    if player.club_id != course.evening.club_id:
        raise ServiceError(RefusalCode.UNKNOWN_PLAYER, "player")
    known = course.row_of(player.id)
    return known or EveningPlayer(
        evening=course.evening, player=player, from_round=course.next_number
    )


def _goes(row: EveningPlayer, begun: int) -> None:
    if row.from_round > begun:
        row.delete()
        return
    row.until_round, row.pair = begun, None
    row.save(update_fields=["until_round", "pair"])


# ── the draw ────────────────────────────────────────────────────────────


@transaction.atomic
def draw(
    *, evening_id: UUID, method: drawing.Method, seed: int, seen: str, actor: Actor, now: datetime
) -> EveningRound:
    """Draws the seats of the next round, or draws them again while its tables are not opened.
    `seen` is the `mark` of the draw that was looked at."""
    course = _locked(evening_id)
    _refuse_seen(course, seen)
    _refuse_playing(course)
    if len(course.here) < FEWEST:
        raise ServiceError(RefusalCode.TOO_FEW, "", {"count": len(course.here), "needed": FEWEST})
    found = drawing.draw(field_of(course), method, seed)
    if course.waiting:
        course.waiting.row.delete()
    row = EveningRound.objects.create(
        evening=course.evening,
        number=course.next_number,
        method=method,
        seed=seed,
        drawn_by=actor.user,
        drawn_at=now,
    )
    DrawnSeat.objects.bulk_create(_rows(row, found))
    return row


@transaction.atomic
def exchange(
    *, evening_id: UUID, one: UUID | None, other: UUID | None, seen: str, now: datetime
) -> None:
    """Exchanges two people by hand, be it seats or the bye; the draw says so from then on. Pairs
    move together, and where they cannot it is refused with `parts_a_pair`."""
    course = _locked(evening_id)
    waiting = _waiting(course, seen)
    if one == other or not {one, other} <= waiting.people:
        raise ServiceError(RefusalCode.NOT_HERE, "other")
    assert one
    assert other
    found = drawing.Seats(
        tuple(_four(players) for players in waiting.tables.values()),
        tuple(player.id for player in waiting.byes),
    )
    partners = field_of(course).partners if course.evening.in_pairs else ()
    after = drawing.exchanged(found, one, other, partners)
    if after is None:
        raise ServiceError(RefusalCode.PARTS_A_PAIR, "other")
    DrawnSeat.objects.filter(round=waiting.row).delete()
    DrawnSeat.objects.bulk_create(_rows(waiting.row, after))
    waiting.row.method = DrawMethod.HAND
    _touch(waiting, now)


@transaction.atomic
def open_tables(*, evening_id: UUID, number: int, seen: str, actor: Actor, now: datetime) -> None:
    """Opens a match for every table that was drawn. A round that is open already stays as it is."""
    course = _locked(evening_id)
    if number <= course.begun:
        return
    waiting = _waiting(course, seen)
    _refuse_playing(course)
    if course.has_changed:
        raise ServiceError(RefusalCode.PEOPLE_CHANGED)
    hold(player for four in waiting.tables.values() for player in four)
    for table, players in waiting.tables.items():
        _open(course.evening, waiting, table, players, actor, now)


def _open(
    evening: Evening,
    drawn: DrawnRound,
    table: int,
    players: list[Player],
    actor: Actor,
    now: datetime,
) -> None:
    with override(evening.club.language):
        name = gettext("Table %(number)s") % {"number": table}
    new = NewMatch(
        ruleset=rules_of(evening),
        preset=evening.preset,
        rules_name=evening.rules_name,
        players=players,
        club=evening.club,
        table_name=name,
        evening=evening,
        round_number=drawn.number,
        table_number=table,
    )
    open_match(new, actor=actor, now=now, entry_key=uuid5(drawn.row.id, str(table)))


def _rows(row: EveningRound, found: drawing.Seats) -> list[DrawnSeat]:
    seated = [
        DrawnSeat(round=row, player_id=player, table_number=table, seat=seat)
        for table, four in enumerate(found.tables, start=1)
        for seat, player in enumerate(four)
    ]
    return [*seated, *(DrawnSeat(round=row, player_id=player) for player in found.byes)]


def _four(players: list[Player]) -> tuple[UUID, UUID, UUID, UUID]:
    one, two, three, four = (player.id for player in players)
    return one, two, three, four


def _touch(drawn: DrawnRound, now: datetime) -> None:
    """Whoever looks at the draw is shown it anew."""
    drawn.row.drawn_at = now
    drawn.row.save(update_fields=["method", "drawn_at"])


# ── its end ─────────────────────────────────────────────────────────────


@transaction.atomic
def end(*, evening_id: UUID, now: datetime) -> None:
    """No more rounds; what is drawn and not opened is dropped. Ending twice does nothing."""
    course = _locked(evening_id, over=True)
    if course.evening.ended_at:
        return
    _refuse_playing(course)
    if course.waiting:
        course.waiting.row.delete()
    course.evening.ended_at = now
    course.evening.save(update_fields=["ended_at"])


@transaction.atomic
def resume(*, evening_id: UUID) -> None:
    """One more round after all."""
    course = _locked(evening_id, over=True)
    course.evening.ended_at = None
    course.evening.save(update_fields=["ended_at"])


# ── what must hold ──────────────────────────────────────────────────────


def _locked(evening_id: UUID, *, over: bool = False) -> GameNightCourse:
    """What is done on an evening is done one after the other."""
    found = Evening.objects.select_for_update(no_key=True, of=("self",))
    evening = found.select_related("club").filter(pk=evening_id).first()
    if evening is None:
        raise ServiceError(RefusalCode.GONE)
    if evening.ended_at and not over:
        raise ServiceError(RefusalCode.EVENING_OVER)
    return course_of(evening)


def _refuse_seen(course: GameNightCourse, seen: str) -> None:
    """Somebody else has drawn meanwhile."""
    if seen != (course.waiting.mark if course.waiting else ""):
        raise ServiceError(RefusalCode.STALE, "seen")


def _waiting(course: GameNightCourse, seen: str) -> DrawnRound:
    _refuse_seen(course, seen)
    if course.waiting is None:
        raise ServiceError(RefusalCode.NOTHING_DRAWN)
    return course.waiting


def _refuse_playing(course: GameNightCourse) -> None:
    if course.playing:
        raise ServiceError(RefusalCode.TABLES_PLAY, "", {"count": len(course.playing)})
