"""Derived rows that a ledger calls for, compared with those stored."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from uuid import UUID

from django.db.models import Model

from scoring.ledger.queries.results import contract_results_of, results_of_sittings
from scoring.ledger.queries.snapshots import MatchSnapshot, sittings
from scoring.ledger.queries.verdicts import verdict_of
from scoring.models import (
    CardRecord,
    ContractResult,
    CurrentDeal,
    Dispute,
    Kingdom,
    MatchResult,
    Seating,
    UsedContract,
    Verdict,
)
from scoring.rules.statistics.contract_counts import ContractTally

type Rows = frozenset[tuple[object, ...]]
RESULT_FACTS = (
    "club_id",
    "evening_id",
    "player_id",
    "seated_id",
    "partner_id",
    "system",
    "win",
    "rules_key",
    "in_teams",
    "seat",
    "deals",
    "points",
    "total",
    "place",
    "played_at",
    "opened_at",
)
CONTRACT_FACTS = (
    "club_id",
    "player_id",
    "system",
    "win",
    "contract",
    *ContractTally._fields,
)
DISPUTE_FACTS = (
    "club_id",
    "deal_number",
    "state",
    "opened_at",
    "opened_seq",
    "frozen_id",
    "claimed_by_id",
    "ruling_id",
)
VERDICT_FACTS = (
    "club_id",
    "record_id",
    "deal_id",
    "deal_number",
    "contract",
    "agrees",
    "complete",
    "codes",
    "played_at",
)


@dataclass(frozen=True)
class Derived:
    """All derived rows of one match, without their ids."""

    kingdoms: Rows
    current_deals: Rows
    used_contracts: Rows
    results: Rows
    contract_results: Rows
    verdicts: Rows
    disputes: Rows

    def differences(self, other: "Derived") -> list[str]:
        """Return the names of the tables that differ."""
        names = [field.name for field in fields(self)]
        return [name for name in names if getattr(self, name) != getattr(other, name)]


def derived_of(
    table: MatchSnapshot,
    public: MatchSnapshot,
    seats: Sequence[Seating],
    records: Mapping[int, CardRecord],
    whose: Mapping[UUID, UUID],
) -> Derived:
    """Calculate the derived rows.

    Only a finished match has results, those of its `public` snapshot; `records` are those that
    count, by deal number; `whose` gives the player whom a merged one counts for."""
    sat = sittings(seats) if table.match.is_finished else [()] * 4
    pairs = list(zip(table.deals, table.deals_played, strict=True))
    return Derived(
        kingdoms=frozenset(table.kingdoms.items()),
        current_deals=frozenset(
            (deal.deal_number, deal.id, None if played.is_extra else deal.chooser)
            for deal, played in pairs
        ),
        used_contracts=frozenset(
            (deal.id, deal.chooser, part)
            for deal, played in pairs
            if deal.uses_contract
            for part in played.contract.parts
        ),
        results=result_facts(results_of_sittings(public, sat, whose)),
        contract_results=contract_facts(contract_results_of(public, sat, whose)),
        verdicts=verdict_rows(
            verdict_of(row, table.deal(number), table.ruleset, table.match)
            for number, row in records.items()
        ),
        disputes=_facts(table.disputes.values(), DISPUTE_FACTS),
    )


def stored(
    kingdoms: Sequence[Kingdom],
    standing: Sequence[CurrentDeal],
    used: Sequence[UsedContract],
    results: Sequence[MatchResult],
    contract_results: Sequence[ContractResult],
    verdicts: Sequence[Verdict],
    disputes: Sequence[Dispute],
) -> Derived:
    """Return the stored rows."""
    choosers: dict[UUID | None, int | None] = {row.id: row.chooser for row in kingdoms}
    choosers[None] = None
    deals = {row.id: row.deal_id for row in standing}
    return Derived(
        kingdoms=frozenset((row.chooser, row.position) for row in kingdoms),
        current_deals=frozenset(
            (row.deal_number, row.deal_id, choosers.get(row.kingdom_id, "?")) for row in standing
        ),
        used_contracts=frozenset(
            (deals.get(row.current_deal_id), row.chooser, row.contract) for row in used
        ),
        results=result_facts(results),
        contract_results=contract_facts(contract_results),
        verdicts=verdict_rows(verdicts),
        disputes=_facts(disputes, DISPUTE_FACTS),
    )


def result_facts(rows: Iterable[MatchResult]) -> Rows:
    return _facts(rows, RESULT_FACTS)


def contract_facts(rows: Iterable[ContractResult]) -> Rows:
    return _facts(rows, CONTRACT_FACTS)


def verdict_rows(rows: Iterable[Verdict]) -> Rows:
    return _facts(rows, VERDICT_FACTS)


def _facts(rows: Iterable[Model], names: Sequence[str]) -> Rows:
    return frozenset(tuple(getattr(row, name) for name in names) for row in rows)
