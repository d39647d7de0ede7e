"""Every record of a club held against its deal again, as long work.

A verdict is stored with the record or the deal it is about. Whether it is still what the audit
says shows only by asking again: after an upgrade that finds more, or after somebody has been at
the database. What differs is put right and told."""

from collections.abc import Generator, Iterable, Iterator
from typing import Any, cast
from uuid import UUID

from django.db.models import Exists, OuterRef

from scoring.common.steps import Step
from scoring.integrity.queries.integrity import UNREADABLE
from scoring.integrity.queries.ledger_rows import Evidence, evidence
from scoring.integrity.services.rebuild import rebuild
from scoring.ledger.queries.verdicts import verdict_of
from scoring.models import CardRecord, Club, Job, Match, Verdict
from scoring.standings.queries.derived import VERDICT_FACTS, verdict_rows

TOLD = 100
"""As many differences are told one by one; all are counted."""
SAID = ("contract", "agrees", "complete", "codes")
NOTHING: dict[str, Any] = {"differ": 0, "told": [], "unreadable": []}

type Facts = dict[str, Any]


def audit_records(job: Job) -> Iterator[Step]:
    """Match by match, without a lock: only where something differs is a match written."""
    club = job.club
    assert club is not None
    step = Step(job.done, counting_in(club), job.cursor, NOTHING | job.found)
    yield step
    for match_id in matches_behind(club, job.cursor):
        found = next(evidence(Match.objects.filter(id=match_id)))
        try:
            differing = yield from _differing(found, step)
        except UNREADABLE:
            step = _after(step, found, unreadable=[str(match_id)])
        else:
            # Somebody may have written meanwhile: under the lock it is looked at once more, and
            # the audits come from memory.
            differ = bool(differing) and "verdicts" in rebuild(match_id=match_id)
            step = _after(step, found, differing if differ else [])
        yield step
    yield step._replace(done=step.total)


def counting_in(club: Club) -> int:
    """How many records of a club count. One query."""
    rows = CardRecord.objects.filter(void__isnull=True, match__club=club)
    return rows.order_by().values("match", "deal_number").distinct().count()


def matches_behind(club: Club, cursor: str) -> list[UUID]:
    """The matches with a record or a verdict, in the order of their ids. One query."""
    matches = Match.objects.filter(club=club)
    if cursor:
        matches = matches.filter(id__gt=UUID(cursor))
    of_match = (model.objects.filter(match=OuterRef("id")) for model in (CardRecord, Verdict))
    records, verdicts = map(Exists, of_match)
    return list(matches.filter(records | verdicts).order_by("id").values_list("id", flat=True))


def _differing(found: Evidence, step: Step) -> Generator[Step, None, list[Facts]]:
    """Says after each record that the work lives; gives what is not as it was stored."""
    table, wanted = found.table(), []
    for number, row in found.records.items():
        wanted.append(verdict_of(row, table.deal(number), table.ruleset, found.match))
        yield step
    was, now = _by_number(found.derived.verdicts), _by_number(verdict_rows(wanted))
    return [
        {"match": str(found.match.id), "deal": number, "was": was_said, "is": now_said}
        for number in sorted(was.keys() | now.keys())
        if was.get(number) != now.get(number)
        for was_said, now_said in [(_said(was.get(number)), _said(now.get(number)))]
    ]


def _by_number(rows: Iterable[tuple[object, ...]]) -> dict[int, Facts]:
    facts = [dict(zip(VERDICT_FACTS, row, strict=True)) for row in rows]
    return {cast(int, row["deal_number"]): row for row in facts}


def _said(facts: Facts | None) -> Facts | None:
    return facts and {name: facts[name] for name in SAID}


def _after(
    step: Step, found: Evidence, differing: Iterable[Facts] = (), unreadable: Iterable[str] = ()
) -> Step:
    """The place behind this match, with what it has come to."""
    before, differing = step.found, list(differing)
    come_to = {
        "differ": before["differ"] + len(differing),
        "told": [*before["told"], *differing][:TOLD],
        "unreadable": [*before["unreadable"], *unreadable][:TOLD],
    }
    done = step.done + len(found.records)
    return Step(done, max(done, step.total), str(found.match.id), come_to)
