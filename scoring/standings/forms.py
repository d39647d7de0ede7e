"""The form of a season, and the words for its state."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.common.criteria import CriteriaFields
from scoring.common.day_fields import DayField
from scoring.common.form_fields import NameField, WholeField
from scoring.house_rules.presenters.presets import rules_choices, season_rules
from scoring.models import HouseRules, Season
from scoring.rules import preset
from scoring.standings.queries.seasons import State
from scoring.standings.services.seasons import FORM_FIELDS

STATE_WORDS: dict[State, Any] = {
    "to_come": _("has not begun"),
    "runs": _("runs"),
    "over": _("is over, not closed yet"),
    "closed": _("closed"),
}
KEPT = "kept"
FIELDS = {"criteria": "first_by"}
"""Form fields that show a service error under another name."""


class SeasonForm(CriteriaFields, forms.ModelForm[Season]):
    """Days, counted matches and ranking of a season."""

    name = NameField(label=_("Name of the season"))
    starts_on = DayField(label=_("First day"))
    ends_on = DayField(
        label=_("Last day"), help_text=_("A night belongs to the day on which it began.")
    )
    rules = forms.ChoiceField(
        label=_("Which matches count"),
        required=False,
        help_text=_("With rules chosen here, only matches that are opened by just these."),
    )
    counted = WholeField(
        label=_("Matches that count for each person"),
        help_text=_("The first ones in order of play. Empty: all of them."),
        required=False,
        min_value=1,
        max_value=999,
    )

    class Meta:
        model = Season
        fields = FORM_FIELDS

    def __init__(self, *args: Any, sets: Sequence[HouseRules], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sets = {str(each.id): each for each in sets}
        self.initial["rules"] = KEPT if self.instance.rules_key else ""
        field = self.fields["rules"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("All matches")), *self._current(), *rules_choices(sets)]
        field.widget.attrs["class"] = "input"

    def _current(self) -> list[tuple[str, str]]:
        if not self.instance.rules_key:
            return []
        return [(KEPT, gettext("As now: {name}").format(name=season_rules(self.instance)))]

    def clean(self) -> dict[str, Any]:
        found = super().clean()
        self.instance.criteria = found["criteria"]
        self._set_rules(found.get("rules", ""))
        return found

    def _set_rules(self, chosen: str) -> None:
        if own := self.sets.get(chosen):
            self.instance.set_rules(own.ruleset, preset=own.preset, name=own.name)
        elif not chosen:
            self.instance.set_rules(None)
        elif chosen != KEPT:
            self.instance.set_rules(preset(chosen), preset=chosen)

    def validate_constraints(self) -> None:
        """Leave them to the service, which checks them under its lock."""
