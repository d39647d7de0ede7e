"""What the table brings along so that a contract opens out of the kit of a phone."""

import re

import pytest
from django.test import Client

from tests.support.tables import match_of, phone_client, url

pytestmark = pytest.mark.django_db


def opens(page) -> list[list[str]]:
    """The contracts that each shell of the page stands for."""
    return [found.split() for found in re.findall(r'<template data-opens="([^"]*)"', page.text)]


def test_contracts_with_the_same_roles_share_a_shell():
    page = phone_client().get(url("match", match_of(entries=[])))
    assert opens(page) == [["king", "queens", "diamonds", "tricks", "trex"]]


def test_contract_that_another_seat_leads_has_a_shell_of_its_own():
    match = match_of(entries=[], options={"trex_start": "dealer"})
    page = phone_client().get(url("match", match))
    assert opens(page) == [["king", "queens", "diamonds", "tricks"], ["trex"]]


@pytest.mark.parametrize("asked", [{"contract": "", "chooser": 2}, {"contract": "king"}])
def test_another_chooser_and_an_open_form_bring_none(asked):
    assert opens(phone_client().get(url("match", match_of(entries=[]), **asked))) == []


def test_who_enters_nothing_gets_none():
    assert opens(Client().get(url("match", match_of(entries=[])))) == []
