"""Who may ask for new cards, under which rules, with which hand."""

import pytest

from scoring.rules import Contract, ruleset
from scoring.rules.redeals import RedealRequest, check_redeal, kept_contract, redeal_reasons
from scoring.rules.schedule import turn
from tests.support.matches import codes, played

TREX = Contract(("trex",))
TWOS = ("2S", "2H", "2D", "2C")


def turn_of(system="levant", options=None, deals=(), first_chooser=0):
    return turn(ruleset(system, options or {}), first_chooser, None, deals)


def refused(reason, now=None, **given):
    return codes(check_redeal(RedealRequest(reason, **given), now or turn_of()))


@pytest.mark.parametrize(
    ("system", "options", "known"),
    [
        ("levant", {}, ("weak_hearts", "twos")),
        ("levant", {"redeal.weak_hearts": "off", "redeal.twos": "off"}, ()),
        ("kleshchi", {}, ("twos",)),
        ("barbu", {}, ()),
        ("barbu", {"redeal.weak_hearts": "with_one_card"}, ("weak_hearts",)),
        (
            "levant",
            {"teams": "opposite", "redeal.queens_draw": True},
            ("weak_hearts", "twos", "queens_draw"),
        ),
    ],
)
def test_a_misdeal_and_other_words_are_known_everywhere_the_rest_by_option(system, options, known):
    rules = ruleset(system, options)
    assert redeal_reasons(rules) == (*known, "misdeal", "other")
    now = turn_of(system, options)
    off = {"weak_hearts", "twos", "queens_draw"} - set(known)
    assert all(refused(reason, now, asked_by=1) == ["option_off"] for reason in off)
    assert refused("misdeal", now) == refused("other", now) == []


@pytest.mark.parametrize("reason", ["", "because", "WEAK_HEARTS"])
def test_no_other_reason_is_known(reason):
    assert refused(reason) == ["option_off"]


def test_what_lies_in_a_hand_is_asked_for_by_a_seat():
    assert refused("weak_hearts") == ["missing"]
    assert refused("weak_hearts", asked_by=7) == ["bad_seat"]
    assert refused("weak_hearts", asked_by=3) == []


@pytest.mark.parametrize(
    ("reason", "hand", "expected"),
    [
        ("weak_hearts", ("KH",), []),
        ("weak_hearts", ("AH", "KH"), []),
        ("weak_hearts", ("KH", "2H", "3H", "4H", "5H"), []),
        ("weak_hearts", ("KH", "2H"), ["no_redeal"]),
        ("weak_hearts", TWOS, ["no_redeal"]),
        ("twos", TWOS, []),
        ("twos", ("2S", "2H", "2D", "3C"), []),
        ("twos", ("2S", "2H", "2D", "3S"), ["no_redeal"]),
        ("twos", ("1S",), ["unknown_card"]),
        ("twos", ("2S", "2S"), ["bad_counts"]),
        ("misdeal", ("KH",), []),
    ],
)
def test_a_hand_that_is_known_must_grant_it(reason, hand, expected):
    assert refused(reason, asked_by=1, hand=hand) == expected


def test_a_hand_has_no_more_cards_than_are_dealt():
    assert refused("misdeal", hand=ruleset("levant").deck[:14]) == ["bad_counts"]


def test_what_had_been_chosen_was_open_to_the_chooser():
    assert refused("twos", asked_by=1, contract=TREX) == []
    after = turn_of(deals=[played(1, 0, "trex")])
    assert refused("twos", after, asked_by=1, contract=TREX) == ["not_this_contract"]
    assert refused("twos", after, asked_by=1, contract=TREX, chooser=1) == []
    nobody = turn_of(first_chooser=None)
    assert refused("twos", nobody, asked_by=1, contract=TREX) == ["chooser_missing"]


def test_nothing_is_dealt_again_after_the_last_deal():
    deals = [
        played(number + 1, number // 5, name)
        for number, name in enumerate(ruleset("levant").contracts * 4)
    ]
    assert refused("misdeal", turn_of(deals=deals)) == ["match_over"]


def test_what_stays_is_what_was_chosen_when_the_twos_were_shown():
    twos = RedealRequest("twos", 1, contract=TREX)
    assert kept_contract([twos, RedealRequest("misdeal")]) == TREX
    assert (
        kept_contract([RedealRequest("misdeal", contract=TREX), RedealRequest("twos", 1)]) is None
    )
    assert kept_contract([]) is None
