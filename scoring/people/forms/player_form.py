"""The form that names a person of a club, and asks when the name is there already."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.common import words
from scoring.common.form_fields import NameField
from scoring.models.name_matching import folded


class PlayerForm(forms.Form):
    """A person of the club by name. A second one of the same name is asked about, not refused: of
    a name that differs in what people leave out or mix up in writing as well (C95)."""

    name = NameField(label=_("Name"))
    again = forms.BooleanField(required=False)

    def __init__(self, *args: Any, others: Iterable[str] = (), **kwargs: Any) -> None:
        """`others`: the names of the club's other people."""
        super().__init__(*args, **kwargs)
        self.others = others
        self.asks_again = False

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("name", "")
        alike = (other for other in self.others if folded(other) == folded(name))
        namesake = next(alike, None) if name else None
        if namesake and not self.cleaned_data.get("again"):
            self.asks_again = True
            said = format_html(
                gettext("{name} is in this club already. Is this somebody else?"),
                name=words.person(namesake),
            )
            self.add_error("name", ValidationError(said, code="same_name"))
        return self.cleaned_data
