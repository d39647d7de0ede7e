import pytest
from django.test import Client

from trexscore.hosts import is_local


@pytest.mark.parametrize(
    "host",
    ["192.168.1.5:8000", "[fe80::1]:8000", "127.0.0.1", "trexbox", "TrexBox.local:8000", "box.lan"],
)
def test_box_answers_to_addresses_and_local_names(host):
    assert is_local(host)


@pytest.mark.parametrize(
    "host", ["evil.example", "192.168.1.5.evil.example:80", "local.com", "", "a b"]
)
def test_box_refuses_names_that_others_can_own(host):
    assert not is_local(host)


@pytest.mark.django_db
def test_foreign_name_is_told_how_to_be_allowed():
    answer = Client().get("/health/", headers={"host": "club.example"})
    assert answer.status_code == 400
    assert "TREXSCORE_HOSTS" in answer.text
