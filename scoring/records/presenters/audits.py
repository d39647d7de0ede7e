"""An audit as a page shows it: entered and replayed numbers, first difference, breaches.

Finished words and numbers, so that a template chooses nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.common import words
from scoring.ledger.queries.verdicts import Audited
from scoring.models import Verdict
from scoring.records.presenters import breaches
from scoring.replay.audit import Comparison, Finding, known
from scoring.replay.breaches import STOPPING, Breach
from scoring.replay.play.revoking import Revoked, as_revoked
from scoring.replay.result import Ends

VERDICTS: dict[str, str | Promise] = {
    "agrees": gettext_lazy("Entry and cards agree."),
    "differs": gettext_lazy("Entry and cards differ."),
    "possible": gettext_lazy("The record leaves something open. The entry may be right."),
    "impossible": gettext_lazy("The record leaves something open, but this entry cannot be right."),
    "no_entry": gettext_lazy("Nothing is entered for this deal yet."),
    "proves_nothing": gettext_lazy("This record proves nothing."),
}

ONCE = ("king", "last_trick", "fifty_one")
"""Items that one seat has and the others have not."""


CODES: dict[str, str | Promise] = {
    "bad_hands": gettext_lazy("impossible hands"),
    "double_not_held": gettext_lazy("double of a card not held"),
    "out_of_turn": gettext_lazy("played out of turn"),
    "already_played": gettext_lazy("a card played twice"),
    "not_held": gettext_lazy("a card not held"),
    "revoke": gettext_lazy("revoke"),
    "heart_lead": gettext_lazy("forbidden heart lead"),
    "must_dump": gettext_lazy("a card that had to be thrown"),
    "lead_not_highest": gettext_lazy("opening card not the highest"),
    "not_adjacent": gettext_lazy("a card that fits nowhere"),
    "pass_when_able": gettext_lazy("forbidden pass"),
    "unfinished": gettext_lazy("not complete"),
    "wrong_claim": gettext_lazy("wrong points in the record"),
    "other_contract": gettext_lazy("another contract"),
    "other_dealer": gettext_lazy("another dealer"),
    "other_chooser": gettext_lazy("another chooser"),
    "other_forced": gettext_lazy("forced or not"),
    "number_differs": gettext_lazy("another number"),
    "taker_differs": gettext_lazy("another taker"),
    "double_not_entered": gettext_lazy("double not entered"),
    "double_not_recorded": gettext_lazy("double not recorded"),
    "revoke_not_entered": gettext_lazy("revoke not entered"),
    "revoke_not_recorded": gettext_lazy("revoke not recorded"),
    "not_together": gettext_lazy("numbers that exclude each other"),
    "contradiction": gettext_lazy("contradicts itself"),
}
"""Everything an audit may say, in a few words each, for lists."""


def code_words(code: str) -> str:
    return str(CODES.get(code, code))


def row_words(verdict: Verdict) -> tuple[str, str]:
    """What is kept of an audit: a key of `VERDICTS` and its sentence."""
    if verdict.agrees is None:
        key = "no_entry"
    elif verdict.agrees:
        key = "agrees" if verdict.complete else "possible"
    else:
        key = "differs" if verdict.complete else "impossible"
    return key, str(VERDICTS[key])


@dataclass(frozen=True)
class Said:
    """One thing that is said, and the play and trick where it shows (None: nowhere)."""

    code: str
    text: SafeString
    play: int | None = None
    trick: int | None = None
    ends: bool = False

    @property
    def trick_number(self) -> int | None:
        """As people count."""
        return None if self.trick is None else self.trick + 1

    @property
    def shown(self) -> int | None:
        """For the address of the viewer: `?play=`."""
        return None if self.play is None else self.play + 1


@dataclass(frozen=True)
class Cell:
    """One seat of an item: what was entered, what the cards say, whether both can be."""

    entered: str
    found: str
    differs: bool
    is_open: bool


@dataclass(frozen=True)
class Row:
    """One item by seat."""

    item: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Scores:
    """Points of the entry beside those of the cards; `first` is the seat where they first part."""

    entered: tuple[int, ...] | None
    found: tuple[int, ...] | None

    @property
    def first(self) -> int | None:
        if self.entered is None or self.found is None:
            return None
        pairs = enumerate(zip(self.entered, self.found, strict=True))
        return next((seat for seat, (entered, found) in pairs if entered != found), None)


@dataclass(frozen=True)
class AuditWords:
    """The audit of a record for people called `names`."""

    audited: Audited
    names: Sequence[str]

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`."""
        found, report = self.audited.replay, self.audited.report
        if found.tally is None or (not found.complete and found.bounds is None):
            return "proves_nothing"
        if report.agrees is None:
            return "no_entry"
        if found.complete:
            return "agrees" if report.agrees else "differs"
        if report.possible is False:
            return "impossible"
        return "possible" if report.agrees else "differs"

    @property
    def verdict_words(self) -> str:
        return str(VERDICTS[self.verdict])

    @property
    def tone(self) -> str:
        """How loudly it is said."""
        return "error" if self.verdict in ("differs", "impossible") else ""

    @property
    def shorts(self) -> list[str]:
        return words.first_names(self.names)

    @cached_property
    def findings(self) -> tuple[Said, ...]:
        """Where record and entry part; the first is the first that shows."""
        return tuple(self._finding(each) for each in self.audited.report.findings)

    @cached_property
    def breaches(self) -> tuple[Said, ...]:
        """What was against the rules of play."""
        found = self.audited.replay.breaches
        return tuple(self._breach(each) for each in found if each.code != "unfinished")

    @property
    def unfinished(self) -> Said | None:
        """That the record ends too early, which is no fault of anybody at the table."""
        found = self.audited.replay.breaches
        return next((self._breach(each) for each in found if each.code == "unfinished"), None)

    @property
    def scores(self) -> Scores:
        worth = self.audited.points
        return Scores(worth.scores if worth else None, self.audited.replay.scores)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """By item; without an entry to compare what the cards say alone."""
        comparisons = [each for own in self.audited.report.comparisons for each in own]
        if comparisons:
            return tuple(_compared(comparisons))
        return tuple(Row(item, _cells(item, ends)) for item, ends in self._known.items())

    @property
    def is_open(self) -> bool:
        """Whether a number may be more than one thing."""
        return any(cell.is_open for row in self.rows for cell in row.cells)

    @property
    def is_wide(self) -> bool:
        """Whether what is open may be less open than it looks."""
        return self.is_open and self.audited.replay.exact is False

    @property
    def has_entry(self) -> bool:
        return bool(self.audited.report.comparisons and self.audited.report.comparisons[0])

    @cached_property
    def revoked(self) -> Revoked | None:
        """What the rule of this match makes of the first revoke."""
        found = self.audited
        return as_revoked(found.framed, found.replay, found.ruleset)

    @property
    def revoke_words(self) -> SafeString | None:
        """The rule in words; None where nobody revoked, or not enough is known to apply it."""
        revoke = next((b for b in self.audited.replay.breaches if b.code == "revoke"), None)
        if revoke is None:
            return None
        rule = self.audited.ruleset.revoke
        if rule == "off":
            return format_html("{}", _("The rules of this match have no penalty for a revoke."))
        if self.revoked is None:
            return None
        text = {
            "remaining": _("What was taken before trick {trick} stays, {name} takes all the rest:"),
            "total": _("{name} takes everything of the deal (revoke in trick {trick}):"),
        }[rule]
        name = words.person(self.names[self.revoked.breach.seat or 0])
        return format_html(text, name=name, trick=(revoke.trick or 0) + 1)

    @property
    def _known(self) -> dict[str, Ends]:
        found = self.audited
        if found.replay.tally is None:
            return {}
        return dict(known(found.framed, found.replay, found.ruleset) or {})

    def _finding(self, found: Finding) -> Said:
        if found.code == "other_contract":
            assert self.audited.record.contract is not None
            assert self.audited.entry is not None
            recorded, entered = self.audited.record.contract.key, self.audited.entry.contract.key
            return Said(found.code, breaches.other_contract(recorded, entered))
        text = breaches.finding(found, self.names)
        return Said(found.code, text, found.play, found.trick)

    def _breach(self, found: Breach) -> Said:
        text = breaches.breach(found, self.names)
        return Said(found.code, text, found.play, found.trick, found.code in STOPPING)


def _compared(comparisons: Sequence[Comparison]) -> Iterator[Row]:
    """Four comparisons are an item."""
    for item in dict.fromkeys(each.item for each in comparisons):
        own = [each for each in comparisons if each.item == item]
        yield Row(item, tuple(_cell(each) for each in own))


def _cell(each: Comparison) -> Cell:
    return Cell(
        entered=_number(each.item, each.entered),
        found=_ends(each.item, each.least, each.most),
        differs=each.differs,
        is_open=each.least != each.most,
    )


def _cells(item: str, ends: Ends) -> tuple[Cell, ...]:
    return tuple(Cell("", _ends(item, *own), False, own[0] != own[1]) for own in ends)


def _ends(item: str, least: int, most: int) -> str:
    if least == most:
        return _number(item, least)
    return "?" if item in ONCE else f"{_number(item, least)}–{_number(item, most)}"


def _number(item: str, number: int) -> str:
    """A place, a count, or a tick for what there is once."""
    if item == "trex":
        return str(words.PLACES[number - 1])
    if item in ONCE:
        return "✓" if number else "–"
    return str(number)
