"""Contract totals and entry times for the statistics pages."""

from datetime import datetime

from django.db.models import Min, Sum

from scoring.models import Club, ContractTotal, Deal, Match
from scoring.rules.standings import Family
from scoring.rules.statistics.form import ContractSums


def club_contracts(club: Club, family: Family) -> dict[str, ContractSums]:
    """Return deals and points of each contract, of all players together. One query."""
    rows = ContractTotal.objects.filter(club=club, **_named(family))
    sums = rows.order_by().values_list("contract").annotate(n=Sum("deals"), sum=Sum("points"))
    return {contract: ContractSums(deals, points) for contract, deals, points in sums if deals}


def _named(family: Family) -> dict[str, str]:
    return {"system": family[0], "win": family[1]}


def first_entered(match: Match) -> dict[int, datetime]:
    """Return when each deal was first entered, before any correction. One query."""
    rows = Deal.objects.filter(match=match).order_by().values_list("deal_number")
    return dict(rows.annotate(at=Min("event__entered_at")))
