"""The pass and the explaining engine agree on every deal."""

from dataclasses import replace
from random import Random

import pytest

from scoring.rules import Contract
from tests.archive.agreeing import differences
from tests.archive.making import careless_deal
from tests.replay.making import record_of
from tests.replay.play.test_quick import spoilt
from tests.support.players import any_legal_deal, legal_deal, some_options
from tests.support.worked import load

BLOCKS = range(6)


def test_handed_records():
    records = [record_of(case["record"]) for case in load("records")]
    wrong, counts = differences([record for record in records if not record.errors])
    assert wrong == []
    assert counts["faultless"]


@pytest.mark.parametrize("block", BLOCKS)
def test_any_deal_whole_cut_careless_or_spoilt(block):
    records = []
    for seed in range(block * 40, block * 40 + 40):
        rng = Random(seed)
        record = any_legal_deal(rng)
        records += [record, spoilt(rng, record), careless_deal(rng)]
        records.append(replace(record, plays=record.plays[: rng.randrange(len(record.plays))]))
    wrong, counts = differences(records)
    assert wrong == []
    assert counts["faultless"]
    assert counts["faulty"]
    assert counts["not fit"]


@pytest.mark.parametrize(
    ("system", "contract"),
    [
        ("levant", "king"),
        ("levant", "king+queens+diamonds+tricks"),
        ("kleshchi", "queens"),
        ("barbu", "general"),
        ("barbu", "hearts"),
        ("levant", "trex"),
        ("kleshchi", "trex"),
        ("barbu", "trex"),
    ],
)
def test_many_deals_in_one_block(system, contract):
    """Of the last deal, which nothing follows, and of all chunks."""
    rng = Random(1)
    options = {"ace_replay": "off"} if contract == "trex" and system == "barbu" else {}
    kept = Contract.from_key(contract)
    records = [legal_deal(rng, system, options, kept, forced=n % 3 == 0) for n in range(40)]
    wrong, counts = differences(records)
    assert wrong == []
    assert counts == {"faultless": 40}


@pytest.mark.parametrize("seed", range(12))
def test_early_stops_in_one_block(seed):
    """Deals that stop once their points are settled beside others, in one block."""
    rng = Random(seed)
    options = some_options(rng, "levant", ["early_end", "must_dump", "hearts_lead.mode"])
    king = [legal_deal(rng, "levant", options, Contract.read("king")) for _ in range(8)]
    stopped = [replace(deal, plays=deal.plays[: 4 * rng.randrange(1, 13)]) for deal in king]
    assert differences([*king, *stopped])[0] == []


def test_claims_are_compared():
    rng = Random(3)
    deal = legal_deal(rng, "levant", {}, Contract.read("diamonds"), doubles=())
    right = replace(deal, claimed=(-130, 0, 0, 0))
    records = [replace(right, claimed=claim) for claim in [(-130, 0, 0, 0), (1, 2, 3, 4), None]]
    assert differences(records)[0] == []
