"""A person of a club in words: place, form, doubles, kingdoms, who beats whom."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from scoring.common import words
from scoring.players.presenters.player_lists import TREX
from scoring.players.queries.player import PlayerFigures
from scoring.rules.rivals import Rival
from scoring.rules.standings import rounded
from scoring.standings.presenters.standings import LEAF, query_of

SHOWN = 8
"""So many opponents are listed at first."""


@dataclass(frozen=True)
class Tile:
    """One figure: what it is, the address of the list behind it, and a note where it needs one."""

    name: str
    value: str | SafeString
    href: str
    note: str | SafeString = ""


@dataclass(frozen=True)
class Fact:
    """A sentence, and which matches are behind it (empty: those that stand above)."""

    text: SafeString
    query: str = ""


@dataclass(frozen=True)
class Known:
    """Somebody who stands out: as what, who, the sample, and which matches."""

    name: str
    rival: Rival
    text: SafeString
    query: str


def tiles(found: PlayerFigures, matches: str, standings: str) -> Iterator[Tile]:
    """What one wants to know first, of all time; with the addresses of the person's matches and of
    the standings."""
    total = found.total
    every = f"{matches}?{query_of(found.family)}"
    yield _place(found, standings)
    yield Tile(_("Matches"), _figures(total.matches), every)
    share = number_format(found.share_won)
    note = _("of all matches: {share}%").format(share=share) if found.is_enough else ""
    won = f"{matches}?{query_of(found.family, place=1)}"
    yield Tile(_("Won"), _figures(total.wins), won, note)
    yield Tile(_("Total"), _points(total.total), every)
    yield Tile(_("A match, on average"), _points(found.average), every)
    yield Tile(_("Place, on average"), words.tenths(found.place_tenths), every)


def _place(found: PlayerFigures, standings: str) -> Tile:
    row, name = found.standing, _("Place")
    if row is None:
        return Tile(name, "–", "")
    leaf = found.page.rows.index(row) // LEAF + 1
    href = f"{standings}?{query_of(found.family, page=leaf)}"
    if row.rank is None:
        text = ngettext("needs {n} more match", "needs {n} more matches", row.needs)
        return Tile(name, "–", href, text.format(n=row.needs))
    of = _("of {people}").format(people=len(found.page.table.ranked))
    note = _("{of}, shared").format(of=of) if row.shares else of
    return Tile(name, _figures(row.rank), href, note)


def lately(found: PlayerFigures) -> Iterator[Fact]:
    """Form and rows of wins."""
    total, form = found.total, found.form
    if form:
        text = _("Place on average: {lately} in the last {n} matches, {always} in all.")
        yield Fact(
            format_html(
                text,
                lately=words.tenths(form.lately),
                n=_figures(form.matches),
                always=words.tenths(form.always),
            )
        )
    if total.won_in_a_row > 1:
        row = total.won_in_a_row
        text = ngettext(
            "Won the last {n} match.", "Won the last {n} matches, one after the other.", row
        )
        yield Fact(format_html(text, n=_figures(row)), query_of(found.family, streak="now"))
    if total.longest_row > max(total.won_in_a_row, 1):
        row = total.longest_row
        text = ngettext(
            "The most wins one after the other: {n}.",
            "The most wins one after the other: {n}.",
            row,
        )
        yield Fact(format_html(text, n=_figures(row)), query_of(found.family, streak="longest"))


def of_deals(found: PlayerFigures) -> Iterator[Fact]:
    """Own choices beside those of the others, doubles, kabbouts; what there is of them."""
    for what, text in (
        *kingdoms(found).items(),
        ("doubles", doubles(found)),
        ("kabbouts", kabbouts(found)),
    ):
        if text:
            yield Fact(text, query_of(found.family, what=what))


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


def kingdoms(found: PlayerFigures) -> dict[str, SafeString]:
    """Deals of one's own choice beside those of the others; empty where one of them is missing."""
    counts = found.counts
    chosen, others = counts["chosen"], counts["deals"] - counts["chosen"]
    if not (chosen and others):
        return {}
    own, rest = counts["chosen_points"], counts["points"] - counts["chosen_points"]
    text = _("A deal of their own choice brings {points} on average ({deals}).")
    other = _("A deal that others chose brings {points} on average ({deals}).")
    return {
        "chosen": _a_deal(text, own, chosen),
        "others": _a_deal(other, rest, others),
    }


def _a_deal(text: str, points: int, number: int) -> SafeString:
    deals = format_html(ngettext("{n} deal", "{n} deals", number), n=_figures(number))
    return format_html(text, points=_points(rounded(points, number)), deals=deals)


def trex_places(found: PlayerFigures) -> list[tuple[str, int, str]]:
    """How often first, second, third and fourth to go out, and which deals; then, without a list,
    how often not out when the deal ended. Empty where Trex was never played."""
    taken = sum(found.counts[name] for name in TREX)
    if not taken:
        return []
    played = sum(each.deals for each in found.contracts if each.contract == "trex")
    places = [
        (str(place), found.counts[name], query_of(found.family, what=name))
        for place, name in zip(words.PLACES, TREX, strict=True)
        if found.counts[name] or played == taken
    ]
    left = [(pgettext("place in Trex", "not out"), played - taken, "")]
    return [*places, *(left if played > taken else [])]


def known(found: PlayerFigures) -> Iterator[Known]:
    """Who stands out among the others."""
    rivals, family = found.rivals, found.family
    if one := rivals.nemesis:
        text = _("{name} finished ahead in {times} of {n} matches.")
        told = _met(text, one, one.behind, one.matches)
        yield Known(_("Nemesis"), one, told, query_of(family, other=str(one.other)))
    if one := rivals.victim:
        text = _("{name} finished behind in {times} of {n} matches.")
        told = _met(text, one, one.ahead, one.matches)
        yield Known(_("Favourite victim"), one, told, query_of(family, other=str(one.other)))
    if one := rivals.partner:
        text = _("With {name} {times} of {n} matches won.")
        told = _met(text, one, one.together_won, one.together)
        yield Known(_("Best partner"), one, told, query_of(family, beside=str(one.other)))


def _met(text: str, one: Rival, times: int, matches: int) -> SafeString:
    name = words.person(one.name)
    return format_html(text, name=name, times=_figures(times), n=_figures(matches))


def _figures(number: int) -> SafeString:
    return words.figures(str(number))


def _points(number: int) -> SafeString:
    return words.figures(words.signed(number))
