"""A version of a deal brought back: the form is filled with it, and one tap saves it anew."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.entry.forms.entry import raw_of
from scoring.entry.forms.roles import Roles
from scoring.entry.views.entry import read_id
from scoring.ledger.queries.match_view import MatchView
from scoring.models import Deal, Match


def address_of(view: MatchView, deal: Deal, when: str = "") -> str:
    """Where this version is brought back: as a correction while a deal stands at its number, for
    the reason that it is the one of `when`; else as an entry, once it is its turn. Empty where it
    is not."""
    match, number = view.match, deal.deal_number
    query: dict[str, Any] = {"contract": deal.contract, "restore": deal.id}
    if number in view.deals:
        query |= {"correct": 1, "reason": _("Restored the version of {when}").format(when=when)}
        return reverse("deal", args=[match.id, number], query=query)
    if view.table.is_open(number):
        query["deal"] = number
    elif number != view.table.turn.deal_number:
        return ""
    return reverse("match", args=[match.id], query={**query, "chooser": deal.chooser})


def asked_version(request: HttpRequest, match: Match, number: int) -> Deal | None:
    """The version that the address asks for, if it is one of this number. One query where it names
    one."""
    version_id = read_id(request.GET.get("restore", ""))
    if version_id is None:
        return None
    return Deal.objects.filter(match=match, deal_number=number, id=version_id).first()


def taps_of(deal: Deal) -> dict[str, str]:
    """The version as if it had been tapped in, with who chose, dealt and led."""
    return raw_of(deal.entry) | Roles(deal.chooser, deal.dealer, deal.leader).raw
