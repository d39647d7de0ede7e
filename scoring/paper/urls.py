"""Addresses of the paper check and of sheets to print."""

from django.urls import path

from scoring.paper.views import club_paper, match_check, paper_check

urlpatterns = [
    path("check/", paper_check.paper_check, name="paper_check"),
    path("matches/<uuid:match_id>/check/", match_check.match_check, name="match_check"),
    path("clubs/<slug:slug>/paper/", club_paper.club_paper, name="club_paper"),
]
