"""A look at a change before its points are worked out: most cannot give what is wanted."""

from __future__ import annotations

from scoring.finder.sheet import Some
from scoring.finder.single import Step, after
from scoring.rules import Entry, Ruleset
from scoring.rules.items import COUNTED
from scoring.rules.places import Four
from scoring.rules.points import kabbout_by
from scoring.rules.seats import SEATS


def may_give(step: Step, entry: Entry, before: Four, wanted: Some, ruleset: Ruleset) -> bool:
    """False only where it is certain: what is counted and moved changes two seats and no other,
    unless a revoke or a kabbout is in play."""
    if step.item not in COUNTED or step.kind == "card" or entry.tally.revoke_by is not None:
        return True
    two = (step.source, step.target)
    if all(
        want is None or want == before[seat] or seat in two
        for seat, want in zip(SEATS, wanted, strict=True)
    ):
        return True
    return kabbout_by(entry, ruleset) is not None or (
        kabbout_by(after(entry, step), ruleset) is not None
    )
