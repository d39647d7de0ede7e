"""Names of cards, contracts, people and numbers on a page, in the reader's language.

Data hold names (`queens`, `QS`); the words are made here. Whatever stands inside a sentence and has
a direction of its own, a person's name or a card, is isolated.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from decimal import Decimal
from uuid import UUID

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language_bidi, gettext, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.models import Club, Match, Role, User

ISOLATE, END = "\u2068", "\u2069"

type Words = str | Promise

COMPLEX = "king+queens+diamonds+tricks"

SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
CARDS: dict[str, Words] = {
    "KH": _("king of hearts"),
    "QS": _("queen of spades"),
    "QH": _("queen of hearts"),
    "QD": _("queen of diamonds"),
    "QC": _("queen of clubs"),
}
CONTRACTS: dict[str, Words] = {
    "king": pgettext_lazy("contract", "King of hearts"),
    "queens": pgettext_lazy("contract", "Queens"),
    "diamonds": pgettext_lazy("contract", "Diamonds"),
    "hearts": pgettext_lazy("contract", "Hearts"),
    "tricks": pgettext_lazy("contract", "Tricks"),
    "last_trick": pgettext_lazy("contract", "Last trick"),
    "general": pgettext_lazy("contract", "General"),
    "trex": pgettext_lazy("contract", "Trex"),
    "fifty_one": pgettext_lazy("contract", "Fifty-one"),
}
SHORT: dict[str, Words] = {  # five beside each other on a 320 px phone
    "king": pgettext_lazy("short contract", "King"),
    "queens": pgettext_lazy("short contract", "Queens"),
    "diamonds": pgettext_lazy("short contract", "Diamonds"),
    "hearts": pgettext_lazy("short contract", "Hearts"),
    "tricks": pgettext_lazy("short contract", "Tricks"),
    "last_trick": pgettext_lazy("short contract", "Last"),
    "general": pgettext_lazy("short contract", "General"),
    "trex": pgettext_lazy("short contract", "Trex"),
    "fifty_one": pgettext_lazy("short contract", "Fifty-one"),
    "doubles": pgettext_lazy("short contract", "Doubled"),
}
GLYPHS = {
    "king": "KH",
    "queens": "QS",
    "diamonds": "D",
    "hearts": "H",
    "tricks": "▥",
    "last_trick": "▥!",
    "general": "Σ",
    "trex": "JC",
    "fifty_one": "51",
}
HALF_NAME = re.compile(
    "عبد|أبو|ابو|أبا|أم|ام|بن|ابن|بنت|آل|abd|abd[eu]l|abou?|abu|o?um|umm|om|ben|[ei]bn|bint|al|el"
    r"|d[ei]|l[ae]|v[ao]n|st\.?|saint",
    re.IGNORECASE,
)
"""First words of names that are no name by themselves."""
PLACES: tuple[Words, ...] = (_("1st"), _("2nd"), _("3rd"), _("4th"))
QUESTIONS: dict[str, Words] = {
    "king_taken_by": _("Who took the king of hearts?"),
    "queens_taken_by": _("Who took which queen?"),
    "queens": _("How many queens did each take?"),
    "diamonds": _("How many diamonds did each take?"),
    "hearts": _("How many hearts did each take?"),
    "tricks": _("How many tricks did each take?"),
    "last_trick_by": _("Who took the last trick?"),
    "finish_order": _("In which order did they go out?"),
    "loser": _("Who went over the top?"),
    "doubles": _("Who doubled it?"),
    "trick_leader": _("Who led the trick in which it fell?"),
    "revoke_by": _("Who revoked?"),
    "cheat_by": _("Who was caught cheating?"),
    "forfeited": _("Could not be chosen: the chooser takes it all, unplayed"),
    "plays": _("The cards in the order in which they were played"),
    "chooser": _("Who chose?"),
    "dealer": _("Who dealt?"),
    "leader": _("Who led first?"),
}


def isolated(name: str) -> str:
    """Return a name for use inside a line, isolated where its direction may differ."""
    turns = any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in name)
    return f"{ISOLATE}{name}{END}" if turns or get_language_bidi() else name


def card(code: str, doubled: bool = False) -> SafeString:
    """Return a card as people write it, with its full name for screen readers: Q♠.

    A doubled one has a pillow below it, as on the table."""
    name = CARDS.get(code, "")
    if doubled:
        name = format_html(gettext("{card}, doubled"), card=name)
    rank, suit = code[:-1].replace("T", "10"), code[-1]
    return format_html(
        '<bdi dir="ltr" class="card suit-{}{}"{}>{}{}</bdi>',
        suit.lower(),
        " pillow" if doubled else "",
        format_html(' title="{}"', name) if name else "",
        rank,
        SUITS.get(suit, suit),
    )


def all_queens() -> SafeString:
    """Return all four queens, doubled by one announcement."""
    title = gettext("all the queens")
    return format_html('<bdi dir="ltr" class="card" title="{}">Q×4</bdi>', title)


def table(match: Match) -> str:
    """Return the name of a table; a drawn one is called by its number."""
    number = match.table_number
    return gettext("Table %(number)s") % {"number": number} if number else match.table_name


def person(name: str) -> SafeString:
    return format_html("<bdi>{}</bdi>", name)


def person_of(user: User, club: Club) -> str | None:
    """Return the name of an account's person in a club, None where there is none."""
    called: str | None = club.hidden_accounts.get(str(user.pk), club.account_names.get(user.pk))
    return called


