"""How numbers, cards and names are written on a page. Nothing is chosen or counted here."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from scoring.common import moments, words
from scoring.models import User

register = template.Library()

# "10" in the width of one letter and a half
NARROW = SafeString(' textLength="30" lengthAdjust="spacingAndGlyphs"')

register.filter("card", words.card)
register.filter("people", words.people)
register.filter("phone", words.phone)
register.filter("table", words.table)
register.filter("day", moments.day)
register.filter("short_day", moments.short_day)
register.filter("zone_city", moments.zone_city)


@register.simple_tag(takes_context=True)
def account(context: Context, user: User) -> str:
    """What an account is called in the club of this page."""
    match = context.get("match") or getattr(context.get("view"), "match", None)
    club = context.get("club")
    if match and (club is None or club.pk != match.club_id):
        club = match.club
    return words.account(user, club)


@register.filter
def pillow(code: str) -> SafeString:
    """A queen that was doubled."""
    return words.card(code, doubled=True)


register.filter("listed", words.listed)


@register.filter
def signed(number: int | None) -> SafeString:
    """Points with their sign, in an order that right-to-left text does not turn: −75, +25, 0."""
    if number is None:
        return SafeString("")
    return format_html('<bdi class="num" dir="ltr">{}</bdi>', words.signed(number))


@register.filter
def total(number: int | None) -> SafeString:
    """Points as `signed`; a dash where nothing was played yet."""
    return SafeString("–") if number is None else signed(number)


@register.filter
def contract(key: str) -> str:
    """The name of a contract by its key."""
    return words.contract(key)


@register.filter
def contract_short(key: str) -> str:
    return words.contract(key, short=True)


@register.filter
def glyph(key: str) -> SafeString:
    """A sign for a contract, beside its name; combined ones show the signs of their parts."""
    parts = (words.GLYPHS.get(part, "") for part in key.split("+"))
    signs = format_html_join("", "{}", ((_sign(part),) for part in parts))
    return format_html('<span class="glyph" dir="ltr" aria-hidden="true">{}</span>', signs)


def _sign(sign: str) -> SafeString:
    if sign[-1:] not in words.SUITS or sign[:-1] not in ("", "K", "Q", "J"):
        return format_html("<span>{}</span>", sign)
    suit = words.SUITS[sign[-1]]
    return format_html('<span class="suit-{}">{}{}</span>', sign[-1].lower(), sign[:-1], suit)


@register.filter
def face(code: str) -> SafeString:
    """A card drawn, with its full name for who cannot see it. Needs `css/cards.css`."""
    rank, suit = code[:-1].replace("T", "10"), code[-1].lower()
    return format_html(
        '<svg class="face suit-{suit}" viewBox="0 0 40 56" preserveAspectRatio="xMidYMin slice"'
        ' role="img" aria-label="{name}">'
        '<rect x=".5" y=".5" width="39" height="55" rx="5"/>'
        '<text x="20" y="25"{narrow}>{rank}</text>'
        '<use href="{suits}#{suit}" x="9" y="30" width="22" height="22"/></svg>',
        suit=suit,
        name=words.CARDS.get(code, code),
        narrow=NARROW if len(rank) > 1 else "",
        rank=rank,
        suits=static("img/suits.svg"),
    )


@register.filter
def at(things: Sequence[Any], number: int) -> Any:
    """One of a list by a number that is itself a variable: `names|at:seat`."""
    return things[number]


@register.filter
def place(number: int) -> str:
    """1 is "1st"."""
    return str(words.PLACES[number - 1])
