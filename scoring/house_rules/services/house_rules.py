"""A club's named sets of rules: made, changed, copied, taken away, one of them the default.

No match looks at them after it was opened, so any of this may happen while matches run.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from scoring.common.errors import RefusalCode, ServiceError, raise_for
from scoring.models import Club, HouseRules
from scoring.models.names import same_name
from scoring.people.services.naming import kept_name
from scoring.rules import PRESETS, ProblemCode, Ruleset, RulesRefused, ruleset

MOST_SETS = 50
"""More than any club plays by, and still one list on one page."""


@transaction.atomic
def create(*, club: Club, name: str, preset: str, options: Mapping[str, Any]) -> HouseRules:
    """A new set, started from this preset; the first of a club is its default. `options` is all in
    which it differs from the system, not only from the preset. Asking again, because the answer
    was lost on its way, gives the same one."""
    _lock(club.pk)
    if preset not in PRESETS:
        raise ServiceError(RefusalCode.UNKNOWN_PRESET, "preset")
    rules = allowed(PRESETS[preset].system, options)
    kept = {"preset": preset, "system": rules.system, "options": rules.options()}
    if there := club.rule_sets.filter(name=kept_name(name), **kept).first():
        return there
    if club.rule_sets.count() >= MOST_SETS:
        raise ServiceError(ProblemCode.TOO_MANY, "name", {"limit": MOST_SETS})
    made = HouseRules(club=club, **kept)
    _save(made, name)
    if club.house_rules_id is None:
        set_default(club=club, rules=made)
    return made


@transaction.atomic
def change(*, rules: HouseRules, name: str, options: Mapping[str, Any], seen: str = "") -> None:
    """For matches to come; those that were opened keep theirs. `seen` is the `mark` of what its
    writer looked at: what somebody else changed meanwhile is not written over unseen."""
    _lock(rules.club_id)
    _refuse_gone(rules)
    if seen and seen != mark(HouseRules.objects.get(pk=rules.pk)):
        raise ServiceError(RefusalCode.STALE)
    rules.options = allowed(rules.system, options).options()
    rules.__dict__.pop("ruleset", None)
    _save(rules, name)


def mark(rules: HouseRules) -> str:
    """Another one whenever something of the set is changed."""
    kept = json.dumps([rules.name, rules.options], sort_keys=True)
    return sha256(kept.encode()).hexdigest()[:16]


@transaction.atomic
def set_default(*, club: Club, rules: HouseRules) -> None:
    """What a new match is offered first."""
    _lock(club.pk)
    _refuse_gone(rules)
    club.house_rules = rules
    club.save(update_fields=["house_rules"])


@transaction.atomic
def delete(*, rules: HouseRules) -> None:
    """Takes the set away. Was it the default, the oldest of the others is from now on."""
    club = _lock(rules.club_id)
    was_default = club.house_rules_id == rules.pk
    rules.delete()
    if was_default:
        club.house_rules = club.rule_sets.order_by("created_at").first()
        club.save(update_fields=["house_rules"])


def allowed(system: str, options: Mapping[str, Any]) -> Ruleset:
    """The rules, or a refusal with every problem at its option."""
    try:
        return ruleset(system, options)
    except RulesRefused as refused:
        raise_for(refused.problems)
        raise


def _lock(club_id: UUID) -> Club:
    """What is done to the sets of a club is done one after the other."""
    return Club.objects.select_for_update(no_key=True).get(pk=club_id)


def _refuse_gone(rules: HouseRules) -> None:
    """Somebody else may have taken the set away in between."""
    if not HouseRules.objects.filter(pk=rules.pk).exists():
        raise ServiceError(RefusalCode.GONE)


def _save(rules: HouseRules, name: str) -> None:
    rules.name = kept_name(name)
    others = HouseRules.objects.filter(club=rules.club_id).exclude(pk=rules.pk)
    taken = {same_name(other) for other in others.values_list("name", flat=True)}
    if same_name(rules.name) in taken:
        raise ServiceError(RefusalCode.TAKEN, "name")
    try:
        with transaction.atomic():
            rules.save()
    except IntegrityError:
        raise ServiceError(RefusalCode.TAKEN, "name") from None
