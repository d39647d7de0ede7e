"""Who has flagged a deal, and why; and the queue of the arbiters of a club."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Prefetch, Q, QuerySet

from scoring.common.actor import Actor
from scoring.common.paging import nearest, pages_of
from scoring.history.queries.history import reasons
from scoring.ledger.queries.deal_numbers import seats_now
from scoring.ledger.queries.match_view import told_apart
from scoring.ledger.queries.snapshots import sat_at, sittings
from scoring.models import (
    Club,
    CurrentDeal,
    Deal,
    Dispute,
    DisputeState,
    EventKind,
    Flag,
    Match,
    MatchEvent,
    Seating,
    User,
)

LISTED = 100
PAGE = 20


@dataclass(frozen=True)
class Doubt:
    """One flag: by whom, from which seat, in which words. `erased`: there were words once."""

    row: Flag
    words: str
    erased: bool
    withdrawn: bool

    @property
    def event(self) -> MatchEvent:
        return self.row.event

    def is_of(self, actor: Actor) -> bool:
        return raised_by(self.event, actor)


def raised_by(event: MatchEvent, actor: Actor) -> bool:
    """Whether this account, or this phone without one, wrote the event."""
    if event.user_id or actor.user:
        return actor.user is not None and event.user_id == actor.user.id
    return actor.device is not None and event.device == actor.device


def doubts(match: Match, number: int) -> list[Doubt]:
    """Every flag of a deal number, oldest first. Two queries."""
    return _told(Flag.objects.filter(match.numbered(number), match=match))


def _told(rows: QuerySet[Flag]) -> list[Doubt]:
    found = list(rows.select_related("event__user", "void").order_by("event__seq"))
    words = reasons(row.event for row in found)
    return [
        Doubt(
            row=row,
            words=words.get(row.event.id) or "",
            erased=words.get(row.event.id, "") is None,
            withdrawn=hasattr(row, "void"),
        )
        for row in found
    ]


# ── the queue ───────────────────────────────────────────────────────────


@dataclass(frozen=True)
class DisputeSummary:
    """A dispute as a card: which deal, who sat at it, who doubts it; once it is closed the note,
    and who wrote that."""

    dispute: Dispute
    contract: str
    names: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    note: str = ""
    closed_by: User | None = None
    closed_at: datetime | None = None

    @property
    def match(self) -> Match:
        return self.dispute.match


@dataclass(frozen=True)
class Queue:
    """What waits comes first, the oldest first; then who has what, then what was ruled on and has
    no note yet (C56). `closed` is a page of those that are over, the newest first."""

    open: tuple[DisputeSummary, ...]
    claimed: tuple[DisputeSummary, ...]
    ruled: tuple[DisputeSummary, ...]
    closed: tuple[DisputeSummary, ...]
    counts: Mapping[str, int]
    page: int

    @property
    def pages(self) -> int:
        return pages_of(self.counts.get(DisputeState.CLOSED, 0), PAGE)

    @property
    def left_out(self) -> int:
        """How many wait that are not listed."""
        listed = len(self.open) + len(self.claimed) + len(self.ruled)
        return sum(self.counts.values()) - self.counts.get(DisputeState.CLOSED, 0) - listed


def waiting(club: Club) -> int:
    """How many disputes of a club wait for a ruling. One query."""
    return Dispute.objects.filter(club=club).under_review().count()


def queue_of(club: Club, page: int = 1) -> Queue:
    """A dozen queries, however many there are."""
    own = Dispute.objects.filter(club=club)
    told = own.order_by().values_list("state").annotate(Count("id"))
    counts: dict[str, int] = dict.fromkeys(DisputeState.values, 0) | dict(told)
    page = nearest(page, counts[DisputeState.CLOSED], PAGE)
    left = own.exclude(state=DisputeState.CLOSED).order_by("opened_at", "id")[:LISTED]
    over = own.filter(state=DisputeState.CLOSED).order_by("-opened_at", "id")
    cases = cases_of([*_joined(left), *_joined(over[(page - 1) * PAGE : page * PAGE])])
    by_state = {
        state: tuple(case for case in cases if case.dispute.state == state)
        for state in DisputeState.values
    }
    return Queue(**by_state, counts=counts, page=page)


def _joined(rows: QuerySet[Dispute]) -> list[Dispute]:
    seats = Seating.objects.select_related("player", "event").order_by("event__seq", "seat")
    joined = rows.select_related("match__club", "frozen", "claimed_by", "ruling")
    return list(joined.prefetch_related(Prefetch("match__seatings", seats)))


def cases_of(disputes: Sequence[Dispute]) -> list[DisputeSummary]:
    """These with what was said of them. Expects what `_joined` reads; five queries."""
    flags, contracts, notes = _flags(disputes), _contracts(disputes), _notes(disputes)
    words = reasons(notes.values())
    return [
        DisputeSummary(
            dispute=row,
            contract=contracts.get(_key(row), ""),
            names=_names(row),
            doubts=tuple(flags.get(_key(row), ())),
            note=(note and words.get(note.id)) or "",
            closed_by=note.user if note else None,
            closed_at=note.entered_at if note else None,
        )
        for row in disputes
        for note in [notes.get(_key(row))]
    ]


type _Key = tuple[UUID, int]


def _key(row: Dispute | Flag | Deal) -> _Key:
    return row.match_id, row.deal_number


def _flags(disputes: Sequence[Dispute]) -> dict[_Key, list[Doubt]]:
    """The flags that stand, of these only."""
    found: dict[_Key, list[Doubt]] = {}
    about, matches = Q(pk=None), {row.match_id: row.match for row in disputes}
    for row in disputes:
        about |= Q(match=row.match_id) & row.match.numbered(row.deal_number)
    for doubt in _told(Flag.objects.filter(about, void=None)) if disputes else []:
        match_id, then = _key(doubt.row)
        number = matches[match_id].number_now(then, doubt.event.seq)
        found.setdefault((match_id, number or 0), []).append(doubt)
    return found


def _contracts(disputes: Sequence[Dispute]) -> dict[_Key, str]:
    """What was doubted, or what stands where nothing did."""
    found = {_key(row): row.frozen.contract for row in disputes if row.frozen}
    rest = [row for row in disputes if not row.frozen]
    rows = CurrentDeal.objects.filter(_about(rest)).select_related("deal") if rest else []
    return found | {_key(row.deal): row.deal.contract for row in rows}


def _notes(disputes: Sequence[Dispute]) -> dict[_Key, MatchEvent]:
    """Of those that are over by whom they were closed, the last time."""
    over = {_key(row): row for row in disputes if row.state == DisputeState.CLOSED}
    matches = {row.match_id: row.match for row in over.values()}
    events = MatchEvent.objects.filter(match__in=matches, kind=EventKind.DISPUTE_CLOSED)
    notes: dict[_Key, MatchEvent] = {}
    for event in events.select_related("user").order_by("seq") if over else []:
        then = event.content["facts"]["deal_number"]
        key = event.match_id, matches[event.match_id].number_now(then, event.seq) or 0
        if key in over and event.seq > over[key].opened_seq:
            notes[key] = event
    return notes


def _about(disputes: Iterable[Dispute]) -> Q:
    about = Q(pk=None)
    for row in disputes:
        about |= Q(match=row.match_id, deal_number=row.deal_number)
    return about


def _names(row: Dispute) -> tuple[str, ...]:
    rows = seats_now(row.match, row.match.seatings.all())
    people = {seating.player_id: seating.player.name for seating in rows}
    sat = sat_at(sittings(rows), row.deal_number)
    return tuple(told_apart([people[player] for player in sat]))
