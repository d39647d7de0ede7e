"""Export a club as a background job: match by match into parts, then the parts into one file."""

import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any
from uuid import UUID

from django.utils import timezone

from scoring.common.steps import Step
from scoring.integrity.queries.integrity import UNREADABLE
from scoring.integrity.queries.ledger_rows import Evidence
from scoring.models import Club, Job, MatchResult, Photo
from scoring.spreadsheets import BOM, Book, csv_lines
from scoring.transfer.queries.export_rows import document_of, match_rows_after
from scoring.transfer.services.club_export import files, tables
from scoring.transfer.services.club_export.document import club_lines, json_line
from scoring.transfer.services.club_export.parts import ExportParts

LINES_PER_HEARTBEAT = 500
"""Lines between two heartbeats."""
RIGHT_TO_LEFT = ("ar",)
README = """\
club.json          everything of the club, as another trexscore takes it in
heads.txt          the last seal of each match, for manage.py verify_ledger --heads
csv                tables of values in UTF-8; deals.csv can be imported as matches, which carries
                   players, deals and points. It has no match without deals; "not_carried" names
                   what only club.json holds: matches that were voided or are not finished,
                   substitutes, penalties, sums from paper, people of one name, hidden people
csv-with-bom       the same for programs that would not know the letters else
*.xlsx             the same as a workbook
photos             pictures of paper sheets and of cards
"""

type Heartbeats = Iterator[None]


def export_club(job: Job) -> Iterator[Step]:
    """Write the file that the page of the job serves.

    Unreadable matches go into `club.json` as they are, and are counted.
    """
    club = job.club
    assert club is not None
    now = timezone.now()
    files.delete_old(now)
    with ExportParts(partial(files.draft_path, club, job.id), job.cursor) as parts:
        begun = job.done if parts.last else 0
        step = Step(begun, club.matches.count(), job.cursor, {"unreadable": 0} | job.found)
        yield step
        for found in match_rows_after(club, parts.last):
            step = _write_batch(parts, club, found, step)
            yield step
        draft = files.draft_path(club, job.id, "zip")
        for _ in _every(LINES_PER_HEARTBEAT, _write_archive(draft, club, parts)):
            yield step
    os.replace(draft, files.finished_path(club, job.id))
    files.delete_others(club, job.id)
    size = files.finished_path(club, job.id).stat().st_size
    yield step._replace(done=step.total, found=step.found | {"size": size})


def _write_batch(parts: ExportParts, club: Club, batch: Sequence[Evidence], step: Step) -> Step:
    results = _results(batch)
    names = dict(club.players.values_list("id", "name"))
    evenings = dict(club.evenings.values_list("id", "name"))
    hidden = tables.ids_of_hidden_people(club)
    unreadable = 0
    for found in batch:
        match = found.match
        parts.write("documents", [json_line(document_of(found))])
        parts.write("heads", [f"{match.id} {match.version} {match.head}"])
        try:
            sheet = tables.ExportedMatch.of(club, found, names, evenings, hidden)
            lines = sheet.match(), list(sheet.deals())
        except UNREADABLE:
            unreadable += 1
            continue
        parts.rows("matches", lines[:1])
        parts.rows("deals", lines[1])
        parts.rows("results", sheet.results(results.get(match.id, ())))
    done = step.done + len(batch)
    counted = step.found | {"unreadable": step.found["unreadable"] + unreadable}
    return Step(done, max(done, step.total), parts.place(batch[-1].match.id), counted)


def _results(batch: Sequence[Evidence]) -> dict[UUID, list[MatchResult]]:
    """Return the results by match. One query."""
    found: dict[UUID, list[MatchResult]] = {}
    rows = MatchResult.objects.filter(match__in=[each.match.id for each in batch])
    for row in rows.order_by("seat", "opened_at", "id"):
        found.setdefault(row.match_id, []).append(row)
    return found


# ── the file ─────────────────────────────────────────────


def _write_archive(path: Path, club: Club, parts: ExportParts) -> Heartbeats:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        yield from _add(archive, "club.json", club_lines(club, parts.lines("documents")))
        yield from _add(archive, "heads.txt", parts.lines("heads"))
        tables_of_club = _tables(club, parts)
        for name, columns, rows in tables_of_club:
            for folder, start in (("csv", ""), ("csv-with-bom", BOM)):
                lines = csv_lines(chain([columns], rows()))
                yield from _add(archive, f"{folder}/{name}.csv", lines, start, end="")
        yield from _add_workbook(archive, path.with_suffix(".xlsx"), club, tables_of_club)
        yield from _add_photos(archive, club)


type Tables = list[tuple[str, Sequence[str], Callable[[], Iterable[Sequence[Any]]]]]


def _tables(club: Club, parts: ExportParts) -> Tables:
    return [
        ("people", tables.PEOPLE, partial(tables.people, club)),
        ("standings", tables.STANDINGS, partial(tables.standings, club)),
        ("matches", tables.MATCHES, partial(parts.read, "matches")),
        ("results", tables.RESULTS, partial(parts.read, "results")),
        ("deals", tables.DEALS, partial(parts.read, "deals")),
    ]


def _add(
    archive: zipfile.ZipFile, name: str, lines: Iterable[str], start: str = "", end: str = "\n"
) -> Heartbeats:
    with archive.open(name, "w", force_zip64=True) as file:
        file.write(start.encode())
        for line in lines:
            file.write(f"{line}{end}".encode())
            yield


def _add_workbook(
    archive: zipfile.ZipFile, draft: Path, club: Club, tables_of_club: Tables
) -> Heartbeats:
    book = Book(right_to_left=club.language in RIGHT_TO_LEFT)
    for name, columns, rows in tables_of_club:
        yield from book.add(name, columns, tables.with_datetimes(columns, rows()))
    book.save(draft)
    archive.write(draft, f"{club.slug}.xlsx", zipfile.ZIP_STORED)
    draft.unlink()


def _add_photos(archive: zipfile.ZipFile, club: Club) -> Heartbeats:
    """Add all photos, also withdrawn ones, unless their files were erased."""
    for photo in Photo.objects.filter(match__club=club).order_by("id").iterator():
        if photo.path.is_file():
            archive.write(photo.path, f"photos/{photo.path.name}", zipfile.ZIP_STORED)
        yield


def _every(number: int, alive: Iterable[None]) -> Heartbeats:
    for count, _ in enumerate(alive):
        if count % number == 0:
            yield
