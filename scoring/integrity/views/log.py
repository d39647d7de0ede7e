"""What was written to roles, keys, settings, seasons, people and game nights, and by whom."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from scoring.access import permissions
from scoring.access.http import actor_of, page_or_part, require_or_404
from scoring.access.permissions import Action
from scoring.common.paging import address_of, page_number
from scoring.integrity.presenters.log import line
from scoring.integrity.queries.log import log_page
from scoring.models import Club, User


def log(request: HttpRequest) -> HttpResponse:
    """For the owners of the installation."""
    require_or_404(request, Action.READ_LOG)
    page, reader = log_page(page_number(request)), actor_of(request)
    assert reader.user
    named = {each.facts.get("user_id") for each in page.lines if each.entry.table == "membership"}
    accounts = User.objects.in_bulk([*filter(None, named)])

    def sees(club: Club) -> bool:
        return permissions.may(Action.SEE_CLUB, club, reader)

    context = {
        "page": page,
        "lines": [line(each, reader.user, accounts, sees) for each in page.lines],
        "zone": settings.TIME_ZONE,
        "before": address_of(request, page.before),
        "after": address_of(request, page.after),
    }
    return page_or_part(request, "integrity/log.html", context)
