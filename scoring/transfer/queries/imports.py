"""Preview of an import of matches: which are new, known or different, and whom they bring.

Nothing is written here; `transfer.services.imports` asks the same under a lock.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import IO, Any
from uuid import UUID

from django.utils import timezone

from scoring.importing.dates import NOON, Order
from scoring.importing.faults import Fault, FaultCode, Note
from scoring.importing.judging import FoundMatch
from scoring.importing.limits import Limits
from scoring.importing.names import is_nobody
from scoring.importing.playing import FoundDeal
from scoring.importing.reading import read_file
from scoring.models import Club, CurrentDeal, Match, Player, Seating
from scoring.models.canonical import digest
from scoring.models.clubs import NAME_LENGTH
from scoring.models.days import day_of, zone_of
from scoring.models.matches import TABLE_NAME_LENGTH
from scoring.models.names import clean_name, name_digest, same_name
from scoring.rules import Problem, ProblemCode
from scoring.rules.problems import Detail
from scoring.rules.seats import SEATS

# Letters that people write one for the other, and marks that many leave out (C95).
ONE_LETTER = str.maketrans("أإآٱىئؤة", "ااااييوه", "ـ")

BY_CONTENT = "sha256:"
"""So the numbers begin that a match has which has none in its file."""

SURE = 2
"""Names that must be known, at least, where a number is used again."""


class Status(StrEnum):
    """What becomes of a match of a file."""

    NEW = "new"
    HERE = "here"  # in the club already, as it is in the file
    MOVED = "moved"  # in the club already, on another day
    DIFFERS = "differs"  # in the club already, with other deals
    AGAIN = "again"  # further up in this file already
    REFUSED = "refused"


@dataclass(frozen=True)
class NewPerson:
    """Somebody who will be a guest of the club; `like` is one of its people with nearly that
    name."""

    name: str
    like: Player | None = None


@dataclass(frozen=True)
class PlannedMatch:
    """A match of a file as it would be kept. `meant` are the people of the club whom each name may
    mean, none for somebody new, None for a name that says of nobody who it was. `match_id` is the
    match that is here already, `here_at` when that was played."""

    found: FoundMatch
    status: Status
    faults: tuple[Fault, ...]
    names: tuple[str, ...]
    external_id: str = ""
    played_at: datetime | None = None
    meant: tuple[frozenset[UUID] | None, ...] = ()
    match_id: UUID | None = None
    here_at: datetime | None = None


@dataclass(frozen=True)
class ImportPreview:
    """A whole file as it would be kept. `faults` are those of no match; where one of them ends the
    file there are no matches."""

    matches: tuple[PlannedMatch, ...]
    faults: tuple[Fault, ...]
    notes: tuple[Note, ...]
    new_people: tuple[NewPerson, ...]

    def of(self, *statuses: Status) -> tuple[PlannedMatch, ...]:
        return tuple(each for each in self.matches if each.status in statuses)


class Directory:
    """The people of a club by name: also by the name of a row that was merged into theirs, and by
    the own name of a hidden person, which only an owner who imports can know. Those from before a
    change stand for a hidden person; for others they only may, since it may have been a slip. One
    query."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.by_name: dict[str, list[Player]] = {}
        self.by_loose: dict[str, Player] = {}
        self.by_former: dict[str, Player] = {}
        for row in club.players.select_related("counts_for").order_by("created_at"):
            player = row.counts_for or row
            for name in {row.own_name or row.plain_name, player.plain_name, player.name}:
                known = self.by_name.setdefault(same_name(name), [])
                if player not in known:
                    known.append(player)
                self.by_loose.setdefault(loose_name(name), player)
            for former in row.former_names:
                self.by_former.setdefault(former, player)

    def named(self, name: str) -> list[Player]:
        """Those who are called so; people who were put away only where there is nobody else."""
        found = self.by_name.get(same_name(name), [])
        found = [player for player in found if player.archived_at is None] or found
        former = None if found else self.formerly(name)
        return [former] if former and former.hidden_at else found

    def formerly(self, name: str) -> Player | None:
        """Who was called so before a change."""
        return self.by_former.get(name_digest(name)) if self.by_former else None

    def like(self, name: str) -> Player | None:
        """Somebody who may be meant although the name is written otherwise."""
        return self.by_loose.get(loose_name(name)) or self.formerly(name)


