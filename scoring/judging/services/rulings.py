"""Rulings: how an argument about a deal ends.

An arbiter rules in whatever state the match is; a finished one is not reopened for it. A later
ruling on the same number names the one that it replaces, and nothing is removed: a correction is a
deal in place of the one that stood, points beside it are taken back by a row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from django.db.models import Q

from scoring.common.errors import RefusalCode, ServiceError, Stale, raise_for
from scoring.corrections.queries.effects import with_rows_of
from scoring.judging.services import disputes
from scoring.ledger.queries.snapshots import MatchSnapshot, current_deals_of, snapshot_of
from scoring.ledger.services import chain, current_deals
from scoring.ledger.services import deals as ledger
from scoring.ledger.services.chain import Write, match_write, refuse_unseen
from scoring.models import (
    Adjustment,
    Deal,
    EventKind,
    LedgerRow,
    Match,
    MatchEvent,
    MatchState,
    Outcome,
    Ruling,
    Void,
)
from scoring.rules import Entry, Problem, ProblemCode
from scoring.rules.adjustments import KNOWN, RULING, check_adjustment
from scoring.rules.ranking import Four
from scoring.rules.rulesets.contested import DISPUTED_RULES


@dataclass(frozen=True)
class Decision:
    """What an arbiter finds of a deal. A correction has an `entry`, a revoke one in which somebody
    revoked; `adjustment` are the points of each seat that stand beside the deal then."""

    outcome: str
    entry: Entry | None = None
    dealer: int | None = None
    leader: int | None = None
    adjustment: Sequence[int] | None = None


@dataclass(frozen=True)
class RulingPlan:
    """A ruling before it is published: the match as it would be, the deal that takes the place of
    the one that stands, the points beside it, and what is taken back of an earlier ruling."""

    before: MatchSnapshot
    after: MatchSnapshot
    deal_number: int
    deal: Deal | None
    adjustment: Adjustment | None
    voids: tuple[Void, ...]

    @property
    def rows(self) -> list[LedgerRow]:
        """Everything that it writes beside the ruling, in order."""
        return [*self.voids, *filter(None, (self.deal, self.adjustment))]


def _same_ruling(match: Match, event: MatchEvent) -> Ruling:
    return Ruling.objects.get(event=event)


@match_write(EventKind.RULING_PUBLISHED, _same_ruling, refuse=())
def publish(
    match: Match, write: Write, *, deal_number: int, decision: Decision, reason: str, rule: str = ""
) -> Ruling:
    """Writes what the arbiter found, with its grounds, as one event with all that follows. Stale
    only where something of this deal was changed since; other deals may have been played."""
    refuse_unruled(match, deal_number)
    _refuse_changed(match, deal_number, write)
    reason = grounds(reason, rule)
    before = current_deals_of(match, events=False)
    plan = planned(snapshot_of(match, before), deal_number, decision)
    ruling = _ruling(match, plan, decision.outcome, rule)
    facts = {"deal_number": deal_number}
    told = [*plan.rows, ruling]
    chain.append(match, write, EventKind.RULING_PUBLISHED, told, facts=facts, reason=reason)
    if plan.deal:
        current_deals.refresh(plan.after, before)
    disputes.refresh(match, deal_number)
    return ruling


def grounds(reason: str, rule: str = "") -> str:
    """The grounds as they are kept; refused without any, and with a rule that nobody disputes."""
    if rule and rule not in DISPUTED_RULES:
        raise ServiceError(RefusalCode.UNKNOWN_RULE, "rule")
    return chain.needed_reason(reason)


def refuse_unruled(match: Match, number: int) -> None:
    """Where nobody may rule: a match without a club, one that is void, a deal that never was."""
    if match.club_id is None:
        raise ServiceError(RefusalCode.NO_ARBITER)
    if match.state == MatchState.VOIDED:
        raise ServiceError(RefusalCode.MATCH_VOIDED)
    if not Deal.objects.filter(match=match, deal_number=number).exists():
        raise ServiceError(ProblemCode.WRONG_NUMBER, "deal_number")


# ---- What a ruling would write


def planned(table: MatchSnapshot, number: int, decision: Decision) -> RulingPlan:
    """The ruling worked out and checked as any other entry is (C55). Nothing is saved. Every
    ruling takes back the points of the one before; the deal stays as it stands unless it is
    corrected."""
    earlier = [row for row in table.adjustments if is_of_ruling(row, number)]
    deal = _deal(table, number, decision)
    adjustment = _adjustment(table, number, decision)
    beside = [row for row in table.adjustments if row not in earlier]
    beside += [adjustment] if adjustment else []
    after = replace(
        with_rows_of(table, {number: deal} if deal else {}),
        known_adjustments=tuple(sorted(beside, key=attrgetter("after_deal"))),
        known_disputes=tuple(row for one, row in table.disputes.items() if one != number),
    )
    voids = tuple(Void(adjustment=row) for row in earlier)
    return RulingPlan(table, after, number, deal, adjustment, voids)


def is_of_ruling(row: Adjustment, number: int) -> bool:
    """Whether these are points that a ruling on this deal gave or took."""
    return row.code == RULING and row.after_deal == number


def _deal(table: MatchSnapshot, number: int, decision: Decision) -> Deal | None:
    if decision.outcome not in Outcome.values:
        raise ServiceError(ProblemCode.MISSING, "outcome")
    if decision.outcome not in (Outcome.CORRECTED, Outcome.REVOKE):
        return None
    old, entry = table.deal(number), decision.entry
    if old is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "deal")
    if entry is None:
        raise ServiceError(ProblemCode.MISSING, "entry")
    if decision.outcome == Outcome.REVOKE and entry.tally.revoke_by is None:
        raise ServiceError(ProblemCode.MISSING, "revoke_by")
    dealer, leader = decision.dealer, decision.leader
    deal = ledger.in_place_of(table, old, entry, dealer=dealer, leader=leader)
    same = (getattr(deal, name) == getattr(old, name) for name in ("payload", "dealer", "leader"))
    if all(same):
        raise ServiceError(RefusalCode.NOTHING_CHANGED, "entry")
    return deal


def _adjustment(table: MatchSnapshot, number: int, decision: Decision) -> Adjustment | None:
    if decision.outcome != Outcome.ADJUSTED:
        return None
    last = table.deals[-1].deal_number if table.deals else 0
    points = decision.adjustment or ()
    problems = check_adjustment(RULING, points, number, last, codes=KNOWN)
    raise_for(Problem(one.code, one.field, one.numbers) for one in problems)
    return Adjustment(after_deal=number, code=RULING, points=list(points))


def _ruling(match: Match, plan: RulingPlan, outcome: str, rule: str) -> Ruling:
    number = plan.deal_number
    rulings = Ruling.objects.filter(match.numbered(number), match=match, replaced_by=None)
    return Ruling(
        deal_number=number,
        outcome=outcome,
        rule=rule,
        deal=plan.deal,
        adjustment=plan.adjustment,
        before=list(worth(plan.before, number)),
        after=list(worth(plan.after, number)),
        replaces=rulings.first(),
    )


def worth(table: MatchSnapshot, number: int) -> Four:
    """What a deal brings each seat, with what rulings gave or took beside it."""
    rows = [
        row.points
        for row in table.sheet.rows
        if (row.deal and row.deal.deal_number == number)
        or (row.adjustment and row.adjustment.reason == RULING and row.number == number)
    ]
    one, two, three, four = (sum(points[seat] for points in rows) for seat in range(4))
    return one, two, three, four


# ---- What came in between


def _refuse_changed(match: Match, number: int, write: Write) -> None:
    """Stale where what the page showed of this deal is not so any more."""
    refuse_unseen(match, write)
    if write.version == match.version:
        return
    touches = (
        Q(deals__deal_number=number)
        | Q(voids__deal__deal_number=number)
        | Q(rulings__deal_number=number)
        | Q(cardrecords__deal_number=number)
        | Q(voids__record__deal_number=number)
    )
    later = match.events.filter(touches, seq__gt=write.version).select_related("user")
    events = later.order_by("seq").distinct()
    if events:
        deals = Deal.objects.filter(match=match, deal_number=number, event__seq__gt=write.version)
        raise Stale(match.version, events, deals.select_related("event").order_by("event__seq"))
