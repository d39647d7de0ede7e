"""The columns of a table of deals, explained.

Every column of `importing.columns` is in one row.
"""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.importing.columns import NEEDED
from scoring.transfer.presenters.import_sentences import isolate_dates


class ColumnRow(NamedTuple):
    """Columns that are explained together; a file without a needed one is refused."""

    names: tuple[str, ...]
    text: Promise

    @property
    def is_needed(self) -> bool:
        return self.names[0] in NEEDED

    @property
    def sentence(self) -> str:
        """The explanation as it can be shown."""
        return isolate_dates(str(self.text))


def _four(name: str) -> tuple[str, ...]:
    return tuple(f"{name}_{number}" for number in range(1, 5))


def _cards(name: str, *cards: str) -> tuple[str, ...]:
    return tuple(f"{card}_{name}" for card in cards)


QUEENS = ("qs", "qh", "qd", "qc")

COLUMN_ROWS = (
    ColumnRow(
        ("match",),
        _("A name of the match that no other match of the club has. It is known again by it."),
    ),
    ColumnRow(
        ("played_at",),
        _("When, like 2026-11-12 20:15, by the clock of the club. A date alone is its noon."),
    ),
    ColumnRow(_four("player"), _("The four names in order of play, as the club knows them.")),
    ColumnRow(("rules",), _("A game or its variant: levant, kleshchi-pairs, barbu-fixed, …")),
    ColumnRow(
        ("options",),
        _("What differs from these rules, like values.king = 80; teams = opposite."),
    ),
    ColumnRow(("table",), _("The name of the table.")),
    ColumnRow(("club",), _("Only for the command: the club that the match goes to.")),
    ColumnRow(("first_chooser", "first_dealer"), _("Who chose, who dealt first.")),
    ColumnRow(("deal",), _("The number of the deal, from 1 without a gap.")),
    ColumnRow(
        ("dealer", "chooser", "leader"),
        _("Who dealt, who chose, who led. Where it is blank it is as the rules have it."),
    ),
    ColumnRow(("forced",), _("yes where it was the chooser's last contract; else no, or blank.")),
    ColumnRow(
        ("contract",),
        _(
            "king, queens, diamonds, tricks, trex, hearts, last_trick, general, fifty_one; several "
            "with a plus (king+queens), or complex."
        ),
    ),
    ColumnRow(("king_taken_by", "last_trick_by"), _("Who took it.")),
    ColumnRow(_cards("taken_by", *QUEENS), _("Who took which queen …")),
    ColumnRow(_four("queens"), _("… or how many queens each took, where none was doubled.")),
    ColumnRow(
        (*_four("diamonds"), *_four("hearts"), *_four("tricks")),
        _("How many each player took, 0 too."),
    ),
    ColumnRow(
        ("first_out", "second_out", "third_out", "fourth_out"),
        _("Trex: in which order they went out."),
    ),
    ColumnRow(("loser", "plays"), _("Fifty-one: who lost; or the cards as they were laid.")),
    ColumnRow(_cards("doubled_by", "kh", *QUEENS), _("Who doubled which card.")),
    ColumnRow(
        _cards("trick_led_by", "kh", *QUEENS),
        _("Who led the trick with a doubled card, where the rules ask for it."),
    ),
    ColumnRow(
        ("revoke_by", "cheat_by", "forfeited"),
        _("Who revoked, who cheated; yes where the chooser took it all unplayed."),
    ),
    ColumnRow(
        (*_four("score"), *_four("total")),
        _(
            "Points of the deal and totals after it, as on paper. They are not taken over: where "
            "they are not what the rules make of it, the match is refused and the deal named."
        ),
    ),
)
