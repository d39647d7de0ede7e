from unittest import mock

import pytest
from django.db import OperationalError, connection


@pytest.mark.django_db
def test_health_says_ok_while_the_database_answers(client):
    answer = client.get("/health/")
    assert (answer.status_code, answer.text) == (200, "ok\n")


def test_health_is_503_without_a_database(client):
    with mock.patch.object(connection, "cursor", side_effect=OperationalError):
        assert client.get("/health/").status_code == 503
