"""Ratings against numbers worked out by hand, and against a second, slow way to work them out."""

from fractions import Fraction
from itertools import permutations
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.statistics.rating import START, RatedSeat, RatedSide, Skill, rate, rated_sides
from tests.support.plackett_luce import rated

# Everybody begins with mu = 25 and sigma = 25/3; beta = 25/6 and tau = 25/300. So the variance of
# one person before a match is
#     s = (25/3)² + (25/300)² = 10000/144 + 1/144 = 10001/144
# and with k people alone c² = k (s + beta²) = k (10001 + 2500)/144 = 12501 k/144.
S = Fraction(10001, 144)
BETA_SQUARED = Fraction(2500, 144)


def part(text):
    """A row of fractions: "3/4 -1/12"."""
    return [Fraction(word) for word in text.split()]


# All are equally strong, so the chance to come next is 1 over those who are left: with four people
# 1/4 at the first place, 1/3 at the second, 1/2 at the third, 1 at the last. Who comes at a place
# gets 1 - chance, who is still waiting gets -chance; those who share one get it in equal parts.
# omega is the sum of that, delta the sum of chance × (1 - chance).
#
# 1-2-3-4   first   1 - 1/4                       =   3/4     3/16
#           second  -1/4 + (1 - 1/3)              =   5/12    3/16 + 2/9        =  59/144
#           third   -1/4 - 1/3 + (1 - 1/2)        =  -1/12    3/16 + 2/9 + 1/4  =  95/144
#           fourth  -1/4 - 1/3 - 1/2 + (1 - 1)    = -13/12    the same + 1 × 0  =  95/144
# 1-2-2-4   second  -1/4 + (2/3 - 1/3)/2          =  -1/12    3/16 + 2 × (2/9)/2
#           fourth  -1/4 - 2 × (1/3)/2 + 0        =  -7/12    the same
# 1-1-3-3   first   (3/4 - 1/4)/2                 =   1/4     2 × (3/16)/2
#           third   -2 × (1/4)/2 + (1/2 - 1/2)/2  =  -1/4     3/16 + 2 × (1/4)/2 = 7/16
# 1-1-1-4   first   (3/4 - 2/4)/3                 =   1/12    3/16
#           fourth  -3 × (1/4)/3 + 0              =  -1/4     3/16
# 1-2-2-2   second  -1/4 + (2/3 - 2/3)/3          =  -1/4     3/16 + 3 × (2/9)/3
BY_HAND = [
    ((1, 2), "1/2 -1/2", "1/4 1/4"),
    ((1, 1), "0 0", "1/4 1/4"),
    ((1, 2, 3), "2/3 1/6 -5/6", "2/9 17/36 17/36"),
    ((1, 2, 3, 4), "3/4 5/12 -1/12 -13/12", "3/16 59/144 95/144 95/144"),
    ((1, 2, 2, 4), "3/4 -1/12 -1/12 -7/12", "3/16 59/144 59/144 59/144"),
    ((1, 1, 3, 3), "1/4 1/4 -1/4 -1/4", "3/16 3/16 7/16 7/16"),
    ((1, 1, 1, 4), "1/12 1/12 1/12 -1/4", "3/16 3/16 3/16 3/16"),
    ((1, 2, 2, 2), "3/4 -1/4 -1/4 -1/4", "3/16 59/144 59/144 59/144"),
    ((1, 1, 1, 1), "0 0 0 0", "3/16 3/16 3/16 3/16"),
]


def alone(places):
    return [RatedSide(place, (player,)) for player, place in enumerate(places)]


@pytest.mark.parametrize(("places", "omegas", "deltas"), BY_HAND)
def test_first_match_is_as_worked_out_by_hand(places, omegas, deltas):
    c = sqrt(len(places) * (S + BETA_SQUARED))
    after = rate(alone(places), {})
    assert sum(part(omegas)) == 0
    for player, (omega, delta) in enumerate(zip(part(omegas), part(deltas), strict=True)):
        # mu moves by s/c × omega; the variance shrinks by s/c² × delta × sqrt(s)/c of it
        mu = 25 + S / c * omega
        sigma = sqrt(S * (1 - S / c**2 * delta * sqrt(S) / c))
        assert after[player].mu == pytest.approx(mu, abs=1e-12)
        assert after[player].sigma == pytest.approx(sigma, abs=1e-12)
        assert after[player].matches == 1


def test_numbers_of_the_first_match_in_figures():
    # c = sqrt(12501 × 4/144) = 18.6346, s/c = 69.4514/18.6346 = 3.72700
    # first 25 + 3.72700 × 0.75 = 27.7953; last 25 - 3.72700 × 1.08333 = 20.9624
    # sqrt(s)/c = 8.33375/18.6346 = 0.447219, s/c² = 0.200004: first learns 0.200004 × 0.1875 ×
    # 0.447219 = 0.0167710 of its variance, so sigma = 8.33375 × sqrt(0.983229) = 8.26357
    first, _, _, last = rate(alone((1, 2, 3, 4)), {}).values()
    assert (round(first.mu, 4), round(last.mu, 4)) == (27.7953, 20.9624)
    assert round(first.sigma, 5) == 8.26357
    # 40 × (27.7953 - 3 × 8.26357) + 1000 = 40 × 3.0046 + 1000
    assert (START.shown, first.shown) == (1000, 1120)
    assert (START.middle, first.middle) == (2000, 2112)


