"""A paper sheet typed in: the rules, four names, a line a deal, the totals as written.

Nothing of it is kept. What was typed is drawn again as it was, with what is wrong at its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, cast

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.common import words
from scoring.common.form_fields import NameField
from scoring.common.numbers import Cells, cells, is_blank, read, whole
from scoring.finder import (
    Change,
    Effort,
    Enough,
    PossibleFacts,
    WrittenLine,
    WrittenSheet,
    WrittenTotal,
)
from scoring.house_rules.presenters.presets import preset_field, rules_choices
from scoring.models import HouseRules
from scoring.paper.forms.pasting import LONGEST_TEXT, PastedSheet, pasted
from scoring.rules import Contract, Ruleset
from scoring.rules.ranking import Four
from scoring.rules.rulesets.offers import any_offer
from scoring.rules.seats import SEATS

FIRST_LINES, MORE_LINES, MOST_LINES = 5, 5, 40
MOST_TRIES = 1_500_000
"""Whole evenings of every preset without a contract need fewer; dozens of combined deals more."""
NOTED = re.compile(r"((?:contract|chooser)\.\d{1,2})=([a-z_+]{1,60}|[0-3])")
RUNNING, SINCE = "running", "since"
MENDED = re.compile(r"((?:line|under)\.\d{1,2}\.[0-3]|total\.[0-3])=(-?)(\d{1,5})(?!\d)")

type Raw = Mapping[str, str]


class SheetForm(forms.Form):
    """The rules and the people. Names may be left out."""

    preset = preset_field()
    name0 = NameField(label=_("Player 1"), required=False)
    name1 = NameField(label=_("Player 2"), required=False)
    name2 = NameField(label=_("Player 3"), required=False)
    name3 = NameField(label=_("Player 4"), required=False)

    def __init__(self, *args: Any, sets: Sequence[HouseRules] = (), **kwargs: Any) -> None:
        """`sets`: the rules of clubs that may be chosen beside the presets."""
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["preset"]).choices = rules_choices(sets)

    def names(self) -> list[forms.BoundField]:
        """The four name fields in seat order."""
        return [self[f"name{seat}"] for seat in SEATS]

    def called(self) -> list[str]:
        """What the four are called: by number where nothing was typed."""
        typed = [str(field.value() or "").strip() for field in self.names()]
        return [name or str(self.fields[f"name{seat}"].label) for seat, name in enumerate(typed)]


@dataclass(frozen=True)
class PaperLine:
    """One line as typed: what was played and who chose, if it was said; the points; the total
    under it. `wrong`: the contract is none of these rules."""

    number: int
    contract: str
    chooser: str
    cells: Cells
    totals: Cells
    wrong: bool

    @property
    def is_blank(self) -> bool:
        return is_blank(self.cells)

    @property
    def is_wrong(self) -> bool:
        return self.wrong or any(cell.wrong for cell in (*self.cells, *self.totals))


class PaperSheet:
    """The whole sheet as typed, under the rules that were chosen."""

    def __init__(self, raw: Raw, ruleset: Ruleset) -> None:
        self.raw = raw
        self.ruleset = ruleset
        self.facts = PossibleFacts(ruleset, Effort(MOST_TRIES))

    @cached_property
    def contracts(self) -> list[tuple[str, str]]:
        """What may have been played, by key, with its words."""
        return [(each.key, words.contract(each.key)) for each in any_offer(self.ruleset)]

    @property
    def asks_chooser(self) -> bool:
        """Whether it matters who chose."""
        return self.ruleset.chooser_factor != 1

    @property
    def kind(self) -> str:
        """What the totals between the lines add up: all above, or all since the last of them."""
        return SINCE if self.raw.get("kind") == SINCE else RUNNING

    @cached_property
    def count(self) -> int:
        """How many lines are drawn."""
        asked = whole(self.raw.get("lines", ""))
        return min(max(asked if isinstance(asked, int) else FIRST_LINES, 1), MOST_LINES)

    @cached_property
    def lines(self) -> list[PaperLine]:
        return [self._line(number) for number in range(1, self.count + 1)]

    def _line(self, number: int) -> PaperLine:
        contract = self.raw.get(f"contract.{number}", "")
        return PaperLine(
            number,
            contract,
            self.raw.get(f"chooser.{number}", ""),
            cells(f"line.{number}", self.raw),
            cells(f"under.{number}", self.raw),
            wrong=bool(contract) and contract not in dict(self.contracts),
        )

    @cached_property
    def totals(self) -> Cells:
        """The totals of the whole."""
        return cells("total", self.raw)

    @property
    def is_wrong(self) -> bool:
        """Something typed cannot be read."""
        return any(line.is_wrong for line in self.lines) or any(cell.wrong for cell in self.totals)

    @cached_property
    def filled(self) -> list[PaperLine]:
        """The lines in which something stands."""
        return [line for line in self.lines if not line.is_blank]

    @cached_property
    def written(self) -> list[WrittenLine]:
        """Those lines for the finder. Only when nothing is wrong; an empty number is none."""
        return [self._written(line) for line in self.filled]

    def _written(self, line: PaperLine) -> WrittenLine:
        """With the signs that were chosen, else those that are usual: a penalty's, or where only
        that can be, those of Trex."""
        contract = Contract.from_key(line.contract) if line.contract else None
        chooser = whole(line.chooser) if self.asks_chooser else None
        seat = chooser if isinstance(chooser, int) and chooser in SEATS else None
        as_penalty = WrittenLine(_signed(line.cells, self._penalty), contract, seat)
        as_trex = WrittenLine(_signed(line.cells, self._trex), contract, seat)
        if contract:
            return as_trex if contract.special == "trex" else as_penalty
        return as_trex if self._is_only(as_trex, as_penalty) else as_penalty

    def _is_only(self, one: WrittenLine, other: WrittenLine) -> bool:
        """Whether the line can be this one and not the other, as far as there is time to look."""
        try:
            return not self.facts.is_possible(other) and self.facts.is_possible(one)
        except Enough:
            return False

    def _penalty(self, number: int) -> int:
        return self.ruleset.sign * number

    def _trex(self, number: int) -> int:
        return number if max(self.ruleset.trex_values) > 0 else -number

    @cached_property
    def sheet(self) -> WrittenSheet:
        """The sheet for the finder. Only when nothing is wrong."""
        return WrittenSheet(self.written, tuple(self._totals()))

    def _totals(self) -> Iterator[WrittenTotal]:
        start = 0
        for place, line in enumerate(self.filled):
            if not is_blank(line.totals):
                if self.kind == SINCE:
                    yield self._total("kingdom", range(start, place + 1), line.totals)
                else:
                    yield self._total("running", range(place + 1), line.totals)
                start = place + 1
        if not is_blank(self.totals):
            yield self._total("match", range(len(self.filled)), self.totals)

    def _total(
        self, kind: Literal["running", "kingdom", "match"], rows: range, four: Cells
    ) -> WrittenTotal:
        """A total whose sign nobody chose has that of its lines."""
        points: list[int | None] = []
        for seat, cell in enumerate(four):
            summed = sum(self.written[row].points[seat] for row in rows)
            turns = cell.value is not None and not cell.sign and summed < 0
            points.append(-cell.value if turns and cell.value else cell.value)
        return WrittenTotal(kind, tuple(rows), (points[0], points[1], points[2], points[3]))

    def total_label(self, place: int) -> str:
        """What a written total is called in a sentence."""
        total = self.sheet.totals[place]
        if total.kind == "match":
            return gettext("Total of the match")
        number = self.filled[total.rows[-1]].number
        return gettext("Total under line {number}").format(number=number)

    # -- one change, made in what was typed

    def mending(self, change: Change) -> str:
        """The fields that this change would have otherwise, for `mended`."""
        if change.row is not None and change.frame:
            number = self.filled[change.row].number
            contract, chooser = change.frame.get("contract"), change.frame.get("chooser")
            return (
                f"contract.{number}={contract.key}" if contract else f"chooser.{number}={chooser}"
            )
        if change.row is not None:
            name = f"line.{self.filled[change.row].number}"
            found = {f"{name}.{seat}": change.after[seat] for seat in SEATS}
        else:
            found = dict(self._mended_totals(change))
        return " ".join(f"{name}={number or 0}" for name, number in found.items())

    def _mended_totals(self, change: Change) -> Iterator[tuple[str, int]]:
        """The numbers of every total that the slip touches."""
        slip = change.slip
        assert slip
        places = [(place, 1) for place in slip.totals]
        places += [] if slip.other is None else [(slip.other, -1)]
        for place, times in places:
            total = self.sheet.totals[place]
            for seat in SEATS:
                number = total.points[seat]
                if number is not None and slip.by[seat]:
                    yield f"{self._total_name(total)}.{seat}", number - times * slip.by[seat]

    def _total_name(self, total: WrittenTotal) -> str:
        return "total" if total.kind == "match" else f"under.{self.filled[total.rows[-1]].number}"


def mended(raw: Raw, text: str) -> dict[str, str]:
    """The sheet as typed, with the numbers that a change of `PaperSheet.mending` would put."""
    found = dict(raw)
    for name, sign, number in MENDED.findall(text[:LONGEST_TEXT]):
        found |= {name: number, f"{name}.sign": sign or "+"}
    noted = NOTED.fullmatch(text[:LONGEST_TEXT])
    return found | ({noted[1]: noted[2]} if noted else {})


def _signed(typed: Cells, usual: Callable[[int], int]) -> Four:
    one, two, three, four = (
        (cell.value or 0) if cell.sign else usual(cell.value or 0) for cell in typed
    )
    return one, two, three, four


# -- taking in a table


def take_in(raw: Raw, text: str, ruleset: Ruleset) -> tuple[dict[str, str], PastedSheet, bool]:
    """The sheet with the lines of a pasted table behind its own; what was read; whether all of it
    fits. Nothing is taken in of a table that cannot be read whole."""
    paper = PaperSheet(raw, ruleset)
    found = pasted(text[:LONGEST_TEXT], [key for key, _words in paper.contracts])
    taken = {**raw}
    first = max((line.number for line in paper.filled), default=0) + 1
    last = first + len(found.lines) - 1
    fits = len(text) <= LONGEST_TEXT and last <= MOST_LINES
    if not fits or found.unread or not found.lines:
        return taken, found, fits
    sign = _usual_sign(found)
    for number, (contract, figures) in enumerate(found.lines, start=first):
        taken[f"contract.{number}"] = contract
        taken |= _typed(f"line.{number}", figures[:4], sign)
        taken |= _typed(f"under.{number}", figures[4:], sign)
    taken |= _typed("total", found.totals, sign)
    taken |= {f"name{seat}": name for seat, name in enumerate(found.names)}
    taken |= {"lines": str(max(paper.count, last)), "table": ""}
    return taken, found, fits


def _typed(name: str, figures: Sequence[str], sign: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for seat, figure in enumerate(figures):
        found |= {f"{name}.{seat}": figure, f"{name}.{seat}.sign": sign}
    return found


def _usual_sign(found: PastedSheet) -> str:
    """Where a table has a minus anywhere, what has none is plus."""
    figures = [figure for _contract, line in found.lines for figure in line] + found.totals
    return "+" if any(read(figure)[0] == "-" for figure in figures) else ""
