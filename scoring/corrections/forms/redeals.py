"""The form in which a table says that cards are dealt again."""

from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.common.form_fields import seat_field
from scoring.history.presenters.match_adjustments import REDEALS
from scoring.rules import Ruleset, redeals
from scoring.rules.cards import suit

WEAK_HEARTS = {
    "on": _("Hearts held: only the king, the ace or these two, or five and more with the king."),
    "with_one_card": _(
        "Hearts held: the king or the ace with at most one more, or five and more with the king."
    ),
}
TWOS = {
    "on_trex": _("Trex was chosen: four 2s, or three and the 3 of the missing suit."),
    "before_choice": _("Before the choice: four 2s, or three and the 3 of the missing suit."),
}
ALWAYS = {
    "misdeal": _("A card was seen, or somebody has too many or too few."),
    "other": _("Whatever the table agreed on, in its own words."),
}
BY_ENTRY = "queens_draw"
"""Not asked for here: saving such queens offers it."""


def sentence(reason: str, ruleset: Ruleset) -> str | Promise:
    """When this table deals again for a reason."""
    rule = ruleset.redeal
    said = {"weak_hearts": WEAK_HEARTS.get(rule.weak_hearts), "twos": TWOS.get(rule.twos)}
    return said.get(reason) or ALWAYS[reason]


def cards_that_matter(reason: str, ruleset: Ruleset) -> tuple[str, ...]:
    """The cards by which a hand is judged."""
    if reason == "weak_hearts":
        return tuple(card for card in reversed(ruleset.deck) if suit(card) == "H")
    return tuple(rank + card for rank in "23" for card in "SHDC") if reason == "twos" else ()


class RedealForm(forms.Form):
    """Who asks and why; the cards that show it where the asker likes."""

    why = forms.ChoiceField(
        error_messages={"required": _("Please say why."), "invalid_choice": _("Please say why.")}
    )
    asked_by = seat_field(_("Who asks?"))
    hand = forms.MultipleChoiceField(required=False)
    reason = forms.CharField(required=False, label=_("In words"))

    def __init__(self, ruleset: Ruleset, data: Any = None) -> None:
        super().__init__(data)
        self.ruleset = ruleset
        self.reasons = [why for why in redeals.redeal_reasons(ruleset) if why != BY_ENTRY]
        fields: Any = self.fields
        fields["why"].choices = [(why, REDEALS[why]) for why in self.reasons]
        fields["hand"].choices = [(card, card) for card in ruleset.deck]

    def redeal(self) -> redeals.RedealRequest:
        """What was said, without cards that belong to another reason."""
        told = self.cleaned_data
        matter = cards_that_matter(told["why"], self.ruleset)
        hand = tuple(card for card in matter if card in told["hand"])
        return redeals.RedealRequest(told["why"], told["asked_by"], hand)
