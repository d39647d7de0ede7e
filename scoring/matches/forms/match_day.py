"""The form that moves a match to the day on which it was played."""

from datetime import date
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.common.day_fields import PlayedOnField
from scoring.ledger.services.chain import REASON_LENGTH


class MatchDayForm(forms.Form):
    day = PlayedOnField(label=_("Day"))
    reason = forms.CharField(
        label=_("Why?"),
        max_length=REASON_LENGTH,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off", "dir": "auto"}),
        error_messages={"required": _("Type a reason.")},
    )

    def __init__(self, *args: Any, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(PlayedOnField, self.fields["day"]).until(today)
