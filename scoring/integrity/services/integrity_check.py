"""Every ledger of a club held against what was written, as long work.

It reads only, and mends nothing: what it finds was done behind the back of the application.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, cast
from uuid import UUID

from scoring.common.steps import Step
from scoring.integrity.queries.integrity import (
    LedgerFinding,
    findings,
    in_the_log,
    missing_guards,
    sums_that_differ,
)
from scoring.models import Club, Deal, Job, Match
from scoring.models.log import seal
from scoring.standings.services import ratings

TOLD = 100
"""As many are told one by one; all are counted."""
LOOKS = 3
"""How often a match is looked at anew because somebody wrote in it meanwhile."""
NOTHING: dict[str, Any] = {"faults": 0, "erased": 0, "told": []}


def check_ledgers(job: Job) -> Iterator[Step]:
    """First the database's own guards, then match by match, in the order of their ids; at last
    what is of the club as a whole: its entries in the log, sums and ratings."""
    club = job.club
    assert club is not None
    total = club.matches.count()
    step = Step(job.done, total, job.cursor, NOTHING | job.found)
    if not job.cursor:
        step = step._replace(found=_with(NOTHING, missing_guards()))
    yield step
    for match_id in matches_behind(club, job.cursor):
        done, found = step.done + 1, _with(step.found, _found_in(match_id))
        step = Step(done, max(done, total), str(match_id), found)
        yield step
    yield step._replace(done=step.total, found=_with(step.found, _of_club(club)))


def matches_behind(club: Club, cursor: str) -> list[UUID]:
    """One query."""
    matches = Match.objects.filter(club=club)
    if cursor:
        matches = matches.filter(id__gt=UUID(cursor))
    return list(matches.order_by("id").values_list("id", flat=True))


def _found_in(match_id: UUID) -> list[LedgerFinding]:
    """A deal that is saved while its match is read is no fault: then it is read once more."""
    found: list[LedgerFinding] = []
    for _ in range(LOOKS):
        before = _version(match_id)
        found = list(findings(only=match_id))
        if not any(one.is_fault for one in found) or _version(match_id) == before:
            break
    return found


def _of_club(club: Club) -> list[LedgerFinding]:
    """Each is read again where something differs: what is written meanwhile is no fault either."""
    looks = (in_the_log, sums_that_differ, ratings_that_differ)
    return [finding for look in looks for finding in _again(partial(look, club))]


def _again(look: Callable[[], Iterator[LedgerFinding]]) -> list[LedgerFinding]:
    found: list[LedgerFinding] = []
    for _ in range(LOOKS):
        seal()
        found = list(look())
        if not found:
            break
    return found


def ratings_that_differ(club: Club) -> Iterator[LedgerFinding]:
    """The ratings of a club that are not what its matches come to."""
    for family in ratings.that_differ(club):
        yield LedgerFinding("sums_differ", None, "rating", club.slug, f"{family}, rebuild_results")


def _version(match_id: UUID) -> int:
    return Match.objects.values_list("version", flat=True).get(id=match_id)


def _with(before: dict[str, Any], found: Iterable[LedgerFinding]) -> dict[str, Any]:
    found = list(found)
    faults = [one for one in found if one.is_fault]
    return {
        "faults": before["faults"] + len(faults),
        "erased": before["erased"] + len(found) - len(faults),
        "told": [*before["told"], *map(_told, faults)][:TOLD],
    }


def _told(one: LedgerFinding) -> dict[str, Any]:
    """As it can be kept: with the number of the deal where it is about one."""
    number = None
    if one.table == Deal.TABLE:
        known = Deal.objects.filter(id=cast(UUID, one.row))
        number = known.values_list("deal_number", flat=True).first()
    return {
        "code": one.code,
        "match": str(one.match_id) if one.match_id else None,
        "table": one.table,
        "number": number,
        "detail": one.detail,
    }