def test_pair_is_rated_as_one_and_moves_together():
    # Two sides of variance 2s: c² = 2 (2s + beta²) = 2 × 22502/144, the chance is 1/2, omega is
    # ±1/2 and delta 1/4. Each has s/2s of what the team moves: mu s/c × 1/2, and of the variance
    # s/c² × 1/4 × sqrt(2s)/c. s/c = 69.4514/17.67855 = 3.92857, so 25 ± 1.96428.
    after = rate([RatedSide(1, ("Amal", "Carmen")), RatedSide(2, ("Badr", "Dima"))], {})
    c = sqrt(2 * (2 * S + BETA_SQUARED))
    sigma = sqrt(S * (1 - S / c**2 / 4 * sqrt(2 * S) / c))
    assert {round(after[name].mu, 4) for name in ("Amal", "Carmen")} == {26.9643}
    assert {round(after[name].mu, 4) for name in ("Badr", "Dima")} == {23.0357}
    assert all(one.sigma == pytest.approx(sigma, abs=1e-12) for one in after.values())


SKILLS = st.builds(Skill, st.floats(0, 50), st.floats(0.5, 9), st.integers(0, 50))
PLACES = st.sampled_from([(1, 2, 3, 4), (1, 2, 2, 4), (1, 1, 3, 4), (1, 1, 1, 1), (1, 2, 2, 2)])


@given(st.lists(SKILLS, min_size=4, max_size=4), PLACES, st.permutations(range(4)))
def test_it_agrees_with_a_second_way(skills, places, order):
    places = [places[seat] for seat in order]
    after = rate(alone(places), dict(enumerate(skills)))
    wanted = rated([[(one.mu, one.sigma)] for one in skills], places)
    for player, ((mu, sigma),) in enumerate(wanted):
        assert (after[player].mu, after[player].sigma) == pytest.approx((mu, sigma))


@given(st.lists(SKILLS, min_size=4, max_size=4), st.sampled_from([(1, 2), (2, 1), (1, 1)]))
def test_pairs_agree_with_a_second_way(skills, places):
    sides = [RatedSide(places[0], (0, 2)), RatedSide(places[1], (1, 3))]
    after = rate(sides, dict(enumerate(skills)))
    teams = [[(skills[seat].mu, skills[seat].sigma) for seat in side.players] for side in sides]
    for side, wanted in zip(sides, rated(teams, places), strict=True):
        for player, (mu, sigma) in zip(side.players, wanted, strict=True):
            assert (after[player].mu, after[player].sigma) == pytest.approx((mu, sigma))


def test_order_of_play_matters():
    evening = [(1, 2, 3, 4), (4, 3, 2, 1), (1, 1, 3, 4)]
    ends = set()
    for order in permutations(evening):
        skills, teams = {}, [[(25, 25 / 3)]] * 4
        for places in order:
            skills |= rate(alone(places), skills)
            teams = rated(teams, places)
        assert skills[0].mu == pytest.approx(teams[0][0][0])
        ends.add(round(skills[0].mu, 6))
    assert len(ends) == 6


def sats(*rows):
    return [RatedSeat(*row) for row in rows]


OTHERS = (("Badr", 1, 20, 2), ("Carmen", 2, 20, 3), ("Dima", 3, 20, 4))


# C75
def test_seat_counts_for_who_sat_most_of_its_deals_then_for_who_sat_last():
    def first(*rows):
        return rated_sides(sats(*rows, *OTHERS), in_teams=False)[0]

    assert first(("Amal", 0, 12, 1), ("Esam", 0, 8, 1, 13)) == RatedSide(1, ("Amal",))
    assert first(("Amal", 0, 8, 1), ("Esam", 0, 12, 1, 9)) == RatedSide(1, ("Esam",))
    assert first(("Esam", 0, 10, 1, 11), ("Amal", 0, 10, 1)) == RatedSide(1, ("Esam",))
    assert len(rated_sides(sats(("Amal", 0, 0, 1), *OTHERS), in_teams=False)) == 3  # sat in no deal


def test_nobody_is_rated_by_two_seats():
    rows = [("Amal", 0, 8, 1), ("Esam", 0, 6, 1, 9), ("Farah", 0, 6, 1, 15)]
    rows += [("Badr", 1, 8, 2), ("Amal", 1, 12, 2, 9), *OTHERS[1:]]
    found = rated_sides(sats(*rows), in_teams=False)
    assert [side.players[0] for side in found] == ["Farah", "Amal", "Carmen", "Dima"]


def test_teams_sit_opposite_and_have_to_be_whole():
    found = rated_sides(sats(("Amal", 0, 20, 1), *OTHERS), in_teams=True)
    assert found == [RatedSide(1, ("Amal", "Carmen")), RatedSide(2, ("Badr", "Dima"))]
    assert rated_sides(sats(*OTHERS), in_teams=True) == []
    assert rate([], {}) == {}


# C79
def test_uncertainty_is_a_number_of_matches():
    assert [Skill(25, 8, matches).needs for matches in (0, 3, 5, 9)] == [5, 2, 0, 0]
    assert [Skill(25, 4, matches).is_steady for matches in (19, 20)] == [False, True]


def test_rating_is_rounded_only_to_be_shown():
    one, other = Skill(25.01, 25 / 3), Skill(25.02, 25 / 3)
    assert (one.shown, other.shown) == (1000, 1001)
    assert one.exact < other.exact
    assert START.exact == 1000.0
