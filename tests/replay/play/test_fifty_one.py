"""The running sum of fifty_one."""

from scoring.replay.play.fifty_one import FiftyOne
from tests.replay.making import hands, rules


def table(*texts, **options):
    return FiftyOne(rules("barbu", **options), hands(*texts), 0)


def test_chooser_opens_with_his_highest_card_by_the_table():
    deal = table("8S 7D AS", "-", "-", "-")
    assert deal.fault("AS") == ("lead_not_highest", ("8S",))
    assert deal.fault("8S") is None
    deal.lay("8S")
    assert deal.fault("7C") is None


def test_unknown_hand_may_open_with_anything():
    assert table("-", "-", "-", "-").fault("AS") is None


def test_who_reaches_the_target_loses():
    deal = table("-", "-", "-", "-")
    for card in ["8S", "8H", "8D", "8C", "7S", "7H", "KD"]:
        deal.lay(card)
    assert (deal.sum, deal.loser) == (50, None)
    deal.lay("TS")
    assert deal.loser is None
    deal.lay("JS")
    assert (deal.sum, deal.loser) == (51, 0)
    assert deal.over


def test_nobody_loses_when_the_cards_cannot_reach_the_target():
    values = {"A": 1, "K": 1, "Q": 1, "J": 1, "T": 1, "9": 1, "8": 1, "7": -1}
    deal = table("-", "-", "-", "-", fifty_one__values=values, fifty_one__target=20)
    for card in ["7S", "7H", "7D", "7C"]:
        assert not deal.settled
        deal.lay(card)
    deal = table("-", "-", "-", "-", fifty_one__values=values, fifty_one__target=30)
    assert deal.settled
    assert not deal.over
