"""Form that filters the card records of a club."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.common import words
from scoring.models import Club, Player
from scoring.records.presenters.audits import CODE_LABELS
from scoring.records.queries.archive import RecordFilter

VERDICTS: dict[str, str | Promise] = {
    "differs": _("Entry and cards differ"),
    "open": _("Something stays open"),
    "agrees": _("Entry and cards agree"),
    "no_entry": _("Nothing entered"),
}
ANY = pgettext_lazy("verdict, contract, person or remark", "Any")


class RecordFilterForm(forms.Form):
    """Filter of the records of a club; unknown values in the query string are ignored."""

    verdict = forms.ChoiceField(label=_("Verdict"), required=False)
    code = forms.ChoiceField(label=_("What was found"), required=False)
    contract = forms.ChoiceField(label=_("Contract"), required=False)
    player = forms.ModelChoiceField(
        Player.objects.none(), label=_("Who sat there"), required=False, empty_label=ANY
    )

    def __init__(self, *args: Any, club: Club, contracts: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = sorted((words.contract(key), key) for key in contracts)
        self._set_choices("verdict", VERDICTS.items())
        self._set_choices("code", sorted(CODE_LABELS.items(), key=lambda pair: str(pair[1])))
        self._set_choices("contract", ((key, name) for name, key in named))
        people = self.fields["player"]
        assert isinstance(people, forms.ModelChoiceField)
        people.queryset = club.players.order_by("name", "created_at")
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"

    def _set_choices(self, name: str, choices: Iterable[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", ANY), *choices]

    @property
    def record_filter(self) -> RecordFilter:
        self.full_clean()
        found: dict[str, Any] = getattr(self, "cleaned_data", {})
        player = found.get("player")
        texts = {name: found.get(name, "") for name in ("verdict", "code", "contract")}
        return RecordFilter(**texts, player=player.id if player else None)
