"""The form in which somebody else sits down: which seat, who, from which deal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.common import words
from scoring.common.form_errors import FieldErrors, field_errors
from scoring.common.numbers import whole_number
from scoring.models import Player, Seating
from scoring.rules import Problem, ProblemCode
from scoring.rules.seats import is_seat

FIELDS = {
    "seat": "seat",
    "person": "person",
    "name": "name",
    "from_deal": "from_deal",
    "reason": "reason",
    "players": "person",
    **{f"players.{seat}": "person" for seat in range(4)},
}


@dataclass
class SeatForm:
    """`newest` is the last deal from which somebody may sit down; it is meant where none is
    named."""

    newest: int
    raw: Mapping[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def seat(self) -> int | None:
        seat = whole_number(self.raw.get("seat", ""))
        return seat if is_seat(seat) else None

    @property
    def from_deal(self) -> int:
        number = whole_number(self.raw.get("from_deal", ""))
        return self.newest if number is None else number

    @property
    def person(self) -> UUID | None:
        try:
            return UUID(self.raw.get("person", ""))
        except ValueError:
            return None

    @property
    def name(self) -> str:
        return self.raw.get("name", "")

    def read(self, sitting: Sequence[Player]) -> list[UUID | str] | None:
        """The four as they would sit; whoever sits at the table already exchanges seats. None,
        with problems, where seat or person is not told."""
        who: UUID | str | None = self.person or self.name.strip() or None
        if self.seat is None:
            self.problems.append(Problem(ProblemCode.MISSING, "seat"))
        if who is None:
            self.problems.append(Problem(ProblemCode.MISSING, "name"))
        if self.seat is None or who is None:
            return None
        players: list[UUID | str] = [player.id for player in sitting]
        if who in players:
            players[players.index(who)] = players[self.seat]
        players[self.seat] = who
        return players

    @property
    def said(self) -> FieldErrors:
        return field_errors(self.problems, FIELDS)


def sits_down(rows: Sequence[Seating], sitting: Sequence[Player]) -> list[SafeString]:
    """One sentence for each who sits down: "Elie sits down for Carmen"."""
    return [
        format_html(
            _("{name} sits down for {other}"),
            name=words.person(row.player.name),
            other=words.person(sitting[row.seat].name),
        )
        for row in rows
    ]
