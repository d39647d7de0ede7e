"""Many matches: ranks 1-2-2-4, ties by stated criteria, provisional rows apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.ranking import places_of
from scoring.rules.standings import CRITERIA, PlayerRecord, PlayerResult, rounded, standings, sum_up


def result(player, total, place=2, match=None, system="levant", win="high"):
    return PlayerResult(player, match or object(), system, win, total, place)


def table(results, *rest, **more):
    (records,) = sum_up(results).values()
    return standings(records, *rest, **more)


def ranks(found):
    return [(row.player, row.rank) for row in found.ranked]


@pytest.mark.parametrize(
    ("keys", "places"),
    [
        ([], ()),
        ([5], (1,)),
        ([30, 10, 10, -5], (1, 2, 2, 4)),
        ([10, 30, -5, 10], (2, 1, 4, 2)),
        ([0, 0, 0, 0], (1, 1, 1, 1)),
        ([1, 1, 1, 2], (2, 2, 2, 1)),
        ([9, 9, 9, 2], (1, 1, 1, 4)),
    ],
)
def test_places_skip_after_a_tie(keys, places):
    assert places_of(keys) == places


def test_players_are_ranked_by_total_and_equal_ones_share():
    found = table(
        [result("Amal", 100), result("Badr", 40), result("Carmen", 40), result("Dima", -180)]
    )
    assert ranks(found) == [("Amal", 1), ("Badr", 2), ("Carmen", 2), ("Dima", 4)]
    assert found.criteria == ("total", "wins")
    assert not found.provisional


def test_lowest_total_wins_where_the_rules_say_so():
    results = [result("Amal", 300, system="barbu", win="low")]
    results += [result("Badr", -50, system="barbu", win="low")]
    assert ranks(table(results)) == [("Badr", 1), ("Amal", 2)]
    assert ranks(table(results, ["average"])) == [("Badr", 1), ("Amal", 2)]


def test_tie_is_broken_by_the_next_criterion_and_says_so():
    found = table(
        [result("Amal", 50, place=2), result("Badr", 50, place=1), result("Carmen", 10, place=1)]
    )
    assert ranks(found) == [("Badr", 1), ("Amal", 2), ("Carmen", 3)]
    assert [row.decided_by for row in found.ranked] == [None, "wins", None]


def test_equal_in_every_criterion_is_shared_and_decided_by_nothing():
    found = table([result("Amal", 50, 1), result("Badr", 50, 1)], list(CRITERIA))
    rows = [(row.rank, row.decided_by, row.shares) for row in found.ranked]
    assert rows == [(1, None, True), (1, None, True)]


# Equal rows say what parted them, and those that nothing parts share a rank. C76
@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ((90, 50, 50, 10), (1, 2, 2, 4)),
        ((90, 90, 50, 10), (1, 1, 3, 4)),
        ((90, 50, 50, 50), (1, 2, 2, 2)),
        ((90, 90, 90, 10), (1, 1, 1, 4)),
        ((90, 90, 90, 90), (1, 1, 1, 1)),
    ],
)
def test_ties_of_two_three_and_all_share_a_rank(points, expected):
    found = table([result(name, own) for name, own in zip("ABCD", points, strict=True)]).ranked
    assert tuple(row.rank for row in found) == expected == places_of(points)
    assert [row.shares for row in found] == [expected.count(row.rank) > 1 for row in found]
    assert {row.decided_by for row in found} == {None}


def test_group_that_is_parted_and_still_equal_says_both():
    results = [result("A", 50, 1), result("B", 50, 2), result("C", 50, 2), result("D", 0, 2)]
    rows = [(row.player, row.rank, row.decided_by, row.shares) for row in table(results).ranked]
    assert rows == [
        ("A", 1, None, False),
        ("B", 2, "wins", True),
        ("C", 2, None, True),
        ("D", 4, None, False),
    ]


def test_rating_counts_whichever_total_wins_and_nobody_without_one_is_above():
    def rated(player, total, rating):
        return PlayerRecord(player, "barbu", "low", 1, total, 0, 2, 1, rating=rating)

    records = [rated("A", 10, None), rated("B", 20, 950), rated("C", 5, 950), rated("D", 90, 1200)]
    found = standings(records, ["rating", "total"])
    assert ranks(found) == [("D", 1), ("C", 2), ("B", 3), ("A", 4)]
    assert [row.decided_by for row in found.ranked] == [None, None, "total", None]


def test_rating_is_compared_before_it_is_rounded():
    """Both show as 1012."""
    own = [
        PlayerRecord(player, "levant", "high", 1, 0, 0, 2, 1, rating=rating)
        for player, rating in (("A", 1011.6), ("B", 1012.4))
    ]
    assert ranks(standings(own, ["rating"])) == [("B", 1), ("A", 2)]


def test_place_on_average_is_rounded_once():
    (row,) = table([result("A", 1, place) for place in (1, 2, 2, 2)]).ranked
    assert row.record.place_tenths == 18


def test_row_counts_matches_total_average_and_wins():
    (row,) = table([result("Amal", 100, 1), result("Amal", -25, 3), result("Amal", 0, 1)]).ranked
    record = row.record
    assert (record.matches, record.total, record.average, record.wins) == (3, 75, 25, 2)


def test_average_is_compared_before_it_is_rounded():
    results = [result("Amal", 101), result("Amal", 100), result("Badr", 101), result("Badr", 101)]
    found = table(results, ["average", "wins"])
    assert [row.record.average for row in found.ranked] == [101, 101]
    assert ranks(found) == [("Badr", 1), ("Amal", 2)]


@pytest.mark.parametrize(
    ("criterion", "order"),
    [("total", "AB"), ("average", "BA"), ("wins", "BA"), ("place", "BA"), ("matches", "AB")],
)
def test_each_criterion_has_its_own_order(criterion, order):
    results = [result("A", 40, 2), result("A", 40, 2), result("B", 60, 1)]
    assert "".join(row.player for row in table(results, [criterion]).ranked) == order


def test_too_few_matches_stand_apart_and_say_what_they_lack():
    results = [result("Amal", 10), result("Amal", 10), result("Badr", 500), result("Dima", 900)]
    found = table(results, minimum=2)
    assert ranks(found) == [("Amal", 1)]
    assert [(row.player, row.rank, row.needs) for row in found.provisional] == [
        ("Dima", None, 1),
        ("Badr", None, 1),
    ]


def test_two_seats_in_one_match_are_one_match():
    results = [result("Amal", 10, match="m"), result("Amal", 20, match="m")]
    (row,) = table(results).ranked
    assert (row.record.matches, row.record.total) == (1, 30)


def test_nobody_makes_an_empty_table():
    assert sum_up([]) == {}
    assert standings([]).ranked == ()


@pytest.mark.parametrize("other", [{"system": "kleshchi"}, {"win": "low"}])
def test_points_that_mean_different_things_are_never_added_up(other):
    families = sum_up([result("Amal", 10), result("Amal", 10, **other)])
    assert [len(records) for records in families.values()] == [1, 1]
    with pytest.raises(ValueError, match="cannot be added up"):
        standings([record for records in families.values() for record in records])


def test_unknown_criterion_is_refused():
    with pytest.raises(KeyError):
        standings([], ["luck"])


@pytest.mark.parametrize(
    ("total", "count", "average"),
    [(5, 2, 3), (-5, 2, -3), (7, 3, 2), (-7, 3, -2), (0, 3, 0), (1, 2, 1), (-1, 2, -1)],
)
def test_halves_are_rounded_away_from_zero(total, count, average):
    assert rounded(total, count) == average


@given(
    st.lists(
        st.tuples(st.sampled_from("ABCDEF"), st.integers(-500, 500), st.integers(1, 4)), min_size=1
    )
)
def test_order_of_results_does_not_matter(rows):
    forwards = table([result(*row) for row in rows], list(CRITERIA), minimum=2)
    backwards = table([result(*row) for row in reversed(rows)], list(CRITERIA), minimum=2)
    assert sorted(ranks(forwards)) == sorted(ranks(backwards))
    assert len(forwards.ranked) + len(forwards.provisional) == len({player for player, *_ in rows})
    totals = [row.record.total for row in forwards.ranked]
    assert totals == sorted(totals, reverse=True)
