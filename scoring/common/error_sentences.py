"""A refusal of a service, said at the field of the form that it is about."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.common import moments
from scoring.rules import Problem

SENTENCES: dict[str, Any] = {
    "missing": _("This is missing."),
    "too_long": _("%(length)s characters; %(limit)s fit."),
    "same_person": _("This person sits here already."),
    "unknown_player": _("Nobody of this club."),
    "bad_seat": _("Not one of the four seats."),
    "form_expired": _("This page was open for too long. Nothing was saved; please send it again."),
    "match_closed": _("This match is closed."),
    "stale": _("Someone else saved first. Look again, then send it."),
    "taken": _("This name is taken."),
    "too_many": _("%(limit)s are enough; delete one first."),
    "bad_date": _("So far away no season can be."),
    "in_future": _("This day has not begun yet."),
    "ends_before": _("It ends before it begins."),
    "season_closed": _("This season is closed. Open it again first."),
    "season_open": _("This season is not closed."),
    "gone": _("Somebody has deleted it meanwhile. Nothing was saved."),
    "option_off": _("The rules of this table do not have this."),
    "no_redeal": _("These cards are no reason to deal again."),
    "unknown_card": _("There is no such card in this deck."),
    "bad_counts": _("So many cannot be."),
    "not_this_contract": _("That contract cannot be chosen now."),
    "chooser_missing": _("Say first who chooses."),
    "match_over": _("Every deal of this match has been played."),
    "not_standing": _("That was taken back already."),
    "wrong_number": _("There is no such deal."),
    "unreadable": _("This cannot be read as a record. Nothing was saved."),
    "other_system": _("This is a record of another rule system than that of this match."),
    "already_attached": _("Already attached on %(day)s. Nothing was saved."),
    "too_many_plays": _("%(found)s plays are in it; no deal has more than %(limit)s."),
    "several_records": _(
        "There are %(found)s records in it, and not exactly one of this deal. Send that one alone."
    ),
    "not_text": _("This file is no text. A record is a .trex or .json file."),
    "photos_full": _("%(limit)s photos are enough for one deal. Take one back first."),
    "no_room": _("There is no room left on the disk of the server. Nothing was saved."),
    "last_owner": _("A club keeps one owner. Make somebody else an owner first."),
    "wrong_password": _("This name and this password do not belong together."),
    "too_many_attempts": _("Too many wrong passwords. Please wait a few minutes."),
    "no_arbiter": _("This match belongs to no club, so it has no arbiter."),
    "flags_full": _("%(limit)s flags are enough. The arbiter sees them."),
    "not_your_flag": _("Only whoever raised a flag can withdraw it."),
    "not_under_review": _("This is over already. A new flag opens it again."),
    "under_review": _("This is under review already."),
    "not_claimed_by_you": _("You have not taken this on."),
    "no_dispute": _("Nobody has flagged this deal."),
    "not_arbiter": _("This account is no arbiter of this club."),
    "no_such_link": _(
        "No table has this code, or it has ended. Ask for the one that is shown now."
    ),
    "often": _("That was often. Please wait a minute; what you typed stays."),
    "too_often": _("Too many wrong codes came from here. Please wait a minute."),
    "seat_taken": _("Another phone is that of this seat. Whoever shows the code can free it."),
    "match_voided": _("This match is void: nothing of it is flagged, signed or ruled on."),
    "no_such_unit": _("There is no such kingdom or round on the sheet."),
    "unit_open": _("It is not complete yet. It is signed once every deal of it is in."),
    "not_your_seat": _("This is not your seat on this phone."),
    "signed_for_another": _("This phone has signed here for another seat."),
    "signed_already": _("This seat has signed already."),
    "signed_off": _("This is settled: nothing of it is taken back any more."),
    "unknown_rule": _("There is no such rule."),
    "ruled": _("The arbiter has ruled on this deal. Only another ruling changes it."),
    "evening_over": _("This evening has ended. Take it up again first."),
    "tables_play": _(
        "%(count)s of its tables still play. Finish their matches first, or break them off."
    ),
    "too_few": _("%(count)s people are here; a table takes %(needed)s."),
    "too_few_pairs": _("Two pairs make a table, and there are not two yet."),
    "people_changed": _("Somebody came or went since this draw. Draw the seats again."),
    "nothing_drawn": _("No seats are drawn yet."),
    "parts_a_pair": _("That would part a pair: partners sit opposite and move together."),
    "not_here": _("This person is not here."),
    "here_already": _("This person is here already."),
    "has_begun": _("Tables of this evening were opened already, so this stays as it is."),
    "no_teams": _("By these rules everybody plays alone; choose rules with teams for pairs."),
    "link_over": _("This link has been used already, or has ended."),
    "only_members": _("A link for everybody makes members and nothing more."),
    "is_merged": _("This row belongs to somebody else now. Take the two apart first."),
    "one_is_hidden": _("One of the two is hidden or anonymous, the other is not. Make them alike."),
    "sat_together": _("They sat at one table (%(day)s), so they are two people."),
    "anonymous": _("This person is anonymous for good."),
    "has_account": _("Somebody has this person's account already."),
    "already_claimed": _(
        "This account is another person of the club. An owner can put the two together."
    ),
    "not_clubless": _("This match belongs to a club already."),
}
WHY = _("Please say why.")
OTHERWISE = _("This was refused (%(code)s). Nothing was saved.")


def show_refusal(
    form: forms.BaseForm, problems: Iterable[Problem], fields: Mapping[str, str]
) -> None:
    """Adds each problem to its field, or to the form; `fields` leads from the service's names of
    fields to the form's."""
    for problem in problems:
        field = fields.get(problem.field, problem.field)
        sentence = _sentence(problem)
        error = ValidationError(sentence, code=problem.code, params=_details(problem))
        form.add_error(field if field in form.fields else None, error)


def said(problems: Iterable[Problem]) -> list[tuple[str, str]]:
    """Codes and sentences of what belongs to no field."""
    return [(problem.code, _sentence(problem) % _details(problem)) for problem in problems]


def _sentence(problem: Problem) -> Any:
    """A reason is asked for by name: where this is said at the top, nothing else tells which field
    is meant."""
    if (problem.code, problem.field) == ("missing", "reason"):
        return WHY
    return SENTENCES.get(problem.code, OTHERWISE)


def _details(problem: Problem) -> dict[str, Any]:
    """Everything a sentence can name; a day comes as 2026-11-30, a moment
    (`at`) in the form of ISO 8601, and both go out as a day in words."""
    details: dict[str, Any] = {**problem.numbers, "code": problem.code}
    if "day" in details:
        details["day"] = moments.calendar_day(date.fromisoformat(details["day"]))
    if "at" in details:
        details["day"] = moments.day(datetime.fromisoformat(details["at"]))
    return details
