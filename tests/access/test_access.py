"""The access table of the design, written down a second time and compared.

Reopening stands apart from judging: a match without a club has no arbiter but its holder. So does
hosting an evening of several tables: it takes whoever may open, seat and close every match.
"""

import uuid
from datetime import timedelta

import pytest

from scoring.access.permissions import ALLOWED, URL_RULES, Action, ActorRole, may
from scoring.api import api
from scoring.common.actor import Actor
from scoring.models import Club, Deal, Match, User
from tests.factories import NOW, PHONE, diamonds, king, make_cast, make_match
from tests.support.asking import every_page
from tests.support.links import GUEST, came

pytestmark = pytest.mark.django_db

# One line a role; yes, own (matches), seat, last (in the window), early (before sign-off), public
COLUMNS = (
    "SEE_MATCH SEE_CLUB OPEN RUN FINISH ENTER CORRECT SHARE LEASE ATTACH SIGN FLAG JUDGE REOPEN"
    " PLAYERS PEOPLE HOST SETTINGS"
)
TABLE = """
holder     yes    -   -   yes yes    yes reason    yes yes yes seat -   -   yes -   -   -   -
visitor    public -   -   -   -      -   -         -   -   -   -    -   -   -   -   -   -   -
view_link  yes    -   -   -   -      -   -         -   -   -   -    -   -   -   -   -   -   -
table_link yes    -   -   -   keeper yes last      -   yes yes seat yes -   -   -   -   -   -
member     yes    yes yes own own    own own+early own own own seat yes -   -   -   -   -   -
scorer     yes    yes yes yes yes    yes early     yes yes yes -    yes -   -   yes -   yes -
arbiter    yes    yes yes yes yes    yes reason    yes yes yes -    yes yes yes -   -   yes -
owner      yes    yes yes yes yes    yes reason    yes yes yes -    yes yes yes yes yes yes yes
reader     yes    yes -   -   -      -   -         -   -   -   -    -   -   -   -   -   -   -
writer     yes    yes -   -   -      yes -         -   -   -   -    -   -   -   -   -   -   -
"""
WORDS = {
    "public": "public",
    "own": "own",
    "own_seat": "seat",
    "keeps_score": "keeper",
    "last_in_window": "last",
    "before_sign_off": "early",
    "with_reason": "reason",
}


def grant(role, action):
    """One field of the table in the words used above."""
    conditions = ALLOWED[action].get(role)
    if conditions is None:
        return "-"
    return "+".join(WORDS[c] for c in sorted(conditions, key=list(WORDS).index)) or "yes"


# The rights are one table, held to the design line by line. C62
@pytest.mark.parametrize("line", TABLE.strip().splitlines())
def test_table_is_that_of_the_design(line):
    role, *expected = line.split()
    actions = [Action[name] for name in COLUMNS.split()]
    assert [grant(ActorRole(role), action) for action in actions] == expected


def test_every_page_has_a_rule_and_every_rule_a_page():
    calls, _, namespace = api.urls
    names = {page.name for page in every_page()} | {f"{namespace}:{call.name}" for call in calls}
    assert names == set(URL_RULES)


def allowed(where, actor, **given):
    return {action.name for action in Action if may(action, where, actor, **given)}


READ = {"SEE_MATCH", "SEE_PUBLIC", "SEE_CLUB", "FLAG", "BROWSE"}
KEEP = {"RUN", "FINISH", "ENTER", "CORRECT", "SHARE", "LEASE", "ATTACH"}


@pytest.fixture
def cast():
    return make_cast()


@pytest.fixture
def match(cast):
    """Amal's match; Dima does not sit in it."""
    players = (*cast.players[:3], "Zeina")
    return make_match(club=cast.club, players=players, entries=[king()], actor=Actor(cast.amal))


def test_member_keeps_score_in_own_matches_only(cast, match):
    assert allowed(match, Actor(cast.badr)) == READ | KEEP | {"OPEN", "SIGN"}
    assert allowed(match, Actor(cast.dima)) == READ | {"OPEN"}
    opened = make_match(club=cast.club, players=("A", "B", "C", "D"), actor=Actor(cast.dima))
    assert allowed(opened, Actor(cast.dima)) == READ | KEEP | {"OPEN"}


