"""The form of a season, and how far it is in words."""

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
from scoring.standings.services.seasons import SeasonData, SeasonRules, rules_of

STATE_WORDS: dict[State, Any] = {
    "to_come": _("has not begun"),
    "runs": _("runs"),
    "over": _("is over, not closed yet"),
    "closed": _("closed"),
}
KEPT = "kept"
FIELDS = {"criteria": "first_by"}
"""Where a refusal of the service is said."""


class SeasonForm(CriteriaFields):
    """From when to when, which matches count, and how people are ranked."""

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

    def __init__(
        self, *args: Any, instance: Season, sets: Sequence[HouseRules], **kwargs: Any
    ) -> None:
        self.instance = instance
        kept = ("name", "starts_on", "ends_on", "minimum", "counted")
        initial = {name: getattr(instance, name) for name in kept}
        initial["rules"] = KEPT if instance.rules_key else ""
        super().__init__(*args, initial=initial, **kwargs)
        self.sets = {str(each.id): each for each in sets}
        field = self.fields["rules"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("All matches")), *self._kept(), *rules_choices(sets)]
        field.widget.attrs["class"] = "input"

    def _kept(self) -> list[tuple[str, str]]:
        if not self.instance.rules_key:
            return []
        return [(KEPT, gettext("As now: {name}").format(name=season_rules(self.instance)))]

    @property
    def wish(self) -> SeasonData:
        """What a valid form asks for."""
        data = self.cleaned_data
        names = ("name", "starts_on", "ends_on", "criteria", "minimum", "counted")
        return SeasonData(**{name: data[name] for name in names}, rules=self._rules(data["rules"]))

    def _rules(self, chosen: str) -> SeasonRules | None:
        if not chosen or chosen == KEPT:
            return rules_of(self.instance) if chosen else None
        if own := self.sets.get(chosen):
            return SeasonRules(own.name, own.preset, own.ruleset)
        return SeasonRules("", chosen, preset(chosen))
