"""The form of a penalty or a correction of points. Nobody types a sign (C13)."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.common.error_sentences import PROBLEMS
from scoring.common.form_fields import WholeField
from scoring.rules import ProblemCode, Ruleset, adjustments

GIVES, TAKES = "gives", "takes"
CODES = {
    adjustments.PENALTY: (
        pgettext_lazy("adjustment", "Penalty"),
        _("For what somebody did at the table."),
    ),
    adjustments.CORRECTION: (
        pgettext_lazy("adjustment", "Correction of points"),
        _("For what was counted wrong and cannot be put right in a deal."),
    ),
}
SAY = _("Please choose.")


class AdjustForm(forms.Form):
    """For whom, which way, how many, after which deal, and why."""

    code = forms.ChoiceField(
        choices=[(code, label) for code, (label, _sentence) in CODES.items()],
        error_messages={"required": SAY, "invalid_choice": SAY},
    )
    seats = forms.TypedMultipleChoiceField(
        choices=[(str(seat), str(seat)) for seat in range(4)],
        coerce=int,
        error_messages={
            "required": _("For whom?"),
            "invalid_choice": PROBLEMS[ProblemCode.BAD_SEAT],
        },
    )
    way = forms.ChoiceField(
        choices=[(TAKES, TAKES), (GIVES, GIVES)],
        error_messages={"required": SAY, "invalid_choice": SAY},
    )
    amount = WholeField(
        label=_("How many points?"),
        min_value=1,
        max_value=adjustments.MOST,
        error_messages={
            "required": _("How many points?"),
            "invalid": _("Only digits: above is chosen whether points are taken or given."),
        },
    )
    after_deal = forms.TypedChoiceField(label=_("After which deal?"), coerce=int)
    reason = forms.CharField(label=_("Why?"), error_messages={"required": _("Please say why.")})

    def __init__(self, numbers: Sequence[int], data: Any = None) -> None:
        super().__init__(data)
        fields: Any = self.fields
        fields["after_deal"].choices = [(number, number) for number in numbers]
        fields["reason"].widget.attrs |= {"class": "input", "maxlength": 500, "autocomplete": "off"}

    @property
    def points(self) -> tuple[int, int, int, int]:
        """By seat, signed."""
        told = self.cleaned_data
        amount = told["amount"] if told["way"] == GIVES else -told["amount"]
        one, two, three, four = (amount if seat in told["seats"] else 0 for seat in range(4))
        return one, two, three, four


def usual_way(ruleset: Ruleset) -> str:
    """Which way a penalty goes: where low totals win, points are given."""
    return TAKES if ruleset.win == "high" else GIVES
