"""The code of a link as people type it."""

from django import forms
from django.utils.translation import gettext_lazy as _


class CodeForm(forms.Form):
    """A code in any spelling; what it opens, the service knows."""

    code = forms.CharField(
        label=_("Code"),
        help_text=_("Ten letters and digits; they stand beside the picture to scan."),
        error_messages={"required": _("Type the code.")},
        widget=forms.TextInput(
            attrs={
                "class": "input code",
                "dir": "ltr",
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "placeholder": "XXXXX-XXXXX",
            }
        ),
    )
