"""Errors by field for the forms of repairs, seats, sums from paper and rulings."""

from collections.abc import Iterable, Mapping

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from scoring.common.error_sentences import UNFIT, sentence
from scoring.common.errors import RefusalCode
from scoring.common.words import Words
from scoring.rules import Problem, ProblemCode
from scoring.rules.problems import Code

type FieldErrors = dict[str, list[tuple[str, SafeString]]]
"""Codes and sentences by field. What belongs to no field is under "all"."""

OVERRIDES: Mapping[Code, Words] = {
    ProblemCode.MISSING: _("Please choose."),
    ProblemCode.IMPOSSIBLE: UNFIT,
    ProblemCode.OPTION_OFF: UNFIT,
    ProblemCode.UNKNOWN_CONTRACT: UNFIT,
    ProblemCode.NOT_THIS_CONTRACT: UNFIT,
    RefusalCode.NOT_ON_PAPER: UNFIT,
    RefusalCode.SAME_PERSON: _("One person cannot sit twice."),
    RefusalCode.NOT_STANDING: _("There is no such deal."),
}
"""Sentences of these forms where the usual ones would not fit."""

MISSING: Mapping[str, Words] = {
    "name": _("Who?"),
    "players": _("Who?"),
    **dict.fromkeys((f"points.{seat}" for seat in range(4)), _("How many points?")),
}
"""Sentences for these fields when they are missing."""


def field_errors(
    problems: Iterable[Problem], fields: Mapping[str, str] | None = None
) -> FieldErrors:
    """Return each problem once at its field.

    `fields` maps the service's field names to the page's; a field that it does not name goes to
    "all"."""
    found: FieldErrors = {}
    for problem in problems:
        field = problem.field if fields is None else fields.get(problem.field, "all")
        overrides = OVERRIDES
        if problem.code == ProblemCode.MISSING and problem.field in MISSING:
            overrides = {problem.code: MISSING[problem.field]}
        line = problem.code, sentence(problem, overrides)
        if line not in found.setdefault(field, []):
            found[field].append(line)
    return found
