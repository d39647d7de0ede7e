"""All rows of a match at once, so that checking a ledger takes a fixed number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import batched
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from scoring.ledger.queries.deal_numbers import renumbered, seats_now
from scoring.ledger.queries.disputes import Ledger, disputes_of
from scoring.ledger.queries.event_rows import words_of
from scoring.ledger.queries.snapshots import Lasting, MatchSnapshot, frozen, ruleset_of
from scoring.ledger.queries.verdicts import counting
from scoring.models import (
    Adjustment,
    CardRecord,
    ContractResult,
    CurrentDeal,
    Deal,
    Dispute,
    Flag,
    Kingdom,
    LedgerRow,
    Match,
    MatchEvent,
    MatchResult,
    Photo,
    Player,
    Redeal,
    Ruling,
    Seating,
    Signature,
    Subtotal,
    UsedContract,
    Verdict,
    Void,
    Words,
)
from scoring.standings.queries.derived import Derived, derived_of, stored

BATCH = 50
LEDGER_TABLES = (
    Deal,
    Void,
    Adjustment,
    Subtotal,
    Redeal,
    CardRecord,
    Photo,
    Seating,
    Signature,
    Flag,
    Ruling,
)


@dataclass
class Evidence:
    """One match with every row that belongs to it."""

    match: Match
    events: list[MatchEvent]
    rows: dict[tuple[str, UUID], LedgerRow]
    words: dict[UUID, Words]
    derived: Derived
    whose: dict[UUID, UUID]
    _of: dict[str, list[Any]] = field(repr=False)

    @property
    def deals(self) -> list[Deal]:
        return self._of["deal"]

    @property
    def adjustments(self) -> list[Adjustment]:
        return self._of["adjustment"]

    @property
    def rulings(self) -> list[Ruling]:
        return self._of["ruling"]

    @property
    def redeals(self) -> list[Redeal]:
        return self._of["redeal"]

    @property
    def subtotals(self) -> list[Subtotal]:
        return self._of["subtotal"]

    @property
    def all_records(self) -> list[CardRecord]:
        return self._of["record"]

    @property
    def records(self) -> dict[int, CardRecord]:
        """By deal number the one that counts."""
        void = {void.record_id for void in self._of["void"]}
        order = {event.id: event.seq for event in self.events}
        rows = [row for row in self.all_records if row.id not in void]
        rows.sort(key=lambda row: order.get(row.event_id, 0))
        return counting(renumbered(self.match, rows, order))

    @property
    def signatures(self) -> list[Signature]:
        return self._of["signature"]

    @property
    def photos(self) -> list[tuple[Photo, bool]]:
        """Each with whether it was taken back."""
        void = {void.photo_id for void in self._of["void"]}
        return [(row, row.id in void) for row in self._of["photo"]]

    @property
    def seatings(self) -> list[Seating]:
        order = {event.id: event.seq for event in self.events}
        rows = sorted(self._of["seating"], key=lambda row: (order.get(row.event_id, 0), row.seat))
        return seats_now(self.match, rows, order)

    def table(self) -> MatchSnapshot:
        """The match as its ledger rows alone make it. May raise what a broken payload raises."""
        voids: list[Void] = self._of["void"]
        gone = {void.deal_id for void in voids} | {deal.replaces_id for deal in self.deals}
        void_adjustments = {void.adjustment_id for void in voids}
        standing = sorted(
            (deal for deal in self.deals if deal.id not in gone), key=lambda deal: deal.deal_number
        )
        order = {event.id: event.seq for event in self.events}
        counting = sorted(
            (row for row in self.adjustments if row.id not in void_adjustments),
            key=lambda row: (row.after_deal, order.get(row.event_id, 0)),
        )
        rules = ruleset_of(self.match)
        beside = (tuple(counting), self._redeals(order), self._subtotals(), self._disputes())
        return MatchSnapshot(self.match, rules, tuple(standing), *beside)

    def wanted(self) -> Derived:
        """The derived rows that the ledger calls for."""
        table = self.table()
        return derived_of(table, self.public(table), self.seatings, self.records, self.whose)

    def public(self, table: MatchSnapshot) -> MatchSnapshot:
        """The same as everybody may see it."""
        order = {event.id: event.seq for event in self.events}
        voids = {void.adjustment_id: order[void.event_id] for void in self._of["void"]}
        ever = [Lasting(row, order[row.event_id], voids.get(row.id)) for row in self.adjustments]
        return frozen(table, sorted(ever, key=lambda each: (each.row.after_deal, each.since)))

    def _disputes(self) -> tuple[Dispute, ...]:
        of = self._of
        ledger = Ledger(self.events, self.deals, of["flag"], of["ruling"], of["void"])
        return tuple(disputes_of(self.match, ledger).values())

    def _subtotals(self) -> tuple[Subtotal, ...]:
        void = {void.subtotal_id for void in self._of["void"]}
        rows = (row for row in self.subtotals if row.id not in void)
        return tuple(sorted(rows, key=lambda row: row.first_deal))

    def _redeals(self, order: Mapping[UUID, int]) -> tuple[Redeal, ...]:
        void_redeals = {void.redeal_id for void in self._of["void"]}
        rows: list[Redeal] = [row for row in self.redeals if row.id not in void_redeals]
        return tuple(sorted(rows, key=lambda row: order.get(row.event_id, 0)))


def evidence(matches: QuerySet[Match]) -> Iterator[Evidence]:
    """Match by match, oldest first; about a dozen queries for every fifty matches."""
    ids = matches.order_by("opened_at", "id").values_list("id", flat=True)
    for batch in batched(ids.iterator(), BATCH):
        yield from _batch(batch)


def _batch(ids: Sequence[UUID]) -> Iterator[Evidence]:
    events = _by_match(MatchEvent, ids, "seq")
    ledger = {model: _by_match(model, ids) for model in LEDGER_TABLES}
    kingdoms, standing = _by_match(Kingdom, ids), _by_match(CurrentDeal, ids)
    used, results = _by_match(UsedContract, ids), _by_match(MatchResult, ids)
    contracts = _by_match(ContractResult, ids)
    verdicts, disputes = _by_match(Verdict, ids), _by_match(Dispute, ids)
    named = {words for rows in events.values() for event in rows for words, _ in words_of(event)}
    words = Words.objects.in_bulk(list(named))
    matches, whose = Match.objects.in_bulk(list(ids)), _whose(ledger[Seating])
    for match_id in ids:
        of = {model.TABLE: ledger[model][match_id] for model in LEDGER_TABLES}
        yield Evidence(
            match=matches[match_id],
            events=events[match_id],
            rows={(table, row.id): row for table, rows in of.items() for row in rows},
            words=words,
            derived=stored(
                kingdoms[match_id],
                standing[match_id],
                used[match_id],
                results[match_id],
                contracts[match_id],
                verdicts[match_id],
                disputes[match_id],
            ),
            whose=whose,
            _of=of,
        )


def gathered(
    match: Match,
    events: list[MatchEvent],
    rows: Iterable[LedgerRow],
    words: Iterable[Words],
    whose: dict[UUID, UUID],
) -> Evidence:
    """The same of a match that lies in no database yet, without anything derived."""
    of: dict[str, list[Any]] = {model.TABLE: [] for model in LEDGER_TABLES}
    for row in rows:
        of[row.TABLE].append(row)
    return Evidence(
        match=match,
        events=events,
        rows={(table, row.id): row for table, found in of.items() for row in found},
        words={text.id: text for text in words},
        derived=stored([], [], [], [], [], [], []),
        whose=whose,
        _of=of,
    )


def _whose(seatings: Mapping[UUID, Sequence[Seating]]) -> dict[UUID, UUID]:
    """Whom everybody counts for who ever sat in these matches. One query."""
    people = {row.player_id for rows in seatings.values() for row in rows}
    return {row.id: row.counted_id for row in Player.objects.filter(id__in=people)}


def _by_match(model: type[Any], ids: Iterable[UUID], *order: str) -> dict[UUID, list[Any]]:
    grouped: dict[UUID, list[Any]] = defaultdict(list)
    for row in model._default_manager.filter(match__in=list(ids)).order_by(*order, "id"):
        grouped[row.match_id].append(row)
    return grouped
