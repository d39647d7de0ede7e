"""The account pages that can work here: no sign-up, no mail, so no reset by mail either."""

from allauth.account import views
from django.urls import path

from trexscore.accounts import SignIn

urlpatterns = [
    path("login/", SignIn.as_view(), name="account_login"),
    path("logout/", views.logout, name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("password/change/", views.password_change, name="account_change_password"),
    path("password/set/", views.password_set, name="account_set_password"),
]
