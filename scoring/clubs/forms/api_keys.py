"""A key for a program, as its owner makes it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.common.form_fields import NameField
from scoring.models import TokenScope

SCOPE_WORDS = {
    TokenScope.READ: (
        pgettext_lazy("key of a program", "Reads"),
        _("Standings and matches of the club."),
    ),
    TokenScope.WRITE: (
        pgettext_lazy("key of a program", "Reads and writes"),
        _("Enters deals in running matches as well."),
    ),
    TokenScope.CALENDAR: (
        pgettext_lazy("key of a program", "Calendar"),
        _("Only the evenings that are planned."),
    ),
}


class TokenForm(forms.Form):
    """What the key is for, and what it opens."""

    name = NameField(label=_("What is it for?"))
    scope = forms.ChoiceField(
        label=_("What it opens"),
        choices=TokenScope.choices,
        initial=TokenScope.READ,
        widget=forms.RadioSelect,
    )


def scope_choices() -> list[tuple[TokenScope, Any, Any]]:
    """Every scope with its label and what it opens."""
    return [(scope, label, sentence) for scope, (label, sentence) in SCOPE_WORDS.items()]
