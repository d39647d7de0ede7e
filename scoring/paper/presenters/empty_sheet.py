"""An empty paper sheet for some rules, to print.

A line for each contract of a chooser, what it is worth, and what a table asks when there is no
phone.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from scoring.common import words
from scoring.house_rules.presenters.option_sentences import sentence
from scoring.house_rules.presenters.options import matters
from scoring.rules import Contract, Item, Ruleset, base_total
from scoring.rules.deal.promises import zero_sum
from scoring.rules.rulesets.offers import prerequisites
from scoring.rules.seats import SEATS

IN_ONE = 6
"""With more contracts than this the blocks stand two abreast."""
ROOMS = ((24, "roomy"), (30, "usual"), (36, "narrow"))
"""Up to so many lines they are so high: what is written by hand wants room."""
BESIDE = 6
"""So many lines are about every match."""
NOTES_A_LINE = 4
BLANK = "\u00a0"
"""A blank at which no line is broken."""

# What changes points or decides who wins, where it does anything at this table.
NOTES: Mapping[str, Callable[[Ruleset], bool]] = {
    "win": lambda rules: True,
    "teams": lambda rules: rules.has_teams,
    "combo": lambda rules: rules.combo == "free",
    "doubling.king": lambda rules: rules.doubling.king,
    "doubling.queens": lambda rules: rules.doubling.queens,
    "doubling.owner_bonus": lambda rules: True,
    "doubling.self_capture": lambda rules: True,
    "chooser_factor": lambda rules: rules.chooser_factor != 1,
    "forced_factor": lambda rules: rules.forced_factor != 1,
    "trex_chooser_double": lambda rules: rules.chooser_factor != 1,
    "kabbout.contracts": lambda rules: bool(rules.kabbout.contracts),
    "kabbout.amount": lambda rules: bool(rules.kabbout.contracts),
    "cheat.amount": lambda rules: rules.cheat.amount is not None,
}


@dataclass(frozen=True)
class PriceLine:
    """A contract and what it is worth."""

    label: str
    worth: SafeString


@dataclass(frozen=True)
class EmptySheet:
    """`blocks` times the same `lines`: one block for each chooser, or one for all where the match
    has one set of contracts. `zero`: what each block adds up to."""

    lines: tuple[PriceLine, ...]
    blocks: int
    by_kingdom: bool
    zero: bool
    teams: bool
    extra: bool
    notes: tuple[SafeString, ...]

    @property
    def is_shared(self) -> bool:
        return self.blocks == 1

    @property
    def in_two(self) -> bool:
        return len(self.lines) > IN_ONE and not self.is_shared

    @property
    def room(self) -> str:
        """How high the lines may be, so that all of it is on one page."""
        high = self.blocks // 2 if self.in_two else self.blocks
        beside = BESIDE + self.teams + self.extra + len(self.notes) // NOTES_A_LINE
        rows = high * (len(self.lines) + 2) + beside
        return next((room for most, room in ROOMS if rows <= most), "tight")


def empty_sheet(rules: Ruleset) -> EmptySheet:
    return EmptySheet(
        lines=tuple(_lines(rules)),
        blocks=1 if rules.contracts_scope == "game" else len(SEATS),
        by_kingdom=rules.chooser_order == "kingdom",
        zero=zero_sum(rules),
        teams=rules.has_teams,
        extra=rules.tie_break == "trex_firsts",
        notes=tuple(
            sentence(name, rules)
            for name, says in NOTES.items()
            if says(rules) and matters(name, rules)
        ),
    )


def _lines(rules: Ruleset) -> Iterator[PriceLine]:
    for contract, _ in prerequisites(rules):
        yield PriceLine(words.contract(contract.key), _worth(contract, rules))


def _worth(contract: Contract, rules: Ruleset) -> SafeString:
    """−75, 4 × −25, the four places of Trex; each part of a combined one."""
    if contract.special == "trex":
        return words.isolated_number(" ".join(map(words.signed, rules.trex_values)))
    if contract.is_combined:
        parts = ((words.contract(each, short=True), _each(each, rules)) for each in contract.items)
        return format_html_join(" · ", "{} {}", parts)
    if len(contract.items) == 1:
        return _each(contract.items[0], rules)
    return words.isolated_number(words.signed(base_total(contract, rules)))


def _each(item: Item, rules: Ruleset) -> SafeString:
    count, value = rules.how_many(item), words.signed(rules.item_values[item])
    return words.isolated_number(value if count == 1 else f"{count}{BLANK}×{BLANK}{value}")
