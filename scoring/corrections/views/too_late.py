"""A player at the table whose time to correct a deal is over asks the arbiter for it (C57)."""

import html
from typing import Any, cast

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.translation import gettext as _

from scoring.access import permissions
from scoring.access.http import actor_of
from scoring.access.permissions import Action
from scoring.common import words
from scoring.entry.views.entry import Entering
from scoring.history.presenters.versions import changes
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.services.chain import REASON_LENGTH
from scoring.models import Deal
from scoring.rules import Entry


def is_too_late(request: HttpRequest, view: MatchView, standing: Deal | None) -> bool:
    """Whether this reader enters deals here, and may not correct this one any more."""
    asks, match, now = actor_of(request), view.match, timezone.now()
    if standing is None or not match.is_running or not permissions.may(Action.ENTER, match, asks):
        return False
    return not permissions.may(Action.CORRECT, match, asks, deal=standing, now=now)


def asking(
    request: HttpRequest, view: MatchView, standing: Deal, entering: Entering | None = None
) -> dict[str, Any]:
    """What `deal/_too_late.html` needs besides: where an arbiter is asked, with the words filled
    in. Nowhere in a match without a club, nor for who may not flag."""
    match, number = view.match, standing.deal_number
    may_ask = match.club_id is not None and permissions.may(Action.FLAG, match, actor_of(request))
    query = {"words": _wish(view, standing, entering)}
    address = reverse("flag", args=[match.id, number], query=query) if may_ask else ""
    return {"ask": address}


def _wish(view: MatchView, standing: Deal, entering: Entering | None) -> str:
    """What should stand there, as far as it was tapped in, in the words of the history."""
    told = _told(view, standing, entering) if entering and entering.entry else ""
    if not told:
        return _("Please correct this deal.")
    return _("Please correct: {what}").format(what=told)[:REASON_LENGTH]


def _told(view: MatchView, standing: Deal, entering: Entering) -> str:
    entry, roles = entering.entry, entering.roles
    assert entry is not None
    wanted = _as_row(entry, roles.chooser, roles.dealer, roles.leader)
    shorts = words.first_names(view.names_at(standing.deal_number))
    told = changes(standing, wanted, shorts, view.ruleset)
    return "; ".join(html.unescape(strip_tags(text)) for text in told)


def _as_row(entry: Entry, chooser: int | None, dealer: int | None, leader: int | None) -> Deal:
    """As it would be written; it never is."""
    payload = entry.to_json()
    return Deal(
        payload=payload,
        contract=entry.contract.key,
        forced=entry.forced,
        chooser=cast(int, chooser),
        dealer=cast(int, dealer),
        leader=leader,
    )
