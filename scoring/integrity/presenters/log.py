"""The log of the installation in words.

Entries of a club that the reader does not belong to have no name and no link.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.common import words
from scoring.common.words import Words
from scoring.integrity.queries.log import Logged
from scoring.models import Club, HouseRules, Match, Player, Role, Season, User
from scoring.models.evenings import Evening
from scoring.models.log import LogAction
from scoring.players.forms import EVENT_SENTENCES

TABLES: Mapping[str, Words] = {
    "user": pgettext_lazy("log", "Rights of an account"),
    "club": pgettext_lazy("log", "Settings of a club"),
    "houserules": pgettext_lazy("log", "Rules of a club"),
    "membership": pgettext_lazy("log", "Role in a club"),
    "clubtoken": pgettext_lazy("log", "API key"),
    "player": pgettext_lazy("log", "Person"),
    "personevent": pgettext_lazy("log", "Change to a person"),
    "season": pgettext_lazy("log", "Season"),
    "frozenstanding": pgettext_lazy("log", "Final standings of a season"),
    "evening": pgettext_lazy("log", "Game night"),
    "eveningplayer": pgettext_lazy("log", "Players of a game night"),
    "eveninground": pgettext_lazy("log", "Draw of a game night"),
    "drawnseat": pgettext_lazy("log", "Seats of a draw"),
    "match": pgettext_lazy("log", "Match"),
}
ACTIONS: Mapping[str, Words] = {
    "new": pgettext_lazy("log", "Added"),
    LogAction.WRITTEN: pgettext_lazy("log", "Changed"),
    LogAction.REMOVED: pgettext_lazy("log", "Removed"),
    LogAction.FOUND: pgettext_lazy("log", "Already there when the log began to cover it"),
}
PAGES: Mapping[type[Any], str] = {
    HouseRules: "house_rules",
    Player: "player",
    Season: "season",
    Evening: "evening",
}


@dataclass(frozen=True)
class LogLine:
    """`about` is the text of the link to `address`; both empty where there is none to show."""

    what: Words
    did: Words
    detail: Words
    count: int
    at: datetime
    by: Words
    about: Words
    address: str
    club: Words


type Accounts = Mapping[UUID, User]


def line(logged: Logged, reader: User, accounts: Accounts, sees: Callable[[Club], bool]) -> LogLine:
    """An entry for this reader, who `sees` the names of some clubs; `accounts` are those that
    entries are about."""
    entry, club = logged.entry, logged.club
    shown = club if club and sees(club) else None
    about, address = _about(logged, shown) if shown else ("", "")
    return LogLine(
        what=TABLES.get(entry.table, entry.table),
        did=ACTIONS["new" if logged.is_new else entry.action],
        detail=_detail(logged, shown, accounts),
        count=logged.count,
        at=entry.at,
        by=_by(entry.by, reader, shown),
        about=about,
        address=address,
        club=(shown.name if shown else gettext("a club that you do not belong to")) if club else "",
    )


def _by(user: User | None, reader: User, club: Club | None) -> Words:
    """Who did it: never the name that an account signs in with."""
    if user is None:
        return gettext("nobody signed in, or the server")
    if user.pk == reader.pk:
        return gettext("you")
    if club and (words.person_of(user, club) or user.pk in club.account_roles):
        return words.account(user, club)
    return gettext("an owner of this installation") if user.is_superuser else gettext("an account")


def _about(logged: Logged, club: Club) -> tuple[Words, str]:
    row = logged.subject
    if isinstance(row, Match):
        return words.table(row) or gettext("Match"), reverse("match", args=[row.id])
    if page := PAGES.get(type(row)):
        return row.name, reverse(page, args=[club.slug, row.id])
    return club.name, reverse("club", args=[club.slug])


def _detail(logged: Logged, club: Club | None, accounts: Accounts) -> Words:
    """Of a role whose it is, and which; of an account whether it owns the installation; of a person
    what was done."""
    facts, table = logged.facts, logged.entry.table
    if table == "user":
        is_owner = bool(facts.get("is_superuser"))
        text = (
            _("owner of this installation") if is_owner else _("not an owner of this installation")
        )
        return text if facts.get("is_active", True) else _("cannot sign in")
    if club and table == "membership" and facts.get("role") in Role.values:
        role = pgettext("role", Role(facts["role"]).label)
        called = words.person_of(user, club) if (user := _user(facts, accounts)) else None
        return words.listed([called, role]) if called else role
    if club and table == "personevent":
        return _done(str(facts.get("kind")))
    return ""


def _done(kind: str) -> Words:
    text = str(EVENT_SENTENCES.get(kind, ""))
    return "" if "{" in text else text


def _user(facts: Mapping[str, Any], accounts: Accounts) -> User | None:
    return accounts.get(UUID(facts["user_id"])) if facts.get("user_id") else None
