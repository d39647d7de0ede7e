"""How somebody plays lately, and each contract against the club."""

from scoring.rules.scoresheet import scoresheet
from scoring.rules.statistics.contract_counts import counts_of
from scoring.rules.statistics.form import ContractSums, Form, against, form, in_order
from tests.support.matches import LEVANT, deal


def test_contract_is_held_against_a_deal_of_everybody():
    found = against("queens", ContractSums(20, -300), ContractSums(400, -10000), "high")
    assert (found.own, found.club, found.better) == (-15, -25, True)
    low = against("queens", ContractSums(20, -300), ContractSums(400, -10000), "low")
    assert low.better is False
    assert against("king", ContractSums(24, -450), ContractSums(4, -75), "high").better is None


# Averages are compared before they are rounded, and nothing is claimed of a few deals. C89
def test_few_deals_say_nothing_about_better_or_worse():
    found = against("queens", ContractSums(19, 0), ContractSums(400, -10000), "high")
    assert (found.own, found.better) == (0, None)
    near = against("king", ContractSums(24, -449), ContractSums(4, -75), "high")
    assert (near.own, near.club, near.better) == (-19, -19, True)


def test_contracts_stand_in_the_order_of_the_game():
    keys = ["trex", "tricks", "king+queens", "king", "general"]
    assert sorted(keys, key=in_order) == ["king", "king+queens", "tricks", "general", "trex"]


def test_form_is_the_last_ten_places_beside_all_of_them():
    assert form([1] * 10 + [4] * 10, 50, 20) == Form(10, 10, 25)
    assert form([1, 2, 2, 1, 1], 20, 8) == Form(5, 14, 25)
    assert form([1] * 4, 40, 20) is None
    assert form([1] * 6, 6, 6) is None  # they are all there are


def test_points_of_deals_that_somebody_chose_are_counted_apart():
    (row,) = scoresheet(LEVANT, [deal(1, 2, "queens", queens=(0, 1, 3, 0))]).rows
    own, other = counts_of(row, 2, LEVANT), counts_of(row, 1, LEVANT)
    assert (own.points, own.chosen, own.chosen_points) == (-75, 1, -75)
    assert (other.points, other.chosen, other.chosen_points) == (-25, 0, 0)
