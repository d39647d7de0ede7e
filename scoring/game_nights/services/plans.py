"""An evening before it begins: what it is called, when, by which rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext, override

from scoring.common.actor import Actor
from scoring.common.errors import RefusalCode, ServiceError
from scoring.models import Club, Evening
from scoring.models.days import zone_of
from scoring.people.services.naming import kept_name
from scoring.rules import Ruleset, ruleset


@dataclass(frozen=True)
class Rules:
    """What its tables are opened with."""

    ruleset: Ruleset
    preset: str
    name: str = ""

    @property
    def fields(self) -> Mapping[str, Any]:
        return {
            "system": self.ruleset.system,
            "options": self.ruleset.options(),
            "preset": self.preset,
            "rules_name": self.name,
        }


@dataclass(frozen=True)
class GameNightPlan:
    """Without a name it is called after its day."""

    name: str
    starts_at: datetime
    rules: Rules
    tables_are_open: bool = True
    in_pairs: bool = False


@transaction.atomic
def plan(
    *, club: Club, evening_id: UUID, wanted: GameNightPlan, actor: Actor, now: datetime
) -> Evening:
    """A new evening. The same id again is the same evening, unless it is another club's."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    known = Evening.objects.filter(pk=evening_id).first()
    if known and known.club_id != club.id:
        raise ServiceError(RefusalCode.FORM_EXPIRED, "entry_key")
    if known:
        return known
    evening = Evening(id=evening_id, club=club, created_by=actor.user, created_at=now)
    _fill(evening, wanted)
    evening.save(force_insert=True)
    return evening


@transaction.atomic
def change(*, evening_id: UUID, wanted: GameNightPlan) -> Evening:
    """Rules and pairs stay as they are once a table was opened."""
    evening = _locked(evening_id)
    fixed = _fixed(evening)
    _fill(evening, wanted)
    if fixed != _fixed(evening) and evening.matches.exists():
        raise ServiceError(RefusalCode.HAS_BEGUN, "rules")
    evening.save()
    return evening


@transaction.atomic
def drop(*, evening_id: UUID) -> None:
    """Nothing is left of an evening at which no table was opened."""
    evening = _locked(evening_id)
    if evening.matches.exists():
        raise ServiceError(RefusalCode.HAS_BEGUN)
    evening.delete()


def _fixed(evening: Evening) -> tuple[Ruleset, bool]:
    return ruleset(evening.system, evening.options), evening.in_pairs


def _locked(evening_id: UUID) -> Evening:
    found = Evening.objects.select_for_update(no_key=True, of=("self",))
    evening = found.select_related("club").filter(pk=evening_id).first()
    if evening is None:
        raise ServiceError(RefusalCode.GONE)
    return evening


def _fill(evening: Evening, wanted: GameNightPlan) -> None:
    if wanted.in_pairs and not wanted.rules.ruleset.has_teams:
        raise ServiceError(RefusalCode.NO_TEAMS, "in_pairs")
    evening.name = kept_name(wanted.name or _day_name(evening.club, wanted.starts_at))
    evening.starts_at = wanted.starts_at
    evening.tables_are_open = wanted.tables_are_open
    evening.in_pairs = wanted.in_pairs
    for field, value in wanted.rules.fields.items():
        setattr(evening, field, value)


def is_named_by_day(evening: Evening) -> bool:
    """Whether the name is the automatic one, in whatever language the club had then."""
    languages = [language for language, _name in settings.LANGUAGES]
    day_names = {_day_name(evening.club, evening.starts_at, each) for each in languages}
    return evening.name in map(kept_name, day_names)


def _day_name(club: Club, moment: datetime, language: str = "") -> str:
    """On the clock of the club, and in its language or another one."""
    with override(language or club.language):
        day = date_format(moment.astimezone(zone_of(club)), "DATE_FORMAT")
        return gettext("Evening of %(day)s") % {"day": day}
