from datetime import UTC, datetime, timedelta
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import Double, preset, rules_key, ruleset
from scoring.rules.scoresheet import scoresheet
from scoring.rules.statistics.contract_counts import ContractTally, counts_of
from scoring.rules.statistics.totals import LATELY, MatchSeat, Met, RunningTotal, total_with
from tests.support.matches import BARBU, KLESHCHI, LEVANT, deal

NOW = datetime(2026, 11, 12, 18, tzinfo=UTC)


def sat(*points_and_places):
    return [
        MatchSeat(number, NOW + timedelta(days=number), points, place, place)
        for number, (points, place) in enumerate(points_and_places)
    ]


def total_of(played, win):
    total = None
    for one in played:
        total = total_with(total, one, win)
    return total


def looked_at_together(played, win):
    """The same without going from one to the next."""
    in_order = sorted(played, key=lambda one: one.points, reverse=win == "high")  # stable
    turned = sorted(played, key=lambda one: one.points, reverse=win == "low")
    won = [[*row] for is_won, row in groupby(played, lambda one: one.won) if is_won]
    return RunningTotal(
        matches=len(played),
        total=sum(one.points for one in played),
        wins=sum(one.won for one in played),
        places=sum(one.places for one in played),
        seats=sum(one.seats for one in played),
        best=in_order[0].points,
        best_match_id=in_order[0].match,
        worst=turned[0].points,
        worst_match_id=turned[0].match,
        won_in_a_row=len(won[-1]) if played[-1].won else 0,
        longest_row=max(map(len, won), default=0),
        lately="".join(str(one.place) for one in played)[-LATELY:],
        first_at=played[0].played_at,
        last_at=played[-1].played_at,
    )


some = st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 4)), min_size=1, max_size=9)


# What a match adds to what is kept is what it adds when all of them are looked at. C73
@given(some, st.sampled_from(["high", "low"]))
def test_every_field_can_be_gone_on_with(points_and_places, win):
    played = sat(*points_and_places)
    played[0] = played[0].and_seat(1, 2)
    assert total_of(played, win) == looked_at_together(played, win)
    *before, last = played
    kept = tuple(total_of(before, win) or ())  # as a row gives it back
    assert total_with(RunningTotal(*kept) if kept else None, last, win) == total_of(played, win)


def test_total_adds_up_what_was_played():
    total = total_of(sat((50, 1), (-20, 3), (50, 1), (10, 1), (-20, 4)), "high")
    assert (total.matches, total.total, total.wins) == (5, 70, 3)
    assert (total.places, total.seats) == (10, 5)
    assert (total.won_in_a_row, total.longest_row, total.lately) == (0, 2, "13114")
    assert (total.first_at, total.last_at) == (NOW, NOW + timedelta(days=4))


def test_of_equal_matches_the_first_is_the_best_and_the_worst():
    total = total_of(sat((50, 1), (-20, 3), (50, 1), (-20, 4)), "high")
    assert (total.best, total.best_match_id) == (50, 0)
    assert (total.worst, total.worst_match_id) == (-20, 1)


def test_where_low_totals_win_the_lowest_is_the_best():
    total = total_of(sat((50, 3), (-20, 1)), "low")
    assert (total.best, total.worst) == (-20, 50)
    assert (total.won_in_a_row, total.longest_row) == (1, 1)


def test_two_seats_of_one_match_are_one_match_and_one_win():
    (one,) = sat((50, 2))
    total = total_of([one.and_seat(-10, 1)], "high")
    assert (total.matches, total.total, total.wins) == (1, 40, 1)
    assert (total.places, total.seats, total.lately) == (3, 2, "1")


def test_meetings_count_who_was_ahead_and_who_was_beside():
    met = Met().against(1, 3).against(2, 2).against(4, 1).side_by_side(1).side_by_side(2)
    assert met == Met(matches=3, ahead=1, behind=1, together=2, together_won=1)


def counted(rules, seat, one):
    (row,) = scoresheet(rules, [one]).rows
    return counts_of(row, seat, rules)


def test_who_chose_has_the_points_of_that_choice():
    one = deal(1, 2, "king", king_taken_by=2)
    assert counted(LEVANT, 2, one) == ContractTally(1, -75, 1, -75)
    assert counted(LEVANT, 0, one) == ContractTally(1)


def test_double_brings_its_bonus_and_costs_what_is_charged_above_the_card():
    facts = {"doubles": (Double("KH", 1),)}
    taken = deal(1, 0, "king", king_taken_by=2, **facts)
    assert (
        counted(LEVANT, 1, taken)._asdict().items()
        >= {
            "doubles": 1,
            "double_points": 75,
            "points": 75,
        }.items()
    )
    assert (counted(LEVANT, 2, taken).doubles, counted(LEVANT, 2, taken).double_points) == (0, 0)
    own = deal(1, 0, "king", king_taken_by=1, **facts)
    single, double = LEVANT, ruleset("levant", {"doubling.self_capture": "double"})
    assert [counted(rules, 1, own).double_points for rules in (single, double)] == [0, -75]
    assert counted(double, 1, own).points == -150


def test_places_in_trex_and_kabbouts():
    trex = deal(1, 0, "trex", finish_order=(3, 0, 1, 2))
    places = [counted(LEVANT, seat, trex)[6:10] for seat in range(4)]
    assert places == [(0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 0, 0)]
    everything = deal(1, 0, "tricks", tricks=(0, 13, 0, 0))
    turned = ruleset("levant", {"kabbout.contracts": ["tricks"]})
    assert [counted(turned, seat, everything).kabbouts for seat in range(4)] == [0, 1, 0, 0]
    assert counted(LEVANT, 1, everything).kabbouts == 0


def test_key_of_rules_is_of_all_options_and_of_nothing_else():
    keys = [rules_key(each) for each in (LEVANT, KLESHCHI, BARBU)]
    assert len({*keys}) == 3
    assert all(len(key) == 16 for key in keys)
    assert rules_key(ruleset("levant", {"teams": "none"})) == rules_key(LEVANT)
    assert rules_key(preset("levant-partners")) == rules_key(
        ruleset("levant", {"teams": "opposite"})
    )
    assert rules_key(preset("levant-partners")) != rules_key(LEVANT)


@pytest.mark.parametrize(
    ("system", "options", "places"),
    [
        ("levant", {}, ["first", "second", "third", "fourth"]),
        ("barbu", {}, ["first", "second", None, None]),
        ("barbu", {"values.trex": [-100, -50, 50, 100]}, ["first", "second", "third", "fourth"]),
    ],
)
def test_places_that_nobody_took_are_not_counted(system, options, places):
    """In barbu the deal ends with the second one out."""
    rules = ruleset(system, options)
    one = deal(1, 0, "trex", finish_order=(2, 0, 3, 1))
    for seat, place in zip((2, 0, 3, 1), places, strict=True):
        counts = counted(rules, seat, one)._asdict()
        found = [name for name in ("first", "second", "third", "fourth") if counts[name]]
        assert found == ([place] if place else [])
