"""What a change does, before it is made or afterwards: to its deals, the match and the club.

One function for every page that shows an effect. Of ratings it says only whether they change: they
are worked out in the background.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from scoring.corrections.queries.seating import with_rows
from scoring.ledger.queries.match_view import MatchView, told_apart
from scoring.ledger.queries.results import points_of_sittings, results_of_sittings
from scoring.ledger.queries.snapshots import MatchSnapshot, Seats
from scoring.models import Club, Deal, MatchResult, Player, Seating
from scoring.rules.ranking import Four
from scoring.rules.scoresheet import Scoresheet
from scoring.rules.standings import PlayerRecord, Standing
from scoring.standings.queries.seasons import StandingsChange
from scoring.standings.queries.standings import ALL_TIME, RankedPerson, ranked, records_of

type Records = Mapping[Hashable, PlayerRecord]


@dataclass(frozen=True)
class DealChange:
    """A deal that is touched: its contract and points as they are and as they would be, and whether
    it was forced and would be. None: no deal stands at that number."""

    number: int
    old: str
    new: str
    before: Four | None
    after: Four | None
    was_forced: bool = False
    now_forced: bool = False

    @property
    def cells(self) -> list[tuple[int, bool]]:
        """The new points of each seat, and whether they are others than before."""
        before, after = self.before or NOTHING, self.after or NOTHING
        return [(new, old != new) for old, new in zip(before, after, strict=True)]


@dataclass(frozen=True)
class Effects:
    """`seats` are the totals and places of the four seats, `teams` those of the two sides where
    there are any; `people` what each person has, where somebody changed seats; `standings` the
    rows of the club that change, for a match that counts there; `rates_anew`: the ratings change
    from it on, which know nothing but places and people. The two sheets tell who won and what broke
    a tie."""

    deals: tuple[DealChange, ...]
    seats: tuple[StandingsChange, ...]
    teams: tuple[StandingsChange, ...]
    people: tuple[StandingsChange, ...]
    standings: tuple[StandingsChange, ...]
    before: Scoresheet
    after: Scoresheet
    rates_anew: bool

    @property
    def lines(self) -> tuple[StandingsChange, ...]:
        """Whom the points belong to: people where they are not those of one seat each."""
        return self.people or self.seats


NOTHING: Four = (0, 0, 0, 0)


def effects(
    view: MatchView,
    after: MatchSnapshot,
    *,
    before: MatchSnapshot | None = None,
    seatings: Sequence[Seating] = (),
    sittings: Seats | None = None,
    touched: Iterable[int] | None = None,
) -> Effects:
    """The match as it is (or was `before`) beside the same with other rows in it. `seatings` are
    rows that seat somebody else, `sittings` who sits where before them; `touched` the numbers of
    the deals to be shown, by default those that differ. Two queries for a finished match of a club,
    and one where something else is under review; else none."""
    table = before or view.table
    old, new = table.sheet, after.sheet
    people = view.people | {row.player_id: row.player for row in seatings}
    seats = with_rows(view.sittings if sittings is None else sittings, seatings)
    return Effects(
        deals=tuple(_deals(table, after, touched)),
        seats=tuple(_seats([seat.name for seat in view.seats], old, new)),
        teams=tuple(_teams(view, old, new)),
        people=tuple(_people((old, view.sittings), (new, seats), people)),
        standings=() if before else tuple(_standings(view, after)),
        before=old,
        after=new,
        rates_anew=_counts(view) and (old.places != new.places or bool(seatings)),
    )


def _deals(
    old: MatchSnapshot, new: MatchSnapshot, touched: Iterable[int] | None
) -> Iterator[DealChange]:
    before, after = _by_number(old), _by_number(new)
    numbers = {*before, *after} if touched is None else set(touched)
    for number in sorted(numbers):
        was, is_now = before.get(number), after.get(number)
        if touched is not None or was != is_now:
            key, points = was or ("", None)
            key_now, points_now = is_now or ("", None)
            one, other = old.deal(number), new.deal(number)
            yield DealChange(
                *(number, key or key_now, key_now or key, points, points_now),
                was_forced=one is not None and one.forced,
                now_forced=other is not None and other.forced,
            )


def _by_number(table: MatchSnapshot) -> dict[int, tuple[str, Four]]:
    """What each standing deal was and brought."""
    return {
        row.deal.deal_number: (row.deal.entry.contract.key, row.points)
        for row in table.sheet.rows
        if row.deal
    }


def _seats(names: Sequence[str], old: Scoresheet, new: Scoresheet) -> Iterator[StandingsChange]:
    for seat, name in enumerate(names):
        places = old.places[seat], new.places[seat]
        yield StandingsChange(name, old.totals[seat], new.totals[seat], *places)


def _teams(view: MatchView, old: Scoresheet, new: Scoresheet) -> Iterator[StandingsChange]:
    if old.team_totals and new.team_totals:
        for side in (0, 1):
            name = " + ".join(view.seats[seat].name for seat in (side, side + 2))
            totals = old.team_totals[side], new.team_totals[side]
            yield StandingsChange(name, *totals, old.places[side], new.places[side])


def _people(
    old: tuple[Scoresheet, Seats], new: tuple[Scoresheet, Seats], people: Mapping[UUID, Player]
) -> Iterator[StandingsChange]:
    """Everybody who ever sits here, those first who sit last, with the points of their deals;
    nobody where each has one seat and keeps it."""
    if all(
        len(own) == 1 and tuple(own) == tuple(was) for was, own in zip(old[1], new[1], strict=True)
    ):
        return
    had, has = points_of_sittings(*old), points_of_sittings(*new)
    last = [own[-1].player_id for own in new[1]]
    order = [*last, *(one for one in people if one not in last)]
    names = told_apart([people[one].name for one in order])
    for one, name in zip(order, names, strict=True):
        yield StandingsChange(name, had.get(one, 0), has.get(one, 0))


def _standings(view: MatchView, after: MatchSnapshot) -> Iterator[StandingsChange]:
    """The rows of the club that change, by the place they have then. What else is under review
    counts there as it was when it was doubted."""
    match = view.match
    if match.club is None or not _counts(view):
        return
    family = match.system, after.ruleset.win
    now = {record.player: record for record in records_of(match.club, ALL_TIME, family)}
    then = now | dict(_without(now, _own(match.results.select_related("player"))))
    then |= dict(_with(then, _own(_results(view, after))))
    yield from _moved(_rows(match.club, now), _rows(match.club, then))


def _counts(view: MatchView) -> bool:
    """Whether the match counts in a club."""
    return view.match.is_finished and view.match.club_id is not None


def _results(view: MatchView, after: MatchSnapshot) -> list[MatchResult]:
    """What the match would come to, not saved. Whoever is merged is called as the other one."""
    whose = {id: person.counted_id for id, person in view.people.items()}
    found = results_of_sittings(after.public, view.sittings, whose)
    for row in found:
        row.player = Player(id=row.player_id, name=view.people[row.seated_id].name)
    return found


def _own(results: Iterable[MatchResult]) -> dict[RankedPerson, PlayerRecord]:
    """What each has of one match; two seats are one match, and one win."""
    rows: dict[RankedPerson, list[MatchResult]] = {}
    for row in results:
        rows.setdefault(RankedPerson(row.player.name, row.player_id), []).append(row)
    return {
        person: PlayerRecord(
            player=person,
            system=own[0].system,
            win="low" if own[0].win == "low" else "high",
            matches=1,
            total=sum(row.points for row in own),
            wins=int(any(row.place == 1 for row in own)),
            places=sum(row.place for row in own),
            seats=len(own),
        )
        for person, own in rows.items()
    }


def _without(
    records: Records, own: Mapping[RankedPerson, PlayerRecord]
) -> Iterator[tuple[RankedPerson, PlayerRecord]]:
    for person, record in own.items():
        if known := records.get(person):
            yield person, known.without(record)


def _with(
    records: Records, own: Mapping[RankedPerson, PlayerRecord]
) -> Iterator[tuple[RankedPerson, PlayerRecord]]:
    for person, record in own.items():
        known = records.get(person)
        yield person, known.joined(record) if known else record


def _rows(club: Club, records: Records) -> dict[RankedPerson, Standing]:
    """Everybody's row, the provisional ones last."""
    playing = [record for record in records.values() if record.matches]
    table = ranked(playing, ALL_TIME.criteria(club), ALL_TIME.minimum(club))
    rows = (*table.ranked, *table.provisional)
    return {row.player: row for row in rows if isinstance(row.player, RankedPerson)}


def _moved(
    now: Mapping[RankedPerson, Standing], then: Mapping[RankedPerson, Standing]
) -> Iterator[StandingsChange]:
    for person in [*then, *(one for one in now if one not in then)]:
        old, new = now.get(person), then.get(person)
        total, rank = (old.record.total, old.rank) if old else (None, None)
        total_then, rank_then = (new.record.total, new.rank) if new else (None, None)
        change = StandingsChange(person.name, total, total_then, rank, rank_then)
        if change.is_changed:
            yield change


def with_rows_of(table: MatchSnapshot, deals: Mapping[int, Deal]) -> MatchSnapshot:
    """The same match with these deals in place of those that stand at their numbers."""
    return table.with_deals({**{one.deal_number: one for one in table.deals}, **deals}.values())
