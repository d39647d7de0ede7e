"""What is drawn stands where its number says, and every number can be read beside it."""

import re
from itertools import pairwise

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from scoring import charts
from scoring.charts import Bar
from scoring.common import words
from tests.support.markup import flat

NUMBERS = st.one_of(st.none(), st.integers(-20_000, 20_000))


def places(path):
    return [(int(x), int(y)) for x, y in re.findall(r"[ML](-?\d+) (-?\d+)", path)]


def test_curve_goes_through_its_values():
    chart = charts.line([("Amal", [0, 50, -50]), ("Badr", [0, -50, 50])], ["0", "1", "2"])
    amal, badr = (places(curve.path) for curve in chart.curves)
    assert [x for x, _ in amal] == [chart.left, (chart.left + chart.right) // 2, chart.right]
    assert amal[0][1] == badr[0][1] == chart.zero  # both begin at nothing
    assert amal[1][1] == badr[2][1] < chart.zero < amal[2][1] == badr[1][1]  # more is higher up
    assert chart.zero - amal[1][1] == amal[2][1] - chart.zero
    assert chart.rows[1] == ("1", ("50", "-50"))


def test_gap_breaks_a_curve_and_lone_points_are_marked():
    chart = charts.line([("Esam", [3, None, 5, 6])], list("abcd"))
    (curve,) = chart.curves
    assert curve.path.count("M") == 2
    assert len(curve.marks) == 2  # the lone point, and the end
    assert [row.values for row in chart.rows] == [("3",), ("–",), ("5",), ("6",)]


def test_one_step_stands_in_the_middle():
    chart = charts.line([("Dima", [7])], ["1"])
    assert places(chart.curves[0].path) == [((chart.left + chart.right) // 2, 169)]
    assert chart.zero is None
    assert [tick.anchor for tick in chart.across] == ["middle"]


def test_no_more_labels_than_there_is_room_for():
    names = [f"{day} November" for day in range(1, 31)]
    chart = charts.line([("Amal", range(30))], names)
    shown = [tick.label for tick in chart.across]
    assert (shown[0], shown[-1]) == ("1 November", "30 November")
    assert len(shown) == 3
    assert [tick.anchor for tick in chart.across] == ["start", "middle", "end"]


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=40))
def test_nothing_leaves_the_plot(values):
    both = list(zip(*values, strict=True))
    if all(value is None for own in both for value in own):
        with pytest.raises(ValueError, match="nothing"):
            charts.line([("a", both[0]), ("b", both[1])], ["1"] * len(values))
        return
    chart = charts.line([("a", both[0]), ("b", both[1])], ["1"] * len(values))
    for curve in chart.curves:
        for x, y in places(curve.path):
            assert chart.left <= x <= chart.right
            assert chart.top <= y <= chart.bottom
    assert len(chart.across) <= 8


@given(st.integers(-(10**6), 10**6), st.integers(0, 10**6))
def test_ticks_are_few_round_and_reach_past_both_ends(low, size):
    levels = charts.ticks(low, low + size)
    (step,) = {after - before for before, after in pairwise(levels)}
    assert step in {times * 10**zeros for zeros in range(8) for times in (1, 2, 5)}
    assert levels[0] <= low <= low + size <= levels[-1]
    assert 2 <= len(levels) <= charts.MOST_TICKS


def test_bars_begin_at_one_zero_and_keep_to_one_measure():
    chart = charts.bars(
        [Bar("Trex", 300), Bar("Queens", -100, "/queens/", "12 deals"), Bar("Hearts", None)],
        say=words.signed,
    )
    trex, queens, hearts = chart.rows
    assert (chart.zero, chart.length) == (250, 1000)
    assert (trex.x, trex.width, trex.is_minus) == (250, 750, False)
    assert (queens.x, queens.width, queens.is_minus) == (0, 250, True)
    assert (hearts.width, hearts.said) == (0, "–")
    assert (queens.said, queens.href, queens.note) == ("−100", "/queens/", "12 deals")
    assert charts.bars([]).rows == ()


def test_page_says_what_is_drawn_without_any_style_in_it():
    chart = charts.line([("عبد الرحمن", [0, 40]), ("Dima", [0, -40])], ["0", "1"], say=words.signed)
    page = render_to_string(
        "charts/line.html",
        {"chart": chart, "id": "curve", "title": "Totals", "desc": "Amal wins.", "heading": "Deal"},
    )
    assert 'aria-labelledby="curve-title curve-desc"' in page
    assert "<desc" in page
    assert "style=" not in page
    assert '<bdi class="num" dir="ltr">−40</bdi>' in page
    assert page.count("<bdi>عبد الرحمن</bdi>") == 2  # beside the drawing and in the table
    rows = charts.bars([Bar("Trex", 300, "/trex/", "4 deals"), Bar("Queens", -100)])
    page = render_to_string("charts/bars.html", {"chart": rows, "title": "Contracts"})
    assert '<a class="inline-link" href="/trex/"><bdi>Trex</bdi></a>' in flat(page)
    assert "style=" not in page
