"""How sure a rating is, in words that need no statistics."""

from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.utils.html import strip_tags

from scoring.models import RatingStep
from scoring.rules.statistics.rating import START, Skill
from scoring.standings.presenters.ratings import explanation, rating_card
from scoring.standings.queries.ratings import PlayerRating
from tests.factories import NOW


def rating(matches, sigma=6.0, steps=None, is_dirty=False):
    """Somebody who gained a little with every match."""
    drawn = tuple(
        RatingStep(
            mu=25 + number / 2, sigma=sigma, matches=number, played_at=NOW + timedelta(number)
        )
        for number in range(matches - (steps or matches) + 1, matches + 1)
    )
    return PlayerRating(Skill(25 + matches / 2, sigma, matches), drawn, is_dirty)


# C79
@pytest.mark.parametrize(
    ("matches", "said"),
    [
        (1, "It says little yet: it needs 4 more matches."),
        (4, "It says little yet: it needs 1 more match."),
        (5, "It is still moving: after 15 more matches it is steady."),
        (19, "It is still moving: after 1 more match it is steady."),
        (20, "It is steady: a single match moves it little."),
    ],
)
def test_it_is_told_what_a_rating_lacks(matches, said):
    assert strip_tags(rating_card(rating(matches)).sentences[0]) == said


def test_number_range_and_curve():
    card = rating_card(rating(10))
    assert card.number == "1480"  # 40 × (30 - 18) + 1000
    assert "at least 1480; the matches so far point to 2200" in strip_tags(card.sentences[1])
    assert [row.values for row in card.chart.rows][-1] == ("1480", "2200")
    assert len(card.chart.rows) == 10
    assert card.title == "The rating, match by match"
    assert "From 1300 to 1480." in card.desc
    assert rating_card(rating(60, steps=50)).title == "The rating over the last 50 matches"
    assert rating_card(rating(1)).chart is None


def drawn(found, **more):
    context = {"rating": rating_card(found, **more), "rating_rule": explanation()}
    return render_to_string("players/_rating.html", context)


def test_page_says_while_it_is_worked_out_and_before_there_is_any():
    assert "with the first finished match" in drawn(PlayerRating(None, (), False))
    coming = drawn(PlayerRating(None, (), False), has_played=True)
    assert "with the first finished match" not in coming
    assert "data-anew" in coming
    being = drawn(PlayerRating(None, (), True))
    assert "being worked out anew" in being
    assert "first finished match" not in being
    assert "being worked out anew" in drawn(rating(10, is_dirty=True))
    assert "being worked out anew" not in drawn(rating(10))
    assert "style=" not in drawn(rating(10))


def test_rule_names_where_everybody_begins():
    said = " ".join(strip_tags(each) for each in explanation())
    assert f"begins at {START.shown}." in said
