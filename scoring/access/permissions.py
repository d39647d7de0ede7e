"""Permissions: who may do what, as a table, and the functions that look it up.

Whoever has no right to see a thing is told that it is not there (404).
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

from scoring.access.links import kinds_of, seat_of
from scoring.common.actor import Actor
from scoring.ledger.queries.lease import keeps
from scoring.ledger.queries.signatures import signed_off
from scoring.models import Club, Deal, LinkKind, Match, MatchState, TokenScope

# Of a match without a club, which has no settings.
CORRECTION_MINUTES = 10


class Action(StrEnum):
    """The columns of the table."""

    BROWSE = "browse"  # pages that belong to nobody: front page, language, a new clubless match
    SEE_MATCH = "see_match"
    SEE_PUBLIC = "see_public"  # the public pages of a club
    SEE_CLUB = "see_club"
    OPEN = "open"  # open a match in a club
    RUN = "run"  # seat, close a match, play it again
    FINISH = "finish"  # finish a match whose last deal is in
    ENTER = "enter"  # who begins, enter a deal, void the last one
    CORRECT = "correct"  # correct a deal, void an earlier one
    SHARE = "share"  # table and view link
    LEASE = "lease"  # take the table lease
    ATTACH = "attach"  # records, photos
    SIGN = "sign"
    FLAG = "flag"
    JUDGE = "judge"  # rule, penalise
    REOPEN = "reopen"
    PLAYERS = "players"  # add, rename, archive players
    PEOPLE = "people"  # members, seasons, export
    HOST = "host"  # an evening of several tables: who takes part, the draw, its end
    SETTINGS = "settings"  # settings, roles
    FOUND = "found"  # make a club
    READ_LOG = "read_log"  # the log of the installation


class ActorRole(StrEnum):
    """The rows of the table, and the owner of an installation, who creates clubs."""

    ANYONE = "anyone"
    HOLDER = "holder"  # the phone that opened a clubless match
    VISITOR = "visitor"
    VIEW_LINK = "view_link"
    TABLE_LINK = "table_link"
    MEMBER = "member"
    SCORER = "scorer"
    ARBITER = "arbiter"
    OWNER = "owner"
    READER = "reader"  # a program with a key of the club that reads
    WRITER = "writer"  # one that enters deals as well
    INSTALLER = "installer"


class Condition(StrEnum):
    """What must hold besides the role."""

    PUBLIC = "public"  # the club is public
    OWN = "own"  # the match was opened by this account, or it sits in it
    OWN_SEAT = "own_seat"  # the seat bound to this device, or of this account
    KEEPS_SCORE = "keeps_score"  # no other phone has the table lease
    LAST_IN_WINDOW = "last_in_window"  # the last deal, inside the club's correction window
    BEFORE_SIGN_OFF = "before_sign_off"
    WITH_REASON = "with_reason"


Grant = frozenset[Condition]
ALWAYS: Grant = frozenset()


def only(*conditions: Condition) -> Grant:
    return frozenset(conditions)


_PUBLIC = only(Condition.PUBLIC)
_OWN = only(Condition.OWN)
_SEAT = only(Condition.OWN_SEAT)
_REASON = only(Condition.WITH_REASON)
_SIGN_OFF = only(Condition.BEFORE_SIGN_OFF)
_OWN_SIGN_OFF = only(Condition.OWN, Condition.BEFORE_SIGN_OFF)
_WINDOW = only(Condition.LAST_IN_WINDOW)
_KEEPER = only(Condition.KEEPS_SCORE)

_CLUB = dict.fromkeys(
    (ActorRole.MEMBER, ActorRole.SCORER, ActorRole.ARBITER, ActorRole.OWNER), ALWAYS
)
_SCORERS = {
    ActorRole.MEMBER: _OWN,
    ActorRole.SCORER: ALWAYS,
    ActorRole.ARBITER: ALWAYS,
    ActorRole.OWNER: ALWAYS,
}
_PROGRAMS = dict.fromkeys((ActorRole.READER, ActorRole.WRITER), ALWAYS)
_TABLE = {ActorRole.HOLDER: ALWAYS, ActorRole.TABLE_LINK: ALWAYS}

ALLOWED: Mapping[Action, Mapping[ActorRole, Grant]] = {
    Action.BROWSE: {ActorRole.ANYONE: ALWAYS},
    Action.SEE_MATCH: {
        **_CLUB,
        **_PROGRAMS,
        **_TABLE,
        ActorRole.VIEW_LINK: ALWAYS,
        ActorRole.VISITOR: _PUBLIC,
    },
    Action.SEE_PUBLIC: {**_CLUB, **_PROGRAMS, ActorRole.VISITOR: _PUBLIC},
    Action.SEE_CLUB: {**_CLUB, **_PROGRAMS},
    Action.OPEN: {**_CLUB},
    Action.RUN: {**_SCORERS, ActorRole.HOLDER: ALWAYS},
    Action.FINISH: {**_SCORERS, ActorRole.HOLDER: ALWAYS, ActorRole.TABLE_LINK: _KEEPER},
    Action.ENTER: {**_SCORERS, **_TABLE, ActorRole.WRITER: ALWAYS},
    Action.CORRECT: {
        ActorRole.HOLDER: _REASON,
        ActorRole.TABLE_LINK: _WINDOW,
        ActorRole.MEMBER: _OWN_SIGN_OFF,
        ActorRole.SCORER: _SIGN_OFF,
        ActorRole.ARBITER: _REASON,
        ActorRole.OWNER: _REASON,
    },
    Action.SHARE: {**_SCORERS, ActorRole.HOLDER: ALWAYS},
    Action.LEASE: {**_SCORERS, **_TABLE},
    Action.ATTACH: {**_SCORERS, **_TABLE},
    Action.SIGN: {ActorRole.HOLDER: _SEAT, ActorRole.TABLE_LINK: _SEAT, ActorRole.MEMBER: _SEAT},
    Action.FLAG: {**_CLUB, ActorRole.TABLE_LINK: ALWAYS},
    Action.JUDGE: {ActorRole.ARBITER: ALWAYS, ActorRole.OWNER: ALWAYS},
    # A match without a club has no arbiter: its holder, who may always correct, opens it again.
    Action.REOPEN: {ActorRole.HOLDER: ALWAYS, ActorRole.ARBITER: ALWAYS, ActorRole.OWNER: ALWAYS},
    Action.PLAYERS: {ActorRole.SCORER: ALWAYS, ActorRole.OWNER: ALWAYS},
    Action.PEOPLE: {ActorRole.OWNER: ALWAYS},
    # Not in the table of old: whoever may open, seat and close every match of the club.
    Action.HOST: {ActorRole.SCORER: ALWAYS, ActorRole.ARBITER: ALWAYS, ActorRole.OWNER: ALWAYS},
    Action.SETTINGS: {ActorRole.OWNER: ALWAYS},
    Action.FOUND: {ActorRole.INSTALLER: ALWAYS},
    Action.READ_LOG: {ActorRole.INSTALLER: ALWAYS},
}

# The least right with which each page of `scoring.urls` is there at all; without it: 404.
URL_RULES: Mapping[str, Action] = {
    "home": Action.BROWSE,
    "start": Action.BROWSE,
    "start_rules": Action.BROWSE,
    "paper_check": Action.BROWSE,
    "language": Action.BROWSE,
    "service_worker": Action.BROWSE,
    "unsent_all": Action.BROWSE,
    "match": Action.SEE_MATCH,
    "kit": Action.ENTER,
    "unsent": Action.ENTER,
    "match_rules": Action.SEE_MATCH,
    "match_picture": Action.SEE_MATCH,
    "match_check": Action.SEE_MATCH,
    "live": Action.SEE_MATCH,
    "screen": Action.SEE_MATCH,
    "sheet": Action.SEE_MATCH,
    "signing": Action.SEE_MATCH,
    "deal": Action.SEE_MATCH,
    "flag": Action.FLAG,
    "dispute_act": Action.JUDGE,
    "dispute": Action.JUDGE,
    "ruling_report": Action.SEE_MATCH,
    "club_rulings": Action.SEE_CLUB,
    "record": Action.SEE_MATCH,
    "replay": Action.SEE_MATCH,
    "pad": Action.ATTACH,
    "photos": Action.SEE_MATCH,
    "photo": Action.SEE_MATCH,
    "redeal": Action.SEE_MATCH,
    "adjust": Action.SEE_MATCH,
    "match_figures": Action.SEE_MATCH,
    "match_close": Action.RUN,
    "match_day": Action.CORRECT,
    "match_club": Action.SEE_MATCH,
    "seats": Action.SEE_MATCH,
    "step_up": Action.SEE_MATCH,
    "subtotal": Action.SEE_MATCH,
    "repair": Action.SEE_MATCH,
    "rematch": Action.RUN,
    "phones": Action.SHARE,
    "seat": Action.ENTER,
    "join_table": Action.BROWSE,
    "club": Action.SEE_PUBLIC,
    "club_new": Action.FOUND,
    "club_players": Action.SEE_CLUB,
    "club_alike": Action.OPEN,  # whoever seats people may add a guest
    "player_edit": Action.PLAYERS,
    "player": Action.SEE_PUBLIC,
    "club_figures": Action.SEE_PUBLIC,
    "club_contract": Action.SEE_PUBLIC,
    "club_matches": Action.SEE_PUBLIC,
    "player_matches": Action.SEE_PUBLIC,
    "club_standings": Action.SEE_PUBLIC,
    "club_standings_csv": Action.SEE_PUBLIC,
    "club_seasons": Action.SEE_PUBLIC,
    "season_new": Action.PEOPLE,
    "season": Action.SEE_PUBLIC,
    "season_edit": Action.PEOPLE,
    "club_settings": Action.SETTINGS,
    "club_disagreements": Action.JUDGE,
    "club_disputes": Action.JUDGE,
    "club_records": Action.SEE_CLUB,
    "club_audit": Action.JUDGE,
    "club_integrity": Action.JUDGE,
    "club_rebuild": Action.JUDGE,
    "club_rules": Action.SEE_CLUB,
    "house_rules_new": Action.SETTINGS,
    "house_rules": Action.SEE_CLUB,
    "club_match_new": Action.OPEN,
    "club_invite": Action.SETTINGS,
    "club_member": Action.SETTINGS,
    "club_import": Action.PEOPLE,
    "club_paper": Action.SEE_PUBLIC,
    "club_tokens": Action.SETTINGS,
    "club_export": Action.PEOPLE,
    "player_data": Action.PEOPLE,  # and the person's own, whoever that is
    "club_arrival": Action.FOUND,
    "log": Action.READ_LOG,
    "club_calendar": Action.SEE_PUBLIC,
    "club_evenings": Action.SEE_PUBLIC,
    "evening": Action.SEE_PUBLIC,
    "evening_live": Action.SEE_PUBLIC,
    "evening_new": Action.HOST,
    "evening_people": Action.HOST,
    "evening_draw": Action.HOST,
    "evening_edit": Action.HOST,
    "import_guide": Action.BROWSE,
    "invitation": Action.BROWSE,
    "api:score": Action.BROWSE,
    "api:replay": Action.BROWSE,
    "api:standings": Action.SEE_PUBLIC,
    "api:matches": Action.SEE_PUBLIC,
    "api:match": Action.SEE_MATCH,
    "api:deals": Action.SEE_MATCH,
    "api:openapi-json": Action.BROWSE,
    "api:openapi-view": Action.BROWSE,
    "api:api-root": Action.BROWSE,
}


_OF_LINKS = {LinkKind.TABLE: ActorRole.TABLE_LINK, LinkKind.VIEW: ActorRole.VIEW_LINK}
_OF_TOKENS: Mapping[str, ActorRole] = {
    TokenScope.READ: ActorRole.READER,
    TokenScope.WRITE: ActorRole.WRITER,
}
_HOSTS = ALLOWED[Action.HOST].keys() | _PROGRAMS.keys()
_PUBLIC_ROLES = frozenset({ActorRole.ANYONE, ActorRole.VISITOR, ActorRole.VIEW_LINK})


def roles_in(
    where: Match | Club | None, actor: Actor, now: datetime | None = None
) -> frozenset[ActorRole]:
    """Return the roles of the actor in a match, a club, or (None) the installation.

    One query for an account and one for a phone, the first time."""
    own = _own_roles(where, actor)
    return own | _link_roles(where, actor, own, now)


def reads_publicly(match: Match, actor: Actor, now: datetime | None = None) -> bool:
    """Return whether the actor sees only what everybody with a link sees of a match.

    That is what is under review as it was before."""
    return roles_in(match, actor, now) <= _PUBLIC_ROLES


def _link_roles(
    where: Match | Club | None, actor: Actor, own: frozenset[ActorRole], now: datetime | None
) -> frozenset[ActorRole]:
    """Return the roles that a link adds.

    The holder has every right that a link of a clubless match can give, so nothing is looked up for
    them."""
    if not isinstance(where, Match) or actor.device is None or ActorRole.HOLDER in own:
        return frozenset()
    return frozenset(_OF_LINKS[kind] for kind in kinds_of(where, actor, now))


def _own_roles(where: Match | Club | None, actor: Actor) -> frozenset[ActorRole]:
    """Return the roles without a link.

    At a closed table of a game night only its players and the hosts have one (C103)."""
    if where is None:
        installer = actor.user is not None and actor.user.is_superuser
        return frozenset({ActorRole.ANYONE, *([ActorRole.INSTALLER] if installer else [])})
    club_id = where.id if isinstance(where, Club) else where.club_id
    if club_id is None:
        holds = isinstance(where, Match) and actor.device and where.holder_device == actor.device
        return frozenset({ActorRole.ANYONE, *([ActorRole.HOLDER] if holds else [])})
    role = actor.user.club_roles.get(club_id) if actor.user else None
    own = [ActorRole(role)] if role else []
    if actor.token and actor.token.club_id == club_id and actor.token.scope in _OF_TOKENS:
        own.append(_OF_TOKENS[actor.token.scope])
    if isinstance(where, Match) and where.is_closed_table and _HOSTS.isdisjoint(own):
        own = own if is_own(where, actor) else []
        return frozenset({ActorRole.ANYONE, *own})
    return frozenset({ActorRole.ANYONE, ActorRole.VISITOR, *own})


def may(
    action: Action,
    where: Match | Club | None,
    actor: Actor,
    *,
    deal: Deal | None = None,
    now: datetime | None = None,
) -> bool:
    """Whether the table lets `who` do this here. `deal` and `now` are needed where a correction
    depends on them. Beside the roles one query for a match, the first time it is asked; by which
    link a phone came is only looked up where nothing else decides and a link would."""
    grants = ALLOWED[action]

    def granted(roles: frozenset[ActorRole]) -> bool:
        return any(
            all(_holds(condition, where, actor, deal, now) for condition in grants[role])
            for role in roles & grants.keys()
        )

    own = _own_roles(where, actor)
    if granted(own):
        return True
    by_link = not grants.keys().isdisjoint(_OF_LINKS.values())
    return by_link and granted(_link_roles(where, actor, own, now))


def _holds(
    condition: Condition,
    where: Match | Club | None,
    actor: Actor,
    deal: Deal | None,
    now: datetime | None,
) -> bool:
    if condition == Condition.PUBLIC:
        club = where.club if isinstance(where, Match) else where
        return club is not None and club.is_public
    if condition == Condition.OWN:
        return isinstance(where, Match) and is_own(where, actor)
    if condition == Condition.OWN_SEAT:
        return isinstance(where, Match) and seat_of(where, actor) is not None
    if condition == Condition.KEEPS_SCORE:
        return isinstance(where, Match) and keeps(where, actor)
    if condition == Condition.LAST_IN_WINDOW:
        return isinstance(where, Match) and _last_in_window(where, deal, now)
    if condition == Condition.BEFORE_SIGN_OFF:
        return isinstance(where, Match) and not _signed_off(where, deal, now)
    # A reason is asked for by the service, with the words at hand.
    return True


def _signed_off(match: Match, deal: Deal | None, now: datetime | None) -> bool:
    """Return whether the deal was settled; without a deal, False."""
    return deal is not None and now is not None and signed_off(match, deal, now)


def to_reopen(match: Match) -> Action:
    """Return the action that lets this match continue.

    One that was only broken off is continued by whoever runs it."""
    return Action.RUN if match.state == MatchState.UNFINISHED else Action.REOPEN


def is_own(match: Match, actor: Actor) -> bool:
    """Return whether this account opened the match or sits in it."""
    if actor.user is None:
        return False
    return match.opened_by_id == actor.user.id or actor.user.id in match.accounts


def _last_in_window(match: Match, deal: Deal | None, now: datetime | None) -> bool:
    if deal is None or now is None:
        return False
    last = match.current_deals.order_by("-deal_number").first()
    minutes = match.club.correction_minutes if match.club else CORRECTION_MINUTES
    in_window = now - deal.event.entered_at <= timedelta(minutes=minutes)
    return last is not None and last.deal_id == deal.id and in_window
