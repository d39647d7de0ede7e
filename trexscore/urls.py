"""Everything the server answers: the pages of scoring, the API, sign-in, the admin and the health
page."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from scoring.api import api
from trexscore import health

# One way to sign in, with one limit on guessing.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler400 = "trexscore.too_big.not_understood"
handler404 = "trexscore.too_big.page_not_found"
handler500 = "trexscore.unreadable.server_error"

urlpatterns = [
    path("health/", health.health, name="health"),
    path("accounts/", include("trexscore.account_urls")),
    path("admin/", admin.site.urls),
    path("api/", api.urls),
    path("", include("scoring.urls")),
]
