"""Derived rows of the current deals, updated in the transaction of each write."""

from collections.abc import Sequence

from scoring.ledger.queries.snapshots import MatchSnapshot
from scoring.ledger.services import verdicts
from scoring.models import CardRecord, CurrentDeal, Deal, Kingdom, Match, UsedContract


def refresh(table: MatchSnapshot, before: Sequence[Deal]) -> None:
    """Update the derived rows of a match to its snapshot.

    `before` are the deals that stand by the rows as they are. Where the kingdoms are not as they
    should be everything is written anew, else only what differs. A kingdom may be on paper only."""
    wanted = table.kingdoms
    rows = Kingdom.objects.filter(match=table.match) if before or table.subtotals else ()
    kingdoms = {row.chooser: row for row in rows}
    if any(wanted.get(chooser) != row.position for chooser, row in kingdoms.items()):
        drop(table.match)
        before, kingdoms = (), {}
    standing = {deal.id for deal in table.deals}
    gone = [deal.id for deal in before if deal.id not in standing]
    if gone:
        CurrentDeal.objects.filter(deal_id__in=gone).delete()
    kept = {deal.id for deal in before}
    _add(table, [deal for deal in table.deals if deal.id not in kept], kingdoms, wanted)
    if CardRecord.TABLE in table.has:
        verdicts.refresh(table)


def drop(match: Match) -> None:
    """Delete every derived row of the match except results."""
    UsedContract.objects.filter(match=match).delete()
    CurrentDeal.objects.filter(match=match).delete()
    Kingdom.objects.filter(match=match).delete()


def _add(
    table: MatchSnapshot, new: Sequence[Deal], kingdoms: dict[int, Kingdom], wanted: dict[int, int]
) -> None:
    played = {deal.id: played for deal, played in zip(table.deals, table.deals_played, strict=True)}
    for chooser, position in wanted.items():
        if chooser not in kingdoms:
            kingdoms[chooser] = Kingdom(match=table.match, chooser=chooser, position=position)
            kingdoms[chooser].save(force_insert=True)
    rows = [
        CurrentDeal(
            match=table.match,
            deal=deal,
            deal_number=deal.deal_number,
            kingdom=None if played[deal.id].is_extra else kingdoms[deal.chooser],
        )
        for deal in new
    ]
    CurrentDeal.objects.bulk_create(rows)
    UsedContract.objects.bulk_create(
        [
            UsedContract(
                match=table.match, current_deal=row, chooser=row.deal.chooser, contract=part
            )
            for row in rows
            if row.deal.uses_contract
            for part in played[row.deal_id].contract.parts
        ]
    )