# The arbiter judges and has no settings. C63
def test_scorer_arbiter_and_owner(cast, match):
    other = make_match(club=cast.club, players=("A", "B", "C", "D"), actor=Actor(cast.owner))
    assert allowed(other, Actor(cast.amal)) == READ | KEEP | {"OPEN", "HOST", "PLAYERS"}
    assert allowed(other, Actor(cast.esam)) == READ | KEEP | {"OPEN", "HOST", "JUDGE", "REOPEN"}
    theirs = {"OPEN", "JUDGE", "REOPEN", "PLAYERS", "PEOPLE", "HOST", "SETTINGS"}
    assert allowed(other, Actor(cast.owner)) == READ | KEEP | theirs


@pytest.mark.parametrize("stranger", ["ghassan", "farah"])
def test_others_see_nothing_of_a_private_club(cast, match, stranger):
    for actor in (
        Actor(getattr(cast, stranger)),
        Actor(device=match.holder_device),
        Actor(),
        PHONE,
    ):
        assert allowed(match, actor) == allowed(cast.club, actor) == {"BROWSE"}


def test_others_see_the_public_pages_of_a_public_club(cast, match):
    Club.objects.update(is_public=True)
    match.refresh_from_db()
    cast.club.refresh_from_db()
    for actor in (Actor(cast.ghassan), Actor()):
        assert allowed(match, actor) == allowed(cast.club, actor)
        assert allowed(match, actor) == {"BROWSE", "SEE_MATCH", "SEE_PUBLIC"}


def test_match_without_a_club_belongs_to_the_phone_that_opened_it(cast):
    match = make_match(actor=Actor(cast.amal, PHONE.device))
    assert allowed(match, PHONE) == KEEP | {"BROWSE", "SEE_MATCH", "REOPEN"}
    for actor in (Actor(cast.amal), Actor(cast.owner), Actor(), Actor(device=uuid.uuid4())):
        assert allowed(match, actor) == {"BROWSE"}
    assert allowed(make_match(actor=Actor()), Actor()) == {"BROWSE"}


def test_owner_of_the_installation_makes_clubs_and_sees_no_others(cast, match):
    owner = Actor(User.objects.create(username="first", is_superuser=True))
    assert allowed(None, owner) == {"BROWSE", "FOUND", "READ_LOG"}
    assert allowed(None, Actor(cast.owner)) == allowed(None, Actor()) == {"BROWSE"}
    assert allowed(match, owner) == {"BROWSE"}


def test_table_link_corrects_the_last_deal_in_the_window():
    match = make_match(entries=[king(), diamonds()])
    came(match)
    first, last = Deal.objects.order_by("deal_number")
    soon, late = last.event.entered_at + timedelta(minutes=10), NOW + timedelta(hours=1)
    assert may(Action.CORRECT, match, GUEST, deal=last, now=soon)
    assert not may(Action.CORRECT, match, GUEST, deal=last, now=late)
    assert not may(Action.CORRECT, match, GUEST, deal=first, now=soon)
    assert not may(Action.CORRECT, match, GUEST)


# The club says how long the table may correct by itself. C57
def test_window_is_that_of_the_club(cast, match):
    came(match)
    last = Deal.objects.get()
    late = last.event.entered_at + timedelta(minutes=30)
    assert not may(Action.CORRECT, match, GUEST, deal=last, now=late)
    Club.objects.update(correction_minutes=45)
    again = Match.objects.select_related("club").get(pk=match.pk)
    assert may(Action.CORRECT, again, GUEST, deal=last, now=late)


def test_asking_twice_costs_no_more_queries(cast, match, django_assert_num_queries):
    actor = Actor(User.objects.get(id=cast.dima.id))
    assert not match.club.is_public  # pages read the club along with the match
    with django_assert_num_queries(2):
        for action in Action:
            may(action, match, actor)
