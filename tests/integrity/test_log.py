"""Changes behind the application's back of what stands on no match's chain."""

import uuid
from datetime import date, datetime, timedelta

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import QuerySet

from scoring.clubs.services import api_keys
from scoring.common import jobs
from scoring.common.actor import Actor
from scoring.house_rules.services import house_rules
from scoring.integrity.queries.integrity import findings, in_the_log
from scoring.models import (
    ClubToken,
    DrawnSeat,
    JobKind,
    LedgerRow,
    LogEntry,
    LogSeal,
    MatchEvent,
    Player,
    Rating,
    RatingState,
    RatingStep,
)
from scoring.models.canonical import digest
from scoring.models.export_schema import DERIVED
from scoring.models.log import COVERED, acting, facts_of, seal
from scoring.models.triggers import without_triggers
from scoring.people.services import people
from scoring.players.services import merging
from scoring.standings.services import ratings, seasons
from scoring.transfer.services import match_club
from tests.factories import NOW, PlayerFactory, even_entries, finish, make_cast, make_match
from tests.support import evening as evenings
from tests.support.standings import make_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast():
    return make_cast()


@pytest.fixture
def club(cast):
    """A club with something in every table that is covered."""
    act = {"actor": Actor(cast.owner), "now": NOW}
    finish(make_match(club=cast.club, players=cast.players, entries=even_entries()))
    house_rules.create(club=cast.club, name="Ours", preset="levant", options={})
    api_keys.make(club=cast.club, name="Board", scope="read", **act)
    season = make_season(cast.club)
    seasons.close(season=season, by=cast.owner, now=NOW)
    double = PlayerFactory(club=cast.club, name="Amal B.")
    merging.merge(player=double, into=cast.players[0], **act)
    planned = evenings.planned(cast.club, evenings.people(cast.club, 9))
    evenings.draw(planned)
    evenings.open_drawn(planned)
    people.rename(player=cast.players[3], name="Dima Z.", **act)
    seal()
    return cast.club


def found():
    return [(one.code, one.table, one.row) for one in in_the_log()]


