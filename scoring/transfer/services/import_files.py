"""Import of a previewed file of matches, at once or as a background job."""

import io
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.utils import timezone
from django.utils.translation import override

from scoring.common.actor import Actor
from scoring.common.errors import ServiceError
from scoring.common.kept_files import kept
from scoring.common.steps import Step
from scoring.importing.limits import PAGE
from scoring.models import Club, Job, Player
from scoring.transfer.queries.imports import ImportPlan, ImportStatus, PlannedMatch, plan_import
from scoring.transfer.services.imports import import_match, move_match


def matches_to_write(found: ImportPlan, to_move: Collection[str]) -> list[PlannedMatch]:
    """Return the new matches in order of play, then those to move, by ids of the club's matches.

    In order of play, adding the last match of a player costs the same however many there are.
    """
    new = sorted(found.of(ImportStatus.NEW), key=attrgetter("played_at"))
    return new + [each for each in found.of(ImportStatus.MOVED) if str(each.match_id) in to_move]


def write_match(
    planned: PlannedMatch, club: Club, actor: Actor, now: datetime, same: Mapping[str, Player]
) -> bool:
    """Import or move a planned match; return False if it was imported meanwhile."""
    if planned.status == ImportStatus.MOVED:
        move_match(planned=planned, actor=actor, now=now)
        return True
    return import_match(planned=planned, club=club, actor=actor, now=now, same=same).is_new


def import_file(job: Job) -> Iterator[Step]:
    """Import the rest of a stored file, as a background job.

    `job.found` has its token as `file` and the answers `dates`, `same` (ids of players by name) and
    `move`; counts are added to it.
    """
    assert job.club is not None
    found: dict[str, Any] = {"new": 0, "moved": 0, "refused": 0} | job.found
    actor = Actor(user=job.opened_by)
    data = kept(club=job.club, user=job.opened_by, token=found["file"]) if job.opened_by else None
    if data is None:
        yield Step(job.done, job.total, "", found | {"gone": True})
        return
    people = job.club.players.in_bulk(list(found["same"].values()), field_name="id")
    by_id = {str(player_id): player for player_id, player in people.items()}
    same = {name: by_id[key] for name, key in found["same"].items() if key in by_id}
    planned = matches_to_write(
        plan_import(job.club, io.BytesIO(data), PAGE, same, found["dates"]), found["move"]
    )
    total = job.done + len(planned)
    for done, each in enumerate(planned, start=job.done):
        yield Step(done, total, "", found)
        what = "moved" if each.status == ImportStatus.MOVED else "new"
        try:
            with override(job.club.language):
                write_match(each, job.club, actor, timezone.now(), same)
        except ServiceError:  # the club changed meanwhile
            what = "refused"
        found = found | {what: found[what] + 1}
    yield Step(total, total, "", found)
