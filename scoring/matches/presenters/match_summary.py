"""A match as a story, in words: who passed whom, what turned it, who lost it where, how long."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import charts
from scoring.common import words
from scoring.history.presenters.match_adjustments import ADJUSTMENTS
from scoring.ledger.queries.match_view import MatchView
from scoring.rules.ranking import Side, sides
from scoring.rules.scoresheet import ScoreRow
from scoring.rules.statistics import match_statistics
from scoring.rules.statistics.match_statistics import Extreme, Lead, Part


@dataclass(frozen=True)
class TurningPoint:
    """A line of the sheet that mattered: which, where it leads (None: no deal), and what it did."""

    number: int | None
    what: str
    text: SafeString


@dataclass(frozen=True)
class SummaryCell:
    """What a part of the match brought to one; `worst`: of all parts it cost them most."""

    points: int | None
    worst: bool
    best: bool


@dataclass(frozen=True)
class Costs:
    """A line for each part of the match, a cell for each person."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[SummaryCell, ...]], ...]


@dataclass(frozen=True)
class MatchStory:
    """A match to be told. No query."""

    view: MatchView

    @cached_property
    def names(self) -> list[str]:
        """The four as they sit now, by their first names."""
        return words.first_names([each.name for each in self.view.seats])

    def side(self, side: Side, names: Sequence[str] | None = None) -> str:
        return " + ".join((names or self.names)[seat] for seat in side)

    @cached_property
    def leads(self) -> tuple[Lead, ...]:
        return match_statistics.leads(self.view.ruleset, self.view.sheet)

    @cached_property
    def passed(self) -> tuple[Lead, ...]:
        return match_statistics.lead_changes(self.leads)

    @cached_property
    def for_good(self) -> Lead | None:
        """Since when the winner was in front, of a match that is over."""
        over = self.view.match.is_finished
        return match_statistics.decisive_lead(self.leads, self.view.sheet.winners) if over else None

    # ── the curve ───────────────────────────────────────────────────────

    def curve(self) -> charts.LineChart:
        """The totals after every line of the sheet; where teams play, of the teams."""
        view = self.view
        lines = match_statistics.curve(view.ruleset, view.sheet)
        names = [self.side(side) for side in sides(view.ruleset)]
        steps = ["0", *(_step(row) for row in view.sheet.rows)]
        return charts.line(list(zip(names, lines, strict=True)), steps, say=_said)

    def curve_told(self) -> str:
        """What is seen in it, in a sentence."""
        text = ngettext(
            "The totals after each of {n} deal.", "The totals after each of {n} deals.", self.deals
        ).format(n=self.deals)
        return f"{text} {self.hands()}"

    @property
    def deals(self) -> int:
        return len(self.view.table.played)

    def hands(self) -> str:
        """How often the lead went from hand to hand."""
        times = max(len(self.passed) - 1, 0)
        if not self.passed:
            return _("Nobody was ever in front alone.")
        if not times:
            return _("The lead never changed hands.")
        return ngettext(
            "The lead changed hands {n} time.", "The lead changed hands {n} times.", times
        ).format(n=times)

    # ── what turned it ──────────────────────────────────────────────────

    def turns(self) -> list[TurningPoint]:
        """Each passing in order, and the deal in which most was at stake."""
        told = [_turn(lead.row, self._passing(lead)) for lead in self.passed]
        if self.for_good and not any(self._is_for_good(lead) for lead in self.passed):
            text = _("{name} is alone in front again and stays there to the end.")
            name = self._person(self.for_good.now[0], self.for_good.row)
            told.append(_turn(self.for_good.row, format_html(text, name=name)))
        most = match_statistics.swing(self.view.ruleset, self.view.sheet)
        if most:
            text = _("The biggest deal: {points} points between {best} and {worst}.")
            both = {
                "best": self._person(most.best, most.row),
                "worst": self._person(most.worst, most.row),
            }
            points = words.isolated_number(str(most.points))
            told.append(_turn(most.row, format_html(text, points=points, **both)))
        return told

    def _passing(self, lead: Lead) -> SafeString:
        name = self._person(lead.now[0], lead.row)
        if self._is_for_good(lead):
            text = _("{name} gets in front and stays there to the end.")
        elif lead.before:
            text = _("{name} gets in front, where {other} was.")
        else:
            text = _("{name} gets in front.")
        other = self._person(lead.before[0], lead.row) if lead.before else ""
        return format_html(text, name=name, other=other)

    def _is_for_good(self, lead: Lead) -> bool:
        """Whoever was passed once more, or caught up with, was not in front for good here."""
        return self.for_good is not None and lead.row is self.for_good.row

    def _person(self, side: Side, row: ScoreRow) -> SafeString:
        """Name those who sat there in this line of the sheet, not who sits there now."""
        return words.person(self.side(side, words.first_names(self.view.names_at(row.number))))

    # ── who lost it where ───────────────────────────────────────────────

    @cached_property
    def people(self) -> dict[Hashable, str]:
        """Everybody who sat here, in order of seats, by first name."""
        sat = [one for own in self.view.sittings for one in own]
        ids = list(dict.fromkeys(one.player_id for one in sat))
        names = words.first_names([self.view.people[one].name for one in ids])
        return dict(zip(ids, names, strict=True))

    def by_contract(self) -> Costs:
        return self._costs(
            match_statistics.contract_of, lambda key: words.contract(str(key), short=True)
        )

    def by_kingdom(self) -> Costs:
        return self._costs(match_statistics.kingdom_of(self.view.sheet), self._kingdom)

    def _kingdom(self, place: Hashable) -> str:
        kingdom = self.view.sheet.kingdoms[int(str(place))]
        if kingdom.chooser is None:
            return _("Round {number}").format(number=int(str(place)) + 1)
        return words.first_names(self.view.names_at(kingdom.rows[0].number))[kingdom.chooser]

    def _costs(self, part: Part, name: Callable[[Hashable], str]) -> Costs:
        view = self.view
        found = match_statistics.points_by_part(view.sheet, self._ids, part)
        parts = list(dict.fromkeys(each for own in found.values() for each in own))
        people = [one for one in self.people if one in found]
        ends = {
            one: (
                match_statistics.costliest_part(view.ruleset, found[one]),
                match_statistics.best_part(view.ruleset, found[one]),
            )
            for one in people
        }
        rows = [
            (name(each), tuple(_cell(found[one], each, *ends[one]) for one in people))
            for each in parts
        ]
        return Costs(tuple(self.people[one] for one in people), tuple(rows))

    def _ids(self, number: int) -> list[Hashable]:
        return [self.view.sat(seat, number).id for seat in range(4)]

    def told(self) -> Iterator[SafeString]:
        """A sentence for each person: which contract cost and which brought most."""
        found = match_statistics.points_by_part(
            self.view.sheet, self._ids, match_statistics.contract_of
        )
        for one, name in self.people.items():
            own = found.get(one, {})
            worst = match_statistics.costliest_part(self.view.ruleset, own)
            best = match_statistics.best_part(self.view.ruleset, own)
            if worst or best:
                yield _most(name, worst, best)

    # ── how long it took ────────────────────────────────────────────────

    def pace(self, entered: dict[int, datetime]) -> list[SafeString]:
        """How long the match took, as far as its entries tell."""
        numbers = [deal.deal_number for deal in self.view.table.played]
        found = match_statistics.pace(entered, numbers)
        if found is None:
            return []
        texts = {
            _("From the first entry to the last: {time}."): found.span,
            _("From one deal to the next, on average: {time}."): found.average,
        }
        told = [format_html(text, time=lasting(took)) for text, took in texts.items()]
        if found.slowest is None:
            return told
        slowest = _("The longest was deal {number}: {time}.")
        number, took = words.isolated_number(str(found.slowest)), lasting(found.slowest_took)
        return [*told, format_html(slowest, number=number, time=took)]


