"""Addresses of club settings, members, invitations and API keys."""

from django.urls import path

from scoring.clubs.views import api_keys, join, members

urlpatterns = [
    path("join/<str:token>/", join.invitation, name="invitation"),
    path("clubs/<slug:slug>/invite/", join.club_invite, name="club_invite"),
    path("clubs/<slug:slug>/members/<uuid:member_id>/", members.club_member, name="club_member"),
    path("clubs/<slug:slug>/tokens/", api_keys.club_tokens, name="club_tokens"),
]
