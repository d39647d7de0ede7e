"""Each way in which an entry can be wrong, provoked on its own."""

from itertools import product
from random import Random

import pytest

from scoring.rules import (
    Contract,
    Entry,
    Item,
    Tally,
    check,
    preset,
    read_entry,
    ruleset,
    score_case,
)
from scoring.rules.deal.crosschecks import cross_problems

LEADER = {"doubling.self_capture": "leader_gains"}
PAIRS = {"teams": "opposite"}
PARTNER = PAIRS | {"doubling.partner_capture": "opponents_gain"}
WHOLE = {"doubling.queens_unit": "whole_contract"}
QUEENS = {"QS": 0, "QH": 1, "QD": 2, "QC": 3}


def problems(system, contract, facts, options=None, **frame):
    rules = ruleset(system, options)
    data = {"chooser": 0} | frame | {"contract": contract, "input": facts}
    return [(problem.code, problem.field) for problem in read_entry(data, rules).problems]


def double(*cards, by=1):
    return [{"card": card, "by": by} for card in cards]


REFUSED = [
    # who took what
    ("levant", "king", {}, {}, [("missing", "king_taken_by")]),
    ("levant", "king", {"king_taken_by": True}, {}, [("bad_seat", "king_taken_by")]),
    ("levant", "queens", {}, {}, [("missing", "queens_taken_by")]),
    ("levant", "queens", {"queens": [2, 2, 1, 0]}, {}, [("wrong_total", "queens")]),
    ("levant", "diamonds", {}, {}, [("missing", "diamonds")]),
    ("barbu", "last_trick", {"last_trick_by": 1.0}, {}, [("bad_seat", "last_trick_by")]),
    ("barbu", "diamonds", {"diamonds": [2, 2, 2, 2]}, {}, [("unknown_contract", "contract")]),
    ("levant", ["king", "hearts"], {}, {}, [("unknown_contract", "contract")]),
    ("barbu", ["king", "general"], {}, {}, [("not_combinable", "contract")]),
    ("levant", ["king", "king"], {}, {}, [("not_combinable", "contract")]),
    ("levant", "trex", {}, {}, [("missing", "finish_order")]),
    ("levant", "trex", {"finish_order": [0, 1, 2, 4]}, {}, [("not_a_permutation", "finish_order")]),
    ("levant", "trex", {"finish_order": [False, 1, 2, 3]}, {}, [("bad_seat", "finish_order")]),
    # doubles
    ("levant", "king", {"king_taken_by": 0, "doubles": double("KH", by=None)}, {},
     [("missing", "doubles")]),
    ("levant", "king", {"king_taken_by": 0, "doubles": double("KH", by=4)}, {},
     [("bad_seat", "doubles")]),
    ("barbu", "king", {"king_taken_by": 0, "doubles": double("2H")}, {},
     [("unknown_card", "doubles")]),
    ("levant", "trex", {"finish_order": [0, 1, 2, 3], "doubles": double("KH")}, {},
     [("not_doublable", "doubles")]),
    ("levant", "king", {"king_taken_by": 0, "doubles": double("KH", "KH")}, {},
     [("doubled_twice", "doubles")]),
    ("levant", "king", {"king_taken_by": 0, "doubles": double("KH")}, {"doubling.king": False},
     [("option_off", "doubles")]),
    ("levant", "queens", {"queens_taken_by": QUEENS, "doubles": double("QS", "QH")}, WHOLE,
     [("doubled_twice", "doubles")]),
    ("levant", "queens", {"queens": [1, 1, 1, 1], "doubles": double("QS")}, {},
     [("missing", "queens_taken_by")]),
    ("levant", ["king", "diamonds"],
     {"king_taken_by": 0, "diamonds": [13, 0, 0, 0], "doubles": double("KH")},
     {"doubling.in_combo": False}, [("option_off", "doubles")]),
    ("barbu", "tricks", {"tricks": [8, 0, 0, 0], "doubles": double("KH")}, {},
     [("not_doublable", "doubles"), ("option_off", "doubles")]),
    # who led
    ("levant", "king", {"king_taken_by": 1, "doubles": double("KH")}, LEADER,
     [("trick_leader_missing", "trick_leader.KH")]),
    ("levant", "king", {"king_taken_by": 3, "doubles": double("KH")}, PARTNER,
     [("trick_leader_missing", "trick_leader.KH")]),
    ("levant", "king",
     {"king_taken_by": 1, "doubles": double("KH"), "trick_leader": {"KH": 9}}, LEADER,
     [("bad_seat", "trick_leader.KH")]),
    ("levant", "king",
     {"king_taken_by": 1, "doubles": double("KH"), "trick_leader": {"KH": 0, "1H": 0}}, LEADER,
     [("unknown_card", "trick_leader.1H")]),
    # penalties
    ("levant", "trex", {"finish_order": [0, 1, 2, 3], "revoke_by": 1}, {},
     [("option_off", "revoke_by")]),
    ("levant", "diamonds", {"diamonds": [0, 0, 0, 0], "revoke_by": 5}, {},
     [("bad_seat", "revoke_by")]),
    ("levant", "diamonds", {"diamonds": [9, 9, 0, 0], "revoke_by": 1}, {},
     [("wrong_total", "diamonds")]),
    ("levant", "diamonds", {"revoke_by": 1}, {}, [("missing", "diamonds")]),
    ("levant", "king", {"cheat_by": 1}, {}, [("option_off", "cheat_by")]),
    ("barbu", "king", {"cheat_by": "1"}, {}, [("bad_seat", "cheat_by")]),
    ("barbu", "king", {"cheat_by": 1, "revoke_by": 1}, {"revoke": "total"},
     [("impossible", "cheat_by")]),
    ("kleshchi", "tricks", {"forfeited": True},
     {"forfeit_first_three": True, "contract_order": "fixed"}, [("option_off", "forfeited")]),
    ("kleshchi", "king", {"forfeited": 1},
     {"forfeit_first_three": True, "contract_order": "fixed"}, [("bad_option_value", "forfeited")]),
    # fifty_one
    ("barbu", "fifty_one", {"loser": None}, {}, [("missing", "loser")]),
    ("barbu", "fifty_one", {"loser": 1, "plays": ["8S", "1S"]}, {}, [("unknown_card", "plays.1")]),
    ("barbu", "fifty_one", {"loser": 1, "plays": ["8S", "8S"]}, {}, [("impossible", "plays.1")]),
    ("barbu", "fifty_one", {"loser": 1, "plays": "8S"}, {}, [("unknown_card", "plays")]),
    ("barbu", "fifty_one", {"loser": 1, "plays": ["8S", "7S"]}, {}, [("wrong_loser", "loser")]),
    ("barbu", "fifty_one", {"loser": 1},
     {"fifty_one.values": dict.fromkeys("AKQJT987", 1)}, [("impossible", "loser")]),
    # cards against each other
    ("barbu", "general",
     {"tricks": [0, 8, 0, 0], "hearts": [0, 8, 0, 0], "queens": [0, 4, 0, 0], "king_taken_by": 0,
      "last_trick_by": 0}, {},
     [("impossible", "king_taken_by")] * 2 + [("impossible", "last_trick_by")]),
    ("barbu", ["hearts", "queens"], {"hearts": [8, 0, 0, 0], "queens": [0, 2, 1, 1]}, {},
     [("impossible", "hearts")]),
    ("barbu", ["king", "hearts", "queens"],
     {"king_taken_by": 0, "hearts": [1, 7, 0, 0], "queens": [4, 0, 0, 0]}, {},
     [("impossible", "hearts")]),
    ("levant", ["queens", "diamonds"],
     {"queens_taken_by": QUEENS, "diamonds": [13, 0, 0, 0]}, {}, [("impossible", "diamonds")]),
    ("levant", ["king", "tricks"], {"king_taken_by": 0, "tricks": [0, 13, 0, 0]}, {},
     [("impossible", "king_taken_by")]),
    ("levant", ["queens", "tricks"], {"queens": [1, 3, 0, 0], "tricks": [0, 13, 0, 0]}, {},
     [("impossible", "tricks")]),
    ("levant", ["queens", "diamonds", "tricks"],
     {"queens": [4, 0, 0, 0], "diamonds": [2, 11, 0, 0], "tricks": [1, 12, 0, 0]}, {},
     [("impossible", "tricks")]),
]  # fmt: skip


