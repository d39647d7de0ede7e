"""No option is there for show: each value of every option of tests/cases/options.json gives another
result of the kind that the file names under "effect". Those that are only shown have their test
with the rules card (tests/house_rules/test_rules_card_pages.py)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import pytest

from scoring.replay.engine import card_by_card
from scoring.replay.play.table import new_table
from scoring.replay.record import Play, Record, in_order
from scoring.rules import (
    Contract,
    Double,
    check,
    is_queens_draw,
    legal_leads,
    points,
    redeal_questions,
    ruleset,
)
from scoring.rules.deal.fifty_one import loser_of
from scoring.rules.schedule import check_turn, turn
from scoring.rules.scoresheet import scoresheet
from tests.support.matches import TRICK_CONTRACTS, codes, entry, keys, match, play_on, played
from tests.support.worked import load

OPTIONS = {option["name"]: option for option in load("options")}
TREX, KING = Contract.read("trex"), Contract.read("king")


class Row(NamedTuple):
    """What shows an option: a ruleset goes in, a result comes out. `found` has each value of the
    option with its result, `needs` the other options that let it act."""

    see: Callable[..., Any]
    found: list[tuple[object, object]]
    system: str = "levant"
    needs: dict[str, object] = {}


# ---- Points


def told(contract, *, forced=False, teams=False, **facts):
    """A deal chosen by seat 0: its scores, or why it is refused."""

    def see(rules):
        deal = replace(entry(contract, 0, **facts), forced=forced)
        problems = check(deal, rules)
        if problems:
            return codes(problems)
        result = points(deal, rules)
        return result.team_scores if teams else result.scores

    return see


DOUBLED_KING = {"doubles": (Double("KH", 0),), "trick_leader": {"KH": 1}}
FOUR_QUEENS = {"QS": 1, "QH": 2, "QD": 3, "QC": 0}
ONE_QUEEN = {"queens_taken_by": FOUR_QUEENS, "doubles": (Double("QS", 0),)}
PARTNERS = {"teams": "opposite"}

POINTS = {
    "doubling.owner_bonus": Row(
        told("king", king_taken_by=1, **DOUBLED_KING),
        [(True, (75, -150, 0, 0)), (False, (0, -150, 0, 0))],
    ),
    "doubling.self_capture": Row(
        told("king", king_taken_by=0, **DOUBLED_KING),
        [
            ("single", (-75, 0, 0, 0)),
            ("double", (-150, 0, 0, 0)),
            ("quadruple", (-300, 0, 0, 0)),
            ("leader_gains", (-150, 75, 0, 0)),
        ],
    ),
    "doubling.queens_unit": Row(
        told("queens", **ONE_QUEEN),
        [("per_queen", (0, -50, -25, -25)), ("whole_contract", (50, -50, -50, -50))],
    ),
    "doubling.partner_capture": Row(
        told("king", king_taken_by=2, **DOUBLED_KING),
        [
            ("as_opponent", (75, 0, -150, 0)),
            ("no_bonus", (0, 0, -150, 0)),
            ("normal_value", (0, 0, -75, 0)),
            ("opponents_gain", (0, 75, -150, 0)),
        ],
        needs=PARTNERS,
    ),
    "values.king": Row(
        told("king", king_taken_by=1), [(75, (0, -75, 0, 0)), (100, (0, -100, 0, 0))]
    ),
    "values.queen": Row(
        told("queens", queens=(0, 3, 1, 0)), [(25, (0, -75, -25, 0)), (30, (0, -90, -30, 0))]
    ),
    "values.diamond": Row(
        told("diamonds", diamonds=(0, 9, 4, 0)), [(10, (0, -90, -40, 0)), (15, (0, -135, -60, 0))]
    ),
    "values.trick": Row(
        told("tricks", tricks=(0, 9, 4, 0)), [(15, (0, -135, -60, 0)), (10, (0, -90, -40, 0))]
    ),
    "values.heart": Row(
        told("hearts", hearts=(0, 5, 3, 0)), [(10, (0, 50, 30, 0)), (5, (0, 25, 15, 0))], "barbu"
    ),
    "values.last_trick": Row(
        told("last_trick", last_trick_by=1), [(80, (0, 80, 0, 0)), (40, (0, 40, 0, 0))], "barbu"
    ),
    "values.fifty_one": Row(
        told("fifty_one", loser=1), [(80, (0, 80, 0, 0)), (51, (0, 51, 0, 0))], "barbu"
    ),
    "values.trex": Row(
        told("trex", finish_order=(3, 0, 1, 2)),
        [([200, 150, 100, 50], (150, 100, 50, 200)), ([100, 50, 0, -50], (50, 0, -50, 100))],
    ),
    "signs": Row(
        told("diamonds", diamonds=(0, 9, 4, 0)),
        [("normal", (0, -90, -40, 0)), ("swapped", (0, 90, 40, 0))],
    ),
    "teams": Row(
        told("diamonds", teams=True, diamonds=(1, 9, 3, 0)),
        [("none", None), ("opposite", (-40, -90))],
    ),
    "revoke": Row(
        told("diamonds", revoke_by=2, diamonds=(3, 0, 0, 0)),
        [
            ("remaining", (-30, 0, -100, 0)),
            ("total", (0, 0, -130, 0)),
            ("off", ["option_off"]),
        ],
    ),
    "cheat.amount": Row(
        told("king", cheat_by=1), [(400, (0, 400, 0, 0)), (250, (0, 250, 0, 0))], "barbu"
    ),
    "cheat.multiplied": Row(
        told("king", cheat_by=0), [(False, (400, 0, 0, 0)), (True, (800, 0, 0, 0))], "barbu"
    ),
    "kabbout.contracts": Row(
        told("tricks", tricks=(0, 8, 0, 0)),
        [([], (0, 80, 0, 0)), (["tricks"], (800, 0, 400, 400))],
        "barbu",
    ),
    "kabbout.amount": Row(
        told("tricks", tricks=(0, 8, 0, 0)),
        [(400, (800, 0, 400, 400)), (150, (300, 0, 150, 150))],
        "barbu",
    ),
    "kabbout.multiplied": Row(
        told("tricks", tricks=(0, 8, 0, 0)),
        [(True, (800, 0, 400, 400)), (False, (400, 0, 400, 400))],
        "barbu",
    ),
    "chooser_factor": Row(
        told("king", king_taken_by=0), [(2, (160, 0, 0, 0)), (3, (240, 0, 0, 0))], "barbu"
    ),
    "forced_factor": Row(
        told("king", forced=True, king_taken_by=1),
        [(2, (0, 160, 0, 0)), (1, (0, 80, 0, 0))],
        "barbu",
    ),
    "trex_chooser_double": Row(
        lambda rules: [
            told("trex", finish_order=order)(rules) for order in ((0, 1, 2, 3), (1, 0, 2, 3))
        ],
        [
            ("none", [(-100, -50, 0, 0), (-50, -100, 0, 0)]),
            ("first", [(-200, -50, 0, 0), (-50, -100, 0, 0)]),
            ("both", [(-200, -50, 0, 0), (-100, -100, 0, 0)]),
        ],
        "barbu",
    ),
    "forced_applies_to_trex": Row(
        told("trex", forced=True, finish_order=(1, 2, 0, 3)),
        [(True, (0, -200, -100, 0)), (False, (0, -100, -50, 0))],
        "barbu",
    ),
}


# ---- Refusals


COMBINED = {"king_taken_by": 1, "diamonds": (0, 9, 4, 0), "doubles": (Double("KH", 0),)}

REFUSALS = {
    "doubling.king": Row(
        told("king", king_taken_by=1, **DOUBLED_KING),
        [(True, (75, -150, 0, 0)), (False, ["option_off"])],
    ),
    "doubling.queens": Row(
        told("queens", **ONE_QUEEN),
        [(True, (0, -50, -25, -25)), (False, ["option_off"])],
    ),
    "doubling.in_combo": Row(
        told(["king", "diamonds"], **COMBINED),
        [(True, (75, -240, -40, 0)), (False, ["option_off"])],
    ),
    "forfeit_first_three": Row(
        told("king", forfeited=True),
        [(False, ["option_off"]), (True, (-75, 0, 0, 0))],
        "kleshchi",
        {"contract_order": "fixed"},
    ),
}


# ---- What may be laid, and when a deal is dealt again or over


def at_the_table(contract, hands, *laid, leader=0):
    """Who is on turn after these cards, and what that seat may do (None: pass)."""

    def see(rules):
        table = new_table(Contract.read(contract), rules, [hand.split() for hand in hands], leader)
        for card in laid:
            table.lay(card)
        return table.turn, table.moves()

    return see


def leads(rules):
    """What may be led in the king contract before and after hearts are broken."""
    return [legal_leads(["AS", "2H"], broken, ["king"], rules) for broken in (False, True)]


def redeals(*hands):
    """What each of these hands may ask for, and when."""
    return lambda rules: [
        tuple(map(tuple, redeal_questions(each.split(), rules))) for each in hands
    ]


def early(rules):
    """A deal of the king contract that was written down no further than its first trick."""
    hands = tuple(in_order(card for card in rules.deck if card[1] == suit) for suit in "SHDC")
    plays = tuple(Play(seat, card) for seat, card in enumerate(("AS", "KH", "2D", "2C")))
    record = Record("early", "levant", KING, dealer=3, chooser=0, hands=hands, plays=plays)
    found = card_by_card(record, rules)
    return found.complete, found.scores, [breach.code for breach in found.breaches]


TREX_HANDS = ["JS 2C", "TS QS TH 3C", "KS 4C", "AS 5C"]
WEAK = ("KH 2S 3S", "KH 5H 2S", "QH 5H 2S")
TWOS = ("2S 2H 2D 2C 7H", "2S 2H 2D 3C 7H", "2S 2H 2D 4C 7H")
SPADE_ROW = ("JS", "QS", "KS", "AS")
ROWS = ["JS JD TD", "QS QD 7C", "KS KD 8C", "AS AD 8D"]
PLAYS = ["AS", "8S", "8H", "8D", "8C", "7S", "7H", "KS", "7D"]
GERMAN = {"A": 1, "K": 4, "Q": 3, "J": 2, "T": -1, "9": 0, "8": 8, "7": 7}
BEFORE, ON_TREX = ("weak_hearts", "before_choice"), ("twos", "on_trex")
CHOICE = ("twos", "before_choice")

LEGALITY = {
    "trex_direction": Row(
        at_the_table("trex", ["JS 2C", "QS 3C", "TH 4C", "TS 5C"], "JS"),
        [("same", (1, ["QS"])), ("reverse", (3, ["TS"]))],
    ),
    "hearts_lead.mode": Row(
        leads,
        [
            ("free", [["AS", "2H"], ["AS", "2H"]]),
            ("until_broken", [["AS"], ["AS", "2H"]]),
            ("only_if_no_other", [["AS"], ["AS"]]),
        ],
    ),
    "hearts_lead.contracts": Row(
        leads,
        [(["king"], [["AS"], ["AS", "2H"]]), (["queens"], [["AS", "2H"], ["AS", "2H"]])],
    ),
    "hearts_lead.forced_lead_breaks": Row(
        at_the_table("king", ["2H 3H", "4H 9S", "5H 9D", "6H 7H 9C"], "2H", "4H", "5H", "6H"),
        [(False, (3, ["9C"])), (True, (3, ["7H", "9C"]))],
    ),
    "trex_layout": Row(
        at_the_table("trex", TREX_HANDS, "JS"),
        [("suit_rows", (1, ["QS", "TS"])), ("single_pile", (1, ["QS", "TH", "TS"]))],
    ),
    "pile.stuck": Row(
        at_the_table("trex", ["JS 2C", "3C 4S", "4C 5S", "5C 6S"], "JS", None, None, None, None),
        [("last_player_any", (0, ["2C"])), ("next_player_any", (1, ["3C", "4S"]))],
        needs={"trex_layout": "single_pile"},
    ),
    "pile.wrap": Row(
        at_the_table("trex", ["AS 2C", "2S KH", "4C", "5C"], "AS"),
        [(False, (1, ["KH"])), (True, (1, ["2S", "KH"]))],
        needs={"trex_layout": "single_pile"},
    ),
    "ace_replay": Row(
        at_the_table("trex", ["JS 7D", "QS 7C", "KS 8C", "AS JD"], *SPADE_ROW),
        [("off", (0, [None])), ("may", (3, ["JD", None])), ("must", (3, ["JD"]))],
        "barbu",
    ),
    "ace_replay_chain": Row(
        at_the_table("trex", ROWS, "JS", "QS", "KS", None, "JD", "QD", "KD", "AS", "AD"),
        [(True, (3, [None])), (False, (0, ["TD"]))],
        "barbu",
    ),
    "redeal.weak_hearts": Row(
        redeals(*WEAK),
        [
            ("off", [(), (), ()]),
            ("on", [(BEFORE,), (), ()]),
            ("with_one_card", [(BEFORE,), (BEFORE,), ()]),
        ],
    ),
    "redeal.twos": Row(
        redeals(*TWOS),
        [
            ("off", [(), (), ()]),
            ("on_trex", [(ON_TREX,), (ON_TREX,), ()]),
            ("before_choice", [(CHOICE,), (CHOICE,), ()]),
        ],
    ),
    "redeal.queens_draw": Row(
        lambda rules: [
            is_queens_draw(entry("queens", queens=queens), rules)
            for queens in ((1, 1, 1, 1), (2, 1, 1, 0))
        ],
        [(False, [False, False]), (True, [True, False])],
        needs=PARTNERS,
    ),
    "fifty_one.values": Row(
        partial(loser_of, PLAYS, 0), [(GERMAN, 3), (GERMAN | {"K": 0}, 0)], "barbu"
    ),
    "fifty_one.target": Row(partial(loser_of, PLAYS, 0), [(51, 3), (40, 1)], "barbu"),
    "rank_order": Row(
        at_the_table("king", ["KS 2C", "TS 3C", "9S 4C", "8S 5C"], "KS", "TS", "9S", "8S"),
        [("natural", (0, ["2C"])), ("ten_high", (1, ["3C"]))],
    ),
    "layout_rank_order": Row(
        at_the_table("trex", ["JS 7C", "TS 9S QS 8C", "8D", "9D"], "JS"),
        [("natural", (1, ["QS", "TS"])), ("ten_high", (1, ["9S", "QS"]))],
    ),
    "early_end": Row(
        early,
        [
            ("allowed", (True, (-75, 0, 0, 0), [])),
            ("off", (False, None, ["unfinished"])),
        ],
    ),
    "must_dump": Row(
        at_the_table(["king", "diamonds"], ["2S", "KH 2D 3C", "4S", "5S"], "2S"),
        [
            ("off", (1, ["2D", "3C", "KH"])),
            ("king", (1, ["KH"])),
            ("all", (1, ["2D", "KH"])),
        ],
    ),
}


# ---- Who deals, chooses and leads, and what may be played


def proposals(what, deals=6, **given):
    """This of the turn at each of the first deals of a match in which all is played as proposed."""

    def see(rules):
        so_far = play_on(rules, most=deals, **given)
        return [
            getattr(
                turn(rules, 0, None, [d for d in so_far if d.deal_number < number], **given), what
            )
            for number in range(1, deals + 1)
        ]

    return see


def first(what, *, deals=(), dealer=None, chooser=0, **given):
    """This of the turn after these deals."""
    return lambda rules: getattr(turn(rules, chooser, dealer, deals, **given), what)


def leader(contract):
    """Who plays the first card, with seat 1 to deal and seat 0 to choose."""
    return lambda rules: turn(rules, 0, 1, []).leader(contract)


def offered(rules):
    """What the first chooser may play."""
    return keys(turn(rules, 0, None, []).contracts)


def after_cheating(rules):
    """Who chooses after a deal that was broken off, and what the cheated chooser has left."""
    cheated = entry("king", 0, cheat_by=1)
    now = turn(rules, 0, None, [])
    uses = now.uses_contract(cheated)
    deals = [played(1, 0, "king", uses_contract=uses, replayed=not uses)]
    return turn(rules, 0, None, deals).chooser, "king" in turn(rules, 0, None, deals).left[0]


def trex_without_a_jack(rules):
    """Whether the page asks, and what is said of a hand without a jack."""
    now = turn(rules, 0, None, [])
    return now.jack_question, codes(check_turn(entry("trex", 0), now, hand=["AS", "KS"]))


TIED = {
    "king": {"king_taken_by": 2},
    "queens": {"queens": (2, 0, 1, 1)},
    "diamonds": {"diamonds": (0, 0, 7, 6)},
    "tricks": {"tricks": (0, 0, 7, 6)},
    "trex": {"finish_order": (0, 1, 2, 3)},
}


def tie(rules):
    """Two with the best total at the end of a match, one with more first places in Trex."""
    deals = match(rules, **TIED)
    sheet = scoresheet(rules, deals)
    return sheet.winners, sheet.tie_break.kind


FREE = [*TRICK_CONTRACTS, "trex"]
COMBINATIONS = [
    *("king+queens", "king+diamonds", "king+tricks"),
    *("queens+diamonds", "queens+tricks", "diamonds+tricks"),
    *("king+queens+diamonds", "king+queens+tricks"),
    *("king+diamonds+tricks", "queens+diamonds+tricks"),
    "king+queens+diamonds+tricks",
]
KINGDOM = [played(number, 0, name) for number, name in enumerate(FREE, start=1)]

SCHEDULE = {
    "dealer_rule": Row(
        proposals("dealer", 3),
        [("rotate", [3, 0, 1]), ("owner_deals", [0, 0, 0]), ("owner_left", [3, 3, 3])],
    ),
    "chooser_order": Row(
        proposals("chooser"),
        [("kingdom", [0, 0, 0, 0, 0, 1]), ("rotate", [0, 1, 2, 3, 0, 1])],
    ),
    "kingdom_pass": Row(
        first("choosers", deals=KINGDOM), [("right", (1,)), ("seven_each_kingdom", (1, 2, 3))]
    ),
    "chooser_first": Row(
        first("chooser", dealer=1, chooser=None),
        [("seven_of_hearts", None), ("dealer_right", 2), ("dealer", 1)],
    ),
    "first_lead": Row(leader(KING), [("dealer_right", 2), ("chooser", 0)]),
    "trex_start": Row(leader(TREX), [("chooser", 0), ("dealer", 1), ("dealer_right", 2)]),
    "contract_order": Row(
        offered,
        [
            ("free", FREE + COMBINATIONS),
            ("drawn", FREE),
            ("fixed", ["king", "king+queens", "king+queens+diamonds", COMBINATIONS[-1]]),
            ("fixed_reversed", ["trex"]),
        ],
        needs={"combo": "free"},
    ),
    "general_last": Row(
        lambda rules: ["general" in offered(rules), len(offered(rules))],
        [(False, [True, 8]), (True, [False, 7])],
        "barbu",
        {"contract_order": "drawn"},
    ),
    "contracts_scope": Row(first("deals_total"), [("player", 20), ("game", 5)], "kleshchi"),
    "combo": Row(
        offered,
        [
            ("off", FREE),
            ("free", FREE + COMBINATIONS),
            ("complex", ["king+queens+diamonds+tricks"]),
        ],
    ),
    "redeal.keeps_contract": Row(
        lambda rules: keys(turn(rules, 0, None, [], kept=TREX).contracts),
        [(False, FREE), (True, ["trex"])],
    ),
    "cheat.replay": Row(after_cheating, [(False, (1, False)), (True, (0, True))], "barbu"),
    "trex_needs_jack": Row(
        trex_without_a_jack, [(False, (False, [])), (True, (True, ["not_this_contract"]))], "barbu"
    ),
    "tie_break": Row(tie, [("trex_firsts", ((0,), "trex_firsts")), ("shared", ((0, 1), "shared"))]),
}


def also_won(rules):
    """Who wins by a total above zero: two at 600, the others below."""
    return scoresheet(rules, match(rules, **TIED)).positives


WINNERS = {"positive_wins": Row(also_won, [(True, (0, 1)), (False, ())])}


# ---- All of them

OF_KIND = {
    "points": POINTS,
    "refusal": REFUSALS,
    "legality": LEGALITY,
    "schedule": SCHEDULE,
    "winner": WINNERS,
}
ROWS_BY_NAME = {name: row for rows in OF_KIND.values() for name, row in rows.items()}
SHOWN = {name for name, option in OPTIONS.items() if option["effect"] == "display"}


@pytest.mark.parametrize("name", ROWS_BY_NAME)
def test_each_value_gives_another_result(name):
    row = ROWS_BY_NAME[name]
    results = [row.see(ruleset(row.system, row.needs | {name: value})) for value, _ in row.found]
    assert results == [result for _, result in row.found]
    assert len(results) >= 2
    assert all(one != other for place, one in enumerate(results) for other in results[:place])


@pytest.mark.parametrize("name", ROWS_BY_NAME)
def test_every_value_is_tried(name):
    tried = [value for value, _ in ROWS_BY_NAME[name].found]
    values = OPTIONS[name]["values"] or {"bool": [True, False]}.get(OPTIONS[name]["type"], [])
    assert all(value in tried for value in values)


@pytest.mark.parametrize("kind", OF_KIND)
def test_no_option_is_left_out(kind):
    assert set(OF_KIND[kind]) == {n for n, option in OPTIONS.items() if option["effect"] == kind}


def test_options_that_are_only_shown_are_few():
    assert set(OPTIONS) - set(ROWS_BY_NAME) == SHOWN
    assert {"direction", "win", "open_hands", "trex.expose_twos"} == SHOWN
