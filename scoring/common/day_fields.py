"""Fields for a day."""

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from scoring.common.error_sentences import validation_error
from scoring.common.errors import RefusalCode
from scoring.models.days import YEARS


class DayField(forms.DateField):
    """A day, chosen in the phone's own calendar."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateInput(format="%Y-%m-%d", attrs={"class": "input", "type": "date"})
        super().__init__(widget=widget, input_formats=["%Y-%m-%d"], **kwargs)


class PlayedOnField(DayField):
    """A day up to today, where `today` is the club's."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.today: date | None = None

    def until(self, today: date) -> None:
        self.today = today
        self.widget.attrs["max"] = today.isoformat()

    def validate(self, value: date | None) -> None:
        super().validate(value)
        if value is None:
            return
        if self.today and value > self.today:
            raise validation_error(RefusalCode.IN_FUTURE)
        if value.year not in YEARS:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
