"""Links from a club's page to its other pages, as far as the reader may open them."""

from collections.abc import Callable
from typing import NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.access.permissions import URL_RULES, Action
from scoring.models import Club


class PageLink(NamedTuple):
    """`name` is that of the address."""

    name: str
    label: Promise
    about: Promise


class PageRow(NamedTuple):
    address: str
    label: SafeString | Promise
    about: SafeString | Promise


GROUPS: tuple[tuple[Promise, tuple[PageLink, ...]], ...] = (
    (
        _("People"),
        (
            PageLink("club_standings", _("Standings"), _("Who is ahead, today or on any day.")),
            PageLink("club_seasons", _("Seasons"), _("Standings from one day to another.")),
            PageLink(
                "club_figures", _("Figures"), _("What contracts cost, evenings, best and worst.")
            ),
            PageLink("club_players", _("Players"), _("Everybody who plays here, guests too.")),
            PageLink("club_invite", _("Members"), _("Whose account may do what, and invitations.")),
        ),
    ),
    (
        pgettext_lazy("pages of a club", "Play"),
        (
            PageLink("club_evenings", _("Evenings"), _("Several tables, round by round.")),
            PageLink("club_rules", _("House rules"), _("By which rules new matches are played.")),
            PageLink("club_paper", _("Empty sheet to print"), _("For the day the phone is dead.")),
            PageLink(
                "paper_check", _("Look a paper sheet through"), _("Which line cannot be right.")
            ),
        ),
    ),
    (
        pgettext_lazy("pages of a club", "Judging"),
        (
            PageLink("club_disputes", _("Disputes"), _("Deals that somebody doubts.")),
            PageLink("club_rulings", _("Rulings"), _("What was decided, and why.")),
            PageLink(
                "club_records",
                pgettext_lazy("of cards", "Records"),
                _("Deals of which every card was written down."),
            ),
            PageLink(
                "club_disagreements",
                _("Cards against entries"),
                _("Deals in which the two differ."),
            ),
            PageLink(
                "club_integrity",
                _("Is all as it was written?"),
                _("Looks through the seals of all matches."),
            ),
        ),
    ),
    (
        pgettext_lazy("pages of a club", "Keeping"),
        (
            PageLink(
                "club_settings", _("Settings"), _("Name, language, time, how people are ranked.")
            ),
            PageLink("club_import", _("Import matches"), _("What was played before, from a file.")),
            PageLink("club_export", _("Export"), _("Everything of the club in one file.")),
            PageLink(
                "club_tokens", _("Keys for programs"), _("So that they may read, or enter deals.")
            ),
        ),
    ),
)


def club_pages(
    club: Club, may: Callable[[Action], bool], waiting: int
) -> list[tuple[Promise, list[PageRow]]]:
    """The groups in which there is something for this reader. `waiting`: so many disputes."""
    found = [
        (title, [_row(page, club, may, waiting) for page in pages if may(URL_RULES[page.name])])
        for title, pages in GROUPS
    ]
    return [(title, rows) for title, rows in found if rows]


def _row(page: PageLink, club: Club, may: Callable[[Action], bool], waiting: int) -> PageRow:
    if page.name == "paper_check":
        own = {"club": club.slug} if may(Action.SEE_CLUB) else {}
        return PageRow(f"{reverse(page.name)}{'?' if own else ''}{urlencode(own)}", *page[1:])
    address = reverse(page.name, args=[club.slug])
    if page.name == "club_disputes" and waiting:
        count = format_html('{} (<bdi class="num">{}</bdi>)', page.label, waiting)
        return PageRow(address, count, page.about)
    return PageRow(address, *page[1:])
