"""The course of a match around one deal number: dealer, chooser and contracts left.

Kept apart from `schedule`, which puts it into words for the callers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring.rules.contracts import Contract
from scoring.rules.rulesets.offers import most_deals
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.seats import SEATS, Seat, left_of, right_of


@dataclass(frozen=True, slots=True)
class Played:
    """What the schedule needs of a current deal.

    A deal that uses up no contract is the tie-break deal or, with `replayed`, a deal broken off
    because of cheating and to be played again."""

    deal_number: int
    dealer: Seat
    chooser: Seat
    contract: Contract
    forced: bool = False
    uses_contract: bool = True
    replayed: bool = False

    @property
    def is_extra(self) -> bool:
        """Whether this is the tie-break deal, which belongs to no kingdom or round."""
        return not self.uses_contract and not self.replayed


def contracts_left(ruleset: Ruleset, played: Iterable[Played]) -> tuple[tuple[str, ...], ...]:
    """Return each seat's contracts not yet played.

    When all are empty the match has had its deals."""
    used: list[set[str]] = [set() for _ in SEATS]
    for deal in played:
        if deal.uses_contract:
            for seat in SEATS if ruleset.contracts_scope == "game" else (deal.chooser,):
                used[seat] |= set(deal.contract.parts)
    return tuple(
        tuple(name for name in ruleset.fixed_order if name not in used[seat]) for seat in SEATS
    )


def lowest_missing(played: Sequence[Played]) -> int:
    """Return the first deal number without a current deal: where the match goes on."""
    numbers = {deal.deal_number for deal in played}
    return next(number for number in range(1, len(played) + 2) if number not in numbers)


@dataclass(frozen=True)
class Course:
    """One deal number of a match and the current deals around it; `tied` as in `turn`."""

    ruleset: Ruleset
    first_chooser: Seat | None
    first_dealer: Seat | None
    played: tuple[Played, ...]
    tied: tuple[Seat, ...]
    number: int

    @cached_property
    def this(self) -> Played | None:
        """The current deal at this number, when it is to be corrected."""
        return next((deal for deal in self.played if deal.deal_number == self.number), None)

    @cached_property
    def earlier(self) -> list[Played]:
        earlier = [deal for deal in self.played if deal.deal_number < self.number]
        return sorted(earlier, key=_number)

    @cached_property
    def later(self) -> list[Played]:
        later = [deal for deal in self.played if deal.deal_number > self.number]
        return sorted(later, key=_number)

    @cached_property
    def others(self) -> list[Played]:
        return self.earlier + self.later

    @property
    def before(self) -> Played | None:
        return self.earlier[-1] if self.earlier else None

    @cached_property
    def left(self) -> tuple[tuple[str, ...], ...]:
        return contracts_left(self.ruleset, self.others)

    @property
    def left_then(self) -> tuple[tuple[str, ...], ...]:
        """What was left before this deal, whatever was played since."""
        return contracts_left(self.ruleset, self.earlier) if self.later else self.left

    @cached_property
    def extra(self) -> tuple[Seat, ...]:
        """The seats between which this is the tie-break deal; empty for an ordinary deal."""
        if self.this is not None:
            return (self.tied or SEATS) if self.this.is_extra else ()
        had_one = any(deal.is_extra for deal in self.others)
        return () if any(self.left) or had_one else self.tied

    def deals_total(self) -> int:
        had = sum(not deal.is_extra for deal in self.played)
        left = contracts_left(self.ruleset, self.played) if self.this else self.left
        shares = left[:1] if self.ruleset.contracts_scope == "game" else left
        return had + sum(most_deals(self.ruleset, share) for share in shares)

    def done(self, chooser: Seat | None) -> tuple[Contract, ...]:
        """Return the contracts this chooser has played, or anybody has where all share one set."""
        shared = self.ruleset.contracts_scope == "game"
        own = [deal for deal in self.others if deal.uses_contract]
        return tuple(deal.contract for deal in own if shared or deal.chooser == chooser)

    def kingdom(self, chooser: Seat | None) -> tuple[int | None, int | None, int | None]:
        """Return the number of the kingdom, of the deal in it, and of the deals it has at most."""
        over = self.this is None and not any(self.left)
        if self.ruleset.chooser_order != "kingdom" or self.extra or over:
            return None, None, None
        owners = {deal.chooser for deal in self.earlier} - {chooser}
        own = [deal for deal in self.others if deal.chooser == chooser and not deal.is_extra]
        had = sum(deal.deal_number < self.number for deal in own)
        left = self.ruleset.fixed_order if chooser is None else self.left[chooser]
        return len(owners) + 1, had + 1, len(own) + most_deals(self.ruleset, left)

    def chooser(self, seven_holder: Seat | None = None) -> Seat | None:
        """Return the chooser, None where the table must say it and has not."""
        if len(self.choosers) == 1:
            return self.choosers[0]
        return first_from(self.choosers, seven_holder)

    @cached_property
    def choosers(self) -> tuple[Seat, ...]:
        """The possible choosers: one seat, or several where the table must say which."""
        able = tuple(seat for seat in SEATS if self.left[seat])
        if self.this is not None:
            return (self.this.chooser,)
        if self.extra:
            return _only(
                first_from(self.extra, right_of(self.before.chooser if self.before else 3))
            )
        if self.before is None:
            return _only(first_from(able, self._first_chooser())) or able
        if self.before.replayed and self.before.chooser in able:
            return (self.before.chooser,)
        if self.ruleset.chooser_order == "kingdom":
            return self._kingdom_choosers(self.before.chooser, able)
        return _only(first_from(able, right_of(self.before.chooser)))

    def _kingdom_choosers(self, owner: Seat, able: tuple[Seat, ...]) -> tuple[Seat, ...]:
        if owner in able:
            return (owner,)
        if self.later and self.later[0].chooser in able:  # the first deal of his kingdom is missing
            return (self.later[0].chooser,)
        if self.ruleset.kingdom_pass == "right":
            return _only(first_from(able, right_of(owner)))
        owners = {deal.chooser for deal in self.others}
        return tuple(seat for seat in able if seat not in owners) or able

    def _first_chooser(self) -> Seat | None:
        if self.first_chooser is not None or self.first_dealer is None:
            return self.first_chooser
        beside = {"dealer": self.first_dealer, "dealer_right": right_of(self.first_dealer)}
        return beside.get(self.ruleset.chooser_first)

    @property
    def asks_dealer(self) -> bool:
        """Whether the table must say who deals first.

        True when nobody has said it and no rule ties dealer and chooser together."""
        rules = self.ruleset
        is_lot = rules.dealer_rule == "rotate" and rules.chooser_first == "seven_of_hearts"
        return is_lot and self.first_dealer is None and not self.played

    def dealer(self, chooser: Seat | None) -> Seat | None:
        """Return who deals here.

        A deal that was undone or broken off is dealt again by the same seat."""
        if self.this is not None:
            return self.this.dealer
        if self.before is None and self.first_dealer is not None:
            return self.first_dealer
        if self.before is None or self.ruleset.dealer_rule != "rotate":
            return None if chooser is None else dealer_for(self.ruleset, chooser)
        if self.before.replayed:
            return self.before.dealer
        if dealer_follows_chooser(self.ruleset) and chooser is not None:
            # The chooser sits beside the dealer: a seat that no longer chooses does not deal.
            return (self.before.dealer + chooser - self.before.chooser) % 4
        return right_of(self.before.dealer)


def dealer_follows_chooser(ruleset: Ruleset) -> bool:
    """Return whether the dealer follows from the chooser's seat; else the next seat deals."""
    if ruleset.dealer_rule != "rotate":
        return True
    return ruleset.chooser_order == "rotate" and ruleset.chooser_first != "seven_of_hearts"


def dealer_for(ruleset: Ruleset, chooser: Seat) -> Seat:
    """Return who deals to this chooser where nobody dealt before, or where a rule ties the two."""
    owner = ruleset.dealer_rule == "owner_deals"
    first = ruleset.dealer_rule == "rotate" and ruleset.chooser_first == "dealer"
    return chooser if owner or first else left_of(chooser)


def _number(deal: Played) -> int:
    return deal.deal_number


def first_from(seats: Collection[Seat], start: Seat | None) -> Seat | None:
    """Return the first of these seats to the right of `start`, `start` included."""
    if start is None:
        return None
    return next((seat for seat in ((start + step) % 4 for step in SEATS) if seat in seats), None)


def _only(seat: Seat | None) -> tuple[Seat, ...]:
    return () if seat is None else (seat,)
