"""The named sets of rules of a club."""

from scoring.models import Club, HouseRules


def sets_of(club: Club) -> list[HouseRules]:
    """The club's sets, the default first, then in the order they were made. One query."""
    sets = club.rule_sets.order_by("created_at", "name")
    return sorted(sets, key=lambda each: each.id != club.house_rules_id)
