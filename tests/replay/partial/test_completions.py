"""What an incomplete record allows, held against brute force."""

from dataclasses import replace
from random import Random

import pytest

from scoring.replay.engine import card_by_card
from scoring.replay.partial.completions import CompletionReason, claims_of, tally_of, vector_of
from scoring.replay.record import Capture
from scoring.rules import Contract, Item, Tally
from tests.replay.partial.endings import brute, checked, ending, of_contract, searched
from tests.support.players import legal_deal


@pytest.mark.parametrize("seed", range(40))
def test_ways_are_those_of_brute_force(seed):
    record = ending(Random(seed))
    assert searched(record) == of_contract(record, brute(record))


@pytest.mark.parametrize("seed", range(15))
def test_ways_with_two_hidden_hands_are_those_of_brute_force(seed):
    record = ending(Random(seed), hidden=2)
    assert searched(record) == of_contract(record, brute(record))


@pytest.mark.parametrize("seed", range(30))
def test_claims_are_possible_where_brute_force_finds_a_way(seed):
    rng = Random(seed)
    record = ending(rng)
    ways = of_contract(record, brute(record))
    claimed = rng.choice(list(ways))
    if rng.random() < 0.7:  # of another deal: some of it will be impossible
        other = list(claimed)
        start = 4 * rng.randrange(len(other) // 4)
        other[start : start + 4] = rng.sample(other[start : start + 4], 4)
        claimed = tuple(other)
    tally = tally_of(record.contract, claimed)
    found = checked(record, tally)
    assert found.ways == sum(ways.values())
    for each in found.claims:
        holding = sum(n for v, n in ways.items() if holds(each.claim, record.contract, v))
        assert (each.possible, each.ways) == (holding > 0, holding)
        assert (each.reason is None) == (holding > 0)
    least = [min(column) for column in zip(*ways, strict=True)]
    for place, item in enumerate(record.contract.items):
        if record.contract.items == (Item.QUEENS,) or Item.QUEENS not in record.contract.items:
            ends = found.proven.bounds[item.value]
            if item is not Item.QUEENS:
                assert [own[0] for own in ends] == least[4 * place : 4 * place + 4]
    is_whole = ways.get(claimed, 0)
    if is_whole:
        assert found.together[0].claims == tuple(range(len(found.claims)))
        assert found.together[0].ways == is_whole


def holds(claim, contract, vector):
    tally = tally_of(contract, vector)
    if claim.card == "KH":
        return tally.king_taken_by == claim.seat
    if claim.card:
        return tally.queens_taken_by[claim.card] == claim.seat
    if claim.item is Item.LAST_TRICK:
        return tally.last_trick_by == claim.seat
    return getattr(tally, claim.item.value)[claim.seat] == claim.number


# -- planted claims, which cannot be, with the reason for which they cannot


def stopped(seed, contract, tricks):
    record = legal_deal(Random(seed), "levant", {}, Contract.from_key(contract), doubles=())
    return record, replace(record, plays=record.plays[: 4 * tricks])


@pytest.mark.parametrize("seed", range(5))
def test_a_card_that_another_seat_took(seed):
    _, record = stopped(seed, "queens", 11)
    found = card_by_card(record, record.ruleset())
    card, taker = next(iter(found.tally.queens_taken_by.items()))
    trick = next(n for n, each in enumerate(found.tricks) if card in each.cards)
    (one,) = checked(record, Tally(queens_taken_by={card: (taker + 1) % 4})).claims
    assert one.reason == CompletionReason("taken", trick, taker)


@pytest.mark.parametrize("seed", range(5))
def test_a_card_that_lies_before_another_seat(seed):
    whole, record = stopped(seed, "king", 3)
    taker = card_by_card(whole, whole.ruleset()).tally.king_taken_by
    record = replace(record, captured=(Capture("KH", taker),))
    if "KH" in {play.card for play in record.plays}:
        record = replace(record, plays=())
    (one,) = checked(record, Tally(king_taken_by=(taker + 2) % 4)).claims
    assert one.reason == CompletionReason("lies_before", seat=taker)


@pytest.mark.parametrize("seed", range(5))
def test_a_number_that_was_passed_already(seed):
    _, record = stopped(seed, "tricks", 9)
    taken = card_by_card(record, record.ruleset()).tally.tricks
    seat = taken.index(max(taken))
    counts = [0, 0, 0, 0]
    counts[seat], counts[seat - 1] = 1, 12
    claims = checked(record, Tally(tricks=tuple(counts))).claims
    reason = claims[seat].reason
    assert (reason.code, reason.number) == ("already", 2)


@pytest.mark.parametrize("seed", range(5))
def test_more_than_are_left(seed):
    _, record = stopped(seed, "diamonds", 10)
    taken = card_by_card(record, record.ruleset()).tally.diamonds
    seat = taken.index(min(taken))
    counts = [0, 0, 0, 0]
    counts[seat] = 13
    reason = checked(record, Tally(diamonds=tuple(counts))).claims[seat].reason
    assert reason == CompletionReason("too_few_left", number=taken[seat] + 13 - sum(taken))


def test_claims_of_a_tally_and_back():
    record, _ = stopped(1, "king+queens+diamonds+tricks", 13)
    tally = card_by_card(record, record.ruleset()).tally
    claims = list(claims_of(record.contract, tally))
    assert len(claims) == 1 + 4 + 4 + 4
    vector = vector_of(record.contract, tally)
    again = tally_of(record.contract, vector)
    assert list(claims_of(record.contract, again)) == claims


def test_too_many_ways_are_not_counted():
    _, record = stopped(1, "diamonds", 5)
    found = checked(record, Tally(diamonds=(13, 0, 0, 0)))
    assert found.ways is None
    assert found.together == ()
