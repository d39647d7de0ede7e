"""What columns hold and give back, and what they leave out."""

from dataclasses import replace
from random import Random

import pytest

from scoring.archive.columns import Packer, packed
from scoring.replay.record import Capture, Pass
from scoring.rules import Contract
from tests.support.players import legal_deal

KING = legal_deal(Random(2), "levant", {}, Contract.read("king"), id="seven", deal_number=7)
TREX = legal_deal(Random(2), "levant", {}, Contract.read("trex"))


def back(record):
    packer = Packer(record.system, record.options, record.contract, record.ruleset())
    assert packer.add(record, 0)
    return packer.take().record(0)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"id": "سبعة"},
        {"tags": {"Club": "Sham", "North": "Badr", "Ronde": "2"}},
        {"hands": (None,) * 4},
        {"hands": (*KING.hands[:2], None, KING.hands[3])},
        {"leader": KING.plays[0].seat, "dealer": None, "chooser": None},
        {"claimed": (-75, 0, 0, 2_000_000_000)},
        {"plays": KING.plays[:21]},
        {"deal_number": None, "forced": True},
    ],
)
def test_a_record_comes_back_equal(changes):
    record = replace(KING, **changes)
    assert back(record) == record


def test_passes_of_trex_follow_from_the_cards():
    assert any(isinstance(play, Pass) for play in TREX.plays)
    assert back(TREX) == TREX


@pytest.mark.parametrize(
    "changes",
    [
        {"hands": (None,) * 4, "plays": KING.plays[:-4]},
        {"plays": KING.plays[1:]},
        {"plays": (*KING.plays[:2], KING.plays[1], *KING.plays[3:])},
        {"captured": (Capture("QS", 0),)},
        {"claimed": (0, 0, 0, 10**12)},
        {"plays": ()},
    ],
)
def test_what_does_not_fit_is_left_out(changes):
    assert packed(replace(KING, **changes), KING.ruleset()) is None


def test_passes_that_no_rule_explains_are_left_out():
    plays = [play for play in TREX.plays if not isinstance(play, Pass)]
    assert packed(replace(TREX, plays=tuple(plays)), TREX.ruleset()) is None
