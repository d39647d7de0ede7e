"""A match in the hand of the phone that opened it, and what its forms send."""

import re
import uuid

from django.test import Client
from django.urls import reverse

from scoring.common.actor import Actor, device_id
from scoring.common.device import COOKIE, signer
from scoring.models import Deal, Match
from tests.factories import NOW, evenings, make_evening, make_match
from tests.support.markup import flat

SECRET = "the phone of the table"
PHONE = Actor(device=device_id(SECRET))


def phone_client(**kwargs) -> Client:
    """The phone that opens the matches here."""
    client = Client(**kwargs)
    client.cookies[COOKIE] = signer().sign(SECRET)
    return client


def match_of(**opening) -> Match:
    return make_match(actor=PHONE, **opening)


def evening_of(external_id, deals=None) -> Match:
    return make_evening(external_id, deals, actor=PHONE)


def url(name, match, *args, **query) -> str:
    return reverse(name, args=[match.id, *args], query=query)


def form_data(match, contract, facts=None, **changes) -> dict:
    """What the form of this contract posts, drawn now."""
    match.refresh_from_db()
    data = {"action": "save", "entry_key": uuid.uuid4(), "version": match.version}
    return {**data, "contract": contract, **taps(facts or {}), **changes}


def taps(facts: dict) -> dict[str, str]:
    """An input of the cases as the names and values of radio inputs."""
    found: dict[str, str] = {}
    for key, value in facts.items():
        if key == "doubles":
            found |= {f"doubles.{row['card']}": row["by"] for row in value}
        elif isinstance(value, dict):
            found |= {f"{key}.{card}": seat for card, seat in value.items()}
        elif isinstance(value, list):
            found |= {f"{key}.{place}": one for place, one in enumerate(value)}
        else:
            found[key] = value
    return {name: str(value) for name, value in found.items()}


def codes(response) -> list[str]:
    """The codes of everything that is refused on the page."""
    return re.findall(r'data-code="(\w+)"', response.text)


def chosen(response, name) -> str | None:
    """The value that is checked in a radio group of the page."""
    group = rf'<input type="radio" name="{re.escape(name)}" value="(\w*)" checked>'
    found = re.search(group, flat(response))
    return found[1] if found else None


def totals(response) -> list[int | None]:
    """The four running totals on the match page, by seat; None before the first deal."""
    found = re.findall(r'data-seat="(\d)">.*?data-total="(-?\d*)"', response.text, re.DOTALL)
    return [int(total) if total else None for _, total in sorted(found)]


def deals_of(match) -> int:
    return Deal.objects.filter(match=match).count()


__all__ = ["NOW", "evenings"]
