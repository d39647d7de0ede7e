"""How a record is run: what stops it, what does not, what is worked out, when it is complete."""

from dataclasses import replace
from random import Random

import pytest

from scoring.replay.engine import replay
from scoring.replay.record import NotationError
from scoring.rules import Double
from tests.replay.making import captured, hands, make, moves, rules, tricks
from tests.support.players import legal_deal

KING_FALLS = "N 2C 3C 4C KH"


def run(record):
    return replay(record, record.ruleset())


def codes(found):
    return [(breach.code, breach.play, breach.seat, breach.card) for breach in found.breaches]


def test_recorded_leader_wins_over_the_rule():
    assert codes(run(make("king", tricks("S 2C"), leader=2)))[0][0] == "unfinished"
    assert codes(run(make("king", tricks("S 2C"))))[0] == ("out_of_turn", 0, 2, "2C")
    assert not codes(run(make("king", tricks("W 2C 3C 4C KH"), dealer=0)))


def test_stop_after_everything_is_settled_is_complete():
    found = run(make("king", tricks(KING_FALLS + "\nW 2S"), leader=0))
    assert codes(found) == [("out_of_turn", 4, 1, "2S")]
    assert (found.complete, found.stopped_at, found.scores) == (True, 4, (0, 0, -75, 0))


def test_early_end_is_unfinished_where_the_table_plays_on():
    found = run(make("king", tricks(KING_FALLS), leader=0, options={"early_end": "off"}))
    assert codes(found) == [("unfinished", None, None, None)]
    assert found.scores is None
    assert found.tally.king_taken_by == 2


def test_card_outside_the_deck_is_not_held():
    assert codes(run(make("king", tricks("N 2C"), system="barbu"))) == [("not_held", 0, 0, "2C")]


def test_card_of_another_known_hand_is_not_held_by_an_unknown_one():
    given = hands("-", "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", "-", "-")
    assert codes(run(make("king", tricks("N 2C"), leader=0, hands=given))) == [
        ("not_held", 0, 0, "2C")
    ]


def test_seat_out_of_turn_comes_before_a_card_that_was_played():
    found = run(make("king", tricks("N 2C 3C") + tricks("N 2C"), leader=0))
    assert codes(found) == [("out_of_turn", 2, 0, "2C")]


def test_three_known_hands_give_the_fourth():
    given = legal_deal(Random(1), "levant").hands
    found = run(make("king", hands=(*given[:3], None)))
    assert sorted(found.hands[3]) == sorted(given[3])


def test_played_out_hands_are_known():
    record = legal_deal(Random(3), "barbu")
    found = run(make(record.contract.to_json(), record.plays, system="barbu", leader=2))
    assert [hand and sorted(hand) for hand in found.hands].count(None) in (0, 4)


def test_later_card_betrays_a_revoke_of_an_unknown_hand():
    found = run(make("diamonds", tricks("N 2C 3D 4C 5C\nE 2S 3S 4S 5S\nS 7C 8C 9C 6C"), leader=0))
    revoke, *_ = [breach for breach in found.breaches if breach.code == "revoke"]
    assert (revoke.play, revoke.trick, revoke.seat, revoke.card) == (1, 0, 1, "3D")
    assert revoke.legal == ("6C",)


def test_unknown_hand_that_never_shows_the_suit_did_not_revoke():
    found = run(make("diamonds", tricks("N 2C 3D 4C 5C\nE 2S 3S 4S 5S\nS 7C 8C 9C 6D"), leader=0))
    assert codes(found) == [("unfinished", None, None, None)]


DOUBLES = {
    "held": ([("KH", 3)], []),
    "another's": ([("KH", 1)], [("KH", 1)]),
    "not in this contract": ([("QS", 0)], [("QS", 0)]),
    "first that holds it": ([("KH", 1), ("KH", 3)], [("KH", 1)]),
    "twice": ([("KH", 3), ("KH", 3)], [("KH", 3)]),
}


