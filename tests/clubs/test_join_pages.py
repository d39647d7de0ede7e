from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.utils import timezone

from scoring.clubs.forms.clubs import AccountForm
from scoring.clubs.services import invitations
from scoring.models import Club, Invitation, LogEntry, Membership, Role, User
from tests.factories import MembershipFactory, PlayerFactory, UserFactory
from tests.support.asking import NASTY, errors

INVITE = "/clubs/cafe-younes/invite/"


@pytest.fixture
def first_link(db):
    """The one-time link that `bin/serve` prints."""
    return f"/join/{invitations.invite_first_owner(now=timezone.now())}/"


@pytest.fixture
def club_link(cast):
    secret = invitations.invite(club=cast.club, role=Role.SCORER, by=cast.owner, now=timezone.now())
    return f"/join/{secret}/"


def account(**changes):
    form = {"person_name": "Ziad", "username": "Ziad", "password": "seven of hearts"}
    return {**form, **changes}


def club(**changes):
    form = {
        "club-name": "نادي النرد",
        "club-preset": "kleshchi",
        "club-time_zone": "Africa/Cairo",
        "club-language": "ar",
    }
    return {**form, **changes}


def test_first_owner_makes_account_and_club_in_one_page(phone, first_link):
    response = phone.post(first_link, account() | club())
    made = Club.objects.get()
    assert response.status_code == 303
    assert response["Location"] == f"/clubs/{made.slug}/"
    assert (made.name, made.time_zone) == ("نادي النرد", "Africa/Cairo")
    assert made.house_rules.system == "kleshchi"
    user = User.objects.get()
    assert (user.username, user.is_superuser) == ("ziad", True)
    assert Membership.objects.get().role == Role.OWNER
    assert made.players.get(user=user).name == "Ziad"
    assert phone.get(response["Location"]).status_code == 200
    assert {*LogEntry.objects.values_list("by", flat=True)} == {user.id}


def test_new_owner_can_sign_in_again(phone, client, first_link):
    phone.post(first_link, account() | club())
    form = {"login": "ZIAD", "password": "seven of hearts"}
    assert client.post("/accounts/login/", form)["Location"] == "/"


@pytest.mark.parametrize(
    ("changes", "form", "expected"),
    [
        ({"person_name": ""}, "person", {"person_name": ["missing"]}),
        ({"username": "a b"}, "person", {"username": ["invalid"]}),
        ({"username": ""}, "person", {"username": ["required"]}),
        ({"password": "short"}, "person", {"password": ["password_too_short"]}),
        ({"club-name": ""}, "form", {"name": ["missing"]}),
        ({"club-preset": "bridge"}, "form", {"preset": ["invalid_choice"]}),
    ],
)
def test_wrong_first_owner_is_refused_and_the_link_lives(
    phone, first_link, changes, form, expected
):
    response = phone.post(first_link, account() | club() | changes)
    assert response.status_code == 422
    assert errors(response, form) == expected
    assert not User.objects.exists()
    assert not Club.objects.exists()
    assert "نادي النرد" in response.text or "club-name" in changes
    assert phone.get(first_link).status_code == 200


def test_password_is_never_sent_back(phone, first_link):
    response = phone.post(first_link, account(person_name="") | club())
    assert "seven of hearts" not in response.text


def test_used_link_says_so_and_gives_nothing(phone, client, first_link):
    phone.post(first_link, account() | club())
    for answer in (client.get(first_link), client.post(first_link, account(username="x") | club())):
        assert answer.status_code == 404
        assert "has been used" in answer.text
    assert User.objects.count() == 1


def test_ended_and_invented_links_are_over(phone, first_link):
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    for link in (first_link, "/join/never-was-one/"):
        assert "works no longer" in phone.get(link).text
        assert phone.post(link, account() | club()).status_code == 404
    assert not User.objects.exists()


def test_guest_of_a_club_link_gets_account_role_and_seat(cast, phone, club_link):
    assert "Café Younes" in phone.get(club_link).text
    response = phone.post(club_link, account())
    assert response["Location"] == "/clubs/cafe-younes/"
    user = User.objects.get(username="ziad")
    assert cast.club.memberships.get(user=user).role == Role.SCORER
    assert cast.club.players.get(user=user).name == "Ziad"
    assert not user.is_superuser


def test_the_name_of_a_guest_is_asked_about_before_a_second_person_is_made(cast, phone, club_link):
    guest = PlayerFactory(club=cast.club, name="Ziad", is_guest=True)
    page = phone.post(club_link, account(person_name="ziad"))
    assert page.status_code == 422
    assert errors(page, "person") == {"person_name": ["same_name"]}
    assert not User.objects.filter(username="ziad").exists()
    assert phone.post(club_link, account(person_name="ziad", again="on")).status_code == 303
    people = cast.club.players.filter(name__istartswith="ziad")
    assert {one.user and one.user.username for one in people} == {None, "ziad"}
    assert guest in people


def test_who_has_an_account_joins_with_it(cast, phone_of, club_link):
    client = phone_of(cast.ghassan)
    assert 'name="password"' not in client.get(club_link).text
    assert client.post(club_link, {"person_name": "Ghassan"}).status_code == 303
    assert cast.club.memberships.get(user=cast.ghassan).role == Role.SCORER
    # The same phone again is led to the club.
    assert client.get(club_link)["Location"] == "/clubs/cafe-younes/"


