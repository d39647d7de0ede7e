"""What of a club goes along is declared for every table and every field."""

from datetime import date

import pytest
from django.apps import apps
from django.db import models

from scoring.models import Deal, Match, Player, Season, User
from scoring.models.export_schema import (
    ACCOUNTS,
    DERIVED,
    OF_CLUB,
    OF_MATCH,
    STAYING,
    Misfit,
    TableSchema,
    models_range,
    read,
)

EXPORTED = (*OF_CLUB, *OF_MATCH)


def test_every_table_is_exported_derived_or_said_to_stay():
    """A new model without a word about it fails here."""
    told = [facts.model for facts in EXPORTED] + [*DERIVED, *STAYING]
    assert len(told) == len(set(told))
    assert set(told) == set(apps.get_app_config("scoring").get_models())


@pytest.mark.parametrize("facts", EXPORTED, ids=lambda facts: facts.name)
def test_every_field_is_exported_or_said_to_stay(facts):
    fields = {field.attname for field in facts.model._meta.concrete_fields}
    assert {*facts.fields, *facts.left_out} == fields
    assert len(facts.fields) + len(facts.left_out) == len(fields)


def test_what_opens_anything_or_belongs_to_one_person_stays():
    secret = {"password", "email", "last_login", "digest", "token_hash", "is_superuser"}
    for facts in EXPORTED:
        assert secret.isdisjoint(facts.fields)
    assert ACCOUNTS.fields == ("id", "username")


@pytest.mark.parametrize("facts", EXPORTED, ids=lambda facts: facts.name)
def test_every_kind_of_column_can_be_read(facts):
    for name in facts.fields:
        field = facts.columns[name]
        if not isinstance(field, models.JSONField):
            with pytest.raises(Misfit, match=name):
                read(field, object())


def facts_of(model) -> TableSchema:
    return next(facts for facts in EXPORTED if facts.model is model)


@pytest.mark.parametrize(
    ("model", "field", "value"),
    [
        (Player, "id", "no id"),
        (Player, "id", "{00000000-0000-0000-0000-000000000001}"),
        (Player, "id", None),
        (Player, "name", "x" * 49),
        (Player, "name", "a\0b"),
        (Player, "name", None),
        (Player, "is_guest", 1),
        (Player, "created_at", "2026-11-12T18:15:00"),
        (Season, "starts_on", "12.11.2026"),
        (Season, "criteria", None),
        (Deal, "deal_number", "1"),
        (Deal, "deal_number", True),
        (Deal, "deal_number", -1),
        (Deal, "deal_number", 2**15),
        (Match, "version", 2**31),
    ],
)
def test_value_that_no_database_of_ours_would_give_is_refused(model, field, value):
    with pytest.raises(Misfit, match=field):
        read(facts_of(model).columns[field], value)


def test_row_that_lacks_a_field_or_has_another_is_refused():
    facts = facts_of(User)
    row = {"id": "00000000-0000-0000-0000-000000000001", "username": "amal"}
    assert facts.from_json(row).username == "amal"
    for wrong, name in [({"id": row["id"]}, "username"), (row | {"password": "x"}, "password")]:
        with pytest.raises(Misfit, match=name):
            facts.from_json(wrong)


def test_a_row_reads_as_it_was_written():
    season = Season(name="Winter", starts_on=date(2026, 11, 1), ends_on=date(2026, 11, 2))
    facts = facts_of(Season)
    written = facts.to_json(season) | {"created_at": "2026-11-12T18:15:00.000000+00:00"}
    written["club_id"] = "00000000-0000-0000-0000-000000000001"
    assert facts.to_json(facts.from_json(written)) == written


def test_numbers_have_the_range_of_their_column():
    assert models_range(models.PositiveSmallIntegerField()) == (0, 32767)
    assert models_range(models.IntegerField()) == (-(2**31), 2**31 - 1)
    assert models_range(models.PositiveBigIntegerField()) == (0, 2**63 - 1)
