"""Addresses of the ledger check, the log and the recalculation."""

from django.urls import path

from scoring.integrity.views import integrity, log, rebuild

urlpatterns = [
    path("clubs/<slug:slug>/integrity/", integrity.club_integrity, name="club_integrity"),
    path("clubs/<slug:slug>/rebuild/", rebuild.club_rebuild, name="club_rebuild"),
    path("log/", log.log, name="log"),
]
