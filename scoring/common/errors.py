"""Refusals of services: their codes, and the exceptions that carry them."""

from collections.abc import Iterable, Mapping

from scoring.models import Deal, MatchEvent
from scoring.rules import Problem
from scoring.rules.problems import Code, Detail


class RefusalCode(Code):
    """Why a service refuses to write, besides the problems of an entry (`ProblemCode`)."""

    # forms and texts
    FORM_EXPIRED = "form_expired"
    OLD_PAGE = "old_page"
    STALE = "stale"
    GONE = "gone"
    NOTHING_CHANGED = "nothing_changed"
    TOO_LONG = "too_long"
    TAKEN = "taken"
    BAD_NUMBER = "bad_number"
    BAD_DATE = "bad_date"
    IN_FUTURE = "in_future"
    ENDS_BEFORE = "ends_before"
    OFTEN = "often"
    TOO_OFTEN = "too_often"
    # matches and deals
    MATCH_CLOSED = "match_closed"
    MATCH_VOIDED = "match_voided"
    ALREADY_BEGUN = "already_begun"
    NOT_OVER = "not_over"
    NOT_STANDING = "not_standing"
    SAME_PERSON = "same_person"
    UNKNOWN_PLAYER = "unknown_player"
    UNKNOWN_PRESET = "unknown_preset"
    QUEENS_DRAW = "queens_draw"
    NOT_CLUBLESS = "not_clubless"
    # corrections
    BAD_POINTS = "bad_points"
    NO_SIGN = "no_sign"
    NOT_ON_PAPER = "not_on_paper"
    ON_PAPER = "on_paper"
    INSIDE_SUBTOTAL = "inside_subtotal"
    DEAL_MISSING = "deal_missing"
    OTHER_SHAPE = "other_shape"
    CHANGED_SINCE = "changed_since"
    SEATS_CHANGED_LATER = "seats_changed_later"
    REDEAL_THERE = "redeal_there"
    RECORD_THERE = "record_there"
    PHOTO_THERE = "photo_there"
    DISPUTE_THERE = "dispute_there"
    RULING_THERE = "ruling_there"
    RULED = "ruled"
    # flags and rulings
    FLAGS_FULL = "flags_full"
    NOT_YOUR_FLAG = "not_your_flag"
    NO_DISPUTE = "no_dispute"
    UNDER_REVIEW = "under_review"
    NOT_UNDER_REVIEW = "not_under_review"
    NOT_CLAIMED_BY_YOU = "not_claimed_by_you"
    NO_ARBITER = "no_arbiter"
    NOT_ARBITER = "not_arbiter"
    WRONG_PASSWORD = "wrong_password"
    TOO_MANY_ATTEMPTS = "too_many_attempts"
    UNKNOWN_RULE = "unknown_rule"
    # signatures
    NO_SUCH_UNIT = "no_such_unit"
    UNIT_OPEN = "unit_open"
    NOT_YOUR_SEAT = "not_your_seat"
    SIGNED_ALREADY = "signed_already"
    SIGNED_FOR_ANOTHER = "signed_for_another"
    SIGNED_OFF = "signed_off"
    # card records and photos
    UNREADABLE = "unreadable"
    NOT_TEXT = "not_text"
    SEVERAL_RECORDS = "several_records"
    OTHER_SYSTEM = "other_system"
    ALREADY_ATTACHED = "already_attached"
    TOO_MANY_PLAYS = "too_many_plays"
    UNKNOWN_KIND = "unknown_kind"
    PHOTOS_FULL = "photos_full"
    NO_ROOM = "no_room"
    # links and API keys
    NO_SUCH_LINK = "no_such_link"
    LINK_OVER = "link_over"
    SEAT_TAKEN = "seat_taken"
    ONLY_MEMBERS = "only_members"
    UNKNOWN_SCOPE = "unknown_scope"
    # people
    LAST_OWNER = "last_owner"
    ANONYMOUS = "anonymous"
    HAS_ACCOUNT = "has_account"
    ALREADY_CLAIMED = "already_claimed"
    IS_MERGED = "is_merged"
    ONE_IS_HIDDEN = "one_is_hidden"
    SAT_TOGETHER = "sat_together"
    # seasons
    SEASON_CLOSED = "season_closed"
    SEASON_OPEN = "season_open"
    # game nights
    EVENING_OVER = "evening_over"
    HAS_BEGUN = "has_begun"
    HERE_ALREADY = "here_already"
    NOT_HERE = "not_here"
    NO_TEAMS = "no_teams"
    TOO_FEW = "too_few"
    PARTS_A_PAIR = "parts_a_pair"
    PEOPLE_CHANGED = "people_changed"
    NOTHING_DRAWN = "nothing_drawn"
    TABLES_PLAY = "tables_play"


class ServiceError(Exception):
    """Raised by a service that has written nothing.

    `code`, `field` and `numbers` are those of the first problem."""

    def __init__(
        self, code: Code, field: str = "", numbers: Mapping[str, Detail] | None = None
    ) -> None:
        self.problems: tuple[Problem, ...] = (Problem(code, field, numbers or {}),)
        super().__init__(f"{code} ({field})")

    @property
    def code(self) -> Code:
        return self.problems[0].code

    @property
    def field(self) -> str:
        return self.problems[0].field

    @property
    def numbers(self) -> Mapping[str, Detail]:
        return self.problems[0].numbers

    def is_only_about(self, field: str) -> bool:
        """Return whether there is one problem, and it is of this field."""
        return [problem.field for problem in self.problems] == [field]


class Stale(ServiceError):
    """Raised where the match has changed since the form was shown, by `events` and `deals`."""

    def __init__(
        self, current_version: int, events: Iterable[MatchEvent], deals: Iterable[Deal]
    ) -> None:
        super().__init__(RefusalCode.STALE, "version", {"current_version": current_version})
        self.current_version = current_version
        self.events = tuple(events)
        self.deals = tuple(deals)


def raise_for(problems: Iterable[Problem]) -> None:
    """Raise a ServiceError that carries all problems, if there are any."""
    found = tuple(problems)
    if found:
        refused = ServiceError(found[0].code, found[0].field, found[0].numbers)
        refused.problems = found
        raise refused
