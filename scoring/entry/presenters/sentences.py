"""Sentences for the problems of a deal, with names and what was typed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.common import error_sentences, words
from scoring.common.errors import RefusalCode
from scoring.entry.forms.entry import EntryForm
from scoring.entry.forms.fields import Field, Slot
from scoring.entry.forms.roles import ROLES
from scoring.rules import Problem, ProblemCode
from scoring.rules.problems import Code


def sentence(problem: Problem, form: EntryForm) -> SafeString:
    """One problem of an entry in the reader's language, with names and what was sent."""
    if say := SAID.get(problem.code):
        return say(problem, form)
    return error_sentences.sentence(problem, OVERRIDES)


def sentences(problems: Sequence[Problem], form: EntryForm) -> list[tuple[str, SafeString]]:
    """Codes and sentences, each sentence once."""
    said = {sentence(problem, form): problem.code for problem in problems}
    return [(code, text) for text, code in said.items()]


def _field(problem: Problem, form: EntryForm) -> Field | None:
    key = problem.field.split(".")[0]
    return next((one for one in (*form.fields, *ROLES) if one.key == key), None)


def _name(problem: Problem, form: EntryForm, key: str = "seat") -> SafeString:
    seat = problem.numbers.get(key)
    return words.person(form.names[seat]) if isinstance(seat, int) else SafeString("?")


def _card(problem: Problem) -> SafeString:
    return words.card(str(problem.numbers.get("card", "?")))


def _missing(problem: Problem, form: EntryForm) -> SafeString:
    if problem.field == "reason":
        return format_html("{}", _("Please say why."))
    one = _field(problem, form)
    slots = one.slots(form.raw) if one else ()
    still = [slot_name(slot, form) for slot in slots if not slot.filled]
    if not one or len(slots) == 1 or not still:
        return format_html("{}", words.QUESTIONS.get(problem.field.split(".")[0], "?"))
    return format_html(_("Still open: {names}."), names=words.listed(still))


def slot_name(slot: Slot, form: EntryForm) -> SafeString:
    if slot.card:
        return words.card(slot.card)
    if slot.seat is not None:
        return words.person(words.first_names(form.names)[slot.seat])
    return format_html("{}", words.PLACES[slot.place] if slot.place is not None else "")


def _bad_seat(problem: Problem, form: EntryForm) -> SafeString:
    one = _field(problem, form)
    if one is None:  # asked beside the form of a deal: who begins
        return format_html("{}", _("Not one of the four seats."))
    sent = ", ".join(one.refused(form.raw))
    return format_html(_("“{sent}” is none of the four seats."), sent=words.person(sent))


def _bad_counts(problem: Problem, form: EntryForm) -> SafeString:
    one = _field(problem, form)
    sent = ", ".join(one.refused(form.raw)) if one else ""
    return format_html(_("“{sent}” is not a number that can be here."), sent=words.person(sent))


def _wrong_total(problem: Problem, form: EntryForm) -> SafeString:
    text = _("{expected} exist, {found} are entered.")
    item, numbers = problem.field, problem.numbers
    expected = words.counted(item, int(str(numbers["expected"])))
    return format_html(text, expected=expected, found=numbers["found"])


def _not_a_permutation(problem: Problem, form: EntryForm) -> SafeString:
    twice = problem.numbers.get("twice") or ()
    if not isinstance(twice, Sequence) or not twice:
        return _bad_seat(problem, form)
    names = words.people(form.names[int(seat)] for seat in twice)
    return format_html(_("Entered twice: {names}. Each goes out once."), names=names)


def _impossible(problem: Problem, form: EntryForm) -> SafeString:
    numbers = problem.numbers
    if "lacks" in numbers:
        text = _("{name} took none of the {items}, so it cannot be {name}.")
        items = words.contract(str(numbers["lacks"]))
        return format_html(text, name=_name(problem, form), items=items)
    if "cards" in numbers:
        text = _("{name} has {cards} such cards, but {tricks} hold fewer.")
        tricks = words.counted("tricks", int(str(numbers["tricks"])))
        return format_html(text, name=_name(problem, form), cards=numbers["cards"], tricks=tricks)
    if "card" in numbers:
        text = _("Nobody here can have taken {card}.")
        return format_html(text, card=_card(problem))
    return error_sentences.sentence(problem)


def _doubled_twice(problem: Problem, form: EntryForm) -> SafeString:
    return format_html(_("{card} can be doubled once only."), card=_card(problem))


def _not_doublable(problem: Problem, form: EntryForm) -> SafeString:
    return format_html(_("{card} cannot be doubled here."), card=_card(problem))


def _trick_leader_missing(problem: Problem, form: EntryForm) -> SafeString:
    return format_html(_("Say who led the trick in which {card} fell."), card=_card(problem))


def _wrong_loser(problem: Problem, form: EntryForm) -> SafeString:
    if problem.numbers.get("expected") is None:
        return format_html("{}", _("By the cards nobody has gone over the top."))
    text = _("By the cards it was {name}.")
    return format_html(text, name=_name(problem, form, "expected"))


def _contract_used(problem: Problem, form: EntryForm) -> SafeString:
    used: Any = problem.numbers.get("contracts") or (form.contract.key,)
    text = _("{name} has played {contract} already.")
    contract = words.contract("+".join(map(str, used)))
    return format_html(text, name=_name(problem, form), contract=contract)


def _not_this_contract(problem: Problem, form: EntryForm) -> SafeString:
    text = _("{name} cannot play {contract} now.")
    name, contract = _name(problem, form), words.contract(form.contract.key)
    return format_html(text, name=name, contract=contract)


def _too_long(problem: Problem, form: EntryForm) -> SafeString:
    text = _("{length} characters are too many; {limit} fit.")
    return format_html(text, **problem.numbers)


SAID: Mapping[Code, Callable[[Problem, EntryForm], SafeString]] = {
    ProblemCode.MISSING: _missing,
    ProblemCode.BAD_SEAT: _bad_seat,
    ProblemCode.BAD_COUNTS: _bad_counts,
    ProblemCode.WRONG_TOTAL: _wrong_total,
    ProblemCode.NOT_A_PERMUTATION: _not_a_permutation,
    ProblemCode.IMPOSSIBLE: _impossible,
    ProblemCode.DOUBLED_TWICE: _doubled_twice,
    ProblemCode.NOT_DOUBLABLE: _not_doublable,
    ProblemCode.TRICK_LEADER_MISSING: _trick_leader_missing,
    ProblemCode.WRONG_LOSER: _wrong_loser,
    ProblemCode.CONTRACT_USED: _contract_used,
    ProblemCode.NOT_THIS_CONTRACT: _not_this_contract,
    RefusalCode.TOO_LONG: _too_long,
}
OVERRIDES: Mapping[Code, words.Words] = {
    RefusalCode.NOTHING_CHANGED: gettext_lazy("That is how it stands already."),
    ProblemCode.UNKNOWN_CARD: gettext_lazy("There is no such card in this deal."),
    RefusalCode.MATCH_CLOSED: gettext_lazy("This match is closed. Nothing was saved."),
    RefusalCode.STALE: gettext_lazy("Someone else saved first. Look at the table, then try again."),
    ProblemCode.WRONG_NUMBER: gettext_lazy("That deal is not due now. Nothing was saved."),
    RefusalCode.NOT_STANDING: gettext_lazy("That deal has been taken back or corrected already."),
}
