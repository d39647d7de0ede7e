"""Draw of the seats of a game night: by lot, by standing, or so that people meet.

Those who are left over where four do not come out even have a bye: whoever would have had the
smallest share of byes in the rounds they were present, then whoever had none for longest, then by
lot. So a late arrival does not rest first for having had no bye yet. Pairs stay together and sit
opposite; people of a pair evening who are without a partner are put together by lot.

Chance is a number that is brought along (`seed`): the same one draws the same seats, on every
machine and in every year, so that a draw can be shown to have been one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from itertools import batched, combinations
from typing import Literal
from uuid import UUID

type Person = UUID
type Unit = tuple[Person, ...]
"""One person, or a pair: who is never parted."""
type Method = Literal["lot", "standing", "meet"]

STARTS = 6
"""So many times the search for new faces begins anew, from another lot each time."""


@dataclass(frozen=True)
class DrawField:
    """The people of a draw and what happened so far.

    `people` are in a stable order; `partners` stay together. `byes`: the rounds that somebody sat
    out. `present`: the number of rounds so far in which somebody played or had a bye. `met`: how
    often two sat at one table. `ranks`: places on this game night; people without one come after
    all others."""

    people: tuple[Person, ...]
    in_pairs: bool = False
    partners: tuple[tuple[Person, Person], ...] = ()
    byes: Mapping[Person, Sequence[int]] = field(default_factory=dict)
    present: Mapping[Person, int] = field(default_factory=dict)
    met: Mapping[frozenset[Person], int] = field(default_factory=dict)
    ranks: Mapping[Person, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Seats:
    """The tables of a draw, each in order of play, and the people who sit out."""

    tables: tuple[tuple[Person, Person, Person, Person], ...]
    byes: tuple[Person, ...]


def draw(field: DrawField, method: Method, seed: int) -> Seats:
    """Draw the seats of the next round, with as many full tables as possible."""
    units, alone = _units(field, seed)
    size = 2 if field.in_pairs else 4
    resting = _resting(field, units, len(units) % size, seed)
    playing = [unit for unit in units if unit not in resting]
    tables = _ways[method](field, playing, size, seed)
    byes = [person for unit in [*resting, *alone] for person in unit]
    return Seats(tuple(_seated(table, seed) for table in tables), tuple(byes))


def lot(seed: int, *about: object) -> int:
    """Return a number that nobody can foresee and everybody can recalculate."""
    text = "\x1f".join(map(str, (seed, *about)))
    return int.from_bytes(sha256(text.encode()).digest()[:8])


def by_lot[T](things: Iterable[T], seed: int, about: str) -> list[T]:
    """Return the same things in an order drawn by lot."""
    kept = list(things)
    places = sorted(range(len(kept)), key=lambda place: lot(seed, about, place))
    return [kept[place] for place in places]


# ---- Pairs, and who rests


def _units(field: DrawField, seed: int) -> tuple[list[Unit], list[Unit]]:
    """Return the people who stay together, and whoever is left without a partner."""
    if not field.in_pairs:
        return [(person,) for person in field.people], []
    here = set(field.people)
    pairs: list[Unit] = [pair for pair in field.partners if here.issuperset(pair)]
    paired = {person for pair in pairs for person in pair}
    single = by_lot((one for one in field.people if one not in paired), seed, "partners")
    single.sort(key=lambda one: _rest_key(field, (one,)), reverse=True)
    alone: list[Unit] = [(single.pop(),)] if len(single) % 2 else []
    return [*pairs, *batched(single, 2)], alone


def _resting(field: DrawField, units: Sequence[Unit], number: int, seed: int) -> list[Unit]:
    """Return the units that sit out this round."""
    drawn = by_lot(units, seed, "byes")
    return sorted(drawn, key=lambda unit: _rest_key(field, unit))[:number]


def _rest_key(field: DrawField, unit: Unit) -> tuple[Fraction, int]:
    """Return a sort key: the lowest rests first.

    The share of byes in their rounds once they rested in this one too, then the last round in which
    they rested."""
    rounds = [number for person in unit for number in field.byes.get(person, ())]
    present = sum(field.present.get(person, 0) for person in unit)
    share = Fraction(len(rounds) + len(unit), present + len(unit))
    return share, max(rounds, default=0)


# ---- Who sits together


def _by_lot(
    field: DrawField, units: Sequence[Unit], size: int, seed: int
) -> list[tuple[Unit, ...]]:
    return list(batched(by_lot(units, seed, "tables"), size))


def _by_standing(
    field: DrawField, units: Sequence[Unit], size: int, seed: int
) -> list[tuple[Unit, ...]]:
    """Put the best so far at the first table."""
    last = len(field.people) + 1
    ranks = {unit: sum(field.ranks.get(person, last) for person in unit) for unit in units}
    return list(batched(sorted(by_lot(units, seed, "tables"), key=ranks.__getitem__), size))


def _to_meet(
    field: DrawField, units: Sequence[Unit], size: int, seed: int
) -> list[tuple[Unit, ...]]:
    """Let as few as possible meet people whom they have met before.

    Nobody meets the same person a third time where that can be avoided."""
    starts = [by_lot(units, seed, f"tables {start}") for start in range(STARTS)]
    meetings = _Meetings(field, units)
    found = [meetings.improved([list(table) for table in batched(one, size)]) for one in starts]
    best = min(found, key=meetings.cost)
    return [tuple(table) for table in best]


_ways = {"lot": _by_lot, "standing": _by_standing, "meet": _to_meet}


class _Meetings:
    """The cost of units at one table: the square of how often they met."""

    def __init__(self, field: DrawField, units: Sequence[Unit]) -> None:
        self.costs: Counter[tuple[Unit, Unit]] = Counter()
        for one, other in combinations(units, 2):
            met = sum(field.met.get(frozenset((a, b)), 0) for a in one for b in other)
            self.costs[one, other] = self.costs[other, one] = met * met

    def cost(self, tables: Iterable[Sequence[Unit]]) -> int:
        return sum(self.costs[pair] for table in tables for pair in combinations(table, 2))

    def improved(self, tables: list[list[Unit]]) -> list[list[Unit]]:
        """Exchange units between tables as long as that lowers the cost."""
        while sum(
            self._tried(tables[one], i, tables[other], j) for one, i, other, j in _places(tables)
        ):
            pass
        return tables

    def _tried(self, here: list[Unit], i: int, there: list[Unit], j: int) -> bool:
        """Exchange two units if that lowers the cost, and return whether it did."""
        a, b = here[i], there[j]
        saved = sum(self.costs[a, unit] - self.costs[b, unit] for unit in here if unit != a)
        saved += sum(self.costs[b, unit] - self.costs[a, unit] for unit in there if unit != b)
        if saved > 0:
            here[i], there[j] = b, a
        return saved > 0


def _places(tables: Sequence[Sequence[Unit]]) -> Iterator[tuple[int, int, int, int]]:
    """Yield every seat of a table with every seat of another."""
    for one, other in combinations(range(len(tables)), 2):
        for i in range(len(tables[one])):
            for j in range(len(tables[other])):
                yield one, i, other, j


def _seated(table: tuple[Unit, ...], seed: int) -> tuple[Person, Person, Person, Person]:
    """Return the four in order of play; pairs sit opposite."""
    if len(table) == 4:
        one, two, three, four = (unit[0] for unit in by_lot(table, seed, "seats"))
        return one, two, three, four
    (north, south), (east, west) = by_lot(table, seed, "seats")
    return north, east, south, west


# ---- By hand


def exchanged(
    seats: Seats, one: Person, other: Person, partners: Iterable[tuple[Person, Person]] = ()
) -> Seats | None:
    """Return the same draw with two people in each other's place, be it a seat or a bye.

    A partner moves along, to whoever sits opposite the other or rests with them; None where nobody
    does."""
    places = {one: other, other: one}
    fixed = {person: mate for two in partners for person, mate in (two, two[::-1])}
    if {one, other} & fixed.keys() and fixed.get(one) != other:
        sits = {p: table[seat - 2] for table in seats.tables for seat, p in enumerate(table)}
        mate, others = (fixed.get(person, sits.get(person)) for person in (one, other))
        if mate is None or others is None:
            return None
        places |= {mate: others, others: mate}
    tables = []
    for table in seats.tables:
        north, east, south, west = (places.get(person, person) for person in table)
        tables.append((north, east, south, west))
    return Seats(tuple(tables), tuple(places.get(person, person) for person in seats.byes))