def loose_name(name: str) -> str:
    """A name without what people leave out or mix up: marks, kinds of alif, order of words."""
    letters = unicodedata.normalize("NFKD", same_name(name).translate(ONE_LETTER))
    plain = "".join(each for each in letters if not unicodedata.combining(each))
    return " ".join(sorted(plain.replace("-", " ").split()))


def preview(
    club: Club,
    stream: IO[bytes],
    limits: Limits,
    same: Mapping[str, Player] | None = None,
    order: Order | None = None,
) -> ImportPreview:
    """What importing this file would do. Five queries. `order` is that of day and month, where the
    file leaves it open."""
    planner = Planner(club, same)
    planned: list[PlannedMatch] = []
    faults: list[Fault] = []
    notes: list[Note] = []
    for each in read_file(stream, limits, played_before(timezone.now(), club), order):
        if isinstance(each, Fault):
            faults.append(each)
        elif isinstance(each, Note):
            notes.append(each)
        else:
            planned.append(planner.plan(each))
    if any(fault.ends_file for fault in faults):
        return ImportPreview((), tuple(faults), tuple(notes), ())
    notes += [*planner.other_clubs(planned), *planner.about_people()]
    people = tuple(planner.new_people.values())
    return ImportPreview(tuple(compared(planned)), tuple(faults), tuple(notes), people)


def played_before(now: datetime, club: Club | None = None) -> datetime:
    """The end of tomorrow on the club's clock; without a club of every clock."""
    there = now.astimezone(zone_of(club)) if club else now + timedelta(days=1)
    return datetime.combine(there.date() + timedelta(days=2), time(), there.tzinfo)