def lasting(time: timedelta) -> SafeString:
    """Two hours and five minutes; of less than ten minutes the seconds too, if there are any."""
    seconds = round(time.total_seconds())
    if seconds < 600 and seconds % 60:
        text, parts = _("{minutes} min {seconds} s"), {"minutes": 60, "seconds": 1}
    elif seconds < 3600:
        text, parts = _("{minutes} min"), {"minutes": 60}
    else:
        text, parts = _("{hours} h {minutes} min"), {"hours": 3600, "minutes": 60}
    numbers = {}
    for name, size in parts.items():
        numbers[name], seconds = divmod(seconds, size)
    return format_html(text, **numbers)


def _most(name: str, worst: Extreme | None, best: Extreme | None) -> SafeString:
    """What cost one most, and what brought most."""
    if worst and best:
        text = _("{name}: most lost in {dear} ({lost}), most won in {rich} ({won}).")
    elif worst:
        text = _("{name}: most lost in {dear} ({lost}), nothing won.")
    else:
        text = _("{name}: nothing lost, most won in {rich} ({won}).")
    return format_html(
        text,
        name=words.person(name),
        dear=words.contract(str(worst.part)) if worst else "",
        lost=words.isolated_number(words.signed(worst.points)) if worst else "",
        rich=words.contract(str(best.part)) if best else "",
        won=words.isolated_number(words.signed(best.points)) if best else "",
    )


def _cell(
    own: Mapping[Hashable, int], part: Hashable, worst: Extreme | None, best: Extreme | None
) -> SummaryCell:
    return SummaryCell(
        own.get(part),
        worst is not None and worst.part == part,
        best is not None and best.part == part,
    )


def _turn(row: ScoreRow, text: SafeString) -> TurningPoint:
    if row.played:
        return TurningPoint(row.number, words.contract(row.played.contract.key), text)
    if row.adjustment:
        kind = ADJUSTMENTS.get(row.adjustment.reason, "")
        return TurningPoint(None, str(kind), text)
    return TurningPoint(None, _("on paper"), text)


def _step(row: ScoreRow) -> str:
    """What a line of the sheet is called under the curve."""
    if row.paper:
        return f"{row.paper.still_open[0].deal_number}–{row.number}"
    return str(row.number) if row.deal else f"{row.number}±"


def _said(number: float) -> str:
    return words.signed(round(number))
