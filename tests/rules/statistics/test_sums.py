"""Sums as a fold over matches: gone on with match by match, they are what all matches come to."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.statistics.sums import SeasonSpan, SeatResult, meetings, totals

NOW = datetime(2026, 11, 12, 18, tzinfo=UTC)
PEOPLE = [UUID(int=number) for number in range(1, 7)]
SPANS = [
    SeasonSpan(UUID(int=11), NOW, NOW + timedelta(days=4), "", None),
    SeasonSpan(UUID(int=12), NOW, NOW + timedelta(days=9), "", 2),
    SeasonSpan(UUID(int=13), NOW, NOW + timedelta(days=9), "b", 3),
]


@st.composite
def match(draw):
    """Four people, perhaps in teams, and perhaps a fifth who took a seat over."""
    sitting, in_teams = draw(st.permutations(PEOPLE)), draw(st.booleans())
    seats = [0, 1, 2, 3, *([draw(st.integers(0, 3))] if draw(st.booleans()) else [])]
    evening = draw(st.sampled_from([None, UUID(int=21)]))
    rules_key = draw(st.sampled_from("ab"))
    return [
        {
            "player": sitting[at],
            "partner": sitting[(seat + 2) % 4] if in_teams and at < 4 else None,
            "evening": evening,
            "rules_key": rules_key,
            "in_teams": in_teams,
            "seat": seat,
            "deals": draw(st.integers(1, 4)),
            "points": draw(st.integers(-9, 9)),
            "place": draw(st.integers(1, 4)),
        }
        for at, seat in enumerate(seats)
    ]


def in_order(played, win):
    family = {"system": "levant", "win": win}
    return [
        [
            SeatResult(
                match=UUID(int=99 + day), played_at=NOW + timedelta(days=day), **family, **row
            )
            for row in rows
        ]
        for day, rows in enumerate(played)
    ]


both = given(st.lists(match(), max_size=7), st.sampled_from(["high", "low"]))


# Added match by match to the rows of its people alone, or all at once: the same rows. C73
@both
def test_gone_on_with_match_by_match_is_all_of_them_together(played, win):
    matches, found, met = in_order(played, win), {}, {}
    for rows in matches:
        people = {row.player for row in rows}
        touched = {key: one for key, one in found.items() if {*key[:2]} - {None} <= people}
        found |= totals([rows], SPANS, before=touched)
        who_met = {key: one for key, one in met.items() if {*key[:2]} <= people}
        met |= meetings([rows], before=who_met)
    assert found == totals(matches, SPANS)
    assert met == meetings(matches)


@both
def test_sums_of_some_people_are_theirs_among_all(played, win):
    matches, some = in_order(played, win), set(PEOPLE[:2])
    mine = [rows for rows in matches if some & {row.player for row in rows}]
    for fold in (totals, lambda matches, _spans, people: meetings(matches, people)):
        everybody = fold(matches, SPANS, None)
        theirs = {key: one for key, one in everybody.items() if some & {*key[:2]}}
        assert fold(mine, SPANS, some) == theirs


@both
def test_season_counts_the_first_matches_of_each_person(played, win):
    found = totals(in_order(played, win), SPANS)
    for (player, partner, season, *_), total in found.items():
        if season == SPANS[1].id and partner is None:
            own = [rows for rows in in_order(played, win) if player in {row.player for row in rows}]
            assert total == totals(own[:2], [])[player, None, None, None, "levant", win]
