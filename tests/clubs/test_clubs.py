import pytest

from scoring.clubs.services import clubs, invitations
from scoring.common.errors import ServiceError
from scoring.models import Membership, Role, User
from scoring.people.services import naming
from tests.factories import NOW, ClubFactory, UserFactory, make_cast

pytestmark = pytest.mark.django_db


def refusal(call, **kwargs):
    with pytest.raises(ServiceError) as caught:
        call(**kwargs)
    return caught.value


def test_new_club_has_an_owner_and_the_rules_of_its_preset():
    user = UserFactory()
    club = clubs.create_club(name=" Café  Younes ", owner=user, preset="kleshchi-swapped")
    assert (club.name, club.slug) == ("Café Younes", "cafe-younes")
    rules = club.house_rules
    assert (rules.club, rules.name, rules.system) == (club, "kleshchi-swapped", "kleshchi")
    assert rules.options == {"signs": "swapped", "win": "low"}
    assert Membership.objects.get().role == Role.OWNER


@pytest.mark.parametrize(
    ("name", "slug"), [("Café Younes", "cafe-younes-3"), ("مقهى", "club"), ("New", "club")]
)
def test_address_of_a_club_is_free_and_not_a_page(name, slug):
    ClubFactory(slug="cafe-younes")
    ClubFactory(slug="cafe-younes-2")
    assert clubs.create_club(name=name, owner=UserFactory()).slug == slug


@pytest.mark.parametrize(("name", "code"), [("  ", "missing"), ("x" * 81, "too_long")])
def test_name_of_a_club_is_checked(name, code):
    assert refusal(clubs.create_club, name=name, owner=UserFactory()).code == code


def test_players_are_added():
    club = ClubFactory()
    player = naming.add_player(club=club, name=" Zeina\u202e ")
    assert (player.name, player.is_guest) == ("Zeina", True)
    assert refusal(naming.add_player, club=club, name="x" * 41).code == "too_long"


def test_role_is_given_and_taken():
    cast = make_cast()
    clubs.set_role(club=cast.club, user_id=cast.farah.id, role=Role.SCORER, now=NOW)
    assert cast.club.memberships.get(user=cast.farah).role == Role.SCORER
    clubs.remove_member(club=cast.club, user_id=cast.farah.id, now=NOW)
    assert not cast.club.memberships.filter(user=cast.farah).exists()


def test_last_owner_is_never_lost():
    cast = make_cast()
    club = cast.club
    owner = {"club": club, "user_id": cast.owner.id, "now": NOW}
    assert refusal(clubs.set_role, role=Role.MEMBER, **owner).code == "last_owner"
    assert refusal(clubs.remove_member, **owner).code == "last_owner"
    clubs.set_role(club=club, user_id=cast.esam.id, role=Role.OWNER, now=NOW)
    User.objects.filter(id=cast.esam.id).update(is_active=False)
    assert refusal(clubs.remove_member, **owner).code == "last_owner"
    User.objects.filter(id=cast.esam.id).update(is_active=True)
    clubs.remove_member(**owner)
    assert [m.user for m in club.memberships.filter(role=Role.OWNER)] == [cast.esam]


def test_links_of_a_former_owner_end_and_no_others():
    cast = make_cast()
    clubs.set_role(club=cast.club, user_id=cast.esam.id, role=Role.OWNER, now=NOW)
    links = {
        (club, by): invitations.invite(club=club, role=Role.OWNER, by=by, now=NOW)
        for club, by in [
            (cast.club, cast.esam),
            (cast.club, cast.owner),
            (cast.other_club, cast.esam),
        ]
    }
    clubs.set_role(club=cast.club, user_id=cast.esam.id, role=Role.OWNER, now=NOW)
    assert all(invitations.find_open(secret=secret, now=NOW) for secret in links.values())
    clubs.set_role(club=cast.club, user_id=cast.esam.id, role=Role.ARBITER, now=NOW)
    still = [key for key, secret in links.items() if invitations.find_open(secret=secret, now=NOW)]
    assert still == [(cast.club, cast.owner), (cast.other_club, cast.esam)]
