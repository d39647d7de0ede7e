"""The database itself refuses to change what the ledger holds."""

import json
import uuid

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import DatabaseError, connection, models, transaction

from scoring.models import (
    Adjustment,
    CardRecord,
    CurrentDeal,
    Deal,
    Flag,
    LedgerRow,
    LogEntry,
    LogSeal,
    MatchEvent,
    Photo,
    Redeal,
    Ruling,
    Seating,
    Signature,
    Subtotal,
    UsedContract,
    Void,
    Words,
    triggers,
)
from scoring.models.ledger import VOIDABLE
from scoring.models.triggers import without_triggers
from tests.factories import correct, diamonds, king, make_match, void

LEDGER = [MatchEvent, Deal, Void, Adjustment, Subtotal, Redeal, CardRecord, Photo, Seating]
LEDGER += [Signature, Flag, Ruling]
LOG = [LogEntry, LogSeal]
ON_SQLITE = connection.vendor == "sqlite"


@pytest.fixture
def match(db):
    """A match with a row in every table of the ledger."""
    match = make_match(entries=[king(), diamonds()])
    first, second = Deal.objects.order_by("deal_number")
    correct(match, first, king(taken_by=1))
    void(match, second)
    event = MatchEvent.objects.order_by("-seq").first()
    where = {"match": match, "event": event}
    rows = {
        "adjustment": Adjustment(**where, after_deal=1, code="test", points=[0, 0, 0, 0]),
        "subtotal": Subtotal(**where, first_deal=3, deals=[], points=[0, 0, 0, 0]),
        "redeal": Redeal(**where, deal_number=2, reason="misdeal"),
        "record": CardRecord(**where, deal_number=1, content={}),
        "photo": Photo(**where, deal_number=1, kind="sheet", width=1, height=1, size=1),
        "signature": Signature(**where, unit=1, seat=0, deals=[], head="", by_scorer=False),
        "flag": Flag(**where, deal_number=1),
    }
    for name, row in rows.items():
        row.save(force_insert=True)
        Void(**where, **{name: row}).save(force_insert=True)
    worth = {"before": [0, 0, 0, 0], "after": [0, 0, 0, 0]}
    ruling = Ruling(**where, deal_number=1, outcome="stands", **worth)
    ruling.save(force_insert=True)
    again = Ruling(**where, deal_number=1, outcome="stands", **worth, replaces=ruling)
    again.save(force_insert=True)
    connection.check_constraints()  # PostgreSQL truncates nothing while some are still to be
    return match


def refuses(call):
    with pytest.raises(DatabaseError, match="only added"), transaction.atomic():
        call()
    return True


def run(sql, *params):
    with connection.cursor() as cursor:
        cursor.execute(sql, params)


# The log has no delete path, and taking back deletes nothing. C48, C123
@pytest.mark.parametrize("model", LEDGER)
def test_rows_are_neither_changed_nor_deleted(match, model):
    table = model._meta.db_table
    assert refuses(lambda: model.objects.update(id=uuid.uuid4()))
    assert refuses(lambda: run(f'UPDATE "{table}" SET match_id = match_id'))
    assert refuses(lambda: run(f'DELETE FROM "{table}"'))
    assert refuses(lambda: model.objects.first().save())
    assert refuses(lambda: model.objects.all()._raw_delete("default"))
    assert model.objects.exists()


def test_whole_match_is_not_truncated_away(match):
    """TRUNCATE is PostgreSQL's; on SQLite the same wish is a DELETE without a WHERE."""
    wish = "DELETE FROM {}" if ON_SQLITE else "TRUNCATE {} CASCADE"
    for model in [*LEDGER, Words]:
        if model is not Words or not ON_SQLITE:
            assert refuses(lambda table=model._meta.db_table: run(wish.format(table)))


def unique_keys(model):
    """Each unique key of a table, as the names of its columns."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, model._meta.db_table).values()
    return [key["columns"] for key in found if key["unique"] or key["primary_key"]]


@pytest.mark.parametrize("model", [*LEDGER, Words])
def test_insert_or_replace_is_refused_over_every_unique_key(match, model):
    """SQLite's INSERT OR REPLACE; on PostgreSQL the same wish is an ON CONFLICT DO UPDATE."""
    for key in unique_keys(model):
        assert refuses(lambda key=key: insert_over(model, key))
    if ON_SQLITE:
        assert refuses(lambda: insert_over(model, ["rowid"]))


