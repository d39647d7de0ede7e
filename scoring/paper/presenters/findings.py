"""What the error finder found, in sentences. Points and reasons are its own; words are ours."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.common import words
from scoring.entry.presenters import facts
from scoring.finder import Change, FactChange, TotalsRun, Why
from scoring.rules import Entry, Item, Ruleset
from scoring.rules.cards import QUEENS
from scoring.rules.deal.doubling import doubled_cards
from scoring.rules.deal.points import taken_counts
from scoring.rules.seats import SEATS, Seat

FIRST_MANY = 12
"""As many explanations are told before the rest is only counted."""


def number(points: int | None) -> SafeString:
    """Points inside a sentence, in an order that right-to-left text does not turn."""
    return format_html('<bdi class="num" dir="ltr">{}</bdi>', words.signed(points or 0))


# -- what a change says


def said(
    change: Change, names: Sequence[str], line: str = "", other: str = "", noted: str = ""
) -> SafeString:
    """One change, as somebody at the table would put it. Where it is is said before it. `line` and
    `other` are the line and the other total of a slip in adding; `noted` is the contract that the
    paper says."""
    if change.slip and change.slip.line is not None:
        return _miscounted(change, line, other)
    if change.frame:
        return _noted(change, names, noted)
    if change.step and change.entry:
        return _STEPS[change.step.kind](change, change.step, names)
    seat = change.seats[0]
    before, now = number(change.before[seat]), number(change.after[seat])
    name = words.person(names[seat])
    if change.kind == "line_negated":
        return format_html("{}", _("all four numbers have the wrong sign"))
    if change.kind in ("line_exchanged", "totals_exchanged"):
        text = _("the numbers of {name} and {other} stand in each other’s place")
        return format_html(text, name=name, other=words.person(names[change.seats[1]]))
    if change.kind == "total_carried":
        text = _("{now} for {name} instead of {before}, and so in every total after it")
    else:
        text = _("{now} for {name} instead of {before}")
    return format_html(text, now=now, name=name, before=before)


def _miscounted(change: Change, line: str, other: str) -> SafeString:
    """A line that a total does not count as it should."""
    slip = change.slip
    assert slip
    text = {
        "line_skipped": _("{line} is not counted"),
        "line_twice": _("{line} is counted twice"),
        "line_signs": _("{line} is counted with the wrong signs"),
        "line_elsewhere": _("{line} is counted in another total instead: {other}"),
    }[change.kind]
    told = format_html(text, line=line, other=other)
    if len(slip.totals) > 1:
        return format_html(_("{what}, and so in every total after it"), what=told)
    return told


def _noted(change: Change, names: Sequence[str], noted: str) -> SafeString:
    """Points that are right under another contract, or for another chooser."""
    if change.kind == "line_chooser":
        text = _("{name} chose the contract")
        return format_html(text, name=words.person(names[change.seats[0]]))
    text = _("the contract is {contract} instead of {before}")
    return format_html(text, contract=words.contract(change.frame["contract"].key), before=noted)


def _chooser(change: Change, step: FactChange, names: Sequence[str]) -> SafeString:
    text = _("{name} chose the contract instead of {before}")
    return format_html(text, name=_who(step.target, names), before=_who(step.source, names))


def _forced(change: Change, step: FactChange, names: Sequence[str]) -> SafeString:
    if step.kind == "forced_missing":
        return format_html("{}", _("the contract was forced"))
    return format_html("{}", _("the contract was not forced"))


def _contract(change: Change, step: FactChange, names: Sequence[str]) -> SafeString:
    assert change.entry
    text = _("the contract is {contract} instead of {before}")
    return format_html(
        text,
        contract=words.contract(step.frame["contract"].key),
        before=words.contract(change.entry.contract.key),
    )


def _who(seat: Seat | None, names: Sequence[str]) -> SafeString:
    if seat is None:
        return format_html("{}", _("nobody"))
    return words.person(names[seat])


def _counts(change: Change, step: FactChange, names: Sequence[str]) -> SafeString:
    """3 diamonds for Carmen instead of 7, 6 diamonds for Badr instead of 2."""
    assert change.entry
    assert change.corrected
    assert step.item
    if step.card:
        return _card_to(change, step, names)
    item, before = step.item, taken_counts(step.item, change.entry.tally)
    now = taken_counts(item, change.corrected.tally)
    text = _("{what} for {name} instead of {count}")
    seats = [seat for seat in (step.target, step.source) if seat is not None]
    return words.listed(
        format_html(
            text,
            what=words.counted(item, now[seat]),
            name=words.person(names[seat]),
            count=before[seat],
        )
        for seat in seats
    )


def _card_to(change: Change, step: FactChange, names: Sequence[str]) -> SafeString:
    """K♥ for Carmen instead of Badr; of queens that nobody can tell apart, all that it may be."""
    text = _("{what} for {name} instead of {before}")
    what = _what(change, step)
    return format_html(
        text, what=what, name=_who(step.target, names), before=_who(step.source, names)
    )


def _what(change: Change, step: FactChange) -> SafeString:
    if step.item is Item.LAST_TRICK:
        return format_html("{}", words.counted(Item.LAST_TRICK, 1))
    if step.item is Item.QUEENS and change.guessed:
        return format_html("{}", words.counted(Item.QUEENS, 1))
    return words.card(step.card or "KH")


def _with_its_suit(change: Change, step: FactChange, names: Sequence[str]) -> SafeString:
    suit = Item.DIAMONDS if step.card == "QD" else Item.HEARTS
    text = _("{card}, and with it {what}, for {name} instead of {before}")
    return format_html(
        text,
        card=words.card(step.card or "KH"),
        what=words.counted(suit, 1),
        name=_who(step.target, names),
        before=_who(step.source, names),
    )


def _exchanged(change: Change, step: FactChange, names: Sequence[str]) -> SafeString:
    text = _("a queen of {name} and one of {other} changed places")
    return format_html(text, name=_who(step.source, names), other=_who(step.target, names))


def _places(change: Change, step: FactChange, names: Sequence[str]) -> SafeString:
    order = step.tally.finish_order or ()
    text = _("out {place}: {name}, out {other_place}: {other}")
    one, other = sorted((step.source, step.target), key=lambda seat: order.index(seat or 0))
    return format_html(
        text,
        place=words.PLACES[order.index(one or 0)],
        name=_who(one, names),
        other_place=words.PLACES[order.index(other or 0)],
        other=_who(other, names),
    )


def _loser(change: Change, step: FactChange, names: Sequence[str]) -> SafeString:
    text = _("{name} went over the top instead of {before}")
    return format_html(text, name=_who(step.target, names), before=_who(step.source, names))


def _doubled(change: Change, step: FactChange, names: Sequence[str]) -> SafeString:
    text = {
        "double_missing": _("{card} was doubled by {name}"),
        "double_extra": _("{card} was not doubled"),
        "doubler": _("{card} was doubled by {name} instead of {before}"),
    }[step.kind]
    return format_html(
        text,
        card=_what(change, step),
        name=_who(step.target, names),
        before=_who(step.source, names),
    )


def _leader(change: Change, step: FactChange, names: Sequence[str]) -> SafeString:
    text = _("{name} led the trick with {card} instead of {before}")
    return format_html(
        text,
        card=words.card(step.card or "KH"),
        name=_who(step.target, names),
        before=_who(step.source, names),
    )


def _offender(change: Change, step: FactChange, names: Sequence[str]) -> SafeString:
    text = _("{name} was at fault instead of {before}")
    return format_html(text, name=_who(step.target, names), before=_who(step.source, names))


_STEPS = {
    "moved": _counts,
    "swapped": _counts,
    "taker": _card_to,
    "card": _with_its_suit,
    "exchanged": _exchanged,
    "places": _places,
    "loser": _loser,
    "double_missing": _doubled,
    "double_extra": _doubled,
    "doubler": _doubled,
    "leader": _leader,
    "offender": _offender,
    "chooser": _chooser,
    "forced_missing": _forced,
    "forced_extra": _forced,
    "contract": _contract,
}


# -- where totals disagree


def run(totals: TotalsRun, names: Sequence[str], where: str) -> SafeString:
    """One sentence for totals one below the other that are off by the same."""
    return format_html(
        "{}: {}", where, words.listed(_too_much(*each, names) for each in totals.off_by)
    )


def _too_much(seat: Seat, by: int, names: Sequence[str]) -> SafeString:
    text = _("{name} is {points} too high") if by > 0 else _("{name} is {points} too low")
    points = format_html('<bdi class="num" dir="ltr">{}</bdi>', abs(by))
    return format_html(text, name=words.person(names[seat]), points=points)


def scores(change: Change, names: Sequence[str]) -> list[tuple[str, int, int]]:
    """Whose points of the line change: name, before, after."""
    if change.row is None:
        return []
    return [
        (names[seat], before, now)
        for seat, before, now in zip(SEATS, change.before, change.after, strict=True)
        if before is not None and now is not None and before != now
    ]


def other_cards(change: Change) -> list[tuple[SafeString, Entry]]:
    """The queens that it may have been just as well, each with the deal as it then was."""
    if change.guessed or not change.step or change.step.card not in QUEENS:
        return []
    told = [(_other_card(change, entry), entry) for entry in change.others]
    return [(words.card(card), entry) for card, entry in told if card]


def _other_card(change: Change, entry: Entry) -> str | None:
    assert change.entry
    before, now = change.entry.tally, entry.tally
    doubles = set(before.doubles) ^ set(now.doubles)
    if doubles:
        return next(iter(doubles)).card
    takers = now.queens_taken_by or {}
    had = before.queens_taken_by or {}
    return next((card for card in QUEENS if takers.get(card) != had.get(card)), None)


# -- what a line means


def meant(
    entry: Entry, names: Sequence[str], ruleset: Ruleset, *, contract: bool, chooser: bool
) -> SafeString:
    """The facts behind a line of points, with the contract and the chooser where nobody said them.
    Which queen was which nobody can know from points."""
    told = words.listed(_meant(entry, names, ruleset))
    if chooser and entry.chooser is not None:
        by = words.person(names[entry.chooser])
        told = format_html(_("{facts}, chosen by {name}"), facts=told, name=by)
    if contract:
        name = words.contract(entry.contract.key)
        told = format_html(_("{contract}: {facts}"), contract=name, facts=told)
    return told


def _meant(entry: Entry, names: Sequence[str], ruleset: Ruleset) -> Iterator[SafeString]:
    tally, items = entry.tally, entry.contract.items
    takers = dict(tally.queens_taken_by or {})
    for card, by in doubled_cards(tally, ruleset).items():
        if card in takers and Item.QUEENS in items:
            text = _("{name} took a queen that {by} had doubled")
            yield format_html(text, name=_who(takers.pop(card), names), by=_who(by, names))
    plain = tuple(double for double in tally.doubles if double.card not in QUEENS)
    fewer = replace(tally, doubles=plain, queens_taken_by=takers)
    others = replace(fewer, queens_taken_by=None, queens=None, diamonds=None, hearts=None)
    yield from facts.facts(replace(entry, tally=replace(others, tricks=None)), names, ruleset)
    for item in items:
        if item in facts.COUNTED and not (tally.queens_taken_by and not takers):
            yield from _some(item, taken_counts(item, fewer), names)


def _some(item: Item, counts: Sequence[int], names: Sequence[str]) -> Iterator[SafeString]:
    """Who took some of it; who took none is not spoken of."""
    for seat, count in enumerate(counts):
        if count:
            text, what = _("{name} took {what}"), words.counted(item, count)
            yield format_html(text, name=_who(seat, names), what=what)


def why(reason: Why, names: Sequence[str]) -> SafeString:
    """Why no table can have produced a line."""
    expected = words.listed(number(one) for one in reason.expected)
    together = _("together they come to {found}, and must come to {expected}")
    if reason.factors:
        together = _("without factors they come to {found} together, and must come to {expected}")
    text = {
        "wrong_sum": together,
        "not_a_multiple": _("the number of {name} must be a multiple of {step}"),
        "not_the_places": _("the places are worth {expected}"),
        "not_one_loser": _("one alone takes {expected}"),
        "or_cheating": _("unless somebody cheated, who alone takes {expected}"),
        "no_contract": _("no contract of these rules gives these numbers"),
        "no_facts": _("these numbers do not go together"),
    }[reason.code]
    return format_html(
        text,
        found=number(reason.found),
        expected=expected,
        name=_who(reason.seat, names),
        step=reason.step or "",
    )