def account(user: User, club: Club | None) -> str:
    """Return the name of an account in a club.

    By its person there, else by its role, with a number where several would have the same. Never by
    the name it signs in with, which is half of what a stranger needs to sign in."""
    if club is None:
        return gettext("somebody")
    called = person_of(user, club)
    if called is None and (role := club.account_roles.get(user.pk)):
        named = {*club.account_names, *map(UUID, club.hidden_accounts)}
        alike = [
            pk for pk, other in club.account_roles.items() if other == role and pk not in named
        ]
        label = pgettext("role", Role(role).label)
        return f"{label} {alike.index(user.pk) + 1}" if len(alike) > 1 else label
    return called or gettext("somebody")


def people(names: Iterable[str]) -> SafeString:
    """Return several names with commas between."""
    return listed(person(name) for name in names)


def isolated_number(text: str) -> SafeString:
    """Return a number inside a sentence of either direction."""
    return format_html('<bdi class="num" dir="ltr">{}</bdi>', text)


def phone(device: UUID) -> str:
    """Return enough of a phone's id to tell it from the others at a table."""
    return device.hex[:4]


def listed(parts: Iterable[Words]) -> SafeString:
    """Return parts of a sentence with commas between, as the language writes them."""
    return format_html_join(gettext(", "), "{}", ((part,) for part in parts))


def first_names(names: Sequence[str]) -> list[str]:
    """Return each person's first name where it is unique at the table, else the full name."""
    firsts = [_first_name(name) for name in names]
    return [
        first if firsts.count(first) == 1 and len(first) > 1 else name
        for first, name in zip(firsts, names, strict=True)
    ]


def _first_name(name: str) -> str:
    """Return the first word of a name, or more where that is not enough.

    The next word too for Abdel Rahman or Umm Kamel, all of it where a number tells people apart
    (Player 12)."""
    parts = name.split()
    if parts and parts[-1].isdecimal():
        return name
    half = parts and HALF_NAME.fullmatch(parts[0])
    return " ".join(parts[: 2 if half else 1])


def contract(key: str, short: bool = False) -> str:
    """Return the name of a contract by its key; parts of a combined one are joined by a plus."""
    if key == COMPLEX:
        return pgettext("contract", "Complex")
    names = SHORT if short else CONTRACTS
    return " + ".join(str(names.get(part, part)) for part in key.split("+"))


def counted(item: str, count: int) -> str:
    """Return a number of items: 3 diamonds, 1 queen, the last trick."""
    match item:
        case "queens":
            text = ngettext("{n} queen", "{n} queens", count)
        case "diamonds":
            text = ngettext("{n} diamond", "{n} diamonds", count)
        case "hearts":
            text = ngettext("{n} heart", "{n} hearts", count)
        case "tricks":
            text = ngettext("{n} trick", "{n} tricks", count)
        case "king":
            text = str(CARDS["KH"])
        case _other:
            text = str(CONTRACTS[item]).lower()
    return text.format(n=count)


def signed(number: int) -> str:
    """Return points with their sign and a true minus: −75, +25, 0."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


def tenths(number: int) -> SafeString:
    """Return 24 as 2.4, as the language writes it."""
    return isolated_number(number_format(Decimal(number) / 10, 1))
