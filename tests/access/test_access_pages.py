"""Every page and every call × everybody × own club, public club, no club: what the table says, and
else 404. Pages and calls are those of the URL lists: a new one without a rule fails here."""

from contextlib import contextmanager

import pytest
from django.test import Client
from django.test.signals import template_rendered
from django.urls import reverse
from django.utils import timezone

from scoring.access import permissions
from scoring.api import api
from scoring.clubs.services import api_keys, invitations
from scoring.common.actor import Actor, device_id
from scoring.common.device import COOKIE, signer
from scoring.house_rules.services import house_rules
from scoring.models import Club, ClubToken, LinkKind, Role, TokenScope, User
from tests.factories import attach, evening_record, king, make_match
from tests.support import photos
from tests.support.asking import every_page
from tests.support.evening import planned
from tests.support.judging import decide
from tests.support.links import came
from tests.support.standings import make_season

SECRET = "a phone of the tests"
HOLDER = Actor(device=device_id(SECRET))
GUEST = Actor(device=device_id("a phone that came by a link"))
LINKS = {"table link": LinkKind.TABLE, "view link": LinkKind.VIEW}
PHONES = {"holder": SECRET} | dict.fromkeys(LINKS, "a phone that came by a link")
PEOPLE = ["nobody", "holder", "amal", "badr", "dima", "esam", "owner", "farah", "ghassan", "first"]
PEOPLE += LINKS
PLACES = ["private club", "public club", "no club"]
RULED = {"ruling_report"}  # there only once something was ruled
OWN = {"player_data"}  # there for who the person is
BY_POST = {"rematch", "unsent"}
METHODS = {
    "standings": ("get",),
    "matches": ("get",),
    "match": ("get",),
    "deals": ("post",),
}
CALLS = [pattern for pattern in api.urls[0] if pattern.name != "api-root"]  # which leads nowhere


def somebody(person, cast):
    """An account, or None for a phone without one. `first` owns the installation, no club."""
    if person == "first":
        return User.objects.create(username="first", is_superuser=True)
    return None if person in ("nobody", *PHONES) else getattr(cast, person)


def who_is(person, user):
    """The same as the access table knows them."""
    return {"holder": HOLDER}.get(person) or (GUEST if person in LINKS else Actor(user))


def phone_of(person, user):
    client = Client()
    if person in PHONES:
        client.cookies[COOKIE] = signer().sign(PHONES[person])
    if user:
        client.force_login(user)
    return client


def match_at(place, cast, person="nobody"):
    """A match of this minute in which Dima does not sit, with a record of its deal; without a club
    it is the holder's. Whoever is named after a link comes by it."""
    match = _match_at(place, cast)
    attach(match, 1, evening_record("evening-levant", 2))
    if person in LINKS:
        came(match, LINKS[person], GUEST, timezone.now())
    return match


def _match_at(place, cast):
    if place == "no club":
        return make_match(entries=[king()], actor=HOLDER, now=timezone.now())
    Club.objects.filter(id=cast.club.id).update(is_public=place == "public club")
    players = (*cast.players[:3], "Zeina")
    actor, now = Actor(cast.amal), timezone.now()
    return make_match(club=cast.club, players=players, entries=[king()], actor=actor, now=now)


def address(pattern, match, club, space=""):
    """The address of a page about this match or club."""
    values = {
        "rules_id": lambda: rules_of(club).id,
        "evening_id": lambda: evening_of(club).id,
        "member_id": lambda: club.memberships.get(role=Role.OWNER).id,
        "match_id": lambda: match.id,
        "number": lambda: 1,
        "slug": lambda: club.slug,
        "token": lambda: invitation_to(club),
        "photo_id": lambda: photo_of(match).id,
        "player_id": lambda: player_of(club).id,
        "season_id": lambda: season_of(club).id,
    }
    wanted = pattern.pattern.converters
    return reverse(space + pattern.name, kwargs={name: values[name]() for name in wanted})


def player_of(club):
    return club.players.order_by("created_at", "id").first()


def rules_of(club):
    return club.rule_sets.first() or house_rules.create(
        club=club, name="Friday", preset="levant", options={}
    )


def evening_of(club):
    return club.evenings.first() or planned(club)


def invitation_to(club):
    return invitations.invite(club=club, role=Role.MEMBER, by=None, now=timezone.now())


def season_of(club):
    return club.seasons.first() or make_season(club)


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
    visit_every_page(cast, person, place)


@pytest.mark.postgresql
def test_every_page_is_there_on_every_database(cast):
    visit_every_page(cast, "owner", "private club")


