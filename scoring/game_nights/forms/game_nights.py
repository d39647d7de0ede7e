"""The forms of an evening, and its draw in words."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.common.day_fields import DayField
from scoring.common.form_fields import EntryKeyField, NameField
from scoring.game_nights.queries.game_nights import rules_of
from scoring.game_nights.services.plans import GameNightPlan, Rules, is_named_by_day
from scoring.house_rules.presenters.presets import (
    PresetCard,
    PresetCards,
    preset_field,
    rules_cards,
    rules_choices,
    rules_label,
)
from scoring.models import Club, DrawMethod, Evening, HouseRules
from scoring.models.days import YEARS, zone_of
from scoring.rules import preset

KEPT = "kept"
"""The rules that an evening has already."""


class TimeField(forms.TimeField):
    """A time of day, from the phone's own clock."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TimeInput(format="%H:%M", attrs={"class": "input", "type": "time"})
        super().__init__(widget=widget, input_formats=["%H:%M", "%H:%M:%S"], **kwargs)


class EveningForm(forms.Form):
    """When, by which rules, and who may look; it needs no name."""

    day = DayField(label=_("Day"))
    time = TimeField(label=_("Begins at"))
    name = NameField(
        label=_("Name of the evening"),
        required=False,
        help_text=_("Without one it is called after its day."),
    )
    rules = preset_field()
    in_pairs = forms.BooleanField(
        label=_("In pairs"),
        help_text=_("Partners stay together all evening and sit opposite. Needs rules with teams."),
        required=False,
    )
    tables_are_open = forms.BooleanField(
        label=_("Everybody may look at the tables while they play"),
        help_text=_(
            "Otherwise a table is seen by those who sit at it and by whoever hosts the evening,"
            " until its match is finished."
        ),
        required=False,
    )
    entry_key = EntryKeyField()

    def __init__(
        self,
        *args: Any,
        club: Club,
        sets: Sequence[HouseRules],
        evening: Evening | None = None,
        starts_at: datetime,
        **kwargs: Any,
    ) -> None:
        """`starts_at`: what is proposed, or what is planned already."""
        super().__init__(*args, **kwargs)
        self.zone = zone_of(club)
        self.evening = evening
        self.sets = {str(each.id): each for each in sets}
        local = starts_at.astimezone(self.zone)
        self.initial.update(day=local.date(), time=local.time())
        choices = rules_choices(sets)
        if evening:
            choices = [(KEPT, ""), *choices]
            self.initial.update(
                name="" if is_named_by_day(evening) else evening.name,
                rules=KEPT,
                in_pairs=evening.in_pairs,
                tables_are_open=evening.tables_are_open,
            )
        else:
            self.initial.update(rules=choices[0][0], tables_are_open=True)
        cast(forms.ChoiceField, self.fields["rules"]).choices = choices

    def clean_day(self) -> date:
        """No day at the ends of time, where no calendar has a day before or behind it."""
        day: date = self.cleaned_data["day"]
        if day.year not in YEARS:
            raise ValidationError(self.fields["day"].error_messages["invalid"], code="invalid")
        return day

    def cards(self) -> PresetCards:
        """The rules to choose from, the ones it has first."""
        chosen = self["rules"].value()
        found = rules_cards(list(self.sets.values()), chosen)
        if self.evening is None:
            return found
        label = self.evening.rules_name or rules_label(self.evening.preset, self.evening.system)
        own = PresetCard(KEPT, label, gettext("As planned."), chosen == KEPT, by_dealer=False)
        return PresetCards([own, *found.first], found.more)

    def plan(self) -> GameNightPlan:
        """Of a valid form."""
        given = self.cleaned_data
        return GameNightPlan(
            name=given["name"],
            starts_at=datetime.combine(given["day"], given["time"], self.zone),
            rules=self._rules(given["rules"]),
            tables_are_open=given["tables_are_open"],
            in_pairs=given["in_pairs"],
        )

    def _rules(self, chosen: str) -> Rules:
        if self.evening and chosen == KEPT:
            return Rules(rules_of(self.evening), self.evening.preset, self.evening.rules_name)
        if own := self.sets.get(chosen):
            return Rules(own.ruleset, own.preset, own.name)
        return Rules(preset(chosen), chosen)


class DrawWay(NamedTuple):
    """One way to draw: what the button says, and what it does."""

    method: str
    label: Promise
    sentence: Promise


WAYS = (
    DrawWay("meet", _("So that people meet"), _("Who has not met yet sits together.")),
    DrawWay("lot", _("By lot"), _("Chance alone.")),
    DrawWay("standing", _("By standing"), _("The best so far sit at the first table.")),
)

DRAWN_BY = {
    DrawMethod.LOT: _("Drawn by lot."),
    DrawMethod.STANDING: _("Drawn by standing: the best so far sit at the first table."),
    DrawMethod.MEET: _("Drawn so that people meet those whom they have met least."),
    DrawMethod.HAND: _("Changed by hand after the draw."),
}


def ways(number: int) -> Sequence[DrawWay]:
    """The ways to draw a round. In the first nobody has met and nobody stands anywhere."""
    return WAYS[1:2] if number == 1 else WAYS


def drawn_by(method: str) -> Any:
    return DRAWN_BY[DrawMethod(method)]
