"""Statements that are written down once: for what is asked with every tap on Save.

Django puts the text of a query together anew each time, and that takes several times as long as
the answer of the database. Here the text is kept, and all else is Django's own: values go through
the fields on their way in and out, objects are those of its models. For rows found by one key, and
for new rows of models without signals and without defaults of the database.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any
from uuid import UUID, uuid4

from django.db import connections, router
from django.db.models import FETCH_ONE, Field, Model, QuerySet, UUIDField
from django.db.models.query import get_related_populators
from django.db.models.sql.compiler import SQLCompiler


class Written[Key: UUID | str, M: Model]:
    """A query for objects, `select_related` included, by the one key that `build` is given:

    SEATINGS = Written(UUID, lambda match_id: Seating.objects.filter(match=match_id))
    rows = SEATINGS(match.id)
    """

    def __init__(self, kind: type[Key], build: Callable[[Key], QuerySet[M]]) -> None:
        self.build = build
        self.place: Any = kind(str(uuid4()))
        self.texts: dict[str, Text] = {}

    @cached_property
    def queryset(self) -> QuerySet[M]:
        return self.build(self.place)

    def __call__(self, key: Key) -> list[M]:
        """One query. Where it locks rows it expects a transaction."""
        alias = self.queryset.db
        if alias not in self.texts:
            self.texts[alias] = Text(self.queryset, self.place, alias)
        return self.texts[alias].objects(key)

    def one(self, key: Key) -> M | None:
        """The first of them."""
        return next(iter(self(key)), None)


class Text:
    """What a query comes to on one database. `place` stands in it where the key will be."""

    def __init__(self, queryset: QuerySet[Any], place: UUID | str, alias: str) -> None:
        compiler: SQLCompiler = queryset.query.get_compiler(using=alias)
        self.alias = alias
        self.sql, self.params = compiler.as_sql()
        self.place = _told(place, connections[alias])
        assert self.place in self.params
        select, klass = compiler.select, compiler.klass_info
        self.converters = compiler.get_converters([column for column, _, _ in select])
        first, last = klass["select_fields"][0], klass["select_fields"][-1]
        self.own = slice(first, last + 1)
        self.names = [column.target.attname for column, _, _ in select[self.own]]
        self.model = klass["model"]
        self.related = get_related_populators(klass, select, alias, FETCH_ONE)

    def objects(self, key: UUID | str) -> list[Any]:
        connection = connections[self.alias]
        told = _told(key, connection)
        with connection.cursor() as cursor:
            cursor.execute(self.sql, [told if p == self.place else p for p in self.params])
            rows = cursor.fetchall()
        return [self._object(self._converted(row, connection)) for row in rows]

    def _converted(self, row: Sequence[Any], connection: Any) -> list[Any]:
        values = list(row)
        for place, (converters, column) in self.converters.items():
            for convert in converters:
                values[place] = convert(values[place], column, connection)
        return values

    def _object(self, values: list[Any]) -> Any:
        found = self.model.from_db(self.alias, self.names, values[self.own])
        for related in self.related:
            related.populate(values, found)
        return found


def _told(key: UUID | str, connection: Any) -> Any:
    """As the database takes it."""
    return UUIDField().get_db_prep_value(key, connection) if isinstance(key, UUID) else key


def insert(rows: Sequence[Model]) -> None:
    """Writes new rows of one model, as `save(force_insert=True)` does each."""
    if not rows:
        return
    model, alias = type(rows[0]), router.db_for_write(type(rows[0]))
    connection, (sql, fields) = connections[alias], _insertion(model)
    values = [
        field.get_db_prep_save(field.pre_save(row, add=True), connection)
        for row in rows
        for field in fields
    ]
    each = f"({', '.join(['%s'] * len(fields))})"
    with connection.cursor() as cursor:
        cursor.execute(sql + ", ".join([each] * len(rows)), values)
    for row in rows:
        row._state.adding, row._state.db = False, alias


@cache
def _insertion(model: type[Model]) -> tuple[str, Sequence[Field[Any, Any]]]:
    fields = model._meta.concrete_fields
    names = ", ".join(f'"{field.column}"' for field in fields)
    return f'INSERT INTO "{model._meta.db_table}" ({names}) VALUES ', fields


def update(row: Model, values: Mapping[str, Any], **was: Any) -> bool:
    """Gives these fields of a row these values, and locks it, if those others still are what they
    `was`, none of them null. Whether they were; the object itself stays as it is."""
    model = type(row)
    connection = connections[router.db_for_write(model, instance=row)]
    known = {model._meta.pk.name: row.pk, **was}
    sql, fields = _change(model, tuple(values), tuple(known))
    told = zip(fields, [*values.values(), *known.values()], strict=True)
    with connection.cursor() as cursor:
        cursor.execute(sql, [field.get_db_prep_save(value, connection) for field, value in told])
        return bool(cursor.rowcount == 1)


@cache
def _change(
    model: type[Model], names: tuple[str, ...], known: tuple[str, ...]
) -> tuple[str, Sequence[Field[Any, Any]]]:
    fields: list[Any] = [model._meta.get_field(name) for name in (*names, *known)]
    told = [f'"{field.column}" = %s' for field in fields]
    new, old = ", ".join(told[: len(names)]), " AND ".join(told[len(names) :])
    return f'UPDATE "{model._meta.db_table}" SET {new} WHERE {old}', fields
