"""Every single change of the facts of one deal.

A single change is exactly one of these, and the facts after it must be possible (`rules.check` has
nothing against them):

kind             what is different afterwards
moved            n ≥ 1 of one item (diamonds, hearts, tricks, queens) that one seat had, another has
swapped          of one item two seats have what the other had
taker            the king of hearts, or the last trick, is another seat's
card             K♥ or Q♥ in a deal that counts hearts, Q♦ in one that counts diamonds: the card is
                 another seat's, and so is the one heart or diamond that it is
exchanged        two queens have changed their takers (it matters where one is doubled)
places           two seats have changed their places in the order of going out
loser            another seat went over the top in fifty_one
double_missing   a card that may be doubled is doubled by a seat, and was by none
double_extra     a card that was doubled is not
doubler          a doubled card is doubled by another seat
leader           another seat led the trick, where the rules ask who did
offender         another seat revoked, or was caught cheating
chooser          another seat chose, where that counts
forced_missing   the contract was forced, where that counts, and was not noted as such
forced_extra     the contract was noted as forced and was not
contract         another contract was played, which is counted alike: the same facts at its prices

Under a revoke "nobody" is a seat as well: what has not been taken lies there. Where a change makes
the rules ask who led a trick, any seat may have. Where queens were only counted and one is doubled,
it may be any that its taker has.

Facts that differ only in which of several like queens is which (same taker, same doubler, same
leader) are one: no sheet can tell them apart. `facts_key` is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.rules import Contract, Double, Entry, Item, Ruleset, Tally, check, doublable
from scoring.rules.cards import KING_OF_HEARTS, QUEENS, Card
from scoring.rules.deal.doubling import DoubledCapture, asks_for_leader, captures
from scoring.rules.deal.points import kabbout_by, taken_counts
from scoring.rules.items import COUNTED
from scoring.rules.rulesets.offers import any_offer
from scoring.rules.seats import SEATS, Seat
from scoring.rules.tally import Counts

type Holder = Seat | None
"""A seat, or nobody."""

SUIT_OF = {"QH": Item.HEARTS, "QD": Item.DIAMONDS}


class FactChange(NamedTuple):
    """A single change: the facts after it, and what was changed.

    `count` of `item`, or `card`, went from `source` to `target`; of doubles and the like these are
    the seats before and after. `frame` holds what changes besides the facts: contract, chooser,
    forced."""

    kind: str
    tally: Tally
    item: Item | None = None
    count: int = 1  # type: ignore[assignment]  # hides tuple.count, which nobody needs here
    card: Card | None = None
    source: Holder = None
    target: Holder = None
    frame: Mapping[str, Any] = MappingProxyType({})


def steps(
    entry: Entry, ruleset: Ruleset, must: frozenset[Seat] = frozenset()
) -> Iterator[FactChange]:
    """Yield every single change of a possible entry.

    Some of them twice, some of them impossible: callers check the points first, then `is_possible`.

    Changes that cannot alter the points of all the seats in `must` may be left out."""
    yield from frame_steps(entry, ruleset)
    tally, special = entry.tally, entry.contract.special
    if tally.cheat_by is not None:
        yield from _offenders("cheat_by", tally.cheat_by, tally)
    elif tally.forfeited:
        return
    elif special == "trex":
        yield from _places(tally)
    elif special == "fifty_one":
        yield from _losers(tally, ruleset)
    else:
        if tally.revoke_by is not None or kabbout_by(entry, ruleset) is not None:
            must = frozenset()  # then others than those named are touched
        for step in _trick_steps(entry, ruleset, must):
            if not must or _may_touch(step, entry, ruleset, must):
                yield from _led(step, ruleset)


def _may_touch(step: FactChange, entry: Entry, ruleset: Ruleset, must: frozenset[Seat]) -> bool:
    """Return whether a step can change the seats in `must`.

    Moved cards affect those who had and have them, and whoever doubled or led."""
    if step.kind not in _OF_CARDS or entry.contract.key in ruleset.kabbout.contracts:
        return True
    doublers = {double.by for double in entry.tally.doubles}
    if doublers and asks_for_leader(ruleset):
        return True
    return must <= {step.source, step.target, *doublers}


_OF_CARDS = ("moved", "swapped", "exchanged", "taker")


def is_possible(entry: Entry, ruleset: Ruleset) -> bool:
    """Return whether the rules have nothing against these facts."""
    return not check(entry, ruleset)


def after(entry: Entry, step: FactChange) -> Entry:
    """Return the entry after the step."""
    return replace(entry, tally=step.tally, **step.frame)


def facts_key(entry: Entry, ruleset: Ruleset) -> Hashable:
    """Return a key that is equal for deals that no sheet can tell apart.

    Queens count by what became of them."""
    tally = entry.tally
    doubled = {card: (c.taker, c.doubler, c.leader) for card, c in _captured(tally, ruleset)}
    takers = tally.queens_taken_by or {}
    if takers:
        queens = [doubled.get(card, (takers.get(card), None, None)) for card in QUEENS]
    else:
        counts = tally.queens or _NONE
        queens = [(seat, None, None) for seat in SEATS for _ in range(counts[seat])]
        queens += [doubled.get(card, (None, None, None)) for card in QUEENS[len(queens) :]]
    return (
        (entry.contract, entry.chooser, entry.forced),
        (tally.king_taken_by, doubled.get(KING_OF_HEARTS)),
        tuple(sorted(queens, key=str)) if Item.QUEENS in entry.contract.items else (),
        *(getattr(tally, key) for key in _PLAIN_KEYS),
    )


def _with(tally: Tally, key: str, value: object) -> Tally:
    changes: dict[str, Any] = {key: value}
    return replace(tally, **changes)


_NONE: Counts = (0, 0, 0, 0)
_PLAIN_KEYS = (
    *("diamonds", "hearts", "tricks", "last_trick_by", "finish_order", "loser"),
    *("revoke_by", "cheat_by", "forfeited"),
)


def _captured(tally: Tally, ruleset: Ruleset) -> Iterator[tuple[Card, DoubledCapture]]:
    return ((capture.card, capture) for capture in captures(tally, ruleset))


# -- what was played, and who chose it


def frame_steps(entry: Entry, ruleset: Ruleset) -> Iterator[FactChange]:
    """Yield another chooser, forced or not, another contract; the facts stay."""
    tally, chooser = entry.tally, entry.chooser
    if chooser is not None and (ruleset.chooser_factor != 1 or tally.forfeited):
        for seat in SEATS:
            if seat != chooser:
                frame = {"chooser": seat}
                yield FactChange("chooser", tally, source=chooser, target=seat, frame=frame)
    if ruleset.forced_factor != 1:
        kind = "forced_extra" if entry.forced else "forced_missing"
        yield FactChange(kind, tally, frame={"forced": not entry.forced})
    for contract in any_offer(ruleset):
        changed = _counted_as(contract, entry, ruleset)
        if changed:
            yield FactChange("contract", changed, frame={"contract": contract})


def _counted_as(contract: Contract, entry: Entry, ruleset: Ruleset) -> Tally | None:
    """Return the facts as those of another contract of one item with as many things to take."""
    if contract == entry.contract or len(contract.items) != 1 or len(entry.contract.items) != 1:
        return None
    (item,), (other,) = entry.contract.items, contract.items
    if item in COUNTED and other in COUNTED and ruleset.how_many(item) == ruleset.how_many(other):
        return _with(_with(entry.tally, item, None), other, getattr(entry.tally, item))
    if {item, other} == {Item.KING, Item.LAST_TRICK} and not entry.tally.doubles:
        taker = entry.tally.king_taken_by if item is Item.KING else entry.tally.last_trick_by
        keys = ("king_taken_by", "last_trick_by")
        of = dict(zip((Item.KING, Item.LAST_TRICK), keys, strict=True))
        return _with(_with(entry.tally, of[item], None), of[other], taker)
    return None


# -- the special games, and who was at fault


def _places(tally: Tally) -> Iterator[FactChange]:
    order = tally.finish_order or ()
    for one, other in combinations(range(len(order)), 2):
        changed = list(order)
        changed[one], changed[other] = order[other], order[one]
        yield FactChange(
            "places",
            replace(tally, finish_order=tuple(changed)),
            source=order[one],
            target=order[other],
            count=other - one,
        )


def _losers(tally: Tally, ruleset: Ruleset) -> Iterator[FactChange]:
    """Yield other losers without the cards, which would contradict them."""
    others: tuple[Holder, ...] = (*SEATS, None) if ruleset.fifty_one_may_end_unlost else SEATS
    for seat in others:
        if seat != tally.loser:
            changed = replace(tally, loser=seat, plays=None)
            yield FactChange("loser", changed, source=tally.loser, target=seat)


def _offenders(key: str, now: Seat, tally: Tally) -> Iterator[FactChange]:
    for seat in SEATS:
        if seat != now:
            yield FactChange("offender", _with(tally, key, seat), source=now, target=seat)


# -- trick contracts


def _trick_steps(entry: Entry, ruleset: Ruleset, must: frozenset[Seat]) -> Iterator[FactChange]:
    tally, items = entry.tally, entry.contract.items
    for item in items:
        if item in COUNTED:
            yield from _count_steps(item, tally, ruleset, must)
        elif item is Item.QUEENS:
            named = bool(tally.queens_taken_by)
            yield from _queen_steps(tally) if named else _count_steps(item, tally, ruleset, must)
        else:
            yield from _taker_steps(item, tally)
    yield from _card_steps(items, tally)
    yield from _double_steps(entry, ruleset, must)
    yield from _leader_steps(tally, ruleset)
    if tally.revoke_by is not None:
        yield from _offenders("revoke_by", tally.revoke_by, tally)


def moves_of_doubled(entry: Entry, ruleset: Ruleset, must: frozenset[Seat]) -> Iterator[FactChange]:
    """Yield the single changes that may move a doubled card."""
    cards = {double.card for double in entry.tally.doubles}
    for step in steps(entry, ruleset, must):
        is_card = step.kind in (*_OF_CARDS, "card") and step.item in (Item.KING, Item.QUEENS)
        if is_card and (step.card is None or step.card in cards):
            yield step


def unseen_doubles(
    entry: Entry, ruleset: Ruleset, unseen: Mapping[Item, Collection[tuple[Seat, Seat]]]
) -> Iterator[Entry]:
    """Yield the entry with one more double that changes no number.

    `unseen` has the taker and the doubler of each."""
    for card in _announceable(entry, ruleset, {}):
        item = Item.KING if card == KING_OF_HEARTS else Item.QUEENS
        for by in SEATS:
            if not any(doubler == by for _, doubler in unseen.get(item, ())):
                continue
            doubled = replace(entry.tally, doubles=_doubles_with(entry.tally, card, by))
            for tally in _named(card, entry, doubled, ruleset):
                if (_taker_of(card, tally), by) in unseen[item]:
                    yield replace(entry, tally=tally)


def _taker_of(card: Card, tally: Tally) -> Holder:
    if card == KING_OF_HEARTS:
        return tally.king_taken_by
    return (tally.queens_taken_by or {}).get(card)


def _holders(tally: Tally) -> tuple[Holder, ...]:
    return SEATS if tally.revoke_by is None else (*SEATS, None)


def _count_steps(
    item: Item, tally: Tally, ruleset: Ruleset, must: frozenset[Seat]
) -> Iterator[FactChange]:
    taken = list(taken_counts(item, tally))
    everything = ruleset.how_many(item)
    have = [*taken, everything - sum(taken)]  # the last is nobody's
    holders = _holders(tally)
    for source, target in permutations(range(len(holders)), 2):
        if must - {source, target} and have[source] + have[target] < everything:
            continue  # nor does it come to a kabbout, which would touch all
        for count in range(1, have[source] + 1):
            changed = list(have)
            changed[source] -= count
            changed[target] += count
            swaps = count > 1 and changed[source] == have[target]
            yield FactChange(
                "swapped" if swaps else "moved",
                _with(tally, item, tuple(changed[:4])),
                item,
                count,
                source=holders[source],
                target=holders[target],
            )


def _queen_steps(tally: Tally) -> Iterator[FactChange]:
    takers = dict(tally.queens_taken_by or {})
    of: dict[Holder, list[Card]] = {holder: [] for holder in _holders(tally)}
    for card in QUEENS:
        of[takers.get(card)].append(card)
    for source, target in permutations(of, 2):
        for count in range(1, len(of[source]) + 1):
            for cards in combinations(of[source], count):
                changed = _with_queens(tally, dict.fromkeys(cards, target))
                one = cards[0] if count == 1 else None
                yield FactChange("moved", changed, Item.QUEENS, count, one, source, target)
    for source, target in combinations(of, 2):
        if of[source] and of[target]:
            new = {**dict.fromkeys(of[source], target), **dict.fromkeys(of[target], source)}
            changed = _with_queens(tally, new)
            yield FactChange("swapped", changed, Item.QUEENS, source=source, target=target)
    for one, other in combinations(QUEENS, 2):
        if takers.get(one) != takers.get(other):
            changed = _with_queens(tally, {one: takers.get(other), other: takers.get(one)})
            seats = (takers.get(one), takers.get(other))
            yield FactChange("exchanged", changed, Item.QUEENS, 1, one, *seats)


def _with_queens(tally: Tally, new: Mapping[Card, Holder]) -> Tally:
    takers = {card: (tally.queens_taken_by or {}).get(card) for card in QUEENS} | dict(new)
    taken = {card: seat for card, seat in takers.items() if seat is not None}
    return replace(tally, queens_taken_by=taken, queens=None)


def _taker_steps(item: Item, tally: Tally) -> Iterator[FactChange]:
    key = "king_taken_by" if item is Item.KING else "last_trick_by"
    card = KING_OF_HEARTS if item is Item.KING else None
    now = getattr(tally, key)
    for holder in _holders(tally):
        if holder != now:
            yield FactChange("taker", _with(tally, key, holder), item, 1, card, now, holder)


def _card_steps(items: Sequence[Item], tally: Tally) -> Iterator[FactChange]:
    """Yield moves of a card that counts twice, with both its counts."""
    if Item.KING in items and Item.HEARTS in items:
        for step in _taker_steps(Item.KING, tally):
            yield from _with_suit(Item.HEARTS, step)
    if Item.QUEENS not in items:
        return
    for card, suit in SUIT_OF.items():
        if suit in items:
            for step in _queen_card_steps(card, tally):
                yield from _with_suit(suit, step)


def _queen_card_steps(card: Card, tally: Tally) -> Iterator[FactChange]:
    if tally.queens_taken_by:
        now = tally.queens_taken_by.get(card)
        for holder in _holders(tally):
            if holder != now:
                changed = _with_queens(tally, {card: holder})
                yield FactChange("card", changed, Item.QUEENS, 1, card, now, holder)
        return
    counts = tally.queens or _NONE
    for source, target in permutations(_holders(tally), 2):
        changed_counts = _shifted(counts, source, target)
        if min(changed_counts) >= 0:
            changed = replace(tally, queens=changed_counts)
            yield FactChange("card", changed, Item.QUEENS, 1, card, source, target)


def _with_suit(suit: Item, step: FactChange) -> Iterator[FactChange]:
    counts = _shifted(getattr(step.tally, suit), step.source, step.target)
    if min(counts) >= 0:
        yield step._replace(kind="card", tally=_with(step.tally, suit, counts))


def _shifted(counts: Counts, source: Holder, target: Holder) -> Counts:
    changed = list(counts)
    if source is not None:
        changed[source] -= 1
    if target is not None:
        changed[target] += 1
    return changed[0], changed[1], changed[2], changed[3]


# -- doubles


def _double_steps(entry: Entry, ruleset: Ruleset, must: frozenset[Seat]) -> Iterator[FactChange]:
    """Yield another doubler, or none, or one where there was none."""
    tally = entry.tally
    now = {double.card: double.by for double in tally.doubles}
    for card in _announceable(entry, ruleset, now):
        for by in (*SEATS, None):
            # Touched are the doublers, the taker of a card, and the leader where he counts.
            if by != now.get(card) and len(must - {by, now.get(card)}) <= _untold(ruleset):
                doubles = _doubles_with(tally, card, by)
                kind = _double_kind(now.get(card), by)
                for changed in _named(card, entry, replace(tally, doubles=doubles), ruleset):
                    item = Item.KING if card == KING_OF_HEARTS else Item.QUEENS
                    yield FactChange(kind, changed, item, 1, card, now.get(card), by)


def _untold(ruleset: Ruleset) -> int:
    if ruleset.doubling.queens_unit == "whole_contract":
        return 4
    return 2 if asks_for_leader(ruleset) else 1


def _announceable(entry: Entry, ruleset: Ruleset, now: Mapping[Card, Seat]) -> Iterator[Card]:
    """Return the cards that may be doubled, or the one queen that counts for all."""
    whole = ruleset.doubling.queens_unit == "whole_contract"
    speaks = next((card for card in now if card in QUEENS), QUEENS[0])
    for card in doublable(entry.contract, ruleset):
        if not whole or card in (KING_OF_HEARTS, speaks):
            yield card


def _double_kind(now: Holder, by: Holder) -> str:
    if now is None:
        return "double_missing"
    return "double_extra" if by is None else "doubler"


def _doubles_with(tally: Tally, card: Card, by: Holder) -> tuple[Double, ...]:
    others = [double for double in tally.doubles if double.card != card]
    return (*others, Double(card, by)) if by is not None else tuple(others)


def _named(card: Card, entry: Entry, tally: Tally, ruleset: Ruleset) -> Iterator[Tally]:
    """Yield the facts with every queen named, which a doubled one needs.

    Once for each seat that may have this one."""
    if card not in QUEENS or tally.queens_taken_by or tally.queens is None:
        yield tally
        return
    counts = tally.queens
    have: list[Holder] = [seat for seat in SEATS for _ in range(counts[seat])]
    have += [None] * (4 - len(have))
    for taker in dict.fromkeys(have):
        rest = list(have)
        rest.remove(taker)
        others = [each for each in QUEENS if each != card]
        for way in dict.fromkeys(permutations(rest)):
            named = _with_queens(tally, {card: taker, **dict(zip(others, way, strict=True))})
            if is_possible(replace(entry, tally=_any_leader(named, ruleset)), ruleset):
                yield named
                break


# -- who led


def _leader_steps(tally: Tally, ruleset: Ruleset) -> Iterator[FactChange]:
    if not asks_for_leader(ruleset):
        return
    for capture in captures(tally, ruleset):
        if capture.leader is None:
            continue
        for seat in SEATS:
            if seat != capture.leader:
                changed = _with_leader(tally, capture.card, seat)
                seats = (capture.leader, seat)
                yield FactChange("leader", changed, capture.item, 1, capture.card, *seats)


def _led(step: FactChange, ruleset: Ruleset) -> Iterator[FactChange]:
    """Yield the step once for each possible leader of the tricks whose leader now matters."""
    lacking = _lacking(step.tally, ruleset)
    for way in product(SEATS, repeat=len(lacking)):
        tally = step.tally
        for card, seat in zip(lacking, way, strict=True):
            tally = _with_leader(tally, card, seat)
        yield step._replace(tally=tally)


def _lacking(tally: Tally, ruleset: Ruleset) -> list[Card]:
    if not tally.doubles or not asks_for_leader(ruleset):
        return []
    return [capture.card for capture in captures(tally, ruleset) if capture.lacks_leader]


def _with_leader(tally: Tally, card: Card, seat: Seat) -> Tally:
    return replace(tally, trick_leader={**(tally.trick_leader or {}), card: seat})


def _any_leader(tally: Tally, ruleset: Ruleset) -> Tally:
    for card in _lacking(tally, ruleset):
        tally = _with_leader(tally, card, 0)
    return tally
