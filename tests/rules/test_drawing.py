"""The draw: everybody once, byes shared, pairs together, and the same seed draws the same."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.drawing import DrawField, Seats, by_lot, draw, exchanged

METHODS = ["lot", "standing", "meet"]
THIRTEEN = tuple(f"p{number:02}" for number in range(13))
seeds = st.integers(0, 2**63 - 1)


def evening(people, method, rounds, seed=1, late=(), **field):
    """Rounds drawn one after another, each knowing what was before; who is `late` comes for the
    sixth."""
    byes, met, drawn, present = {}, {}, [], {}
    for number in range(1, rounds + 1):
        here = people if number < 6 else (*people, *late)
        known = {"byes": byes, "met": met, "present": present}
        seats = draw(DrawField(here, **known, **field), method, seed + number)
        for person in here:
            present[person] = present.get(person, 0) + 1
        for person in seats.byes:
            byes[person] = [*byes.get(person, ()), number]
        for table in seats.tables:
            for pair in map(frozenset, combinations(table, 2)):
                met[pair] = met.get(pair, 0) + 1
        drawn.append(seats)
    return drawn, byes, met


@given(st.integers(0, 30), st.sampled_from(METHODS), seeds, st.booleans())
def test_everybody_sits_once_or_has_a_bye(number, method, seed, in_pairs):
    people = tuple(range(number))
    partners = tuple((one, one + 1) for one in range(0, number - 3, 2))
    field = DrawField(people, in_pairs, partners)
    seats = draw(field, method, seed)
    there = [person for table in seats.tables for person in table]
    assert sorted([*there, *seats.byes]) == list(people)
    assert len(seats.byes) == number % 4
    assert draw(field, method, seed) == seats


@given(st.integers(5, 15), st.sampled_from(METHODS), seeds)
def test_byes_are_shared_fairly(number, method, seed):
    people = tuple(range(number))
    _, byes, _ = evening(people, method, 7, seed)
    counts = [len(byes.get(person, ())) for person in people]
    assert max(counts) - min(counts) <= 1


def test_nobody_rests_twice_before_all_have_and_never_at_once():
    drawn, _, _ = evening(THIRTEEN, "meet", 15)
    first = [seats.byes[0] for seats in drawn[:13]]
    assert sorted(first) == list(THIRTEEN)
    assert drawn[13].byes[0] == first[0]  # then whose bye is longest ago


@given(st.sampled_from(METHODS), seeds)
def test_late_arrival_does_not_rest_first(method, seed):
    """Thirteen people, one bye a round; of fourteen two have one. Whoever came for the sixth round
    gets one in proportion: after every other had one."""
    _, byes, _ = evening(THIRTEEN, method, 19, seed, late=("late",))
    assert byes["late"][0] == 10
    assert len(byes["late"]) == 2
    assert {len(byes[person]) for person in THIRTEEN} <= {2, 3}


def test_late_pair_does_not_rest_first():
    partners = ((0, 1), (2, 3), (4, 5), (6, 7), ("late", "too"))
    known = {"byes": {0: [1], 1: [1], 2: [2], 3: [2]}, "present": dict.fromkeys(range(6), 4)}
    people = (0, 1, 2, 3, "late", "too")
    field = DrawField(people, True, (*partners[:2], partners[-1]), **known)
    assert all(draw(field, "lot", seed).byes == (0, 1) for seed in range(9))


def test_people_meet_different_people():
    sixteen = tuple(range(16))
    for seed in range(5):
        _, _, met = evening(sixteen, "meet", 3, seed)
        assert max(met.values()) == 1
        _, _, by_chance = evening(sixteen, "lot", 3, seed)
        assert max(by_chance.values()) > 1


def test_thirteen_people_meet_most_of_the_others_in_four_rounds():
    _, _, met = evening(THIRTEEN, "meet", 4)
    assert max(met.values()) <= 2
    assert len(met) >= 60  # of 78; four rounds of three tables hold 72 meetings


def test_best_sit_together_and_newcomers_last():
    ranks = {person: place for place, person in enumerate(THIRTEEN[:12], start=1)}
    seats = draw(DrawField(THIRTEEN, byes={THIRTEEN[0]: [1]}, ranks=ranks), "standing", 5)
    tables = [sorted(table) for table in seats.tables]
    seated = [person for person in THIRTEEN if person not in seats.byes]
    assert tables == [seated[0:4], seated[4:8], seated[8:12]]


def test_equal_ranks_are_parted_by_lot():
    field = DrawField(tuple(range(8)), ranks=dict.fromkeys(range(8), 1))
    assert len({frozenset(draw(field, "standing", seed).tables[0]) for seed in range(20)}) > 5


@pytest.mark.parametrize("method", METHODS)
def test_pairs_stay_together_and_sit_opposite(method):
    people = tuple(range(11))
    partners = ((0, 1), (2, 3), (4, 5), (6, 7))
    for seats in evening(people, method, 6, in_pairs=True, partners=partners)[0]:
        for north, east, south, west in seats.tables:
            for one, other in ((north, south), (east, west)):
                pair = tuple(sorted((one, other)))
                assert pair in partners or all(person > 7 for person in pair)


# Three without a partner: two of them play together, and the bye of the third goes round.
def test_who_has_no_partner_is_put_together_and_rests_in_turn():
    drawn, byes, _ = evening(tuple(range(7)), "lot", 6, in_pairs=True, partners=((0, 1), (2, 3)))
    alone = [person for person in range(4, 7) if byes.get(person)]
    assert alone == [4, 5, 6]
    assert all(len(seats.tables) == 1 for seats in drawn)


def test_pair_with_someone_gone_is_no_pair():
    seats = draw(DrawField((0, 1, 2, 4), True, ((0, 1), (2, 3))), "lot", 3)
    north, east, south, west = seats.tables[0]
    assert {frozenset((north, south)), frozenset((east, west))} == {
        frozenset((0, 1)),
        frozenset((2, 4)),
    }


def test_pairs_meet_different_pairs():
    people, partners = tuple(range(16)), tuple((one, one + 1) for one in range(0, 16, 2))
    _, _, met = evening(people, "meet", 5, in_pairs=True, partners=partners)
    opposed = [pair for pair in met if tuple(sorted(pair)) not in partners]
    assert max(met[pair] for pair in opposed) == 1


def test_the_lot_is_the_same_on_every_machine():
    assert by_lot("ABCDEFGH", 2026, "tables") == list("FBDGEHAC")


def test_two_change_places_by_hand():
    seats = Seats((("a", "b", "c", "d"), ("e", "f", "g", "h")), ("i",))
    assert exchanged(seats, "a", "f").tables == (("f", "b", "c", "d"), ("e", "a", "g", "h"))
    assert exchanged(seats, "i", "c") == Seats((("a", "b", "i", "d"), seats.tables[1]), ("c",))


def test_pairs_change_places_together():
    seats = Seats((("a", "b", "c", "d"), ("e", "f", "g", "h")), ("i", "j", "k"))
    pairs = [("a", "c"), ("i", "j")]
    assert exchanged(seats, "a", "f", pairs).tables == (("f", "b", "h", "d"), ("e", "a", "g", "c"))
    assert exchanged(seats, "a", "c", pairs).tables[0] == ("c", "b", "a", "d")
    rested = exchanged(seats, "j", "b", pairs)
    assert rested == Seats((("a", "j", "c", "i"), seats.tables[1]), ("d", "b", "k"))
    assert exchanged(seats, "k", "a", pairs) is None
    # Two who were put together by lot are no pair.
    assert exchanged(seats, "k", "b", pairs).byes == ("i", "j", "b")
