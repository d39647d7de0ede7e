"""Fifty-one: its loser, or the cards in order, which show who that was."""

import pytest

from scoring.models import Deal
from tests.support.tables import chosen, codes, form_data, match_of, phone_client, url

pytestmark = pytest.mark.django_db

# Amal opens. 8 7 8 7 8 7 make 45 after six; the king of Carmen makes 49, Dima's queen 52.
PLAYS = "8H 7S 8S 7H 8C 7C KS QS"


@pytest.fixture
def phone():
    return phone_client()


def post(phone, match, facts, htmx=False, **changes):
    headers = {"HX-Request": "true"} if htmx else {}
    data = form_data(match, "fifty_one", facts, **changes)
    return phone.post(url("match", match, contract="fifty_one"), data, headers=headers)


def preview(phone, match, facts) -> str:
    answer = post(phone, match, facts, htmx=True, action="preview")
    return answer.text.replace("<bdi>", "").replace("</bdi>", "")


def barbu():
    return match_of(system="barbu")


def test_the_loser_alone_is_enough(phone):
    match = barbu()
    assert post(phone, match, {"loser": 2}).status_code == 303
    assert Deal.objects.get(match=match).payload["input"] == {"loser": 2}


def test_the_cards_alone_show_the_loser(phone):
    match = barbu()
    assert post(phone, match, {"plays": PLAYS}).status_code == 303
    kept = Deal.objects.get(match=match).payload["input"]
    assert kept == {"loser": 3, "plays": PLAYS.split()}


# Whose turn it is and how far the sum is stand there while the cards are tapped. C18
def test_the_preview_tells_the_sum_and_whose_turn_it_is(phone):
    match = barbu()
    assert '<bdi class="num" dir="ltr">15. The turn of Carmen.' in preview(
        phone, match, {"plays": "8H 7S"}
    )
    told = preview(phone, match, {"plays": PLAYS})
    assert "52: Dima went over the top." in told
    assert "Dima takes 80" in told


# What the cards say and what was tapped must agree, and it is said at the field. C15
def test_another_loser_than_the_cards_show_is_refused_at_the_field(phone):
    match = barbu()
    answer = post(phone, match, {"plays": PLAYS, "loser": 1})
    assert (answer.status_code, codes(answer)) == (422, ["wrong_loser"])
    assert "By the cards it was <bdi>Dima</bdi>." in answer.text
    assert answer.text.index("wrong_loser") < answer.text.index('name="loser"')
    assert chosen(answer, "loser") == "1"
    assert f'value="{PLAYS}"' in answer.text


def test_cards_that_reach_nothing_are_no_proof(phone):
    answer = post(phone, barbu(), {"plays": "8H 7S", "loser": 1})
    assert codes(answer) == ["wrong_loser"]
    assert "nobody has gone over the top" in answer.text
    assert codes(post(phone, barbu(), {"plays": "8H 7S"})) == ["missing"]


@pytest.mark.parametrize(
    "text", ["8♥ 7♠ 8♠ 7♥ 8♣ 7♣ K♠ Q♠", "8h,7s, 8s 7h;8c 7c ks qs", "٨h ٧s ٨s ٧h ۸c ۷c ks qs"]
)
def test_cards_are_read_as_people_write_them(phone, text):
    match = barbu()
    assert post(phone, match, {"plays": text}).status_code == 303
    assert Deal.objects.get(match=match).payload["input"]["plays"] == PLAYS.split()


@pytest.mark.parametrize(
    ("plays", "code"),
    [("8H 2S", "unknown_card"), ("8H <b>", "unknown_card"), ("8H 8H", "impossible")],
)
def test_what_cannot_be_played_is_refused_at_the_cards(phone, plays, code):
    answer = post(phone, barbu(), {"plays": plays, "loser": 1})
    assert (answer.status_code, codes(answer)) == (422, [code])
    assert "<b>" not in answer.text.split('id="plays"')[1].split(">")[0]
    fold = answer.text[answer.text.index('<details class="more cards"') :]
    assert code in fold[: fold.index("</details>")]


def test_a_text_of_megabytes_is_read_to_its_first_line(phone):
    answer = post(phone, barbu(), {"plays": "8H " * 100_000})
    assert answer.status_code == 422
    assert len(answer.content) < 60_000


def test_the_cards_stand_on_the_page_of_the_deal_and_in_its_correction(phone):
    match = barbu()
    post(phone, match, {"plays": PLAYS})
    assert "In order:" in phone.get(url("deal", match, 1)).text
    assert f'value="{PLAYS}"' in phone.get(url("deal", match, 1, correct=1)).text


def test_without_a_script_the_cards_are_a_text_and_checked_on_the_page(phone):
    match = barbu()
    page = post(phone, match, {"plays": "8H 7S"}, action="preview")
    assert "The turn of" in page.text
    assert 'value="8H 7S"' in page.text


def test_ghassan_enters_no_cards(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players, system="barbu")
    assert post(phone_of(cast.ghassan), match, {"plays": PLAYS}).status_code == 404
