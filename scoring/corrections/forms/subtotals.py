"""The form of sums from paper: which contracts, and four sums of which nobody types a sign (C13).
Digits of any script are read (C14)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.safestring import SafeString

from scoring.common.errors import RefusalCode
from scoring.common.form_errors import FieldErrors, field_errors
from scoring.common.numbers import whole_number
from scoring.rules import Contract, Problem, ProblemCode, RulesRefused
from scoring.rules.contracts import COMBINABLE
from scoring.rules.ranking import Four
from scoring.rules.seats import SEATS, is_seat

MOST = 9999
FIELDS = {
    "chooser": "chooser",
    "dealer": "dealer",
    "contracts": "contracts",
    "contract": "contracts",
    "points": "points",
    "reason": "reason",
    **{f"points.{seat}": f"points.{seat}" for seat in SEATS},
}


@dataclass
class PaperForm:
    """`choosers` choose in the deals that are not entered yet; `contracts` are what the chooser of
    a kingdom has left, empty where choosers rotate and each one's contract is asked."""

    choosers: Sequence[int]
    contracts: Sequence[Contract]
    raw: Mapping[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def seat(self, name: str) -> int | None:
        seat = whole_number(self.raw.get(name, ""))
        return seat if is_seat(seat) else None

    @property
    def chooser(self) -> int | None:
        return self.seat("chooser")

    @property
    def dealer(self) -> int | None:
        return self.seat("dealer")

    @property
    def kept(self) -> dict[str, str]:
        """What was told, to be sent once more."""
        names = ("chooser", "dealer", "together", "contract", "sign", "sum")
        return {name: text for name, text in self.raw.items() if name.split(".")[0] in names}

    # ---- The contracts

    @property
    def together(self) -> list[str]:
        """The contracts of a kingdom that were played in one deal."""
        return [name for name in COMBINABLE if self.raw.get(f"together.{name}")]

    @property
    def told(self) -> list[str]:
        """What each chooser of a round is said to have chosen."""
        return [self.raw.get(f"contract.{place}", "") for place in range(len(self.choosers))]

    def chosen(self) -> list[Contract]:
        """The contracts in the order of the deals, as far as they are told."""
        if self.contracts:
            return _combined(self.contracts, self.together)
        found = self.known
        if len(found) < len(self.choosers):
            self.problems.append(Problem(ProblemCode.MISSING, "contracts"))
        return found

    @property
    def known(self) -> list[Contract]:
        """What was played as far as it is told; all there was in a kingdom."""
        told = [contract for contract in map(_contract, self.told) if contract]
        return list(self.contracts) or told

    # ---- The sums

    @cached_property
    def typed(self) -> list[int | None]:
        """What stands in the four fields, signed; None where nothing does. Judges on the way."""
        return [self._typed(seat) for seat in SEATS]

    def _typed(self, seat: int) -> int | None:
        text, sign = self.raw.get(f"sum.{seat}", "").strip(), self.raw.get(f"sign.{seat}", "")
        if not text:
            return None
        number = whole_number(text)
        if number is None or number > MOST:
            self.problems.append(Problem(RefusalCode.BAD_POINTS, f"points.{seat}"))
            return None
        if number and sign not in ("plus", "minus"):
            self.problems.append(Problem(RefusalCode.NO_SIGN, f"points.{seat}"))
        return -number if sign == "minus" else number

    def points(self, promised: int | None) -> Four | None:
        """The four sums; where they are promised to come to a number the last one follows."""
        typed = list(self.typed)
        open_seats = [seat for seat in SEATS if typed[seat] is None]
        wrong = {problem.field for problem in self.problems}
        if promised is not None and len(open_seats) == 1 and not wrong:
            typed[open_seats[0]] = promised - sum(number or 0 for number in typed)
        for seat in SEATS:
            if typed[seat] is None and f"points.{seat}" not in wrong:
                self.problems.append(Problem(ProblemCode.MISSING, f"points.{seat}"))
        one, two, three, four = (number or 0 for number in typed)
        return None if self.problems else (one, two, three, four)

    @property
    def rows(self) -> list[tuple[int, str, str, list[tuple[str, SafeString]]]]:
        """Each seat with its sign and digits as they were sent, and what is wrong with them."""
        said, raw = self.said, self.raw
        return [
            (
                seat,
                raw.get(f"sign.{seat}", ""),
                raw.get(f"sum.{seat}", ""),
                said.get(f"points.{seat}", []),
            )
            for seat in SEATS
        ]

    @property
    def said(self) -> FieldErrors:
        return field_errors(self.problems, FIELDS)


def _combined(contracts: Sequence[Contract], together: Sequence[str]) -> list[Contract]:
    """These contracts, with some of them as one deal."""
    if len(together) < 2:
        return list(contracts)
    alone = [contract for contract in contracts if not set(contract.parts) & set(together)]
    return [Contract.read(list(together)), *alone]


def _contract(key: str) -> Contract | None:
    try:
        return Contract.from_key(key)
    except RulesRefused:
        return None
