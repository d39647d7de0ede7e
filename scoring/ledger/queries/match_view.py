"""A match as pages show it, read completely before a template runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from scoring.ledger.queries.results import shares
from scoring.ledger.queries.snapshots import (
    MERGED,
    MatchSnapshot,
    Sitting,
    seating_rows,
    sittings,
    snapshot_of,
)
from scoring.models import Deal, Dispute, Match, Player
from scoring.models.namesakes import numbered
from scoring.rules import Ruleset
from scoring.rules.schedule import Turn
from scoring.rules.scoresheet import Scoresheet


@dataclass(frozen=True)
class SeatView:
    """A seat and the person in it now; namesakes at the table are told apart."""

    seat: int
    player_id: UUID
    name: str


class PersonAtSeat(NamedTuple):
    """A person who played in a seat, with the points and the number of those deals."""

    name: str
    points: int
    deals: int


@dataclass(frozen=True)
class MatchView:
    """A match with its snapshot and its people; templates need no query.

    `is_public`: what is under review is shown as it was when it was doubted (C69)."""

    match: Match
    table: MatchSnapshot
    seats: tuple[SeatView, SeatView, SeatView, SeatView]
    sittings: tuple[tuple[Sitting, ...], ...]
    people: dict[UUID, Player]
    filling: int | None = None
    is_public: bool = False

    @property
    def ruleset(self) -> Ruleset:
        return self.table.ruleset

    @cached_property
    def turn(self) -> Turn:
        """The next deal, or the one on paper that is being filled in (`filling`)."""
        return self.table.turn if self.filling is None else self.table.turn_of(self.filling)

    @property
    def sheet(self) -> Scoresheet:
        return self.table.sheet

    @property
    def is_placed(self) -> bool:
        """Whether there are places.

        Not before the first deal, nor in a match that counts nowhere."""
        counts = self.match.is_running or self.match.is_finished
        return counts and bool(self.table.played)

    @cached_property
    def deals(self) -> dict[int, Deal]:
        """The current deals by number, each with its event."""
        return {deal.deal_number: deal for deal in self.table.deals}

    @property
    def disputes(self) -> dict[int, Dispute]:
        """The dispute of each deal number that was ever flagged."""
        return self.table.disputes

    @property
    def reviews(self) -> dict[int, Dispute]:
        """The disputes without a ruling."""
        return self.table.reviews

    @cached_property
    def public(self) -> "MatchView":
        """The match as everybody may see it. One query where something is under review."""
        if self.is_public:
            return self
        return replace(self, table=_read(self.table.public), is_public=True)

    def after(self, table: MatchSnapshot) -> "MatchView":
        """Return the match with what was written since."""
        return replace(self, table=_read(table))

    def hides(self, number: int) -> bool:
        """Return whether what is known of this deal is not shown yet."""
        return self.is_public and number in self.reviews

    @property
    def last_deal(self) -> Deal | None:
        return self.table.deals[-1] if self.table.deals else None

    @property
    def can_finish(self) -> bool:
        """Whether every deal is played; a due tie-break deal may be left out."""
        return self.match.is_running and (self.turn.over or self.turn.is_extra)

    def sat(self, seat: int, deal_number: int) -> Player:
        """Return who sat in a seat in a deal."""
        at = [s for s in self.sittings[seat] if s.from_deal <= deal_number]
        return self.people[(at or self.sittings[seat])[-1].player_id]

    @cached_property
    def shares(self) -> tuple[tuple[PersonAtSeat, ...], ...]:
        """Everybody who played in each seat, in order, with their own points (C75). No query.

        The person who sits there now where nobody has played yet."""
        found: list[list[PersonAtSeat]] = [[], [], [], []]
        for one in shares(self.sheet, self.sittings):
            if one.deals or one.points:
                now = self.seats[one.seat]
                is_here = one.player_id == now.player_id
                name = now.name if is_here else self.people[one.player_id].name
                found[one.seat].append(PersonAtSeat(name, one.points, one.deals))
        return tuple(
            tuple(own) or (PersonAtSeat(each.name, 0, 0),)
            for own, each in zip(found, self.seats, strict=True)
        )

    @property
    def called(self) -> list[str]:
        """The heading of each seat's total: all who played there, "Carmen / Hadi"."""
        return [" / ".join(one.name for one in own) for own in self.shares]

    @property
    def holders(self) -> list[str]:
        """The person named for each seat where it wins: the one who played most of its deals."""
        return [max(own, key=lambda one: one.deals).name for own in self.shares]

    def names_at(self, deal_number: int) -> list[str]:
        """Return the names of the four in a deal, in seat order."""
        return told_apart([self.sat(seat, deal_number).name for seat in range(4)])


def told_apart(names: Sequence[str]) -> list[str]:
    """Return names with the seat's number where two are equal: Amal (1), Amal (3)."""
    return [
        numbered(name, seat + 1) if names.count(name) > 1 else name
        for seat, name in enumerate(names)
    ]


def match_view(match: Match, *, public: bool = False) -> MatchView:
    """Return the match for a page.

    Three queries: current deals, seatings, and whether there is anything besides them."""
    rows = seating_rows(match, events=False)
    people = {row.player_id: row.player for row in rows}
    seats = sittings(rows)
    table = _read(snapshot_of(match))
    if MERGED not in table.has:
        match.accounts_of = {pk: frozenset(filter(None, [people[pk].user_id])) for pk in people}
    sitting = [people[sat[-1].player_id] for sat in seats]
    names = told_apart([player.name for player in sitting])
    one, two, three, four = (
        SeatView(seat, player.pk, names[seat]) for seat, player in enumerate(sitting)
    )
    view = MatchView(match, table, (one, two, three, four), tuple(seats), people)
    return view.public if public else view


def _read(table: MatchSnapshot) -> MatchSnapshot:
    """Return the match with all that it needs, so that nothing is read in a template."""
    _ = table.adjustments, table.subtotal_rows, table.disputes
    return table
