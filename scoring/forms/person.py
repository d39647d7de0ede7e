"""A person of a club in words: place, form, doubles, kingdoms, who beats whom."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import urlencode

from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.forms import words
from scoring.models import PlayerTotal
from scoring.rules.rivals import Rival
from scoring.rules.standings import rounded
from scoring.selectors.player import PlayerFigures

SHOWN = 8
"""So many opponents are listed at first."""


@dataclass(frozen=True)
class Tile:
    """One figure: what it is, and a note where it needs one."""

    name: str
    value: str | SafeString
    note: str | SafeString = ""


@dataclass(frozen=True)
class Known:
    """Somebody who stands out: as what, who, and the sample."""

    name: str
    rival: Rival
    text: SafeString


def tenths(number: int) -> str:
    """2.4, as the language writes it."""
    return number_format(Decimal(number) / 10, 1)


def tiles(found: PlayerFigures) -> Iterator[Tile]:
    """What one wants to know first, of all time."""
    total = found.total
    yield _place(found)
    yield Tile(_("Matches"), _figures(total.matches))
    share = number_format(found.share_won)
    note = _("of all matches: {share}%").format(share=share) if found.is_enough else ""
    yield Tile(_("Won"), _figures(total.wins), note)
    yield Tile(_("Total"), _points(total.total))
    yield Tile(_("A match, on average"), _points(found.average))
    yield Tile(_("Place, on average"), words.figures(tenths(found.place_tenths)))


def _place(found: PlayerFigures) -> Tile:
    row, name = found.standing, _("Place")
    if row is None:
        return Tile(name, "–")
    if row.rank is None:
        text = ngettext("needs {n} more match", "needs {n} more matches", row.needs)
        return Tile(name, "–", text.format(n=row.needs))
    of = _("of {people}").format(people=len(found.page.table.ranked))
    note = _("{of}, shared").format(of=of) if row.shares else of
    return Tile(name, _figures(row.rank), note)


def lately(found: PlayerFigures) -> Iterator[SafeString]:
    """Form and rows of wins."""
    total, form = found.total, found.form
    if form:
        text = _("Place on average: {lately} in the last {n} matches, {always} in all.")
        yield format_html(
            text,
            lately=words.figures(tenths(form.lately)),
            n=_figures(form.matches),
            always=words.figures(tenths(form.always)),
        )
    if total.won_in_a_row > 1:
        row = total.won_in_a_row
        text = ngettext(
            "Won the last {n} match.", "Won the last {n} matches, one after the other.", row
        )
        yield format_html(text, n=_figures(row))
    if total.longest_row > max(total.won_in_a_row, 1):
        row = total.longest_row
        text = ngettext(
            "The most wins one after the other: {n}.",
            "The most wins one after the other: {n}.",
            row,
        )
        yield format_html(text, n=_figures(row))


def doubles(found: PlayerFigures) -> SafeString:
    """What the doubles came to; empty where none was made."""
    made, brought = found.counts["doubles"], found.counts["double_points"]
    if not made:
        return SafeString("")
    text = ngettext(
        "{n} double made. It brought {points}.",
        "{n} doubles made. Together they brought {points}, {each} each on average.",
        made,
    )
    each = _points(rounded(brought, made))
    return format_html(text, n=_figures(made), points=_points(brought), each=each)


def kabbouts(found: PlayerFigures) -> SafeString:
    """How often everything was taken; empty where never."""
    made = found.counts["kabbouts"]
    text = ngettext("Took everything in {n} deal.", "Took everything in {n} deals.", made)
    return format_html(text, n=_figures(made)) if made else SafeString("")


def kingdoms(found: PlayerFigures) -> SafeString:
    """Deals of one's own choice beside those of the others; empty where one of them is missing."""
    counts = found.counts
    chosen, others = counts["chosen"], counts["deals"] - counts["chosen"]
    if not (chosen and others):
        return SafeString("")
    text = _(
        "A deal of their own choice brings {own} on average ({chosen} deals), one that others chose"
        " {rest} ({others} deals)."
    )
    rest = counts["points"] - counts["chosen_points"]
    return format_html(
        text,
        own=_points(rounded(counts["chosen_points"], chosen)),
        chosen=_figures(chosen),
        rest=_points(rounded(rest, others)),
        others=_figures(others),
    )


def trex_places(found: PlayerFigures) -> list[tuple[str, int]]:
    """How often first, second, third and fourth to go out; empty where Trex was never played."""
    places = [found.counts[name] for name in ("first", "second", "third", "fourth")]
    names = map(str, words.PLACES)
    return list(zip(names, places, strict=True)) if any(places) else []


def known(found: PlayerFigures) -> Iterator[Known]:
    """Who stands out among the others."""
    rivals = found.rivals
    if one := rivals.nemesis:
        text = _("{name} finished ahead in {times} of {n} matches.")
        yield Known(_("Nemesis"), one, _met(text, one, one.behind, one.matches))
    if one := rivals.victim:
        text = _("{name} finished behind in {times} of {n} matches.")
        yield Known(_("Favourite victim"), one, _met(text, one, one.ahead, one.matches))
    if one := rivals.partner:
        text = _("With {name} {times} of {n} matches won.")
        yield Known(_("Best partner"), one, _met(text, one, one.together_won, one.together))


def _met(text: str, one: Rival, times: int, matches: int) -> SafeString:
    name = words.person(one.name)
    return format_html(text, name=name, times=_figures(times), n=_figures(matches))


def query_of(row: PlayerTotal) -> str:
    """Which family is asked for: of this page, and of the list of matches behind a figure."""
    return urlencode({"system": row.system, "win": row.win})


def _figures(number: int) -> SafeString:
    return words.figures(str(number))


def _points(number: int) -> SafeString:
    return words.figures(words.signed(number))
