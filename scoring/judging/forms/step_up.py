"""Name and password of an arbiter, typed on a phone that is not theirs."""

from django import forms
from django.utils.translation import gettext_lazy as _

QUIET = {"class": "input", "autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class StepUpForm(forms.Form):
    """The browser of a phone that belongs to somebody else is asked to keep neither."""

    name = forms.CharField(
        label=_("Name to sign in with"),
        max_length=150,
        widget=forms.TextInput(attrs={**QUIET, "dir": "auto", "enterkeyhint": "next"}),
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=1000,
        widget=forms.PasswordInput(attrs={**QUIET, "enterkeyhint": "go"}),
    )