class Planner:
    """Plans the matches of one file for one club: which numbers are known here is said by `plan`,
    whether they are the same matches by `compared`. Two queries.

    `same` are names that stand for one of the club's people although they are written otherwise.
    """

    def __init__(self, club: Club, same: Mapping[str, Player] | None = None) -> None:
        self.club = club
        self.zone = zone_of(club)
        self.people = Directory(club)
        self.same = {same_name(name): player for name, player in (same or {}).items()}
        known = list(Match.objects.filter(club=club).values_list("external_id", "id"))
        self.here: dict[str, UUID] = {number: id for number, id in known if number}
        self.own: dict[str, UUID] = {str(id): id for _number, id in known}
        self.seen: dict[str, str] = {}
        self.new_people: dict[str, NewPerson] = {}
        self.nobodies: dict[str, None] = {}

    def plan(self, found: FoundMatch) -> PlannedMatch:
        """What becomes of this match, after those planned before it."""
        found = self._on_our_clock(found)
        names = tuple(clean_name(name) for name in found.names)
        played_at = found.played_at
        faults = found.faults
        if found.lost and names and played_at:
            return self._beyond_a_table(found, names, played_at)
        if faults or not names or played_at is None:
            faults = (*faults, *_name_faults(found, names))
            return PlannedMatch(found, Status.REFUSED, faults, names, played_at=played_at)
        own = content_digest(names, played_at, found.deals)
        external_id = found.external_id or self._number(own, names, played_at, found.deals)
        meant = meant_by(names, self.people, self.same)
        planned = PlannedMatch(found, Status.NEW, (), names, external_id, played_at, meant)
        if known := self._known(found, external_id):
            return replace(planned, status=Status.HERE, match_id=known)
        if self.seen.get(external_id) == own:
            return replace(planned, status=Status.AGAIN)
        faults = (*_name_faults(found, names), *self._people_faults(found, names))
        if external_id in self.seen:
            faults = (*faults, Fault(Problem(FaultCode.ID_TWICE, "external_id"), found.place))
        if faults:
            return replace(planned, status=Status.REFUSED, faults=faults)
        self.seen[external_id] = own
        self._note_new(names)
        return planned

    def _known(self, found: FoundMatch, external_id: str) -> UUID | None:
        """The match of the club that has this id, of its own or from elsewhere."""
        known = self.own.get(found.own_id) or self.here.get(external_id)
        return known or self.own.get(external_id)

    def _beyond_a_table(
        self, found: FoundMatch, names: tuple[str, ...], played_at: datetime
    ) -> PlannedMatch:
        """A match of our own table that only the club file carries: it is here, or refused."""
        known = self._known(found, found.external_id)
        meant = meant_by(names, self.people, self.same)
        here = (found.external_id, played_at, meant, known)
        if known:
            return PlannedMatch(found, Status.HERE, (), names, *here)
        problem = Problem(FaultCode.ONLY_IN_CLUB_FILE, "", {"what": list(found.lost)})
        return PlannedMatch(found, Status.REFUSED, (Fault(problem, found.place),), names, *here)

    def seat(self, name: str) -> Player | None:
        """Who sits there; None for somebody new."""
        found = self.people.named(name)
        return found[0] if found else self.same.get(same_name(name))

    def _number(
        self, own: str, names: Sequence[str], played_at: datetime, deals: Sequence[FoundDeal]
    ) -> str:
        """The number of a match that has none in the file. A day without a time was kept as its
        midnight once."""
        number = f"{BY_CONTENT}{own}"
        if number not in self.here and played_at.time() == NOON:
            midnight = datetime.combine(played_at, time(), played_at.tzinfo)
            earlier = f"{BY_CONTENT}{content_digest(names, midnight, deals)}"
            return earlier if earlier in self.here else number
        return number

    def other_clubs(self, planned: Iterable[PlannedMatch]) -> list[Note]:
        """The clubs that the file names and that are not this one."""
        ours = {same_name(self.club.name), self.club.slug}
        named = dict.fromkeys(each.found.club for each in planned if each.found.club)
        others = tuple(name for name in named if same_name(name) not in ours)
        return [Note("other_club", others)] if others else []

    def about_people(self) -> list[Note]:
        """Names that say of nobody who it was; and new people whose names are nearly the same: a
        note for each set of them."""
        notes = [Note("nobodies", tuple(self.nobodies))] if self.nobodies else []
        return [*notes, *self._alike()]

    def _alike(self) -> list[Note]:
        sets: dict[str, list[str]] = {}
        for person in self.new_people.values():
            sets.setdefault(loose_name(person.name), []).append(person.name)
        return [Note("alike", tuple(names)) for names in sets.values() if len(names) > 1]

    def _on_our_clock(self, found: FoundMatch) -> FoundMatch:
        deals = tuple(
            replace(deal, played_at=self._moment(deal.played_at)) if deal.played_at else deal
            for deal in found.deals
        )
        return replace(found, played_at=self._moment(found.played_at), deals=deals)

    def _moment(self, when: datetime | None) -> datetime | None:
        if when is None:
            return None
        return when.replace(tzinfo=self.zone) if when.tzinfo is None else when.astimezone(self.zone)

    def _people_faults(self, found: FoundMatch, names: Sequence[str]) -> list[Fault]:
        """Names that two people have, and two names for one person."""
        faults = []
        sitting: list[object] = []
        for seat, name in enumerate(names):
            place = found.person_places[seat]
            if is_nobody(name):
                continue
            if len(self.people.named(name)) > 1:
                faults.append(Fault(Problem(FaultCode.NAMESAKES, "players", {"name": name}), place))
            player = self.seat(name)
            actor = player.id if player else same_name(name)
            if actor in sitting:
                faults.append(
                    Fault(Problem(FaultCode.SAME_PERSON, "players", {"name": name}), place)
                )
            sitting.append(actor)
        return faults

    def _note_new(self, names: Iterable[str]) -> None:
        for name in names:
            if is_nobody(name):
                self.nobodies[name] = None
            elif self.seat(name) is None and same_name(name) not in self.new_people:
                self.new_people[same_name(name)] = NewPerson(name, self.people.like(name))


def meant_by(
    names: Sequence[str], people: Directory, same: Mapping[str, Player]
) -> tuple[frozenset[UUID] | None, ...]:
    """Whom each name may mean, as in `PlannedMatch`; `same` by same names, as in `Planner`."""

    def ids(name: str) -> frozenset[UUID] | None:
        if is_nobody(name):
            return None
        chosen = same.get(same_name(name))
        return frozenset(person.id for person in people.named(name) or filter(None, [chosen]))

    return tuple(map(ids, names))


# -- what is here already


