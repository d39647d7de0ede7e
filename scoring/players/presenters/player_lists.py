"""Labels and totals of the match list of a player."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.common import words
from scoring.models import Player
from scoring.players.queries.player_matches import MatchFilter, MatchList, OwnResult
from scoring.rules.standings import Standing, rounded
from scoring.standings.presenters.standings import day_words, family_name

TREX = ("first", "second", "third", "fourth")
WHAT: Mapping[str, words.Words] = {
    "chosen": gettext_lazy("deals of their own choice"),
    "others": gettext_lazy("deals that others chose"),
    "doubles": gettext_lazy("doubles made"),
    "kabbouts": gettext_lazy("deals in which everything was taken"),
}
STREAK: Mapping[str, words.Words] = {
    "now": gettext_lazy("the last wins one after the other"),
    "longest": gettext_lazy("the most wins one after the other"),
}
AGAINST: Mapping[str, words.Words] = {
    "": gettext_lazy("against {name}"),
    "ahead": gettext_lazy("ahead of {name}"),
    "behind": gettext_lazy("behind {name}"),
    "level": gettext_lazy("level with {name}"),
}


def filter_labels(asked: MatchFilter, people: Mapping[str, Player | None]) -> Iterator[words.Words]:
    """Yield the active filters in words, so that every total says what it is of (C82)."""
    if asked.family:
        yield family_name(asked.family)
    if within := asked.scope.season or asked.scope.evening:
        yield words.person(within.name)
    else:
        yield _("of all time")
    if asked.scope.until:
        yield format_html(_("up to {day}"), day=day_words(asked.scope.until))
    if asked.streak:
        yield STREAK[asked.streak]
    if asked.contract:
        yield words.contract(asked.contract)
    if asked.what:
        yield _what(asked.what)
    yield from _with(asked, people)
    if asked.place:
        yield format_html(_("in {place} place"), place=words.PLACES[asked.place - 1])


def _what(what: str) -> words.Words:
    if what not in TREX:
        return WHAT[what]
    place = words.PLACES[TREX.index(what)]
    return format_html(_("deals of Trex, out in {place} place"), place=place)


def _with(asked: MatchFilter, people: Mapping[str, Player | None]) -> Iterator[words.Words]:
    texts = {
        "partner": _("as partner of {name}"),
        "other": AGAINST[asked.than],
        "beside": _("together with {name}"),
    }
    for name, text in texts.items():
        if person := people[name]:
            yield format_html(str(text), name=words.person(person.name))


def list_totals(found: MatchList, asked: MatchFilter) -> Iterator[words.Words]:
    """Yield the totals of a match list; nothing for an empty one."""
    if not found.matches:
        return
    yield _counted(ngettext("{n} match", "{n} matches", found.matches), found.matches)
    if asked.of_deals:
        yield _deals(asked, found.number)
    if asked.family and found.points is not None:
        yield _points(_("{points} points"), found.points)
        yield from _average(found, asked)
    if asked.other and not asked.than:
        yield _counted(_("ahead: {n}"), found.than("ahead"))
        yield _counted(_("behind: {n}"), found.than("behind"))
        yield _counted(_("level: {n}"), found.than("level"))
    elif not (asked.other or asked.of_deals):
        yield _counted(ngettext("{n} first place", "{n} first places", found.wins), found.wins)
    if asked.is_all:
        yield format_html(_("place {place} on average"), place=words.tenths(found.place_tenths))


def closed_sums(
    found: MatchList, asked: MatchFilter, then: Sequence[Standing]
) -> list[words.Words]:
    """Describe what a closed season counted, where that differs from the list today."""
    counted = sum(row.record.matches for row in then), sum(row.record.total for row in then)
    is_merged, is_changed = len(then) > 1, counted != (found.matches, found.points)
    if not (asked.is_all and (is_merged or is_changed)):
        return []
    rows = [_closed_row(row) for row in then] or ["–"]
    text = _("Counted when the season was closed: {sums}.")
    said: list[words.Words] = [format_html(text, sums=words.listed(rows))]
    if is_merged:
        said.append(_("People were merged since then: the closed standings list them apart."))
    if is_changed:
        said.append(_("Since then matches were added or corrected: the list shows them as now."))
    return said


def _closed_row(row: Standing) -> words.Words:
    number = row.record.matches
    matches = _counted(ngettext("{n} match", "{n} matches", number), number)
    points = _points(_("{points} points"), row.record.total)
    return format_html("{} ({})", points, matches)


def _average(found: MatchList, asked: MatchFilter) -> Iterator[words.Words]:
    assert found.points is not None
    if asked.of_deals and found.number:
        yield _points(_("{points} each on average"), rounded(found.points, found.number))
    elif asked.is_all:
        yield _points(_("{points} a match on average"), rounded(found.points, found.matches))


def result_sentence(own: OwnResult, asked: MatchFilter) -> words.Words:
    """Describe a player's result in one match: place and points, or what is counted of its
    deals."""
    first = _deals(asked, own.number) if asked.of_deals else words.PLACES[own.place - 1]
    if own.points is None:
        return first
    return format_html("{} · {}", first, words.isolated_number(words.signed(own.points)))


def _deals(asked: MatchFilter, number: int) -> words.Words:
    if asked.what == "doubles":
        return _counted(ngettext("{n} double", "{n} doubles", number), number)
    return _counted(ngettext("{n} deal", "{n} deals", number), number)


def _counted(text: str, number: int) -> words.Words:
    return format_html(text, n=words.isolated_number(str(number)))


def _points(text: str, number: int) -> words.Words:
    return format_html(text, points=words.isolated_number(words.signed(number)))
