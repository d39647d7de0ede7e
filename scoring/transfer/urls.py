"""Addresses of imports and exports."""

from django.urls import path

from scoring.transfer.views import exports, imports, match_club

urlpatterns = [
    path("matches/<uuid:match_id>/club/", match_club.match_club, name="match_club"),
    path("clubs/<slug:slug>/export/", exports.club_export, name="club_export"),
    path("clubs/<slug:slug>/import/", imports.club_import, name="club_import"),
    path("import/", imports.import_guide, name="import_guide"),
    path("import/club/", exports.club_arrival, name="club_arrival"),
]
