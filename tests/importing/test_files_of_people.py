"""Files as people have them: titles, totals, decimals, dates of every kind, names that say little.

The files in `cases/files` are read as they are; what is right for them stands here."""

import io
from datetime import date, datetime

import pytest
from openpyxl import Workbook

from scoring.importing.dates import Dates, OtherOrder, TwoReadings, moment
from scoring.importing.limits import PAGE
from scoring.importing.reading import read_file
from scoring.importing.values import whole_number
from scoring.transfer.presenters.import_sentences import fault_sentence
from tests.factories import CASES
from tests.importing.files import HEADINGS, as_json, csv_of, evening, read, table, xlsx_of

FILES = CASES / "files"
NOON = datetime(2026, 5, 1, 12)
ANYTHING = r".*"


def from_file(name):
    return read((FILES / name).read_bytes())


def matches(found):
    return [each for each in found if hasattr(each, "deals")]


def notes(found, code):
    return [each.names for each in found if getattr(each, "code", "") == code]


# -- what the given files come to


@pytest.mark.parametrize(
    ("name", "played_at", "totals"),
    [
        ("dateonly.xlsx", datetime(2026, 3, 16, 12), (-10, 140, -15, -115)),
        ("dup.csv", NOON, (-335, 35, 240, 60)),
        ("dup.xlsx", NOON, (-335, 35, 240, 60)),
        ("midnight.csv", datetime(2026, 5, 2), (-35, -85, 100, 20)),
        ("dec.csv", datetime(2026, 7, 1, 12), (110, -240, 65, 65)),
        ("d_slash15.csv", datetime(2018, 6, 15, 12), (250, -250, -105, 105)),
        ("d_serial.csv", datetime(2026, 3, 31, 12), (250, -250, -105, 105)),
        ("title.csv", datetime(2026, 3, 5, 12), (0, 195, -260, 65)),
    ],
)
def test_file_is_one_whole_match(name, played_at, totals):
    (match,) = matches(from_file(name))
    assert (match.faults, match.is_finished) == ((), True)
    assert (match.played_at, match.totals) == (played_at, totals)


@pytest.mark.parametrize(
    ("name", "totals", "left_out"),
    [
        ("header_twice.csv", [(-145, 30, -65, 180), (60, -145, 70, 15)], [("22",)]),
        ("same_day_no_id.csv", [(125, 55, 100, -280), (-145, -50, 390, -195)], []),
        ("title.csv", [(0, 195, -260, 65)], [("1", "3")]),
    ],
)
def test_rows_of_a_file_are_parted_into_its_matches(name, totals, left_out):
    found = from_file(name)
    assert [match.totals for match in matches(found)] == totals
    assert [match.faults for match in matches(found)] == [()] * len(totals)
    assert notes(found, "left_out_rows") == left_out


def test_two_players_of_one_name_are_said_once():
    (match,) = matches(from_file("guest_twice.csv"))
    assert [(fault.code, fault.place.line) for fault in match.faults] == [("two_of_one_name", 2)]
    assert match.faults[0].problem.numbers == {"name": "Guest"}


def test_cell_outside_the_table_of_a_workbook_is_said_by_its_name():
    (match,) = matches(from_file("stray.xlsx"))
    assert [(fault.code, fault.place.cell) for fault in match.faults] == [
        ("cell_without_heading", "AZ500")
    ]
    assert len(match.deals) == 20


