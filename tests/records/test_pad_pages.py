"""A deal tapped in: /matches/<id>/deals/<n>/record/pad/."""

import html
import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from scoring.ledger.queries.match_view import match_view
from scoring.models import CardRecord
from scoring.records.presenters.card_pad import CardPad
from scoring.records.queries.records import audit_of, record_of
from scoring.replay.record import Play
from scoring.rules import Contract, Double, points, ruleset
from tests.factories import evenings, king, make_cast, make_match
from tests.support.markup import flat
from tests.support.tables import codes, evening_of, form_data, match_of, phone_client, url

pytestmark = pytest.mark.django_db


def deal_of(evening, number):
    return evenings()[evening]["deals"][number - 1]


def tokens(deal):
    """The plays of a record as they are tapped: a right to play again that was silently declined
    is a pass."""
    record = deal["record"]
    pad = CardPad(Contract.read(deal["contract"]), record_rules(deal), record["leader"])
    for play in record["plays"]:
        declined = () if pad.turn == play["seat"] else ("-",)
        pad = replace(pad, tokens=(*pad.tokens, *declined, play.get("card", "-")))
    return pad.tokens


def record_rules(deal):
    return ruleset(deal["record"]["system"], deal["record"]["options"])


def turn_on(page) -> str:
    return re.search(r'class="pad-turn">(.*?)</p>', flat(page))[1]


def keys(page, kind=""):
    """The cards that can be tapped; of one kind."""
    found = re.findall(
        r'<button class="key( odd)?" name="card" value="(..)"( disabled)?>', flat(page)
    )
    return {card for odd, card, used in found if not used and (not kind or odd.strip() == kind)}


def saving(match, deal, **changes):
    data = form_data(match, deal["contract"], action="save", cards=".".join(tokens(deal)))
    return data | {"leader": deal["record"]["leader"]} | changes


def test_pad_says_whose_turn_it_is():
    match = evening_of("evening-levant", 3)
    deal, client = deal_of("evening-levant", 3), phone_client()
    plays, names = deal["record"]["plays"], evenings()["evening-levant"]["players"]
    for done in (0, 1, 4, 17, 51):
        cards = ".".join(tokens(deal)[:done])
        page = client.get(url("pad", match, 3, cards=cards))
        assert names[plays[done]["seat"]] in turn_on(page)


def test_card_is_added_to_those_before():
    page = phone_client().get(url("pad", evening_of("evening-levant", 3), 3, cards="7H", card="9H"))
    assertContains(page, 'name="cards" value="7H.9H"')
    assert {"7H", "9H"}.isdisjoint(keys(page))
    asked = parse_qs(urlsplit(page["HX-Replace-Url"]).query)
    assert asked["cards"] == ["7H.9H"]


def test_one_card_back():
    page = phone_client().get(url("pad", evening_of("evening-levant", 3), 3, cards="7H.9H", back=1))
    assertContains(page, 'name="cards" value="7H"')


def test_suit_led_stands_out_and_another_can_be_tapped_too():
    page = phone_client().get(url("pad", evening_of("evening-levant", 3), 3, cards="7H"))
    assert {card[1] for card in keys(page) - keys(page, "odd")} == {"H"}
    assert len(keys(page)) == 51


def test_seat_that_did_not_follow_is_offered_no_more_of_that_suit():
    cards = "7H.9H.2S.8H.AH"  # the third did not follow the first trick
    page = phone_client().get(url("pad", evening_of("evening-levant", 3), 3, cards=cards, leader=0))
    offered = keys(page) - keys(page, "odd")
    assert offered
    assert not {card for card in offered if card[1] == "H"}


def test_heart_that_must_not_be_led_is_odd():
    deal = next(d for d in evenings()["evening-levant"]["deals"] if d["contract"] == "king")
    match = evening_of("evening-levant", deal["deal_number"])
    page = phone_client().get(url("pad", match, deal["deal_number"]))
    assert {card[1] for card in keys(page, "odd")} == {"H"}


