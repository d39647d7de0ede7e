"""Addresses of corrections, repairs, seats, adjustments, redeals and sums from paper."""

from django.urls import path

from scoring.corrections.views import adjustments, redeals, repair, seats, subtotals

urlpatterns = [
    path("matches/<uuid:match_id>/redeal/", redeals.redeal, name="redeal"),
    path("matches/<uuid:match_id>/adjust/", adjustments.adjust, name="adjust"),
    path("matches/<uuid:match_id>/seats/", seats.seats, name="seats"),
    path("matches/<uuid:match_id>/repair/", repair.repair, name="repair"),
    path("matches/<uuid:match_id>/subtotals/", subtotals.subtotal, name="subtotal"),
]
