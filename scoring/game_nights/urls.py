"""Addresses of game nights."""

from django.urls import path

from scoring.game_nights.views import attendance, draw, game_nights

urlpatterns = [
    path("clubs/<slug:slug>/evenings/", game_nights.club_evenings, name="club_evenings"),
    path("clubs/<slug:slug>/evenings/new/", game_nights.evening_new, name="evening_new"),
    path("clubs/<slug:slug>/evenings/<uuid:evening_id>/", game_nights.evening, name="evening"),
    path(
        "clubs/<slug:slug>/evenings/<uuid:evening_id>/live/",
        game_nights.evening_live,
        name="evening_live",
    ),
    path(
        "clubs/<slug:slug>/evenings/<uuid:evening_id>/people/",
        attendance.evening_people,
        name="evening_people",
    ),
    path(
        "clubs/<slug:slug>/evenings/<uuid:evening_id>/draw/",
        draw.evening_draw,
        name="evening_draw",
    ),
    path(
        "clubs/<slug:slug>/evenings/<uuid:evening_id>/edit/",
        game_nights.evening_edit,
        name="evening_edit",
    ),
]
