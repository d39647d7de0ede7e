"""Sentences for the problems and refusals that services report, and their way into forms.

Pages that can say more, because they know the names or what was typed, have sentences of their own
and use these for the rest.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from scoring.common import moments, words
from scoring.common.errors import RefusalCode
from scoring.common.words import Words
from scoring.rules import Problem, ProblemCode
from scoring.rules.problems import Code, Detail

WHY = _("Please say why.")
OTHERWISE = _("This was refused ({code}). Nothing was saved.")
"""For codes that only a forged or outdated form can cause."""

UNFIT = _("What was entered in a deal does not fit then ({code}).")
"""For problems that the form of a deal explains, and that others find in a deal already entered."""

PROBLEMS: Mapping[Code, Any] = {
    ProblemCode.MISSING: _("This is missing."),
    ProblemCode.BAD_SEAT: _("Not one of the four seats."),
    ProblemCode.BAD_COUNTS: _("So many cannot be."),
    ProblemCode.TOO_MANY: _("{limit} are enough; delete one first."),
    ProblemCode.WRONG_NUMBER: _("There is no such deal."),
    ProblemCode.WRONG_TOTAL: UNFIT,
    ProblemCode.NOT_A_PERMUTATION: UNFIT,
    ProblemCode.UNKNOWN_CARD: _("There is no such card in this deck."),
    ProblemCode.DOUBLED_TWICE: UNFIT,
    ProblemCode.NOT_DOUBLABLE: UNFIT,
    ProblemCode.TRICK_LEADER_MISSING: UNFIT,
    ProblemCode.WRONG_LOSER: UNFIT,
    ProblemCode.OPTION_OFF: _("The rules of this table do not have this."),
    ProblemCode.IMPOSSIBLE: _("This cannot have happened together with the rest."),
    ProblemCode.UNKNOWN_CONTRACT: _("This table does not play that contract."),
    ProblemCode.NOT_COMBINABLE: _("These contracts cannot be played together."),
    ProblemCode.CHOOSER_MISSING: _("Say first who chooses."),
    ProblemCode.CONTRACT_USED: _(
        "Then one chooser would have played a contract twice ({contracts})."
    ),
    ProblemCode.NOT_THIS_CONTRACT: _("That contract cannot be chosen now."),
    ProblemCode.MATCH_OVER: _("Every deal of this match has been played."),
    ProblemCode.NO_REDEAL: _("These cards are no reason to deal again."),
    ProblemCode.WRONG_SUM: _("Together they must be {expected}, but they are {found}."),
    ProblemCode.OUT_OF_REACH: _("Such deals bring between {low} and {high}."),
    ProblemCode.UNKNOWN_SYSTEM: OTHERWISE,
    ProblemCode.UNKNOWN_OPTION: OTHERWISE,
    ProblemCode.BAD_OPTION_VALUE: OTHERWISE,
    ProblemCode.IMPOSSIBLE_OPTIONS: OTHERWISE,
}
REFUSALS: Mapping[Code, Any] = {
    # forms and texts
    RefusalCode.FORM_EXPIRED: _(
        "This page was open for too long. Nothing was saved; please send it again."
    ),
    RefusalCode.OLD_PAGE: _(
        "This was entered on a page that the server no longer knows. Open it, look, and save it."
    ),
    RefusalCode.STALE: _("Someone else saved first. Look again, then send it."),
    RefusalCode.GONE: _("Somebody has deleted it meanwhile. Nothing was saved."),
    RefusalCode.NOTHING_CHANGED: _("That is how it is already."),
    RefusalCode.TOO_LONG: _("{length} characters; {limit} fit."),
    RefusalCode.TAKEN: _("This name is taken."),
    RefusalCode.BAD_NUMBER: OTHERWISE,
    RefusalCode.BAD_DATE: _("So far away no season can be."),
    RefusalCode.IN_FUTURE: _("This day has not begun yet."),
    RefusalCode.ENDS_BEFORE: _("It ends before it begins."),
    RefusalCode.OFTEN: _("That was often. Please wait a minute; what you typed stays."),
    RefusalCode.TOO_OFTEN: _("Too many wrong codes came from here. Please wait a minute."),
    # matches and deals
    RefusalCode.MATCH_CLOSED: _("This match is closed."),
    RefusalCode.MATCH_VOIDED: _(
        "This match is void: nothing of it is flagged, signed or ruled on."
    ),
    RefusalCode.ALREADY_BEGUN: _("The first deal has been played already."),
    RefusalCode.NOT_OVER: _("Not every deal has been played yet."),
    RefusalCode.NOT_STANDING: _("That was taken back already."),
    RefusalCode.SAME_PERSON: _("This person sits here already."),
    RefusalCode.UNKNOWN_PLAYER: _("Nobody of this club."),
    RefusalCode.UNKNOWN_PRESET: OTHERWISE,
    RefusalCode.QUEENS_DRAW: _(
        "The queens lie two and two between the teams: that is dealt again and not scored."
    ),
    RefusalCode.NOT_CLUBLESS: _("This match belongs to a club already."),
    # corrections
    RefusalCode.BAD_POINTS: _("Only digits; plus or minus is chosen beside them."),
    RefusalCode.NO_SIGN: _("Plus or minus?"),
    RefusalCode.NOT_ON_PAPER: _("The sums from paper say that something else was played then."),
    RefusalCode.ON_PAPER: _("Deal {deal} is part of totals from paper. Withdraw them first."),
    RefusalCode.INSIDE_SUBTOTAL: _(
        "These deals are sums from paper. Fill them in or take the sums back first."
    ),
    RefusalCode.DEAL_MISSING: _("Deal {deal} is missing already. Enter it first."),
    RefusalCode.OTHER_SHAPE: _(
        "What was entered cannot be told of that contract. Correct the deal itself."
    ),
    RefusalCode.CHANGED_SINCE: _("Something of it was changed since, so it stays as it is."),
    RefusalCode.SEATS_CHANGED_LATER: _(
        "That seat changes again at deal {deal}. Undo that first, or begin there."
    ),
    RefusalCode.REDEAL_THERE: _("The cards of deal {deal} were dealt again. Undo that first."),
    RefusalCode.RECORD_THERE: _("Deal {deal} has a card record. Withdraw it first."),
    RefusalCode.PHOTO_THERE: _("Deal {deal} has photos. Withdraw them first."),
    RefusalCode.DISPUTE_THERE: _("Deal {deal} is disputed. Close the dispute first."),
    RefusalCode.RULING_THERE: _("An arbiter ruled on deal {deal}, so it cannot be removed."),
    RefusalCode.RULED: _("The arbiter has ruled on this deal. Only another ruling changes it."),
    # flags and rulings
    RefusalCode.FLAGS_FULL: _("{limit} flags are enough. The arbiter sees them."),
    RefusalCode.NOT_YOUR_FLAG: _("Only whoever raised a flag can withdraw it."),
    RefusalCode.NO_DISPUTE: _("Nobody has flagged this deal."),
    RefusalCode.UNDER_REVIEW: _("This is under review already."),
    RefusalCode.NOT_UNDER_REVIEW: _("This is over already. A new flag opens it again."),
    RefusalCode.NOT_CLAIMED_BY_YOU: _("You have not taken this on."),
    RefusalCode.NO_ARBITER: _("This match belongs to no club, so it has no arbiter."),
    RefusalCode.NOT_ARBITER: _("This account is no arbiter of this club."),
    RefusalCode.WRONG_PASSWORD: _("This name and this password do not belong together."),
    RefusalCode.TOO_MANY_ATTEMPTS: _("Too many wrong passwords. Please wait a few minutes."),
    RefusalCode.UNKNOWN_RULE: _("There is no such rule."),
    # signatures
    RefusalCode.NO_SUCH_UNIT: _("There is no such kingdom or round on the sheet."),
    RefusalCode.UNIT_OPEN: _("It is not complete yet. It is signed once every deal of it is in."),
    RefusalCode.NOT_YOUR_SEAT: _("This is not your seat on this phone."),
    RefusalCode.SIGNED_ALREADY: _("This seat has signed already."),
    RefusalCode.SIGNED_FOR_ANOTHER: _("This phone has signed here for another seat."),
    RefusalCode.SIGNED_OFF: _("This is settled: nothing of it is taken back any more."),
    # card records and photos
    RefusalCode.UNREADABLE: _("This cannot be read as a record. Nothing was saved."),
    RefusalCode.NOT_TEXT: _("This file is no text. A record is a .trex or .json file."),
    RefusalCode.SEVERAL_RECORDS: _(
        "There are {found} records in it, and not exactly one of this deal. Send that one alone."
    ),
    RefusalCode.OTHER_SYSTEM: _("This is a record of another rule system than that of this match."),
    RefusalCode.ALREADY_ATTACHED: _("Already attached on {day}. Nothing was saved."),
    RefusalCode.TOO_MANY_PLAYS: _("{found} plays are in it; no deal has more than {limit}."),
    RefusalCode.UNKNOWN_KIND: OTHERWISE,
    RefusalCode.PHOTOS_FULL: _("{limit} photos are enough for one deal. Take one back first."),
    RefusalCode.NO_ROOM: _("There is no room left on the disk of the server. Nothing was saved."),
    # links and API keys
    RefusalCode.NO_SUCH_LINK: _(
        "No table has this code, or it has ended. Ask for the one that is shown now."
    ),
    RefusalCode.LINK_OVER: _("This link has been used already, or has ended."),
    RefusalCode.SEAT_TAKEN: _(
        "Another phone is that of this seat. Whoever shows the code can free it."
    ),
    RefusalCode.ONLY_MEMBERS: _("A link for everybody makes members and nothing more."),
    RefusalCode.UNKNOWN_SCOPE: OTHERWISE,
    # people
    RefusalCode.LAST_OWNER: _("A club keeps one owner. Make somebody else an owner first."),
    RefusalCode.ANONYMOUS: _("This person is anonymous for good."),
    RefusalCode.HAS_ACCOUNT: _("Somebody has this person's account already."),
    RefusalCode.ALREADY_CLAIMED: _(
        "This account is another person of the club. An owner can put the two together."
    ),
    RefusalCode.IS_MERGED: _("This row belongs to somebody else now. Take the two apart first."),
    RefusalCode.ONE_IS_HIDDEN: _(
        "One of the two is hidden or anonymous, the other is not. Make them alike."
    ),
    RefusalCode.SAT_TOGETHER: _("They sat at one table ({day}), so they are two people."),
    # seasons
    RefusalCode.SEASON_CLOSED: _("This season is closed. Open it again first."),
    RefusalCode.SEASON_OPEN: _("This season is not closed."),
    # game nights
    RefusalCode.EVENING_OVER: _("This evening has ended. Take it up again first."),
    RefusalCode.HAS_BEGUN: _("Tables of this evening were opened already, so this stays as it is."),
    RefusalCode.HERE_ALREADY: _("This person is here already."),
    RefusalCode.NOT_HERE: _("This person is not here."),
    RefusalCode.NO_TEAMS: _(
        "By these rules everybody plays alone; choose rules with teams for pairs."
    ),
    RefusalCode.TOO_FEW: _("{count} people are here; a table takes {needed}."),
    RefusalCode.PARTS_A_PAIR: _("That would part a pair: partners sit opposite and move together."),
    RefusalCode.PEOPLE_CHANGED: _("Somebody came or went since this draw. Draw the seats again."),
    RefusalCode.NOTHING_DRAWN: _("No seats are drawn yet."),
    RefusalCode.TABLES_PLAY: _(
        "{count} of its tables still play. Finish their matches first, or break them off."
    ),
}
_ALL = {**PROBLEMS, **REFUSALS}
_POINTS = {"expected", "found", "low", "high"}
"""Numbers that are points in the sentences of `_SUMS`."""

_SUMS = {ProblemCode.WRONG_SUM, ProblemCode.OUT_OF_REACH}


def sentence(problem: Problem, overrides: Mapping[Code, Words] | None = None) -> SafeString:
    """Return the sentence for a problem, with its numbers.

    Signed numbers are isolated from right-to-left text. A missing reason is asked for by name,
    since a line above the form does not show which field is meant."""
    text = (overrides or {}).get(problem.code) or _ALL.get(problem.code, OTHERWISE)
    if (problem.code, problem.field) == (ProblemCode.MISSING, "reason"):
        text = WHY
    return format_html(str(text), **_details(problem))


def validation_error(code: Code, **numbers: Detail) -> ValidationError:
    """Return the error of a form that finds a problem before the service does."""
    return ValidationError(sentence(Problem(code, "", numbers)), code=code)


def problem_sentences(problems: Iterable[Problem]) -> list[tuple[str, str]]:
    """Return the codes and sentences of problems that are shown above a form."""
    return [(problem.code, sentence(problem)) for problem in problems]


def show_refusal(
    form: forms.BaseForm, problems: Iterable[Problem], fields: Mapping[str, str]
) -> None:
    """Add each problem to its field, or to the form.

    `fields` maps the service's field names to the form's."""
    for problem in problems:
        field = fields.get(problem.field, problem.field)
        error = ValidationError(sentence(problem), code=problem.code)
        form.add_error(field if field in form.fields else None, error)


def _details(problem: Problem) -> dict[str, Any]:
    """Return the values that a sentence can use.

    A day comes as 2026-11-30, a moment (`at`) in ISO 8601; both become a day in words."""
    details: dict[str, Any] = {**problem.numbers, "code": problem.code}
    if "day" in details:
        details["day"] = moments.calendar_day(date.fromisoformat(details["day"]))
    if "at" in details:
        details["day"] = moments.day(datetime.fromisoformat(details["at"]))
    if problem.code == ProblemCode.CONTRACT_USED:
        details["contracts"] = words.listed(words.contract(each) for each in details["contracts"])
    if problem.code in _SUMS:
        details |= {name: _isolated(details[name]) for name in _POINTS & details.keys()}
    return details


def _isolated(points: int) -> SafeString:
    """Return points with their sign, in an order that right-to-left text does not change."""
    return format_html('<bdi class="num" dir="ltr">{}</bdi>', words.signed(points))
