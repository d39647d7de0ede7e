"""Addresses of players: pages, search, merging, privacy."""

from django.urls import path

from scoring.players.views import (
    club_matches,
    player,
    player_data,
    player_edit,
    player_matches,
    players,
)

urlpatterns = [
    path("clubs/<slug:slug>/players/", players.club_players, name="club_players"),
    path("clubs/<slug:slug>/players/alike/", players.club_alike, name="club_alike"),
    path(
        "clubs/<slug:slug>/players/<uuid:player_id>/edit/",
        player_edit.player_edit,
        name="player_edit",
    ),
    path(
        "clubs/<slug:slug>/players/<uuid:player_id>/matches/",
        player_matches.player_matches,
        name="player_matches",
    ),
    path("clubs/<slug:slug>/players/<uuid:player_id>/", player.player, name="player"),
    path(
        "clubs/<slug:slug>/players/<uuid:player_id>/data/",
        player_data.player_data,
        name="player_data",
    ),
    path("clubs/<slug:slug>/matches/", club_matches.club_matches, name="club_matches"),
]
