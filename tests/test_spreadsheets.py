"""Tables for spreadsheet programs."""

import csv
import io
from datetime import datetime

import pytest
from openpyxl import load_workbook

from scoring.spreadsheets import Book, csv_lines

FORMULA = '=HYPERLINK("http://example.org","Sami")'
NAMES = [FORMULA, "@SUM(1)", "+1", "-Sami", "\t=1", "＝1", "<img src=x onerror=alert(1)>", "محمد"]


# Whatever somebody is called, a table holds a name and no formula. C121
def test_no_name_is_a_formula_in_a_table_of_values():
    text = "".join(csv_lines([["name", "total"], *([name, -75] for name in NAMES)]))
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["name", "total"]
    assert [row[0] for row in rows[1:]] == [f"'{name}" for name in NAMES[:6]] + NAMES[6:]
    assert {row[1] for row in rows[1:]} == {"-75"}


def book(tmp_path, rows, **given):
    made = Book(right_to_left=True)
    alive = list(made.add("people", ["name", "value"], rows, **given))
    assert len(alive) == len(rows)
    made.save(tmp_path / "a.xlsx")
    return load_workbook(tmp_path / "a.xlsx")


def test_no_name_is_a_formula_in_a_workbook(tmp_path):
    rows = [[name, None] for name in NAMES if "\t" not in name]
    sheet = book(tmp_path, rows)["people"]
    cells = [row[0] for row in sheet.iter_rows(min_row=2)]
    assert [cell.value for cell in cells] == [name for name, _ in rows]
    assert {cell.data_type for cell in cells} == {"s"}
    assert [cell.quotePrefix for cell in cells] == [True] * 5 + [False] * 2


def test_numbers_and_moments_stay_what_they_are(tmp_path):
    when = datetime(2026, 11, 12, 20, 15)
    sheet = book(tmp_path, [["a\x01b", -75], ["x" * 40_000, when]])["people"]
    values = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
    assert values == [["ab", -75], ["x" * 32_767, when]]
    assert sheet.sheet_view.rightToLeft
    assert sheet.freeze_panes == "A2"


@pytest.mark.parametrize(("rows", "sizes"), [(2, [2]), (3, [2, 1]), (5, [2, 2, 1])])
def test_what_does_not_fit_goes_on_in_another_sheet(tmp_path, rows, sizes):
    found = book(tmp_path, [["Amal", number] for number in range(rows)], most=3)
    assert [sheet.max_row - 1 for sheet in found] == sizes
    assert [sheet["A1"].value for sheet in found] == ["name"] * len(sizes)
    assert found.sheetnames == ["people", "people 2", "people 3"][: len(sizes)]
