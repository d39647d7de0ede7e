"""Current states of disputes, derived from the events of their match."""

from scoring.ledger.queries.disputes import disputes_of, ledger_of
from scoring.ledger.queries.snapshots import MatchSnapshot
from scoring.models import Dispute, Match


def rewrite(table: MatchSnapshot) -> None:
    """Replace every dispute row of the match."""
    Dispute.objects.filter(match=table.match).delete()
    Dispute.objects.bulk_create(table.disputes.values())


def renumber(match: Match) -> None:
    """Replace every dispute row of a match whose deals have other numbers now. Expects the lock."""
    Dispute.objects.filter(match=match).delete()
    Dispute.objects.bulk_create(disputes_of(match, ledger_of(match)).values())
