"""Derived rows worked out again from the ledger, as if they had never been there."""

from uuid import UUID

from django.db import transaction

from scoring.models import Match
from scoring.selectors.evidence import evidence
from scoring.services import chain, disputes, results, standing, verdicts


@transaction.atomic
def rebuild(*, match_id: UUID) -> list[str]:
    """Drops and rewrites the derived rows of a match; the names of the tables that differed."""
    chain.locked(match_id)
    found = next(evidence(Match.objects.filter(id=match_id)))
    table = found.table()
    differed = found.wanted().differences(found.derived)
    if differed:
        standing.drop(table.match)
        verdicts.drop(table.match)
        standing.refresh(table, [])
        disputes.rewrite(table)
        if table.match.is_finished:
            results.refresh(table)
        else:
            results.drop(table.match)
    return differed
