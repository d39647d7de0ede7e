"""How a refusal is said: codes and numbers of the rules and services to one sentence each."""

from collections.abc import Sequence
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.common import words
from scoring.entry.forms.entry import EntryForm
from scoring.entry.forms.fields import Field, Slot
from scoring.entry.forms.roles import ROLES
from scoring.rules import Problem


def sentence(problem: Problem, form: EntryForm) -> SafeString:
    """One problem of an entry in the reader's language, with names and what was sent."""
    if say := SAID.get(problem.code):
        return say(problem, form)
    if problem.code in PLAIN:
        return format_html("{}", PLAIN[problem.code])
    return format_html(_("This was refused ({code}). Nothing was saved."), code=problem.code)


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
    return format_html("{}", PLAIN["impossible"])


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


SAID = {
    "missing": _missing,
    "bad_seat": _bad_seat,
    "bad_counts": _bad_counts,
    "wrong_total": _wrong_total,
    "not_a_permutation": _not_a_permutation,
    "impossible": _impossible,
    "doubled_twice": _doubled_twice,
    "not_doublable": _not_doublable,
    "trick_leader_missing": _trick_leader_missing,
    "wrong_loser": _wrong_loser,
    "contract_used": _contract_used,
    "not_this_contract": _not_this_contract,
    "too_long": _too_long,
}
PLAIN = {
    "nothing_changed": gettext_lazy("That is how it stands already."),
    "impossible": gettext_lazy("This cannot have happened together with the rest."),
    "unknown_card": gettext_lazy("There is no such card in this deal."),
    "option_off": gettext_lazy("The rules of this table do not have this."),
    "chooser_missing": gettext_lazy("Say first who chooses."),
    "unknown_contract": gettext_lazy("This table does not play that contract."),
    "not_combinable": gettext_lazy("These contracts cannot be played together."),
    "match_over": gettext_lazy("Every deal of this match has been played."),
    "match_closed": gettext_lazy("This match is closed. Nothing was saved."),
    "stale": gettext_lazy("Someone else saved first. Look at the table, then try again."),
    "old_page": gettext_lazy(
        "This was entered on a page that the server no longer knows. Open it, look, and save it."
    ),
    "wrong_number": gettext_lazy("That deal is not due now. Nothing was saved."),
    "not_on_paper": gettext_lazy("The sums from paper say that something else was played then."),
    "not_standing": gettext_lazy("That deal has been taken back or corrected already."),
    "not_over": gettext_lazy("Not every deal has been played yet."),
    "already_begun": gettext_lazy("The first deal has been played already."),
    "queens_draw": gettext_lazy(
        "The queens lie two and two between the teams: that is dealt again and not scored."
    ),
    "form_expired": gettext_lazy(
        "This page was open for too long. Nothing was saved; please send it again."
    ),
}
