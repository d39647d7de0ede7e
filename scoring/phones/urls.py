"""Addresses of table links and joined phones."""

from django.urls import path

from scoring.phones.views import links

urlpatterns = [
    path("t/", links.join_table, name="join_table"),
    path("matches/<uuid:match_id>/phones/", links.phones, name="phones"),
    path("matches/<uuid:match_id>/seat/", links.seat, name="seat"),
]
