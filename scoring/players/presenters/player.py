"""Sentences and tiles of a player's page."""

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
from scoring.rules.standings import rounded
from scoring.rules.statistics.rivals import Rival
from scoring.standings.presenters.standings import LEAF, query_of

SHOWN = 8
"""So many opponents are listed at first."""


@dataclass(frozen=True)
class Tile:
    """One statistic with its label, the address of the matches behind it, and a note."""

    name: str
    value: str | SafeString
    href: str
    note: str | SafeString = ""


@dataclass(frozen=True)
class LinkedSentence:
    """A sentence, and the query of the matches behind it (empty: none of their own)."""

    text: SafeString
    query: str = ""


@dataclass(frozen=True)
class Rivalry:
    """An opponent or partner who stands out, with the sentence and query that show why."""

    name: str
    rival: Rival
    text: SafeString
    query: str


def tiles(found: PlayerFigures, matches: str, standings: str) -> Iterator[Tile]:
    """Yield the tiles of all time.

    `matches` and `standings` are the addresses of the player's matches and of the standings."""
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


def form_sentences(found: PlayerFigures) -> Iterator[LinkedSentence]:
    """Yield sentences about recent form and winning streaks."""
    total, form = found.total, found.form
    if form:
        text = _("Place on average: {lately} in the last {n} matches, {always} in all.")
        yield LinkedSentence(
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
        yield LinkedSentence(
            format_html(text, n=_figures(row)), query_of(found.family, streak="now")
        )
    if total.longest_row > max(total.won_in_a_row, 1):
        row = total.longest_row
        text = ngettext(
            "The most wins one after the other: {n}.",
            "The most wins one after the other: {n}.",
            row,
        )
        yield LinkedSentence(
            format_html(text, n=_figures(row)), query_of(found.family, streak="longest")
        )


def deal_sentences(found: PlayerFigures) -> Iterator[LinkedSentence]:
    """Yield sentences about own and others' choices, doubles and kabbouts, where there are any."""
    for what, text in (
        *kingdoms(found).items(),
        ("doubles", doubles(found)),
        ("kabbouts", kabbouts(found)),
    ):
        if text:
            yield LinkedSentence(text, query_of(found.family, what=what))


def doubles(found: PlayerFigures) -> SafeString:
    """Summarise the doubles made; empty where there are none."""
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
    """Count the deals in which the player took everything; empty where there are none."""
    made = found.counts["kabbouts"]
    text = ngettext("Took everything in {n} deal.", "Took everything in {n} deals.", made)
    return format_html(text, n=_figures(made)) if made else SafeString("")


def kingdoms(found: PlayerFigures) -> dict[str, SafeString]:
    """Compare deals of the player's own choice with those of others; empty if either is missing."""
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
    """Return label, count and query of each place in Trex, then how often the player was not out.

    Empty where Trex was never played."""
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


def rivalries(found: PlayerFigures) -> Iterator[Rivalry]:
    """Yield nemesis, favourite victim and best partner, where there are any."""
    rivals, family = found.rivals, found.family
    if one := rivals.nemesis:
        text = _("{name} finished ahead in {times} of {n} matches.")
        sentence = _met(text, one, one.behind, one.matches)
        yield Rivalry(_("Nemesis"), one, sentence, query_of(family, other=str(one.other)))
    if one := rivals.victim:
        text = _("{name} finished behind in {times} of {n} matches.")
        sentence = _met(text, one, one.ahead, one.matches)
        yield Rivalry(_("Favourite victim"), one, sentence, query_of(family, other=str(one.other)))
    if one := rivals.partner:
        text = _("With {name} {times} of {n} matches won.")
        sentence = _met(text, one, one.together_won, one.together)
        yield Rivalry(_("Best partner"), one, sentence, query_of(family, beside=str(one.other)))


def _met(text: str, one: Rival, times: int, matches: int) -> SafeString:
    name = words.person(one.name)
    return format_html(text, name=name, times=_figures(times), n=_figures(matches))


def _figures(number: int) -> SafeString:
    return words.isolated_number(str(number))


def _points(number: int) -> SafeString:
    return words.isolated_number(words.signed(number))