def test_card_that_fits_nowhere_must_be_taken_back():
    deal = next(d for d in evenings()["evening-levant"]["deals"] if d["contract"] == "trex")
    match = evening_of("evening-levant", deal["deal_number"])
    page = phone_client().get(url("pad", match, deal["deal_number"], cards="JH.3S"))
    assert "not_adjacent" in codes(page)
    assert not keys(page)
    assertContains(page, 'name="back"')


# ── a card mended where it is ───────────────────────────────────────────


def mended(match, number=3, **asked):
    """What is tapped afterwards."""
    page = phone_client().get(url("pad", match, number, **asked))
    return re.search(r'name="cards" value="(.*?)"', page.text)[1]


def test_card_can_be_mended_without_those_that_follow():
    match = evening_of("evening-levant", 3)
    page = phone_client().get(url("pad", match, 3, cards="7H.9H.2S", mend=1))
    assertContains(page, '<input type="hidden" name="at" value="1">')
    assert '<button class="key" name="card" value="9H" disabled>' in flat(page)
    assert len(keys(page)) == 51
    assert mended(match, cards="7H.9H.2S", at=1, card="TH") == "7H.TH.2S"


def test_card_that_lies_elsewhere_changes_places():
    match = evening_of("evening-levant", 3)
    assert mended(match, cards="7H.9H.2S.8H", at=1, card="8H") == "7H.8H.2S.9H"


def test_card_too_many_is_removed_where_it_is():
    match = evening_of("evening-levant", 3)
    assert mended(match, cards="7H.9H.2S", at=1, remove=1) == "7H.2S"


@pytest.mark.parametrize("at", ["3", "-1", "x"])
def test_place_where_nothing_lies_mends_nothing(at):
    match = evening_of("evening-levant", 3)
    assert mended(match, cards="7H.9H.2S", at=at, remove=1) == "7H.9H.2S"
    assertNotContains(
        phone_client().get(url("pad", match, 3, cards="7H.9H.2S", mend=at)), 'name="at"'
    )


def test_cards_after_one_that_fits_nowhere_count_once_it_is_mended():
    deal = next(d for d in evenings()["evening-levant"]["deals"] if d["contract"] == "trex")
    match, number = evening_of("evening-levant", deal["deal_number"]), deal["deal_number"]
    page = phone_client().get(url("pad", match, number, cards="JH.3S.TH"))
    assert "not_adjacent" in codes(page)
    assertContains(page, 'name="cards" value="JH.3S.TH"')
    page = phone_client().get(url("pad", match, number, cards="JH.3S.TH", at=1, card="QH"))
    assertContains(page, 'name="cards" value="JH.QH.TH"')
    assert "not_adjacent" not in codes(page)
    assert keys(page)


# ── a card that was forgotten ───────────────────────────────────────────


def test_forgotten_card_is_inserted_and_those_that_follow_move_on():
    deal, match = deal_of("evening-levant", 3), evening_of("evening-levant", 3)
    whole, client = tokens(deal), phone_client()
    rest = ".".join((*whole[:17], *whole[18:]))
    page = client.get(url("pad", match, 3, cards=rest, at=17, insert=1))
    assertContains(page, '<input type="hidden" name="at" value="17">')
    assertContains(page, '<input type="hidden" name="insert" value="1">')
    assert keys(page) == {whole[17]}
    page = client.get(url("pad", match, 3, cards=rest, at=17, insert=1, card=whole[17]))
    assertContains(page, f'name="cards" value="{".".join(whole)}"')
    assertNotContains(page, 'name="insert"')
    kept = client.post(url("pad", match, 3), saving(match, deal))
    assert kept.status_code == 303
    assert audit_of(match_view(match), 3).report.agrees


@pytest.mark.parametrize(("at", "after"), [(0, "2D.7H.9H"), (1, "7H.2D.9H")])
def test_card_is_inserted_before_the_one_that_was_tapped(at, after):
    match = evening_of("evening-levant", 3)
    assert mended(match, cards="7H.9H", at=at, insert=1, card="2D") == after


def test_card_that_lies_already_is_not_inserted():
    match = evening_of("evening-levant", 3)
    asked = {"cards": "7H.9H.2S", "at": 1, "insert": 1, "card": "2S"}
    assert mended(match, **asked) == "7H.9H.2S"
    page = phone_client().get(url("pad", match, 3, **asked))
    assert "already_played" in codes(page)
    assertContains(page, 'name="insert"')  # another one can be tapped


