"""Database triggers that refuse changes of the ledger.

Installed by a migration and put back after every migrate, since a migration that rebuilds a SQLite
table drops its triggers without a word; a system check insists on them (`check --database`).

SQLite: `INSERT OR REPLACE` deletes the old row without asking a delete trigger, so an insert is
refused when a row with any of its unique keys, or with its rowid, is there already.
PostgreSQL: one trigger a table, for TRUNCATE too, and for replication roles too (ALWAYS).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.apps import AppConfig, apps
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from scoring.models.chain import LedgerRow, MatchEvent, Words
from scoring.models.log import LogEntry, LogSeal

GUARDED = LedgerRow | MatchEvent | LogEntry | LogSeal
PREFIX = "trexscore_"
REFUSED = "trexscore: rows of the ledger are only added"
FUNCTION = f"{PREFIX}refuse"
FUNCTION_BODY = f" BEGIN RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'restrict_violation'; END "
# pg_trigger.tgtype of a statement trigger: before (2), delete (8), update (16), truncate (32)
TYPES = {"DELETE OR UPDATE OR TRUNCATE": 2 + 8 + 16 + 32, "UPDATE OR TRUNCATE": 2 + 16 + 32}


def guarded_tables() -> dict[str, bool]:
    """Yield every table with triggers, and whether its rows may be deleted.

    Texts may, to erase them."""
    models = [model for model in apps.get_models() if issubclass(model, GUARDED)]
    return {model._meta.db_table: False for model in models} | {Words._meta.db_table: True}


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the triggers that are missing in this database or differ."""
    with connection.cursor() as cursor:
        return [name for name, _ in _missing(connection, cursor)]


def restore_triggers(connection: BaseDatabaseWrapper) -> None:
    """Create every trigger that is missing or differs."""
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        missing = _missing(connection, cursor)
        if missing:
            _settle(connection)
        for _, statements in missing:
            for statement in statements:
                cursor.execute(statement)


def drop_triggers(connection: BaseDatabaseWrapper) -> None:
    """Drop all triggers, for tests and for migrations that must change old rows."""
    with connection.cursor() as cursor:
        _settle(connection)
        for table, name in _present(connection, cursor):
            on = f' ON "{table}"' if connection.vendor == "postgresql" else ""
            cursor.execute(f'DROP TRIGGER "{name}"{on}')


def _settle(connection: BaseDatabaseWrapper) -> None:
    """Check pending constraints, since PostgreSQL alters no table before that."""
    if connection.vendor == "postgresql":
        connection.check_constraints()


@contextmanager
def without_triggers(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Context manager: drop the triggers, and create them again at the end."""
    drop_triggers(connection)
    try:
        yield
    finally:
        restore_triggers(connection)


def after_migrate(sender: AppConfig, using: str, **kwargs: Any) -> None:
    restore_triggers(connections[using])


@register(Tags.database)
def check_triggers(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None, **kwargs: Any
) -> list[CheckMessage]:
    gone = [name for alias in databases or [] for name in missing(connections[alias])]
    hint = "manage.py migrate --skip-checks puts them back; then run verify_ledger."
    text = "The database does not protect the ledger: {} is missing or changed."
    return [Error(text.format(name), hint=hint, id="scoring.E001") for name in gone]


Wanted = Iterator[tuple[str, list[str]]]


def _missing(connection: BaseDatabaseWrapper, cursor: CursorWrapper) -> list[tuple[str, list[str]]]:
    tables = set(connection.introspection.table_names(cursor))
    wanted: Callable[[CursorWrapper, str, bool], Wanted] = (
        _missing_in_postgresql if connection.vendor == "postgresql" else _missing_in_sqlite
    )
    return [
        trigger
        for table, may_delete in guarded_tables().items()
        if table in tables
        for trigger in wanted(cursor, table, may_delete)
    ]


def _present(connection: BaseDatabaseWrapper, cursor: CursorWrapper) -> list[tuple[str, str]]:
    query = {
        "sqlite": "SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT relname, tgname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid",
    }[connection.vendor]
    cursor.execute(query)
    return [(table, name) for table, name in cursor.fetchall() if name.startswith(PREFIX)]


def _missing_in_sqlite(cursor: CursorWrapper, table: str, may_delete: bool) -> Wanted:
    cursor.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table]
    )
    present = dict(cursor.fetchall())
    events = {"update": "UPDATE ON", "delete": "DELETE ON", "replace": "INSERT ON"}
    if may_delete:
        del events["delete"]
    for what, event in events.items():
        name = f"{PREFIX}{table}_{what}"
        when = f" WHEN {_sqlite_taken(cursor, table)}" if what == "replace" else ""
        sql = (
            f'CREATE TRIGGER "{name}" BEFORE {event} "{table}"{when} '
            f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
        )
        if present.get(name) != sql:
            yield name, [f'DROP TRIGGER IF EXISTS "{name}"', sql]


def _sqlite_taken(cursor: CursorWrapper, table: str) -> str:
    """Return SQL that finds a row that already has a unique key of the new one.

    Read from the table itself."""
    cursor.execute(f'PRAGMA index_list("{table}")')
    indexes = sorted((name, partial) for _, name, unique, _, partial in cursor.fetchall() if unique)
    keys = [["rowid"]]
    for name, partial in indexes:
        if partial:
            raise NotImplementedError(f"{name}: ledger tables have whole unique keys only")
        cursor.execute(f'PRAGMA index_info("{name}")')
        keys.append([column for _, _, column in cursor.fetchall()])
    same = [" AND ".join(f'"{column}" = NEW."{column}"' for column in key) for key in sorted(keys)]
    return f'EXISTS (SELECT 1 FROM "{table}" WHERE {" OR ".join(same)})'


def _missing_in_postgresql(cursor: CursorWrapper, table: str, may_delete: bool) -> Wanted:
    name = f"{PREFIX}{table}"
    event = "UPDATE OR TRUNCATE" if may_delete else "DELETE OR UPDATE OR TRUNCATE"
    cursor.execute(
        "SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid"
        " JOIN pg_proc p ON p.oid = tgfoid"
        " WHERE relname = %s AND tgname = %s AND tgtype = %s AND tgenabled = 'A'"
        " AND tgqual IS NULL AND tgattr = '' AND proname = %s AND prosrc = %s",
        [table, name, TYPES[event], FUNCTION, FUNCTION_BODY],
    )
    if cursor.fetchone() == (1,):
        return
    yield (
        name,
        [
            f"CREATE OR REPLACE FUNCTION {FUNCTION}() RETURNS trigger LANGUAGE plpgsql"
            f" AS $${FUNCTION_BODY}$$",
            f'DROP TRIGGER IF EXISTS "{name}" ON "{table}"',
            f'CREATE TRIGGER "{name}" BEFORE {event} ON "{table}"'
            f" FOR EACH STATEMENT EXECUTE FUNCTION {FUNCTION}()",
            f'ALTER TABLE "{table}" ENABLE ALWAYS TRIGGER "{name}"',
        ],
    )