# -- dates


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("2026-05-01", NOON),
        (date(2026, 5, 1), NOON),
        ("2026-05-01 00:00", datetime(2026, 5, 1)),
        (datetime(2026, 5, 1), datetime(2026, 5, 1)),
        ("01.05.2026", None),
        ("1/5/2026", None),
        ("5/5/2026", datetime(2026, 5, 5, 12)),
        ("31/5/2026", datetime(2026, 5, 31, 12)),
        ("5-31-2026 20:15", datetime(2026, 5, 31, 20, 15)),
        ("5/31/2026, 8:15 PM", datetime(2026, 5, 31, 20, 15)),
        ("5/31/2026 12:15 a.m.", datetime(2026, 5, 31, 0, 15)),
        ("٣١/٠٥/٢٠٢٦", datetime(2026, 5, 31, 12)),
        ("46143", NOON),
        (46143, NOON),
        ("46143.75", datetime(2026, 5, 1, 18)),
        ("46143,75", datetime(2026, 5, 1, 18)),
        (46143.84375, datetime(2026, 5, 1, 20, 15)),
    ],
)
def test_moment_is_read_however_it_is_written(written, read_as):
    if read_as is None:
        with pytest.raises(TwoReadings) as two:
            moment(written)
        assert two.value.readings == (NOON, datetime(2026, 1, 5, 12))
    else:
        assert moment(written) == read_as


@pytest.mark.parametrize(
    "written",
    [
        *("", "2026", "1/5/26", "31/31/2026", "30/2/2026", "1/5-2026", "5/31/2026 13:00 PM"),
        *("461430", "04614", "2026-05-01 25:00", 4614.0, True, None),
    ],
)
def test_what_is_no_moment_is_refused(written):
    with pytest.raises(ValueError, match=ANYTHING):
        moment(written)


def test_one_date_of_a_file_decides_for_those_before_and_behind():
    dates = Dates(look_ahead=lambda: ["3/4/2026", "2026-04-05", "nonsense", "13/4/2026"])
    assert dates.read("2026-04-05") == datetime(2026, 4, 5, 12)
    assert dates.read("3/4/2026") == datetime(2026, 4, 3, 12)
    assert dates.read("4/3/2026") == datetime(2026, 3, 4, 12)
    with pytest.raises(OtherOrder):
        dates.read("4/13/2026")


def test_order_that_was_asked_for_decides_where_the_file_does_not():
    assert Dates("day").read("3/4/2026") == datetime(2026, 4, 3, 12)
    assert Dates("month").read("3/4/2026") == datetime(2026, 3, 4, 12)
    assert Dates("month").read("2026-04-05") == datetime(2026, 4, 5, 12)


def dated(*days):
    """A file with a match for each of these days."""
    rows = [list(HEADINGS)]
    for number, day in enumerate(days):
        for row in table(evening(deals=2))[1:]:
            row[:2] = [str(number), day]
            rows.append(row)
    return rows


def test_date_of_the_other_order_is_refused_in_words():
    first, second = matches(read(csv_of(dated("13/4/2026", "4/13/2026"))))
    assert first.faults == ()
    (fault,) = second.faults
    assert fault.code == "other_order"
    assert fault_sentence(fault).startswith(
        "\u20684/13/2026\u2069: in the other dates of this file"
    )


@pytest.mark.parametrize("made", [csv_of, xlsx_of])
def test_days_of_a_table_are_read_alike(made):
    found = matches(read(made(dated("3/4/2026", "4/4/2026", "13/4/2026"))))
    assert [match.played_at for match in found] == [
        datetime(2026, 4, day, 12) for day in (3, 4, 13)
    ]
    assert [match.faults for match in found] == [()] * 3


def test_days_of_json_are_read_alike():
    days = ("3/4/2026", "13/4/2026")
    found = read(as_json(*(evening(deals=2, played_at=day) for day in days)))
    assert [match.played_at.day for match in found] == [3, 13]


def test_file_that_leaves_the_order_open_ends_there_and_takes_the_answer():
    data = csv_of(dated("2026-04-01", "3/4/2026", "4/4/2026"))
    found = read(data)
    assert found[-1].ends_file
    assert found[-1].code == "two_dates"
    assert found[-1].place[:3] == (4, 2, "played_at")
    assert found[-1].problem.numbers == {
        "found": "3/4/2026",
        "day": "2026-04-03",
        "month": "2026-03-04",
    }
    answered = list(read_file(io.BytesIO(data), PAGE, order="month"))
    assert [(each.played_at.month, each.played_at.day) for each in answered] == [
        (4, 1),
        (3, 4),
        (4, 4),
    ]


