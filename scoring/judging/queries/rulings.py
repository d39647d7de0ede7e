"""What arbiters have ruled: on a deal, in a match, in a club."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from django.db.models import F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from scoring.common.paging import Page, nearest
from scoring.history.queries.history import reasons
from scoring.ledger.queries.deal_numbers import seats_now
from scoring.ledger.queries.match_view import told_apart
from scoring.ledger.queries.snapshots import sat_at, sittings
from scoring.models import Club, Deal, Match, MatchEvent, Ruling, Seating
from scoring.rules.rulesets.contested import DISPUTED_RULES

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Contract(TypedDict):
        contract: str | None

    RulingWithContract = WithAnnotations[Ruling, _Contract]

PAGE = 50
LISTED = 5


@dataclass(frozen=True)
class RulingLine:
    """One ruling with its grounds (`erased`: there were some once) and the contract that it is
    about. `is_replaced`: another one followed."""

    ruling: Ruling
    grounds: str
    erased: bool
    contract: str
    is_replaced: bool

    @property
    def event(self) -> MatchEvent:
        return self.ruling.event


@dataclass(frozen=True)
class Precedent:
    """The same in a list of a club, with the people who sat at the deal."""

    line: RulingLine
    names: tuple[str, ...]


@dataclass(frozen=True)
class RulingFilter:
    """What is looked for among the rulings of a club; empty: anything."""

    rule: str = ""
    outcome: str = ""
    contract: str = ""

    @property
    def anything(self) -> bool:
        return self == RulingFilter()


def rulings_of(match: Match, number: int | None = None) -> list[RulingLine]:
    """Those on a deal number, or all of the match, oldest first. Two queries."""
    rows = Ruling.objects.filter(match=match)
    rows = rows if number is None else rows.filter(match.numbered(number))
    return _lines(rows.order_by("event__seq"))


def ruling_page(club: Club, wanted: RulingFilter, number: int) -> Page[Precedent]:
    """The rulings of a club that are looked for, the newest first. Five queries."""
    rows = _of_club(club, wanted)
    count = rows.count()
    number = nearest(number, count, PAGE)
    first = (number - 1) * PAGE
    return Page(_precedents(rows[first : first + PAGE]), count, number, PAGE)


def precedents(
    club: Club, wanted: RulingFilter, match: Match, number: int
) -> tuple[Precedent, ...]:
    """The newest that hold, other deals than this one. Four queries."""
    others = _of_club(club, wanted).filter(replaced_by=None)
    own = match.numbered(number) & Q(match=match)
    return _precedents(others.exclude(own)[:LISTED])


def contracts_ruled(club: Club) -> list[str]:
    """The contracts on which there are rulings. One query."""
    rows = _with_contract(Ruling.objects.filter(match__club=club)).order_by()
    names = rows.values_list("contract", flat=True).distinct()
    return sorted(filter(None, names))


def rules_ruled(club: Club) -> list[str]:
    """The disputed rules on which there are rulings, in the order of the list. One query."""
    rows = Ruling.objects.filter(match__club=club).exclude(rule="").order_by()
    found = set(rows.values_list("rule", flat=True).distinct())
    return [rule for rule in DISPUTED_RULES if rule in found]


def _of_club(club: Club, wanted: RulingFilter) -> "QuerySet[RulingWithContract]":
    rows = _with_contract(Ruling.objects.filter(match__club=club))
    asked = {"rule": wanted.rule, "outcome": wanted.outcome, "contract": wanted.contract}
    rows = rows.filter(**{name: value for name, value in asked.items() if value})
    return rows.order_by("-event__entered_at", "-event__seq", "id")


def _with_contract(rows: QuerySet[Ruling]) -> "QuerySet[RulingWithContract]":
    """With the contract that was corrected to, else the last that was entered by then."""
    own = Deal.objects.filter(
        match=OuterRef("match"),
        deal_number=OuterRef("deal_number"),
        event__seq__lte=OuterRef("event__seq"),
    )
    last = Subquery(own.order_by("-event__seq").values("contract")[:1])
    return rows.annotate(contract=Coalesce(F("deal__contract"), last))


def _lines(rows: QuerySet[Ruling]) -> list[RulingLine]:
    found = list(_with_contract(rows).select_related("match", "event__user", "replaced_by"))
    for row in found:
        row.deal_number = row.match.number_now(row.deal_number, row.event.seq) or row.deal_number
    words = reasons(row.event for row in found)
    return [
        RulingLine(
            ruling=row,
            grounds=words.get(row.event_id) or "",
            erased=words.get(row.event_id, "") is None,
            contract=row.contract or "",
            is_replaced=hasattr(row, "replaced_by"),
        )
        for row in found
    ]


def _precedents(rows: QuerySet[Ruling]) -> tuple[Precedent, ...]:
    seats = Seating.objects.select_related("player", "event").order_by("event__seq", "seat")
    found = rows.select_related("match").prefetch_related(Prefetch("match__seatings", seats))
    return tuple(Precedent(line, _names(line.ruling)) for line in _lines(found))


def _names(row: Ruling) -> tuple[str, ...]:
    rows = seats_now(row.match, row.match.seatings.all())
    people = {seating.player_id: seating.player.name for seating in rows}
    sat = sat_at(sittings(rows), row.deal_number)
    return tuple(told_apart([people[player] for player in sat]))
