"""The quick way says the same as the engine, or leaves it to the engine."""

from dataclasses import replace
from random import Random

import pytest

from scoring.replay.engine import card_by_card, replay
from scoring.replay.play.quick import quick
from scoring.replay.record import Play
from scoring.rules import Contract
from tests.replay.making import record_of
from tests.support.players import any_legal_deal, legal_deal
from tests.support.worked import ids, load


def agree(record):
    rules = record.ruleset()
    full = card_by_card(record, rules)
    assert replay(record, rules, report=False) == replace(full, tricks=())


@pytest.mark.parametrize("case", load("records"), ids=ids)
def test_quick_agrees_on_the_record(case):
    agree(record_of(case["record"]))


@pytest.mark.parametrize("block", range(10))
def test_quick_agrees_on_any_deal_whole_cut_or_spoilt(block):
    for seed in range(block * 60, block * 60 + 60):
        rng = Random(seed)
        record = any_legal_deal(rng)
        agree(record)
        agree(replace(record, plays=record.plays[: rng.randrange(len(record.plays))]))
        agree(spoilt(rng, record))


def spoilt(rng, record):
    """Two plays of one seat change places, or one play changes its card or its seat."""
    plays = list(record.plays)
    one, other = rng.sample(range(len(plays)), 2)
    match rng.randrange(4):
        case 0:
            plays[one], plays[other] = plays[other], plays[one]
        case 1:
            plays[one] = Play(plays[one].seat, rng.choice(record.ruleset().deck))
        case 2:
            plays[one] = Play(rng.randrange(4), rng.choice(record.ruleset().deck))
        case 3:
            del plays[one]
    return replace(record, plays=tuple(plays))


@pytest.mark.parametrize(
    ("system", "contract"),
    [("levant", "king"), ("barbu", "general"), ("levant", "trex"), ("barbu", "trex")],
)
def test_quick_knows_every_deal_without_a_fault(system, contract):
    for seed in range(30):
        record = legal_deal(Random(seed), system, {}, Contract.read(contract))
        assert quick(record, record.ruleset()) is not None
