"""Plan of an import of matches: which are new, known or different, and which guests they add.

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
from scoring.importing.names import is_placeholder
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
SAME_LETTERS = str.maketrans("أإآٱىئؤة", "ااااييوه", "ـ")

BY_CONTENT = "sha256:"
"""Prefix of the number of a match whose file gives none: a digest of its content."""

MIN_KNOWN_NAMES = 2
"""Names that must be known before a number in the file may mean a match of the club."""


class ImportStatus(StrEnum):
    """What an import does with a match of a file."""

    NEW = "new"
    HERE = "here"  # in the club already, as it is in the file
    MOVED = "moved"  # in the club already, on another day
    DIFFERS = "differs"  # in the club already, with other deals
    AGAIN = "again"  # further up in this file already
    REFUSED = "refused"


@dataclass(frozen=True)
class NewGuest:
    """A name that becomes a guest of the club; `similar` is a player with nearly that name."""

    name: str
    similar: Player | None = None


@dataclass(frozen=True)
class PlannedMatch:
    """A match of a file as it would be imported.

    `candidates` has for each seat the players that the name may mean: none for a new guest, None
    for a name that says nothing. `match_id` is the match of the club that has the number of this
    one, `stored_played_at` when that was played.
    """

    found: FoundMatch
    status: ImportStatus
    faults: tuple[Fault, ...]
    names: tuple[str, ...]
    external_id: str = ""
    played_at: datetime | None = None
    candidates: tuple[frozenset[UUID] | None, ...] = ()
    match_id: UUID | None = None
    stored_played_at: datetime | None = None


@dataclass(frozen=True)
class ImportPlan:
    """A whole file as it would be imported.

    `faults` are those of no match; if one of them ends the file, there are no matches.
    """

    matches: tuple[PlannedMatch, ...]
    faults: tuple[Fault, ...]
    notes: tuple[Note, ...]
    new_people: tuple[NewGuest, ...]

    def of(self, *statuses: ImportStatus) -> tuple[PlannedMatch, ...]:
        return tuple(each for each in self.matches if each.status in statuses)


class PlayerDirectory:
    """The people of a club by name. One query.

    Also by the names of merged rows and by the own name of a hidden player, which only an owner who
    imports can know. A former name stands for a hidden player; for others it is only a suggestion,
    since it may have been a slip.
    """

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

    def find(self, name: str) -> list[Player]:
        """Return the players of this name; archived ones only if there are no others."""
        found = self.by_name.get(same_name(name), [])
        found = [player for player in found if player.archived_at is None] or found
        former = None if found else self.by_former_name(name)
        return [former] if former and former.hidden_at else found

    def by_former_name(self, name: str) -> Player | None:
        """Return the player who had this name before a change."""
        return self.by_former.get(name_digest(name)) if self.by_former else None

    def similar(self, name: str) -> Player | None:
        """Return a player whose name is nearly the same, or was."""
        return self.by_loose.get(loose_name(name)) or self.by_former_name(name)


def loose_name(name: str) -> str:
    """Return a name without what people leave out or mix up: marks, kinds of alif, word order."""
    letters = unicodedata.normalize("NFKD", same_name(name).translate(SAME_LETTERS))
    plain = "".join(each for each in letters if not unicodedata.combining(each))
    return " ".join(sorted(plain.replace("-", " ").split()))


def plan_import(
    club: Club,
    stream: IO[bytes],
    limits: Limits,
    same: Mapping[str, Player] | None = None,
    order: Order | None = None,
) -> ImportPlan:
    """Plan the import of a file. Five queries.

    `order` is that of day and month, for a file that leaves it open.
    """
    planner = ImportPlanner(club, same)
    planned: list[PlannedMatch] = []
    faults: list[Fault] = []
    notes: list[Note] = []
    for each in read_file(stream, limits, latest_playing_time(timezone.now(), club), order):
        if isinstance(each, Fault):
            faults.append(each)
        elif isinstance(each, Note):
            notes.append(each)
        else:
            planned.append(planner.plan(each))
    if any(fault.ends_file for fault in faults):
        return ImportPlan((), tuple(faults), tuple(notes), ())
    notes += [*planner.other_club_notes(planned), *planner.people_notes()]
    people = tuple(planner.new_people.values())
    return ImportPlan(tuple(compare_with_club(planned)), tuple(faults), tuple(notes), people)


def latest_playing_time(now: datetime, club: Club | None = None) -> datetime:
    """Return the end of tomorrow on the clock of the club; without a club, of any clock."""
    there = now.astimezone(zone_of(club)) if club else now + timedelta(days=1)
    return datetime.combine(there.date() + timedelta(days=2), time(), there.tzinfo)


class ImportPlanner:
    """Plans the matches of one file for one club. Two queries.

    `plan` tells which numbers are known in the club, `compare_with_club` whether they are the same
    matches. `same` maps names of the file to players whose name is written differently.
    """

    def __init__(self, club: Club, same: Mapping[str, Player] | None = None) -> None:
        self.club = club
        self.zone = zone_of(club)
        self.people = PlayerDirectory(club)
        self.same = {same_name(name): player for name, player in (same or {}).items()}
        known = list(Match.objects.filter(club=club).values_list("external_id", "id"))
        self.here: dict[str, UUID] = {number: id for number, id in known if number}
        self.own: dict[str, UUID] = {str(id): id for _content_number, id in known}
        self.seen: dict[str, str] = {}
        self.new_people: dict[str, NewGuest] = {}
        self.nobodies: dict[str, None] = {}

    def plan(self, found: FoundMatch) -> PlannedMatch:
        """Plan a match, given those planned before it."""
        found = self._on_clock_of_club(found)
        names = tuple(clean_name(name) for name in found.names)
        played_at = found.played_at
        faults = found.faults
        if found.lost and names and played_at:
            return self._plan_uncarried(found, names, played_at)
        if faults or not names or played_at is None:
            faults = (*faults, *_name_faults(found, names))
            return PlannedMatch(found, ImportStatus.REFUSED, faults, names, played_at=played_at)
        own = content_digest(names, played_at, found.deals)
        external_id = found.external_id or self._content_number(own, names, played_at, found.deals)
        candidates = candidates_of(names, self.people, self.same)
        planned = PlannedMatch(
            found, ImportStatus.NEW, (), names, external_id, played_at, candidates
        )
        if known := self._known(found, external_id):
            return replace(planned, status=ImportStatus.HERE, match_id=known)
        if self.seen.get(external_id) == own:
            return replace(planned, status=ImportStatus.AGAIN)
        faults = (*_name_faults(found, names), *self._people_faults(found, names))
        if external_id in self.seen:
            faults = (*faults, Fault(Problem(FaultCode.ID_TWICE, "external_id"), found.place))
        if faults:
            return replace(planned, status=ImportStatus.REFUSED, faults=faults)
        self.seen[external_id] = own
        self._add_new_guests(names)
        return planned

    def _known(self, found: FoundMatch, external_id: str) -> UUID | None:
        """Return the id of the match of the club that has this number."""
        known = self.own.get(found.own_id) or self.here.get(external_id)
        return known or self.own.get(external_id)

    def _plan_uncarried(
        self, found: FoundMatch, names: tuple[str, ...], played_at: datetime
    ) -> PlannedMatch:
        """Plan a match that only the club file can carry: known already, or refused."""
        known = self._known(found, found.external_id)
        candidates = candidates_of(names, self.people, self.same)
        here = (found.external_id, played_at, candidates, known)
        if known:
            return PlannedMatch(found, ImportStatus.HERE, (), names, *here)
        problem = Problem(FaultCode.ONLY_IN_CLUB_FILE, "", {"what": list(found.lost)})
        return PlannedMatch(
            found, ImportStatus.REFUSED, (Fault(problem, found.place),), names, *here
        )

    def seat(self, name: str) -> Player | None:
        """Return the player of a name; None for a new guest."""
        found = self.people.find(name)
        return found[0] if found else self.same.get(same_name(name))

    def _content_number(
        self, own: str, names: Sequence[str], played_at: datetime, deals: Sequence[FoundDeal]
    ) -> str:
        """Return the number of a match whose file gives none.

        A day without a time was once stored as its midnight.
        """
        number = f"{BY_CONTENT}{own}"
        if number not in self.here and played_at.time() == NOON:
            midnight = datetime.combine(played_at, time(), played_at.tzinfo)
            earlier = f"{BY_CONTENT}{content_digest(names, midnight, deals)}"
            return earlier if earlier in self.here else number
        return number

    def other_club_notes(self, planned: Iterable[PlannedMatch]) -> list[Note]:
        """Return a note on the clubs that the file names instead of this one."""
        ours = {same_name(self.club.name), self.club.slug}
        named = dict.fromkeys(each.found.club for each in planned if each.found.club)
        others = tuple(name for name in named if same_name(name) not in ours)
        return [Note("other_club", others)] if others else []

    def people_notes(self) -> list[Note]:
        """Return notes on names that say nothing, and on new guests with nearly the same name."""
        notes = [Note("nobodies", tuple(self.nobodies))] if self.nobodies else []
        return [*notes, *self._similar_notes()]

    def _similar_notes(self) -> list[Note]:
        sets: dict[str, list[str]] = {}
        for person in self.new_people.values():
            sets.setdefault(loose_name(person.name), []).append(person.name)
        return [Note("alike", tuple(names)) for names in sets.values() if len(names) > 1]

    def _on_clock_of_club(self, found: FoundMatch) -> FoundMatch:
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
        """Return faults of names that two people have, and of two names for one person."""
        faults = []
        sitting: list[object] = []
        for seat, name in enumerate(names):
            place = found.person_places[seat]
            if is_placeholder(name):
                continue
            if len(self.people.find(name)) > 1:
                faults.append(Fault(Problem(FaultCode.NAMESAKES, "players", {"name": name}), place))
            player = self.seat(name)
            person = player.id if player else same_name(name)
            if person in sitting:
                faults.append(
                    Fault(Problem(FaultCode.SAME_PERSON, "players", {"name": name}), place)
                )
            sitting.append(person)
        return faults

    def _add_new_guests(self, names: Iterable[str]) -> None:
        for name in names:
            if is_placeholder(name):
                self.nobodies[name] = None
            elif self.seat(name) is None and same_name(name) not in self.new_people:
                self.new_people[same_name(name)] = NewGuest(name, self.people.similar(name))


def candidates_of(
    names: Sequence[str], people: PlayerDirectory, same: Mapping[str, Player]
) -> tuple[frozenset[UUID] | None, ...]:
    """Return the players that each name may mean; `same` as in `ImportPlanner`."""

    def ids(name: str) -> frozenset[UUID] | None:
        if is_placeholder(name):
            return None
        chosen = same.get(same_name(name))
        return frozenset(person.id for person in people.find(name) or filter(None, [chosen]))

    return tuple(map(ids, names))


# -- what is here already


class _StoredMatch:
    """A match of the club to compare with; `seated` has everyone who ever had each seat."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.names = [""] * len(SEATS)
        self.seated: list[set[UUID]] = [set() for _ in SEATS]
        self.facts: list[object] = []


