"""An entry form with all its words, ready for the template."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.safestring import SafeString

from scoring.common import words
from scoring.entry.forms.entry import EntryForm, FormPart
from scoring.entry.forms.fields import Field, Slot
from scoring.entry.forms.roles import ROLES
from scoring.entry.presenters.sentences import sentences, slot_name
from scoring.rules.cards import QUEENS

type Said = list[tuple[str, SafeString]]
"""Codes and sentences of what is wrong."""


@dataclass(frozen=True)
class DrawnSlot:
    """`sign` is its card, or what one stands for."""

    slot: Slot
    title: SafeString
    sign: SafeString


@dataclass(frozen=True)
class DrawnField:
    """One field; `is_row` are those that may be left alone."""

    field: Field
    title: str
    slots: tuple[DrawnSlot, ...]
    problems: Said

    @property
    def is_row(self) -> bool:
        return not self.field.is_asked


@dataclass(frozen=True)
class DrawnPart:
    key: str
    fields: tuple[DrawnField, ...]
    filled: bool
    wrong: bool


@dataclass(frozen=True)
class Drawing:
    """The whole form. `open_part` is shown first; `trouble` is folded up unless used, and so are
    the `roles`. What may be forfeited is one tap away."""

    parts: tuple[DrawnPart, ...]
    open_part: str
    trouble: tuple[DrawnField, ...]
    trouble_used: bool
    forfeit: tuple[DrawnField, ...]
    questions: tuple[DrawnField, ...]
    roles: tuple[DrawnField, ...]
    problems: Said
    reason_problems: Said

    @property
    def roles_wrong(self) -> bool:
        return any(one.problems for one in self.roles)


def draw(form: EntryForm) -> Drawing:
    parts = tuple(_part(part, form) for part in form.parts)
    trouble = tuple(_drawn(form.trouble, form))
    folded = tuple(one for one in trouble if one.field.key != "forfeited")
    others = form.other_problems
    return Drawing(
        parts=parts,
        open_part=_open_part(parts),
        trouble=folded,
        trouble_used=any(form.raw.get(one.field.key) for one in folded),
        forfeit=tuple(one for one in trouble if one not in folded),
        questions=tuple(_drawn(form.questions, form)),
        roles=tuple(_drawn(ROLES, form)),
        problems=sentences([one for one in others if one.field != "reason"], form),
        reason_problems=sentences([one for one in others if one.field == "reason"], form),
    )


def _part(part: FormPart, form: EntryForm) -> DrawnPart:
    fields = tuple(_drawn(part.fields, form))
    asked = [one for one in fields if not one.is_row]
    return DrawnPart(
        key=part.key,
        fields=fields,
        filled=bool(asked) and all(slot.slot.filled for one in asked for slot in one.slots),
        wrong=any(one.problems for one in fields),
    )


def _open_part(parts: tuple[DrawnPart, ...]) -> str:
    """The first in which something is wrong, else the first that is not whole."""
    wrong = [part.key for part in parts if part.wrong]
    asks = [part for part in parts if not all(one.is_row for one in part.fields)]
    empty = [part.key for part in asks if not part.filled]
    return (wrong or empty or [part.key for part in parts[:1]] or [""])[0]


def _drawn(fields: Iterable[Field], form: EntryForm) -> Iterable[DrawnField]:
    for one in fields:
        slots = tuple(
            DrawnSlot(slot, slot_name(slot, form), _sign(one, slot, form))
            for slot in one.slots(form.raw)
        )
        said = sentences(form.problems_of(one.key), form)
        yield DrawnField(one, str(words.QUESTIONS[one.key]), slots, said)


def _sign(field: Field, slot: Slot, form: EntryForm) -> SafeString:
    whole = form.ruleset.doubling.queens_unit == "whole_contract"
    if field.key == "doubles" and whole and slot.card in QUEENS:
        return words.all_queens()
    return words.card(slot.card) if slot.card else SafeString("")
