"""Form that moves a match to a club and says who its guests are there."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.common.form_fields import EntryKeyField
from scoring.models import Player
from scoring.models.name_matching import similarity
from scoring.models.names import same_name


class MoveToClubForm(forms.Form):
    """For each guest the player of the club; preset to the one of the same name."""

    entry_key = EntryKeyField()

    def __init__(
        self, *args: Any, guests: Iterable[Player], people: Sequence[Player], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.people = {str(person.id): person for person in people}
        self.guests = list(guests)
        for guest in self.guests:
            self.fields[_key(guest)] = self._field(guest, people)

    def _field(self, guest: Player, people: Sequence[Player]) -> forms.ChoiceField:
        like = sorted(people, key=lambda one: -similarity(guest.name, one.name))
        same = [one for one in people if same_name(one.plain_name) == same_name(guest.name)]
        return forms.ChoiceField(
            label=guest.name,
            choices=[("", _("A new guest")), *((str(one.id), one.name) for one in like)],
            initial=str(same[0].id) if len(same) == 1 else "",
            required=False,
            widget=forms.Select(attrs={"class": "input", "dir": "auto"}),
        )

    def fields_of_guests(self) -> list[forms.BoundField]:
        return [self[_key(guest)] for guest in self.guests]

    def same(self) -> dict[UUID, Player]:
        """Return the chosen player by guest. Call only after is_valid()."""
        chosen = {guest.id: self.cleaned_data[_key(guest)] for guest in self.guests}
        return {guest: self.people[person] for guest, person in chosen.items() if person}


def _key(guest: Player) -> str:
    return f"same-{guest.id}"
