"""Fast replay of deals without a breach, with the same result as the engine.

Cards are bits of a mask. At the first thing that is not plainly right the answer is None, and the
engine runs the record card by card: it alone says what is wrong. Tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from scoring.replay.play.layout import PIVOT, next_cards
from scoring.replay.play.outcome import item_is_settled
from scoring.replay.play.tricks import STRENGTH, DumpRule
from scoring.replay.record import Hands, Pass, Play, Record
from scoring.replay.result import Replay
from scoring.rules import Contract, Double, Entry, Ruleset, Tally, doublable, points
from scoring.rules.cards import DECK_32, DECK_52, KING_OF_HEARTS, QUEENS, SUITS, Card
from scoring.rules.deal.legality import hearts_banned
from scoring.rules.schedule import first_leader
from scoring.rules.seats import SEATS, Seat

SHOWN = (KING_OF_HEARTS, *QUEENS)
TURNS = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))
OF_SUIT = {suit: 0x1FFF << 13 * place for place, suit in enumerate(SUITS)}
HEARTS, DIAMONDS = OF_SUIT["H"], OF_SUIT["D"]
BITS = {
    order: {card: 1 << strengths[card] + 13 * SUITS.index(card[1]) for card in DECK_52}
    for order, strengths in STRENGTH.items()
}
"""By rank order: a bit for each card, within a suit the higher the stronger."""
SUIT_OF = {bit: OF_SUIT[card[1]] for bits in BITS.values() for card, bit in bits.items()}
SHOWN_BITS = {order: sum(bits[card] for card in SHOWN) for order, bits in BITS.items()}
QUEEN_BITS = {order: sum(bits[card] for card in QUEENS) for order, bits in BITS.items()}


def quick(record: Record, ruleset: Ruleset) -> Replay | None:
    """Replay a deal with four known hands, played to the end of its points without a breach.

    None for any other deal."""
    contract, chooser = record.contract, record.chooser
    if contract is None or chooser is None or record.captured or record.errors:
        return None
    leader = record.leader
    if leader is None:
        leader = first_leader(contract, ruleset, record.dealer, chooser)
    order = ruleset.layout_rank_order if contract.special else ruleset.rank_order
    hands = _masks(record.hands, order, ruleset.cards_per_hand)
    if hands is None or leader is None:
        return None
    if contract.special:
        tally = _trex(hands, record, leader, ruleset)
    else:
        tally = _tricks(hands, record, leader, contract, ruleset)
    if tally is None:
        return None
    return Replay(
        id=record.id,
        complete=True,
        finish_order=tally.finish_order,
        tally=tally,
        scores=points(Entry(contract, chooser, record.forced, tally), ruleset).scores,
        claimed=record.claimed,
        hands=record.hands,
    )


def _masks(hands: Hands, order: str, size: int) -> list[int] | None:
    """Return the hands as masks, None unless they are the whole deck, dealt evenly."""
    bit = BITS[order].__getitem__
    masks = []
    for hand in hands:
        if hand is None or len(hand) != size:
            return None
        masks.append(sum(map(bit, hand)))
    a, b, c, d = masks
    # A card dealt twice makes the sum another than the union.
    return masks if (a | b | c | d) == a + b + c + d == _deck(order, size) else None


@cache
def _deck(order: str, size: int) -> int:
    return sum(BITS[order][card] for card in (DECK_52 if size == 13 else DECK_32))


# -- tricks


class HeartRule(NamedTuple):
    """The rule for leading hearts: `open` from the start, what `lifts` the ban."""

    open: bool
    lifts: bool
    forced_lifts: bool


class TrickCourse(NamedTuple):
    """What was played: who led each trick and, last, who would lead next; what each seat took; the
    tricks in which K♥ or a queen fell, as bits of these cards, leader and taker."""

    leaders: list[Seat]
    taken: list[int]
    shown: list[tuple[int, Seat, Seat]]


def _tricks(
    hands: list[int], record: Record, leader: Seat, contract: Contract, ruleset: Ruleset
) -> Tally | None:
    plays, doubles = record.plays, record.doubles
    if len(plays) % 4 or not 0 < len(plays) <= len(ruleset.deck):
        return None
    if ruleset.must_dump != "off" and DumpRule(contract, ruleset).kind:
        return None
    if doubles and not _are_good(doubles, hands, contract, ruleset):
        return None
    try:
        course = _play(hands, plays, leader, _heart_rule(contract, ruleset), ruleset.rank_order)
    except ValueError:  # a pass among them
        return None
    left = ruleset.cards_per_hand - len(plays) // 4
    # A card played by a seat that did not hold it has put a bit into its hand.
    if course is None or [hand.bit_count() for hand in hands] != [left] * 4:
        return None
    tally = _tally(course, doubles, ruleset.rank_order, over=not left)
    if left and (ruleset.early_end == "off" or not _is_settled(contract, tally, ruleset)):
        return None
    return tally


def _play(
    hands: list[int],
    plays: Sequence[Play | Pass],
    leader: Seat,
    hearts: HeartRule,
    order: str,
) -> TrickCourse | None:
    """Play the tricks; None at a breach."""
    bits, shown_bits = BITS[order], SHOWN_BITS[order]
    broken, lifts, forced_lifts = hearts
    leaders, taken = [leader], [0, 0, 0, 0]
    shown: list[tuple[int, Seat, Seat]] = []
    turns: list[Seat] = []
    seats, cards = zip(*plays, strict=True)  # a pass raises ValueError
    four = map(bits.__getitem__, cards)
    for ours, left, across, right in zip(four, four, four, four, strict=True):
        a, b, c, d = TURNS[leader]
        turns += TURNS[leader]
        suit = SUIT_OF[ours]
        pile = ours | left | across | right
        hands[a] ^= ours
        hands[b] ^= left
        hands[c] ^= across
        hands[d] ^= right
        if suit == HEARTS and not broken:
            if hands[a] & ~HEARTS:
                return None
            broken = forced_lifts
        if pile & ~suit:
            if (
                (not left & suit and hands[b] & suit)
                or (not across & suit and hands[c] & suit)
                or (not right & suit and hands[d] & suit)
            ):
                return None
            if not broken and pile & ~suit & HEARTS:
                broken = lifts
            best = 1 << (pile & suit).bit_length() - 1
        else:
            best = max(ours, left, across, right)
        if best != ours:
            leader = b if best == left else c if best == across else d
        taken[leader] |= pile
        leaders.append(leader)
        if pile & shown_bits:
            shown.append((pile & shown_bits, a, leader))
    if tuple(turns) != seats:
        return None
    return TrickCourse(leaders, taken, shown)


def _heart_rule(contract: Contract, ruleset: Ruleset) -> HeartRule:
    banned = hearts_banned(False, contract.parts, ruleset)
    lifts = ruleset.hearts_lead.mode == "until_broken"
    return HeartRule(not banned, lifts, lifts and ruleset.hearts_lead.forced_lead_breaks)


def _are_good(
    doubles: Sequence[Double], hands: Sequence[int], contract: Contract, ruleset: Ruleset
) -> bool:
    """Return whether each doubled card is held, may be doubled, and is doubled once."""
    offered, bits = doublable(contract, ruleset), BITS[ruleset.rank_order]
    if ruleset.doubling.queens_unit == "whole_contract" and len(doubles) > 1:
        return False
    if len({double.card for double in doubles}) != len(doubles):
        return False
    return all(card in offered and hands[by] & bits[card] for card, by in doubles)


def _tally(course: TrickCourse, doubles: tuple[Double, ...], order: str, *, over: bool) -> Tally:
    leaders, (a, b, c, d), shown = course
    takers: dict[Card, Seat] = {}
    trick_leader: dict[Card, Seat] = {}
    for lying, leader, taker in shown:
        for card in _shown_cards(order, lying):
            takers[card], trick_leader[card] = taker, leader
    queens = QUEEN_BITS[order]
    tricks = leaders[1:]
    return Tally(
        king_taken_by=takers.pop(KING_OF_HEARTS, None),
        queens_taken_by=takers,
        queens=_counts(a & queens, b & queens, c & queens, d & queens),
        diamonds=_counts(a & DIAMONDS, b & DIAMONDS, c & DIAMONDS, d & DIAMONDS),
        hearts=_counts(a & HEARTS, b & HEARTS, c & HEARTS, d & HEARTS),
        tricks=(tricks.count(0), tricks.count(1), tricks.count(2), tricks.count(3)),
        last_trick_by=leaders[-1] if over else None,
        doubles=doubles,
        trick_leader=trick_leader,
    )


@cache
def _shown_cards(order: str, lying: int) -> list[Card]:
    """The cards of these bits. There are 31 such sets."""
    return [card for card in SHOWN if BITS[order][card] & lying]


def _counts(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    return a.bit_count(), b.bit_count(), c.bit_count(), d.bit_count()


def _is_settled(contract: Contract, tally: Tally, ruleset: Ruleset) -> bool:
    return all(item_is_settled(item, tally, ruleset) for item in contract.items)


# -- Trex


def _trex(hands: list[int], record: Record, starter: Seat, ruleset: Ruleset) -> Tally | None:
    assert record.contract is not None
    if record.contract.special != "trex" or ruleset.trex_layout != "suit_rows" or record.doubles:
        return None
    out = _lay(hands, record.plays, starter, ruleset)
    if out is None or len(out) < 3:
        return None
    return Tally(finish_order=(*out, 6 - sum(out)))


def _lay(
    hands: list[int], plays: Sequence[Play | Pass], turn: Seat, ruleset: Ruleset
) -> list[Seat] | None:
    """Lay the cards in rows and return who went out, in order; None at a breach.

    `again` is the seat whose ace lets it lay once more."""
    bits = BITS[ruleset.layout_rank_order]
    opened, fitting = _rows(ruleset.layout_rank_order)
    step = -1 if ruleset.trex_direction == "reverse" else 1
    after = [(seat + step) % 4 for seat in SEATS]
    replays, duty = ruleset.ace_replay != "off", ruleset.ace_replay == "must"
    chain, again = ruleset.ace_replay_chain, False
    out: list[Seat] = []
    for play in plays:
        seat = play[0]
        if seat != turn:
            if not again or seat != after[turn] or (duty and hands[turn] & fitting):
                return None
            turn, again = seat, False
        if len(play) == 1:
            if hands[seat] & fitting and (duty or not again):
                return None
            turn, again = after[seat], False
            continue
        card = play[1]
        bit = bits[card]
        if not hands[seat] & fitting & bit:
            return None
        hands[seat] ^= bit
        fitting ^= opened[card]
        if not hands[seat]:
            out.append(seat)
            if len(out) == 3:
                return out
            after = [after[seat] if following == seat else following for following in after]
        elif replays and card[0] == "A" and (chain or not again):
            again = True
            continue
        turn, again = after[seat], False
    return out


@cache
def _rows(order: str) -> tuple[Mapping[Card, int], int]:
    """Return for each card what fits after it is laid, and what fits first."""
    bits, following = BITS[order], next_cards(order)
    changes = {card: bits[card] | sum(bits[each] for each in following[card]) for card in DECK_52}
    return changes, sum(bits[PIVOT + suit] for suit in SUITS)
