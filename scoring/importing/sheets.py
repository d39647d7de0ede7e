"""Raw matches from the rows of a table: one row a deal, the rows of a match together.

What holds for the whole match (who played, when, under which rules) stands in its first row; in the
others it may be repeated or left blank.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from scoring.importing import values
from scoring.importing.columns import BY_NAME, NEEDED, Column
from scoring.importing.csv_rows import TableRow
from scoring.importing.faults import (
    Fault,
    FaultCode,
    Note,
    Path,
    Place,
    Raw,
    Unreadable,
    file_fault,
)
from scoring.importing.limits import Limits
from scoring.importing.options_text import read_options_text
from scoring.importing.own_tables import LOST, OWN_COLUMNS, OWN_ID, unmarked
from scoring.rules.contracts import COMBINABLE
from scoring.rules.problems import Code, Problem, ProblemCode

MOST_TITLES = 20
"""Rows above the headings, at most."""

MOST_SHOWN = 20
FIRST = 1
COMPLEX = "king+queens+diamonds+tricks"
LONGEST_QUOTE = 40


@dataclass(frozen=True)
class TableHead:
    """The position of each known column; `ignored` are unknown headings."""

    columns: Mapping[int, Column]
    ignored: tuple[str, ...]
    width: int

    @property
    def is_own(self) -> bool:
        """Whether one of our exports wrote the table."""
        return OWN_ID in self.columns.values()

    def place(self, name: str) -> int:
        """Return the position of a column that is needed."""
        return next(place for place, column in self.columns.items() if column.name == name)


@dataclass
class _Draft:
    """A match that is being put together from rows."""

    first: TableRow
    data: dict[str, Any] = field(default_factory=dict)
    places: dict[Path, Place] = field(default_factory=dict)
    problems: list[tuple[Path, Problem]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    has_first_deal: bool = False
    is_ambiguous: bool = False

    def raw(self) -> Raw:
        """Return the match; without deals where names do not identify players."""
        if self.is_ambiguous:
            self.data["deals"] = []
        return Raw(self.data, self._find, tuple(self.problems))

    def _find(self, paths: Collection[Path]) -> Mapping[Path, Place]:
        return {path: self._nearest(path) for path in paths}

    def _nearest(self, path: Path) -> Place:
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, self.first.place(0))


def raw_matches(rows: Iterable[TableRow | Note], limits: Limits) -> Iterator[Raw | Note]:
    """Yield the matches of a table; raises `Unreadable` where nothing of it can be imported."""
    head: TableHead | None = None
    draft: _Draft | None = None
    above: list[TableRow] = []
    left_out: list[int] = []
    deals = 0
    for each in rows:
        row = _as_written(each, head)
        if isinstance(row, Note):
            yield row
        elif head is None:
            above.append(row)
            if _missing(row) and len(above) <= MOST_TITLES:
                continue
            head = read_head(_likest_head(above))
            left_out += [each.line for each in above[:-1]]
            if head.ignored:
                yield Note("ignored_columns", head.ignored)
            if head.is_own:
                yield Note("own_table", ())
        elif _holds_no_deal(row, head):
            left_out.append(row.line)
            _insist_on_limit(len(left_out), row, limits)
        else:
            deals += 1
            _insist_on_limit(deals, row, limits)
            if draft is None or not _goes_on(draft, row, head):
                if draft is not None:
                    yield draft.raw()
                draft = _begun(row, head)
            _add_row(draft, row, head)
    if draft is None:
        raise Unreadable(_no_deals(head, above))
    yield draft.raw()
    if left_out:
        yield Note("left_out_rows", _numbers(left_out))


def _insist_on_limit(rows: int, row: TableRow, limits: Limits) -> None:
    if rows > limits.deals:
        raise Unreadable(file_fault(FaultCode.TOO_MANY_DEALS, row.place(0), limit=limits.deals))


def _as_written(row: TableRow | Note, head: TableHead | None) -> TableRow | Note:
    """Return a row of our own export without the marks against formulas."""
    if isinstance(row, Note) or row.is_workbook or head is None or not head.is_own:
        return row
    return row._replace(cells=[unmarked(cell) for cell in row.cells])


def _no_deals(head: TableHead | None, above: Sequence[TableRow]) -> Fault:
    """Return why a table has no deals."""
    if not above:
        return file_fault(FaultCode.EMPTY_FILE)
    if head is None:
        read_head(_likest_head(above))
    return file_fault(FaultCode.NO_ROWS, above[-1].place(0))


def _numbers(lines: Sequence[int]) -> tuple[str, ...]:
    """Return the first line numbers as text."""
    shown = tuple(map(str, lines[:MOST_SHOWN]))
    return (*shown, "…") if len(lines) > MOST_SHOWN else shown


# -- the headings


def _missing(row: TableRow) -> list[str]:
    """Return needed columns that have no heading in this row."""
    found = {values.heading(cell) for cell in row.cells}
    return [name for name in NEEDED if name not in found]


def _likest_head(rows: Sequence[TableRow]) -> TableRow:
    """Return the row most like headings; a title may be above them."""
    return min(rows, key=lambda row: len(_missing(row)))


def read_head(row: TableRow) -> TableHead:
    """Return the headings.

    Every needed column must be there, and none twice."""
    if missing := _missing(row):
        raise Unreadable(file_fault(FaultCode.MISSING_COLUMN, row.place(0), columns=missing))
    names = [values.heading(cell) for cell in row.cells]
    known = BY_NAME | OWN_COLUMNS
    columns = {place: known[name] for place, name in enumerate(names) if name in known}
    found = [column.name for column in columns.values()]
    for place, column in columns.items():
        if column.name in found[: found.index(column.name)] or found.count(column.name) > 1:
            raise Unreadable(
                file_fault(FaultCode.COLUMN_TWICE, row.place(place), column=column.name)
            )
    ignored = tuple(name[:LONGEST_QUOTE] for name in names if name and name not in known)
    return TableHead(columns, ignored, len(names))


def _holds_no_deal(row: TableRow, head: TableHead) -> bool:
    """Return whether a row is headings again, a title, or totals.

    Totals are numbers under the columns of a deal without the deal's own number."""
    contract = _cell(row, head.place("contract"))
    if values.heading(contract) not in ("", "contract"):
        return False
    filled = {place: column for place, column in head.columns.items() if _says(row, place)}
    if all(values.heading(_cell(row, place)) == column.name for place, column in filled.items()):
        return bool(filled)
    texts = {column.name: _cell(row, place) for place, column in filled.items()}
    if head.place("deal") in row.spoilt or is_number(texts.get("deal")):
        return False
    if not all(
        column.name == "deal" or not column.of_deal or column.holds in ("number", "count")
        for column in filled.values()
    ):
        return False
    return "deal" in texts or not any(name.startswith("player_") for name in texts)


