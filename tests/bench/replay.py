"""Deals a second: replayed with the full report, without it, and by a plain loop of bit masks."""

import argparse
import sys
from collections.abc import Callable, Sequence
from random import Random
from time import process_time

from scoring.replay import engine, report
from scoring.replay.record import Pass, Record
from scoring.rules import Contract, ruleset
from scoring.rules.cards import DECK_52, RANKS, SUITS
from tests.support.players import legal_deal

LEAST_WITH, LEAST_WITHOUT = 0.12, 0.6
KINDS = {"trick deals": "king", "Trex": "trex"}
INDEX = {card: 16 * SUITS.index(card[1]) + RANKS.index(card[0]) for card in DECK_52}
BIT = {card: 1 << index for card, index in INDEX.items()}
DECK = sum(BIT.values())
SUIT_MASKS = [0xFFFF << 16 * suit for suit in range(4)]
HEARTS = SUIT_MASKS[1]
JACKS, QUEENS = (sum(BIT[rank + suit] for suit in SUITS) for rank in "JQ")
KING = BIT["KH"]
SHOWN_BITS = [KING, *(BIT["Q" + suit] for suit in SUITS)]
SHOWN = sum(SHOWN_BITS)


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/bench replay", description=__doc__)
    parser.add_argument("deals", nargs="?", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=7, help="the best of each counts")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    too_slow = [
        kind
        for kind, contract in KINDS.items()
        if not compared(kind, some_deals(contract, asked.deals, asked.seed), asked.rounds)
    ]
    print("too slow: " + ", ".join(too_slow) if too_slow else "fast enough")
    return 1 if too_slow else 0


def some_deals(contract: str, count: int, seed: int) -> list[Record]:
    rng = Random(seed)
    return [
        legal_deal(rng, "levant", {}, Contract.read(contract), doubles=()) for _ in range(count)
    ]


def compared(kind: str, records: Sequence[Record], rounds: int) -> bool:
    """Prints the three speeds; whether both ratios are reached."""
    rules = ruleset("levant", {})
    loop = tricks_loop if kind == "trick deals" else rows_loop
    runs: dict[str, Callable[[Record], object]] = {
        "plain loop": loop,
        "with report": lambda record: report.to_json(engine.replay(record, rules)),
        "without": lambda record: engine.replay(record, rules, report=False),
    }
    agree(runs, records)
    speeds = dict.fromkeys(runs, 0.0)
    for _ in range(rounds):  # in turn, so that a busy moment of the machine falls on all alike
        for name, run in runs.items():
            speeds[name] = max(speeds[name], len(records) / seconds(run, records))
    plain = speeds["plain loop"]
    ratios = {"with report": LEAST_WITH, "without": LEAST_WITHOUT}
    print(f"{kind}: plain loop {plain:,.0f} deals/s")
    for name, least in ratios.items():
        ratio = speeds[name] / plain
        print(f"  {name} {speeds[name]:,.0f} deals/s, {ratio:.2f} of it (at least {least})")
    return all(speeds[name] / plain >= least for name, least in ratios.items())


def seconds(run: Callable[[Record], object], records: Sequence[Record]) -> float:
    """Of this process alone: what else runs on the machine does not count."""
    start = process_time()
    for record in records:
        run(record)
    return process_time() - start


def agree(runs: dict[str, Callable[[Record], object]], records: Sequence[Record]) -> None:
    """All three must say the same of every deal."""
    plain, full, quick = runs.values()
    for record in records:
        scores = plain(record)
        assert scores == full(record)["scores"] == list(quick(record).scores), record


def masks(record: Record) -> list[int]:
    return [sum([BIT[card] for card in hand or ()]) for hand in record.hands]


def tricks_loop(record: Record) -> list[int]:
    """Every card held, in turn, following suit, no early heart led; who took what, the score."""
    hands, turn = masks(record), record.plays[0].seat
    assert sum(hands) == DECK
    broken = False
    lying = led = best = pile = 0
    winner = turn
    taken, count = [0, 0, 0, 0], [0, 0, 0, 0]
    takers, leaders, leader = {}, {}, turn
    for play in record.plays:
        seat = play.seat
        card = INDEX[play.card]
        bit, suit = 1 << card, card >> 4
        assert seat == turn
        hand = hands[seat]
        assert hand & bit
        if not lying:
            assert suit != 1 or broken or not hand & ~HEARTS
            led, best, winner, pile = suit, card, seat, 0
        elif suit == led:
            if card > best:
                best, winner = card, seat
        else:
            assert not hand & SUIT_MASKS[led]
            if suit == 1:
                broken = True
        hands[seat] = hand ^ bit
        pile |= bit
        lying += 1
        turn = (turn + 1) & 3
        if lying == 4:
            lying, turn = 0, winner
            taken[winner] |= pile
            count[winner] += 1
            if pile & SHOWN:
                for shown in SHOWN_BITS:
                    if pile & shown:
                        takers[shown], leaders[shown] = winner, leader
            leader = winner
    assert not any(hands)
    diamonds = [(each & SUIT_MASKS[2]).bit_count() for each in taken]
    hearts = [(each & HEARTS).bit_count() for each in taken]
    queens = [(each & QUEENS).bit_count() for each in taken]
    assert sum(diamonds) == sum(hearts) == sum(count) == 13
    assert sum(queens) == 4
    assert len(takers) == len(leaders) == 5
    return [-75 if each & KING else 0 for each in taken]


def rows_loop(record: Record) -> list[int]:
    """Suit rows: every card held, in turn and fitting, no pass when able; the score."""
    hands, turn = masks(record), record.plays[0].seat
    assert sum(hands) == DECK
    fitting, out = JACKS, []
    for play in record.plays:
        while not hands[turn]:
            turn = (turn + 1) & 3
        seat = play.seat
        assert seat == turn
        if isinstance(play, Pass):
            assert not hands[seat] & fitting
        else:
            card = INDEX[play.card]
            bit = 1 << card
            assert hands[seat] & bit & fitting
            hands[seat] ^= bit
            fitting ^= bit
            rank = card & 15
            if 0 < rank <= 9:
                fitting |= bit >> 1
            if 9 <= rank < 12:
                fitting |= bit << 1
            if not hands[seat]:
                out.append(seat)
                if len(out) == 3:
                    break
        turn = (turn + 1) & 3
    out += {0, 1, 2, 3}.difference(out)
    scores = [0, 0, 0, 0]
    for place, seat in enumerate(out):
        scores[seat] = (200, 150, 100, 50)[place]
    return scores


if __name__ == "__main__":
    sys.exit(main())
