"""Sentences about what was done with a player, and the forms of their page."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.common import words
from scoring.common.form_fields import NameField
from scoring.models import PersonEvent, PersonEventKind

EVENT_SENTENCES: dict[str, Any] = {
    PersonEventKind.MERGED: _("Put together with {name}"),
    PersonEventKind.UNMERGED: _("Taken apart from {name}"),
    PersonEventKind.RENAMED: pgettext_lazy("person", "Renamed"),
    PersonEventKind.HIDDEN: pgettext_lazy("person", "Hidden"),
    PersonEventKind.SHOWN: pgettext_lazy("person", "Shown again"),
    PersonEventKind.ANONYMISED: pgettext_lazy("person", "Made anonymous"),
    PersonEventKind.ARCHIVED: pgettext_lazy("person", "Put away"),
    PersonEventKind.BROUGHT_BACK: pgettext_lazy("person", "Brought back"),
    PersonEventKind.CLAIMED: _("An account took this name"),
    PersonEventKind.RELEASED: _("Parted from its account"),
    PersonEventKind.VERIFIED: _("Said to be known"),
}

SUCCESS_SENTENCES: dict[str, Any] = {
    "add": _("{name} can sit at tables now."),
    "rename": _("The name is {name} now."),
    "archive": _("{name} is put away; old matches keep the name."),
    "bring_back": _("{name} is back."),
    "verify": _("{name} is known now."),
    "hide": _("This person is called {name} from now on, everywhere."),
    "show": _("Everybody reads {name} again."),
    "anonymise": _("This person is anonymous now: {name}."),
    "merge": _("All of it counts for {name} now."),
    "unmerge": _("{name} is somebody again, with everything that was theirs."),
    "release": _("{name} has no account any more."),
}


def event_line(event: PersonEvent, name: str) -> SafeString:
    """Describe an event of a player; `name` is the current name of the other player in it."""
    return format_html(str(EVENT_SENTENCES.get(event.kind, event.kind)), name=words.person(name))


def success_message(action: str, name: str) -> SafeString:
    """Return the message shown after an action on a player."""
    return format_html(str(SUCCESS_SENTENCES[action]), name=words.person(name))


class HideForm(forms.Form):
    """The name to show instead of the own one; empty: a number within the club."""

    name = NameField(label=_("Called instead"), required=False)


class ConfirmForm(forms.Form):
    """A checkbox to confirm what cannot be undone."""

    sure = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        if not self.cleaned_data.get("sure"):
            text = gettext("Tick that you are sure. Nobody can take it back.")
            raise ValidationError(text, code="not_sure")
        return self.cleaned_data
