"""Addresses of signatures."""

from django.urls import path

from scoring.signatures.views import signatures

urlpatterns = [
    path("matches/<uuid:match_id>/signatures/", signatures.signing, name="signing"),
]
