"""Check that everything in the file of a club fits together, before a row is written.

Each value must fit its column, each reference lead to a row of the same file, each chain follow
from its events: `integrity.queries` checks a match here as it does one in the database.
"""

import zipfile
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.db.models import Model

from scoring.integrity.queries.integrity import UNREADABLE, of_facts
from scoring.integrity.queries.ledger_rows import Evidence, gathered
from scoring.ledger.queries.event_rows import words_of
from scoring.models import Club, Match, MatchEvent, Photo, Player
from scoring.models.clubs import NAME_LENGTH
from scoring.models.days import YEARS
from scoring.models.export_schema import (
    EVENT,
    LEDGER,
    MATCH,
    OF_CLUB,
    OF_MATCH,
    WORDS,
    Misfit,
    TableSchema,
)
from scoring.models.names import clean_name
from scoring.pictures import MOST_BYTES, is_own, sha256
from scoring.rules import PRESETS, SYSTEMS, ruleset
from scoring.rules.renumbering import Shift
from scoring.rules.standings import CRITERIA
from scoring.transfer.services.club_export.document import MATCHES
from scoring.transfer.services.club_import.reading import ArchiveLine, ClubFileRefused

BY_NAME = {facts.name: facts for facts in OF_CLUB}
OF_LEDGER: dict[type[Model], TableSchema] = {facts.model: facts for facts in LEDGER}
NAMES_OF_MATCH = {facts.name for facts in OF_MATCH}


class KnownRows:
    """The rows read so far by table, and references to rows that may come later."""

    def __init__(self) -> None:
        self.ids: dict[type[Model], set[UUID]] = {facts.model: set() for facts in OF_CLUB}
        self.ids[Match] = set()
        self.people: dict[UUID, Player] = {}
        self.counted_ids: dict[UUID, UUID] = {}
        self.club: Club | None = None
        self.waiting: list[tuple[type[Model], UUID, str]] = []

    def is_known(self, model: type[Model], id: UUID | None) -> bool:
        return id is None or id in self.ids[model]


def check_lines(
    archive: zipfile.ZipFile, lines: Iterator[ArchiveLine], known: KnownRows
) -> Iterator[ArchiveLine]:
    """Yield the lines, each checked.

    The matches come last, so that everything they refer to was read before.
    """
    is_resolved = False
    for line in lines:
        if line.list != MATCHES:
            _check_club_row(known, line)
        else:
            is_resolved = is_resolved or _resolve_references(known)
            _check_match(archive, known, line)
        yield line
    if not is_resolved:
        _resolve_references(known)


# ── the lists of the club ───────────────────────────────────────────────


def _check_club_row(known: KnownRows, line: ArchiveLine) -> None:
    facts = BY_NAME[line.list]
    row = row_of(facts, line.data, line.place)
    if row.pk in known.ids[facts.model]:
        raise ClubFileRefused("twice", line.place, str(row.pk))
    known.ids[facts.model].add(row.pk)
    _require_own_club(known, row, line.place)
    _require_valid(facts, row, line.place)
    for name, model in facts.references:
        if (id := getattr(row, name)) is not None:
            known.waiting.append((model, id, f"{line.place} {name}"))
    if isinstance(row, Player):
        known.people[row.id] = row
        known.counted_ids[row.id] = row.counted_id


def _require_own_club(known: KnownRows, row: Model, place: str) -> None:
    """Require that there is one club and that every row belongs to it."""
    if isinstance(row, Club):
        if known.club:
            raise ClubFileRefused("twice", place, str(row.id))
        known.club = row
    if known.club is None or getattr(row, "club_id", known.club.id) != known.club.id:
        raise ClubFileRefused("wrong_club", place)


def _require_valid(facts: TableSchema, row: Model, place: str) -> None:
    """Require valid values, beyond what the type of a column says."""
    named = {name for name, _ in facts.references} | {*facts.left_out, "username"}
    judged = [name for name in facts.fields if name not in named and getattr(row, name) is not None]
    try:
        row.clean_fields(exclude={*facts.columns} - {*judged} | {name[:-3] for name in named})
    except ValidationError as error:
        raise ClubFileRefused("bad_value", place, ", ".join(error.message_dict)) from None
    for name, is_fit in VALIDATORS.items():
        if name in facts.fields and not is_fit(row, getattr(row, name)):
            raise ClubFileRefused("bad_value", place, name)


