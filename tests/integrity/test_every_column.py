"""Every column of every table, changed by plain SQL while the triggers are gone: it is found, or
`verify_ledger` itself says that it is outside."""

import uuid
from datetime import timedelta
from itertools import chain

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction

from scoring.clubs.services import api_keys
from scoring.common import jobs
from scoring.common.actor import Actor
from scoring.corrections.services import adjustments, subtotals
from scoring.house_rules.services import house_rules
from scoring.integrity.queries.integrity import findings, in_the_log, sums_that_differ
from scoring.integrity.services.integrity_check import ratings_that_differ
from scoring.models import (
    ContractTotal,
    Deal,
    JobKind,
    LogEntry,
    LogSeal,
    Match,
    Meeting,
    PlayerTotal,
    Rating,
    RatingState,
    RatingStep,
)
from scoring.models.log import COVERED, LEFT_OUT, OUTSIDE, seal
from scoring.models.triggers import without_triggers
from scoring.players.services import merging
from scoring.standings.services import seasons
from tests.corrections.test_subtotals import paper_of
from tests.factories import (
    NOW,
    PlayerFactory,
    adjust,
    attach,
    correct,
    even_entries,
    evening_record,
    evenings,
    finish,
    king,
    make_cast,
    make_evening,
    make_match,
    redeal,
    void,
    write,
)
from tests.support import evening as evenings_of
from tests.support import judging, photos, signing
from tests.support.standings import make_season

pytestmark = pytest.mark.django_db
LEFT = {each for named in LEFT_OUT.values() for each in named}
REFUSED = {"seating.seat"} | {
    f"void.{name}_id" for name in ("redeal", "record", "photo", "signature", "flag")
}
"""What the database itself refuses here: all four seats are taken, and a void is of one thing."""


@pytest.fixture
def club(settings, tmp_path):
    """A club with a row in every table, and something in every column that can hold something."""
    settings.MEDIA_ROOT = tmp_path
    cast = make_cast()
    act = {"actor": Actor(cast.owner), "now": NOW}
    house_rules.create(club=cast.club, name="Ours", preset="levant", options={})
    api_keys.make(club=cast.club, name="Board", scope="read", **act)
    finish(make_match(club=cast.club, players=cast.players, entries=even_entries()))
    season = make_season(cast.club)
    seasons.close(season=season, by=cast.owner, now=NOW)
    double = PlayerFactory(club=cast.club, name="Amal B.")
    merging.merge(player=double, into=cast.players[0], **act)
    planned = evenings_of.planned(cast.club, evenings_of.people(cast.club, 9))
    evenings_of.draw(planned)
    evenings_of.open_drawn(planned)
    judged(cast, make_evening("evening-levant", deals=6, club=cast.club))
    paper = make_evening("evening-levant", deals=0, club=cast.club)
    row = write(subtotals.enter, paper, paper=paper_of(evenings()["evening-levant"]["deals"][:5]))
    write(subtotals.void, paper, subtotal_id=row.id)
    jobs.run(jobs.start(club=cast.club, kind=JobKind.RATINGS, **act).id)
    seal()
    return cast.club


def judged(cast, match):
    """A match with everything that can stand beside its deals."""
    correct(match, Deal.objects.get(match=match, deal_number=2), king(taken_by=3, chooser=1))
    void(match, Deal.objects.get(match=match, deal_number=6))
    redeal(match)
    attach(match, 1, evening_record("evening-levant", 1))
    photos.attach(match)
    penalty = adjust(match)
    write(adjustments.void_adjustment, match, adjustment_id=penalty.id, reason="No")
    signing.sign(match, 2)
    judging.flag(match, actor=judging.by(cast.amal))
    judging.rule(match, points=(0, 0, 0, -40), actor=judging.by(cast.esam))


def everything(club):
    """What `verify_ledger` finds, but for the triggers that are gone."""
    found = chain(findings(), ratings_that_differ(club))
    return [one for one in found if one.code != "trigger_missing"]


