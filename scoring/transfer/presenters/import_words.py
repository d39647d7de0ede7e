"""What is wrong with a file of matches, in words: one sentence for each code, and where it is.

Plain text, for pages and for a terminal. Whatever came out of the file is isolated, so that it
turns no sentence around, and what cannot be seen is replaced.
"""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.common import words
from scoring.importing.faults import Fault, Note, Place
from scoring.rules import Problem
from scoring.transfer.queries.imports import PlannedMatch, Status

ISOLATE, END = "\u2068", "\u2069"
LONGEST = 80
MEGABYTE = 1_000_000
_DATE = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?")


def isolated(value: object) -> str:
    """Something from the file inside a sentence."""
    text = "".join(each if each.isprintable() else "�" for each in str(value)[:LONGEST])
    return f"{ISOLATE}{text}{END}"


def where(fault: Fault) -> str:
    """Line, column or cell, and the deal."""
    parts = [place_words(fault.place), deal_words(fault.deal)]
    return gettext(", ").join(part for part in parts if part)


def place_words(place: Place) -> str:
    if place.cell:
        cell = gettext("cell {cell}").format(cell=isolated(place.cell))
        return _with_heading(cell, place)
    if not place.line:
        return ""
    if not place.column:
        return gettext("line {line}").format(line=place.line)
    text = gettext("line {line}, column {column}").format(line=place.line, column=place.column)
    return _with_heading(text, place)


def deal_words(deal: int | None) -> str:
    return gettext("deal {number}").format(number=deal) if deal is not None else ""


def sentence(fault: Fault, names: Sequence[str] = ()) -> str:
    """What is wrong, for people who know their file; `names` are the four of the match."""
    problem = fault.problem
    if problem.code == "missing" and fault.place.heading:
        return _blank(fault.place.heading)
    if say := SAID.get(problem.code):
        return say(problem, names)
    text = PLAIN.get(problem.code)
    if text is None:
        return gettext("This is refused ({code}).").format(code=problem.code)
    numbers = {name: _shown(value) for name, value in problem.numbers.items()}
    return dates_isolated(str(text)).format(**{"field": isolated(problem.field), **numbers})


def dates_isolated(text: str) -> str:
    """Behind Arabic letters a date would be shown day first."""
    return _DATE.sub(lambda found: isolated(found[0]), text)


def note_words(note: Note) -> str:
    """What was passed over."""
    names = gettext(", ").join(isolated(name) for name in note.names)
    return str(NOTES[note.code]).format(names=names)


def _with_heading(text: str, place: Place) -> str:
    return f"{text} ({isolated(place.heading)})" if place.heading else text


def _shown(value: Any) -> str:
    """A number or a text of a problem, several with commas between."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return gettext(", ").join(_shown(each) for each in value)
    return isolated(words.signed(value) if isinstance(value, int) and value < 0 else value)


def _name(problem: Problem, names: Sequence[str], key: str = "seat") -> str:
    seat = problem.numbers.get(key)
    return isolated(names[seat] if isinstance(seat, int) and seat < len(names) else "?")


def _found(problem: Problem) -> str:
    return isolated(problem.numbers.get("found", ""))


# -- sentences that need more than numbers


def _missing(problem: Problem, names: Sequence[str]) -> str:
    key = problem.field.split(".")[0]
    if question := words.QUESTIONS.get(key):
        return gettext("Not said: {question}").format(question=question)
    return _blank(problem.field)


def _blank(field: str) -> str:
    return gettext("Nothing is filled in for {field}.").format(field=isolated(field))


def _bad_seat(problem: Problem, names: Sequence[str]) -> str:
    if "found" not in problem.numbers:
        return gettext("This is none of the four seats.")
    text = gettext("{found} is none of the four players.")
    return text.format(found=_found(problem))


def _bad_counts(problem: Problem, names: Sequence[str]) -> str:
    if "found" in problem.numbers:
        return gettext("{found} is not a count that can be here.").format(found=_found(problem))
    return gettext("Four whole numbers from 0 on are needed here, one for each player.")


def _wrong_total(problem: Problem, names: Sequence[str]) -> str:
    expected = words.counted(problem.field, _number(problem, "expected"))
    text = gettext("{expected} exist, {found} are given.")
    return text.format(expected=expected, found=problem.numbers["found"])


def _unknown_contract(problem: Problem, names: Sequence[str]) -> str:
    if name := problem.numbers.get("name"):
        text = gettext("There is no contract {name} in this game.")
        return text.format(name=isolated(name))
    return gettext("There is no such contract in this game.")


def _contract_used(problem: Problem, names: Sequence[str]) -> str:
    used = problem.numbers.get("contracts")
    key = "+".join(map(str, used)) if isinstance(used, Sequence) else ""
    text = gettext("{name} has played {contract} already.")
    return text.format(name=_name(problem, names), contract=words.contract(key))


def _not_this_contract(problem: Problem, names: Sequence[str]) -> str:
    open_now = problem.numbers.get("contracts")
    keys = list(open_now) if isinstance(open_now, Sequence) else []
    contracts = gettext(", ").join(words.contract(str(key)) for key in keys)
    text = gettext("{name} cannot play this now. Open: {contracts}.")
    return text.format(name=_name(problem, names), contracts=contracts or "–")


def _impossible(problem: Problem, names: Sequence[str]) -> str:
    if "lacks" in problem.numbers:
        text = gettext("{name} took none of the {items}, so it cannot be {name}.")
        items = words.contract(str(problem.numbers["lacks"]))
        return text.format(name=_name(problem, names), items=items)
    return gettext("This cannot have happened together with the rest of the deal.")


def _points(text: str | Promise) -> Callable[[Problem, Sequence[str]], str]:
    def say(problem: Problem, names: Sequence[str]) -> str:
        expected, found = problem.numbers["expected"], problem.numbers["found"]
        assert isinstance(expected, list)
        assert isinstance(found, list)
        return str(text).format(expected=_four(expected, names), found=_four(found, names))

    return say


def _four(points: Sequence[Any], names: Sequence[str]) -> str:
    """Each player's points."""
    known = len(names) == len(points)
    parts = [
        f"{isolated(names[seat])} {isolated(words.signed(int(each)))}"
        if known
        else isolated(words.signed(int(each)))
        for seat, each in enumerate(points)
    ]
    return gettext(", ").join(parts)


