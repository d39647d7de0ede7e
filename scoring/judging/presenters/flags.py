"""What is said of a deal that somebody doubts: marks, ready phrases, who it was."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.common import words
from scoring.common.actor import Actor
from scoring.common.words import Words
from scoring.judging.queries.flags import Doubt
from scoring.ledger.queries.match_view import MatchView
from scoring.models import Dispute, DisputeState

PHRASES: Mapping[str, Words] = {
    "taker": _("Somebody else took it."),
    "double": _("A doubling is wrong or missing."),
    "revoke": _("Somebody did not follow suit."),
    "rules": _("That is not how our rules count it."),
}
"""What is mostly said: one tap, in the words of who says it."""


STATES: Mapping[str, Words] = {
    DisputeState.OPEN: _("No arbiter has taken it on yet."),
    DisputeState.CLAIMED: _("Under review"),
    DisputeState.RULED: _("The arbiter has ruled"),
    DisputeState.CLOSED: _("The dispute is over"),
}
"""How far it is."""


@dataclass(frozen=True)
class FlagMark:
    """The sign of a deal that is doubted, and what it means."""

    number: int
    sign: str
    text: Words
    arbiter: str = ""


def marks(view: MatchView) -> dict[int, FlagMark]:
    """By deal number. From outside everything that is not ruled on is only under review."""
    return {number: _mark(view, row) for number, row in view.reviews.items()}


def _mark(view: MatchView, row: Dispute) -> FlagMark:
    if view.is_public:
        return FlagMark(row.deal_number, "⏸", _("under review"))
    if row.state == DisputeState.OPEN:
        return FlagMark(row.deal_number, "⚑", _("flagged"))
    arbiter = words.account(row.claimed_by, view.match.club) if row.claimed_by else ""
    return FlagMark(row.deal_number, "⏸", _("under review"), arbiter)


def flag_words(phrase: str, typed: str) -> str:
    """What was tapped and what was typed, as one text."""
    told = gettext(str(PHRASES[phrase])) if phrase in PHRASES else ""
    return " ".join(text for text in (told, typed.strip()) if text)


@dataclass(frozen=True)
class DoubtLine:
    """A flag as the table sees it: who (by seat, else by account, else by phone), and whether it is
    the reader's own."""

    doubt: Doubt
    name: str
    mine: bool

    @property
    def flag_id(self) -> UUID:
        return self.doubt.row.id


def doubt_lines(told: Sequence[Doubt], names: Sequence[str], actor: Actor) -> list[DoubtLine]:
    return [DoubtLine(each, _name(each, names), each.is_of(actor)) for each in told]


def _name(doubt: Doubt, names: Sequence[str]) -> str:
    seat = doubt.row.seat
    return "" if seat is None else names[seat]
