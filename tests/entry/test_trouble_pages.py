"""A revoke or a cheat by the rule of the table: what the preview says, what is saved, what then."""

import pytest

from scoring.ledger.queries.match_view import match_view
from scoring.models import Deal, UsedContract
from tests.factories import make_match
from tests.support.tables import codes, form_data, match_of, phone_client, url

pytestmark = pytest.mark.django_db

DIAMONDS = {"diamonds": [3, 2, 0, 1], "revoke_by": 2}
DOUBLED = {"card": "QH", "by": 1}
OWN_KING = {"king_taken_by": 1, "doubles": [{"card": "KH", "by": 1}]}


@pytest.fixture
def phone():
    return phone_client()


def plain(response) -> str:
    text = response.text.replace("<bdi>", "").replace("</bdi>", "")
    return " ".join(text.replace('<bdi class="num soft" dir="ltr">', "").split())


def previewed(phone, match, contract, facts) -> str:
    data = form_data(match, contract, facts, action="preview")
    headers = {"HX-Request": "true"}
    return plain(phone.post(url("match", match, contract=contract), data, headers=headers))


def save(phone, match, contract, facts):
    return phone.post(url("match", match, contract=contract), form_data(match, contract, facts))


@pytest.mark.parametrize(
    ("options", "contract", "facts", "said", "points"),
    [
        # the offender gets what was left
        ({}, "diamonds", DIAMONDS, "the rest, for the revoke: 7 diamonds", (-30, -20, -70, -10)),
        ({}, "king", {"revoke_by": 2}, "the rest, for the revoke", (0, 0, -75, 0)),
        # nothing is left: it costs nothing
        ({}, "king", {**OWN_KING, "revoke_by": 2}, "Badr loses 75", (0, -75, 0, 0)),
        # a doubled card counts double and its doubler still gains
        (
            {},
            "queens",
            {"queens_taken_by": {"QS": 0}, "doubles": [DOUBLED], "revoke_by": 2},
            "Badr gains 25 — doubled",
            (-25, 25, -100, 0),
        ),
        # the offender gets everything
        (
            {"revoke": "total"},
            "diamonds",
            DIAMONDS,
            "all of it, for the revoke: 13 diamonds",
            (0, 0, -130, 0),
        ),
        (
            {"revoke": "total"},
            "king",
            {**OWN_KING, "revoke_by": 2},
            "Carmen loses 150 — doubled",
            (0, 75, -150, 0),
        ),
        (
            {"revoke": "total"},
            "king",
            {**OWN_KING, "revoke_by": 1},
            "Badr loses 75",
            (0, -75, 0, 0),
        ),
    ],
)
def test_revoke_goes_by_the_rule_of_the_table(phone, options, contract, facts, said, points):
    match = match_of(options=options)
    assert said in previewed(phone, match, contract, facts)
    assert save(phone, match, contract, facts).status_code == 303
    assert match_view(match).sheet.totals == points
    page = plain(phone.get(url("deal", match, 1)))
    assert "revoked" in page
    assert said.split(" loses")[0].split(" gains")[0] in page


@pytest.mark.parametrize(
    ("options", "cheat", "said", "points"),
    [
        ({}, 3, "Dima takes 400", (0, 0, 0, 400)),
        ({}, 0, "Amal takes 400", (400, 0, 0, 0)),  # as chooser no more
        ({"cheat.amount": 250}, 3, "Dima takes 250", (0, 0, 0, 250)),
        ({"cheat.multiplied": True}, 0, "(as chooser) 400 × 2", (800, 0, 0, 0)),
        ({"cheat.multiplied": True}, 3, "Dima takes 400", (0, 0, 0, 400)),
    ],
)
@pytest.mark.parametrize(
    ("contract", "taken"),
    [("hearts", {"hearts": [1, 2, 0, 0]}), ("trex", {}), ("fifty_one", {}), ("general", {})],
)
def test_cheat_takes_the_amount_and_nothing_else_counts(
    phone, options, cheat, said, points, contract, taken
):
    match = match_of(system="barbu", options=options)
    facts = {**taken, "cheat_by": cheat}
    assert said in previewed(phone, match, contract, facts)
    assert save(phone, match, contract, facts).status_code == 303
    view = match_view(match)
    assert view.sheet.totals == points
    assert view.turn.chooser == 1
    assert list(UsedContract.objects.values_list("contract", flat=True)) == [contract]
    assert "played again" not in plain(phone.get(url("deal", match, 1)))


def test_cheat_is_played_again_where_the_table_says_so(phone):
    match = match_of(system="barbu", options={"cheat.replay": True})
    facts = {"cheat_by": 3}
    assert "the contract stays open and is played again" in previewed(phone, match, "hearts", facts)
    assert save(phone, match, "hearts", facts).status_code == 303
    view, deal = match_view(match), Deal.objects.get()
    assert (deal.uses_contract, view.sheet.totals) == (False, (0, 0, 0, 400))
    assert (view.turn.chooser, view.turn.dealer) == (deal.chooser, deal.dealer)
    assert not UsedContract.objects.exists()
    page = phone.get(url("match", match, contract=""))
    assert "hearts" in [button.key for button in page.context["buttons"] if button.state == "open"]
    assert "played again" in plain(phone.get(url("deal", match, 1)))
    assert "played again" in plain(phone.get(url("sheet", match)))
    again = {"hearts": [8, 0, 0, 0]}
    assert save(phone, match, "hearts", again).status_code == 303
    assert list(UsedContract.objects.values_list("contract", flat=True)) == ["hearts"]
    assert codes(save(phone, match, "hearts", {"cheat_by": 1, "chooser": 0})) == ["contract_used"]


@pytest.mark.parametrize(
    ("system", "options", "facts"),
    [
        ("kleshchi", {}, {"king_taken_by": 1, "revoke_by": 2}),
        ("levant", {"revoke": "off"}, {"king_taken_by": 1, "revoke_by": 2}),
        ("levant", {}, {"king_taken_by": 1, "cheat_by": 2}),
    ],
)
def test_table_without_the_rule_asks_for_neither(phone, system, options, facts):
    match = match_of(system=system, options=options)
    page = phone.get(url("match", match, contract="king"))
    key = next(key for key in facts if key.endswith("_by") and key != "king_taken_by")
    assert f'name="{key}"' not in page.text
    save(phone, match, "king", facts)
    assert key not in Deal.objects.get().payload["input"]


def test_another_club_sees_nothing_of_it(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players)
    data = form_data(match, "king", {"revoke_by": 2})
    assert phone_of(cast.ghassan).post(url("match", match), data).status_code == 404
    assert not Deal.objects.exists()
