"""Who will choose in the deals to come, as far as that is certain now.

For a phone without a network: it cannot ask the schedule, only go along what was said before. Each
deal is taken for one contract, so there are the most deals that there can be; whoever has nothing
left when a seat comes up passes over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.rules.course import Played
from scoring.rules.ruleset import Ruleset
from scoring.rules.schedule import Turn, turn
from scoring.rules.seats import Seat


def ahead(
    now: Turn,
    first_chooser: Seat | None,
    first_dealer: Seat | None,
    played: Sequence[Played],
) -> Iterator[tuple[int, Seat]]:
    """The number and the chooser of this deal and of the next ones, until one of them hangs on
    cards or on a tie. `now` is the turn after what was `played`, `first_chooser` and
    `first_dealer` those of the match."""
    before = list(played)
    while not now.over and not now.is_extra and now.chooser is not None and now.contracts:
        yield now.deal_number, now.chooser
        before.append(_stand_in(now, now.chooser))
        now = turn(now.ruleset, first_chooser, first_dealer, before)


def stays(ruleset: Ruleset) -> bool:
    """Whether whoever has chosen goes on for as long as he has contracts left."""
    return ruleset.chooser_order == "kingdom"


def _stand_in(now: Turn, chooser: Seat) -> Played:
    dealer = chooser if now.dealer is None else now.dealer
    return Played(now.deal_number, dealer, chooser, now.contracts[0])