def is_number(cell: values.Cell) -> bool:
    try:
        values.whole_number(cell)
    except ValueError:
        return False
    return True


# -- which rows belong together


def _match_texts(row: TableRow, head: TableHead) -> dict[str, str]:
    """Return what the row says of its match, as text."""
    found = {
        column.name: values.same_text(values.as_text(_cell(row, place)))
        for place, column in head.columns.items()
        if not column.of_deal
    }
    return {name: text for name, text in found.items() if text}


def _goes_on(draft: _Draft, row: TableRow, head: TableHead) -> bool:
    """Return whether the row belongs to the match before it.

    By the name of the match where one is given, else by everything that is said of the match, until
    there is a first deal again."""
    texts = _match_texts(row, head)
    if "match" in draft.texts or "match" in texts:
        return texts.get("match", draft.texts.get("match")) == draft.texts.get("match")
    if draft.has_first_deal and _number(row, head) == FIRST:
        return False
    who_and_when = [name for name in texts if name == "played_at" or name.startswith("player_")]
    return all(texts[name] == draft.texts.get(name) for name in who_and_when)


def _begun(row: TableRow, head: TableHead) -> _Draft:
    draft = _Draft(row, texts=_match_texts(row, head))
    draft.data |= {"players": [None] * 4, "deals": []}
    draft.places[()] = row.place(0)
    columns = [(place, column) for place, column in head.columns.items() if not column.of_deal]
    # Names first: seats may be given by them.
    for place, column in sorted(columns, key=lambda each: each[1].holds == "seat"):
        draft.places[column.path] = row.place(place, column.name)
        if _says(row, place):
            _put(draft, draft.data, (), row, place, column)
    return draft


