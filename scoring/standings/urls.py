"""Addresses of standings, seasons, ratings and statistics."""

from django.urls import path

from scoring.standings.views import club_statistics, seasons, standings

urlpatterns = [
    path("clubs/<slug:slug>/figures/", club_statistics.club_figures, name="club_figures"),
    path(
        "clubs/<slug:slug>/figures/contracts/", club_statistics.club_contract, name="club_contract"
    ),
    path("clubs/<slug:slug>/standings/", standings.club_standings, name="club_standings"),
    path(
        "clubs/<slug:slug>/standings.csv", standings.club_standings_csv, name="club_standings_csv"
    ),
    path("clubs/<slug:slug>/seasons/", seasons.club_seasons, name="club_seasons"),
    path("clubs/<slug:slug>/seasons/new/", seasons.season_new, name="season_new"),
    path("clubs/<slug:slug>/seasons/<uuid:season_id>/", seasons.season, name="season"),
    path(
        "clubs/<slug:slug>/seasons/<uuid:season_id>/edit/", seasons.season_edit, name="season_edit"
    ),
]
