"""What may be laid in Trex, and whose turn it is then."""

from scoring.replay.play.layout import Trex
from tests.replay.making import hands, moves, rules


def table(*texts, starter=0, system="levant", **options):
    deal = Trex(rules(system, **options), hands(*texts), starter)
    deal.left = [13 if hand is None else len(hand) for hand in deal.hands]
    return deal


def lay(deal, text):
    """Lays moves that are in turn and legal."""
    for move in moves(text):
        assert deal.turn == move.seat
        card = getattr(move, "card", None)
        assert deal.fault(card) is None
        deal.lay(card)
    return deal


def test_only_jacks_open_rows():
    deal = table("JS QS TH", "-", "-", "-")
    assert deal.moves() == ["JS"]
    assert deal.fault("QS") == ("not_adjacent", ("JS",))
    assert deal.fault(None) == ("pass_when_able", ("JS",))


def test_row_grows_at_both_ends():
    deal = lay(table("JS 9S", "QS 2C", "TS 2H", "KS 2D"), "N:JS W:QS S:TS E:KS")
    assert deal.legal() == ["9S"]


def test_seat_that_is_out_is_skipped():
    deal = lay(table("JS 2S", "QS", "TS 2H", "2D 3D"), "N:JS W:QS S:TS E:- N:-")
    assert deal.turn == 2
    assert deal.finish_order == [1]


def test_deal_ends_when_one_seat_is_left():
    deal = lay(table("JS", "QS", "TS", "2D"), "N:JS W:QS S:TS")
    assert deal.over


def test_trex_goes_the_other_way_round_by_option():
    deal = lay(table("JS 2C", "-", "-", "QS 3C", trex_direction="reverse"), "N:JS E:QS")
    assert deal.turn == 2


ACE = ("JS AS 2C", "QS 3C", "KS 4C", "TS 5C")


def test_ace_lets_lay_again():
    deal = lay(table(*ACE, system="barbu", ace_replay="may"), "N:JS W:QS S:KS E:TS N:AS")
    assert deal.turn == 0
    assert deal.moves() == [None]
    assert deal.yields_to(1)
    assert not deal.yields_to(2)
    deal.lay(None)
    assert deal.turn == 1


def test_right_to_lay_again_may_be_declined():
    able = ("JS AS 9S", "QS 3C", "KS 4C", "TS 5C")
    deal = lay(table(*able, system="barbu", ace_replay="may"), "N:JS W:QS S:KS E:TS N:AS")
    assert deal.moves() == ["9S", None]
    duty = lay(table(*able, ace_replay="must"), "N:JS W:QS S:KS E:TS N:AS")
    assert duty.fault(None) == ("pass_when_able", ("9S",))


def test_ace_as_last_card_gives_nothing():
    deal = lay(table("JS AS", "QS 3C", "KS 4C", "TS 5C", ace_replay="may"), "N:JS W:QS S:KS E:TS")
    deal.lay("AS")
    assert deal.turn == 1
    assert not deal.again


def two_aces(chain):
    texts = ("JS JH AS AH 2C", "QS QH 3C", "KS KH 4C", "TS TH 5C")
    deal = table(*texts, ace_replay="may", ace_replay_chain=chain)
    return lay(deal, "N:JS W:QS S:KS E:TS N:JH W:QH S:KH E:TH N:AS N:AH")


def test_every_ace_gives_one_more_card_in_a_chain():
    assert two_aces(chain=True).turn == 0
    assert two_aces(chain=False).turn == 1


def pile(*texts, **options):
    options = {"trex_layout": "single_pile", "trex_direction": "same"} | options
    return table(*texts, **options)


def test_pile_is_opened_with_a_jack_by_who_holds_one():
    assert pile("JS 5C", "-", "-", "-").fault("5C") == ("not_adjacent", ("JS",))
    assert pile("TS 5C", "-", "-", "-").fault("5C") is None
    assert pile("-", "-", "-", "-").fault("5C") is None


def test_pile_takes_the_ranks_beside_whatever_the_suit():
    deal = lay(pile("9D 2S", "TC 8S 3H 9H", "-", "-"), "N:9D")
    assert deal.legal() == ["8S", "TC"]


STUCK = ("5C 7H", "KD KS", "KH 9S", "KC 9D")


def test_last_seat_to_lay_lays_any_card_when_all_are_stuck():
    deal = lay(pile(*STUCK, pile__stuck="last_player_any"), "N:5C W:- S:- E:- N:-")
    assert deal.turn == 0
    assert deal.moves() == ["7H"]


def test_next_seat_lays_any_card_by_option():
    deal = lay(pile(*STUCK, pile__stuck="next_player_any"), "N:5C W:- S:- E:- N:-")
    assert deal.turn == 1
    assert deal.moves() == ["KD", "KS"]
    assert deal.fault(None) == ("pass_when_able", ("KD", "KS"))


def test_next_seat_lays_any_card_when_the_last_is_out():
    deal = lay(pile("5C", "KD KS", "KH 9S", "KC 9D"), "N:5C W:- S:- E:-")
    assert deal.turn == 1
    assert deal.free


def test_ace_and_two_meet_only_when_the_pile_wraps():
    texts = ("AC 5H", "2D KS", "9H 9S", "8C 9D")
    assert lay(pile(*texts), "N:AC").legal() == ["KS"]
    assert lay(pile(*texts, pile__wrap=True), "N:AC").legal() == ["2D", "KS"]


def test_short_deck_wraps_at_the_seven():
    texts = ("AC 9H", "7D KS", "9C 9S", "8C 9D")
    options = {"system": "barbu", "pile__wrap": True, "ace_replay": "off"}
    assert lay(pile(*texts, **options), "N:AC").legal() == ["7D", "KS"]
