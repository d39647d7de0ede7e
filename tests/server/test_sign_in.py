import pytest

from scoring.models import User

pytestmark = pytest.mark.django_db


def test_password_signs_in_whatever_the_case_of_the_name(client):
    User.objects.create_user("amal", password="a long password")
    answer = client.post("/accounts/login/", {"login": "Amal", "password": "a long password"})
    assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.parametrize("path", ["signup/", "password/reset/", "email/", "login/code/"])
def test_what_cannot_work_here_has_no_page(client, path):
    assert client.get(f"/accounts/{path}").status_code == 404


def test_admin_has_no_sign_in_of_its_own(client):
    answer = client.get("/admin/", follow=True)
    assert answer.request["PATH_INFO"] == "/accounts/login/"
