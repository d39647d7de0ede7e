"""Form fields that many forms share: names, whole numbers, seats, the key of a form."""

import uuid
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.common.error_sentences import PROBLEMS, REFUSALS, validation_error
from scoring.common.errors import RefusalCode
from scoring.models.clubs import NAME_LENGTH
from scoring.models.names import clean_name
from scoring.rules import ProblemCode


class NameField(forms.CharField):
    """A name of at most `limit` characters.

    The page sets no maxlength: a name that is too long comes back whole, with a sentence.
    """

    def __init__(self, *, limit: int = NAME_LENGTH, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.limit = limit
        self.widget.attrs |= {
            "class": "input",
            "autocomplete": "off",
            "autocapitalize": "words",
            "spellcheck": "false",
            "dir": "auto",
        }

    def to_python(self, value: Any) -> str:
        return clean_name(super().to_python(value) or "")

    def validate(self, value: str) -> None:
        if self.required and not value:
            raise ValidationError(_("Type a name."), code="missing")
        if len(value) > self.limit:
            raise validation_error(RefusalCode.TOO_LONG, limit=self.limit, length=len(value))


class WholeField(forms.IntegerField):
    """A whole number in any digits, typed on a number pad."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs["widget"] = forms.TextInput(
            attrs={"class": "input num", "inputmode": "numeric", "autocomplete": "off"}
        )
        super().__init__(**kwargs)


def seat_field(label: Any) -> forms.TypedChoiceField:
    """Return a field for a seat, which may stay open until the cards are dealt."""
    return forms.TypedChoiceField(
        label=label,
        choices=[("", ""), *((str(seat), str(seat)) for seat in range(4))],
        coerce=int,
        empty_value=None,
        required=False,
        error_messages={"invalid_choice": PROBLEMS[ProblemCode.BAD_SEAT]},
    )


class EntryKeyField(forms.UUIDField):
    """The key of a form, made when the form is shown.

    A value that is no key is refused as expired, and the form goes back with a new key."""

    def __init__(self) -> None:
        expired = REFUSALS[RefusalCode.FORM_EXPIRED]
        errors = {"required": expired, "invalid": expired}
        super().__init__(widget=forms.HiddenInput, initial=uuid.uuid4, error_messages=errors)

    def bound_data(self, data: Any, initial: Any) -> Any:
        try:
            return self.clean(data)
        except ValidationError:
            return initial
