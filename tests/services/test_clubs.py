import pytest

from scoring.models import Membership, Player, Role
from scoring.services import clubs
from scoring.services.refusals import LedgerRefused
from tests.factories import NOW, ClubFactory, PlayerFactory, UserFactory, make_cast

pytestmark = pytest.mark.django_db


def refusal(call, **kwargs):
    with pytest.raises(LedgerRefused) as caught:
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


def test_players_are_added_renamed_and_archived():
    club = ClubFactory()
    player = clubs.add_player(club=club, name=" Zeina\u202e ")
    assert (player.name, player.is_guest) == ("Zeina", True)
    clubs.rename_player(player=player, name="Zeina K.")
    clubs.archive_player(player=player, now=NOW)
    assert Player.objects.filter(name="Zeina K.", archived_at=NOW).exists()
    clubs.archive_player(player=player, now=None)
    assert refusal(clubs.add_player, club=club, name="x" * 41).code == "too_long"


def test_account_is_one_player_in_a_club():
    cast = make_cast()
    guest = PlayerFactory(club=cast.club, is_guest=True)
    assert refusal(clubs.claim_player, player=guest, user=cast.amal).code == "already_claimed"
    clubs.claim_player(player=guest, user=cast.esam)
    assert (guest.user, guest.is_guest) == (cast.esam, False)


def test_role_is_given_and_taken():
    cast = make_cast()
    clubs.set_role(club=cast.club, user_id=cast.farah.id, role=Role.SCORER)
    assert cast.club.memberships.get(user=cast.farah).role == Role.SCORER
    clubs.remove_member(club=cast.club, user_id=cast.farah.id)
    assert not cast.club.memberships.filter(user=cast.farah).exists()


def test_last_owner_is_never_lost():
    cast = make_cast()
    club, owner = cast.club, cast.owner.id
    assert refusal(clubs.set_role, club=club, user_id=owner, role=Role.MEMBER).code == "last_owner"
    assert refusal(clubs.remove_member, club=club, user_id=owner).code == "last_owner"
    clubs.set_role(club=club, user_id=cast.esam.id, role=Role.OWNER)
    clubs.remove_member(club=club, user_id=owner)
    assert [m.user for m in club.memberships.filter(role=Role.OWNER)] == [cast.esam]
