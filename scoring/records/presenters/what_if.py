"""What an incomplete card record allows and what a revoke cost, as sentences and rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.common import words
from scoring.ledger.queries.verdicts import Audited
from scoring.replay.partial.alternatives import Alternative, RevokeCost, SeatRange, revoke_cost
from scoring.replay.partial.completions import (
    MOST_WAYS,
    Checked,
    Claim,
    CompletionReason,
    WhatIf,
    claims_of,
)
from scoring.replay.what_if import SEED, allowed_by

REASONS: dict[str, str | Promise] = {
    "taken": gettext_lazy("{name} took {card} in trick {trick}."),
    "lies_before": gettext_lazy("{card} lies in front of {name}."),
    "already": gettext_lazy("{name} had {things} after trick {trick}."),
    "too_few_left": gettext_lazy("{name} can have {things} at most."),
    "no_way": gettext_lazy("No legal way to finish the deal leads to this."),
}
POSSIBLE: dict[bool | None, str | Promise] = {
    True: gettext_lazy("Possible"),
    False: gettext_lazy("Impossible"),
    None: gettext_lazy("Not known"),
}


class ClaimLine(NamedTuple):
    """One claim of the entry: whether the cards allow it, and why not."""

    text: SafeString
    verdict: str
    is_possible: bool | None
    reason: SafeString | str


class AlternativeRow(NamedTuple):
    """One legal card: by seat from the lowest points to the highest, and the usual ones."""

    card: SafeString
    counted: str
    seats: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class WhatIfSummary:
    """What the cards allow, for people called `names`."""

    audited: Audited
    names: Sequence[str]

    @staticmethod
    def applies_to(audited: Audited) -> bool:
        """Return whether there is anything to show."""
        found = audited.replay
        is_open = not found.complete and found.tally is not None
        return is_open or any(breach.code == "revoke" for breach in found.breaches)

    @property
    def shorts(self) -> list[str]:
        return words.first_names(self.names)

    @cached_property
    def allowed(self) -> WhatIf | None:
        audited, entry = self.audited, self.audited.entry
        claims = list(claims_of(entry.contract, entry.tally)) if entry else []
        return allowed_by(audited.framed, audited.replay, audited.ruleset, claims)

    @property
    def ways(self) -> str:
        """The number of ways to finish the deal."""
        assert self.allowed
        ways = self.allowed.ways
        if ways is None:
            return _("There are too many legal ways to finish the deal to count them.")
        if ways > MOST_WAYS:
            return _("There are more than {n} legal ways to finish the deal.").format(
                n=f"{MOST_WAYS:,}"
            )
        return ngettext(
            "There is {n} legal way to finish the deal.",
            "There are {n} legal ways to finish the deal.",
            ways,
        ).format(n=ways)

    @cached_property
    def claims(self) -> list[ClaimLine]:
        return [self._line(each) for each in self.allowed.claims] if self.allowed else []

    @property
    def together(self) -> str:
        """Whether all claims are possible together; empty where that is not known."""
        if not self.claims or self.allowed is None or self.allowed.ways is None:
            return ""
        best = self.allowed.together[0].claims if self.allowed.together else ()
        if len(best) == len(self.claims):
            return _("All of this together is possible.")
        return _("Not all of this together is possible.")

    @cached_property
    def cost(self) -> RevokeCost | None:
        audited = self.audited
        choose = Random(SEED).choice
        return revoke_cost(audited.framed, audited.replay, audited.ruleset, choose)

    @property
    def cost_sentence(self) -> SafeString:
        assert self.cost
        breach = self.cost.breach
        return format_html(
            _(
                "The deal from trick {trick} on if {name} had played a legal card instead of "
                "{card}. This is no ruling."
            ),
            trick=(breach.trick or 0) + 1,
            name=words.person(self.names[breach.seat or 0]),
            card=words.card(breach.card or ""),
        )

    @property
    def happened(self) -> list[str]:
        assert self.cost
        return [words.signed(score) for score in self.cost.happened]

    @property
    def alternatives(self) -> list[AlternativeRow]:
        assert self.cost
        return [_row(each) for each in self.cost.alternatives]

    def _line(self, found: Checked) -> ClaimLine:
        verdict = str(POSSIBLE[found.possible])
        reason = self._reason(found.claim, found.reason) if found.reason else ""
        return ClaimLine(self._claim(found.claim), verdict, found.possible, reason)

    def _claim(self, claim: Claim) -> SafeString:
        name = words.person(self.names[claim.seat])
        thing = words.card(claim.card) if claim.card else words.counted(claim.item, claim.number)
        return format_html("{}: {}", name, thing)

    def _reason(self, claim: Claim, reason: CompletionReason) -> SafeString:
        seat = claim.seat if reason.seat is None else reason.seat
        return format_html(
            str(REASONS[reason.code]),
            name=words.person(self.names[seat]),
            card=words.card(claim.card) if claim.card else "",
            trick=(reason.trick or 0) + 1,
            things=words.counted(claim.item, reason.number or 0),
        )


def _row(found: Alternative) -> AlternativeRow:
    if found.is_exact:
        counted = _("all continuations counted")
    else:
        counted = _("{n} random continuations").format(n=found.ways)
    return AlternativeRow(words.card(found.card), counted, tuple(map(_cell, found.seats)))


def _cell(found: SeatRange) -> tuple[str, str]:
    return _span(found.lowest, found.highest), _span(found.low, found.high)


def _span(least: int, most: int) -> str:
    """Return a number, or two with a true sign each."""
    if least == most:
        return words.signed(least)
    return f"{words.signed(least)} … {words.signed(most)}"
