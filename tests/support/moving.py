"""A club that moves: exported, everything gone, imported again."""

import json
import shutil
import zipfile
from contextlib import suppress
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db import connection

from scoring.models import Club, Job, JobState, triggers
from scoring.models.export_schema import DERIVED
from scoring.transfer.services.club_export import export_club
from scoring.transfer.services.club_export.files import finished_path
from scoring.transfer.services.club_import import import_archive


def exported(club: Club, to: Path | None = None) -> Path:
    """The file of an export; it outlives the next one where it is copied."""
    job = Job(club=club)
    *_, last = export_club(job)
    assert last.done == last.total
    path = finished_path(club, job.id)
    return Path(shutil.copy(path, to)) if to else path


def imported(path: Path, owner=None) -> Club:
    *_, last = import_archive(path, owner)
    assert last.done == last.total
    return Club.objects.get(id=last.found["club"])


def text_of(path: Path, name: str = "club.json") -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def names_in(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def changed(path: Path, change, name: str = "club.json") -> Path:
    """A copy in which one part is what `change` makes of its lines; None takes it out."""
    copy = path.with_name("changed.zip")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w") as new:
        for part in old.namelist():
            data = old.read(part)
            if part == name:
                if change is None:
                    continue
                lines = data.decode(errors="replace").split("\n")
                data = "\n".join(change(lines)).encode()
            new.writestr(part, data)
    return copy


def changed_row(path: Path, table: str, change, which=lambda row: True) -> Path:
    """Return a copy in which one row of a table is changed: of the club, or (by a dotted name) of
    the match that has a photo. Ids are random, and rows stand in their order: where it matters
    which row it is, `which` picks it."""
    name, _, of_match = table.partition(".")

    def lines(found):
        at = found.index(f'"{name}":[') + 1
        while not _is_picked(json.loads(found[at].removesuffix(",")), of_match, which):
            at += 1
        row = json.loads(found[at].removesuffix(","))
        inner = row[of_match] if of_match else row
        change(next(filter(which, inner)) if isinstance(inner, list) else inner)
        found[at] = json.dumps(row) + ("," if found[at].endswith(",") else "")
        return found

    return changed(path, lines)


def _is_picked(row, of_match, which):
    return bool(row["photo"]) if of_match else which(row)


def forget_everything() -> None:
    """An installation as it is before anybody has been there."""
    models = [*apps.get_app_config("scoring").get_models()]
    with triggers.without_triggers(connection), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        for model in models:
            cursor.execute(f'DELETE FROM "{model._meta.db_table}"')
    with suppress(FileNotFoundError):
        shutil.rmtree(settings.MEDIA_ROOT)


def derived_rows() -> dict[str, list]:
    """Every derived row of every table, without ids and moments that are of this installation."""
    found = {}
    for model in DERIVED:
        own = {"id", "kingdom_id", "current_deal_id", "rebuilt_at", "as_of", "marked"}
        rows = [{k: v for k, v in row.items() if k not in own} for row in model.objects.values()]
        found[model.__name__] = sorted(map(str, rows))
    return found


def done(job: Job) -> Job:
    job.refresh_from_db()
    assert job.state == JobState.DONE
    return job
