"""What a deal is worth, in words that add up. No database."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.entry.presenters import explain
from scoring.rules import Contract, Entry, Tally, points, preset, ruleset
from scoring.rules.rulesets.presets import PRESETS
from tests.support.strategies import entries, ruled_entries

NAMES = ("Amal", "Badr", "Carmen", "Dima")


def shown(reason) -> int:
    """The points that the figures of a line come to, as far as it shows any."""
    if not reason.sum:
        return abs(reason.points)
    return math.prod(int(number) for number in reason.sum.split(" × "))


def holds(entry, rules):
    """Each line is what its figures say, and the lines of a seat are its points."""
    worth = points(entry, rules)
    lines = explain.reasons(worth, NAMES)
    for line in lines:
        assert shown(line) == abs(line.points)
        assert str(line.what).strip()
        assert "None" not in str(line.what)
    for seat, score in enumerate(worth.scores):
        assert sum(line.points for line in lines if line.seat == seat) == score
    told = explain.effects(worth, NAMES, rules)
    assert len(told) == (sum(map(bool, worth.scores)) or 1)


# The lines shown make the points, under every preset and any options. C88
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_the_lines_add_up_under_every_preset(name):
    rules = preset(name)

    @given(entries(rules))
    def adds_up(entry):
        holds(entry, rules)

    adds_up()


@given(ruled_entries())
def test_the_lines_add_up_under_any_options(pair):
    rules, entry = pair
    holds(entry, rules)


def plain(text) -> str:
    return str(text).replace("<bdi>", "").replace("</bdi>", "")


def told(contract, facts, system="levant", chooser=0, forced=False, **options):
    """The lines of an entry as "seat: words (why) figures points"."""
    rules = ruleset(system, options)
    entry = Entry(Contract.read(contract), chooser, forced, Tally.from_json(facts))
    return [
        f"{line.seat}: {plain(line.what)} ({line.why}) {line.sum} {line.points}"
        for line in explain.reasons(points(entry, rules), NAMES)
    ]


OWN = {"king_taken_by": 1, "doubles": [{"card": "KH", "by": 1}]}
BY_PARTNER = {"king_taken_by": 3, "doubles": [{"card": "KH", "by": 1}]}
FORFEITS = {"contract_order": "fixed", "forfeit_first_three": True}
KINDS = {
    "capture": (("hearts", {"hearts": [2, 6, 0, 0]}, "barbu"), {}),
    "doubled_capture": (("king", {"king_taken_by": 2, "doubles": [{"card": "KH", "by": 1}]}), {}),
    "own_capture": (("king", OWN), {"doubling.self_capture": "quadruple"}),
    "partner_capture": (
        ("king", BY_PARTNER),
        {"teams": "opposite", "doubling.partner_capture": "no_bonus"},
    ),
    "leader_bonus": (
        ("king", {**OWN, "trick_leader": {"KH": 2}}),
        {"doubling.self_capture": "leader_gains"},
    ),
    "revoke_rest": (("tricks", {"tricks": [3, 0, 0, 0], "revoke_by": 1}), {}),
    "revoke_all": (("tricks", {"tricks": [3, 0, 0, 0], "revoke_by": 1}), {"revoke": "total"}),
    "trex_place": (("trex", {"finish_order": [2, 1, 0, 3]}), {}),
    "fifty_one": (("fifty_one", {"loser": 2}, "barbu"), {}),
    "kabbout": (("tricks", {"tricks": [0, 0, 8, 0]}, "barbu"), {}),
    "cheat": (("tricks", {"cheat_by": 2}, "barbu"), {}),
    "forfeit": (("diamonds", {"forfeited": True}, "kleshchi"), FORFEITS),
}
SENTENCES = {
    "capture": "0: 2 hearts (as chooser) 2 × 10 × 2 40",
    "doubled_capture": "2: K♥, doubled by Badr () 75 × 2 -150",
    "own_capture": "1: K♥, doubled and taken by the same () 75 × 4 -300",
    "partner_capture": "3: K♥, doubled by the partner () 75 × 2 -150",
    "leader_bonus": "2: led the trick in which Badr took K♥ ()  75",
    "revoke_rest": "1: the rest, for the revoke: 10 tricks () 10 × 15 -150",
    "revoke_all": "1: all of it, for the revoke: 13 tricks () 13 × 15 -195",
    "trex_place": "2: 1st to go out ()  200",
    "fifty_one": "2: went over the top ()  80",
    "kabbout": "0: Carmen took everything (as chooser) 400 × 2 800",
    "cheat": "2: caught cheating ()  400",
    "forfeit": "0: not played: 13 diamonds () 13 × 10 -130",
}


def without_tags(text):
    return text.replace('<bdi dir="ltr" class="card suit-h" title="king of hearts">', "")


# Each kind of line has a sentence of its own. C21
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_line_is_said_in_words(kind):
    given, options = KINDS[kind]
    assert SENTENCES[kind] in [without_tags(line) for line in told(*given, **options)]


def test_a_forced_deal_says_why_it_counts_more():
    lines = told("king", {"king_taken_by": 0}, "barbu", forced=True)
    assert without_tags(lines[0]) == "0: K♥ (as chooser, forced) 80 × 2 × 2 320"


def test_one_announcement_doubles_every_queen():
    facts = {
        "queens_taken_by": {"QS": 1, "QH": 1, "QD": 2, "QC": 0},
        "doubles": [{"card": "QS", "by": 2}],
    }
    lines = told("queens", facts, **{"doubling.queens_unit": "whole_contract"})
    assert sum("doubled by Carmen" in line for line in lines) == 3
    assert sum("doubled and taken by the same" in line for line in lines) == 1


def effects(contract, facts, name):
    rules = preset(name)
    entry = Entry(Contract.read(contract), 3, False, Tally.from_json(facts))
    return [plain(text) for text in explain.effects(points(entry, rules), NAMES, rules)]


@pytest.mark.parametrize(
    ("name", "contract", "facts", "expected"),
    [
        ("levant", "tricks", {"tricks": [13, 0, 0, 0]}, ["Amal loses 195"]),
        ("kleshchi-swapped", "tricks", {"tricks": [13, 0, 0, 0]}, ["Amal takes 195"]),
        ("levant-inverted", "trex", {"finish_order": [0, 1, 2, 3]}, ["Amal gains 100"]),
        ("kleshchi-swapped", "trex", {"finish_order": [0, 1, 2, 3]}, ["Amal sheds 200"]),
        ("barbu", "trex", {"finish_order": [0, 1, 2, 3]}, ["Amal sheds 100"]),
    ],
)
def test_words_follow_the_sign_that_wins_here(name, contract, facts, expected):
    assert effects(contract, facts, name)[: len(expected)] == expected


def test_whoever_goes_out_last_loses_where_trex_is_inverted():
    told = effects("trex", {"finish_order": [0, 1, 2, 3]}, "levant-inverted")
    assert told == ["Amal gains 100", "Badr gains 50", "Dima loses 50"]


def questions(contract, facts, system="levant"):
    entry = Entry(Contract.read(contract), 0, False, Tally.from_json(facts))
    return [plain(text) for text in explain.really(entry, ruleset(system), NAMES)]


QUEENS = ("QS", "QH", "QD", "QC")
EVERYTHING = {"king_taken_by": 1, "queens": [0, 4, 0, 0], "diamonds": [0, 13, 0, 0]}


# What hardly ever happens is asked about before it is kept. C10
@pytest.mark.parametrize(
    ("contract", "facts", "expected"),
    [
        ("diamonds", {"diamonds": [0, 13, 0, 0]}, "Badr took all there is: 13 diamonds."),
        ("king", OWN, "Badr doubled and took it: king of hearts."),
        (
            ["king", "queens", "diamonds", "tricks"],
            EVERYTHING | {"tricks": [0, 13, 0, 0]},
            "Badr took everything.",
        ),
        (
            ["king", "queens", "diamonds", "tricks"],
            EVERYTHING | {"tricks": [2, 11, 0, 0]},
            "Badr took nearly everything.",
        ),
        (
            "queens",
            {
                "queens_taken_by": dict(zip(QUEENS, [0, 1, 2, 0], strict=True)),
                "doubles": [{"card": card, "by": 3} for card in QUEENS],
            },
            "Dima doubled all the queens.",
        ),
    ],
)
def test_what_is_improbable_is_asked_about(contract, facts, expected):
    assert questions(contract, facts) == [f"Really? {expected}"]


def test_what_is_usual_is_not_asked_about():
    assert questions("diamonds", {"diamonds": [4, 3, 3, 3]}) == []


@given(st.sampled_from(sorted(PRESETS)), st.data())
def test_every_question_has_words(name, data):
    rules = preset(name)
    entry = data.draw(entries(rules))
    for text in explain.really(entry, rules, NAMES):
        assert "Really?" in text