@pytest.mark.parametrize(("system", "contract", "facts", "options", "expected"), REFUSED)
def test_wrong_entry_is_refused_for_what_is_wrong(system, contract, facts, options, expected):
    assert problems(system, contract, facts, options) == expected


ACCEPTED = [
    ("levant", "king", {"king_taken_by": 0, "doubles": None, "hearts": "x"}, {}),
    ("levant", ["king"], {"king_taken_by": 0}, {}),
    ("levant", "queens", {"queens": [1, 1, 1, 1], "doubles": []}, {}),
    ("levant", "queens", {"queens": [1, 1, 1, 1], "queens_taken_by": {"QS": None}}, {}),
    ("levant", ["king", "queens"],
     {"king_taken_by": 1, "queens": [1, 1, 1, 1], "doubles": double("KH")}, {}),
    ("levant", "queens", {"queens_taken_by": {"QS": 1, "QH": None}, "revoke_by": 0}, {}),
    ("levant", "queens", {"revoke_by": 0}, {}),
    ("levant", "king", {"revoke_by": 0}, {}),
    ("barbu", "general",
     {"revoke_by": 0, "tricks": [1, 0, 0, 0], "hearts": [4, 0, 0, 0]}, {"revoke": "remaining"}),
    ("barbu", "king", {"king_taken_by": 1, "doubles": double("KH")}, {"doubling.king": True}),
    ("barbu", "general",
     {"tricks": [8, 0, 0, 0], "hearts": [8, 0, 0, 0], "king_taken_by": 0, "last_trick_by": 0,
      "queens_taken_by": dict.fromkeys(QUEENS, 0), "doubles": double("QS")},
     {"doubling.queens": True, "doubling.in_combo": False}),
    ("levant", "king", {"king_taken_by": 2, "doubles": double("KH")}, LEADER),
    ("levant", "king", {"revoke_by": 1, "doubles": double("KH")}, LEADER),
    ("levant", "queens",
     {"queens_taken_by": dict.fromkeys(QUEENS, 1), "doubles": double("QS")}, LEADER | WHOLE),
    ("barbu", "king", {"cheat_by": 1, "king_taken_by": "rubbish"}, {}),
    ("barbu", "fifty_one", {"loser": None}, {"fifty_one.values": dict.fromkeys("AKQJT987", 1)}),
    ("barbu", ["hearts", "queens"], {"hearts": [7, 1, 0, 0], "queens": [0, 2, 1, 1]}, {}),
    ("levant", ["queens", "diamonds", "tricks"],
     {"queens": [3, 1, 0, 0], "diamonds": [2, 11, 0, 0], "tricks": [1, 12, 0, 0]}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("system", "contract", "facts", "options"), ACCEPTED)
def test_what_can_have_been_is_accepted(system, contract, facts, options):
    assert problems(system, contract, facts, options) == []


TRICKS = {"tricks": [3, 1, 0, 4]}
NEEDS_CHOOSER = [
    ("barbu", "tricks", TRICKS, {}, True),
    ("barbu", "tricks", TRICKS, {"chooser_factor": 1}, False),
    ("barbu", "trex", {"finish_order": [0, 1, 2, 3]}, {}, True),
    ("barbu", "trex", {"finish_order": [0, 1, 2, 3]}, {"trex_chooser_double": "none"}, False),
    ("barbu", "tricks", {"cheat_by": 1}, {}, False),
    ("barbu", "tricks", {"cheat_by": 1}, {"cheat.multiplied": True}, True),
    ("levant", "king", {"king_taken_by": 1}, {}, False),
    ("kleshchi", "king", {"forfeited": True},
     {"forfeit_first_three": True, "contract_order": "fixed"}, True),
]  # fmt: skip


@pytest.mark.parametrize(("system", "contract", "facts", "options", "needed"), NEEDS_CHOOSER)
def test_chooser_is_asked_for_where_it_matters(system, contract, facts, options, needed):
    expected = [("chooser_missing", "chooser")] if needed else []
    assert problems(system, contract, facts, options, chooser=None) == expected


def test_contract_of_another_system_is_refused_in_a_ready_made_entry():
    entry = Entry(Contract.read("hearts"), tally=Tally(hearts=(2, 2, 2, 2)))
    assert [problem.code for problem in check(entry, preset("levant"))] == ["unknown_contract"]


def test_queens_and_counts_must_fit_cards_that_exist():
    """Against a search that gives every single card a seat: 600 random sets of counts."""
    rng = Random(5)
    items = (Item.KING, Item.QUEENS, Item.HEARTS, Item.TRICKS)
    verdicts = set()
    for _ in range(600):
        tally = Tally(
            king_taken_by=rng.randrange(3),
            queens=(*spread(rng, 4, 3), 0),
            hearts=(*spread(rng, 8, 3), 0),
            tricks=(*spread(rng, 8, 3), 0),
        )
        verdict = not list(cross_problems(items, tally))
        assert verdict == exists(tally), tally
        verdicts.add(verdict)
    assert verdicts == {True, False}


def spread(rng, total, parts):
    cuts = sorted(rng.randint(0, total) for _ in range(parts - 1))
    return tuple(b - a for a, b in zip([0, *cuts], [*cuts, total], strict=True))


def exists(tally):
    """Whether K♥, Q♥, six more hearts and three more queens can lie so, each card on its own."""
    for queen_of_hearts, *black in product(range(3), repeat=4):
        queens = [queen_of_hearts, *black]
        others = [
            tally.hearts[seat] - (seat == tally.king_taken_by) - (seat == queen_of_hearts)
            for seat in range(3)
        ]
        cards = [
            others[seat] + (seat == tally.king_taken_by) + queens.count(seat) for seat in range(3)
        ]
        if (
            all(queens.count(seat) == tally.queens[seat] for seat in range(3))
            and min(others) >= 0
            and all(cards[seat] <= 4 * tally.tricks[seat] for seat in range(3))
        ):
            return True
    return False


def test_revoke_before_any_queen_was_taken_asks_for_no_taker():
    """The counts say it: nobody."""
    facts = {"revoke_by": 1, "doubles": double("QS", by=0)}
    none, one = {"queens": [0, 0, 0, 0]}, {"queens": [1, 0, 0, 0]}
    assert problems("levant", "queens", facts | none) == []
    assert problems("levant", "queens", facts | one) == [("missing", "queens_taken_by")]
    nobody = facts | {"queens_taken_by": {}}
    scores = [
        score_case({"system": "levant", "contract": "queens", "input": given})["scores"]
        for given in (facts | none, nobody)
    ]
    assert scores == [[25, -125, 0, 0]] * 2
