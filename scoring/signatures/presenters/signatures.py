"""Kingdoms and rounds that are signed, in words."""

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from scoring.common import words
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.queries.signatures import Unit, UnitState
from scoring.rules.scoresheet import SheetKingdom

MARKS: dict[str, str] = {
    UnitState.SIGNED: "✓",
    UnitState.ACCEPTED: "✓",
    UnitState.RULED: "✓",
    UnitState.DISPUTED: "⏸",
}
STATES: dict[str, words.Words] = {
    UnitState.OPEN: pgettext_lazy("kingdom or round", "not complete"),
    UnitState.SIGNED: pgettext_lazy("kingdom or round", "signed by all"),
    UnitState.ACCEPTED: pgettext_lazy("kingdom or round", "accepted by silence"),
    UnitState.RULED: pgettext_lazy("kingdom or round", "settled by a ruling"),
    UnitState.DISPUTED: pgettext_lazy("kingdom or round", "under review"),
}


def owner(view: MatchView, kingdom: SheetKingdom) -> str:
    """Who sat there when it began; nobody owns a round."""
    if kingdom.chooser is None:
        return ""
    return view.names_at(kingdom.rows[0].number)[kingdom.chooser]


def title(view: MatchView, unit: Unit) -> SafeString:
    """What it is called on the sheet."""
    if unit.chooser is None:
        return format_html(_("Round {number}"), number=unit.number)
    name = words.person(owner(view, unit.kingdom))
    return format_html(_("Kingdom of {name}"), name=name)


def question(view: MatchView, unit: Unit) -> SafeString:
    """What the table is asked once it is complete."""
    if unit.chooser is None:
        text = _("Round {number} is complete: does everybody agree?")
        return format_html(text, number=unit.number)
    text = _("Kingdom of {name} is complete: does everybody agree?")
    return format_html(text, name=words.person(owner(view, unit.kingdom)))


def state(unit: Unit) -> SafeString:
    """How far it is, with a mark: "✓ signed by all", "signed by 2 of 4"."""
    if unit.state == UnitState.WAITING:
        given = words.isolated_number(str(len(unit.signatures) - len(unit.open_seats)))
        return format_html(_("signed by {given} of 4"), given=given)
    text = STATES[unit.state]
    mark = MARKS.get(unit.state)
    return (
        format_html('<span aria-hidden="true">{}</span> {}', mark, text)
        if mark
        else format_html("{}", text)
    )
