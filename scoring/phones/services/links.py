"""Ways to the table for phones without an account: links, phones that came by them, their seats.

A code is worked out from the id of its link and the secret key, and is kept nowhere. Links, phones
and seats are no facts of the game: they are not chained.
"""

import unicodedata
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from scoring.access import permissions
from scoring.access.links import ends_at
from scoring.access.permissions import Action
from scoring.common.actor import Actor
from scoring.common.errors import RefusalCode, ServiceError
from scoring.ledger.services import chain
from scoring.models import JoinedPhone, LinkKind, Match, SeatPhone, TableLink
from scoring.rules import ProblemCode

CODE_LENGTH = 10
"""Fifty bits: with the limit on wrong ones nobody lives to guess one."""
LONGEST_TYPED = 200
# Crockford's: no I, L, O, U. What is mistaken for a digit is read as that digit.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
MISTAKEN = str.maketrans("OIL", "011")


# ── codes ───────────────────────────────────────────────────────────────


def code_of(link: TableLink) -> str:
    """XXXXX-XXXXX; empty where the secret key has changed since the link was made."""
    code = _code(link.id)
    return f"{code[:5]}-{code[5:]}" if _digest(code) == link.digest else ""


def read_code(typed: str) -> str:
    """What was meant: a code in any spelling, or an address that ends in one. Empty for none."""
    text = unicodedata.normalize("NFKC", typed[:LONGEST_TYPED]).rpartition("#")[2].upper()
    digits = ("".join(_digit(sign) for sign in text)).translate(MISTAKEN)
    code = "".join(sign for sign in digits if sign.isalnum())
    return code if len(code) == CODE_LENGTH and set(code) <= set(ALPHABET) else ""


def _digit(sign: str) -> str:
    return str(unicodedata.decimal(sign)) if sign.isdecimal() else sign


def _code(link_id: UUID) -> str:
    made = salted_hmac("trexscore.link.code", link_id.hex, algorithm="sha256").digest()
    number = int.from_bytes(made[:8])
    return "".join(ALPHABET[number >> 5 * place & 31] for place in range(CODE_LENGTH))


def _digest(code: str) -> str:
    """Keyed: whoever reads the database cannot try codes on it."""
    return salted_hmac("trexscore.link.digest", code, algorithm="sha256").hexdigest()


# ── links ───────────────────────────────────────────────────────────────


@transaction.atomic
def make(*, match_id: UUID, kind: LinkKind, actor: Actor, now: datetime) -> TableLink:
    """The link of this kind that lives, or a new one in place of one that has ended."""
    match = chain.locked(match_id)
    link = _open_link(match, kind)
    if link and code_of(link) and now < ends_at(link):
        return link
    return _new_link(match, kind, actor, now)


@transaction.atomic
def remake(*, match_id: UUID, link_id: UUID, actor: Actor, now: datetime) -> None:
    """A new link in place of this one, whose phones lose everything at once. Nothing happens where
    it is not the open one any more: a tap sent twice makes one link."""
    match = chain.locked(match_id)
    if old := match.links.filter(id=link_id, revoked_at=None).first():
        _new_link(match, LinkKind(old.kind), actor, now)


@transaction.atomic
def revoke(*, match_id: UUID, link_id: UUID, now: datetime) -> None:
    """Ends a link; doing it twice does it once."""
    match = chain.locked(match_id)
    if link := match.links.filter(id=link_id, revoked_at=None).first():
        _revoke(match, link, now)


def _open_link(match: Match, kind: LinkKind) -> TableLink | None:
    return match.links.filter(kind=kind, revoked_at=None).first()


def _new_link(match: Match, kind: LinkKind, actor: Actor, now: datetime) -> TableLink:
    if old := _open_link(match, kind):
        _revoke(match, old, now)
    link = TableLink(match=match, kind=kind, made_at=now, made_by=actor.user, made_on=actor.device)
    link.digest = _digest(_code(link.id))
    link.save(force_insert=True)
    return link


