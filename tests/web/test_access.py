"""Every page × everybody × own club, public club, no club: what the table says, and else 404."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.models import Club, Role, User
from scoring.selectors import access
from scoring.services import house_rules, invitations
from scoring.services.who import Who, device_id
from scoring.urls import urlpatterns
from scoring.views.device import COOKIE, signer
from tests import photos
from tests.factories import attach, evening_record, king, make_match

SECRET = "a phone of the tests"
HOLDER = Who(device=device_id(SECRET))
PEOPLE = ["nobody", "holder", "amal", "badr", "dima", "esam", "owner", "farah", "ghassan", "first"]
PLACES = ["private club", "public club", "no club"]
BY_POST = {"rematch"}


def somebody(person, cast):
    """An account, or None for a phone without one. `first` owns the installation, no club."""
    if person == "first":
        return User.objects.create(username="first", is_superuser=True)
    return None if person in ("nobody", "holder") else getattr(cast, person)


def phone_of(person, user):
    client = Client()
    if person == "holder":
        client.cookies[COOKIE] = signer().sign(SECRET)
    if user:
        client.force_login(user)
    return client


def match_at(place, cast):
    """A match in which Dima does not sit, with a record of its deal; without a club it is the
    holder's."""
    match = _match_at(place, cast)
    attach(match, 1, evening_record("evening-levant", 2))
    return match


def _match_at(place, cast):
    if place == "no club":
        return make_match(entries=[king()], who=HOLDER)
    Club.objects.filter(id=cast.club.id).update(is_public=place == "public club")
    players = (*cast.players[:3], "Zeina")
    return make_match(club=cast.club, players=players, entries=[king()], who=Who(cast.amal))


def address(pattern, match, club):
    """The address of a page about this match or club."""
    secret = invitations.invite(club=club, role=Role.MEMBER, by=None, now=timezone.now())
    rules = club.rule_sets.first() or house_rules.create(
        club=club, name="Friday", preset="levant", options={}
    )
    values = {
        "rules_id": rules.id,
        "member_id": club.memberships.get(role=Role.OWNER).id,
        "match_id": match.id,
        "number": 1,
        "slug": club.slug,
        "token": secret,
        "photo_id": photo_of(match).id,
    }
    wanted = pattern.pattern.converters
    return reverse(pattern.name, kwargs={name: values[name] for name in wanted})


def photo_of(match):
    match.refresh_from_db()
    return match.photos.first() or photos.attach(match, 1)


def is_about(pattern, match, club):
    """Whose right decides: that in the match, in the club, or in the installation."""
    wanted = pattern.pattern.converters
    if "match_id" in wanted or "photo_id" in wanted:
        return match
    return club if "slug" in wanted else None


# Every address with the id of a foreign club is 404, and the rights are a table. C62, C94
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("person", PEOPLE)
def test_page_is_there_for_those_who_may_and_for_nobody_else(cast, person, place):
    match = match_at(place, cast)
    club = Club.objects.get(id=cast.club.id)
    user = somebody(person, cast)
    who = HOLDER if person == "holder" else Who(user)
    for pattern in urlpatterns:
        client, url = phone_of(person, user), address(pattern, match, club)
        response = client.post(url) if pattern.name in BY_POST else client.get(url)
        about = is_about(pattern, match, club)
        there = access.may(access.URL_RULES[pattern.name], about, who)
        expected = (200, 302, 303, 422) if there else (404,)
        assert response.status_code in expected, (pattern.name, response.status_code)


@pytest.mark.parametrize("person", ["nobody", "farah", "ghassan"])
def test_page_that_is_not_there_names_nothing_of_the_club(cast, person):
    match = match_at("private club", cast)
    client = phone_of(person, somebody(person, cast))
    for pattern in urlpatterns:
        if pattern.name == "invitation":
            continue
        shown = client.get(address(pattern, match, cast.club)).content.decode()
        for name in ("Younes", "Amal", "Carmen", "Zeina"):
            assert name not in shown, pattern.name


