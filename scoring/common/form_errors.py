"""What the pages of seats, repairs, sums from paper and rulings share: refusals at their fields."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from scoring.common import words
from scoring.common.error_sentences import OTHERWISE, SENTENCES
from scoring.common.numbers import whole
from scoring.rules import Problem

type Said = dict[str, list[tuple[str, SafeString]]]
"""What is wrong, by field: codes and sentences. What belongs to no field stands under "all"."""

OWN = {
    "missing": gettext_lazy("Please choose."),
    "same_person": gettext_lazy("One person cannot sit twice."),
    "wrong_number": gettext_lazy("There is no such deal."),
    "not_standing": gettext_lazy("There is no such deal."),
    "nothing_changed": gettext_lazy("That is how it is already."),
    "inside_subtotal": gettext_lazy(
        "These deals are sums from paper. Fill them in or take the sums back first."
    ),
    "seats_changed_later": gettext_lazy(
        "That seat changes again at deal {deal}. Undo that first, or begin there."
    ),
    "changed_since": gettext_lazy("Something of it was changed since, so it stays as it is."),
    "record_there": gettext_lazy("Deal {deal} has a card record. Withdraw it first."),
    "photo_there": gettext_lazy("Deal {deal} has photos. Withdraw them first."),
    "dispute_there": gettext_lazy("Deal {deal} is disputed. Close the dispute first."),
    "ruling_there": gettext_lazy("An arbiter ruled on deal {deal}, so it cannot be removed."),
    "on_paper": gettext_lazy("Deal {deal} is part of totals from paper. Withdraw them first."),
    "redeal_there": gettext_lazy("The cards of deal {deal} were dealt again. Undo that first."),
    "deal_missing": gettext_lazy("Deal {deal} is missing already. Enter it first."),
    "other_shape": gettext_lazy(
        "What was entered cannot be told of that contract. Correct the deal itself."
    ),
    "contract_used": gettext_lazy(
        "Then one chooser would have played a contract twice ({contracts})."
    ),
    "wrong_sum": gettext_lazy("Together they must be {expected}, but they are {found}."),
    "out_of_reach": gettext_lazy("Such deals bring between {low} and {high}."),
    "bad_points": gettext_lazy("Only digits; plus or minus is chosen beside them."),
    "no_sign": gettext_lazy("Plus or minus?"),
}
OF_FIELDS = {
    "reason": gettext_lazy("Please say why."),
    "name": gettext_lazy("Who?"),
    "players": gettext_lazy("Who?"),
    **dict.fromkeys((f"points.{seat}" for seat in range(4)), gettext_lazy("How many points?")),
}
"""What is said of these when they are missing."""

UNFIT = gettext_lazy("What was entered in a deal does not fit then ({code}).")
OF_ENTRIES = (
    "wrong_total",
    "not_doublable",
    "impossible",
    "wrong_loser",
    "option_off",
    "not_this_contract",
    "not_on_paper",
    "unknown_contract",
)


def said_at(problems: Iterable[Problem], fields: Mapping[str, str] | None = None) -> Said:
    """Each problem once at its field; `fields` leads from the service's names to the page's, and
    what it does not name stands above the form."""
    found: Said = {}
    for problem in problems:
        field = problem.field if fields is None else fields.get(problem.field, "all")
        line = problem.code, sentence(problem)
        if line not in found.setdefault(field, []):
            found[field].append(line)
    return found


def sentence(problem: Problem) -> SafeString:
    """A refusal in words, its numbers in an order that right-to-left text does not turn."""
    code, numbers = problem.code, {"code": problem.code, **problem.numbers}
    own = UNFIT if code in OF_ENTRIES else OWN.get(code)
    if code == "missing":
        own = OF_FIELDS.get(problem.field, own)
    if own is None:
        return format_html("{}", str(SENTENCES.get(code, OTHERWISE)) % numbers)
    return format_html(str(own), **{name: _told(name, value) for name, value in numbers.items()})


def _told(name: str, value: Any) -> Any:
    if name in ("expected", "found", "low", "high") and isinstance(value, int):
        return format_html('<bdi class="num" dir="ltr">{}</bdi>', words.signed(value))
    if name == "contracts":
        return words.listed(words.contract(str(one)) for one in value)
    return value


def whole_number(text: str) -> int | None:
    """A number in any digits, None for anything else."""
    found = whole(text)
    return found if isinstance(found, int) else None
