"""The document club.json: a JSON object of lists, one row a line, to be read and written in pieces.

{"format":"trexscore-club","version":1,
"club":[
{…}
],
…
"matches":[
{"deal":[…],"event":[…],"match":{…},…}
]}
"""

import json
from collections.abc import Iterable, Iterator

from scoring.models import Club
from scoring.models.export_schema import OF_CLUB, Row
from scoring.transfer.queries.export_rows import rows_of

FORMAT = "trexscore-club"
VERSION = 1
FIRST = f'{{"format":"{FORMAT}","version":{VERSION},'
MATCHES = "matches"


def json_line(row: Row) -> str:
    """Return the one spelling of a row: keys in order, no blanks."""
    return json.dumps(
        row, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def club_lines(club: Club, matches: Iterable[str]) -> Iterator[str]:
    """Yield the lines of the document; `matches` are the lines of the matches.

    Rows are read before the rows that they refer to are listed, and the matches first of all: so
    everyone who sits in one is among the people.
    """
    lists = {
        facts.name: [json_line(row) for row in rows_of(club, facts)] for facts in reversed(OF_CLUB)
    }
    yield FIRST
    for facts in OF_CLUB:
        yield from _list(facts.name, lists[facts.name])
        yield "],"
    yield from _list(MATCHES, matches)
    yield "]}"


def _list(name: str, rows: Iterable[str]) -> Iterator[str]:
    yield f'"{name}":['
    waiting = ""
    for row in rows:
        if waiting:
            yield f"{waiting},"
        waiting = row
    if waiting:
        yield waiting
