"""A phone that came into a match by a link."""

import uuid

from django.test import Client

from scoring.common.actor import Actor, device_id
from scoring.common.device import COOKIE, signer
from scoring.models import LinkKind
from scoring.phones.services import links
from tests.factories import NOW

GUEST = Actor(device=uuid.UUID(int=7))


def came(match, kind=LinkKind.TABLE, actor=GUEST, now=NOW):
    """The row of a phone that came by the open link of this kind, which is made where there is
    none."""
    link = links.make(match_id=match.id, kind=LinkKind(kind), actor=Actor(), now=now)
    return link.phones.create(match=match, device=actor.device, joined_at=now)


def phone_with(secret):
    """A phone that has its cookie already, and who it is."""
    client = Client()
    client.cookies[COOKIE] = signer().sign(secret)
    return client, Actor(device=device_id(secret))
