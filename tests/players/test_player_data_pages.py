"""What is kept about one person, on request."""

import json

import pytest
from django.apps import apps
from django.urls import reverse

from scoring.clubs.services import invitations
from scoring.common.actor import Actor
from scoring.models import Player, Role, User
from scoring.players.queries.player_data import LEFT_OUT, OF_ACCOUNT, TO_CLUB, naming
from scoring.players.services import merging
from tests.factories import NOW, correct, finish, king, make_evening, make_match


def asked(client, player):
    response = client.get(reverse("player_data", args=[player.club.slug, player.id]))
    if response.status_code == 404:
        return None
    assert response["Content-Type"] == "application/json"
    return json.loads(response.getvalue())


@pytest.fixture
def amal(cast):
    return cast.players[0]


def test_it_is_for_themselves_and_for_owners_and_nobody_else(cast, phone_of, client, amal):
    assert asked(phone_of(cast.amal), amal)["account"][0]["username"] == "amal"
    assert "account" not in asked(phone_of(cast.owner), amal)
    others = [phone_of(user) for user in (cast.badr, cast.esam, cast.ghassan)]
    assert [asked(other, amal) for other in (*others, client)] == [None] * 4
    cast.club.memberships.filter(user=cast.amal).delete()
    assert asked(phone_of(cast.amal), amal)
    link = reverse("player_data", args=["cafe-younes", amal.id])
    assert (
        link in phone_of(cast.owner).get(reverse("player_edit", args=["cafe-younes", amal.id])).text
    )


def test_account_of_somebody_merged_by_mistake_is_not_told(cast, phone_of, amal):
    User.objects.filter(id=cast.badr.id).update(email="badr@example.org")
    merging.merge(player=cast.players[1], into=amal, actor=Actor(cast.owner), now=NOW)
    found = asked(phone_of(cast.amal), amal)
    assert [account["username"] for account in found["account"]] == ["amal"]
    assert "badr@example.org" not in json.dumps(found)


def test_everything_that_names_them_is_in_it(cast, phone_of, amal):
    actor = Actor(cast.amal)
    match = make_match(club=cast.club, players=cast.players, entries=[king()], actor=actor)
    correct(match, match.deals.get(), king(3), reason="It was Dima", actor=actor)
    others = make_match(club=cast.club, players=["A", "B", "C", "D"], actor=Actor(cast.esam))
    found = asked(phone_of(cast.amal), amal)
    assert [row["match_id"] for row in found["seating"]] == [str(match.id)]
    events = found["matchevent"]
    assert {row["match_id"] for row in events} == {str(match.id)}
    assert ["It was Dima"] in [row["words"] for row in events]
    assert found["membership"][0]["role"] == Role.SCORER
    assert str(others.id) not in json.dumps(found)
    assert found["people"][str(amal.id)] == "Amal"
    assert [table for table, rows in found.items() if not rows] == []


def test_log_entries_of_an_account_are_for_the_account_alone(cast, phone_of, amal):
    owner = cast.club.players.create(name="Omar", user=cast.owner)
    own = phone_of(cast.owner)
    assert own.post("/clubs/cafe-younes/players/", {"name": "Sami"}).status_code == 303
    assert {row["by_id"] for row in asked(own, owner)["logentry"]} == {str(cast.owner.id)}
    assert "logentry" not in asked(own, amal)


def test_results_and_who_was_met_by_name(cast, phone_of):
    match = make_evening("evening-levant", club=cast.club, actor=Actor(cast.amal))
    finish(match, actor=Actor(cast.amal))
    player = match.seatings.get(seat=0).player
    found = asked(phone_of(cast.owner), player)
    assert [row["total"] for row in found["playertotal"]] == [found["matchresult"][0]["points"]]
    met = {found["people"][row["other_id"]] for row in found["meeting"]} - {player.name}
    assert len(met) == 3


def test_merged_and_hidden_names_are_in_it_for_those_who_may(cast, phone_of, amal):
    twin = Player.objects.create(
        club=cast.club, name="Amal", own_name="Amoula", merged_into=amal, counts_for=amal
    )
    for player in (amal, twin):
        found = asked(phone_of(cast.owner), player)
        assert {row["id"] for row in found["person"]} == {str(amal.id), str(twin.id)}
        assert "Amoula" in json.dumps(found)
    assert asked(phone_of(cast.amal), twin)


def test_no_secret_is_in_it(cast, phone_of, amal):
    invitations.invite(club=cast.club, role=Role.MEMBER, by=cast.amal, now=NOW)
    cast.amal.set_password("a long password")
    cast.amal.save()
    client = phone_of(cast.amal)
    text = json.dumps(asked(client, amal))
    assert "invitation" in text
    assert User.objects.get(username="amal").password not in text
    for name in LEFT_OUT - {"own_name"}:
        assert f'"{name}"' not in text


def test_no_table_that_names_people_is_forgotten():
    for model in apps.get_app_config("scoring").get_models():
        if model not in (Player, User, *OF_ACCOUNT) and (
            naming(model, Player) or naming(model, User)
        ):
            path = TO_CLUB[model].split("__")
            for step in path[:-1]:
                model = model._meta.get_field(step).related_model
            assert path[-1] in ("club", "pk"), model
            assert path[-1] == "pk" or model._meta.get_field("club")
