import pytest

from tests.factories import PlayerFactory
from tests.support.asking import NASTY, errors

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
    assert names(cast.club) == ["Amal", "Badr (1)", "Carmen", "Dima", "badr (2)"]


# C95
def test_name_that_people_write_another_way_is_asked_about_too(cast, phone_of):
    PlayerFactory(club=cast.club, name="أحمد")
    for typed in ("احمد", "أحمـد", "Bádr"):
        response = phone_of(cast.amal).post(PAGE, {"name": typed})
        assert errors(response) == {"name": ["same_name"]}, typed


def test_name_of_somebody_in_another_club_is_nothing_here(cast, phone_of):
    assert phone_of(cast.amal).post(PAGE, {"name": "Ghassan"}).status_code == 303


def found(client, wanted):
    page = client.get(PAGE, {"q": wanted})
    return [player.name for player in page.context["people"]]


# Found however it is typed. C95
def test_people_are_found_as_others_would_write_them(cast, phone_of):
    for name in ("أحمد الخوري", "Зейна", "Jean-Noël Khoury"):
        PlayerFactory(club=cast.club, name=name)
    client = phone_of(cast.badr)
    assert found(client, "ahmad") == ["أحمد الخوري"]
    assert found(client, "kh no") == ["Jean-Noël Khoury"]
    assert set(found(client, "خوري")) == {"أحمد الخوري", "Jean-Noël Khoury"}
    assert found(client, "Zeina") == ["Зейна"]
    assert found(client, "nobody") == []
    assert "Nobody of the club" in client.get(PAGE, {"q": "nobody"}).text


def test_whoever_came_in_by_themselves_is_marked(cast, phone_of):
    PlayerFactory(club=cast.club, name="Zeina", is_unverified=True)
    assert "unverified" in phone_of(cast.badr).get(PAGE).text


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