def other(field, value):
    """Another value that the column takes."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + (50 if field.name == "table_number" else 1)
    if isinstance(value, datetime):
        return value + timedelta(hours=1)
    if isinstance(value, date):
        return value + timedelta(days=-1 if field.name == "starts_on" else 1)
    if field.name in {"role", "scope"}:
        allowed = {"role": ["scorer", "member"], "scope": ["calendar", "read"]}[field.name]
        return next(each for each in allowed if each != value)
    if isinstance(value, str):
        return "odd"
    if isinstance(value, dict | list):
        return ["other"]
    if isinstance(value, uuid.UUID) and field.null:
        return None
    empty = {"UUIDField": uuid.uuid4(), "DateTimeField": NOW, "FloatField": 1.5}
    target = getattr(field, "target_field", field)
    return empty.get(target.get_internal_type(), 7)


def changes(row):
    """Each column of a row that is covered, with another value."""
    for field in row._meta.concrete_fields:
        if field.attname in COVERED[row._meta.model_name] and not field.primary_key:
            value = other(field, getattr(row, field.attname))
            if field.attname == "seat" or (field.attname == "table_number" and row.seat is None):
                continue
            yield field.attname, value


def behind_the_back(row, **values):
    """UPDATE that no manager sees."""
    assert QuerySet(type(row)).filter(pk=row.pk).update(**values) == 1


def test_every_covered_column_that_is_changed_is_named(club):
    assert found() == []
    for table in COVERED:
        model = apps.get_model("scoring", table)
        row = model._base_manager.order_by("pk").last()
        if table == "drawnseat":
            row = DrawnSeat.objects.filter(table_number=1).first()
        told = [("opened_at", NOW - timedelta(days=1)), ("preset", "x"), ("round_number", 9)]
        for name, value in told if table == "match" else changes(row):
            before = getattr(row, name)
            behind_the_back(row, **{name: value})
            assert found() == [("row_changed", table, row.pk)], name
            behind_the_back(row, **{name: before})
    assert found() == []


def test_a_seat_that_was_drawn_and_is_exchanged_is_named(club):
    one, two = DrawnSeat.objects.filter(table_number=1).order_by("seat")[:2]
    first, second = one.player_id, two.player_id
    behind_the_back(one, player_id=PlayerFactory(club=club, name="Nobody").pk)
    behind_the_back(two, player_id=first)
    behind_the_back(one, player_id=second)
    rows = {("row_changed", "drawnseat", one.pk), ("row_changed", "drawnseat", two.pk)}
    assert set(found()) == rows
    behind_the_back(one, seat=None, table_number=None)
    assert set(found()) == rows


def test_a_row_that_is_taken_away_or_comes_from_nowhere_is_named(club):
    for table in ("frozenstanding", "membership", "clubtoken", "drawnseat"):
        model = apps.get_model("scoring", table)
        row = model._base_manager.order_by("pk").first()
        QuerySet(model).filter(pk=row.pk)._raw_delete("default")
        assert found() == [("row_missing", table, row.pk)]
        there, row.pk = row.pk, uuid.uuid4()
        QuerySet(model).bulk_create([row])
        assert set(found()) == {("row_missing", table, there), ("row_unnamed", table, row.pk)}
        QuerySet(model).filter(pk=row.pk).update(id=there)
        assert found() == []


def test_a_match_that_is_gone_without_a_trace_is_named(club):
    match = make_match()
    with without_triggers(connection):
        for model in (*LedgerRow.__subclasses__(), *DERIVED, MatchEvent):
            if "match" in {field.name for field in model._meta.fields}:
                QuerySet(model).filter(match=match)._raw_delete("default")
        QuerySet(type(match)).filter(pk=match.pk)._raw_delete("default")
    assert found() == [("match_missing", "match", match.pk)]


def test_an_entry_that_is_changed_breaks_the_chain(club):
    entry = LogEntry.objects.order_by("id")[3]
    with without_triggers(connection):
        QuerySet(LogEntry).filter(pk=entry.pk).update(at=NOW - timedelta(days=1))
    assert found() == [("log_changed", "log", 4)]
    with without_triggers(connection):
        QuerySet(LogEntry).filter(pk=entry.pk).update(at=entry.at)
        QuerySet(LogSeal).filter(pk=6)._raw_delete("default")
    assert found() == [("log_changed", "log", 7)]


def test_what_the_application_does_is_no_fault(club, cast):
    """Every way to write: one row, many rows, and rows that go."""
    season = club.seasons.get()
    seasons.reopen(season=season)
    seasons.delete(season=season)
    merging.unmerge(player=Player.objects.exclude(merged_into=None).get(), actor=Actor(), now=NOW)
    api_keys.revoke(club=club, token_id=str(ClubToken.objects.get().id), now=NOW)
    Player.objects.filter(club=club).update(user=None)
    assert [one for one in findings() if one.table in COVERED] == []
    seal()
    assert LogSeal.objects.count() == LogEntry.objects.count()
    assert found() == []


def test_entries_hold_no_name(club):
    Player.objects.filter(club=club).update(name="Unspeakable")
    Player.objects.first().save()
    assert not LogEntry.objects.filter(facts__contains="Unspeakable").exists()
    assert "Amal" not in facts_of(Player.objects.get(merged_into__isnull=False))


def test_changed_ratings_are_found(club):
    jobs.run(jobs.start(club=club, kind=JobKind.RATINGS, actor=Actor(), now=NOW).id)
    assert not RatingState.objects.exclude(dirty_from=None).exists()
    assert list(ratings.that_differ(club)) == []
    for model, values in (
        (Rating, {"mu": 99.0}),
        (Rating, {"matches": 9}),
        (RatingStep, {"sigma": 1.0}),
    ):
        row = model.objects.order_by("pk").first()
        behind_the_back(row, **values)
        assert len(list(ratings.that_differ(club))) == 1
        behind_the_back(row, **{name: getattr(row, name) for name in values})
    assert list(ratings.that_differ(club)) == []


def test_rows_of_one_club_are_looked_at_alone(club, cast):
    """A club's own check: its rows that were changed, moved to another club or taken away."""
    other = cast.other_club
    behind_the_back(other, correction_minutes=99)
    assert [list(in_the_log(each)) == [] for each in (club, other)] == [True, False]
    person, seat = Player.objects.filter(club=club).last(), DrawnSeat.objects.first()
    behind_the_back(person, club=other)
    QuerySet(DrawnSeat).filter(pk=seat.pk)._raw_delete("default")
    told = [(one.code, one.row) for one in in_the_log(club)]
    assert set(told) == {("row_changed", person.pk), ("row_missing", seat.pk)}


def test_entry_says_whose_account_was_behind_it(club, cast):
    membership = cast.owner.memberships.get()
    with acting(lambda: cast.esam.pk):
        membership.save()
    entry = LogEntry.objects.order_by("id").last()
    assert (entry.table, entry.row_id, entry.by_id) == ("membership", membership.pk, cast.esam.pk)
    seal()
    assert found() == []
    with without_triggers(connection):
        QuerySet(LogEntry).filter(pk=entry.pk).update(by=cast.owner)
    assert found() == [("log_changed", "log", entry.seal.seq)]
    membership.save()
    assert LogEntry.objects.order_by("id").last().by_id is None


def test_hash_of_an_entry_without_an_account_is_as_it_always_was(db):
    entry = LogEntry(id=7, table="club", row_id=uuid.UUID(int=1), action="written", at=NOW)
    assert entry.digest("x") == digest(["x", 7, "club", uuid.UUID(int=1), "written", "", NOW])


def test_table_that_is_not_known_is_no_crash(club):
    entry = LogEntry.objects.get(table="houserules")
    with without_triggers(connection):
        QuerySet(LogEntry).filter(pk=entry.pk).update(table="odd", facts="[")
    assert ("row_missing", "odd", entry.row_id) in found()
    assert list(in_the_log(club)) != []


def test_match_that_a_club_takes_in_is_noted(cast):
    match = make_match(actor=Actor(cast.owner))
    match_club.move_to_club(
        match_id=match.id,
        club=cast.club,
        same={},
        actor=Actor(cast.owner),
        now=NOW,
        entry_key=uuid.uuid4(),
    )
    seal()
    assert (found(), list(in_the_log(cast.club))) == ([], [])
    match.refresh_from_db()
    assert LogEntry.objects.filter(row_id=match.id).last().facts == facts_of(match)
