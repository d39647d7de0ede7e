"""A phone that came into a match by a link."""

import uuid

from scoring.models import JoinedPhone, LinkKind, TableLink
from scoring.selectors.who import Who
from tests.factories import NOW

GUEST = Who(device=uuid.UUID(int=7))


def came(match, kind=LinkKind.TABLE, who=GUEST, now=NOW):
    """The row of a phone that came by the open link of this kind, which is made where there is
    none."""
    link, _ = TableLink.objects.get_or_create(
        match=match,
        kind=kind,
        revoked_at=None,
        defaults={"digest": uuid.uuid4().hex, "made_at": now},
    )
    return JoinedPhone.objects.create(match=match, link=link, device=who.device, joined_at=now)
