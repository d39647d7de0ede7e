"""Addresses of flags, disputes, rulings and the arbiter's elevation."""

from django.urls import path

from scoring.judging.views import dispute, disputes, flags, rulings, step_up

urlpatterns = [
    path("matches/<uuid:match_id>/deals/<int:number>/flag/", flags.flag, name="flag"),
    path(
        "matches/<uuid:match_id>/deals/<int:number>/judge/",
        disputes.dispute_act,
        name="dispute_act",
    ),
    path("matches/<uuid:match_id>/deals/<int:number>/dispute/", dispute.dispute, name="dispute"),
    path(
        "matches/<uuid:match_id>/deals/<int:number>/report/",
        rulings.ruling_report,
        name="ruling_report",
    ),
    path("matches/<uuid:match_id>/arbiter/", step_up.step_up, name="step_up"),
    path("clubs/<slug:slug>/disputes/", disputes.club_disputes, name="club_disputes"),
    path("clubs/<slug:slug>/rulings/", rulings.club_rulings, name="club_rulings"),
]