def workbook(played_at, number_format):
    rows = table(evening(deals=2))
    book = Workbook()
    for row in rows:
        book.active.append([None if cell == "" else cell for cell in row])
    for line in range(2, len(rows) + 1):
        book.active.cell(line, 2, played_at).number_format = number_format
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


@pytest.mark.parametrize(
    ("played_at", "number_format", "hour"),
    [
        (datetime(2026, 5, 1), "yyyy-mm-dd", 12),
        (datetime(2026, 5, 1), "dd/mm/yyyy", 12),
        (datetime(2026, 5, 1), '[$-409]d" of "mmmm', 12),
        (datetime(2026, 5, 1), "yyyy-mm-dd hh:mm", 0),
        (datetime(2026, 5, 1, 20), "yyyy-mm-dd", 20),
        (46143, "General", 12),
        (46143.875, "0.00", 21),
    ],
)
def test_cell_of_a_day_is_noon_and_one_of_a_time_is_that_time(played_at, number_format, hour):
    (match,) = read(workbook(played_at, number_format))
    assert match.played_at == datetime(2026, 5, 1, hour)


# -- rows that are no deal


def put(rows, *more):
    return csv_of([*rows, *more])


def row(**cells):
    return [cells.get(name, "") for name in HEADINGS]


@pytest.mark.parametrize(
    "extra",
    [
        row(match="Total", total_1="5", total_2="5", total_3="5", total_4="5"),
        row(deal="Sum", score_1="5", tricks_1="3"),
        row(played_at="المجموع", score_1="−5,0"),
        row(match="Games of April"),
        [heading.replace("_", " ").upper() for heading in HEADINGS],
    ],
)
def test_row_without_a_deal_is_left_out_and_said(extra):
    rows = table(evening())
    found = read(csv_of([["Our results"], *rows[:11], extra, *rows[11:], extra]))
    (match,) = matches(found)
    assert (match.faults, len(match.deals)) == ((), 20)
    assert notes(found, "left_out_rows") == [("1", "13", "24")]


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        (row(match="evening-levant", deal="21", total_1="5"), "missing"),
        (row(match="evening-levant", chooser="1", total_1="5"), "missing"),
        (row(match="evening-levant", contract="king"), "missing"),
        (row(match="evening-levant", player_1="Amal", total_1="5"), "missing"),
    ],
)
def test_deal_that_lacks_something_is_not_taken_for_totals(extra, code):
    (match,) = read(csv_of([*table(evening()), extra]))
    assert code in [fault.code for fault in match.faults]


def test_separator_is_that_of_the_headings_below_a_title():
    rows = table(evening())
    text = csv_of(rows, separator=";").decode()
    (match, _note) = read(f"Results, April, May\n\n{text}".encode())
    assert (match.faults, len(match.deals)) == ((), 20)


def test_headings_far_below_are_not_found():
    found = read(csv_of([[f"line {number}"] for number in range(30)] + table(evening())))
    assert [each.code for each in found] == ["missing_column"]


def test_first_deal_again_begins_another_match_only_where_matches_have_no_names():
    two = [*table(evening(deals=2)), *table(evening(deals=2))[1:]]
    (match,) = read(csv_of(two))
    assert match.faults[0].code == "deal_twice"
    for line in two[1:]:
        line[0] = ""
    assert [len(match.deals) for match in read(csv_of(two))] == [2, 2]


# -- numbers


@pytest.mark.parametrize(
    ("written", "number"),
    [("-75.0", -75), ("0,00", 0), ("−75,0", -75), ("٧٥٫٠", 75), (-75.0, -75), ("13.0000", 13)],
)
def test_decimals_that_are_whole_are_read(written, number):
    assert whole_number(written) == number


@pytest.mark.parametrize("written", ["7.5", "1.000", "1,000", "1,", ",0", "1.0.0", 7.5])
def test_other_decimals_are_no_whole_number(written):
    with pytest.raises(ValueError, match=ANYTHING):
        whole_number(written)
