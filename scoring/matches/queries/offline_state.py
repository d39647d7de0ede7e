"""What a phone must know of a match to go on without a network."""

from typing import Any

from scoring.ledger.queries.match_view import MatchView
from scoring.rules.upcoming import upcoming_choosers, upcoming_dealers


def plan(view: MatchView) -> dict[str, Any]:
    """The deals to come as [number, chooser], who deals them, and what each seat has left. `only`
    is the contract that stays after a redeal, `again` how often this deal was dealt anew; `asks`
    says what cannot be known without the server: who begins, or how a tie is settled."""
    table, turn, match = view.table, view.table.turn, view.match
    coming = upcoming_choosers(turn, match.first_chooser, match.first_dealer, table.played)
    kept = [] if turn.chooser is None else turn.kept_of(turn.left[turn.chooser])
    begins = turn.asks_dealer or (turn.chooser is None and not table.played)
    return {
        "version": match.version,
        "number": turn.deal_number,
        "deals": list(coming),
        "dealers": upcoming_dealers(turn),
        "left": turn.left,
        "total": turn.deals_total,
        "only": [contract.key for contract in kept],
        "again": sum(row.deal_number == turn.deal_number for row in table.redeals),
        "asks": "tie" if turn.is_extra else "begin" if begins and not turn.over else "",
    }
