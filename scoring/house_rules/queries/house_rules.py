"""The named sets of rules of a club."""

from datetime import date
from typing import Any

from scoring.access import permissions
from scoring.access.permissions import Action
from scoring.common.actor import Actor
from scoring.models import Club, HouseRules
from scoring.rules import rules_key


def sets_of(club: Club) -> list[HouseRules]:
    """The club's sets, the default first, then in the order they were made. One query."""
    sets = club.rule_sets.order_by("created_at", "name")
    return sorted(sets, key=lambda each: each.id != club.house_rules_id)


def sets_for_today(club: Club, today: date) -> list[HouseRules]:
    """The same, and before all others what a season that runs is played by. Two queries."""
    running = club.seasons.filter(closed_at=None, starts_on__lte=today, ends_on__gte=today)
    keys = set(running.exclude(rules_key="").values_list("rules_key", flat=True))
    sets = sets_of(club)
    return sorted(sets, key=lambda each: rules_key(each.ruleset) not in keys) if keys else sets


def sets_seen_by(actor: Actor) -> list[HouseRules]:
    """The sets of every club whose rules `who` may read, club by club as `sets_of` orders them.
    One query for an account beside that of its roles, none for anybody else."""
    if actor.user is None or not actor.user.club_roles:
        return []
    sets = HouseRules.objects.filter(club__in=list(actor.user.club_roles)).select_related("club")
    seen = [each for each in sets if permissions.may(Action.SEE_CLUB, each.club, actor)]
    return sorted(seen, key=_place)


def _place(rules: HouseRules) -> tuple[Any, ...]:
    club = rules.club
    is_default = rules.id == club.house_rules_id
    return club.name, club.id, not is_default, rules.created_at, rules.name
