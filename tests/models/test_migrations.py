"""Migrations that move what clubs have written."""

import json
from contextlib import contextmanager

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult

from scoring.common import jobs
from scoring.models.log import facts_of

BEFORE, AFTER = "0004_interruptions", "0007_rules_leave_the_club"


def migrate(name):
    """To this state of the database; gives the models as they were."""
    executor = MigrationExecutor(connection)
    executor.migrate([("scoring", name)])
    return MigrationExecutor(connection).loader.project_state(("scoring", name)).apps


@contextmanager
def empty_file(path):
    connection.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(connection.settings_dict, "NAME", path)
        yield
        connection.close()


@contextmanager
def empty_schema():
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA older")
        cursor.execute("SET search_path TO older")
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA older CASCADE")
    connection.close()


@pytest.fixture
def older(transactional_db, tmp_path):
    """A database that nobody has brought further yet, since the way back from today is long."""
    is_file = connection.vendor == "sqlite"
    with empty_file(tmp_path / "older.sqlite3") if is_file else empty_schema():
        yield migrate(BEFORE)


CLUBS = [
    ("levant", "levant", {}, "en", "Trex with kingdoms"),
    ("kleshchi-pairs", "kleshchi", {"teams": "opposite"}, "en", "Kleshchi, in pairs"),
    ("", "barbu", {"values.king": 90}, "en", "Barbu"),
    ("gone", "levant", {}, "fr", "gone"),
]


def test_rules_of_a_club_become_its_first_set_and_come_back(older):
    table = older.get_model("scoring", "Club").objects
    for number, (preset, system, options, language, _) in enumerate(CLUBS):
        table.create(
            name="Younes",
            slug=f"club-{number}",
            preset=preset,
            system=system,
            options=options,
            language=language,
        )
    newer = migrate(AFTER)
    clubs = newer.get_model("scoring", "Club").objects.order_by("slug")
    assert [(each.house_rules.system, each.house_rules.options) for each in clubs] == [
        (system, options) for _, system, options, _, _ in CLUBS
    ]
    assert [each.house_rules.name for each in clubs] == [name for *_, name in CLUBS]
    again = migrate(BEFORE).get_model("scoring", "Club").objects.order_by("slug")
    assert [(each.system, each.options) for each in again] == [
        (system, options) for _, system, options, _, _ in CLUBS
    ]


def test_log_begins_with_what_is_there(older):
    """An installation from before verifies: its rows are covered as they were found."""
    club = older.get_model("scoring", "Club").objects.create(name="Younes", preset="levant")
    older.get_model("scoring", "Player").objects.create(club=club, name="Amal")
    newer = migrate("0017_log")
    told = newer.get_model("scoring", "LogEntry").objects.values_list("table", "action")
    assert sorted(told) == [("club", "found"), ("houserules", "found"), ("player", "found")]
    entry = newer.get_model("scoring", "LogEntry").objects.get(table="club")
    found = newer.get_model("scoring", "Club").objects.get()
    assert (entry.row_id, entry.facts) == (found.pk, facts_of(found))


def test_more_columns_are_covered_and_what_was_changed_before_stays_found(older):
    """Entries of before hold their row as it was noted; only the new columns are added."""
    apps = migrate("0019_rules_keys")
    club, player, entry = (
        apps.get_model("scoring", name) for name in ("Club", "Player", "LogEntry")
    )
    club = club.objects.create(name="Younes", slug="younes")
    amal = player.objects.create(club=club, name="Amal", is_guest=True)
    badr = player.objects.create(club=club, name="Badr")
    player.objects.create(club=club, name="Nobody knows")
    for row, facts in ((amal, {"club_id": str(club.pk)}), (badr, {"club_id": "another"})):
        entry.objects.create(
            table="player",
            row_id=row.pk,
            action="written",
            facts=json.dumps(facts, separators=(",", ":")),
            at=timezone.now(),
        )
    newer = migrate("0020_log_by")
    told = newer.get_model("scoring", "LogEntry").objects.filter(action="found").order_by("id")
    facts = {each.row_id: each.facts for each in told}
    amal = newer.get_model("scoring", "Player").objects.get(name="Amal")
    assert facts.keys() == {amal.pk, badr.pk}
    assert facts[amal.pk] == facts_of(amal)
    assert json.loads(facts[badr.pk])["club_id"] == "another"


def test_queued_work_finds_its_function_after_it_moved(older):
    queue = ("django_tasks_database", "0021_conditional_partial_index_ordering")
    MigrationExecutor(connection).migrate([("scoring", "0022_namesakes"), queue])
    task = DBTaskResult.objects.create(
        task_path="scoring.services.jobs.work",
        args_kwargs={"args": [], "kwargs": {}},
        backend_name="default",
        exception_class_path="",
        traceback="",
    )
    migrate("0023_task_path")
    queued = DBTaskResult.objects.get(pk=task.pk)
    assert import_string(queued.task_path).func is jobs.work.func
