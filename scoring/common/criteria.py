"""Criteria of standings: their labels, and the form fields that clubs and seasons share."""

from typing import Any, NamedTuple, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.common.form_fields import WholeField
from scoring.rules.standings import CRITERIA


class CriterionWords(NamedTuple):
    """The words for one criterion.

    `label` heads a column and names a choice; `high` and `low` say which end wins; `decided` is in
    a row that only this criterion separates from the row above (C76)."""

    label: Promise
    high: Promise
    low: Promise
    decided: Promise


_BETTER_WINS = _("more first places")
_BETTER_PLACE = _("the better place on average")
_MORE_MATCHES = _("more matches")
_BETTER_RATING = _("the higher rating")

CRITERION_WORDS: dict[str, CriterionWords] = {
    "total": CriterionWords(
        pgettext_lazy("criterion", "Total"),
        _("the total, the highest first"),
        _("the total, the lowest first"),
        _("Level with the row above; the total decided."),
    ),
    "average": CriterionWords(
        pgettext_lazy("criterion", "Average"),
        _("the average of a match, the highest first"),
        _("the average of a match, the lowest first"),
        _("Level with the row above; the average decided."),
    ),
    "wins": CriterionWords(
        pgettext_lazy("criterion", "First places"),
        _BETTER_WINS,
        _BETTER_WINS,
        _("Level with the row above; the first places decided."),
    ),
    "place": CriterionWords(
        pgettext_lazy("criterion", "Average place"),
        _BETTER_PLACE,
        _BETTER_PLACE,
        _("Level with the row above; the average place decided."),
    ),
    "matches": CriterionWords(
        pgettext_lazy("criterion", "Matches"),
        _MORE_MATCHES,
        _MORE_MATCHES,
        _("Level with the row above; the number of matches decided."),
    ),
    "rating": CriterionWords(
        pgettext_lazy("criterion", "Rating"),
        _BETTER_RATING,
        _BETTER_RATING,
        _("Level with the row above; the rating decided."),
    ),
}
assert set(CRITERIA) == set(CRITERION_WORDS)


class CriteriaFields(forms.Form):
    """Form fields for the criteria and the least number of matches."""

    first_by = forms.ChoiceField(label=_("Ranked by"))
    second_by = forms.ChoiceField(label=_("Who is level there, by"), required=False)
    third_by = forms.ChoiceField(label=_("Who still is level, by"), required=False)
    minimum = WholeField(
        label=_("Matches from which somebody is ranked"),
        help_text=_(
            "Whoever has fewer stands apart, with what is lacking. 0: everybody is ranked."
        ),
        min_value=0,
        max_value=999,
    )
    CHOICES = ("first_by", "second_by", "third_by")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = [*cast(Any, self).instance.criteria, "", "", ""]
        named = [(name, each.label) for name, each in CRITERION_WORDS.items()]
        for name, chosen in zip(self.CHOICES, own, strict=False):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = named if field.required else [("", _("nothing else")), *named]
            field.widget.attrs["class"] = "input"
            self.initial[name] = chosen

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or self.cleaned_data
        chosen: list[str] = []
        for name in self.CHOICES:
            if found.get(name) in chosen:
                self.add_error(name, ValidationError(_("This was said already."), code="twice"))
            chosen += [found[name]] if found.get(name) else []
        found["criteria"] = chosen
        return found