def _has_rules(row: Any, options: Any) -> bool:
    if not row.system:
        return True
    try:
        return bool(ruleset(row.system, options))
    except UNREADABLE:
        return False


VALIDATORS: dict[str, Callable[[Any, Any], bool]] = {
    "time_zone": lambda row, value: value in available_timezones(),
    "criteria": lambda row, value: isinstance(value, list) and {*map(str, value)} <= {*CRITERIA},
    "hidden_accounts": lambda row, value: isinstance(value, dict) and _all_text(value),
    "options": _has_rules,
    "name": lambda row, value: value == clean_name(value) and _is_short(row),
    "own_name": lambda row, value: (
        not value or (value == clean_name(value) and _may_have_own_name(row))
    ),
    "username": lambda row, value: value == clean_name(value),
    "preset": lambda row, value: not value or value in PRESETS,
    "starts_on": lambda row, value: value.year in YEARS,
    "ends_on": lambda row, value: value.year in YEARS,
    "shifts": lambda row, value: _are_shifts(value),
    "decided_by": lambda row, value: _is_valid_total(row) and (not value or value in CRITERIA),
}


def _are_shifts(value: Any) -> bool:
    """Return whether the shifts of deal numbers are valid and in order of events."""
    try:
        shifts = [Shift(*shift) for shift in value]
    except TypeError:
        return False
    numbers = [(one.seq, one.at, one.reverts or 1) for one in shifts]
    seqs = [one.seq for one in shifts]
    return (
        all(type(number) is int and number > 0 for three in numbers for number in three)
        and all(type(one.by) is int and abs(one.by) == 1 for one in shifts)
        and seqs == sorted(set(seqs))
    )


def _is_short(row: Any) -> bool:
    """Only the number of a namesake may exceed the length of a name."""
    return not isinstance(row, Player) or len(row.plain_name) <= NAME_LENGTH


def _may_have_own_name(row: Any) -> bool:
    """Only a merged player who is not hidden has an own name to go back to."""
    return row.merged_into_id is not None and row.hidden_at is None


def _is_valid_total(row: Any) -> bool:
    """Return whether the total is of a known game and of matches that were played."""
    return row.system in SYSTEMS and row.win in ("high", "low") and min(row.matches, row.seats) > 0


def _all_text(value: dict[Any, Any]) -> bool:
    return all(isinstance(text, str) for text in value.values())


def _resolve_references(known: KnownRows) -> bool:
    """Require every row that the lists of the club refer to."""
    if known.club is None:
        raise ClubFileRefused("missing_list", detail="club")
    for model, id, place in known.waiting:
        if not known.is_known(model, id):
            raise ClubFileRefused("unknown_reference", place, str(id))
    known.waiting.clear()
    for player in known.people.values():
        counted = _final_person(known, player)
        if counted is None or counted.id != player.counted_id:
            raise ClubFileRefused("bad_value", "players", f"counts_for_id {player.id}")
        if _public_identity(player) != _public_identity(counted):
            raise ClubFileRefused("bad_value", "players", f"merged_into_id {player.id}")
    return True


def _public_identity(player: Player) -> tuple[str, bool, bool]:
    """Return what merged rows of one person have in common."""
    return player.name, player.hidden_at is not None, player.anonymised_at is not None


def _final_person(known: KnownRows, player: Player) -> Player | None:
    """Return the person that merged rows end at; None for a circle."""
    found = {player.id}
    while player.merged_into_id:
        if player.merged_into_id in found:
            return None
        found.add(player.merged_into_id)
        player = known.people[player.merged_into_id]
    return player


# ── a match ─────────────────────────────────────────────────────────────


