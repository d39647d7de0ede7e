"""Tables of a club that are exported, with their fields and their way to the club.

Every table that cannot be recalculated; a row of it reads as plain JSON.

A test holds the three lists against all tables and all their fields: whoever adds one says here
what becomes of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime
from functools import cached_property
from math import isfinite
from typing import Any
from uuid import UUID

from django.db import models

from scoring.models.accounts import Invitation, User
from scoring.models.canonical import plain
from scoring.models.chain import LedgerRow, MatchEvent, Words
from scoring.models.clubs import Club, HouseRules, Membership, PersonEvent, Player
from scoring.models.evenings import DrawnSeat, Evening, EveningPlayer, EveningRound
from scoring.models.jobs import Job
from scoring.models.judging import Dispute, Flag, Ruling, Signature
from scoring.models.ledger import (
    Adjustment,
    CurrentDeal,
    Deal,
    Redeal,
    Subtotal,
    UsedContract,
    Void,
)
from scoring.models.links import JoinedPhone, SeatPhone, TableLink
from scoring.models.log import LogEntry, LogSeal
from scoring.models.matches import Kingdom, Match, Seating
from scoring.models.ratings import Rating, RatingState, RatingStep
from scoring.models.records import CardRecord, Photo, Verdict
from scoring.models.results import (
    ClubFigures,
    ContractResult,
    ContractTotal,
    MatchResult,
    Meeting,
    PlayerTotal,
)
from scoring.models.seasons import FrozenStanding, Season
from scoring.models.tokens import ClubToken

type Row = dict[str, Any]


@dataclass(frozen=True)
class TableSchema:
    """The schema of one table.

    `to_club` are the look-ups that lead from a row to its club; `left_out` what is not exported,
    because it is private or true of this installation only. `came_later`: fields that a file made
    by an older version does not have."""

    name: str
    model: type[models.Model]
    to_club: str
    fields: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    came_later: tuple[str, ...] = ()

    def to_json(self, row: models.Model) -> Row:
        """Return the row as plain JSON."""
        return {name: _spelled(getattr(row, name)) for name in self.fields}

    def from_json(self, data: Mapping[str, Any]) -> models.Model:
        """Return the row, not saved.

        Raises `Misfit` with the name of the invalid field."""
        data = {name: self.columns[name].get_default() for name in self.came_later} | {**data}
        for name in (*(data.keys() - set(self.fields)), *(set(self.fields) - data.keys())):
            raise Misfit(name)
        return self.model(**{name: read(self.columns[name], data[name]) for name in self.fields})

    @cached_property
    def columns(self) -> dict[str, models.Field[Any, Any]]:
        """The columns by name."""
        return {field.attname: field for field in self.model._meta.concrete_fields}

    @cached_property
    def references(self) -> list[tuple[str, type[models.Model]]]:
        """The fields that refer to rows of other tables, with those tables."""
        named = [(name, self.columns[name].related_model) for name in self.fields]
        return [(name, model) for name, model in named if isinstance(model, type)]


class Misfit(Exception):
    """Raised for a value that this field cannot have."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


