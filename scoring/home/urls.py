"""Addresses of the front page, of a club's page and of its calendar."""

from django.urls import path

from scoring.home.views import calendar, club, home, start_rules

urlpatterns = [
    path("", home.home, name="home"),
    path("start/", home.start, name="start"),
    path("start/rules/", start_rules.start_rules, name="start_rules"),
    path("clubs/new/", club.club_new, name="club_new"),
    path("clubs/<slug:slug>/", club.club, name="club"),
    path("clubs/<slug:slug>/settings/", club.club_settings, name="club_settings"),
    path("clubs/<slug:slug>/calendar.ics", calendar.club_calendar, name="club_calendar"),
]
