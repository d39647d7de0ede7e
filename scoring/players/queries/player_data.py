"""Export of everything stored about one player.

Every row, of whatever table, that names the player or their account: tables are found by their
foreign keys, so that a new one is not forgotten."""

import json
from collections.abc import Collection, Iterator
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import models
from django.db.models import Q, QuerySet

from scoring.ledger.queries.event_rows import words_of
from scoring.models import (
    Club,
    ClubToken,
    Dispute,
    Invitation,
    Job,
    LogEntry,
    MatchEvent,
    Player,
    TableLink,
    User,
    Words,
)
from scoring.models.canonical import plain
from scoring.models.export_schema import DERIVED, OF_CLUB, OF_MATCH

TO_CLUB: dict[type[models.Model], str] = {
    **dict.fromkeys(DERIVED, "club"),
    **{facts.model: facts.to_club for facts in (*OF_CLUB, *OF_MATCH)},
    **dict.fromkeys((ClubToken, Dispute, Invitation, Job), "club"),
    TableLink: "match__club",
}
"""Which look-ups lead from a row to its club."""
OF_ACCOUNT = (LogEntry,)
"""Tables of the whole installation: their rows are given to the account that they name."""
LEFT_OUT = {
    "token_hash",
    "digest",
    "content",
    "facts",
    "hash",
    "prev_hash",
    "entry_key",
    "own_name",
}

type Row = dict[str, Any]


def group_of(player: Player) -> list[Player]:
    """Return the ids of a player and of everyone merged into them. One query."""
    counted = player.counted_id
    return list(Player.objects.filter(Q(id=counted) | Q(counts_for=counted)).order_by("id"))


def naming(model: type[models.Model], target: type[models.Model]) -> list[str]:
    """Return the fields of a table that refer to another one."""
    fields = model._meta.concrete_fields
    return [field.attname for field in fields if field.related_model is target]


def lines_of(club: Club, group: Collection[Player], reader: User | None) -> Iterator[str]:
    """Yield the export as JSON in pieces.

    The player, the account of the `reader` if they are that player (no other: two may have been
    merged by mistake), the rows of each table, and the names of everyone in them."""
    people = {player.id for player in group}
    users = {player.user_id for player in group if player.user_id}
    named: set[UUID] = set(people)
    yield f'{{"club":{_spelled({"slug": club.slug, "name": club.name})},\n'
    yield f'"person":{_spelled([_person(player) for player in group])},\n'
    if reader:
        yield f'"account":{_spelled([_account(reader)])},\n'
    for model in apps.get_app_config("scoring").get_models():
        rows = _rows(model, club, people, users, reader)
        if rows is not None and rows.exists():
            yield f'"{model._meta.model_name}":['
            yield from _list(_values(row, named) for row in rows.iterator())
            yield "],\n"
    called = Player.objects.filter(id__in=named, club=club).values_list("id", "name")
    yield f'"people":{_spelled({str(id): name for id, name in called})}}}\n'


def _rows(
    model: type[models.Model],
    club: Club,
    people: Collection[UUID],
    users: Collection[UUID],
    reader: User | None,
) -> QuerySet[Any] | None:
    """Return the rows of this club, or of the reader's account where the table has no clubs; None
    if the table refers to neither players nor accounts."""
    if model in (Player, User):
        return None
    if model in OF_ACCOUNT:
        users = {reader.pk} if reader else ()
    by_people = [Q(**{f"{name}__in": people}) for name in naming(model, Player)]
    by_account = [Q(**{f"{name}__in": users}) for name in naming(model, User) if users]
    if not (by_people or by_account):
        return None
    rows = model._default_manager.filter(reduce(or_, by_people + by_account)).order_by("pk")
    if model in OF_ACCOUNT or not by_account:
        return rows
    # A person is of one club, an account may be of several.
    return rows.filter(**{TO_CLUB[model]: club})


def _values(row: models.Model, named: set[UUID]) -> Row:
    named.update(filter(None, (getattr(row, name) for name in naming(type(row), Player))))
    values = _plain(row)
    if isinstance(row, MatchEvent):
        ids = [id for id, _ in words_of(row)]
        texts = Words.objects.filter(id__in=ids).values_list("text", flat=True) if ids else ()
        values["words"] = list(texts)
    return values


def _person(player: Player) -> Row:
    """Return the player with the name that only they and the owners see."""
    return _plain(player) | {"own_name": player.own_name}


def _account(user: User) -> Row:
    names = ("username", "first_name", "last_name", "email", "date_joined", "last_login")
    return {name: _value(getattr(user, name)) for name in names}


def _plain(row: models.Model) -> Row:
    names = [field.attname for field in row._meta.concrete_fields]
    return {name: _value(getattr(row, name)) for name in names if name not in LEFT_OUT}


def _value(value: Any) -> Any:
    if isinstance(value, float | dict | list):
        return value
    try:
        return plain(value)
    except TypeError:
        return str(value)  # a day


def _spelled(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _list(rows: Iterator[Row]) -> Iterator[str]:
    before = "\n"
    for row in rows:
        yield before + _spelled(row)
        before = ",\n"
