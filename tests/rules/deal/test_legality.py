"""Leads and redeals beyond the rows of legal.json."""

import pytest

from scoring.rules import (
    Contract,
    Entry,
    Tally,
    is_queens_draw,
    legal_leads,
    preset,
    redeal_questions,
    ruleset,
)

HAND = ["2H", "5C", "KH"]


def test_ban_binds_if_it_holds_for_one_part_of_a_combination():
    levant = preset("levant")
    assert legal_leads(HAND, False, ["queens", "king"], levant) == ["5C"]
    assert legal_leads(HAND, False, ["queens", "diamonds"], levant) == HAND
    assert legal_leads(HAND, True, ["queens", "king"], levant) == HAND


def test_ban_of_kleshchi_is_never_lifted():
    assert legal_leads(HAND, True, ["tricks"], preset("kleshchi")) == ["5C"]
    assert legal_leads(["2H", "KH"], False, ["tricks"], preset("kleshchi")) == ["2H", "KH"]


WITH_ONE = [
    (["KH", "2H"], True),
    (["AH", "2H"], True),
    (["AH", "KH"], True),
    (["KH"], True),
    (["QH", "2H"], False),
    (["QH"], False),
    ([], False),
    (["KH", "3H", "2H"], False),
    (["KH", "5H", "4H", "3H", "2H"], True),
    (["AH", "5H", "4H", "3H", "2H"], False),
]


@pytest.mark.parametrize(("hearts", "may_ask"), WITH_ONE)
def test_weak_hearts_with_one_card(hearts, may_ask):
    rules = ruleset("levant", {"redeal.weak_hearts": "with_one_card"})
    asked = [tuple(question) for question in redeal_questions([*hearts, "5C"], rules)]
    assert asked == ([("weak_hearts", "before_choice")] if may_ask else [])


def test_twos_are_asked_when_the_table_asks_for_them():
    twos = ["2S", "2H", "2D", "3C", "9C"]
    for when in ("on_trex", "before_choice"):
        rules = ruleset("levant", {"redeal.twos": when})
        assert [tuple(question) for question in redeal_questions(twos, rules)] == [("twos", when)]
    assert redeal_questions(twos, ruleset("levant", {"redeal.twos": "off"})) == []
    assert redeal_questions(["2S", "2H", "2D", "3C"], preset("barbu")) == []


def test_queens_two_and_two_between_teams_are_dealt_again_where_asked():
    rules = ruleset("levant", {"teams": "opposite", "redeal.queens_draw": True})
    queens = Contract.read("queens")
    even = Entry(queens, tally=Tally(queens=(2, 1, 0, 1)))
    odd = Entry(queens, tally=Tally(queens=(2, 1, 1, 0)))
    assert is_queens_draw(even, rules)
    assert not is_queens_draw(odd, rules)
    assert not is_queens_draw(even, preset("levant-partners"))
