"""Everything the server answers: the pages of scoring, sign-in, the admin and the health page."""

from django.contrib import admin
from django.urls import include, path

from trexscore import health

urlpatterns = [
    path("health/", health.health, name="health"),
    path("accounts/", include("trexscore.account_urls")),
    path("admin/", admin.site.urls),
    path("", include("scoring.urls")),
]