class _Here:
    """A match of the club, to be compared: `seated` are the people who ever had each seat."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.names = [""] * len(SEATS)
        self.seated: list[set[UUID]] = [set() for _ in SEATS]
        self.facts: list[object] = []


def compared(planned: Sequence[PlannedMatch]) -> list[PlannedMatch]:
    """The same, each match whose number is known here compared as a whole: who, when, which deals.
    Three queries."""
    stored = _stored([each.match_id for each in planned if each.match_id])
    return [
        _compared(each, stored[each.match_id]) if each.match_id in stored else each
        for each in planned
    ]


def _stored(ids: Sequence[UUID]) -> dict[UUID, _Here]:
    matches = Match.objects.filter(id__in=ids).select_related("club")
    stored = {match.id: _Here(match) for match in matches}
    seatings = Seating.objects.filter(match__in=ids).select_related("player")
    for seating in seatings.order_by("event__seq"):
        here = stored[seating.match_id]
        here.seated[seating.seat].add(seating.player.counted_id)
        here.names[seating.seat] = here.names[seating.seat] or seating.player.name
    rows = CurrentDeal.objects.filter(match__in=ids).select_related("deal")
    for row in rows.order_by("deal_number"):
        facts = _facts(row.deal_number, row.deal.dealer, row.deal.chooser, row.deal.payload)
        stored[row.match_id].facts.append(facts)
    return stored


def _compared(planned: PlannedMatch, here: _Here) -> PlannedMatch:
    match, played_at = here.match, planned.played_at
    assert match.club is not None
    assert played_at is not None
    is_same_day = day_of(match.club, match.played_at) == day_of(match.club, played_at)
    has_same_deals = here.facts == facts_of(planned.found.deals)
    planned = replace(planned, here_at=match.played_at)
    if planned.found.lost and planned.found.faults:
        return planned  # not all of its deals stand in a table: nothing to compare
    if not (is_same_day or has_same_deals) or not _may_be_of(planned, here):
        return replace(planned, status=Status.REFUSED, faults=(_taken(planned, here),))
    if not has_same_deals:
        return replace(planned, status=Status.DIFFERS)
    return replace(planned, status=Status.HERE if is_same_day else Status.MOVED)


def _may_be_of(planned: PlannedMatch, here: _Here) -> bool:
    """Whether these are the people of that match. A name that nobody has may be one from before a
    change, but not all of them. A number made of the names themselves leaves no doubt."""
    if planned.external_id.startswith(BY_CONTENT):
        return True
    known = [
        meant is None or bool(meant & seated)
        for meant, seated in zip(planned.meant, here.seated, strict=True)
        if meant is None or meant
    ]
    return all(known) and len(known) >= SURE


def _taken(planned: PlannedMatch, here: _Here) -> Fault:
    """The number belongs to another match; names both."""
    assert planned.played_at is not None
    assert here.match.club is not None
    numbers: dict[str, Detail] = {
        "number": planned.external_id,
        "here_day": day_of(here.match.club, here.match.played_at).isoformat(),
        "here_names": list(here.names),
        "day": day_of(here.match.club, planned.played_at).isoformat(),
        "names": list(planned.names),
    }
    return Fault(Problem(FaultCode.ID_TAKEN, "external_id", numbers), planned.found.place)


def _name_faults(found: FoundMatch, names: Sequence[str]) -> list[Fault]:
    faults = []
    for seat, name in enumerate(names):
        place = found.person_places[seat]
        if not name and found.names[seat].strip():
            faults.append(Fault(Problem(ProblemCode.MISSING, f"player_{seat + 1}"), place))
        if len(name) > NAME_LENGTH:
            numbers = {"limit": NAME_LENGTH, "length": len(name)}
            faults.append(Fault(Problem(FaultCode.TOO_LONG, f"player_{seat + 1}", numbers), place))
    table_name = clean_name(found.table_name)
    if len(table_name) > TABLE_NAME_LENGTH:
        numbers = {"limit": TABLE_NAME_LENGTH, "length": len(table_name)}
        faults.append(Fault(Problem(FaultCode.TOO_LONG, "table", numbers), found.place))
    return faults


def content_digest(names: Sequence[str], played_at: datetime, deals: Sequence[FoundDeal]) -> str:
    """What makes a match without an id the same one: players, time and deals (design, 7)."""
    actor = [same_name(name) for name in names]
    return digest({"players": actor, "played_at": played_at, "deals": facts_of(deals)})


def facts_of(deals: Sequence[FoundDeal]) -> list[object]:
    """The deals of a match as plain values."""
    return [_facts(deal.number, deal.dealer, deal.chooser, deal.entry.to_json()) for deal in deals]


def _facts(number: int, dealer: int, chooser: int, payload: Mapping[str, Any]) -> list[object]:
    """A deal whose doubles stand in one order, however they were written down."""
    facts = dict(payload["input"])
    if "doubles" in facts:
        facts["doubles"] = sorted(facts["doubles"], key=lambda row: str(row["card"]))
    return [number, dealer, chooser, {**payload, "input": facts}]
