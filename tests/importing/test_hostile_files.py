"""Files that were made to do harm, or that went through a program that did: small ones that grow,
marks that nobody sees, values that are there and would be passed over."""

import io
import zipfile
from dataclasses import replace
from datetime import datetime

import pytest
from django.utils import translation
from openpyxl import load_workbook

from scoring.importing.limits import PAGE
from scoring.importing.xlsx_parts import refuse_harmful_parts
from scoring.transfer.presenters.import_sentences import fault_sentence
from tests.importing.bringing import look
from tests.importing.files import (
    HEADINGS,
    as_csv,
    as_json,
    as_xlsx,
    codes,
    csv_of,
    evening,
    faults,
    read,
    table,
    xlsx_of,
)

SHEET = "xl/worksheets/sheet1.xml"
NAMESPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
MANY = 400_000


def workbook(part, text):
    """An evening as a workbook with another text in one part."""
    old = zipfile.ZipFile(io.BytesIO(as_xlsx(evening())))
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in old.namelist():
            archive.writestr(name, text if name == part else old.read(name))
    return data.getvalue()


def sheet(body):
    return workbook(SHEET, f"<worksheet {NAMESPACE}><sheetData>{body}</sheetData></worksheet>")


def many_attributes():
    return " ".join(f"a{number}='>'" for number in range(MANY // 4))


GROWING = {
    "cells in one row": (lambda: sheet(f'<row r="1">{"<c/>" * MANY}</row>'), "too_many_cells"),
    "elements that are no rows": (lambda: sheet("<x/>" * MANY * 2), "too_many_cells"),
    "elements in elements": (lambda: sheet("<x>" * 99 + "</x>" * 99), "too_many_cells"),
    "attributes": (lambda: sheet(f"<row {many_attributes()}/>"), "long_cell"),
    "a text": (lambda: sheet(f'<row><c t="str"><v>{"a" * MANY}</v></c></row>'), "long_cell"),
    "a text in a section": (
        lambda: sheet(f'<row><c t="str"><v><![CDATA[{"<" * MANY}]]></v></c></row>'),
        "broken_file",
    ),
    "styles": (
        lambda: workbook("xl/styles.xml", f"<styleSheet {NAMESPACE}>{'<xf/>' * MANY}</styleSheet>"),
        "too_many_cells",
    ),
    "entities behind a comment": (
        lambda: workbook(SHEET, f'<!--{"x" * 9_999}--><!DOCTYPE a [<!ENTITY b "b">]><a/>'),
        "broken_file",
    ),
    "entities in UTF-16": (
        lambda: workbook(SHEET, '<!DOCTYPE a [<!ENTITY b "b">]><a/>'.encode("utf-16")),
        "broken_file",
    ),
}


# Few bytes that make a reader build millions of things are refused before it begins. C112
@pytest.mark.parametrize("name", GROWING)
def test_workbook_that_grows_is_refused_unread(name):
    make, code = GROWING[name]
    data = make()
    assert len(data) < PAGE.size
    assert codes(data) == [code]


def test_full_workbook_of_the_page_has_few_enough_marks():
    row = '<row r="1">' + '<c r="A1" s="1"><v>1</v></c>' * len(HEADINGS) + "</row>"
    with zipfile.ZipFile(io.BytesIO(sheet(row * PAGE.deals))) as archive:
        refuse_harmful_parts(archive, PAGE)


def test_more_marks_than_fit_are_told():
    assert codes(as_xlsx(evening()), replace(PAGE, marks=500)) == ["too_many_cells"]


# A stray blank in the last row of a sheet made a million rows of three hundred cells. C113
def test_cell_in_the_last_row_takes_no_time():
    book = load_workbook(io.BytesIO(as_xlsx(evening())))
    book.active.cell(1_048_576, 1).value = " "
    data = io.BytesIO()
    book.save(data)
    assert codes(data.getvalue()) == []


def test_row_behind_the_last_of_a_sheet_ends_the_file():
    data = sheet('<row r="1048577"><c r="A1048577"><v>1</v></c></row>')
    assert codes(data) == ["too_many_rows"]


def test_hidden_sheet_is_not_taken_for_the_deals():
    book = load_workbook(io.BytesIO(as_xlsx(evening())))
    book.create_sheet("Lists", 0).append(["a", "b"])
    book["Lists"].sheet_state = "hidden"
    data = io.BytesIO()
    book.save(data)
    assert codes(data.getvalue()) == ["other_sheets"]


def test_last_moment_of_all_is_no_date():
    rows = table(evening())
    for row in rows[1:]:
        row[1] = datetime(9999, 12, 31, 23, 59, 59, 999_000)
    assert codes(xlsx_of(rows)) == ["bad_date"]


@pytest.mark.parametrize("line", ["sep=", 'sep="', "sep=\r", "sep=x", '"sep=;"', "SEP=;", "sep=;"])
def test_line_that_names_a_separator_never_breaks(line):
    data = f"{line}\r\n".encode() + as_csv(evening(), separator=";")
    assert codes(data) in ([], ["left_out_rows"], ["missing_column"])


def test_blank_lines_before_the_headings_are_passed_over():
    data = b"\r\n  \r\n" + as_csv(evening(), separator=";")
    assert codes(data) == []
    rows = table(evening())
    rows[1][HEADINGS.index("contract")] = "x"
    (fault,) = faults(b"\r\n\r\n" + csv_of(rows, ";"))
    assert fault.place.line == 4


# Spreadsheets that run from right to left put marks beside numbers and names. C95
def test_marks_of_direction_are_not_read():
    rows = table(evening())
    marked = [[f"\u200f{cell}\u202c" if cell != "" else "" for cell in row] for row in rows]
    assert codes(csv_of(marked)) == []
    (match,) = read(csv_of(marked))
    assert match.external_id == "evening-levant"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32"])
def test_wide_letters_without_a_mark_are_an_encoding(encoding):
    assert codes(as_csv(evening(), encoding=encoding)) == ["wrong_encoding"]


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n"])
def test_line_of_a_foreign_letter_is_told_whatever_ends_lines(end):
    data = as_csv(evening()).replace(b"\r\n", end) + "ن".encode("cp1256")
    (fault,) = faults(data)
    assert (fault.code, fault.place.line) == ("wrong_encoding", 22)


# The last of two would have been taken without a word.
def test_name_that_stands_twice_in_json_is_refused():
    data = as_json(evening()).replace(b'"tricks":', b'"tricks": [13, 0, 0, 0], "tricks":', 1)
    assert codes(data) == ["key_twice"]


def test_names_that_mean_nothing_in_json_are_told():
    match = evening(first_choser=2)
    match["deals"][3]["dealt"] = "x"
    *_, note = read(as_json(match))
    assert (note.code, note.names) == ("ignored_names", ("first_choser", "dealt"))


# A misspelt double would have been passed over, and points with it.
def test_fact_that_no_contract_has_is_refused():
    match = evening()
    match["deals"][1]["input"]["doubls"] = [{"card": "KH", "by": 2}]
    assert codes(as_json(match)) == ["unknown_fact"]


# Two guests for one person, because somebody wrote a hamza once and not again. C95
def test_new_people_with_nearly_one_name_are_told(club):
    one = evening() | {"external_id": "1"} | {"players": ["أحمد", "Badr", "Carmen", "Dima"]}
    two = evening() | {"external_id": "2"} | {"players": ["احمد", "Badr", "Carmen", "Dima"]}
    (note,) = look(club, as_json(one, two)).notes
    assert (note.code, note.names) == ("alike", ("أحمد", "احمد"))


# A line of three million commas, and matches of nothing, each took longer than a page may. C113
def test_row_of_too_many_values_is_told():
    (fault,) = faults(b"a," * 1_000_000)
    assert (fault.code, fault.place.line, fault.place.column) == ("too_many_columns", 1, 301)
    assert codes(as_csv(evening()) + b"a," * 1_000) == ["too_many_columns"]


def test_matches_without_deals_count_as_one_deal_each():
    assert codes(b'{"players": [], "deals": []}' * 50_000)[-1] == "too_many_deals"


# In Arabic the example would read day first, which is what is refused. C95
def test_date_to_follow_stands_by_itself():
    (fault,) = faults(as_json(evening(played_at="12/11")))
    for language in ("en", "ar", "fr"):
        with translation.override(language):
            assert "\u20682026-11-12 20:15\u2069" in fault_sentence(fault)
