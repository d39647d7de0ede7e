"""Cards, seats, items, contracts: the words of the game."""

import pytest

from scoring.rules import Contract, Entry, Item, RulesRefused, preset
from scoring.rules.cards import DECK_32, DECK_52, strength
from scoring.rules.items import counts_card
from scoring.rules.seats import is_seat, left_of, partner_of, right_of


def test_decks():
    assert len(set(DECK_52)) == 52
    assert len(set(DECK_32)) == 32
    assert set(DECK_32) < set(DECK_52)
    assert preset("barbu").cards_per_hand == 8


def test_ten_may_rank_under_the_ace():
    natural = sorted(["AS", "TS", "KS", "7S"], key=strength)
    ten_high = sorted(["AS", "TS", "KS", "7S"], key=lambda card: strength(card, "ten_high"))
    assert natural == ["7S", "TS", "KS", "AS"]
    assert ten_high == ["7S", "KS", "TS", "AS"]


def test_seats_go_round():
    assert [right_of(seat) for seat in range(4)] == [1, 2, 3, 0]
    assert [left_of(right_of(seat)) for seat in range(4)] == [0, 1, 2, 3]
    assert [partner_of(seat) for seat in range(4)] == [2, 3, 0, 1]
    assert not any(is_seat(value) for value in (True, 1.0, "1", 4, -1, None, [1]))


@pytest.mark.parametrize("name", ["levant", "kleshchi", "barbu"])
def test_deck_has_as_many_of_each_item_as_there_are(name):
    rules = preset(name)
    for item in (Item.KING, Item.QUEENS, Item.DIAMONDS, Item.HEARTS):
        assert sum(counts_card(item, card) for card in rules.deck) == rules.how_many(item)
    assert rules.how_many(Item.TRICKS) == rules.cards_per_hand
    assert not any(counts_card(Item.LAST_TRICK, card) for card in rules.deck)


def test_combined_contract_is_put_in_order():
    contract = Contract.read(["tricks", "king", "queens"])
    assert contract.key == "king+queens+tricks"
    assert contract == Contract.from_key("queens+king+tricks")
    assert contract.to_json() == ["king", "queens", "tricks"]
    assert contract.is_combined
    assert contract.items == (Item.KING, Item.QUEENS, Item.TRICKS)


def test_list_of_one_is_that_contract():
    assert Contract.read(["trex"]) == Contract.read("trex")
    assert Contract.read(["trex"]).to_json() == "trex"


def test_general_has_its_five_items_and_special_games_none():
    assert len(Contract.read("general").items) == 5
    assert not Contract.read("general").is_combined
    assert Contract.read("trex").special == "trex"
    assert Contract.read("fifty_one").items == ()


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        ("slaps", ["unknown_contract"]),
        ("king+queens", ["unknown_contract"]),
        (None, ["unknown_contract"]),
        ([], ["unknown_contract"]),
        ([["king"]], ["unknown_contract"]),
        (["king", "trex", "slaps"], ["unknown_contract", "not_combinable"]),
        (["king", "king"], ["not_combinable"]),
    ],
)
def test_what_is_no_contract_is_refused(value, codes):
    with pytest.raises(RulesRefused) as refused:
        Contract.read(value)
    assert [problem.code for problem in refused.value.problems] == codes


def test_payload_of_another_version_is_not_guessed_at():
    payload = Entry(Contract.read("king")).to_json()
    assert payload["v"] == 1
    with pytest.raises(ValueError, match="version 2"):
        Entry.from_json(payload | {"v": 2})