def compare_with_club(planned: Sequence[PlannedMatch]) -> list[PlannedMatch]:
    """Compare each match whose number is known with the one of the club. Three queries.

    Compares people, day and deals.
    """
    stored = _stored_matches([each.match_id for each in planned if each.match_id])
    return [
        _compare(each, stored[each.match_id]) if each.match_id in stored else each
        for each in planned
    ]


def _stored_matches(ids: Sequence[UUID]) -> dict[UUID, _StoredMatch]:
    matches = Match.objects.filter(id__in=ids).select_related("club")
    stored = {match.id: _StoredMatch(match) for match in matches}
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


def _compare(planned: PlannedMatch, here: _StoredMatch) -> PlannedMatch:
    match, played_at = here.match, planned.played_at
    assert match.club is not None
    assert played_at is not None
    is_same_day = day_of(match.club, match.played_at) == day_of(match.club, played_at)
    has_same_deals = here.facts == facts_of(planned.found.deals)
    planned = replace(planned, stored_played_at=match.played_at)
    if planned.found.lost and planned.found.faults:
        return planned  # not all of its deals stand in a table: nothing to compare
    if not (is_same_day or has_same_deals) or not _has_same_people(planned, here):
        return replace(planned, status=ImportStatus.REFUSED, faults=(_number_taken(planned, here),))
    if not has_same_deals:
        return replace(planned, status=ImportStatus.DIFFERS)
    return replace(planned, status=ImportStatus.HERE if is_same_day else ImportStatus.MOVED)