def found_of(row, club):
    """The same, only of where this row belongs: all of it for each column would take minutes."""
    if isinstance(row, LogEntry | LogSeal) or row._meta.model_name in {*COVERED} - {"match"}:
        return [*in_the_log()]
    if isinstance(row, Rating | RatingStep | RatingState):
        return [*ratings_that_differ(club)]
    if isinstance(row, PlayerTotal | ContractTotal | Meeting):
        return [*sums_that_differ(club)]
    if isinstance(row, Match):
        return [*findings(only=row.id), *in_the_log()]
    return [*findings(only=row.match_id)] if hasattr(row, "match_id") else everything(club)


def others(field, value):
    """Other values for a column, the likely ones first."""
    target = getattr(field, "target_field", field)
    if field.related_model:
        rows = field.related_model._base_manager.exclude(pk=value).order_by("pk")
        yield from rows.values_list("pk", flat=True)[:9]
        yield uuid.uuid4() if isinstance(target, models.UUIDField) else 10**6
    elif field.choices:
        yield from (each for each, _ in field.choices if each != value)
    elif isinstance(target, models.BooleanField):
        yield not value
    elif isinstance(target, models.IntegerField | models.FloatField):
        yield from (number for number in ((value or 0) + 1, 0, 1, 2, 3, 50) if number != value)
    elif isinstance(target, models.DateTimeField):
        yield (value or NOW) + timedelta(hours=1)
    elif isinstance(target, models.DateField):
        yield from (value + timedelta(days=days) for days in (1, -1))
    elif isinstance(target, models.UUIDField):
        yield uuid.uuid4()
    elif isinstance(target, models.JSONField):
        yield ["other"]
    else:
        yield from (each for each in ("odd", "low", "high") if each != value)
    if field.null and value is not None:
        yield None


def columns():
    """Every column but the key, which is the row itself, and what is known to be outside."""
    for model in apps.get_app_config("scoring").get_models():
        name = model._meta.model_name
        for field in model._meta.concrete_fields if name not in LEFT else ():
            if not field.primary_key and f"{name}.{field.attname}" not in LEFT:
                yield model, field


def write_past(row, field, value):
    """UPDATE past the triggers and all of Python; whether the database takes it."""
    name, key = connection.ops.quote_name, row._meta.pk
    put = f"UPDATE {name(row._meta.db_table)} SET {name(field.column)} = %s"
    sql = f"{put} WHERE {name(key.column)} = %s"
    told = [field.get_db_prep_save(value, connection), key.get_db_prep_save(row.pk, connection)]
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql, told)
    except DatabaseError:
        return False
    return True


def changed(model, field):
    """A row of which the column now has another value: one that has a value if any has."""
    rows = model._base_manager.order_by("pk")
    for row in (rows.filter(**{f"{field.name}__isnull": False}).first(), *rows):
        for value in others(field, getattr(row, field.attname)) if row else ():
            if write_past(row, field, value):
                return row
    return None


def test_whatever_is_changed_behind_the_back_is_found(club):
    assert everything(club) == []
    unseen, refused = [], set()
    with without_triggers(connection):
        for model, field in columns():
            name = f"{model._meta.model_name}.{field.attname}"
            if (row := changed(model, field)) is None:
                refused.add(name)
                continue
            if not found_of(row, club):
                unseen.append(name)
            assert write_past(row, field, getattr(row, field.attname))
    assert (unseen, refused) == ([], REFUSED)
    assert everything(club) == []


def test_what_is_outside_is_named_by_the_command_and_is_there():
    assert LEFT_OUT.keys() <= OUTSIDE.keys()
    known = set()
    for model in apps.get_app_config("scoring").get_models():
        name = model._meta.model_name
        fields = (*model._meta.concrete_fields, *model._meta.many_to_many)
        known |= {name, *(f"{name}.{field.attname}" for field in fields)}
        many = {f"{name}.{field.name}" for field in model._meta.many_to_many}
        assert many <= LEFT, name
    assert known >= LEFT
    covered = {f"{table}.{column}" for table in COVERED for column in COVERED[table]}
    assert covered.isdisjoint(LEFT)