def visit_every_page(cast, person, place):
    match = match_at(place, cast, person)
    club = Club.objects.get(id=cast.club.id)
    user = somebody(person, cast)
    actor = who_is(person, user)
    if match.club:
        decide(match, 1, "stands", reason="as it was")
    for pattern in every_page():
        client, url = phone_of(person, user), address(pattern, match, club)
        response = client.post(url) if pattern.name in BY_POST else client.get(url)
        about = is_about(pattern, match, club)
        there = permissions.may(permissions.URL_RULES[pattern.name], about, actor)
        there = there and (pattern.name not in RULED or match.club is not None)
        there = there or (pattern.name in OWN and player_of(club).user == user is not None)
        expected = (200, 302, 303, 422) if there else (404,)
        assert response.status_code in expected, (pattern.name, response.status_code)
    for pattern in CALLS:
        answers_for(pattern, match, club, phone_of(person, user), Actor())


def test_every_page_of_a_club_is_drawn_on_the_clock_of_the_club(cast):
    match, zones = match_at("private club", cast), set()

    def note(**drawn):
        zones.add(timezone.get_current_timezone_name())

    decide(match, 1, "stands", reason="as it was")
    client = phone_of("owner", cast.owner)
    for pattern in every_page():
        if is_about(pattern, match, cast.club):
            url = address(pattern, match, cast.club)
            with template_drawn(note):
                client.get(url)
            assert zones <= {cast.club.time_zone}, pattern.name
    assert zones


@contextmanager
def template_drawn(note):
    template_rendered.connect(note)
    yield
    template_rendered.disconnect(note)


def answers_for(pattern, match, club, client, actor, **headers):
    """A call is there or not; it knows programs by their tokens, and nobody by a session."""
    rule, url = permissions.URL_RULES[f"api:{pattern.name}"], address(pattern, match, club, "api:")
    there = permissions.may(rule, is_about(pattern, match, club), actor)
    for method in METHODS.get(pattern.name, ("get", "post")):
        more = {"data": {}, "content_type": "application/json"} if method == "post" else {}
        status = getattr(client, method)(url, **more, headers=headers).status_code
        assert (status != 404) == there, (pattern.name, status)
    return there


# scope of the token: who it makes of a program in its own club; others are of no use
TOKENS = {"read": "own", "write": "own", "calendar": "own", "of another club": "", "ended": ""}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", TOKENS)
def test_call_is_there_for_the_token_that_may_and_for_no_other(cast, place, kind):
    match, now = match_at(place, cast), timezone.now()
    club = Club.objects.get(id=cast.club.id)
    scope = kind if kind in TokenScope.values else "write"
    of = cast.other_club if kind == "of another club" else club
    secret = api_keys.make(club=of, name="A program", scope=scope, actor=Actor(), now=now)
    token, given = ClubToken.objects.get(), {"Authorization": f"Bearer {secret}"}
    if kind == "ended":
        api_keys.revoke(club=club, token_id=str(token.id), now=now)
    for pattern in CALLS:
        if kind == "ended":
            url = address(pattern, match, club, "api:")
            status = Client().get(url, headers=given).status_code
            expected = (401,) if pattern.name in METHODS and "get" in METHODS[pattern.name] else ()
            assert not expected or status in expected, pattern.name
        else:
            answers_for(pattern, match, club, Client(), Actor(token=token), **given)
    if kind != "ended" and place != "no club":
        wanted = {"write": 400, "read": 403}.get(kind, 404 if place == "private club" else 403)
        url = reverse("api:deals", args=[match.id])
        answer = Client().post(url, {}, content_type="application/json", headers=given)
        assert answer.status_code == wanted


# A link opens one match and nothing else, in whichever club. C94
@pytest.mark.parametrize("person", LINKS)
def test_link_of_one_match_opens_no_other(cast, person):
    came(match_at("private club", cast), LINKS[person], GUEST, timezone.now())
    other = match_at("private club", cast)
    for pattern in every_page():
        if is_about(pattern, other, cast.club) is not None:
            client, url = phone_of(person, None), address(pattern, other, cast.club)
            response = client.post(url) if pattern.name in BY_POST else client.get(url)
            assert response.status_code == 404, pattern.name


