"""Matches of the cases as files: the same evening as JSON, as a table, as a workbook. Written from
the description of the columns, not with the product's own lists."""

import csv
import io
import json
from copy import deepcopy
from datetime import datetime
from itertools import chain

from openpyxl import Workbook

from scoring.importing.limits import PAGE
from scoring.importing.reading import read_file
from tests.factories import evenings

CARDS = ("KH", "QS", "QH", "QD", "QC")
HEADINGS = [
    *("match", "played_at", "player_1", "player_2", "player_3", "player_4", "rules", "options"),
    *("first_chooser", "deal", "dealer", "chooser", "forced", "contract", "king_taken_by"),
    *(f"{card}_taken_by" for card in CARDS[1:]),
    *(f"{what}_{seat}" for what in ("queens", "diamonds", "hearts", "tricks") for seat in "1234"),
    *("last_trick_by", "first_out", "second_out", "third_out", "fourth_out", "loser", "plays"),
    *(f"{card}_doubled_by" for card in CARDS),
    *(f"{card}_trick_led_by" for card in CARDS),
    *("revoke_by", "cheat_by", "forfeited"),
    *(f"{what}_{seat}" for what in ("score", "total") for seat in "1234"),
]


def evening(external_id="evening-levant", deals=None, **changes):
    """A match of the cases without its records, or its first deals."""
    match = deepcopy(evenings()[external_id])
    match["deals"] = match["deals"][:deals]
    for deal in match["deals"]:
        del deal["record"]
    if deals is not None:
        match["totals"] = match["deals"][-1]["totals"]
    return match | changes


def as_json(*matches, **how) -> bytes:
    return json.dumps(list(matches), ensure_ascii=False, **how).encode()


def as_lines(*matches) -> bytes:
    return b"\n".join(json.dumps(match, ensure_ascii=False).encode() for match in matches)


def rows_of(match):
    """A dict for each deal, by headings; seats as the numbers 1 to 4."""
    for deal in match["deals"]:
        row = {
            "match": match.get("external_id", ""),
            "played_at": match["played_at"],
            "rules": match.get("preset") or match["system"],
            "options": json.dumps(match["options"]) if match.get("options") else "",
            "first_chooser": seat_of(match.get("first_chooser")),
            "deal": deal["deal_number"],
            "dealer": seat_of(deal["dealer"]),
            "chooser": seat_of(deal["chooser"]),
            "forced": "yes" if deal["forced"] else "no",
            "contract": "+".join(
                chain([deal["contract"]] if isinstance(deal["contract"], str) else deal["contract"])
            ),
        }
        row |= {f"player_{seat}": name for seat, name in enumerate(match["players"], start=1)}
        for key, value in deal["input"].items():
            row |= cells_of(key, value)
        for key in ("scores", "totals"):
            row |= four(key[:-1], deal.get(key))
        yield row


def cells_of(key, value):
    if key == "doubles":
        return {f"{row['card']}_doubled_by": seat_of(row["by"]) for row in value}
    if key == "queens_taken_by":
        return {f"{card}_taken_by": seat_of(seat) for card, seat in value.items()}
    if key == "trick_leader":
        return {f"{card}_trick_led_by": seat_of(seat) for card, seat in value.items()}
    if key == "finish_order":
        places = ("first_out", "second_out", "third_out", "fourth_out")
        return dict(zip(places, map(seat_of, value), strict=True))
    if key == "plays":
        return {key: " ".join(value)}
    if key == "forfeited":
        return {key: "yes" if value else "no"}
    return four(key, value) if isinstance(value, list | tuple) else {key: seat_of(value)}


def four(name, values):
    return {f"{name}_{seat}": value for seat, value in enumerate(values or (), start=1)}


def seat_of(seat):
    return "" if seat is None else seat + 1


def table(*matches, headings=HEADINGS):
    rows = [row for match in matches for row in rows_of(match)]
    return [list(headings), *([row.get(name, "") for name in headings] for row in rows)]


def as_csv(*matches, separator=",", encoding="utf-8", headings=HEADINGS) -> bytes:
    return csv_of(table(*matches, headings=headings), separator, encoding)


def csv_of(rows, separator=",", encoding="utf-8") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator).writerows(rows)
    return text.getvalue().encode(encoding)


def as_xlsx(*matches) -> bytes:
    rows = table(*matches)
    for row in rows[1:]:
        row[1] = datetime.fromisoformat(row[1]).replace(tzinfo=None)
    return xlsx_of(rows)


def xlsx_of(rows, title="Sheet") -> bytes:
    book = Workbook()
    book.active.title = title
    for row in rows:
        book.active.append([None if cell == "" else cell for cell in row])
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def read(data, limits=PAGE):
    return list(read_file(io.BytesIO(data), limits))


def faults(data, limits=PAGE):
    """Every fault of a file."""
    found = []
    for each in read(data, limits):
        found += each.faults if hasattr(each, "faults") else [each]
    return found


def codes(data, limits=PAGE):
    return [fault.code for fault in faults(data, limits)]
