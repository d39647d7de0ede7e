"""The audit of a card record on a page: verdict, differences from the entry, breaches of the rules.

Also a table of entered against replayed numbers by item and seat.
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
from scoring.records.presenters import audit_sentences
from scoring.replay.audit import Comparison, Finding, FindingCode, known
from scoring.replay.breaches import STOPPING, Breach, BreachCode
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

SINGLE_ITEMS = ("king", "last_trick", "fifty_one")
"""Items that exactly one seat can have."""

CODE_LABELS: dict[str, str | Promise] = {
    BreachCode.BAD_HANDS: gettext_lazy("impossible hands"),
    BreachCode.DOUBLE_NOT_HELD: gettext_lazy("double of a card not held"),
    BreachCode.OUT_OF_TURN: gettext_lazy("played out of turn"),
    BreachCode.ALREADY_PLAYED: gettext_lazy("a card played twice"),
    BreachCode.NOT_HELD: gettext_lazy("a card not held"),
    BreachCode.REVOKE: gettext_lazy(BreachCode.REVOKE),
    BreachCode.HEART_LEAD: gettext_lazy("forbidden heart lead"),
    BreachCode.MUST_DUMP: gettext_lazy("a card that had to be thrown"),
    BreachCode.LEAD_NOT_HIGHEST: gettext_lazy("opening card not the highest"),
    BreachCode.NOT_ADJACENT: gettext_lazy("a card that fits nowhere"),
    BreachCode.PASS_WHEN_ABLE: gettext_lazy("forbidden pass"),
    BreachCode.UNFINISHED: gettext_lazy("not complete"),
    "wrong_claim": gettext_lazy("wrong points in the record"),
    FindingCode.OTHER_CONTRACT: gettext_lazy("another contract"),
    FindingCode.OTHER_DEALER: gettext_lazy("another dealer"),
    FindingCode.OTHER_CHOOSER: gettext_lazy("another chooser"),
    FindingCode.OTHER_FORCED: gettext_lazy("forced or not"),
    FindingCode.NUMBER_DIFFERS: gettext_lazy("another number"),
    FindingCode.TAKER_DIFFERS: gettext_lazy("another taker"),
    FindingCode.DOUBLE_NOT_ENTERED: gettext_lazy("double not entered"),
    FindingCode.DOUBLE_NOT_RECORDED: gettext_lazy("double not recorded"),
    FindingCode.REVOKE_NOT_ENTERED: gettext_lazy("revoke not entered"),
    FindingCode.REVOKE_NOT_RECORDED: gettext_lazy("revoke not recorded"),
    FindingCode.NOT_TOGETHER: gettext_lazy("numbers that exclude each other"),
    FindingCode.CONTRADICTION: gettext_lazy("contradicts itself"),
}
"""Short labels of all codes of breaches and findings, for lists."""


def code_label(code: str) -> str:
    return str(CODE_LABELS.get(code, code))


def verdict_of_row(verdict: Verdict) -> tuple[str, str]:
    """Return the key in `VERDICTS` and the sentence of a stored verdict."""
    if verdict.agrees is None:
        key = "no_entry"
    elif verdict.agrees:
        key = "agrees" if verdict.complete else "possible"
    else:
        key = "differs" if verdict.complete else "impossible"
    return key, str(VERDICTS[key])


@dataclass(frozen=True)
class AuditSentence:
    """A finding or breach in words, with the play and trick where it shows, counted from 0.

    `ends`: the replay stops before this play."""

    code: str
    text: SafeString
    play: int | None = None
    trick: int | None = None
    ends: bool = False

    @property
    def trick_number(self) -> int | None:
        """Number of the trick counted from 1."""
        return None if self.trick is None else self.trick + 1

    @property
    def shown(self) -> int | None:
        """Number of plays to show for it: `?play=` of the replay page."""
        return None if self.play is None else self.play + 1


@dataclass(frozen=True)
class ItemCell:
    """An item of one seat: as entered, by the cards, and whether the two exclude each other."""

    entered: str
    found: str
    differs: bool
    is_open: bool


@dataclass(frozen=True)
class ItemRow:
    """An item of all four seats."""

    item: str
    cells: tuple[ItemCell, ...]


@dataclass(frozen=True)
class AuditPoints:
    """Points of a deal by its entry and by its cards."""

    entered: tuple[int, ...] | None
    found: tuple[int, ...] | None

    @property
    def first_difference(self) -> int | None:
        if self.entered is None or self.found is None:
            return None
        pairs = enumerate(zip(self.entered, self.found, strict=True))
        return next((seat for seat, (entered, found) in pairs if entered != found), None)


@dataclass(frozen=True)
class AuditSummary:
    """The audit of a card record, with the names of the four players."""

    audited: Audited
    names: Sequence[str]

    @property
    def verdict(self) -> str:
        """Key in `VERDICTS`."""
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
        """CSS class of the verdict."""
        return "error" if self.verdict in ("differs", "impossible") else ""

    @property
    def shorts(self) -> list[str]:
        return words.first_names(self.names)

    @cached_property
    def findings(self) -> tuple[AuditSentence, ...]:
        """Differences between record and entry, in the order in which they show."""
        return tuple(self._finding(each) for each in self.audited.report.findings)

    @cached_property
    def breaches(self) -> tuple[AuditSentence, ...]:
        """Breaches of the rules of play, without `unfinished`."""
        found = self.audited.replay.breaches
        return tuple(self._breach(each) for each in found if each.code != BreachCode.UNFINISHED)

    @property
    def unfinished(self) -> AuditSentence | None:
        """The note that the record is incomplete, which is no breach by a player."""
        found = self.audited.replay.breaches
        return next(
            (self._breach(each) for each in found if each.code == BreachCode.UNFINISHED), None
        )

    @property
    def scores(self) -> AuditPoints:
        worth = self.audited.points
        return AuditPoints(worth.scores if worth else None, self.audited.replay.scores)

    @cached_property
    def rows(self) -> tuple[ItemRow, ...]:
        """Rows of the table; without an entry only what the cards say."""
        comparisons = [each for own in self.audited.report.comparisons for each in own]
        if comparisons:
            return tuple(_compared_rows(comparisons))
        return tuple(ItemRow(item, _card_cells(item, ends)) for item, ends in self._known.items())

    @property
    def is_open(self) -> bool:
        """Whether the record leaves any number open."""
        return any(cell.is_open for row in self.rows for cell in row.cells)

    @property
    def is_wide(self) -> bool:
        """Whether the real range of an open number may be narrower than shown."""
        return self.is_open and self.audited.replay.exact is False

    @property
    def has_entry(self) -> bool:
        return bool(self.audited.report.comparisons and self.audited.report.comparisons[0])

    @cached_property
    def revoked(self) -> Revoked | None:
        """The entry and points that the revoke rule of the match makes of the first revoke."""
        found = self.audited
        return as_revoked(found.framed, found.replay, found.ruleset)

    @property
    def revoke_words(self) -> SafeString | None:
        """The revoke rule in words; None without a revoke or if too little is known to apply it."""
        revoke = next(
            (b for b in self.audited.replay.breaches if b.code == BreachCode.REVOKE), None
        )
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

    def _finding(self, found: Finding) -> AuditSentence:
        if found.code == FindingCode.OTHER_CONTRACT:
            assert self.audited.record.contract is not None
            assert self.audited.entry is not None
            recorded, entered = self.audited.record.contract.key, self.audited.entry.contract.key
            return AuditSentence(
                found.code, audit_sentences.other_contract_sentence(recorded, entered)
            )
        text = audit_sentences.finding_sentence(found, self.names)
        return AuditSentence(found.code, text, found.play, found.trick)

    def _breach(self, found: Breach) -> AuditSentence:
        text = audit_sentences.breach_sentence(found, self.names)
        return AuditSentence(found.code, text, found.play, found.trick, found.code in STOPPING)


def _compared_rows(comparisons: Sequence[Comparison]) -> Iterator[ItemRow]:
    """Yield a row for each item, from its four comparisons."""
    for item in dict.fromkeys(each.item for each in comparisons):
        own = [each for each in comparisons if each.item == item]
        yield ItemRow(item, tuple(_compared_cell(each) for each in own))


def _compared_cell(each: Comparison) -> ItemCell:
    return ItemCell(
        entered=_figure(each.item, each.entered),
        found=_range(each.item, each.least, each.most),
        differs=each.differs,
        is_open=each.least != each.most,
    )


def _card_cells(item: str, ends: Ends) -> tuple[ItemCell, ...]:
    return tuple(ItemCell("", _range(item, *own), False, own[0] != own[1]) for own in ends)


def _range(item: str, least: int, most: int) -> str:
    if least == most:
        return _figure(item, least)
    return "?" if item in SINGLE_ITEMS else f"{_figure(item, least)}–{_figure(item, most)}"


def _figure(item: str, number: int) -> str:
    """Return a place, a count, or a tick for an item of one seat."""
    if item == "trex":
        return str(words.PLACES[number - 1])
    if item in SINGLE_ITEMS:
        return "✓" if number else "–"
    return str(number)