@pytest.mark.parametrize("at", ["2", "-1", "x", ""])
def test_place_where_nothing_lies_takes_no_card(at):
    match = evening_of("evening-levant", 3)
    assert mended(match, cards="7H.9H", at=at, insert=1) == "7H.9H"
    page = phone_client().get(url("pad", match, 3, cards="7H.9H", at=at, insert=1))
    assertNotContains(page, 'name="at"')


def test_inserting_can_be_cancelled():
    match = evening_of("evening-levant", 3)
    there = f"{url('pad', match, 3, cards='7H.9H', insert=1)}&at=1"
    assertContains(phone_client().get(there), 'name="at" value=""')
    assertNotContains(phone_client().get(there + "&at="), 'name="insert"')


def test_whole_deck_takes_no_card_more():
    deal, match = deal_of("evening-levant", 3), evening_of("evening-levant", 3)
    whole = tokens(deal)
    assert len(whole) == 52
    page = phone_client().get(url("pad", match, 3, cards=".".join(whole), mend=3))
    assertNotContains(page, 'name="insert"')
    page = phone_client().get(url("pad", match, 3, cards=".".join(whole[:51]), mend=3))
    assertContains(page, 'name="insert"')


def test_forgotten_card_lets_what_fitted_nowhere_fit():
    deal = next(d for d in evenings()["evening-levant"]["deals"] if d["contract"] == "trex")
    match, number = evening_of("evening-levant", deal["deal_number"]), deal["deal_number"]
    asked = {"cards": "JH.9H", "at": 1, "insert": 1}
    assert "not_adjacent" in codes(phone_client().get(url("pad", match, number, cards="JH.9H")))
    page = phone_client().get(url("pad", match, number, **asked))
    assert "TH" in keys(page) - keys(page, "odd")
    page = phone_client().get(url("pad", match, number, **asked, card="TH"))
    assertContains(page, 'name="cards" value="JH.TH.9H"')
    assert "not_adjacent" not in codes(page)


def test_forgotten_pass_is_inserted():
    deal = next(d for d in evenings()["evening-levant"]["deals"] if d["contract"] == "trex")
    match, number = evening_of("evening-levant", deal["deal_number"]), deal["deal_number"]
    asked = {"cards": "JH.TH", "at": 1, "insert": 1}
    assertContains(phone_client().get(url("pad", match, number, **asked)), 'value="-"')
    assert mended(match, number, **asked, card="-") == "JH.-.TH"


def test_rubbish_in_the_address_is_left_out():
    match = evening_of("evening-levant", 3)
    page = phone_client().get(url("pad", match, 3, cards="7H.7H.XX.-.9H", leader="9"))
    assertContains(page, 'name="cards" value="7H.9H"')


@pytest.mark.parametrize(
    ("evening", "contract"),
    [
        ("evening-levant", "tricks"),
        ("evening-levant", "trex"),
        ("evening-kleshchi", "trex"),
        ("evening-barbu", "trex"),
        ("evening-barbu", "fifty_one"),
        ("evening-barbu", "general"),
    ],
)
def test_tapped_record_is_kept_and_agrees(evening, contract):
    deal = next(d for d in evenings()[evening]["deals"] if d["contract"] == contract)
    number = deal["deal_number"]
    match = evening_of(evening, number)
    answer = phone_client().post(url("pad", match, number), saving(match, deal))
    assert answer.status_code == 303
    kept = record_of(match, number)
    plays = [play for play in deal["record"]["plays"] if "card" in play]
    laid = [play for play in kept.plays if isinstance(play, Play)]
    assert [(one.seat, one.card) for one in laid] == [(one["seat"], one["card"]) for one in plays]
    assert audit_of(match_view(match), number).report.agrees


def test_same_key_again_keeps_one_record():
    match, deal = evening_of("evening-levant", 3), deal_of("evening-levant", 3)
    data = saving(match, deal)
    first, second = (phone_client().post(url("pad", match, 3), data) for _ in range(2))
    assert first.url == second.url
    assert CardRecord.objects.count() == 1


