"""Import a club from a file as a background job: check it, write it, rebuild derived rows."""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

from scoring.common.steps import Step
from scoring.integrity.services import rebuild
from scoring.integrity.services.rebuild import left_of
from scoring.models import Club, Job, User
from scoring.transfer.services.club_export.document import MATCHES
from scoring.transfer.services.club_import.checking import KnownRows, check_lines
from scoring.transfer.services.club_import.files import path_of
from scoring.transfer.services.club_import.reading import (
    ClubFileRefused,
    count_matches,
    open_archive,
    read_lines,
)
from scoring.transfer.services.club_import.writing import require_new_club, write

ROWS_WRITTEN = "arrived"
"""Prefix of the cursor once the rows are written and only derived rows are missing."""


def import_club(job: Job) -> Iterator[Step]:
    """Import the file that `job.found` names.

    Afterwards `found` has the id of the club, or why the file was refused and nothing written.
    """
    path = path_of(UUID(job.found["file"]))
    step = Step(job.done, job.total, job.cursor, dict(job.found))

    def note(club: Club) -> None:
        found = step.found | {"club": str(club.id)}
        Job.objects.filter(pk=job.pk).update(cursor=ROWS_WRITTEN, found=found)

    try:
        yield from import_archive(path, job.opened_by, step, note)
    except ClubFileRefused as refused:
        yield step._replace(found=step.found | {"refused": refused.to_json()})
    path.unlink(missing_ok=True)


def import_archive(
    path: Path,
    owner: User | None,
    step: Step | None = None,
    note: Callable[[Club], None] = lambda club: None,
) -> Iterator[Step]:
    """Import a club; raise `ClubFileRefused` if anything in the file does not fit.

    `owner` becomes an owner of the club. `note` is called in the transaction that writes the rows,
    so that a resumed job knows whether they are there.
    """
    step = step or Step(0, 0, "", {})
    if not step.cursor.startswith(ROWS_WRITTEN):
        step = yield from _check_and_write(path, owner, step, note)
    club = Club.objects.get(id=UUID(step.found["club"]))
    looked_at = step.done
    cursor = step.cursor.removeprefix(ROWS_WRITTEN).strip()
    for each in rebuild.steps(club, Step(0, 0, cursor, rebuild.NOTHING | step.found)):
        done = looked_at + each.found["looked_at"]
        place = f"{ROWS_WRITTEN} {each.cursor}".strip()
        yield Step(done, max(done, step.total), place, each.found)
    yield each._replace(done=step.total, total=step.total, cursor=ROWS_WRITTEN)


def _resume(club: Club, step: Step, left: dict[str, int]) -> Step:
    """Return a step that only rebuilds: an interrupted import wrote the rows already."""
    return step._replace(
        cursor=ROWS_WRITTEN, found=step.found | {"club": str(club.id), "left": left}
    )


def _check_and_write(
    path: Path, owner: User | None, step: Step, note: Callable[[Club], None]
) -> rebuild.Steps:
    """Check and write the file; return the step to continue from.

    The file is read twice, so that it is never in memory as a whole.
    """
    known = KnownRows()
    with open_archive(path) as archive:
        step = Step(0, 2 * count_matches(archive), "", step.found)
        yield step
        for line in check_lines(archive, read_lines(archive), known):
            if line.list == MATCHES:
                done = step.done + 1
                step = step._replace(done=done, total=max(step.total, 2 * done))
                yield step
            elif known.club and line.list == "club":
                if left := left_of(known.club):
                    return _resume(known.club, step, left)
                require_new_club(known.club)
        write(archive, read_lines(archive), known, owner, note)
    assert known.club is not None  # else it would have been refused
    found = step.found | {"club": str(known.club.id)}
    step = step._replace(cursor=ROWS_WRITTEN, found=found)
    yield step
    return step