ACTS = {
    ("match", "preview"): "ENTER",
    ("match", "save"): "ENTER",
    ("match", "replace"): "CORRECT",
    ("match", "redeal"): "ENTER",
    ("match", "void"): "ENTER",
    ("match", "first"): "RUN",
    ("match", "finish"): "RUN",
    ("match", "reopen"): "REOPEN",
    ("match", "take"): "LEASE",
    ("step_up", "take"): "SEE_MATCH",
    ("step_up", "done"): "SEE_MATCH",
    ("signing", "sign"): "SIGN",
    ("signing", "sign_for"): "ENTER",
    ("signing", "withdraw"): "SIGN",
    ("signing", "withdraw_for"): "ENTER",
    ("seats", "look"): "RUN",
    ("seats", "change"): "RUN",
    ("seats", "undo"): "RUN",
    ("repair", "look"): "CORRECT",
    ("repair", "apply"): "CORRECT",
    ("repair", "revert"): "CORRECT",
    ("subtotal", "look"): "ENTER",
    ("subtotal", "enter"): "ENTER",
    ("subtotal", "void"): "ENTER",
    ("deal", "preview"): "CORRECT",
    ("deal", "save"): "CORRECT",
    ("deal", "void"): "ENTER",
    ("redeal", "record"): "ENTER",
    ("redeal", "void"): "ENTER",
    ("adjust", "preview"): "JUDGE",
    ("adjust", "save"): "JUDGE",
    ("adjust", "void"): "JUDGE",
    ("record", "look"): "ATTACH",
    ("record", "attach"): "ATTACH",
    ("record", "void"): "ATTACH",
    ("photos", "attach"): "ATTACH",
    ("photos", "void"): "ATTACH",
}
NUMBERED = ("deal", "record", "photos")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("person", PEOPLE)
def test_act_is_done_for_those_who_may_and_for_nobody_else(cast, person, place):
    """403 for who may see the page; 404, as of the page itself, for who may not."""
    match = match_at(place, cast)
    user = somebody(person, cast)
    who, client = HOLDER if person == "holder" else Who(user), phone_of(person, user)
    match.refresh_from_db()
    deal, now = match.deals.get(), timezone.now()
    sees = access.may(access.Action.SEE_MATCH, match, who)
    for (name, act), needed in ACTS.items():
        numbered = {"number": 1} if name in NUMBERED else {}
        url = reverse(name, kwargs={"match_id": match.id, **numbered})
        facts = {"contract": "king", "deal_number": "1", "action": act, "version": "99"}
        status = client.post(url, facts).status_code
        if not sees:
            assert status == 404, (name, act)
        elif access.may(access.Action[needed], match, who, deal=deal, now=now):
            assert status in (200, 303, 409, 422), (name, act, status)
        else:
            assert status == 403, (name, act, status)
    match.refresh_from_db()
    assert match.version == 3


CLUB_ACTS = {
    ("club_member", "role"): "SETTINGS",
    ("club_member", "remove"): "SETTINGS",
    ("club_invite", "make"): "SETTINGS",
    ("club_invite", "end"): "SETTINGS",
}


@pytest.mark.parametrize("place", PLACES[:2])
@pytest.mark.parametrize("person", PEOPLE)
def test_members_are_changed_by_those_who_may_and_by_nobody_else(cast, person, place):
    """Every page that acts is there only for who may act: for the others 404."""
    Club.objects.filter(id=cast.club.id).update(is_public=place == "public club")
    club, user = Club.objects.get(id=cast.club.id), somebody(person, cast)
    client, dima = phone_of(person, user), club.memberships.get(user=cast.dima)
    for (name, act), needed in CLUB_ACTS.items():
        member = {"member_id": dima.id} if name == "club_member" else {}
        url = reverse(name, kwargs={"slug": club.slug, **member})
        end = {"end": "7"} if act == "end" else {}
        status = client.post(url, {"action": act, **end}).status_code
        allowed = access.may(access.Action[needed], club, Who(user))
        assert status in ((303, 422) if allowed else (404,)), (name, act, status)
    assert club.memberships.filter(id=dima.id).exists() == (person != "owner")