def test_cards_that_are_attached_already_lead_to_their_record():
    deal, match = deal_of("evening-levant", 3), evening_of("evening-levant", 3)
    phone = phone_client()
    assert phone.post(url("pad", match, 3), saving(match, deal)).status_code == 303
    answer = phone.post(url("pad", match, 3), saving(match, deal))
    assert (answer.status_code, codes(answer)) == (422, ["already_attached"])
    row = CardRecord.objects.get()
    assert f'href="{url("record", match, 3)}#r-{row.id}"' in answer.text


def test_stale_pad_keeps_what_was_tapped():
    match, deal = evening_of("evening-levant", 3), deal_of("evening-levant", 3)
    data = saving(match, deal) | {"version": 1}
    answer = phone_client().post(url("pad", match, 3), data)
    assert answer.status_code == 409
    assertContains(answer, ".".join(tokens(deal)), status_code=409)
    assert not CardRecord.objects.exists()


def test_deal_that_is_due_asks_for_its_contract():
    match = match_of(entries=[])
    page = phone_client().get(url("pad", match, 1))
    assertContains(page, "?contract=king")
    assertNotContains(page, 'id="keys"')
    there = phone_client().get(url("pad", match, 1, contract="king"))
    assertContains(there, 'id="keys"')


def test_deal_that_is_due_is_one_tap_from_its_record_and_photos():
    match = evening_of("evening-levant", 1)
    page = phone_client().get(url("match", match))
    for there in ("record", "photos"):
        assertContains(page, url(there, match, 2))
        assert phone_client().get(url(there, match, 2)).status_code == 200
    assertContains(phone_client().get(url("record", match, 2)), url("pad", match, 2))
    assertContains(
        phone_client().get(url("pad", match, 2)), f'href="{url("match", match)}?contract="'
    )


def test_first_deal_of_which_nobody_knows_who_chose_asks_for_it():
    match = match_of(first_chooser=None, entries=[])
    page = phone_client().get(url("pad", match, 1))
    assertContains(page, '"?chooser=2"')
    assertNotContains(page, "contract=king")
    page = phone_client().get(url("pad", match, 1, chooser=2))
    assertContains(page, '"?contract=king&amp;chooser=2"')
    there = phone_client().get(url("pad", match, 1, chooser=2, contract="king"))
    assert "Carmen" in turn_on(there)
    assertContains(there, 'name="chooser" value="2"')


# ── a deal entered from its cards ───────────────────────────────────────


def entering_link(page):
    found = re.search(r'href="([^"]*by=cards[^"]*)"', page.text)
    return found and html.unescape(found[1])


def test_whole_deal_by_cards_is_entered_from_them():
    match, deal = evening_of("evening-levant", 2), deal_of("evening-levant", 3)
    client = phone_client()
    kept = client.post(url("pad", match, 3), saving(match, deal))
    there = entering_link(client.get(kept.url))
    assert there == url("match", match, contract=deal["contract"], by="cards")
    assert entering_link(client.get(url("record", match, 3))) == there
    match.refresh_from_db()
    data = form_data(match, deal["contract"], action="save", **asked_of(client.get(there)))
    assert client.post(url("match", match), data).status_code == 303
    view = match_view(match)
    assert list(points(view.deals[3].entry, view.ruleset).scores) == deal["scores"]
    assert audit_of(view, 3).report.agrees
    assert entering_link(client.get(url("record", match, 3))) is None


def asked_of(page):
    """What the form of a deal would send."""
    form = page.context["entering"].form
    return {name: value for name, value in form.raw.items() if value}


def test_deal_by_cards_that_is_not_whole_is_not_offered():
    match, deal = evening_of("evening-levant", 2), deal_of("evening-levant", 3)
    client = phone_client()
    cards = ".".join(tokens(deal)[:8])
    client.post(url("pad", match, 3), saving(match, deal, cards=cards))
    assert entering_link(client.get(url("record", match, 3))) is None


