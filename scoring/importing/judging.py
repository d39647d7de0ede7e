"""Raw matches checked by their rules, with everything that is wrong.

Every deal goes through `read_entry` and the schedule, as a typed one does. What the file says of
points is only held against what the rules make of the facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from scoring.importing.comparing import NOTHING
from scoring.importing.dates import Dates
from scoring.importing.faults import NOWHERE, Fault, FaultCode, Path, Place, Raw
from scoring.importing.notes import MatchNotes, quoted
from scoring.importing.own_tables import REASONS
from scoring.importing.playing import FoundDeal, Playing
from scoring.rules import PRESETS, Problem, ProblemCode, Ruleset, RulesRefused, ruleset
from scoring.rules.ranking import Four
from scoring.rules.seats import SEATS, Seat

TEXT_LENGTH = 200
PEOPLE: tuple[Path, ...] = tuple(("players", seat) for seat in SEATS)


@dataclass(frozen=True)
class FoundMatch:
    """A match of a file; with `faults` it cannot be imported.

    Names are as written, and stand at `person_places`. `played_at` without an offset is meant on
    the club's clock. One that `is_finished` has all its deals; `deals_total` is how many that
    are. In a table that we exported `own_id` is the match's own id, and `lost` says why a table
    cannot carry it."""

    place: Place
    faults: tuple[Fault, ...] = ()
    external_id: str = ""
    own_id: str = ""
    lost: tuple[str, ...] = ()
    club: str = ""
    table_name: str = ""
    names: tuple[str, ...] = ()
    person_places: tuple[Place, ...] = (NOWHERE,) * 4
    played_at: datetime | None = None
    rules: Ruleset | None = None
    preset: str = ""
    first_chooser: Seat | None = None
    first_dealer: Seat | None = None
    deals: tuple[FoundDeal, ...] = ()
    deals_total: int = 0
    is_finished: bool = False
    totals: Four = NOTHING


def checked_match(raw: Raw, dates: Dates, end: datetime | None = None) -> FoundMatch:
    """Return everything of the match that can be read, and all that is wrong with it.

    What was played at `end` or later is refused."""
    notes = MatchNotes(raw, dates, end)
    for path, problem in raw.problems:
        notes.add(path, problem, _number_at(path, raw))
    names = _names(raw, notes)
    played_at = notes.moment(("played_at",), raw.data.get("played_at"))
    if played_at is None:
        notes.say(("played_at",), ProblemCode.MISSING)
    external_id, club, table_name = (
        notes.text((key,), raw.data.get(key), TEXT_LENGTH)
        for key in ("external_id", "club", "table_name")
    )
    first_chooser, first_dealer = (
        notes.seat((key,), raw.data.get(key)) for key in ("first_chooser", "first_dealer")
    )
    rules, preset = _rules(raw, notes)
    playing = Playing(notes, rules, first_chooser, first_dealer) if rules else None
    rows = raw.data.get("deals")
    if not isinstance(rows, list) or not rows:
        notes.say(("deals",), FaultCode.NO_DEALS)
    elif playing:
        playing.play(rows, raw.data.get("totals"))
    places = notes.places({(), *PEOPLE})
    match = FoundMatch(
        place=places[()],
        faults=notes.faults(places),
        external_id=external_id,
        own_id=notes.text(("own_id",), raw.data.get("own_id"), TEXT_LENGTH),
        lost=_lost(raw),
        club=club,
        table_name=table_name,
        names=names,
        person_places=tuple(places[path] for path in PEOPLE),
        played_at=played_at,
        rules=rules,
        preset=preset,
        first_chooser=first_chooser,
        first_dealer=first_dealer,
    )
    return _with_deals(match, playing) if playing else match


def _lost(raw: Raw) -> tuple[str, ...]:
    said = str(raw.data.get("lost") or "").split()
    return tuple(reason for reason in REASONS if reason in said)


def _with_deals(match: FoundMatch, playing: Playing) -> FoundMatch:
    deals = tuple(playing.deals)
    first = match.first_chooser
    return replace(
        match,
        first_chooser=deals[0].chooser if deals and first is None else first,
        deals=deals,
        deals_total=playing.deals_total,
        is_finished=playing.is_finished,
        totals=playing.totals,
    )


def _number_at(path: Path, raw: Raw) -> int | None:
    """Return the number of the deal that a path leads to."""
    if path[:1] != ("deals",) or len(path) < 2:
        return None
    number = raw.data["deals"][path[1]].get("deal_number")
    return number if type(number) is int else None


def _names(raw: Raw, notes: MatchNotes) -> tuple[str, ...]:
    given = raw.data.get("players")
    if not isinstance(given, list) or len(given) != len(SEATS):
        notes.say(("players",), FaultCode.FOUR_PLAYERS)
        return ()
    for seat, name in enumerate(given):
        if (not isinstance(name, str) or not name.strip()) and ("players", seat) not in notes.said:
            notes.add(("players", seat), Problem(ProblemCode.MISSING, f"player_{seat + 1}"))
    return tuple(name if isinstance(name, str) else "" for name in given)


def _rules(raw: Raw, notes: MatchNotes) -> tuple[Ruleset | None, str]:
    """Return the ruleset and the name of its preset.

    A system comes with all options that differ from it, a preset with those that differ from that.
    """
    system, options = raw.data.get("system"), raw.data.get("options")
    name = raw.data.get("preset")
    if system is None:
        if name in (None, ""):
            notes.add(("preset",), Problem(ProblemCode.MISSING, "system"))
            return None, ""
        preset = PRESETS.get(name) if isinstance(name, str) else None
        if preset is None:
            notes.say(
                ("preset",), FaultCode.UNKNOWN_PRESET, found=quoted(name), presets=list(PRESETS)
            )
            return None, ""
        system = preset.system
        if options is None or isinstance(options, Mapping):
            options = {**preset.options, **(options or {})}
    try:
        rules = ruleset(system, options)
    except RulesRefused as refused:
        for problem in refused.problems:
            is_option = problem.field not in ("system", "options")
            notes.add(("options", problem.field) if is_option else (problem.field,), problem)
        return None, ""
    return rules, next((each.name for each in PRESETS.values() if each.ruleset == rules), "")
