"""Addresses of house rules."""

from django.urls import path

from scoring.house_rules.views import house_rules, match_rules

urlpatterns = [
    path("matches/<uuid:match_id>/rules/", match_rules.match_rules, name="match_rules"),
    path("clubs/<slug:slug>/rules/", house_rules.club_rules, name="club_rules"),
    path("clubs/<slug:slug>/rules/new/", house_rules.house_rules_new, name="house_rules_new"),
    path("clubs/<slug:slug>/rules/<uuid:rules_id>/", house_rules.house_rules, name="house_rules"),
]
