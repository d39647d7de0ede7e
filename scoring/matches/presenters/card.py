"""The result as a picture for a chat: what stands on the card, and the card drawn.

A card holds finished words and numbers. Two that are equal are the same picture, so the card itself
is what a drawn one is known by.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import get_language_bidi

from scoring import charts
from scoring.charts import Curve, LineChart
from scoring.common import words
from scoring.ledger.queries.match_view import MatchView, PersonAtSeat
from scoring.lettering import END, FROM_RIGHT, OWN_WAY, Fitted, fit, png
from scoring.matches.presenters import share
from scoring.pictures import HEIGHT, WIDTH
from scoring.rules.ranking import Side, sides
from scoring.rules.statistics import match_statistics

TEMPLATE = "pictures/result.svg"

# The margin holds the crown; beside it place, mark and name, the totals at the other end.
MARGIN, PLACE, MARK, NAME, EDGE = 80, 104, 212, 296, 48
POINTS, OF_TEAM = 170, 180
FIRST_ROW, ROW = 238, 66
CURVES = (WIDTH - MARGIN - EDGE, 150)
CUT_LINE = 820
"""How much room the lines under the title have beside the name of the product."""


@dataclass(frozen=True)
class CardPerson:
    """One line: the place where there is one, and what this person has (None: nothing yet)."""

    place: str
    name: str
    total: int | None
    won: bool


@dataclass(frozen=True)
class CardGroup:
    """One person, or partners with what they have together; `key` is that of their curve."""

    key: int
    people: tuple[CardPerson, ...]
    total: int | None


@dataclass(frozen=True)
class ShareCard:
    """A match as everybody may see it. `curves`: the totals of each side from the start on, none
    before the first deal."""

    title: str
    about: str
    notes: str
    groups: tuple[CardGroup, ...]
    curves: tuple[tuple[int, ...], ...]
    from_right: bool


def card(view: MatchView) -> ShareCard:
    """What everybody may see of it, in the language of the moment. No query where nothing is under
    review."""
    view = view.public
    course = list(share.course(view))
    curves = match_statistics.curve(view.ruleset, view.sheet)
    return ShareCard(
        title=share.title(view.match),
        about=" · ".join((share.played_on(view.match), *course[:1])),
        notes=" ".join(course[1:]),
        groups=tuple(_groups(view)),
        curves=curves if len(curves[0]) > 1 else (),
        from_right=get_language_bidi(),
    )


def _groups(view: MatchView) -> list[CardGroup]:
    """The best first, as the text of the result has them."""
    totals, begun = view.sheet.totals, view.sheet.begun
    known = [
        CardGroup(key, _people(view, side), sum(totals[seat] for seat in side) if begun else None)
        for key, side in enumerate(sides(view.ruleset))
    ]
    first = [view.sheet.places[side[0]] for side in sides(view.ruleset)]
    return sorted(known, key=lambda group: first[group.key])


def _people(view: MatchView, side: Side) -> tuple[CardPerson, ...]:
    sheet, match = view.sheet, view.match
    return tuple(
        CardPerson(
            place=str(words.PLACES[sheet.places[seat] - 1]) if view.is_placed else "",
            name=_name(view.shares[seat]),
            total=sheet.totals[seat] if sheet.begun else None,
            won=match.is_finished and seat in sheet.leaders,
        )
        for seat in side
    )


def _name(people: Sequence[PersonAtSeat]) -> str:
    """Whoever played at the seat; each with their own points where there were several (C75)."""
    if len(people) == 1:
        return people[0].name
    return " / ".join(f"{one.name} {share.signed(one.points)}" for one in people)


# ── drawn ───────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class CardTotal:
    """A total as it is read."""

    said: str
    is_minus: bool


@dataclass(frozen=True)
class DrawnLine:
    """A person at their height; the sign of their curve, and what partners have together, stand
    only with the first of a group, `middle` of its lines."""

    y: int
    place: Fitted | None
    name: Fitted
    total: CardTotal
    won: bool
    curve: Curve | None
    team: CardTotal | None
    middle: int

    @property
    def marks(self) -> tuple[str, ...]:
        return (self.curve.sample,) if self.curve else ()


@dataclass(frozen=True)
class CardColumns:
    """Where things begin, and which way they grow: as people read."""

    from_right: bool

    def near(self, distance: int) -> int:
        return WIDTH - distance if self.from_right else distance

    @property
    def crown(self) -> int:
        return self.near(MARGIN // 2)

    @property
    def margin(self) -> int:
        return self.near(MARGIN)

    @property
    def place(self) -> int:
        return self.near(PLACE)

    @property
    def mark(self) -> int:
        """The left edge of the mark, which has no direction."""
        return self.near(MARK) - (64 if self.from_right else 0)

    @property
    def name(self) -> int:
        return self.near(NAME)

    @property
    def team(self) -> int:
        return self.near(WIDTH - EDGE)

    @property
    def start(self) -> str:
        return "end" if self.from_right else "start"

    @property
    def end(self) -> str:
        return "start" if self.from_right else "end"

    def points(self, in_teams: bool) -> int:
        return self.near(WIDTH - EDGE - (OF_TEAM if in_teams else 0))


def drawn(shown: ShareCard) -> bytes:
    """The card as a PNG."""
    return png(render_to_string(TEMPLATE, layout(shown)))


def layout(shown: ShareCard) -> dict[str, object]:
    """Everything at its place."""
    columns, in_teams = CardColumns(shown.from_right), len(shown.groups) < 4
    plot = _plot(shown.curves)
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "columns": columns,
        "points_at": columns.points(in_teams),
        "title": _line(shown.title, (48, 40, 34, 28), WIDTH - MARGIN - 2 * EDGE, shown, bold=True),
        "about": _line(shown.about, (28, 24, 20), CUT_LINE, shown),
        "notes": _line(shown.notes, (26, 22, 20), WIDTH - MARGIN - 2 * EDGE, shown),
        "lines": _lines(shown, in_teams, plot.curves if plot else ()),
        "plot": plot,
        "plot_x": EDGE if shown.from_right else MARGIN,
    }


def _line(
    text: str, sizes: Sequence[int], room: int, shown: ShareCard, *, bold: bool = False
) -> Fitted:
    """One line in the direction of the language."""
    way = FROM_RIGHT if shown.from_right else OWN_WAY
    return fit([f"{way}{text}{END}"], room, sizes, bold=bold)[0]


def _plot(curves: tuple[tuple[int, ...], ...]) -> LineChart | None:
    if not curves:
        return None
    steps = [""] * len(curves[0])
    return charts.line([("", values) for values in curves], steps, size=CURVES)


def _lines(shown: ShareCard, in_teams: bool, curves: Sequence[Curve]) -> list[DrawnLine]:
    """Every person a line, the groups one below the other."""
    people = [person for group in shown.groups for person in group.people]
    room = WIDTH - NAME - EDGE - POINTS - (OF_TEAM if in_teams else 0)
    names = fit(
        [f"{OWN_WAY}{one.name}{END}" for one in people], room, (38, 34, 30, 26, 22), bold=True
    )
    places = fit([one.place or " " for one in people], MARK - PLACE - 12, (30, 26, 22))
    found: list[DrawnLine] = []
    for group in shown.groups:
        for number, person in enumerate(group.people):
            at, first = len(found), number == 0
            y = FIRST_ROW + at * ROW
            found.append(
                DrawnLine(
                    y=y,
                    place=places[at] if first and person.place else None,
                    name=names[at],
                    total=_points(person.total),
                    won=person.won,
                    curve=curves[group.key] if first and curves else None,
                    team=_points(group.total) if first and in_teams else None,
                    middle=y + ROW * (len(group.people) - 1) // 2,
                )
            )
    return found


def _points(total: int | None) -> CardTotal:
    return CardTotal("–" if total is None else words.signed(total), total is not None and total < 0)
