"""What can stand behind a line of points."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from scoring.finder import PossibleFacts, WrittenLine, WrittenSheet, find
from scoring.rules import Contract, Double, points, preset, ruleset
from scoring.rules.seats import SEATS
from tests.finder import brute
from tests.finder.evenings import PRESETS, some_deal, whole_match

LEVANT, KLESHCHI, BARBU = ruleset("levant"), ruleset("kleshchi"), ruleset("barbu")


def behind(scores, contract=None, rules=LEVANT, chooser=None, forced=None, most=500):
    contract = contract and Contract.read(contract)
    line = WrittenLine(scores, contract, chooser, forced)
    return [entry for entry, _ in zip(PossibleFacts(rules).behind(line), range(most), strict=False)]


def meaning(scores, contract=None, rules=LEVANT, chooser=None, forced=None):
    contract = contract and Contract.read(contract)
    sheet = WrittenSheet([WrittenLine(scores, contract, chooser, forced)])
    return find(sheet, rules).meanings[0]


def test_line_of_tricks_has_one_meaning():
    (entry,) = behind((0, -75, -45, -75), "tricks")
    assert entry.tally.tricks == (0, 5, 3, 5)


def test_contract_need_not_be_known():
    (entry,) = behind((0, -75, -45, -75))
    assert entry.contract.key == "tricks"
    (entry,) = behind((200, 50, 150, 100))
    assert entry.tally.finish_order == (0, 2, 3, 1)


def test_doubled_king_is_seen():
    (entry,) = behind((-150, 0, 75, 0), "king")
    assert entry.tally.king_taken_by == 0
    assert entry.tally.doubles == (Double("KH", 2),)


def test_undoubled_facts_come_before_doubled_ones():
    found = behind((-50, -25, -25, 0), "queens")
    assert found[0].tally.queens == (2, 1, 1, 0)
    doubles = [len(entry.tally.doubles) for entry in found]
    assert doubles == sorted(doubles)


def test_kabbout_and_factors_are_seen():
    (entry,) = behind((0, 800, 400, 400), "tricks", BARBU, chooser=1)
    assert entry.tally.tricks == (8, 0, 0, 0)
    (entry,) = behind((0, 1600, 800, 800), "hearts", BARBU, chooser=1)
    assert entry.forced


def test_chooser_who_is_not_known_is_found():
    assert {entry.chooser for entry in behind((0, 160, 0, 0), "king", BARBU, forced=False)} == {1}


def test_cheat_is_thought_of_last():
    (entry,) = behind((0, 400, 0, 0), "queens", BARBU, 1, forced=False)
    assert entry.tally.cheat_by == 1


def test_revoke_is_thought_of_where_nothing_else_gives_the_line():
    rules = ruleset("levant", {"kabbout.contracts": ["tricks"]})
    (entry,) = behind((-195, 0, 0, 0), "tricks", rules)
    assert entry.tally.revoke_by == 0


@pytest.mark.parametrize("name", PRESETS)
def test_truth_is_among_the_facts(name):
    """Of a deal that was played, the facts themselves are found, or the same with fewer doubles:
    one that changed nothing is not to be seen."""
    rules = preset(name)
    _, entries = whole_match(Random(name), rules)
    facts = PossibleFacts(rules)
    for entry in entries[:12]:
        line = WrittenLine(points(entry, rules).scores, entry.contract, entry.chooser, entry.forced)
        assert facts.is_possible(line)
        for found, _ in zip(facts.behind(line), range(20), strict=False):
            assert brute.scores(found, rules) == line.points


def every_entry(rules, contract):
    """All facts of one contract, queens by their number."""
    if contract == "trex":
        yield from (brute.entry_of(contract, finish_order=order) for order in brute.orders())
    elif contract == "king":
        for seat, by in product(SEATS, (None, *SEATS)):
            doubles = () if by is None else (Double("KH", by),)
            yield brute.entry_of(contract, king_taken_by=seat, doubles=doubles)
    else:
        for counts in brute.compositions(4 if contract == "queens" else 13):
            yield brute.entry_of(contract, **{contract: counts})


def test_lines_are_possible_exactly_where_some_facts_give_them():
    """Every line near a true one, of every contract, against all facts there are."""
    rules = ruleset("kleshchi", {"doubling.queens": False})
    facts, rng = PossibleFacts(rules), Random(4)
    for contract in rules.contracts:
        possible = {brute.scores(entry, rules) for entry in every_entry(rules, contract)}
        for scores in rng.sample(sorted(possible), min(12, len(possible))):
            for seat, by in product(SEATS, (0, -75, -25, -15, -10, 5, 50)):
                line = tuple(one + by * (each == seat) for each, one in enumerate(scores))
                written = WrittenLine(line, Contract.read(contract))
                assert facts.is_possible(written) == (line in possible), line


@pytest.mark.parametrize(
    ("scores", "contract", "code"),
    [
        ((-30, -40, -30, -20), "diamonds", "wrong_sum"),
        ((-35, -40, -35, -20), "diamonds", "not_a_multiple"),
        ((200, 150, 100, 100), "trex", "not_the_places"),
        ((-140, 10, 0, 0), "diamonds", "no_facts"),
        ((1, 2, 3, 4), None, "no_contract"),
    ],
)
def test_impossible_line_says_why(scores, contract, code):
    found = meaning(scores, contract)
    assert found.impossible
    assert code in [why.code for why in found.why]


def test_wrong_sum_tells_both_numbers():
    (why,) = meaning((-30, -40, -30, -20), "diamonds").why
    assert (why.found, why.expected) == (-120, (-130,))
    why, cheating = meaning((0, 80, 80, 0), "king", BARBU, chooser=0).why
    assert (cheating.code, cheating.expected) == ("or_cheating", (400,))
    assert (why.found, why.expected, why.factors) == (160, (80,), False)
    why, _ = meaning((180, 0, 0, 0), "tricks", BARBU, chooser=0).why
    assert (why.found, why.expected, why.factors) == (90, (80,), True)


def test_reason_holds_whoever_chose():
    """Where nobody said who chose, no number is told that is right for one chooser only."""
    why, _ = meaning((30, 50, 0, 30), "tricks", BARBU).why
    assert why.code == "no_facts"
    why, _ = meaning((15, 50, 0, 20), "tricks", BARBU).why
    assert (why.code, why.seat, why.step) == ("not_a_multiple", 0, 10)


def test_fifty_one_has_one_loser():
    (entry,) = behind((0, 0, 80, 0), "fifty_one", BARBU, chooser=1)
    assert entry.tally.loser == 2
    why, _ = meaning((0, 80, 80, 0), "fifty_one", BARBU, chooser=0).why
    assert why.code == "not_one_loser"


def test_doubled_queen_takes_a_name_that_the_rest_allows():
    """Who took no diamond took no queen of diamonds."""
    rules = ruleset("levant", {"combo": "free"})
    contract = ["queens", "diamonds"]
    entry = brute.entry_of(
        contract,
        queens_taken_by=dict.fromkeys(("QS", "QH", "QC"), 0) | {"QD": 1},
        diamonds=(0, 13, 0, 0),
        doubles=(Double("QS", 3),),
    )
    scores = points(entry, rules).scores
    wanted = brute.canonical(replace(entry, chooser=None))
    assert wanted in [brute.canonical(e) for e in behind(scores, contract, rules)]


def test_any_legal_deal_has_a_possible_line():
    for seed in range(40):
        rng = Random(seed)
        rules = preset(rng.choice(PRESETS))
        entry = some_deal(rng, rules)
        line = WrittenLine(points(entry, rules).scores, entry.contract, entry.chooser, entry.forced)
        assert PossibleFacts(rules).is_possible(line), entry
