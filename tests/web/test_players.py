import pytest
from django.db.models import ProtectedError

from scoring.models import Player
from tests.factories import PlayerFactory, make_match
from tests.web.asking import NASTY, errors

PAGE = "/clubs/cafe-younes/players/"


def names(club):
    return sorted(club.players.filter(archived_at=None).values_list("name", flat=True))


def test_guest_is_added_in_one_field(cast, phone_of):
    response = phone_of(cast.amal).post(PAGE, {"name": "  زياد   الحلبي "})
    assert response.status_code == 303
    guest = cast.club.players.get(name="زياد الحلبي")
    assert guest.is_guest


@pytest.mark.parametrize(("name", "code"), [("", "missing"), ("x" * 41, "too_long")])
def test_wrong_name_is_refused_and_kept_on_the_page(cast, phone_of, name, code):
    response = phone_of(cast.amal).post(PAGE, {"name": name})
    assert response.status_code == 422
    assert errors(response) == {"name": [code]}
    assert response.context["form"]["name"].value() == name
    assert cast.club.players.count() == 4


def test_second_one_of_a_name_is_asked_about_then_taken(cast, phone_of):
    client = phone_of(cast.amal)
    response = client.post(PAGE, {"name": "badr"})
    assert errors(response) == {"name": ["same_name"]}
    assert 'name="again"' in response.text
    assert client.post(PAGE, {"name": "badr", "again": "on"}).status_code == 303
    assert names(cast.club) == ["Amal", "Badr", "Carmen", "Dima", "badr"]


def test_name_of_somebody_in_another_club_is_nothing_here(cast, phone_of):
    assert phone_of(cast.amal).post(PAGE, {"name": "Ghassan"}).status_code == 303


def test_person_is_renamed_and_old_matches_follow(cast, phone_of):
    dima = cast.players[3]
    response = phone_of(cast.amal).post(f"{PAGE}?edit={dima.id}", {"name": "Dima K."})
    assert response.status_code == 303
    dima.refresh_from_db()
    assert dima.name == "Dima K."


def test_person_keeps_the_own_name_without_a_question(cast, phone_of):
    dima = cast.players[3]
    assert phone_of(cast.amal).post(f"{PAGE}?edit={dima.id}", {"name": "DIMA"}).status_code == 303


# Whoever has played is put away, never deleted. C93
def test_person_is_put_away_and_brought_back(cast, phone_of):
    client, dima = phone_of(cast.amal), cast.players[3]
    make_match(club=cast.club, players=cast.players)
    client.post(f"{PAGE}?edit={dima.id}", {"action": "archive"})
    assert names(cast.club) == ["Amal", "Badr", "Carmen"]
    assert "Dima" in client.get(PAGE).text
    with pytest.raises(ProtectedError):
        dima.delete()
    client.post(f"{PAGE}?edit={dima.id}", {"action": "bring_back"})
    assert "Dima" in names(cast.club)


def test_member_looks_but_changes_nothing(cast, phone_of):
    page = phone_of(cast.badr).get(PAGE)
    assert page.status_code == 200
    assert '<form class="stack-close"' not in page.text
    assert phone_of(cast.badr).post(PAGE, {"name": "Zed"}).status_code == 403
    assert cast.club.players.count() == 4


def test_ghassan_sees_and_changes_nothing(cast, phone_of):
    ghassan = phone_of(cast.ghassan)
    assert ghassan.get(PAGE).status_code == 404
    assert ghassan.post(PAGE, {"name": "Zed"}).status_code == 404
    stranger = Player.objects.get(club=cast.other_club)
    assert phone_of(cast.amal).get(f"{PAGE}?edit={stranger.id}").status_code == 404


def test_nonsense_id_is_nothing(cast, phone_of):
    assert phone_of(cast.amal).get(f"{PAGE}?edit=7").status_code == 404


def test_name_is_shown_literally(cast, phone_of):
    PlayerFactory(club=cast.club, name=NASTY)
    page = phone_of(cast.amal).get(PAGE).text
    assert NASTY not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page


def test_list_asks_the_same_of_four_people_and_of_forty(cast, phone_of, django_assert_num_queries):
    client = phone_of(cast.amal)
    with django_assert_num_queries(5) as asked:
        client.get(PAGE)
    PlayerFactory.create_batch(40, club=cast.club)
    with django_assert_num_queries(len(asked)):
        client.get(PAGE)
