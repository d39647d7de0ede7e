"""Sentences for the problems of a file of matches, and labels of their places.

Plain text, for pages and for a terminal. Text from the file is isolated, so that it does not change
the direction of a sentence, and unprintable characters are replaced.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.common import words
from scoring.importing.faults import Fault, FaultCode, Note, Place
from scoring.rules import Problem, ProblemCode
from scoring.rules.problems import Code
from scoring.transfer.queries.imports import ImportStatus, PlannedMatch

ISOLATE, END = "\u2068", "\u2069"
LONGEST = 80
MEGABYTE = 1_000_000
_DATE = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?")


def isolate(value: object) -> str:
    """Return text from the file, shortened, for the inside of a sentence."""
    text = "".join(each if each.isprintable() else "�" for each in str(value)[:LONGEST])
    return f"{ISOLATE}{text}{END}"


def fault_place(fault: Fault) -> str:
    """Return line, column or cell, and the deal."""
    parts = [place_label(fault.place), deal_label(fault.deal)]
    return gettext(", ").join(part for part in parts if part)


def place_label(place: Place) -> str:
    if place.cell:
        cell = gettext("cell {cell}").format(cell=isolate(place.cell))
        return _with_heading(cell, place)
    if not place.line:
        return ""
    if not place.column:
        return gettext("line {line}").format(line=place.line)
    text = gettext("line {line}, column {column}").format(line=place.line, column=place.column)
    return _with_heading(text, place)


def deal_label(deal: int | None) -> str:
    return gettext("deal {number}").format(number=deal) if deal is not None else ""


def fault_sentence(fault: Fault, names: Sequence[str] = ()) -> str:
    """Return what is wrong; `names` are the four players of the match."""
    problem = fault.problem
    if problem.code == ProblemCode.MISSING and fault.place.heading:
        return _blank(fault.place.heading)
    if sentence_of := SENTENCE_FUNCTIONS.get(problem.code):
        return sentence_of(problem, names)
    text = SENTENCES.get(problem.code)
    if text is None:
        return gettext("This is refused ({code}).").format(code=problem.code)
    numbers = {name: _isolated_text(value) for name, value in problem.numbers.items()}
    return isolate_dates(str(text)).format(**{"field": isolate(problem.field), **numbers})


def isolate_dates(text: str) -> str:
    """Isolate dates: behind Arabic letters they would be shown day first."""
    return _DATE.sub(lambda found: isolate(found[0]), text)


def note_sentence(note: Note) -> str:
    """Return what was left out of the import."""
    names = gettext(", ").join(isolate(name) for name in note.names)
    return str(NOTES[note.code]).format(names=names)


def _with_heading(text: str, place: Place) -> str:
    return f"{text} ({isolate(place.heading)})" if place.heading else text


def _isolated_text(value: Any) -> str:
    """Return a number or text of a problem; several are separated by commas."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return gettext(", ").join(_isolated_text(each) for each in value)
    return isolate(words.signed(value) if isinstance(value, int) and value < 0 else value)


def _name(problem: Problem, names: Sequence[str], key: str = "seat") -> str:
    seat = problem.numbers.get(key)
    return isolate(names[seat] if isinstance(seat, int) and seat < len(names) else "?")


def _found_text(problem: Problem) -> str:
    return isolate(problem.numbers.get("found", ""))


# -- sentences with more than numbers


def _missing(problem: Problem, names: Sequence[str]) -> str:
    key = problem.field.split(".")[0]
    if question := words.QUESTIONS.get(key):
        return gettext("Not said: {question}").format(question=question)
    return _blank(problem.field)


def _blank(field: str) -> str:
    return gettext("Nothing is filled in for {field}.").format(field=isolate(field))


def _bad_seat(problem: Problem, names: Sequence[str]) -> str:
    if "found" not in problem.numbers:
        return gettext("This is none of the four seats.")
    text = gettext("{found} is none of the four players.")
    return text.format(found=_found_text(problem))


def _bad_counts(problem: Problem, names: Sequence[str]) -> str:
    if "found" in problem.numbers:
        return gettext("{found} is not a count that can be here.").format(
            found=_found_text(problem)
        )
    return gettext("Four whole numbers from 0 on are needed here, one for each player.")


def _wrong_total(problem: Problem, names: Sequence[str]) -> str:
    expected = words.counted(problem.field, _number(problem, "expected"))
    text = gettext("{expected} exist, {found} are given.")
    return text.format(expected=expected, found=problem.numbers["found"])


def _unknown_contract(problem: Problem, names: Sequence[str]) -> str:
    if name := problem.numbers.get("name"):
        text = gettext("There is no contract {name} in this game.")
        return text.format(name=isolate(name))
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
    def sentence_of(problem: Problem, names: Sequence[str]) -> str:
        expected, found = problem.numbers["expected"], problem.numbers["found"]
        assert isinstance(expected, list)
        assert isinstance(found, list)
        return str(text).format(expected=_four(expected, names), found=_four(found, names))

    return sentence_of