def test_link_lowers_nobody(cast, phone_of, club_link):
    phone_of(cast.owner).post(club_link, {"person_name": "Owner"})
    assert cast.club.memberships.get(user=cast.owner).role == Role.OWNER


def test_taken_name_is_refused_whatever_its_letters(cast, phone, club_link):
    response = phone.post(club_link, account(username="AMAL"))
    assert errors(response, "person") == {"username": ["taken"]}
    assert response.context["person"]["username"].value() == "AMAL"


@pytest.mark.parametrize("username", ["İ" * 150, "\ufdfa" * 100, "\ufdfa", "x" * 151])
def test_name_is_measured_and_judged_as_it_is_kept(phone, club_link, username):
    response = phone.post(club_link, account(username=username))
    assert response.status_code == 422
    assert set(errors(response, "person")) == {"username"}
    assert response.context["person"]["username"].value() == username


def test_name_that_is_taken_at_this_moment_is_refused(cast, phone, club_link, monkeypatch):
    monkeypatch.setattr(AccountForm, "clean_username", lambda form: form.cleaned_data["username"])
    response = phone.post(club_link, account(username="Badr"))
    assert errors(response, "person") == {"username": ["taken"]}
    assert phone.post(club_link, account()).status_code == 303


def test_owner_makes_a_link_and_sees_it_as_text_and_code(cast, phone_of):
    client = phone_of(cast.owner)
    assert client.post(INVITE, {"role": "arbiter"})["Location"] == INVITE
    page = client.get(INVITE)
    assert page.context["made"].url in page.text
    assert "<svg" in page.text
    assert "style=" not in page.text
    invited = Invitation.objects.get()
    assert (invited.role, invited.created_by) == ("arbiter", cast.owner)
    newcomer = UserFactory(username="newcomer")
    path = urlsplit(page.context["made"].url).path
    phone_of(newcomer).post(path, {"person_name": "New"})
    assert cast.club.memberships.get(user=newcomer).role == Role.ARBITER
    assert client.get(INVITE).context["made"] is None


def test_secret_of_a_new_link_is_nowhere_in_the_database(cast, phone_of):
    client = phone_of(cast.owner)
    client.post(INVITE, {"role": "member"})
    secret = urlsplit(client.get(INVITE).context["made"].url).path.split("/")[2]
    assert secret not in str(client.session.items())
    assert Invitation.objects.get().token_hash == invitations.digest(secret)


def test_owner_ends_a_link(cast, phone_of, phone, club_link):
    client = phone_of(cast.owner)
    client.post(INVITE, {"end": str(Invitation.objects.get().id)})
    assert "works no longer" in phone.get(club_link).text


def test_link_that_is_over_cannot_be_ended(cast, phone_of, phone, club_link):
    phone.post(club_link, account())
    for link in (str(Invitation.objects.get().id), "7"):
        response = phone_of(cast.owner).post(INVITE, {"end": link})
        assert response.status_code == 422
        assert errors(response, "ending") == {"__all__": ["link_over"]}
        assert "This link has been used already, or has ended." in response.text
        assert not response.context["form"].errors


def test_link_is_not_ended_from_a_page_of_yesterday(cast, phone_of, phone, club_link):
    form = {"end": str(Invitation.objects.get().id)}
    response = phone_of(cast.owner, enforce_csrf_checks=True).post(INVITE, form)
    assert errors(response, "ending") == {"__all__": ["form_expired"]}
    assert phone.get(club_link).status_code == 200


def test_nobody_ends_a_link_of_another_club(cast, phone_of, phone, club_link):
    MembershipFactory(club=cast.other_club, user=cast.farah, role=Role.OWNER)
    form = {"end": str(Invitation.objects.get().id)}
    assert phone_of(cast.farah).post(INVITE, form).status_code == 404
    assert phone_of(cast.farah).post("/clubs/cafe-ghassan/invite/", form).status_code == 422
    assert phone.get(club_link).status_code == 200


@pytest.mark.parametrize("role", ["", "king", "superuser"])
def test_unknown_role_makes_no_link(cast, phone_of, role):
    response = phone_of(cast.owner).post(INVITE, {"role": role})
    assert response.status_code == 422
    assert "role" in errors(response)
    assert not Invitation.objects.exists()


def test_name_is_shown_literally(cast, phone_of, club_link):
    phone_of(cast.ghassan).post(club_link, {"person_name": NASTY})
    page = phone_of(cast.owner).get("/clubs/cafe-younes/players/").text
    assert NASTY not in page


# A link for the wall of the club; whoever comes by it is marked until somebody knows them. C101
def test_link_for_everybody_lets_people_in_again_and_again(cast, phone_of):
    owner = phone_of(cast.owner)
    assert owner.post(INVITE, {"role": "everybody"}).status_code == 303
    page = owner.get(INVITE)
    link = page.context["made"].url
    assert "works for everybody" in page.text
    for user in (cast.farah, cast.ghassan):
        assert "unverified" in phone_of(user).get(link).text
        assert phone_of(user).post(link, {"person_name": f"{user.username}!"}).status_code == 303
    new = cast.club.players.filter(is_unverified=True).order_by("name")
    assert [player.user for player in new] == [cast.farah, cast.ghassan]
    roles = Membership.objects.filter(club=cast.club, user__in=(cast.farah, cast.ghassan))
    assert {member.role for member in roles} == {Role.MEMBER}
    owner.post(INVITE, {"end": Invitation.objects.get().id})
    assert phone_of(cast.farah).get(link).status_code == 404
