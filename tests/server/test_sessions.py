"""Cookies that nobody was given."""

import pytest

COOKIES = ["sessionid", "csrftoken", "trexscore_device", "django_language", "messages"]
VALUES = [r'"aaaaaaaaaaaa\000"', r'"\377\376"', "a" * 5000, "a:b:c", "../../etc", "ü" * 20]


@pytest.mark.parametrize("name", COOKIES)
def test_forged_cookies_are_not_there(client, db, name):
    for value in VALUES:
        for path in ("/", "/accounts/login/", "/clubs/cafe-younes/"):
            response = client.get(path, headers={"cookie": f"{name}={value}"})
            assert response.status_code in (200, 404)
