"""A club in figures: what contracts cost, when people played, who holds which record."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from scoring.forms import club_figures as told
from scoring.forms.standings import family_name
from scoring.selectors.access import Action
from scoring.selectors.club_figures import club_in_figures
from scoring.views import previews
from scoring.views.http import club_for, page_or_part
from scoring.views.standings import family_asked


def club_figures(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.SEE_PUBLIC)
    found = club_in_figures(club, family_asked(request))
    context = {
        "club": club,
        "preview": previews.of_club(request, club, _("Figures")),
        "found": found,
        "family": family_name(found.family) if found.family else "",
        "families": [
            (
                family_name(each.family),
                urlencode({"system": each.family[0], "win": each.family[1]}),
                each.family == found.family,
            )
            for each in found.tables
        ],
        "contracts": told.contracts(found),
        "records": told.records(found),
        "months": told.months(found),
        "altogether": told.altogether(found),
    }
    return page_or_part(request, "scoring/club_figures.html", context)