# -- one row, one deal


def _add_row(draft: _Draft, row: TableRow, head: TableHead) -> None:
    """Add the deal of this row, if it has one and not only cells outside the table."""
    if any(_says(row, place) for place in head.columns):
        _add_deal(draft, row, head)
    else:
        _note_outside(draft, ("outside", row.line), row, head)


def _note_outside(draft: _Draft, way: Path, row: TableRow, head: TableHead) -> None:
    """Note cells to the right of the headings."""
    place = next((each for each in range(head.width, len(row.cells)) if _says(row, each)), None)
    if place is None:
        return
    found = {"found": values.as_text(_cell(row, place))[:LONGEST_QUOTE]}
    code = FaultCode.CELL_WITHOUT_HEADING if row.is_workbook else FaultCode.CELLS_WITHOUT_HEADING
    draft.places[*way, "outside"] = row.place(place)
    draft.problems.append(((*way, "outside"), Problem(code, "", found)))


def _add_deal(draft: _Draft, row: TableRow, head: TableHead) -> None:
    deal: dict[str, Any] = {"input": {}}
    way: Path = ("deals", len(draft.data["deals"]))
    draft.data["deals"].append(deal)
    draft.places[way] = row.place(0)
    if row is not draft.first:
        _compare(draft, row, head)
    _note_outside(draft, way, row, head)
    blanks: dict[str, list[int]] = {}
    filled: set[str] = set()
    for place, column in head.columns.items():
        if not column.of_deal:
            continue
        if _says(row, place):
            _put(draft, deal, way, row, place, column)
            filled.add(column.group)
        elif column.group:
            blanks.setdefault(column.group, []).append(place)
        else:
            draft.places[*way, *column.path] = row.place(place, column.name)
    for group in filled - {""}:
        for place in blanks.get(group, ()):
            _note(draft, (*way, *head.columns[place].path), row, place, head, ProblemCode.MISSING)
    _shape(deal)
    draft.has_first_deal |= deal.get("deal_number") == FIRST


def _compare(draft: _Draft, row: TableRow, head: TableHead) -> None:
    """Check that a later row says the same of the match as the first."""
    texts = _match_texts(row, head)
    for place, column in head.columns.items():
        text = texts.get(column.name)
        if column.path[0] == "players" and "substitutes" in draft.texts.get(LOST.name, ""):
            continue
        if not column.of_deal and text and text != draft.texts.get(column.name):
            way: Path = ("deals", len(draft.data["deals"]) - 1, column.name)
            _note(draft, way, row, place, head, FaultCode.DIFFERS)


def _note(draft: _Draft, way: Path, row: TableRow, place: int, head: TableHead, code: Code) -> None:
    column = head.columns[place]
    draft.places[way] = row.place(place, column.name)
    found = values.as_text(_cell(row, place))[:LONGEST_QUOTE]
    draft.problems.append((way, Problem(code, column.name, {"found": found} if found else {})))


