"""A match at an earlier moment, from its ledger rows alone."""

from typing import Any

from django.db.models import QuerySet

from scoring.ledger.queries.snapshots import MatchSnapshot, ruleset_of
from scoring.models import Adjustment, Deal, Match, Redeal, Subtotal


def table_at(match: Match, seq: int) -> MatchSnapshot:
    """Return the match after this event, with nothing frozen. Four queries."""
    deals = _stood(Deal.objects.filter(match=match), seq)
    deals = deals.exclude(replaced_by__event__seq__lte=seq)
    return MatchSnapshot(
        match,
        ruleset_of(match),
        tuple(deals.order_by("deal_number")),
        tuple(_stood(Adjustment.objects.filter(match=match), seq).order_by("after_deal", _SEQ)),
        tuple(_stood(Redeal.objects.filter(match=match), seq).order_by(_SEQ)),
        tuple(_stood(Subtotal.objects.filter(match=match), seq).order_by("first_deal")),
        (),
    )


_SEQ = "event__seq"


def _stood[Row: (Deal, Adjustment, Redeal, Subtotal)](
    rows: QuerySet[Row], seq: int
) -> QuerySet[Row]:
    then: dict[str, Any] = {f"{_SEQ}__lte": seq}
    return rows.filter(**then).exclude(void__event__seq__lte=seq).select_related("event")
