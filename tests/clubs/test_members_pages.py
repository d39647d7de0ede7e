import pytest

from scoring.models import Membership, Role
from tests.factories import MembershipFactory, PlayerFactory, UserFactory, make_match
from tests.support.asking import NASTY, errors

LIST = "/clubs/cafe-younes/invite/"


def page_of(user, club):
    return f"/clubs/{club.slug}/members/{club.memberships.get(user=user).id}/"


def role_of(user, club):
    found = club.memberships.filter(user=user).first()
    return found and found.role


def test_list_leads_to_every_member_and_names_the_player(cast, phone_of):
    page = phone_of(cast.owner).get(LIST).text
    for user in (cast.owner, cast.amal, cast.esam):
        assert page_of(user, cast.club) in page
    assert "Scorer · <bdi>Amal</bdi>" in page


@pytest.mark.parametrize("role", list(Role))
def test_owner_gives_every_role(cast, phone_of, role):
    client = phone_of(cast.owner)
    response = client.post(page_of(cast.badr, cast.club), {"action": "role", "role": role})
    assert (response.status_code, response["Location"]) == (303, LIST)
    assert role_of(cast.badr, cast.club) == role
    said = f"<bdi>badr</bdi> now has the role: {role.capitalize()}."
    assert said in client.get(LIST).text


def test_page_says_what_each_role_may_do_and_marks_the_present_one(cast, phone_of):
    page = phone_of(cast.owner).get(page_of(cast.amal, cast.club))
    assert page.context["chosen"] == Role.SCORER
    assert page.text.count(" checked") == 1
    for sentence in ("keeps their own", "scores every match", "decides disputes", "settings too"):
        assert sentence in page.text


@pytest.mark.parametrize(("role", "code"), [("", "required"), ("king", "invalid_choice")])
def test_unknown_role_is_refused(cast, phone_of, role, code):
    response = phone_of(cast.owner).post(page_of(cast.badr, cast.club), {"role": role})
    assert response.status_code == 422
    assert errors(response) == {"role": [code]}
    assert role_of(cast.badr, cast.club) == Role.MEMBER


# Shown first what goes and what stays, and undone by a link. C25, C93
def test_member_is_removed_and_everything_played_stays(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players)
    client, page = phone_of(cast.owner), page_of(cast.dima, cast.club)
    shown = client.get(page).text
    assert "The player <bdi>Dima</bdi> stays, with all matches and points." in shown
    assert role_of(cast.dima, cast.club) == Role.MEMBER
    assert client.post(page, {"action": "remove"})["Location"] == LIST
    assert role_of(cast.dima, cast.club) is None
    assert "a new link brings <bdi>dima</bdi> back" in client.get(LIST).text
    assert client.get(page).status_code == 404
    dima = phone_of(cast.dima)
    assert dima.get("/clubs/cafe-younes/").status_code == 404
    assert "Dima" in client.get(f"/matches/{match.id}/").text
    client.post(LIST, {"role": "member"})
    dima.post(client.get(LIST).context["made"].url, {"person_name": "Somebody"})
    assert cast.club.players.get(user=cast.dima).name == "Dima"
    assert dima.get(f"/matches/{match.id}/").status_code == 200


def test_account_without_a_player_is_told_of_so(cast, phone_of):
    shown = phone_of(cast.owner).get(page_of(cast.esam, cast.club)).text
    assert "All matches and points stay." in shown
    assert "At the table" not in shown


def test_last_owner_keeps_the_role_and_is_told_why_at_the_field(cast, phone_of):
    client, page = phone_of(cast.owner), page_of(cast.owner, cast.club)
    response = client.post(page, {"role": "arbiter"})
    assert response.status_code == 422
    assert errors(response) == {"role": ["last_owner"]}
    assert response.context["chosen"] == "arbiter"
    assert "A club keeps one owner. Make somebody else an owner first." in response.text
    assert role_of(cast.owner, cast.club) == Role.OWNER
    assert client.post(page, {"role": "owner"}).status_code == 303


def test_last_owner_is_not_removed_and_told_why_beside_the_button(cast, phone_of):
    client, page = phone_of(cast.owner), page_of(cast.owner, cast.club)
    response = client.post(page, {"action": "remove"})
    assert response.status_code == 422
    assert errors(response, "leaving") == {"__all__": ["last_owner"]}
    assert '<details class="more" open>' in response.text
    assert not response.context["form"].errors
    assert role_of(cast.owner, cast.club) == Role.OWNER


def test_owner_steps_down_to_the_club_and_out_to_the_front_page(cast, phone_of):
    Membership.objects.filter(user=cast.esam).update(role=Role.OWNER)
    client, page = phone_of(cast.owner), page_of(cast.owner, cast.club)
    assert "This is your own account." in client.get(page).text
    assert "This is your own account." not in client.get(page_of(cast.esam, cast.club)).text
    assert client.post(page, {"role": "member"})["Location"] == "/clubs/cafe-younes/"
    assert client.get(page).status_code == 404
    Membership.objects.filter(user=cast.owner).update(role=Role.OWNER)
    assert client.post(page, {"action": "remove"})["Location"] == "/"
    assert "no longer a member" in client.get("/").text
    assert role_of(cast.owner, cast.club) is None


@pytest.mark.parametrize(
    ("sent", "form"),
    [({"action": "role", "role": "arbiter"}, "form"), ({"action": "remove"}, "leaving")],
)
def test_page_of_yesterday_changes_nothing_and_keeps_the_choice(cast, phone_of, sent, form):
    client = phone_of(cast.owner, enforce_csrf_checks=True)
    response = client.post(page_of(cast.badr, cast.club), sent)
    assert response.status_code == 422
    assert errors(response, form) == {"__all__": ["form_expired"]}
    assert response.context["chosen"] == sent.get("role", "member")
    assert role_of(cast.badr, cast.club) == Role.MEMBER


def test_ghassan_sees_and_changes_nobody(cast, phone_of):
    ghassan, badr = phone_of(cast.ghassan), cast.club.memberships.get(user=cast.badr)
    for slug in ("cafe-younes", "cafe-ghassan"):
        page = f"/clubs/{slug}/members/{badr.id}/"
        assert ghassan.get(page).status_code == 404
        for sent in ({"role": "owner"}, {"action": "remove"}):
            assert ghassan.post(page, sent).status_code == 404
    assert role_of(cast.badr, cast.club) == Role.MEMBER


def test_names_are_shown_literally(cast, phone_of):
    user = UserFactory(username=NASTY)
    MembershipFactory(club=cast.club, user=user)
    PlayerFactory(club=cast.club, name=NASTY, user=user)
    client, page = phone_of(cast.owner), page_of(user, cast.club)
    assert NASTY not in client.get(LIST).text + client.get(page).text
    client.post(page, {"role": "scorer"})
    assert NASTY not in client.get(LIST).text


def test_pages_ask_the_same_of_six_members_and_of_forty(cast, phone_of, django_assert_num_queries):
    client = phone_of(cast.owner)
    pages = {LIST: 7, page_of(cast.badr, cast.club): 5}
    for page, number in pages.items():
        with django_assert_num_queries(number):
            client.get(page)
    for user in UserFactory.create_batch(40):
        MembershipFactory(club=cast.club, user=user)
        PlayerFactory(club=cast.club, user=user)
    for page, number in pages.items():
        with django_assert_num_queries(number):
            client.get(page)