def _put(
    draft: _Draft, into: dict[str, Any], way: Path, row: TableRow, place: int, column: Column
) -> None:
    """Store the value of a cell at its path, or a problem there."""
    path = (*way, *column.path)
    draft.places[path] = row.place(place, column.name)
    for length in range(len(way) + 1, len(path)):
        draft.places.setdefault(path[:length], row.place(place, column.name))
    cell = _cell(row, place)
    found = {"found": values.as_text(cell)[:LONGEST_QUOTE]}
    if place in row.spoilt:
        draft.problems.append((path, Problem(row.spoilt[place], column.name, found)))
        return
    try:
        value = READERS[column.holds](cell, draft.data["players"])
    except values.TwoOfOneName as name:
        _note_two_of_one_name(draft, str(name), draft.places[path])
        return
    except ValueError:
        draft.problems.append((path, Problem(CODES[column.holds], column.name, found)))
        return
    if column.holds == "count" and value < 0:
        draft.problems.append((path, Problem(ProblemCode.BAD_COUNTS, column.name, found)))
    _store(into, column.path, value)


def _note_two_of_one_name(draft: _Draft, name: str, place: Place) -> None:
    """Note two players of one name once for the match: no deal of it is certain."""
    if not draft.is_ambiguous:
        draft.is_ambiguous = True
        draft.places["deals",] = place
        draft.problems.append(
            (("deals",), Problem(FaultCode.TWO_OF_ONE_NAME, "players", {"name": name}))
        )


def _store(into: Any, path: Path, value: object) -> None:
    for step, after in pairwise(path):
        if isinstance(into, dict):
            into.setdefault(step, [None] * 4 if isinstance(after, int) else {})
        into = into[step]
    into[path[-1]] = value


def _shape(deal: dict[str, Any]) -> None:
    """Return the facts in the shape that the rules read: a list of doubles, four counts."""
    facts = deal["input"]
    if doubles := facts.get("doubles"):
        facts["doubles"] = [{"card": card, "by": by} for card, by in doubles.items()]


def _number(row: TableRow, head: TableHead) -> int | None:
    """Return the number of the deal."""
    cell = _cell(row, head.place("deal"))
    return values.whole_number(cell) if is_number(cell) else None


def _cell(row: TableRow, place: int) -> values.Cell:
    return row.cells[place] if place < len(row.cells) else None


def _says(row: TableRow, place: int) -> bool:
    return place in row.spoilt or values.as_text(_cell(row, place)) != ""


# -- what a cell holds


def _contract(cell: values.Cell, names: Sequence[str | None]) -> str | list[str]:
    text = values.heading(values.as_text(cell).replace("+", " + ")).replace("_+_", "+")
    parts = (COMPLEX if text == "complex" else text).split("+")
    return parts[0] if len(parts) == 1 else sorted(parts, key=_in_order)


def _in_order(name: str) -> int:
    return COMBINABLE.index(name) if name in COMBINABLE else len(COMBINABLE)


def _cards(cell: values.Cell, names: Sequence[str | None]) -> list[str]:
    return values.as_text(cell).replace(",", " ").upper().split()


def _rules(cell: values.Cell, names: Sequence[str | None]) -> str:
    return values.as_text(cell).casefold().replace(" ", "-").replace("_", "-")


READERS: Mapping[str, Callable[[Any, Sequence[str | None]], Any]] = {
    "text": lambda cell, names: values.as_text(cell),
    "moment": lambda cell, names: cell,  # read with the other dates of the file
    "rules": _rules,
    "options": lambda cell, names: read_options_text(values.as_text(cell)),
    "seat": values.seat_named,
    "number": lambda cell, names: values.whole_number(cell),
    "count": lambda cell, names: values.whole_number(cell),
    "yes": lambda cell, names: values.yes_or_no(cell),
    "contract": _contract,
    "cards": _cards,
}
CODES = {
    "options": FaultCode.BAD_OPTIONS,
    "seat": ProblemCode.BAD_SEAT,
    "number": FaultCode.BAD_NUMBER,
    "count": FaultCode.BAD_NUMBER,
    "yes": FaultCode.NOT_YES_OR_NO,
}
