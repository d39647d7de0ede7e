"""The cast of `tests.factories`, and the phones they hold."""

import pytest
from django.core.cache import cache
from django.test import Client

from tests.factories import make_cast


@pytest.fixture(autouse=True)
def fresh_limits():
    """Nothing was asked for by an earlier test."""
    cache.clear()


@pytest.fixture
def cast(db):
    return make_cast()


@pytest.fixture
def phone(db):
    """A phone that nobody signed in on."""
    return Client()


@pytest.fixture
def phone_of(db):
    """The phone of an account that signed in."""

    def signed_in(user, **kwargs):
        client = Client(**kwargs)
        client.force_login(user)
        return client

    return signed_in