def test_cards_of_another_contract_fill_no_form():
    match, deal = evening_of("evening-levant", 2), deal_of("evening-levant", 3)
    client = phone_client()
    client.post(url("pad", match, 3), saving(match, deal))
    other = next(key for key in ("king", "queens") if key != deal["contract"])
    page = client.get(url("match", match, contract=other, by="cards"))
    entering = page.context.get("entering")
    assert entering is None or not entering.form.is_begun


# ── doubles ─────────────────────────────────────────────────────────────

DOUBLES_KING = {"contract": "king", "doubles.KH": "1"}


def told(page, card="KH"):
    """Who doubled it, as each form of the page carries it on."""
    return set(re.findall(rf'type="hidden" name="doubles.{card}" value="(.?)"', page.text))


def test_doubles_are_asked_before_the_first_card_and_carried_on():
    match = match_of(entries=[])
    page = phone_client().get(url("pad", match, 1, contract="king"))
    assert 'type="radio" name="doubles.KH" value="1"' in flat(page)
    assert told(page) == {""}
    page = phone_client().get(url("pad", match, 1, **DOUBLES_KING))
    assert 'type="radio" name="doubles.KH" value="1" checked' in flat(page)
    page = phone_client().get(url("pad", match, 1, **DOUBLES_KING, cards="2S", card="3S"))
    assert told(page) == {"1"}
    assertNotContains(page, 'type="radio"')
    assert parse_qs(urlsplit(page["HX-Replace-Url"]).query)["doubles.KH"] == ["1"]


def test_record_of_a_deal_that_is_not_entered_keeps_its_doubles_and_chooser():
    match = match_of(entries=[], first_chooser=None)
    data = form_data(match, "king", cards="2S.3S.4S.5S", leader=2, chooser=2)
    data |= DOUBLES_KING
    assert phone_client().post(url("pad", match, 1), data).status_code == 303
    kept = record_of(match, 1)
    assert (kept.chooser, kept.doubles) == (2, (Double("KH", 1),))


def test_doubles_of_the_entry_stand_until_they_are_told_otherwise():
    match = match_of(entries=[king(2, doubles=[{"card": "KH", "by": 3}])])
    page = phone_client().get(url("pad", match, 1))
    assert told(page) == {"3"}
    page = phone_client().get(url("pad", match, 1, **{"doubles.KH": ""}))
    assert told(page) == {""}


@pytest.mark.parametrize("sent", [{"doubles.KH": "9"}, {"doubles.XX": "1"}, {"doubles.QS": "1"}])
def test_double_that_cannot_be_is_left_out(sent):
    page = phone_client().get(url("pad", match_of(entries=[]), 1, contract="king", **sent))
    assert (page.status_code, told(page), told(page, "QS")) == (200, {""}, set())


def test_single_pile_offers_the_card_below_or_above_as_usual():
    match = match_of(system="kleshchi", entries=[])
    page = phone_client().get(url("pad", match, 1, contract="trex", cards="QS"))
    usual = keys(page) - keys(page, "odd")
    assert usual == {rank + suit for rank in "JK" for suit in "SHDC"}
    assert not keys(phone_client().get(url("pad", match, 1, contract="trex", cards="QS.2H")))


def test_pages_ask_the_same_whatever_was_tapped(django_assert_num_queries):
    match, deal = evening_of("evening-levant", 3), deal_of("evening-levant", 3)
    for cards in ("", ".".join(tokens(deal))):
        with django_assert_num_queries(4):
            phone_client().get(url("pad", match, 3, cards=cards))


def test_number_that_is_neither_played_nor_due_is_not_there():
    assert phone_client().get(url("pad", match_of(entries=[]), 5)).status_code == 404


def test_stranger_finds_no_pad():
    cast = make_cast()
    match = make_match(
        entries=evenings()["evening-levant"]["deals"][:1], club=cast.club, players=cast.players
    )
    ghassan = Client()
    ghassan.force_login(cast.ghassan)
    assert ghassan.get(url("pad", match, 1)).status_code == 404


def test_who_may_only_look_finds_no_pad():
    cast = make_cast(is_public=True)
    match = make_match(
        entries=evenings()["evening-levant"]["deals"][:1], club=cast.club, players=cast.players
    )
    assert Client().get(url("pad", match, 1)).status_code == 404
