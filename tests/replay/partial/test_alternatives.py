"""What a revoke cost, counted and played out."""

from dataclasses import replace
from random import Random

import pytest

from scoring.replay.engine import card_by_card
from scoring.replay.partial.alternatives import SAMPLES, SeatRange, revoke_cost
from scoring.replay.partial.completions import tally_of
from scoring.replay.play.table import leader_of, new_table
from scoring.replay.record import Play
from scoring.rules import Contract, Entry, points
from tests.replay.partial.endings import brute, of_contract
from tests.support.players import legal_deal


def revoked(seed, contract, trick):
    """A deal in which somebody revokes in this trick or later, and the play goes on."""
    rng = Random(seed)
    record = legal_deal(rng, "levant", {}, Contract.from_key(contract), doubles=())
    rules = record.ruleset()
    table = new_table(record.contract, rules, record.hands, leader_of(record, rules))
    plays, done = [], False
    while not table.over:
        seat, legal = table.turn, table.legal()
        held = sorted(table.hands[seat])
        if not done and table.trick >= trick and table.lying and len(legal) < len(held):
            card, done = next(each for each in held if each not in legal), True
        else:
            card = rng.choice(legal)
        plays.append(Play(seat, card))
        table.lay(card)
    return replace(record, plays=tuple(plays))


def cost(record):
    rules = record.ruleset()
    return revoke_cost(record, card_by_card(record, rules), rules, Random(7).choice)


def with_revoke(contract, trick):
    for seed in range(200):
        record = revoked(seed, contract, trick)
        found = cost(record)
        if found:
            yield record, found


@pytest.mark.parametrize("contract", ["king", "queens", "diamonds", "tricks", "queens+tricks"])
def test_late_revokes_are_counted_as_by_brute_force(contract):
    for _, (record, found) in zip(range(3), with_revoke(contract, 10), strict=False):
        assert found.happened == card_by_card(record, record.ruleset()).scores
        for each in found.alternatives:
            assert each.is_exact
            play = Play(found.breach.seat, each.card)
            start = replace(record, plays=(*record.plays[: found.breach.play], play))
            ways = of_contract(record, brute(start))
            assert each.ways == sum(ways.values())
            worth = [scores_of(record, vector) for vector in ways]
            for seat in range(4):
                own = [scores[seat] for scores in worth]
                assert (each.seats[seat].lowest, each.seats[seat].highest) == (min(own), max(own))


def scores_of(record, vector):
    tally = tally_of(record.contract, vector)
    return points(Entry(record.contract, record.chooser, False, tally), record.ruleset()).scores


def test_early_revokes_are_played_out_the_same_each_time():
    record, found = next(with_revoke("diamonds", 1))
    assert not any(each.is_exact for each in found.alternatives)
    assert SAMPLES // 2 <= sum(each.ways for each in found.alternatives) <= SAMPLES
    assert cost(record) == found
    for each in found.alternatives:
        for seat in each.seats:
            assert isinstance(seat, SeatRange)
            assert seat.lowest <= seat.low <= seat.high <= seat.highest


def test_without_a_revoke_nothing_was_lost():
    assert cost(legal_deal(Random(1), "levant", {}, Contract.read("king"))) is None