@pytest.mark.parametrize("person", ["nobody", "farah", "ghassan"])
def test_page_that_is_not_there_names_nothing_of_the_club(cast, person):
    match = match_at("private club", cast)
    client = phone_of(person, somebody(person, cast))
    for pattern in every_page():
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
    ("match", "first"): "ENTER",
    ("match", "deals"): "ENTER",
    ("match", "finish"): "FINISH",
    ("match", "reopen"): "REOPEN",
    ("match", "take"): "LEASE",
    ("step_up", "take"): "SEE_MATCH",
    ("step_up", "done"): "SEE_MATCH",
    ("signing", "sign"): "SIGN",
    ("signing", "sign_for"): "ENTER",
    ("signing", "withdraw"): "SIGN",
    ("signing", "withdraw_for"): "ENTER",
    ("phones", "make"): "SHARE",
    ("phones", "remake"): "SHARE",
    ("phones", "revoke"): "SHARE",
    ("phones", "away"): "SHARE",
    ("phones", "free"): "SHARE",
    ("seat", "take"): "ENTER",
    ("match_club", "take"): "PEOPLE",
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
    ("flag", "flag"): "FLAG",
    ("flag", "withdraw"): "FLAG",
    ("dispute_act", "claim"): "JUDGE",
    ("dispute_act", "release"): "JUDGE",
    ("dispute_act", "close"): "JUDGE",
    ("dispute_act", "reopen"): "JUDGE",
    ("dispute", "preview"): "JUDGE",
    ("dispute", "look"): "JUDGE",
    ("dispute", "publish"): "JUDGE",
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
NUMBERED = ("deal", "record", "photos", "flag", "dispute_act", "dispute")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("person", PEOPLE)
def test_act_is_done_for_those_who_may_and_for_nobody_else(cast, person, place):
    """403 for who may see the page; 404, as of the page itself, for who may not."""
    match = match_at(place, cast, person)
    user = somebody(person, cast)
    actor, client = who_is(person, user), phone_of(person, user)
    match.refresh_from_db()
    deal, now = match.deals.get(), timezone.now()

    def about(name):
        """A repair goes through the whole match, and is no correction of its last deal."""
        return None if name == "repair" else deal

    for (name, act), needed in ACTS.items():
        sees = permissions.may(permissions.URL_RULES[name], match, actor)
        numbered = {"number": 1} if name in NUMBERED else {}
        url = reverse(name, kwargs={"match_id": match.id, **numbered})
        facts = {"contract": "king", "deal_number": "1", "action": act, "version": "99"}
        status = client.post(url, facts).status_code
        if not sees:
            assert status == 404, (name, act)
        elif permissions.may(permissions.Action[needed], match, actor, deal=about(name), now=now):
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
    ("player_edit", "rename"): "PLAYERS",
    ("player_edit", "archive"): "PLAYERS",
    ("player_edit", "bring_back"): "PLAYERS",
    ("player_edit", "verify"): "PEOPLE",
    ("player_edit", "release"): "PEOPLE",
    ("player_edit", "invite"): "SETTINGS",
    ("player_edit", "merge"): "PEOPLE",
    ("player_edit", "unmerge"): "PEOPLE",
    ("player_edit", "hide"): "PEOPLE",
    ("player_edit", "show"): "PEOPLE",
    ("player_edit", "anonymise"): "PEOPLE",
    ("club_tokens", "make"): "SETTINGS",
    ("club_tokens", "end"): "SETTINGS",
    ("club_rebuild", "begin"): "JUDGE",
    ("club_rebuild", "stop"): "JUDGE",
    ("club_export", "begin"): "PEOPLE",
    ("club_export", "stop"): "PEOPLE",
    ("evening", "end"): "HOST",
    ("evening", "resume"): "HOST",
    ("evening_people", "attend"): "HOST",
    ("evening_people", "pair"): "HOST",
    ("evening_people", "substitute"): "HOST",
    ("evening_draw", "lot"): "HOST",
    ("evening_draw", "exchange"): "HOST",
    ("evening_draw", "open"): "HOST",
    ("evening_edit", "drop"): "HOST",
}

EVENING_PAGES = ("evening", "evening_people", "evening_draw", "evening_edit")


@pytest.mark.parametrize("place", PLACES[:2])
@pytest.mark.parametrize("person", PEOPLE)
def test_members_are_changed_by_those_who_may_and_by_nobody_else(cast, person, place):
    """403 for who may see a page that acts and not do this; 404 for who may not see it."""
    Club.objects.filter(id=cast.club.id).update(is_public=place == "public club")
    club, user = Club.objects.get(id=cast.club.id), somebody(person, cast)
    client, dima = phone_of(person, user), club.memberships.get(user=cast.dima)
    badr = cast.players[1]
    about = {"club_member": {"member_id": dima.id}, "player_edit": {"player_id": badr.id}}
    evening = planned(club)
    about |= {name: {"evening_id": evening.id} for name in EVENING_PAGES}
    for (name, act), needed in CLUB_ACTS.items():
        url = reverse(name, kwargs={"slug": club.slug, **about.get(name, {})})
        end = {"end": "7"} if act == "end" else {}
        status = client.post(url, {"action": act, **end}).status_code
        allowed = permissions.may(permissions.Action[needed], club, Actor(user))
        sees = permissions.may(permissions.URL_RULES[name], club, Actor(user))
        expected = (303, 422) if allowed else (403,) if sees else (404,)
        assert status in expected, (name, act, status)
    assert club.memberships.filter(id=dima.id).exists() == (person != "owner")
