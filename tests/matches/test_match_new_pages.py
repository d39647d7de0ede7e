import uuid

import pytest

from scoring.house_rules.services import house_rules
from scoring.models import Match, Seating
from tests.factories import PlayerFactory, make_match
from tests.support.asking import NASTY, errors

PAGE = "/clubs/cafe-younes/matches/new/"


def seated(players):
    return {"seat": [str(player.id) for player in players]}


def start(players, **changes):
    form = {"rules": "levant", "entry_key": str(uuid.uuid4()), **seated(players)}
    return {**form, **changes}


def sitting(match):
    rows = Seating.objects.filter(match=match).order_by("seat")
    return [row.player.name for row in rows.select_related("player")]


def test_tapping_people_seats_them_in_order(cast, phone_of):
    response = phone_of(cast.badr).get(PAGE, seated(cast.players[:2]))
    assert [player and player.name for player in response.context["seats"]] == [
        "Amal",
        "Badr",
        None,
        None,
    ]
    assert [player.name for player in response.context["people"].offered] == ["Carmen", "Dima"]


def test_tapping_somebody_who_sits_lets_him_get_up(cast, phone_of):
    query = {**seated(cast.players[:3]), "out": str(cast.players[1].id)}
    response = phone_of(cast.badr).get(PAGE, query)
    assert [player.name for player in response.context["seated"]] == ["Amal", "Carmen"]


def test_who_sits_in_a_running_match_is_named_and_may_sit_all_the_same(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players)
    client = phone_of(cast.badr)
    page = client.get(PAGE, seated(cast.players[:1])).text
    assert page.count("data-playing") == 1
    assert f'href="/matches/{match.id}/"' in page
    assert client.post(PAGE, start(cast.players)).status_code == 303
    over = make_match(club=cast.club, players=("Elie", "Fadi", "Georges", "Hala"))
    Match.objects.filter(id=over.id).update(state="finished")
    elie = cast.club.players.filter(name="Elie")
    assert "data-playing" not in client.get(PAGE, seated(elie)).text


def test_four_seats_and_one_tap_open_the_match(cast, phone_of):
    response = phone_of(cast.badr).post(PAGE, start(cast.players, table_name="Window"))
    match = Match.objects.get()
    assert response.status_code == 303
    assert response["Location"] == f"/matches/{match.id}/"
    assert sitting(match) == ["Amal", "Badr", "Carmen", "Dima"]
    assert (match.club, match.table_name, match.opened_by) == (cast.club, "Window", cast.badr)
    assert match.first_chooser is None


def test_holder_of_the_seven_and_dealer_can_be_told_at_once(cast, phone_of):
    phone_of(cast.badr).post(PAGE, start(cast.players, first_chooser="2", first_dealer="0"))
    match = Match.objects.get()
    assert (match.first_chooser, match.first_dealer) == (2, 0)


def test_where_the_dealer_decides_the_seven_is_not_asked(cast, phone_of):
    form = start(cast.players, rules="barbu", first_chooser="2", first_dealer="1")
    phone_of(cast.badr).post(PAGE, form)
    match = Match.objects.get()
    assert (match.first_chooser, match.first_dealer) == (None, 1)


def own_rules(club, name="In pairs", **options):
    options = options or {"teams": "opposite"}
    return house_rules.create(club=club, name=name, preset="levant", options=options)


def test_clubs_own_rules_are_offered_first_and_the_default_is_chosen(cast, phone_of):
    own_rules(cast.club)
    friday = own_rules(cast.club, "Friday", combo="complex")
    house_rules.set_default(club=cast.club, rules=friday)
    response = phone_of(cast.badr).get(PAGE, seated(cast.players))
    cards = response.context["presets"]
    assert [card.label for card in cards.first] == ["Friday", "In pairs"]
    assert [card.label for card in cards.first if card.chosen] == ["Friday"]
    assert len(cards.more) == 12
    assert not cards.more_chosen


