"""The same deal between other seats, or under another contract."""

from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import Contract, Entry, Tally, points, ruleset
from scoring.rules.deal.checks import check
from scoring.rules.repairs import inverse, moved_entry, moved_points, under_contract
from tests.support.matches import BARBU, LEVANT, codes
from tests.support.strategies import ruled_entries

moves = st.permutations(range(4)).map(tuple)


# Turning people round turns the points round, where no partner and no order of play counts. C61
@given(ruled=ruled_entries(), to=moves)
def test_points_move_with_the_people(ruled, to):
    rules, entry = ruled
    moved = moved_entry(entry, to)
    assert moved_entry(moved, inverse(to)) == entry
    if not rules.has_teams and not entry.tally.plays:
        assert check(moved, rules) == []
        assert points(moved, rules).scores == moved_points(points(entry, rules).scores, to)


def entry_of(contract, **facts):
    return Entry(Contract.read(contract), 0, False, Tally(**facts))


def test_counts_are_counts_under_another_contract():
    tricks = under_contract(entry_of("diamonds", diamonds=(5, 4, 4, 0)), Contract.read("tricks"))
    assert tricks == entry_of("tricks", tricks=(5, 4, 4, 0))
    assert check(tricks, LEVANT) == []


def test_taker_is_taker_under_another_contract():
    last = under_contract(entry_of("king", king_taken_by=2), Contract.read("last_trick"))
    assert last == entry_of("last_trick", last_trick_by=2)
    assert check(last, BARBU) == []


def test_what_is_told_in_another_shape_does_not_fit():
    king = entry_of("king", king_taken_by=2)
    for contract in ("diamonds", "trex", "general", ["king", "queens"]):
        assert under_contract(king, Contract.read(contract)) is None


def test_counts_that_do_not_fit_are_refused_by_the_rules():
    queens = entry_of("queens", queens_taken_by={"QS": 0, "QH": 0, "QD": 1, "QC": 3})
    moved = under_contract(queens, Contract.read("diamonds"))
    assert moved == entry_of("diamonds", diamonds=(2, 1, 0, 1))
    assert codes(check(moved, ruleset("levant"))) == ["wrong_total"]
