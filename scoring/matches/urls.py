"""Addresses of matches: table, scoresheet, deals, sharing, television, offline use."""

from django.urls import path

from scoring.matches.views import (
    deals,
    live,
    match,
    match_close,
    match_day,
    match_setup,
    match_statistics,
    offline_bundle,
    pictures,
    scoresheet,
    screen,
    unsent,
)

urlpatterns = [
    path("sw.js", unsent.service_worker, name="service_worker"),
    path("unsent/", unsent.unsent_all, name="unsent_all"),
    path("matches/<uuid:match_id>/", match.match, name="match"),
    path("matches/<uuid:match_id>/kit/", offline_bundle.kit, name="kit"),
    path("matches/<uuid:match_id>/unsent/", unsent.unsent, name="unsent"),
    path("matches/<uuid:match_id>/picture.png", pictures.match_picture, name="match_picture"),
    path("matches/<uuid:match_id>/live/", live.live, name="live"),
    path("matches/<uuid:match_id>/screen/", screen.screen, name="screen"),
    path("matches/<uuid:match_id>/sheet/", scoresheet.sheet, name="sheet"),
    path("matches/<uuid:match_id>/deals/<int:number>/", deals.deal, name="deal"),
    path("matches/<uuid:match_id>/figures/", match_statistics.match_figures, name="match_figures"),
    path("matches/<uuid:match_id>/day/", match_day.match_day, name="match_day"),
    path("matches/<uuid:match_id>/close/", match_close.match_close, name="match_close"),
    path("matches/<uuid:match_id>/rematch/", match.rematch, name="rematch"),
    path("clubs/<slug:slug>/matches/new/", match_setup.club_match_new, name="club_match_new"),
]
