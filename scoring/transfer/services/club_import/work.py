"""A club out of a file, as long work: looked at, written, and what is derived worked out."""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

from scoring.common.steps import Step
from scoring.integrity.services import rebuild
from scoring.integrity.services.rebuild import left_of
from scoring.models import Club, Job, User
from scoring.transfer.services.club_export.document import MATCHES
from scoring.transfer.services.club_import.checking import Known, checked
from scoring.transfer.services.club_import.files import kept
from scoring.transfer.services.club_import.reading import ClubFileRefused, count, lines, opened
from scoring.transfer.services.club_import.writing import refuse_known, write

ARRIVED = "arrived"
"""How the cursor begins once the rows are there: only what is derived is to be worked out."""


def arrive(job: Job) -> Iterator[Step]:
    """The file that `job.found` names. Where it is refused, `found` says why, and nothing was
    written; else which club it is."""
    path = kept(UUID(job.found["file"]))
    step = Step(job.done, job.total, job.cursor, dict(job.found))

    def note(club: Club) -> None:
        found = step.found | {"club": str(club.id)}
        Job.objects.filter(pk=job.pk).update(cursor=ARRIVED, found=found)

    try:
        yield from take_in(path, job.opened_by, step, note)
    except ClubFileRefused as refused:
        yield step._replace(found=step.found | {"refused": refused.to_json()})
    path.unlink(missing_ok=True)


def take_in(
    path: Path,
    owner: User | None,
    step: Step | None = None,
    note: Callable[[Club], None] = lambda club: None,
) -> Iterator[Step]:
    """Write the rows of a club and yield the steps.

    Raises `ClubFileRefused` where anything does not fit. `owner` becomes an owner of the club. What
    `note` writes is written with the rows or not at all, so that a resumed job knows that they are
    there."""
    step = step or Step(0, 0, "", {})
    if not step.cursor.startswith(ARRIVED):
        step = yield from _take_in(path, owner, step, note)
    club = Club.objects.get(id=UUID(step.found["club"]))
    looked_at = step.done
    cursor = step.cursor.removeprefix(ARRIVED).strip()
    for each in rebuild.steps(club, Step(0, 0, cursor, rebuild.NOTHING | step.found)):
        done = looked_at + each.found["looked_at"]
        place = f"{ARRIVED} {each.cursor}".strip()
        yield Step(done, max(done, step.total), place, each.found)
    yield each._replace(done=step.total, total=step.total, cursor=ARRIVED)


def _gone_on(club: Club, step: Step, left: dict[str, int]) -> Step:
    """The rows came with an import that was broken off: only what is derived is to be worked
    out."""
    return step._replace(cursor=ARRIVED, found=step.found | {"club": str(club.id), "left": left})


def _take_in(
    path: Path, owner: User | None, step: Step, note: Callable[[Club], None]
) -> rebuild.Steps:
    """Gives the step behind it. The file is read twice: nothing of it is held in memory."""
    known = Known()
    with opened(path) as archive:
        step = Step(0, 2 * count(archive), "", step.found)
        yield step
        for line in checked(archive, lines(archive), known):
            if line.list == MATCHES:
                done = step.done + 1
                step = step._replace(done=done, total=max(step.total, 2 * done))
                yield step
            elif known.club and line.list == "club":
                if left := left_of(known.club):
                    return _gone_on(known.club, step, left)
                refuse_known(known.club)
        write(archive, lines(archive), known, owner, note)
    assert known.club is not None  # else it would have been refused
    found = step.found | {"club": str(known.club.id)}
    step = step._replace(cursor=ARRIVED, found=found)
    yield step
    return step
