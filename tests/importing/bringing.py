"""Files into a club, as the page and the command do it."""

import io

from django.apps import apps

from scoring.importing.limits import PAGE
from scoring.transfer.queries.imports import ImportStatus, plan_import
from scoring.transfer.services.imports import import_match
from tests.factories import NOW, PHONE


def look(club, data, limits=PAGE, **more):
    return plan_import(club, io.BytesIO(data), limits, **more)


def bring_in(club, data, now=NOW, **more):
    """Imports what is new; the imported matches."""
    found = look(club, data, **more)
    return [
        import_match(planned=each, club=club, actor=PHONE, now=now, **more)
        for each in found.of(ImportStatus.NEW, ImportStatus.HERE, ImportStatus.AGAIN)
    ]


def statuses(club, data):
    return [str(each.status) for each in look(club, data).matches]


def row_counts():
    """How many rows every table has."""
    return {model._meta.db_table: model._base_manager.count() for model in apps.get_models()}
