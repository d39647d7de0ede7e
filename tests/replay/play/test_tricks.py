"""What may be played to a trick."""

import pytest

from scoring.replay.play.tricks import Tricks
from scoring.rules import Contract
from tests.replay.making import hands, rules


def table(contract, *texts, leader=0, system="levant", **options):
    return Tricks(Contract.read(contract), rules(system, **options), hands(*texts), leader)


def lay(table, text):
    for card in text.split():
        table.lay(card)
    return table


def test_suit_led_must_be_followed():
    deal = lay(table("tricks", "AS", "2S 3H", "KS", "QS"), "AS")
    assert deal.legal() == ["2S"]
    assert deal.fault("3H") == ("revoke", ("2S",))


def test_highest_of_the_suit_led_takes_and_leads():
    deal = lay(table("tricks", "2S", "AH", "3S", "KD"), "2S AH 3S KD")
    assert deal.tricks[0].winner == 2
    assert deal.turn == 2


def test_ten_beats_the_king_where_it_is_high():
    deal = lay(table("tricks", "KS", "TS", "QS", "JS", rank_order="ten_high"), "KS TS QS JS")
    assert deal.tricks[0].winner == 1


HEART = ("KH 2C", "AH 3C", "2H 4C", "3H 5C")


def test_heart_may_not_be_led_before_one_was_thrown():
    deal = table("king", *HEART)
    assert deal.fault("KH") == ("heart_lead", ("2C",))


def test_heart_thrown_on_another_suit_breaks_hearts():
    deal = lay(table("king", "5S 9H", "2H 2C", "6S 3C", "7S 4C"), "5S 2H 6S 7S")
    assert deal.turn == 3
    deal.turn = deal.leader = 0
    assert deal.fault("9H") is None


@pytest.mark.parametrize(
    ("led", "follow"), [("2H", "3H 4H 5H"), ("2H", "3H 4H 5C")], ids=["forbidden", "mixed"]
)
def test_forbidden_heart_lead_does_not_break_hearts(led, follow):
    deal = table("king", "2H AC 9H", "3H 3C 2D", "4H 4C 3D", "5H 5C 4D")
    lay(deal, f"{led} {follow}")
    assert not deal.hearts_broken


@pytest.mark.parametrize("breaks", [True, False])
def test_forced_heart_lead_breaks_only_by_option(breaks):
    deal = table("king", "2H 9H", "3H 3C", "4H 4C", "5H 5C", hearts_lead__forced_lead_breaks=breaks)
    assert deal.legal() == ["2H", "9H"]
    assert lay(deal, "2H").hearts_broken == breaks


def test_heart_in_a_revoke_breaks_hearts():
    deal = lay(table("king", "2S 9C", "3S 3H", "4S 4C", "5S 5C"), "2S 3H")
    assert deal.hearts_broken


def test_only_if_no_other_is_never_lifted():
    deal = table("queens", "KH 2C", "AH 3C", "2H 4C", "3H 5C", system="kleshchi")
    deal.hearts_broken = True
    assert deal.fault("KH").code == "heart_lead"


def test_ban_of_one_part_binds_a_combined_deal():
    deal = table(["king", "diamonds"], *HEART)
    assert deal.fault("KH").code == "heart_lead"
    assert table("diamonds", *HEART).fault("KH") is None


DUMP = ("AS 2S", "KH QH 2C", "3S 3C", "4S 4C")


def test_void_holder_of_the_king_must_throw_it():
    deal = lay(table("king", *DUMP, must_dump="king"), "AS")
    assert deal.fault("QH") == ("must_dump", ("KH",))
    assert deal.fault("KH") is None


def test_king_must_go_under_the_ace():
    deal = lay(table("king", "AH 2S", "2H KH", "3S 3C", "4S 4C", must_dump="king"), "AH")
    assert deal.fault("2H") == ("must_dump", ("KH",))
    low = lay(table("king", "QH 2S", "2H KH", "3S 3C", "4S 4C", must_dump="king"), "QH")
    assert low.fault("2H") is None


def test_all_asks_for_any_penalty_card():
    deal = lay(table("queens", "AS 2S", "KH QH QC 2C", "3S", "4S", must_dump="all"), "AS")
    assert deal.fault("KH") == ("must_dump", ("QC", "QH"))


@pytest.mark.parametrize("contract", ["tricks", "queens"])
def test_king_need_not_be_thrown_where_it_costs_nothing(contract):
    deal = lay(table(contract, *DUMP, must_dump="king"), "AS")
    assert deal.fault("2C") is None


def test_revoke_comes_before_must_dump():
    deal = lay(table("king", "AS", "2S KH QD", "3S", "4S", must_dump="king"), "AS")
    assert deal.fault("QD") == ("revoke", ("2S",))