def test_match_pins_the_clubs_own_rules_with_their_name(cast, phone_of):
    rules = own_rules(cast.club)
    phone_of(cast.badr).post(PAGE, start(cast.players, rules=str(rules.id)))
    match = Match.objects.get()
    assert (match.options, match.preset) == ({"teams": "opposite"}, "levant")
    assert match.rules_name == "In pairs"


def test_any_preset_can_be_played_beside_the_clubs_own(cast, phone_of):
    own_rules(cast.club)
    phone_of(cast.badr).post(PAGE, start(cast.players, rules="kleshchi-jordan"))
    match = Match.objects.get()
    assert (match.preset, match.rules_name) == ("kleshchi-jordan", "")
    assert match.options == {"contract_order": "fixed_reversed"}


# Nothing of another club is to be had by its id. C94
def test_rules_of_another_club_are_no_choice(cast, phone_of):
    theirs = own_rules(cast.other_club)
    response = phone_of(cast.badr).post(PAGE, start(cast.players, rules=str(theirs.id)))
    assert response.status_code == 422
    assert errors(response) == {"rules": ["invalid_choice"]}


def test_lot_seats_the_same_four_in_some_order(cast, phone_of):
    client = phone_of(cast.badr)
    orders = set()
    for _ in range(30):
        response = client.get(PAGE, {**seated(cast.players), "lot": "1"})
        assert response.status_code == 302
        page = client.get(response["Location"])
        orders.add(tuple(player.name for player in page.context["seated"]))
    assert len(orders) > 3
    assert {frozenset(order) for order in orders} == {frozenset(["Amal", "Badr", "Carmen", "Dima"])}


def test_guest_sits_down_in_one_field(cast, phone_of):
    client = phone_of(cast.badr)
    form = {**seated(cast.players[:3]), "action": "guest", "name": "Ziad"}
    response = client.post(PAGE, form)
    assert response.status_code == 303
    page = client.get(response["Location"])
    assert [player.name for player in page.context["seated"]] == ["Amal", "Badr", "Carmen", "Ziad"]
    assert cast.club.players.get(name="Ziad").is_guest


# Whoever nobody has asked for a name sits down in one tap. C22
def test_guest_without_a_name_sits_down_in_one_tap(cast, phone_of):
    client = phone_of(cast.amal)
    form = {**seated(cast.players[:2]), "action": "guest", "name": "", "nameless": "on"}
    for number in (1, 2):
        assert client.post(PAGE, form).status_code == 303
        assert cast.club.players.get(name=f"Guest {number}").is_guest


def test_guest_of_a_known_name_is_asked_about(cast, phone_of):
    client = phone_of(cast.badr)
    form = {**seated(cast.players[1:3]), "action": "guest", "name": "AMAL"}
    response = client.post(PAGE, form)
    assert response.status_code == 422
    assert errors(response, "guest") == {"name": ["same_name"]}
    assert [player.name for player in response.context["seated"]] == ["Badr", "Carmen"]
    assert client.post(PAGE, {**form, "again": "on"}).status_code == 303
    since = client.get(PAGE).text.count("since <bdi>")
    assert since == 2, "two of one name are told apart by the day they came"


@pytest.mark.parametrize(("name", "code"), [("", "missing"), ("y" * 10_240, "too_long")])
def test_wrong_guest_is_refused_and_kept_on_the_page(cast, phone_of, name, code):
    form = {**seated(cast.players[:3]), "action": "guest", "name": name}
    response = phone_of(cast.badr).post(PAGE, form)
    assert response.status_code == 422
    assert errors(response, "guest") == {"name": [code]}
    assert response.context["guest"]["name"].value() == name
    assert cast.club.players.count() == 4


def test_same_person_in_two_seats_is_refused(cast, phone_of):
    form = start([*cast.players[:3], cast.players[0]])
    response = phone_of(cast.badr).post(PAGE, form)
    assert response.status_code == 422
    assert errors(response) == {"__all__": ["same_person"]}
    assert not Match.objects.exists()