def _has_same_people(planned: PlannedMatch, here: _StoredMatch) -> bool:
    """Return whether the names may be the people of a match of the club.

    An unknown name may be one from before a change, but not all of them. A number made from the
    names themselves needs no check.
    """
    if planned.external_id.startswith(BY_CONTENT):
        return True
    known = [
        candidates is None or bool(candidates & seated)
        for candidates, seated in zip(planned.candidates, here.seated, strict=True)
        if candidates is None or candidates
    ]
    return all(known) and len(known) >= MIN_KNOWN_NAMES


def _number_taken(planned: PlannedMatch, here: _StoredMatch) -> Fault:
    """Return the fault that the number belongs to another match, with the people of both."""
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
    """Return the digest that identifies a match without a number: players, time and deals."""
    players = [same_name(name) for name in names]
    return digest({"players": players, "played_at": played_at, "deals": facts_of(deals)})


def facts_of(deals: Sequence[FoundDeal]) -> list[object]:
    """Return the deals of a match as plain values."""
    return [_facts(deal.number, deal.dealer, deal.chooser, deal.entry.to_json()) for deal in deals]


def _facts(number: int, dealer: int, chooser: int, payload: Mapping[str, Any]) -> list[object]:
    """Return a deal as plain values, its doubles in one order."""
    facts = dict(payload["input"])
    if "doubles" in facts:
        facts["doubles"] = sorted(facts["doubles"], key=lambda row: str(row["card"]))
    return [number, dealer, chooser, {**payload, "input": facts}]