def _fields(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _of_ledger(model: type[LedgerRow]) -> TableSchema:
    return TableSchema(
        model.TABLE, model, "match__club", ("id", "match_id", "event_id", *model.FACTS)
    )


ACCOUNTS = TableSchema(
    "accounts",
    User,
    "",
    _fields("id username"),
    left_out=_fields(
        "password last_login is_superuser first_name last_name email is_staff is_active date_joined"
    ),
)
"""Of an account only who it was: nobody can sign in with what an export says of it."""

PLAYERS = TableSchema(
    "players",
    Player,
    "club",
    _fields(
        "id club_id name namesake_number own_name is_guest user_id is_unverified merged_into_id"
        " counts_for_id hidden_at anonymised_at archived_at created_at"
    ),
    left_out=_fields("former_names"),
    came_later=_fields("namesake_number own_name"),
)
"""The own name only of those who were merged and whom everybody may know: that of a hidden person
leaves no installation."""

OF_CLUB = (
    TableSchema(
        "club",
        Club,
        "pk",
        _fields(
            "id slug name is_public time_zone language house_rules_id correction_minutes"
            " links_hours acceptance_hours criteria minimum hidden_accounts created_at"
        ),
        left_out=_fields("names_version"),
    ),
    ACCOUNTS,
    TableSchema(
        "house_rules",
        HouseRules,
        "club",
        _fields("id club_id name preset system options created_at"),
    ),
    PLAYERS,
    TableSchema("memberships", Membership, "club", _fields("id club_id user_id role created_at")),
    TableSchema(
        "person_events",
        PersonEvent,
        "club",
        _fields("id club_id player_id other_id kind user_id device at"),
    ),
    TableSchema(
        "seasons",
        Season,
        "club",
        _fields(
            "id club_id name starts_on ends_on system options preset rules_name rules_key criteria"
            " minimum counted closed_at closed_by_id created_at"
        ),
    ),
    TableSchema(
        "frozen_standings",
        FrozenStanding,
        "season__club",
        _fields(
            "id season_id player_id partner_id system win position rank needs decided_by matches"
            " total wins places seats rating"
        ),
    ),
    TableSchema(
        "evenings",
        Evening,
        "club",
        _fields(
            "id club_id name starts_at system options preset rules_name tables_are_open in_pairs"
            " ended_at created_by_id created_at"
        ),
    ),
    TableSchema(
        "evening_players",
        EveningPlayer,
        "evening__club",
        _fields("id evening_id player_id from_round until_round pair"),
    ),
    TableSchema(
        "evening_rounds",
        EveningRound,
        "evening__club",
        _fields("id evening_id number method seed drawn_by_id drawn_at"),
    ),
    TableSchema(
        "drawn_seats",
        DrawnSeat,
        "round__evening__club",
        _fields("id round_id player_id table_number seat"),
    ),
)
"""In the order in which they stand in a file."""

MATCH = TableSchema(
    "match",
    Match,
    "club",
    _fields(
        "id club_id system options preset rules_name table_name evening_id round_number"
        " table_number state version head first_chooser first_dealer holder_device opened_by_id"
        " opened_at played_at closed_at rematch_of_id external_id"
        " shifts"
    ),
    left_out=_fields("lease_device lease_user_id lease_at"),
    came_later=_fields("shifts"),
)
EVENT = TableSchema(
    "event",
    MatchEvent,
    "match__club",
    _fields(
        "id match_id seq kind subject_kind subject_id content payload_version prev_hash hash"
        " entry_key on_version user_id device played_at entered_at"
    ),
)
WORDS = TableSchema("words", Words, "", _fields("id text salt"))
"""Of those events that name them."""
LEDGER = tuple(
    map(
        _of_ledger,
        (
            *(Seating, Deal, Adjustment, Subtotal, Redeal, CardRecord, Photo),
            *(Signature, Flag, Ruling, Void),
        ),
    )
)
OF_MATCH = (MATCH, EVENT, WORDS, *LEDGER)

DERIVED: tuple[type[models.Model], ...] = (
    *(Kingdom, CurrentDeal, UsedContract, Verdict, Dispute, MatchResult, ContractResult),
    *(PlayerTotal, ContractTotal, Meeting, ClubFigures, Rating, RatingStep, RatingState),
)
"""Worked out again from the others."""

STAYING: tuple[type[models.Model], ...] = (
    *(Invitation, ClubToken, TableLink, JoinedPhone, SeatPhone, Job, LogEntry, LogSeal),
)
"""Ways in, and what goes on in this installation: they are of no use elsewhere, and would be keys
in the wrong hands."""


def _spelled(value: Any) -> Any:
    """Return the value as canonical JSON has it; times, days and fractions as they are."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    return value if isinstance(value, float) else plain(value)


def read(field: models.Field[Any, Any], value: Any) -> Any:
    """Return the value of a column from JSON; raises `Misfit`."""
    if value is None and field.null:
        return None
    target = getattr(field, "target_field", field)
    for kind, reader in _READERS:
        if isinstance(target, kind):
            try:
                return reader(field, value)
            except (TypeError, ValueError, OverflowError):
                raise Misfit(field.attname) from None
    raise Misfit(field.attname)


def _uuid(field: Any, value: Any) -> UUID:
    found = UUID(value) if isinstance(value, str) else None
    if found is None or str(found) != value:
        raise ValueError(value)
    return found


def _text(field: Any, value: Any) -> str:
    longest = getattr(field, "max_length", None)
    if not isinstance(value, str) or "\0" in value or (longest and len(value) > longest):
        raise ValueError(value)
    return value


def _moment(field: Any, value: Any) -> datetime:
    found = datetime.fromisoformat(_text(field, value))
    if found.tzinfo is None:
        raise ValueError(value)
    _refuse_ends_of_time(found.astimezone(UTC))
    return found


def _day(field: Any, value: Any) -> date:
    found = date.fromisoformat(_text(field, value))
    _refuse_ends_of_time(found)
    return found


def _refuse_ends_of_time(day: date) -> None:
    """Refuse the first and the last day, which other time zones would exceed."""
    if not MINYEAR < day.year < MAXYEAR:
        raise ValueError(day)


def _number(field: Any, value: Any) -> int:
    smallest, largest = models_range(field)
    if not isinstance(value, int) or isinstance(value, bool) or not smallest <= value <= largest:
        raise ValueError(value)
    return value


def models_range(field: Any) -> tuple[int, int]:
    """Return the range of numbers that every database accepts for a field."""
    bits = {"Small": 15, "Big": 63}
    most = next((size for word, size in bits.items() if word in type(field).__name__), 31)
    return (0 if "Positive" in type(field).__name__ else -(2**most)), 2**most - 1


def _fraction(field: Any, value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError(value)
    if not isfinite(found := float(value)):
        raise ValueError(value)
    return found


def _yes(field: Any, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(value)
    return value


def _anything(field: Any, value: Any) -> Any:
    if value is None:
        raise ValueError(value)
    return value


_READERS: tuple[tuple[type[models.Field[Any, Any]], Any], ...] = (
    (models.UUIDField, _uuid),
    (models.DateTimeField, _moment),
    (models.DateField, _day),
    (models.BooleanField, _yes),
    (models.IntegerField, _number),
    (models.FloatField, _fraction),
    (models.JSONField, _anything),
    (models.CharField, _text),
    (models.TextField, _text),
)
