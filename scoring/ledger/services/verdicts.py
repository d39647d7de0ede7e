"""Verdicts of card records, updated in the transaction that attaches a record or changes a deal."""

from scoring.ledger.queries.snapshots import MatchSnapshot
from scoring.ledger.queries.verdicts import counting_records, verdict_of, verdicts_of
from scoring.models import Match, Verdict


def refresh(table: MatchSnapshot) -> None:
    """Update the verdicts of a match. One query where there is no record.

    Only what is new is audited."""
    records = counting_records(table.match)
    if not records:
        return
    present = verdicts_of(table.match)
    wanted = {number: (row, table.deal(number)) for number, row in records.items()}
    held = {
        number
        for number, (row, deal) in wanted.items()
        if number in present and _is_of(present[number], row.id, deal and deal.id)
    }
    if gone := present.keys() - held:
        Verdict.objects.filter(match=table.match, deal_number__in=gone).delete()
    Verdict.objects.bulk_create(
        verdict_of(*wanted[number], table.ruleset, table.match)
        for number in wanted
        if number not in held
    )


def drop(match: Match) -> None:
    Verdict.objects.filter(match=match).delete()


def _is_of(verdict: Verdict, record_id: object, deal_id: object) -> bool:
    return (verdict.record_id, verdict.deal_id) == (record_id, deal_id)
