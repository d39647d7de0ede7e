"""Forms that set something up: a match, a club, its people."""

import unicodedata
import uuid
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.forms.presets import PRESET_WORDS, preset_choices

NAME_LENGTH = 40
# Marks that turn the direction of everything after them: no name needs one.
_TURNING = dict.fromkeys(map(ord, "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))


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
        text = unicodedata.normalize("NFC", super().to_python(value) or "")
        return " ".join(text.translate(_TURNING).split())

    def validate(self, value: str) -> None:
        if self.required and not value:
            raise ValidationError(_("Type a name here."), code="missing")
        if len(value) > self.limit:
            raise ValidationError(
                _("At most %(limit)s characters fit; these are %(length)s."),
                code="too_long",
                params={"limit": self.limit, "length": len(value)},
            )


def preset_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("Rules"),
        choices=preset_choices,
        initial=next(iter(PRESET_WORDS)),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose the rules."), "invalid_choice": _("Choose the rules.")},
    )


class StartForm(forms.Form):
    """Four names and a preset: all that a match without a club needs."""

    name0 = NameField(label=_("Player 1"))
    name1 = NameField(label=_("Player 2"))
    name2 = NameField(label=_("Player 3"))
    name3 = NameField(label=_("Player 4"))
    preset = preset_field()
    entry_key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for seat, field in enumerate(self.names()):
            hint = "go" if seat == 3 else "next"
            field.field.widget.attrs["enterkeyhint"] = hint

    def names(self) -> list[forms.BoundField]:
        """The four name fields in seat order."""
        return [self[f"name{seat}"] for seat in range(4)]

    def clean(self) -> dict[str, Any]:
        seen: set[str] = set()
        for field in self.names():
            name = self.cleaned_data.get(field.name, "")
            if name and name.casefold() in seen:
                self.add_error(field.name, same_person(name))
            seen.add(name.casefold())
        return self.cleaned_data

    def players(self) -> list[str]:
        """The four names in seat order, of a valid form."""
        return [self.cleaned_data[field.name] for field in self.names()]


def same_person(name: str) -> ValidationError:
    return ValidationError(
        _("%(name)s already sits at this table. Add a letter to tell two of them apart."),
        code="same_person",
        params={"name": name},
    )
