"""Example files: one kingdom, with the columns that nearly every table needs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Font

from scoring.importing.columns import COLUMNS, RARE
from scoring.importing.xlsx_rows import SHEET

PLAYERS = ("Amal", "Badr", "Carmen", "Dima")
PLAYED_AT = datetime(2026, 11, 12, 20, 15)
DEALS: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("king", {"king_taken_by": 1, "doubles": [{"card": "KH", "by": 2}]}),
    ("queens", {"queens": [1, 0, 2, 1]}),
    ("diamonds", {"diamonds": [0, 5, 8, 0]}),
    ("tricks", {"tricks": [4, 3, 0, 6]}),
    ("trex", {"finish_order": [2, 0, 3, 1]}),
)
WIDTH = 15
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}


def example(kind: str) -> bytes:
    """Return a file of this kind (csv, xlsx, json) that can be imported as it is."""
    return {"csv": _csv, "xlsx": _xlsx, "json": _json}[kind]()


def _json() -> bytes:
    deals = [
        {"deal_number": number, "dealer": (number + 2) % 4, "chooser": 0}
        | {"contract": contract, "input": facts}
        for number, (contract, facts) in enumerate(DEALS, start=1)
    ]
    match = {
        "external_id": "example",
        "played_at": f"{PLAYED_AT:%Y-%m-%d %H:%M}",
        "players": PLAYERS,
        "system": "levant",
        "options": {},
        "deals": deals,
    }
    return json.dumps([match], ensure_ascii=False, indent=1).encode()


def _csv() -> bytes:
    text = io.StringIO(newline="")
    # Spreadsheet programs take a file for UTF-8 only with this mark.
    text.write("\ufeff")
    writer = csv.writer(text)
    for row in _table():
        writer.writerow(f"{cell:%Y-%m-%d %H:%M}" if cell == PLAYED_AT else cell for cell in row)
    return text.getvalue().encode()


def _xlsx() -> bytes:
    book = Workbook()
    sheet = book.active
    sheet.title = SHEET
    for row in _table():
        sheet.append(row)
    for cell in sheet[1]:
        cell.font = Font(bold=True)
        sheet.column_dimensions[cell.column_letter].width = WIDTH
    sheet.freeze_panes = "A2"
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def _table() -> list[list[Any]]:
    columns = [column.name for column in COLUMNS if column.name not in RARE]
    rows = [_row(number) for number in range(1, len(DEALS) + 1)]
    return [columns, *([row.get(name, "") for name in columns] for row in rows)]


def _row(number: int) -> dict[str, Any]:
    contract, facts = DEALS[number - 1]
    row: dict[str, Any] = {"deal": number, "chooser": PLAYERS[0], "contract": contract}
    row["dealer"] = PLAYERS[(number + 2) % 4]
    if number == 1:
        row |= {"match": "example", "played_at": PLAYED_AT, "rules": "levant"}
        row |= {f"player_{seat + 1}": name for seat, name in enumerate(PLAYERS)}
    for key, value in facts.items():
        row |= _cells(key, value)
    return row


def _cells(key: str, value: Any) -> dict[str, Any]:
    if key == "doubles":
        return {f"{each['card'].lower()}_doubled_by": PLAYERS[each["by"]] for each in value}
    if key == "finish_order":
        words = ("first", "second", "third", "fourth")
        return {f"{words[place]}_out": PLAYERS[seat] for place, seat in enumerate(value)}
    if isinstance(value, list):
        return {f"{key}_{seat + 1}": count for seat, count in enumerate(value)}
    return {key: PLAYERS[value]}
