"""The pages of every package. Who may open a page is declared in `access.permissions`."""

from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

urlpatterns = [
    # Nothing that a foreign site could gain; and it must work from a page of yesterday.
    path("language/", csrf_exempt(set_language), name="language"),
    path("", include("scoring.home.urls")),
    path("", include("scoring.transfer.urls")),
    path("", include("scoring.integrity.urls")),
    path("", include("scoring.game_nights.urls")),
    path("", include("scoring.matches.urls")),
    path("", include("scoring.players.urls")),
    path("", include("scoring.paper.urls")),
    path("", include("scoring.judging.urls")),
    path("", include("scoring.corrections.urls")),
    path("", include("scoring.records.urls")),
    path("", include("scoring.signatures.urls")),
    path("", include("scoring.standings.urls")),
    path("", include("scoring.phones.urls")),
    path("", include("scoring.clubs.urls")),
    path("", include("scoring.house_rules.urls")),
]