def _four(points: Sequence[Any], names: Sequence[str]) -> str:
    """Return each player's points."""
    known = len(names) == len(points)
    parts = [
        f"{isolate(names[seat])} {isolate(words.signed(int(each)))}"
        if known
        else isolate(words.signed(int(each)))
        for seat, each in enumerate(points)
    ]
    return gettext(", ").join(parts)


def _id_taken(problem: Problem, names: Sequence[str]) -> str:
    text = gettext(
        "Number {number} belongs to another match of the club: {here_day}, {here}. In the file it "
        "is {day}, {there}. Give the match of the file another number."
    )
    shown = {key: _isolated_text(problem.numbers[key]) for key in ("number", "here_day", "day")}
    people = {"here": problem.numbers["here_names"], "there": problem.numbers["names"]}
    return text.format(**shown, **{key: _isolated_text(value) for key, value in people.items()})


def _megabytes(text: str | Promise) -> Callable[[Problem, Sequence[str]], str]:
    def sentence_of(problem: Problem, names: Sequence[str]) -> str:
        found, limit = _number(problem, "bytes"), _number(problem, "limit")
        return str(text).format(found=-(-found // MEGABYTE), limit=limit // MEGABYTE)

    return sentence_of


def _too_many_deals(problem: Problem, names: Sequence[str]) -> str:
    limit = _number(problem, "limit")
    text = ngettext(
        "More than {limit} deal. Split the file, or let whoever runs this server import it: {how}",
        "More than {limit} deals. Split the file, or let whoever runs this server import it: {how}",
        limit,
    )
    return text.format(limit=limit, how=isolate("manage.py import_matches"))


NOT_CARRIED: dict[str, Promise] = {
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
    listed = gettext(", ").join(str(NOT_CARRIED[str(each)]) for each in what)
    text = gettext("A table cannot hold this: {what}. Import the club file instead: {how}")
    return text.format(what=listed, how=isolate("manage.py import_club"))


def _number(problem: Problem, key: str) -> int:
    value = problem.numbers.get(key)
    return value if isinstance(value, int) else 0


def difference_sentence(planned: PlannedMatch, day: Callable[[datetime], str]) -> str:
    """Return how a known match differs from the file; `day` formats a day."""
    if planned.status == ImportStatus.DIFFERS:
        return gettext("Its deals here are not those of the file; they stay as they are.")
    if planned.status == ImportStatus.MOVED and planned.stored_played_at:
        text = gettext("Same people and deals, but played on {day} here.")
        return text.format(day=isolate(day(planned.stored_played_at)))
    return ""


SENTENCE_FUNCTIONS: Mapping[Code, Callable[[Problem, Sequence[str]], str]] = {
    ProblemCode.MISSING: _missing,
    ProblemCode.BAD_SEAT: _bad_seat,
    ProblemCode.BAD_COUNTS: _bad_counts,
    ProblemCode.WRONG_TOTAL: _wrong_total,
    ProblemCode.UNKNOWN_CONTRACT: _unknown_contract,
    ProblemCode.CONTRACT_USED: _contract_used,
    ProblemCode.NOT_THIS_CONTRACT: _not_this_contract,
    ProblemCode.IMPOSSIBLE: _impossible,
    FaultCode.WRONG_POINTS: _points(_("The file says {found}; by the rules it is {expected}.")),
    FaultCode.WRONG_RUNNING: _points(
        _("The totals go wrong here: {found}, but it adds up to {expected}.")
    ),
    FaultCode.WRONG_MATCH_TOTAL: _points(
        _("The file says in all {found}; the deals add up to {expected}.")
    ),
    FaultCode.TOO_BIG: _megabytes(_("{found} MB are too much; {limit} MB fit.")),
    FaultCode.TOO_BIG_UNPACKED: _megabytes(
        _("The workbook unpacks to {found} MB, which is too much; {limit} MB fit.")
    ),
    FaultCode.TOO_MANY_DEALS: _too_many_deals,
    FaultCode.ONLY_IN_CLUB_FILE: _only_in_club_file,
    FaultCode.ID_TAKEN: _id_taken,
}
SENTENCES: Mapping[Code, Promise] = {
    # the file
    FaultCode.EMPTY_FILE: _("There is nothing in this file."),
    FaultCode.NO_MATCHES: _("There are no matches in it."),
    FaultCode.NO_ROWS: _("There are headings, but no deals below them."),
    FaultCode.WRONG_KIND: _(
        "This is not a file of matches ({found}). JSON, CSV and .xlsx can be read."
    ),
    FaultCode.OLD_WORKBOOK: _("This is an old .xls workbook. Save it as .xlsx or CSV."),
    FaultCode.PASSWORD: _("This file has a password. Save it without one."),
    FaultCode.MACROS: _("This workbook holds macros. Save it as plain .xlsx or CSV."),
    FaultCode.BROKEN_FILE: _("This workbook is damaged and cannot be read."),
    FaultCode.WRONG_ENCODING: _("This text is not UTF-8. Save it as “CSV UTF-8”."),
    FaultCode.NOT_JSON: _("This is no JSON, from here: {found}"),
    FaultCode.KEY_TWICE: _(
        "{found} is said twice in one place of this match. Leave one of them out."
    ),
    FaultCode.NOT_A_MATCH: _("This is no match: a match has players and deals."),
    FaultCode.BROKEN_QUOTES: _("Quotation marks are open or in the wrong place from here on."),
    FaultCode.LONG_CELL: _("There is far too much text in one cell."),
    FaultCode.MISSING_COLUMN: _("Columns are missing: {columns}."),
    FaultCode.COLUMN_TWICE: _("The column {column} is there twice."),
    FaultCode.TOO_MANY_COLUMNS: _("More than {limit} columns."),
    FaultCode.TOO_MANY_SHEETS: _("{found} sheets are too many; {limit} fit."),
    FaultCode.TOO_MANY_CELLS: _(
        "There is far too much in this workbook. Copy the rows of the deals into a new one."
    ),
    FaultCode.TOO_MANY_ROWS: _("More rows than a sheet can have."),
    # a cell
    FaultCode.FORMULA: _("A formula. Put in its value instead."),
    FaultCode.CELL_ERROR: _("An error of the spreadsheet: {found}."),
    FaultCode.BAD_NUMBER: _("{found} is not a whole number."),
    FaultCode.BAD_POINTS: _("Four whole numbers are needed here, one for each player."),
    FaultCode.BAD_DATE: _("{found} is not a date. Write it like 2026-11-12 20:15."),
    FaultCode.TWO_DATES: _(
        "{found} can be {day} or {month}. Say whether the day or the month comes first."
    ),
    FaultCode.OTHER_ORDER: _(
        "{found}: in the other dates of this file day and month are the other way round."
    ),
    FaultCode.IN_THE_FUTURE: _("{found} is still to come."),
    FaultCode.BAD_OPTIONS: _("The options cannot be read. Write them like teams = opposite."),
    FaultCode.BAD_TEXT: _("There are signs in it that cannot be kept."),
    FaultCode.NOT_YES_OR_NO: _("{found} is neither yes nor no."),
    FaultCode.CELLS_WITHOUT_HEADING: _(
        "The row is longer than the headings: a value holds the separator?"
    ),
    FaultCode.CELL_WITHOUT_HEADING: _(
        "{found} is in a column without a heading. Clear the cell, or give the column a heading."
    ),
    FaultCode.DIFFERS: _("{found}: in the first row of this match it is something else."),
    # the match
    FaultCode.FOUR_PLAYERS: _("A match needs four names."),
    FaultCode.NO_DEALS: _("A match without deals."),
    FaultCode.NO_DEAL: _("This is no deal."),
    FaultCode.UNKNOWN_PRESET: _("There are no rules called {found}. Known are: {presets}."),
    ProblemCode.UNKNOWN_SYSTEM: _("There is no such game. Known are: levant, kleshchi, barbu."),
    ProblemCode.UNKNOWN_OPTION: _("There is no option {field}."),
    ProblemCode.BAD_OPTION_VALUE: _("The option {field} cannot be that."),
    ProblemCode.IMPOSSIBLE_OPTIONS: _("The option {field} does not go together with {with}."),
    ProblemCode.WRONG_NUMBER: _("Deal {expected} is missing; here comes {found}."),
    FaultCode.DEAL_TWICE: _("Deal {found} is there twice."),
    ProblemCode.MATCH_OVER: _("The match is over by here: it has {deals} deals."),
    FaultCode.ID_TWICE: _("Another match of this file has the same id, and other deals."),
    FaultCode.UNKNOWN_CLUB: _("There is no club {found} here. Name one with --club."),
    FaultCode.NO_CLUB: _("The file names no club. Name one with --club."),
    # people
    FaultCode.SAME_PERSON: _("{name} sits here twice."),
    FaultCode.TWO_OF_ONE_NAME: _(
        "Two players of this match are called {name}. Write the number of the seat, 1 to 4, "
        "instead of the name."
    ),
    FaultCode.NAMESAKES: _(
        "Several people of the club are called {name}. Write the name with its number, as in the"
        " list of players."
    ),
    FaultCode.TOO_LONG: _("{length} characters are too many; {limit} fit."),
    # the deal
    ProblemCode.CHOOSER_MISSING: _("It is not said who chooses."),
    ProblemCode.NOT_A_PERMUTATION: _("Each of the four must go out once."),
    ProblemCode.UNKNOWN_CARD: _("There is no such card in this deal."),
    FaultCode.UNKNOWN_FACT: _("{found} means nothing in a deal."),
    ProblemCode.DOUBLED_TWICE: _("One card is doubled twice."),
    ProblemCode.NOT_DOUBLABLE: _("This card cannot be doubled here."),
    ProblemCode.OPTION_OFF: _("The rules of this match do not have this."),
    ProblemCode.NOT_COMBINABLE: _("These contracts cannot be played together."),
    ProblemCode.TRICK_LEADER_MISSING: _(
        "It is not said who led the trick in which this card fell."
    ),
    ProblemCode.WRONG_LOSER: _("By the cards it was somebody else."),
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
