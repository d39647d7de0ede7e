"""The result as plain text, to be sent on in a chat.

Nothing in it is markup: a name is what was typed. Names and signed numbers stand in isolates where
the one or the other could turn the line around, and in a language from right to left every line
begins with a mark that says so, since a chat guesses the direction by the first letter.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from django.utils import timezone
from django.utils.translation import get_language_bidi, gettext, ngettext

from scoring.common import moments, words
from scoring.common.words import END, ISOLATE, isolated
from scoring.entry.presenters import explain
from scoring.ledger.queries.match_view import MatchView
from scoring.models import Match, MatchState
from scoring.models.days import zone_of
from scoring.rules.ranking import Side, TieBreak, sides

LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\u200e", "\u200f"


def result(view: MatchView, people: Sequence[tuple[str, int]], address: str) -> str:
    """Where and when, how far, who won, everybody by place. `people` are the points of each
    person where seats were changed; `address` is empty where it would open for nobody else."""
    names = view.called
    head = [title(view.match), played_on(view.match), *course(view)]
    blocks = [head, [*_verdict(view, names)], [*_places(view, names)], [*_each(people)]]
    start = RIGHT_TO_LEFT if get_language_bidi() else ""
    texts = ["\n".join(start + line for line in block) for block in blocks if block]
    return "\n\n".join([*texts, address] if address else texts)


def summary(view: MatchView) -> Iterator[str]:
    """The same in a few words, one behind the other."""
    names = view.called
    yield played_on(view.match)
    yield from course(view)
    if view.match.is_finished:
        yield from _won(view, names)
    yield from _places(view, names)


def signed(number: int | None) -> str:
    """Points with their sign in front of them in every direction; a dash for none."""
    if number is None:
        return "–"
    text = words.signed(number)
    return f"{ISOLATE}{LEFT_TO_RIGHT}{text}{END}" if get_language_bidi() else text


# ── where, when, how far ────────────────────────────────────────────────


def title(match: Match) -> str:
    """The club and the table, as far as the reader may know them."""
    names = [match.club.name if match.club and match.names_club else "", words.table(match)]
    return " · ".join(isolated(name) for name in names if name) or gettext("Our match")


def played_on(match: Match) -> str:
    """The day on the clock of the club, whoever asks from where."""
    with timezone.override(zone_of(match.club)):
        return moments.day(match.played_at)


def course(view: MatchView) -> Iterator[str]:
    """How far it is, what became of it, and what is under review."""
    state, deals = view.match.state, len(view.table.played)
    if state == MatchState.VOIDED:
        yield gettext("This match counts as not played.")
    if state in (MatchState.FINISHED, MatchState.VOIDED):
        yield ngettext("%(number)s deal", "%(number)s deals", deals) % {"number": deals}
    elif not deals:
        yield gettext("Not begun: no deal has been played yet.")
    else:
        yield _so_far(view)
    for number in view.reviews:
        yield gettext("Deal {number} is under review.").format(number=number)


def _so_far(view: MatchView) -> str:
    number = sum(not deal.is_extra for deal in view.table.played)
    if view.match.is_running:
        text = gettext("After deal {number} of {total}")
    else:
        text = gettext("Broken off after deal {number} of {total}. It counts nowhere.")
    return text.format(number=number, total=view.turn.deals_total)


# ── who stands where ────────────────────────────────────────────────────


def _verdict(view: MatchView, names: Sequence[str]) -> Iterator[str]:
    """The winners of a finished match, and what became of a tie."""
    if view.match.is_finished:
        yield from _won(view, names)
    if view.sheet.tie_break and view.match.state != MatchState.VOIDED:
        yield _tie(view, view.sheet.tie_break, names)
    if more := explain.extra_deal(view.sheet, view.ruleset):
        yield more


def _places(view: MatchView, names: Sequence[str]) -> Iterator[str]:
    """Everybody, the best first; partners together, then each."""
    sheet = view.sheet
    for side in sorted(sides(view.ruleset), key=lambda side: sheet.places[side[0]]):
        total = sum(sheet.totals[seat] for seat in side) if sheet.begun else None
        yield _placed(view, side, _line(_together(side, names), total))
        if len(side) > 1 and sheet.begun:
            members = [one for seat in side for one in view.shares[seat]]
            yield from (f"· {_line(isolated(one.name), one.points)}" for one in members)


def _won(view: MatchView, names: Sequence[str]) -> Iterator[str]:
    sheet = view.sheet
    first = [side for side in sides(view.ruleset) if side[0] in sheet.winners]
    text = gettext("Shared first place: {names}") if len(first) > 1 else gettext("Won by {names}")
    yield text.format(names=_listed(_together(side, view.holders) for side in first))
    others = [
        side
        for side in sides(view.ruleset)
        if side[0] in sheet.positives and side[0] not in sheet.winners
    ]
    if others:
        pairs = _listed(_together(side, view.holders) for side in others)
        yield f"{explain.also_won(view.ruleset)} {pairs}"


def _placed(view: MatchView, side: Side, line: str) -> str:
    """The line with the place in front, where there is one."""
    if not view.is_placed:
        return line
    return f"{words.PLACES[view.sheet.places[side[0]] - 1]} {line}"


def _tie(view: MatchView, broken: TieBreak, names: Sequence[str]) -> str:
    winners = view.sheet.winners
    text = explain.tie_sentence(broken, winners, closed=not view.match.is_running)
    return text.format(
        names=_sides(view, broken.seats, names),
        between=_sides(view, broken.contenders, names),
        first=_sides(view, winners, names),
        total=signed(broken.total),
    )


def _sides(view: MatchView, seats: Collection[int], names: Sequence[str]) -> str:
    """These seats in a sentence, partners as one."""
    own = (side for side in sides(view.ruleset) if side[0] in seats)
    return _listed(_together(side, names) for side in own)


def _each(people: Sequence[tuple[str, int]]) -> Iterator[str]:
    if people:
        yield gettext("Points of each person")
        yield from (_line(isolated(name), points) for name, points in people)


def _line(name: str, points: int | None) -> str:
    return gettext("{name}: {points}").format(name=name, points=signed(points))


def _together(side: Side, names: Sequence[str]) -> str:
    return " + ".join(isolated(names[seat]) for seat in side)


def _listed(parts: Iterable[str]) -> str:
    return gettext(", ").join(parts)
