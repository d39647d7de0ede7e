"""Statistics of a club, and of one contract by player."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils.translation import gettext_lazy as _

from scoring.access import link_previews
from scoring.access.http import club_for, page_or_part
from scoring.access.permissions import Action
from scoring.common import words
from scoring.rules.statistics.form import in_order
from scoring.standings.presenters import club_statistics as presenter
from scoring.standings.presenters.standings import family_name, query_of
from scoring.standings.queries.club_statistics import club_in_figures, people_of
from scoring.standings.queries.standings import ALL_TIME, tables_of
from scoring.standings.queries.statistics import club_contracts
from scoring.standings.views.standings import family_asked


def club_figures(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.SEE_PUBLIC)
    found = club_in_figures(club, family_asked(request))
    context = {
        "club": club,
        "preview": link_previews.of_club(request, club, _("Figures")),
        "found": found,
        "family": family_name(found.family) if found.family else "",
        "families": [
            (family_name(each.family), f"?{query_of(each.family)}", each.family == found.family)
            for each in found.tables
        ],
        "contracts": presenter.contracts(found, resolve_url("club_contract", slug)),
        "records": presenter.records(found),
        "months": presenter.months(found, resolve_url("club_matches", slug)),
        "overview": presenter.overview(found),
    }
    return page_or_part(request, "standings/club_figures.html", context)


def club_contract(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the averages of the contract in the address, else of the first one."""
    club = club_for(request, slug, Action.SEE_PUBLIC)
    context: dict[str, Any] = {
        "club": club,
        "preview": link_previews.of_club(request, club, _("Contracts")),
    }
    family = family_asked(request) or next(
        (each.family for each in tables_of(club, ALL_TIME)), None
    )
    contracts = club_contracts(club, family) if family else {}
    if family and contracts:
        known = sorted(contracts, key=in_order)
        asked = request.GET.get("contract", "")
        chosen = asked if asked in contracts else known[0]
        context |= {
            "family": family_name(family),
            "query": query_of(family),
            "contract": chosen,
            "contracts": [
                (words.contract(key), f"?{query_of(family, contract=key)}", key == chosen)
                for key in known
            ],
            "sums": presenter.of_contract(contracts[chosen]),
            "people": people_of(club, family, chosen),
        }
    return page_or_part(request, "standings/club_contract.html", context)