@pytest.mark.parametrize(("doubles", "dropped"), DOUBLES.values(), ids=DOUBLES)
def test_double_counts_for_the_first_that_holds_the_card(doubles, dropped):
    record = make(
        "king", tricks(KING_FALLS), leader=0, doubles=tuple(Double(*each) for each in doubles)
    )
    found = run(record)
    assert codes(found) == [("double_not_held", None, by, card) for card, by in dropped]
    assert len(found.tally.doubles) == len(doubles) - len(dropped)


def test_known_hand_without_the_card_cannot_double_it():
    given = hands("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", "-", "-", "-")
    found = run(make("king", hands=given, doubles=(Double("KH", 0),)))
    assert codes(found)[0] == ("double_not_held", None, 0, "KH")


def test_captures_alone_may_settle_a_deal():
    found = run(make("queens", captured=captured("QS:N QH:N QD:S QC:S")))
    assert (found.complete, found.scores) == (True, (-50, 0, -50, 0))
    assert codes(found) == []


def test_captures_beside_tricks_count_once():
    found = run(make("king", tricks(KING_FALLS), leader=0, captured=captured("KH:S 4H:S 4H:S")))
    assert found.tally.hearts == (0, 0, 2, 0)


def test_doubled_card_without_its_trick_leaves_the_points_open_where_the_leader_gains():
    record = make(
        "king",
        captured=captured("KH:S"),
        doubles=(Double("KH", 2),),
        options={"doubling.self_capture": "leader_gains"},
    )
    found = run(record)
    assert not found.complete
    assert codes(found) == [("unfinished", None, None, None)]


def test_silent_refusal_of_a_duty_stands_at_the_next_play():
    given = {"system": "barbu", "options": {"ace_replay": "must"}, "leader": 0}
    texts = (
        "JS AS 9S 7C 8C 9C TC JC",
        "QS 7D 8D 9D TD JD QD KD",
        "KS 7H 8H 9H TH JH QH KH",
        "TS 8S 7S QC KC AC AD AH",
    )
    plays = moves("N:JS W:QS S:KS E:TS N:AS W:JD")
    found = run(make("trex", plays, hands=hands(*texts), **given))
    refusal = found.breaches[0]
    assert (refusal.code, refusal.play, refusal.seat) == ("pass_when_able", 5, 0)
    assert (refusal.card, refusal.legal) == (None, ("9S", "JC"))


def test_open_places_worth_the_same_are_filled_lowest_seat_first():
    record = legal_deal(Random(5), "barbu", contract=make("trex").contract)
    out = replay(record, record.ruleset()).finish_order
    at = next(
        place
        for place in range(len(record.plays))
        if len(run(cut(record, place)).tally.finish_order) == 4
    )
    filled = run(cut(record, at))
    assert filled.complete
    assert filled.finish_order[:2] == out[:2]
    assert list(filled.finish_order[2:]) == sorted(out[2:])


def cut(record, count):
    return replace(record, plays=record.plays[:count])


def test_record_with_errors_of_writing_is_not_replayed():
    error = NotationError("bad_card", 1, 1, "1H")
    record = replace(make("king", tricks(KING_FALLS), leader=0), errors=(error,))
    found = run(record)
    assert (found.complete, found.scores, found.breaches) == (False, None, ())
    assert found.errors == (error,)


def test_hand_of_the_wrong_size_stops_before_play():
    found = run(make("king", tricks(KING_FALLS), leader=0, hands=hands("2C 3C", "-", "-", "-")))
    assert codes(found) == [("bad_hands", None, None, None)]
    assert found.stopped_at == 0


def test_plays_after_the_end_are_ignored():
    record = legal_deal(Random(8), "barbu", contract=make("fifty_one", system="barbu").contract)
    longer = replace(record, plays=record.plays + tricks("N 7S 7H 7D"))
    assert run(longer) == run(record)


def test_ruleset_of_another_table_judges_the_same_cards():
    record = make("king", tricks("N 2H 3H 4H 5H"), leader=0)
    strict = replay(record, rules(hearts_lead__mode="only_if_no_other"))
    assert [breach.code for breach in strict.breaches] == ["unfinished"]