def test_three_make_no_table(cast, phone_of):
    response = phone_of(cast.badr).post(PAGE, start(cast.players[:3]))
    assert response.status_code == 422
    assert errors(response) == {"__all__": ["missing"]}
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"table_name": "t" * 41}, {"table_name": ["too_long"]}),
        ({"rules": "bridge"}, {"rules": ["invalid_choice"]}),
        ({"first_chooser": "4"}, {"first_chooser": ["invalid_choice"]}),
        ({"first_dealer": "north"}, {"first_dealer": ["invalid_choice"]}),
    ],
)
def test_refused_match_says_why_and_keeps_the_rest(cast, phone_of, changes, expected):
    response = phone_of(cast.badr).post(PAGE, start(cast.players, **changes))
    assert response.status_code == 422
    assert errors(response) == expected
    assert [player.name for player in response.context["seated"]] == [
        "Amal",
        "Badr",
        "Carmen",
        "Dima",
    ]
    for field, value in changes.items():
        assert response.context["form"][field].value() == value
    assert not Match.objects.exists()


def test_same_form_twice_opens_one_match(cast, phone_of):
    client, form = phone_of(cast.badr), start(cast.players)
    assert client.post(PAGE, form)["Location"] == client.post(PAGE, form)["Location"]
    assert Match.objects.count() == 1


def test_people_of_another_club_cannot_be_seated(cast, phone_of):
    stranger = cast.other_club.players.get()
    response = phone_of(cast.badr).post(PAGE, start([*cast.players[:3], stranger]))
    assert response.status_code == 422
    assert "Ghassan" not in response.text
    assert not Match.objects.exists()


def test_somebody_put_away_is_not_offered(cast, phone_of):
    url = f"/clubs/cafe-younes/players/{cast.players[3].id}/edit/"
    phone_of(cast.amal).post(url, {"action": "archive"})
    response = phone_of(cast.badr).get(PAGE, seated([cast.players[3]]))
    assert response.context["seated"] == []
    assert "Dima" not in [player.name for player in response.context["people"].offered]


def test_regulars_come_first_and_the_rest_is_found_by_name(cast, phone_of):
    PlayerFactory.create_batch(80, club=cast.club)
    zed = PlayerFactory(club=cast.club, name="Zed of Zahle")
    make_match(club=cast.club, players=[*cast.players[:3], zed])
    client = phone_of(cast.badr)
    people = client.get(PAGE).context["people"]
    assert [player.name for player in people.offered[:4]] == [
        "Amal",
        "Badr",
        "Carmen",
        "Zed of Zahle",
    ]
    assert people.more == 25
    found = client.get(PAGE, {"q": "zahle ZED"}).context["people"]
    assert found.offered == (zed,)


def test_ghassan_and_visitors_open_nothing(cast, phone, phone_of):
    for client in (phone, phone_of(cast.ghassan)):
        assert client.get(PAGE).status_code == 404
        assert client.post(PAGE, start(cast.players)).status_code == 404
    assert not Match.objects.exists()


def test_name_is_shown_literally(cast, phone_of):
    nasty = PlayerFactory(club=cast.club, name=NASTY)
    client = phone_of(cast.badr)
    for query in ({}, seated([*cast.players[:3], nasty])):
        assert NASTY not in client.get(PAGE, query).text


def test_part_for_htmx_is_a_part_and_the_address_a_whole_page(cast, phone_of):
    client = phone_of(cast.badr)
    part = client.get(PAGE, seated(cast.players[:1]), headers={"HX-Request": "true"})
    assert "<html" not in part.text
    assert "HX-Request" in part["Vary"]
    restored = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in client.get(PAGE, headers=restored).text


def test_setup_asks_the_same_of_four_people_and_of_forty(cast, phone_of, django_assert_num_queries):
    client = phone_of(cast.badr)
    with django_assert_num_queries(10) as asked:
        client.get(PAGE, seated(cast.players))
    PlayerFactory.create_batch(40, club=cast.club)
    with django_assert_num_queries(len(asked)):
        client.get(PAGE, seated(cast.players))
