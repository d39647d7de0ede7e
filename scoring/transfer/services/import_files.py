"""A file of matches that was looked at, imported match by match: at once, or as long work."""

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
from scoring.transfer.queries.imports import ImportPreview, PlannedMatch, Status, preview
from scoring.transfer.services.imports import import_match, move_match


def to_do(found: ImportPreview, to_move: Collection[str]) -> list[PlannedMatch]:
    """New matches in order of play, in which the last match of its people costs the same however
    many there are; then those to move, by the ids of the matches here."""
    new = sorted(found.of(Status.NEW), key=attrgetter("played_at"))
    return new + [each for each in found.of(Status.MOVED) if str(each.match_id) in to_move]


def keep(
    planned: PlannedMatch, club: Club, actor: Actor, now: datetime, same: Mapping[str, Player]
) -> bool:
    """Imports or moves one of those `to_do`; False where somebody else just did."""
    if planned.status == Status.MOVED:
        move_match(planned=planned, actor=actor, now=now)
        return True
    return import_match(planned=planned, club=club, actor=actor, now=now, same=same).is_new


def import_file(job: Job) -> Iterator[Step]:
    """What is left of a kept file. `job.found` holds its token as `file`, and the answers to what
    was asked: `dates`, `same` (ids of people by names) and `move`; counts are added to it."""
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
    planned = to_do(preview(job.club, io.BytesIO(data), PAGE, same, found["dates"]), found["move"])
    total = job.done + len(planned)
    for done, each in enumerate(planned, start=job.done):
        yield Step(done, total, "", found)
        what = "moved" if each.status == Status.MOVED else "new"
        try:
            with override(job.club.language):
                keep(each, job.club, actor, timezone.now(), same)
        except ServiceError:  # somebody changed the club in between
            what = "refused"
        found = found | {what: found[what] + 1}
    yield Step(total, total, "", found)
