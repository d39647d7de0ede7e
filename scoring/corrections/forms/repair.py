"""The form of a repair: which mistake it was, and what is right."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from scoring.common.form_errors import FieldErrors, field_errors
from scoring.common.numbers import whole_number
from scoring.common.words import Words
from scoring.entry.forms.roles import ROLE_KEYS
from scoring.models import Player
from scoring.rules import Contract, Problem, ProblemCode, RulesRefused
from scoring.rules.repairs import (
    ForgottenDeal,
    PhantomDeal,
    Repair,
    WrongChooser,
    WrongContract,
    WrongPerson,
    WrongPlaces,
    WrongSeats,
)
from scoring.rules.tally import TALLY_KEYS

KINDS: dict[str, tuple[Words, Words]] = {
    "seats": (_("People on the wrong seats"), _("The four sat otherwise than the phone knew.")),
    "person": (_("The wrong person"), _("Somebody else sat there.")),
    "chooser": (_("The wrong chooser"), _("Somebody else chose these contracts.")),
    "places": (_("Two deals in the wrong places"), _("Each was played when the other was.")),
    "contract": (_("The wrong contract"), _("Counted rightly, under the wrong name.")),
    "forgotten": (_("A missing deal"), _("A deal was played but not entered.")),
    "phantom": (_("A deal too many"), _("A deal was entered but never played.")),
}
FIELDS = {
    "from_deal": "from_deal",
    "reason": "reason",
    "sat": "sat",
    "one": "one",
    "other": "other",
    "contract": "contract",
    "name": "name",
}
OF_DEAL = (*TALLY_KEYS, *ROLE_KEYS, "drawn")
"""What is sent of the deal that was forgotten, beside its contract."""
OF_PERSON = {"players": "person", **{f"players.{seat}": "person" for seat in range(4)}}


@dataclass
class RepairForm:
    """`kind` is one of `KINDS`; `newest` the last deal from which somebody may sit elsewhere."""

    kind: str
    newest: int
    raw: Mapping[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def number(self, name: str) -> int | None:
        return whole_number(self.raw.get(name, ""))

    @property
    def from_deal(self) -> int:
        return self.number("from_deal") or 1

    @property
    def entered_by(self) -> Literal["person", "seat"]:
        return "seat" if self.raw.get("entered_by") == "seat" else "person"

    @property
    def sat(self) -> list[int]:
        """For each seat whose person really sat there; as known where nobody says otherwise."""
        told = [self.number(f"sat.{seat}") for seat in range(4)]
        return [seat if one is None else one for seat, one in enumerate(told)]

    @property
    def seat(self) -> int | None:
        return self.number("seat")

    @property
    def one(self) -> int | None:
        return self.number("one")

    @property
    def other(self) -> int | None:
        return self.number("other")

    @property
    def contract(self) -> str:
        return self.raw.get("contract", "")

    @property
    def person(self) -> UUID | None:
        try:
            return UUID(self.raw.get("person", ""))
        except ValueError:
            return None

    @property
    def name(self) -> str:
        return self.raw.get("name", "")

    @property
    def kept(self) -> dict[str, str]:
        """What was chosen, to be sent once more with the reason."""
        names = ("from_deal", "entered_by", "seat", "one", "other", "contract", "person", "name")
        sent = [*names, *(f"sat.{seat}" for seat in range(4))]
        if self.kind == "forgotten":
            sent += [name for name in self.raw if name.split(".")[0] in OF_DEAL]
        return {name: self.raw[name] for name in sent if self.raw.get(name)}

    def read(self) -> Repair | None:
        """The repair; None, with problems, where something is not told yet."""
        found = READ[self.kind](self)
        return None if self.problems else found

    def missing(self, *names: str) -> bool:
        self.problems += [
            Problem(ProblemCode.MISSING, name) for name in names if self.number(name) is None
        ]
        return bool(self.problems)

    @property
    def said(self) -> FieldErrors:
        own = OF_PERSON if self.kind == "person" else {}
        return field_errors(self.problems, {**FIELDS, **own})


def _seats(form: RepairForm) -> Repair | None:
    one, two, three, four = form.sat
    return WrongSeats((one, two, three, four), form.from_deal, form.entered_by)


def _person(form: RepairForm) -> Repair | None:
    who: Player | UUID | str | None = form.person or form.name.strip() or None
    form.missing("seat")
    if who is None:
        form.problems.append(Problem(ProblemCode.MISSING, "name"))
    if form.seat is None or who is None:
        return None
    return WrongPerson(form.seat, who, form.from_deal)


def _chooser(form: RepairForm) -> Repair | None:
    form.missing("one", "other")
    if form.one is None or form.other is None:
        return None
    return WrongChooser(form.one, form.other, form.from_deal)


def _places(form: RepairForm) -> Repair | None:
    form.missing("one", "other")
    if form.one is None or form.other is None:
        return None
    return WrongPlaces(form.one, form.other)


def _contract(form: RepairForm) -> Repair | None:
    form.missing("one")
    try:
        contract = Contract.from_key(form.contract)
    except RulesRefused:
        form.problems.append(Problem(ProblemCode.MISSING, "contract"))
        return None
    return None if form.one is None else WrongContract(form.one, contract)


def _forgotten(form: RepairForm) -> Repair | None:
    form.missing("one")
    return None if form.one is None else ForgottenDeal(form.one)


def _phantom(form: RepairForm) -> Repair | None:
    form.missing("one")
    return None if form.one is None else PhantomDeal(form.one)


READ = {
    "seats": _seats,
    "person": _person,
    "chooser": _chooser,
    "places": _places,
    "contract": _contract,
    "forgotten": _forgotten,
    "phantom": _phantom,
}