def _taken(problem: Problem, names: Sequence[str]) -> str:
    text = gettext(
        "Number {number} belongs to another match of the club: {here_day}, {here}. In the file it "
        "is {day}, {there}. Give the match of the file another number."
    )
    shown = {key: _shown(problem.numbers[key]) for key in ("number", "here_day", "day")}
    people = {"here": problem.numbers["here_names"], "there": problem.numbers["names"]}
    return text.format(**shown, **{key: _shown(value) for key, value in people.items()})


def _megabytes(text: str | Promise) -> Callable[[Problem, Sequence[str]], str]:
    def say(problem: Problem, names: Sequence[str]) -> str:
        found, limit = _number(problem, "bytes"), _number(problem, "limit")
        return str(text).format(found=-(-found // MEGABYTE), limit=limit // MEGABYTE)

    return say


def _too_many_deals(problem: Problem, names: Sequence[str]) -> str:
    limit = _number(problem, "limit")
    text = ngettext(
        "More than {limit} deal. Split the file, or let whoever runs this server import it: {how}",
        "More than {limit} deals. Split the file, or let whoever runs this server import it: {how}",
        limit,
    )
    return text.format(limit=limit, how=isolated("manage.py import_matches"))


WHAT_IS_LOST: dict[str, Promise] = {
    "voided": _("that it was voided"),
    "not_finished": _("that it is not finished"),
    "substitutes": _("substitutes"),
    "penalties": _("penalties and bonuses"),
    "sums": _("sums from a paper sheet"),
    "namesakes": _("people who have the same name"),
    "hidden": _("hidden people"),
}


def _only_in_club_file(problem: Problem, names: Sequence[str]) -> str:
    what = problem.numbers["what"]
    assert isinstance(what, list)
    listed = gettext(", ").join(str(WHAT_IS_LOST[str(each)]) for each in what)
    text = gettext("A table cannot hold this: {what}. Import the club file instead: {how}")
    return text.format(what=listed, how=isolated("manage.py import_club"))


def _number(problem: Problem, key: str) -> int:
    value = problem.numbers.get(key)
    return value if isinstance(value, int) else 0


def how_otherwise(planned: PlannedMatch, day: Callable[[datetime], str]) -> str:
    """How a match that is here already is otherwise in the file; `day` writes a day."""
    if planned.status == Status.DIFFERS:
        return gettext("Its deals here are not those of the file; they stay as they are.")
    if planned.status == Status.MOVED and planned.here_at:
        text = gettext("Same people and deals, but played on {day} here.")
        return text.format(day=isolated(day(planned.here_at)))
    return ""


SAID: dict[str, Callable[[Problem, Sequence[str]], str]] = {
    "missing": _missing,
    "bad_seat": _bad_seat,
    "bad_counts": _bad_counts,
    "wrong_total": _wrong_total,
    "unknown_contract": _unknown_contract,
    "contract_used": _contract_used,
    "not_this_contract": _not_this_contract,
    "impossible": _impossible,
    "wrong_points": _points(_("The file says {found}; by the rules it is {expected}.")),
    "wrong_running": _points(_("The totals go wrong here: {found}, but it adds up to {expected}.")),
    "wrong_match_total": _points(
        _("The file says in all {found}; the deals add up to {expected}.")
    ),
    "too_big": _megabytes(_("{found} MB are too much; {limit} MB fit.")),
    "too_big_unpacked": _megabytes(
        _("The workbook unpacks to {found} MB, which is too much; {limit} MB fit.")
    ),
    "too_many_deals": _too_many_deals,
    "only_in_club_file": _only_in_club_file,
    "id_taken": _taken,
}
PLAIN: dict[str, Promise] = {
    # the file
    "empty_file": _("There is nothing in this file."),
    "no_matches": _("There are no matches in it."),
    "no_rows": _("There are headings, but no deals below them."),
    "wrong_kind": _("This is not a file of matches ({found}). JSON, CSV and .xlsx can be read."),
    "old_workbook": _("This is an old .xls workbook. Save it as .xlsx or CSV."),
    "password": _("This file has a password. Save it without one."),
    "macros": _("This workbook holds macros. Save it as plain .xlsx or CSV."),
    "broken_file": _("This workbook is damaged and cannot be read."),
    "wrong_encoding": _("This text is not UTF-8. Save it as “CSV UTF-8”."),
    "not_json": _("This is no JSON, from here: {found}"),
    "key_twice": _("{found} is said twice in one place of this match. Leave one of them out."),
    "not_a_match": _("This is no match: a match has players and deals."),
    "broken_quotes": _("Quotation marks are open or in the wrong place from here on."),
    "long_cell": _("There is far too much text in one cell."),
    "missing_column": _("Columns are missing: {columns}."),
    "column_twice": _("The column {column} is there twice."),
    "too_many_columns": _("More than {limit} columns."),
    "too_many_sheets": _("{found} sheets are too many; {limit} fit."),
    "too_many_cells": _(
        "There is far too much in this workbook. Copy the rows of the deals into a new one."
    ),
    "too_many_rows": _("More rows than a sheet can have."),
    # a cell
    "formula": _("A formula. Put in its value instead."),
    "cell_error": _("An error of the spreadsheet: {found}."),
    "bad_number": _("{found} is not a whole number."),
    "bad_points": _("Four whole numbers are needed here, one for each player."),
    "bad_date": _("{found} is not a date. Write it like 2026-11-12 20:15."),
    "two_dates": _(
        "{found} can be {day} or {month}. Say whether the day or the month comes first."
    ),
    "other_order": _(
        "{found}: in the other dates of this file day and month are the other way round."
    ),
    "in_the_future": _("{found} is still to come."),
    "bad_options": _("The options cannot be read. Write them like teams = opposite."),
    "bad_text": _("There are signs in it that cannot be kept."),
    "not_yes_or_no": _("{found} is neither yes nor no."),
    "cells_without_heading": _("The row is longer than the headings: a value holds the separator?"),
    "cell_without_heading": _(
        "{found} is in a column without a heading. Clear the cell, or give the column a heading."
    ),
    "differs": _("{found}: in the first row of this match it is something else."),
    # the match
    "four_players": _("A match needs four names."),
    "no_deals": _("A match without deals."),
    "no_deal": _("This is no deal."),
    "unknown_preset": _("There are no rules called {found}. Known are: {presets}."),
    "unknown_system": _("There is no such game. Known are: levant, kleshchi, barbu."),
    "unknown_option": _("There is no option {field}."),
    "bad_option_value": _("The option {field} cannot be that."),
    "impossible_options": _("The option {field} does not go together with {with}."),
    "wrong_number": _("Deal {expected} is missing; here comes {found}."),
    "deal_twice": _("Deal {found} is there twice."),
    "match_over": _("The match is over by here: it has {deals} deals."),
    "id_twice": _("Another match of this file has the same id, and other deals."),
    "unknown_club": _("There is no club {found} here. Name one with --club."),
    "no_club": _("The file names no club. Name one with --club."),
    # people
    "same_person": _("{name} sits here twice."),
    "two_of_one_name": _(
        "Two players of this match are called {name}. Write the number of the seat, 1 to 4, "
        "instead of the name."
    ),
    "namesakes": _(
        "Several people of the club are called {name}. Write the name with its number, as in the"
        " list of players."
    ),
    "too_long": _("{length} characters are too many; {limit} fit."),
    # the deal
    "chooser_missing": _("It is not said who chooses."),
    "not_a_permutation": _("Each of the four must go out once."),
    "unknown_card": _("There is no such card in this deal."),
    "unknown_fact": _("{found} means nothing in a deal."),
    "doubled_twice": _("One card is doubled twice."),
    "not_doublable": _("This card cannot be doubled here."),
    "option_off": _("The rules of this match do not have this."),
    "not_combinable": _("These contracts cannot be played together."),
    "trick_leader_missing": _("It is not said who led the trick in which this card fell."),
    "wrong_loser": _("By the cards it was somebody else."),
}
NOTES: dict[str, Promise] = {
    "ignored_columns": _("Columns that mean nothing here and are left out: {names}."),
    "ignored_names": _("Names that mean nothing here and are left out: {names}."),
    "own_table": _(
        "A table exported by trexscore: it holds players, deals and points. Rulings, signatures,"
        " corrections, card records, photos, game nights and names of rules are only in the club"
        " file."
    ),
    "left_out_rows": _("Rows without a deal (titles, headings, totals) are left out: {names}."),
    "nobodies": _("Not the name of a person, so each becomes a guest of its match: {names}."),
    "alike": _("One person written in two ways? They come in as two: {names}."),
    "other_sheets": _("Other sheets of the workbook are not read: {names}."),
    "other_club": _("The file says that these matches were played in: {names}."),
}