def _revoke(match: Match, link: TableLink, now: datetime) -> None:
    link.revoked_at = now
    link.save(update_fields=["revoked_at"])
    for device in link.phones.values_list("device", flat=True):
        _let_go(match, device)


def _let_go(match: Match, device: UUID) -> None:
    """A phone that is no longer at the table holds neither a seat nor the lease."""
    stays = match.phones.filter(device=device, link__revoked_at=None, link__kind=LinkKind.TABLE)
    if stays or match.holder_device == device:
        return
    match.seat_phones.filter(device=device).delete()
    held = Match.objects.filter(pk=match.pk, lease_device=device)
    held.update(lease_device=None, lease_user=None, lease_at=None)


# ── phones ──────────────────────────────────────────────────────────────


@transaction.atomic
def join(*, code: str, actor: Actor, now: datetime) -> TableLink:
    """The link of this code, by which the phone is in from now on. A code that never was, has ended
    or was revoked is refused alike."""
    found = TableLink.objects.filter(digest=_digest(read_code(code)), revoked_at=None)
    link = found.select_for_update(of=("self",)).select_related("match__club").first()
    if link is None or not read_code(code) or now >= ends_at(link):
        raise ServiceError(RefusalCode.NO_SUCH_LINK, "code")
    if actor.device and not _has_more(link, actor):
        link.phones.get_or_create(
            device=actor.device, defaults={"match": link.match, "joined_at": now}
        )
    return link


def _has_more(link: TableLink, actor: Actor) -> bool:
    """Whether they need no link for what this one gives: they are not listed among those who came
    by it."""
    if link.kind == LinkKind.VIEW:
        return not permissions.reads_publicly(link.match, actor)
    return permissions.may(Action.ENTER, link.match, actor)


@transaction.atomic
def send_away(*, match_id: UUID, phone_id: UUID) -> None:
    """Takes everything that its link gave it from one phone. It may come again by the same code."""
    match = chain.locked(match_id)
    if phone := match.phones.filter(id=phone_id).first():
        phone.delete()
        _let_go(match, phone.device)


@transaction.atomic
def bring_along(old: Match, new: Match, *, actor: Actor, now: datetime, seats_on: int) -> None:
    """Lets the phones of one match into its rematch: by a link of the same kind for each that still
    lives, with the seat `seats_on` further. The codes of the rematch are its own."""
    for kind in LinkKind:
        link = _open_link(old, kind)
        if link is None or now >= ends_at(link):
            continue
        again = _new_link(new, kind, actor, now)
        devices = link.phones.values_list("device", flat=True)
        JoinedPhone.objects.bulk_create(
            JoinedPhone(match=new, link=again, device=device, joined_at=now) for device in devices
        )
    SeatPhone.objects.bulk_create(
        SeatPhone(match=new, seat=(one.seat + seats_on) % 4, device=one.device, bound_at=now)
        for one in old.seat_phones.all()
    )


# ── seats ───────────────────────────────────────────────────────────────


@transaction.atomic
def take_seat(*, match_id: UUID, seat: int, device: UUID, now: datetime) -> None:
    """This phone is that of the seat. One that another phone has is refused until it is freed."""
    match = chain.locked(match_id)
    if seat not in range(4):
        raise ServiceError(ProblemCode.BAD_SEAT, "seat")
    if match.seat_phones.filter(seat=seat).exclude(device=device):
        raise ServiceError(RefusalCode.SEAT_TAKEN, "seat")
    SeatPhone.objects.update_or_create(
        match=match, device=device, defaults={"seat": seat, "bound_at": now}
    )


@transaction.atomic
def leave_seat(*, match_id: UUID, device: UUID) -> None:
    """This phone has no seat: it only keeps score."""
    chain.locked(match_id).seat_phones.filter(device=device).delete()


@transaction.atomic
def free_seat(*, match_id: UUID, seat: int) -> None:
    """Whoever's phone has this seat has it no longer."""
    chain.locked(match_id).seat_phones.filter(seat=seat).delete()
