"""Forms that set a match up: who sits where, under which rules."""

import json
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.common import words
from scoring.common.day_fields import PlayedOnField
from scoring.common.form_fields import EntryKeyField, NameField, seat_field
from scoring.house_rules.presenters.presets import (
    PRESET_WORDS,
    preset_field,
    rules_choices,
)
from scoring.models import HouseRules, Player
from scoring.models.names import same_name
from scoring.rules import PRESETS, Ruleset, RulesRefused, ruleset

RULES_WRONG = _("These rules do not fit together. Please change them once more.")


class OptionsField(forms.Field):
    """The options of changed rules, carried from page to page unseen; None: nothing was changed."""

    def __init__(self) -> None:
        super().__init__(required=False, widget=forms.HiddenInput)

    def to_python(self, value: Any) -> Any:
        try:
            return json.loads(value) if value else None
        except (ValueError, RecursionError):
            raise ValidationError(RULES_WRONG, code="bad_option_value") from None


class StartForm(forms.Form):
    """Four names and the rules, a preset or one with changes: all that a match without a club
    needs."""

    name0 = NameField(label=_("Player 1"))
    name1 = NameField(label=_("Player 2"))
    name2 = NameField(label=_("Player 3"))
    name3 = NameField(label=_("Player 4"))
    namesakes = forms.BooleanField(required=False)
    preset = preset_field()
    options = OptionsField()
    entry_key = EntryKeyField()
    asks_namesakes = False
    rules: Ruleset

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.names():
            hint = "go" if field.name == "name3" else "next"
            field.field.widget.attrs["enterkeyhint"] = hint

    def names(self) -> list[forms.BoundField]:
        """The four name fields in seat order."""
        return [self[f"name{seat}"] for seat in range(4)]

    def clean(self) -> dict[str, Any]:
        self._clean_names()
        self._clean_rules()
        return self.cleaned_data

    def _clean_names(self) -> None:
        """One name twice is asked about: two people who share it are told apart by their seats."""
        seen: set[str] = set()
        for field in self.names():
            name = self.cleaned_data.get(field.name, "")
            if name and same_name(name) in seen:
                self.asks_namesakes = True
                if not self.cleaned_data.get("namesakes"):
                    self.add_error(field.name, same_person(name))
            seen.add(same_name(name))

    def _clean_rules(self) -> None:
        name, options = self.cleaned_data.get("preset"), self.cleaned_data.get("options")
        if name is None:
            return
        chosen = PRESETS[name]
        try:
            self.rules = ruleset(chosen.system, chosen.options if options is None else options)
        except RulesRefused as refused:
            self.add_error("options", ValidationError(RULES_WRONG, refused.problems[0].code))

    def own_rules(self) -> Ruleset | None:
        """The changed rules that this form carries; None where it is a preset as it stands, or
        where what it carries cannot be played."""
        name, text = self["preset"].value(), self["options"].value()
        if not text or name not in PRESETS:
            return None
        try:
            return ruleset(PRESETS[name].system, json.loads(text))
        except (ValueError, RecursionError, RulesRefused):
            return None

    def players(self) -> list[str]:
        """The four names in seat order, of a valid form."""
        return [self.cleaned_data[field.name] for field in self.names()]


def same_person(name: str) -> ValidationError:
    said = format_html(gettext("{name} sits here already."), name=words.person(name))
    return ValidationError(said, code="same_person")


class SeatsForm(forms.Form):
    """A club's match: four of its people in seat order, the rules, and perhaps who begins."""

    table_name = NameField(label=_("Table"), required=False)
    rules = preset_field()
    first_chooser = seat_field(_("Who holds the seven of hearts?"))
    first_dealer = seat_field(_("Who deals first?"))
    day = PlayedOnField(
        label=_("Day"),
        required=False,
        help_text=_("Leave empty for a match that begins now."),
    )
    entry_key = EntryKeyField()

    def __init__(
        self,
        *args: Any,
        seated: Iterable[Player],
        sets: Sequence[HouseRules],
        today: date,
        **kwargs: Any,
    ) -> None:
        """`sets`: the club's own rules, the usual ones first. `today` is the day of the club."""
        super().__init__(*args, **kwargs)
        cast(PlayedOnField, self.fields["day"]).until(today)
        self.initial["rules"] = str(sets[0].id) if sets else next(iter(PRESET_WORDS))
        self.seated = list(seated)
        self.sets = {str(each.id): each for each in sets}
        cast(forms.ChoiceField, self.fields["rules"]).choices = rules_choices(sets)

    def clean(self) -> dict[str, Any]:
        if len({player.id for player in self.seated}) < len(self.seated):
            self.add_error(None, ValidationError(_("One person sits twice."), code="same_person"))
        if len(self.seated) != 4:
            self.add_error(
                None,
                ValidationError(
                    _("Four people make a table; here are %(count)s."),
                    code="missing",
                    params={"count": len(self.seated)},
                ),
            )
        return self.cleaned_data
