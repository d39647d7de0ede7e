"""How many legal ways there are to the end of small endings: written down once, counted by the
tables of the product, and counted again by a naive generator that shares no code with them."""

from copy import deepcopy

import pytest

from scoring.replay.play.fifty_one import FiftyOne
from scoring.replay.play.layout import Trex
from scoring.replay.play.tricks import DumpRule, Tricks
from scoring.rules import Contract, Ruleset
from scoring.rules.rulesets.presets import GERMAN_FIFTY_ONE
from tests import naive_play
from tests.naive_play import TEN_HIGH, fifty_one_ends, pile_ends, row_ends, trick_ends
from tests.replay.making import hands, rules

SHARED = (Ruleset, DumpRule, dict)


def shared(table):
    """What no move changes."""
    parts = [*vars(table).values(), *vars(getattr(table, "layout", object)).values()]
    return [each for each in parts if isinstance(each, SHARED)]


def ways(table):
    """Counts the ends, a copy of the table for each move; the rules are not copied."""
    if table.over:
        return 1
    total = 0
    for move in table.moves():
        after = deepcopy(table, {id(each): each for each in shared(table)})
        after.lay(move)
        total += ways(after)
    return total


def trick_table(texts, leader, contract, **options):
    table = Tricks(Contract.read(contract), rules(**options), hands(*texts), leader)
    played = 13 - len(texts[0].split())
    table.tricks = [None] * played
    return table


SUITED = ("2S 3S 4H", "5S 6H 7S", "8S 9D TS", "JC QS KS")
MIXED = ("2S 3D 4H", "5S 6H 7C", "8S 9D TH", "JC QS KD")
HEARTS = ("2H 3D 4H", "5S 6H 7C", "8H 9H TH", "JH QS KH")
TENS = ("TS 3D KD", "KS 6H TD", "8S 9D AS", "JC QS QD")
KING = ("2S AH 4H", "5S 6H 7C", "8S KH 9H", "JC QS KD")
LONG = ("2S 3D 4H 5C", "5S 6H 7C 8D", "8S 9D TH JC", "JD QS KD AH")


@pytest.mark.parametrize(
    ("count", "texts", "leader", "contract", "options"),
    [
        pytest.param(208, SUITED, 0, "tricks", {}, id="free"),
        pytest.param(38, MIXED, 0, "tricks", {}, id="four-suits"),
        pytest.param(26, MIXED, 2, "king", {}, id="hearts-until-broken"),
        pytest.param(48, HEARTS, 2, "king", {}, id="forced-heart-lead"),
        pytest.param(
            160, LONG, 3, "king", {"hearts_lead__mode": "only_if_no_other"}, id="no-other"
        ),
        pytest.param(6, KING, 0, "king", {"must_dump": "king"}, id="dump-the-king"),
        pytest.param(344, LONG, 1, "diamonds", {"must_dump": "all"}, id="dump-anything"),
        pytest.param(32, TENS, 0, "tricks", {"rank_order": "ten_high"}, id="ten-high"),
        pytest.param(40, TENS, 0, "tricks", {}, id="king-high"),
        pytest.param(12, KING, 0, "king", {}, id="no-dump"),
    ],
)
def test_tricks_to_the_end(count, texts, leader, contract, options):
    banned = options.get("hearts_lead__mode", "until_broken") if contract == "king" else ""
    order = TEN_HIGH if "rank_order" in options else naive_play.NATURAL
    ends = trick_ends(
        hands(*texts),
        leader,
        contracts=(contract,),
        banned=banned,
        order=order,
        dump=options.get("must_dump", ""),
    )
    assert sum(1 for _ in ends) == count
    assert ways(trick_table(texts, leader, contract, **options)) == count


ROWS = ("TS AC AD", "QS TC TD", "KS TH 9D", "AS KH 9H")
ROWS_LAID = "JS JH JD JC QH QC KC QD KD"


def row_table(texts, **options):
    table = Trex(rules(**options), hands(*texts), 0)
    for card in ROWS_LAID.split():
        table.layout.lay(card)
    table.left = [len(text.split()) for text in texts]
    return table


@pytest.mark.parametrize(
    ("count", "options"),
    [
        pytest.param(222, {}, id="rows"),
        pytest.param(36, {"trex_direction": "reverse"}, id="rows-reversed"),
        pytest.param(800, {"ace_replay": "may"}, id="ace-may"),
        pytest.param(210, {"ace_replay": "must"}, id="ace-must"),
        pytest.param(700, {"ace_replay": "may", "ace_replay_chain": False}, id="ace-once"),
    ],
)
def test_rows_to_the_end(count, options):
    ends = row_ends(
        hands(*ROWS),
        0,
        frozenset(ROWS_LAID.split()),
        step=-1 if "trex_direction" in options else 1,
        ace=options.get("ace_replay", "off"),
        chain=options.get("ace_replay_chain", True),
    )
    assert sum(1 for _ in ends) == count
    assert ways(row_table(ROWS, **options)) == count


PILE = ("TS 9H KD", "8S QS 2C", "KS 9D 8H", "AS 2H QC")


@pytest.mark.parametrize(
    ("count", "wrap", "stuck"),
    [
        pytest.param(14, False, "last", id="pile"),
        pytest.param(8, True, "last", id="pile-wraps"),
        pytest.param(19, False, "next", id="pile-next-seat"),
    ],
)
def test_pile_to_the_end(count, wrap, stuck):
    ends = pile_ends(hands(*PILE), 1, "5D", wrap=wrap, stuck=stuck, last=0)
    assert sum(1 for _ in ends) == count
    options = {"pile__wrap": wrap, "pile__stuck": f"{stuck}_player_any"}
    table = Trex(rules(trex_layout="single_pile", **options), hands("5D", *PILE[1:]), 0)
    table.left = [4, 3, 3, 3]
    table.lay("5D")
    table.hands[0] = set(hands(PILE[0])[0])
    assert ways(table) == count


@pytest.mark.parametrize("count", [8279])
def test_fifty_one_to_the_end(count):
    texts = ("8S 9H TD", "7S QH QC KC QD KD", "8C TH 9D", "AS KH QD")
    ends = fifty_one_ends(hands(*texts), 0, 30, values=GERMAN_FIFTY_ONE)
    assert sum(1 for _ in ends) == count
    table = FiftyOne(rules("barbu"), hands(*texts), 0)
    table.sum, table.laid = 30, ["7H"] * 20
    assert ways(table) == count
