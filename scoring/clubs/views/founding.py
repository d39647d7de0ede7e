"""Creating a club from its form."""

from datetime import datetime

from django.db import transaction

from scoring.clubs.forms.clubs import NewClubForm
from scoring.clubs.services.clubs import create_club
from scoring.common.actor import Actor
from scoring.models import Club, User
from scoring.people.services import people


@transaction.atomic
def found_club(
    form: NewClubForm, owner: User, person_name: str, asks: Actor, now: datetime
) -> Club:
    """Create the club of a validated form; its owner gets a person there, to sit at its tables."""
    names = ("name", "preset", "time_zone", "language", "is_public")
    values = {name: form.cleaned_data[name] for name in names}
    found = create_club(owner=owner, rules_name=form.rules_name(), **values)
    people.seat_account(club=found, user=owner, name=person_name, actor=asks, now=now)
    return found