def insert_over(model, key):
    """Writes a row that has nothing but this key in common with one that is there."""
    table, names = model._meta.db_table, [field.column for field in model._meta.concrete_fields]
    if "rowid" in key:
        names = ["rowid", *names]
    voided = {f"{name}_id" for name in VOIDABLE}
    fresh = {"id", "event_id", "player_id", "entry_key", "replaces_id"} | voided
    with connection.cursor() as cursor:
        filled = " AND ".join(f"{name} IS NOT NULL" for name in key)
        cursor.execute(f"SELECT {', '.join(names)} FROM {table} WHERE {filled}")
        row = dict(zip(names, cursor.fetchone(), strict=True))
        for name in (fresh & row.keys()) - set(key):
            row[name] = uuid.uuid4().hex if row[name] is not None else None
        if "seq" in row and "seq" not in key:
            row["seq"] = 99
        marks = ", ".join(["%s"] * len(names))
        verb = "INSERT OR REPLACE" if ON_SQLITE else "INSERT"
        clash = f" ON CONFLICT ({', '.join(key)}) DO UPDATE SET {key[0]} = EXCLUDED.{key[0]}"
        sql = f"{verb} INTO {table} ({', '.join(names)}) VALUES ({marks})"
        cursor.execute(sql if ON_SQLITE else sql + clash, [_plain(v) for v in row.values()])


def _plain(value):
    return json.dumps(value) if isinstance(value, dict | list) else value


def test_words_are_not_changed_but_may_be_erased(match):
    words = Words.objects.first()
    assert refuses(lambda: Words.objects.update(text="something else"))
    words.delete()
    assert not Words.objects.exists()


def test_derived_rows_may_be_replaced(match):
    UsedContract.objects.all().delete()
    CurrentDeal.objects.all().delete()


def test_insert_of_a_new_row_looks_at_indexes_only(match):
    """The guard of SQLite runs with every insert, so it must not read the table."""
    if not ON_SQLITE:
        return
    for model in LEDGER:
        with connection.cursor() as cursor:
            taken = triggers._sqlite_taken(cursor, model._meta.db_table)
            for name in [field.column for field in model._meta.concrete_fields] + ["rowid"]:
                taken = taken.replace(f'NEW."{name}"', "'x'")
            cursor.execute(f"EXPLAIN QUERY PLAN SELECT {taken}")
            plan = [row[3] for row in cursor.fetchall()]
        assert not [step for step in plan if step.startswith(f"SCAN {model._meta.db_table}")]


@pytest.fixture
def thrown_away(transactional_db):
    """Schema changes are real here, so they are undone by hand."""
    yield
    triggers.restore_triggers(connection)


def rebuild_table(model):
    """What a migration does that changes a column: on SQLite a new table takes the old one's
    place."""
    field = models.IntegerField(null=True)
    field.set_attributes_from_name("for_a_moment")
    with connection.schema_editor() as editor:
        if ON_SQLITE:
            editor._remake_table(model)
        else:
            editor.add_field(model, field)
            editor.remove_field(model, field)


def test_triggers_stand_again_after_a_migration_that_rebuilt_the_table(thrown_away):
    make_match(entries=[king()])
    for model in [*LEDGER, Words]:
        rebuild_table(model)
    if ON_SQLITE:
        assert len(triggers.missing(connection)) == 3 * len(LEDGER) + 2
    call_command("migrate", verbosity=0)
    assert triggers.missing(connection) == []
    for model in (MatchEvent, Deal, Seating):
        assert refuses(lambda model=model: model.objects.update(id=uuid.uuid4()))
        assert refuses(lambda model=model: model.objects.all()._raw_delete("default"))


def test_check_insists_on_every_trigger(thrown_away):
    call_command("check", databases=["default"])
    with without_triggers(connection), pytest.raises(SystemCheckError, match="scoring_deal"):
        call_command("check", databases=["default"])
    call_command("check", databases=["default"])


def test_trigger_that_was_weakened_is_missing(db):
    name, table = "trexscore_scoring_deal", Deal._meta.db_table
    if ON_SQLITE:
        run(f"DROP TRIGGER {name}_update")
        run(
            f"CREATE TRIGGER {name}_update BEFORE UPDATE ON {table} WHEN 0"
            " BEGIN SELECT RAISE(ABORT, ''); END"
        )
        assert triggers.missing(connection) == [f"{name}_update"]
    else:
        for weaker in ("DISABLE TRIGGER", "ENABLE TRIGGER"):
            run(f"ALTER TABLE {table} {weaker} {name}")
            assert triggers.missing(connection) == [name]
        triggers.restore_triggers(connection)
        run(
            f"CREATE OR REPLACE FUNCTION {triggers.FUNCTION}() RETURNS trigger LANGUAGE plpgsql"
            " AS $$ BEGIN RETURN NULL; END $$"
        )
        assert len(triggers.missing(connection)) == len([*LEDGER, *LOG]) + 1
    triggers.restore_triggers(connection)
    assert triggers.missing(connection) == []


def test_every_ledger_model_is_guarded():
    guarded = triggers.guarded_tables()
    assert set(guarded) == {model._meta.db_table for model in [*LEDGER, *LOG, Words]}
    assert all(issubclass(model, LedgerRow) for model in LEDGER[1:])