def _check_match(archive: zipfile.ZipFile, known: KnownRows, line: ArchiveLine) -> None:
    found = match_rows_of(line, known.counted_ids)
    match = found.match
    if match.id in known.ids[Match]:
        raise ClubFileRefused("twice", line.place, str(match.id))
    known.ids[Match].add(match.id)
    _require_own_club(known, match, line.place)
    _check_references(known, found, line.place)
    for finding in of_facts(found):
        if finding.is_fault:
            detail = f"{finding.table} {finding.row} {finding.detail}".strip()
            raise ClubFileRefused(finding.code, line.place, detail)
    try:
        _ = found.table().sheet
    except UNREADABLE as error:
        raise ClubFileRefused("underivable", line.place, repr(error)) from None
    _check_photos(archive, found, line.place)


def match_rows_of(line: ArchiveLine, counted_ids: dict[UUID, UUID]) -> Evidence:
    """Return a match as it would be read from a database."""
    data, place = line.data, line.place
    if data.keys() != NAMES_OF_MATCH or not isinstance(data[MATCH.name], dict):
        raise ClubFileRefused(
            "missing_list", place, ", ".join(sorted(NAMES_OF_MATCH ^ data.keys()))
        )
    match: Any = row_of(MATCH, data[MATCH.name], place)
    events: list[Any] = list(_rows(EVENT, data, place))
    words: list[Any] = list(_rows(WORDS, data, place))
    rows: list[Any] = [row for facts in LEDGER for row in _rows(facts, data, place)]
    named = {id for event in events for id, _ in words_of(event)}
    if any(text.id not in named for text in words):
        raise ClubFileRefused("row_unnamed", place, WORDS.name)
    return gathered(match, events, rows, words, counted_ids)


def _rows(facts: TableSchema, data: dict[str, Any], place: str) -> Iterator[Model]:
    found = data[facts.name]
    if not isinstance(found, list):
        raise ClubFileRefused("missing_list", place, facts.name)
    for row in found:
        yield row_of(facts, row, place)


def row_of(facts: TableSchema, data: Any, place: str) -> Model:
    """Build a row without saving it."""
    if not isinstance(data, dict):
        raise ClubFileRefused("unreadable", place, facts.name)
    try:
        return facts.from_json(data)
    except Misfit as misfit:
        raise ClubFileRefused("bad_value", place, f"{facts.name}.{misfit.field}") from None


def _check_references(known: KnownRows, found: Evidence, place: str) -> None:
    """Require that rows refer only to rows of this match or of the club."""
    own: dict[type[Model], set[UUID]] = {facts.model: set() for facts in LEDGER}
    for row in found.rows.values():
        own[type(row)].add(row.id)
    own |= {Match: {found.match.id}, MatchEvent: {event.id for event in found.events}}
    named_rows: list[tuple[TableSchema, Model]] = [(EVENT, event) for event in found.events]
    named_rows += [(OF_LEDGER[type(row)], row) for row in found.rows.values()]
    for facts, each in named_rows:
        for name, model in facts.references:
            id = getattr(each, name)
            if id is not None and id not in own.get(model, known.ids.get(model, ())):
                raise ClubFileRefused("unknown_reference", place, f"{facts.name}.{name} {id}")
    for name, model in MATCH.references:
        # A match that was played again may be nobody's any more, or have come to no club.
        if name != "rematch_of_id" and not known.is_known(model, getattr(found.match, name)):
            raise ClubFileRefused("unknown_reference", place, f"match.{name}")


def _check_photos(archive: zipfile.ZipFile, found: Evidence, place: str) -> None:
    """Require every picture in the archive, unchanged; a withdrawn one may be missing."""
    for photo, is_void in found.photos:
        try:
            data = picture_of(archive, photo)
        except KeyError:
            if not is_void:
                raise ClubFileRefused("photo_missing", place, name_of(photo)) from None
        else:
            if sha256(data) != photo.sha256:
                raise ClubFileRefused("photo_changed", place, name_of(photo))
            if not is_own(data):
                raise ClubFileRefused("bad_value", place, name_of(photo))


def picture_of(archive: zipfile.ZipFile, photo: Photo) -> bytes:
    """Return a picture, at most one byte longer than allowed. Raises KeyError if missing."""
    with archive.open(name_of(photo)) as file:
        return file.read(min(photo.size, MOST_BYTES) + 1)


def name_of(photo: Photo) -> str:
    return f"photos/{photo.path.name}"
