"""What stands beside the deals of a match, in words: redeals, penalties, corrections of points."""

from collections.abc import Iterable, Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from scoring.common import words
from scoring.models import Adjustment, Redeal
from scoring.rules import adjustments

REDEALS: dict[str, words.Words] = {
    "weak_hearts": pgettext_lazy("redeal", "weak hearts"),
    "twos": pgettext_lazy("redeal", "the twos"),
    "queens_draw": pgettext_lazy("redeal", "queens two and two"),
    "misdeal": pgettext_lazy("redeal", "misdeal"),
    "other": pgettext_lazy("redeal", "another reason"),
}
ADJUSTMENTS: dict[str, words.Words] = {
    adjustments.PENALTY: pgettext_lazy("adjustment", "penalty"),
    adjustments.CORRECTION: pgettext_lazy("adjustment", "correction"),
    adjustments.RULING: pgettext_lazy("adjustment", "ruling"),
}


def dealt_again(row: Redeal, names: Sequence[str]) -> SafeString:
    """One line: why, and who asked. The names are those of the deal."""
    why = REDEALS.get(row.reason, row.reason)
    if row.asked_by is None:
        return format_html(_("Dealt again: {why}"), why=why)
    name = words.person(words.first_names(names)[row.asked_by])
    return format_html(_("Dealt again: {why}, {name}"), why=why, name=name)


def adjusted(row: Adjustment, names: Sequence[str]) -> SafeString:
    """How much for whom: "−40 for Dima, Badr"."""
    return for_whom(row.points, names)


def for_whom(points: Sequence[int], names: Sequence[str]) -> SafeString:
    """The same of four numbers by seat."""
    shorts = words.first_names(names)
    amounts = dict.fromkeys(number for number in points if number)
    return words.listed(
        format_html(
            _("{points} for {names}"),
            points=_points(amount),
            names=words.people(shorts[seat] for seat in range(4) if points[seat] == amount),
        )
        for amount in amounts
    )


def stands_beside(
    rows: Iterable[Adjustment], number: int, names: Sequence[str]
) -> list[SafeString]:
    """What a correction of this deal leaves as it is, one sentence each (C66)."""
    texts = {
        (adjustments.PENALTY, True): _("A penalty stands beside this deal: {what}."),
        (adjustments.PENALTY, False): _("A penalty stands after deal {number}: {what}."),
        (adjustments.CORRECTION, True): _("A correction stands beside this deal: {what}."),
        (adjustments.CORRECTION, False): _("A correction stands after deal {number}: {what}."),
        (adjustments.RULING, True): _("Points of a ruling stand beside this deal: {what}."),
        (adjustments.RULING, False): _("Points of a ruling stand after deal {number}: {what}."),
    }
    return [
        format_html(
            texts[row.code, row.after_deal == number],
            number=row.after_deal,
            what=adjusted(row, names),
        )
        for row in rows
        if row.after_deal >= number
    ]


def _points(amount: int) -> SafeString:
    return format_html('<bdi class="num" dir="ltr">{}</bdi>', words.signed(amount))
