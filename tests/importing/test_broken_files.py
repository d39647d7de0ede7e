"""Files that cannot be taken: each is told why and where, and changes nothing."""

import io
import json
import zipfile
from dataclasses import replace

import pytest
from django.utils import translation

from scoring.importing.limits import PAGE
from scoring.importing.xlsx_rows import SHEET
from scoring.transfer.presenters.import_sentences import (
    SENTENCE_FUNCTIONS,
    SENTENCES,
    fault_place,
    fault_sentence,
)
from tests.importing.bringing import bring_in, look, row_counts
from tests.importing.files import (
    HEADINGS,
    as_csv,
    as_json,
    as_lines,
    as_xlsx,
    codes,
    csv_of,
    evening,
    faults,
    read,
    table,
    xlsx_of,
)

pytestmark = pytest.mark.django_db


def changed(change, name="evening-levant"):
    """An evening as JSON with something wrong in it."""
    match = evening(name)
    change(match)
    return as_json(match, indent=1)


def deal(number, **values):
    return lambda match: match["deals"][number - 1].update(values)


def facts(number, **values):
    return lambda match: match["deals"][number - 1]["input"].update(values)


def without(*keys):
    return lambda match: [match.pop(key) for key in keys]


def cell(row, heading, value):
    """The evening as a table with another value in one cell; rows count from 1, the headings."""
    rows = table(evening())
    rows[row - 1][HEADINGS.index(heading)] = value
    return csv_of(rows)


def named(*players):
    """The evening as a table in which names say who chose."""
    rows = table(evening(players=list(players)))
    for row in rows[1:]:
        row[HEADINGS.index("chooser")] = players[row[HEADINGS.index("chooser")] - 1]
    return csv_of(rows)


def without_column(*headings):
    kept = [heading for heading in HEADINGS if heading not in headings]
    return as_csv(evening(), headings=kept)


def zipped(*parts):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts:
            archive.writestr(name, part)
    return data.getvalue()


def workbook_with(*parts):
    data = io.BytesIO(as_xlsx(evening()))
    with zipfile.ZipFile(data, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts:
            archive.writestr(name, part)
    return data.getvalue()


def workbook_without(name):
    old = zipfile.ZipFile(io.BytesIO(as_xlsx(evening())))
    return zipped(*((part, old.read(part)) for part in old.namelist() if part != name))


def encrypted_zip():
    """The flag of encryption is set for every part."""
    data = as_xlsx(evening())
    return data.replace(
        b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01\x00"
    )


def formulas():
    rows = table(evening())
    rows[3][HEADINGS.index("tricks_2")] = "=SUM(A1:A3)"
    return xlsx_of(rows)


def many_sheets():
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(as_xlsx(evening())))
    for number in range(60):
        book.create_sheet(f"s{number}")
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def bomb():
    """A few kilobytes that unpack to more than memory should see."""
    return workbook_with(("xl/media/a.xml", b" " * (PAGE.unpacked + 1)))


def entities():
    text = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>'
    return workbook_with(("xl/extra.xml", text))


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)

BROKEN = {
    # the file
    "nothing": (lambda: b"", "empty_file"),
    "blanks": (lambda: b" \r\n\t\n", "empty_file"),
    "only a byte order mark": (lambda: b"\xef\xbb\xbf", "empty_file"),
    "headings alone": (lambda: csv_of([HEADINGS]), "no_rows"),
    "an empty array": (lambda: b"[]", "no_matches"),
    "Arabic code page": (
        lambda: as_csv(evening()).decode().encode("cp1256", "replace"),
        "wrong_encoding",
    ),
    "Latin 1": (
        lambda: as_csv(evening("evening-barbu", players=["é"] * 4), encoding="latin1"),
        "wrong_encoding",
    ),
    "UTF-16": (lambda: as_csv(evening(), encoding="utf-16"), "wrong_encoding"),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(99), "wrong_kind"),
    "a PDF": (lambda: b"%PDF-1.7\n", "wrong_kind"),
    "bytes": (lambda: bytes(range(32)) * 9, "wrong_kind"),
    "an archive of something": (lambda: zipped(("a.txt", "a")), "wrong_kind"),
    "a LibreOffice sheet": (lambda: zipped(("content.xml", "<a/>")), "wrong_kind"),
    "an old workbook": (lambda: OLE, "old_workbook"),
    "a workbook with a password": (
        lambda: OLE + "EncryptedPackage".encode("utf-16-le"),
        "password",
    ),
    "an encrypted archive": (lambda: encrypted_zip(), "password"),
    "macros": (lambda: workbook_with(("xl/vbaProject.bin", b"x")), "macros"),
    "a zip bomb": (lambda: bomb(), "too_big_unpacked"),
    "too many parts": (
        lambda: zipped(("xl/workbook.xml", b"<a/>"), *((f"xl/{n}", b"") for n in range(2_001))),
        "too_big_unpacked",
    ),
    "entities": (lambda: entities(), "broken_file"),
    "half a workbook": (lambda: as_xlsx(evening())[:4_000], "broken_file"),
    "a workbook without its sheet": (
        lambda: workbook_without("xl/worksheets/sheet1.xml"),
        "empty_file",
    ),
    "too many sheets": (lambda: many_sheets(), "too_many_sheets"),
    "too many columns": (lambda: xlsx_of([[*HEADINGS, *["x"] * 400]]), "too_many_columns"),
    "fifty thousand rows": (
        lambda: csv_of([HEADINGS[:14], *([table(evening())[1][:14]] * 50_000)]),
        "too_many_deals",
    ),
    "too many deals of a workbook": (
        lambda: xlsx_of([HEADINGS[:14], *([table(evening())[1][:14]] * 2_001)]),
        "too_many_deals",
    ),
    "too many deals of JSON": (lambda: as_json(*[evening()] * 101), "too_many_deals"),
    "open quotes": (lambda: as_csv(evening()) + b'"', "broken_quotes"),
    "a novel in a cell": (lambda: cell(2, "match", "x" * 20_000), "long_cell"),
    "half a match": (lambda: as_json(evening())[:2_000], "not_json"),
    "something else": (lambda: b'[{"name": "x"}, 3]', "not_a_match"),
    "no separator": (lambda: as_csv(evening(), separator="|"), "missing_column"),
    "a missing column": (lambda: without_column("contract"), "missing_column"),
    "a column twice": (lambda: csv_of([[*HEADINGS, "Deal"], table(evening())[1]]), "column_twice"),
    # the match
    "three people": (lambda: changed(lambda match: match["players"].pop()), "four_players"),
    "a person twice": (
        lambda: changed(lambda m: m.update(players=["Amal", "Badr", "amal", "D"])),
        "same_person",
    ),
    "no name": (lambda: changed(lambda match: match["players"].__setitem__(2, " ")), "missing"),
    "a name of nothing": (
        lambda: changed(lambda match: match["players"].__setitem__(2, "\u200b")),
        "missing",
    ),
    "a long name": (
        lambda: changed(lambda match: match["players"].__setitem__(2, "x" * 41)),
        "too_long",
    ),
    "a name that is a number": (
        lambda: changed(lambda match: match["players"].__setitem__(2, 7)),
        "missing",
    ),
    "a thirteenth month": (
        lambda: changed(lambda m: m.update(played_at="2026-13-12T20:15:00")),
        "bad_date",
    ),
    "the 30th of February": (
        lambda: changed(lambda match: match.update(played_at="2026-02-30")),
        "bad_date",
    ),
    "day or month first": (
        lambda: changed(lambda match: match.update(played_at="12/11/2026")),
        "two_dates",
    ),
    "thousands": (lambda: cell(2, "total_1", "1.000"), "bad_number"),
    "two of one name": (lambda: named("Badr", "Amal", "badr", "Dima"), "two_of_one_name"),
    "another century": (
        lambda: changed(lambda match: match.update(played_at="0026-11-12")),
        "bad_date",
    ),
    "a time that is a number": (
        lambda: changed(lambda match: match.update(played_at=4633.8)),
        "bad_date",
    ),
    "no time": (lambda: changed(without("played_at")), "missing"),
    "no rules": (lambda: changed(without("system")), "missing"),
    "unknown rules": (
        lambda: changed(lambda match: match.update(system="belote")),
        "unknown_system",
    ),
    "an unknown preset": (
        lambda: changed(lambda m: [m.pop("system"), m.update(preset="x")]),
        "unknown_preset",
    ),
    "an unknown option": (
        lambda: changed(lambda m: m.update(options={"values.jack": 3})),
        "unknown_option",
    ),
    "an option that cannot be": (
        lambda: changed(lambda match: match.update(options={"values.king": -3})),
        "bad_option_value",
    ),
    "options that exclude each other": (
        lambda: changed(lambda match: match.update(options={"general_last": True})),
        "impossible_options",
    ),
    "options that are none": (
        lambda: changed(lambda m: m.update(options=["x"])),
        "bad_option_value",
    ),
    "no deals": (lambda: changed(lambda match: match.update(deals=[])), "no_deals"),
    "deals that are none": (lambda: changed(lambda match: match.update(deals=[3, "x"])), "no_deal"),
    "a long id": (lambda: changed(lambda match: match.update(external_id="x" * 201)), "too_long"),
    "an id with a line": (
        lambda: changed(lambda match: match.update(external_id="a\nb")),
        "bad_text",
    ),
    "half a character": (
        lambda: as_json(evening()).replace(b"evening-levant", b"\\ud800"),
        "bad_text",
    ),
    "first chooser five": (
        lambda: changed(lambda match: match.update(first_chooser=5)),
        "bad_seat",
    ),
    # its deals
    "a gap": (lambda: changed(lambda match: match["deals"].pop(4)), "wrong_number"),
    "a deal twice": (lambda: changed(deal(5, deal_number=4)), "deal_twice"),
    "deals from nought": (lambda: changed(deal(1, deal_number=0)), "wrong_number"),
    "no number": (lambda: changed(deal(5, deal_number=None)), "missing"),
    "a deal too many": (
        lambda: changed(lambda m: m["deals"].append(m["deals"][0] | {"deal_number": 21})),
        "match_over",
    ),
    "an unknown contract": (lambda: changed(deal(3, contract="slaps")), "unknown_contract"),
    "a contract of another game": (
        lambda: changed(deal(3, contract="general")),
        "unknown_contract",
    ),
    "a contract twice": (
        lambda: changed(deal(2, contract="tricks", input={"tricks": [13, 0, 0, 0]})),
        "contract_used",
    ),
    "no contract": (lambda: changed(deal(3, contract=None)), "missing"),
    "nobody chose": (
        lambda: changed(lambda m: [m.pop("first_chooser"), m["deals"][0].pop("chooser")]),
        "chooser_missing",
    ),
    "a dealer who is none": (lambda: changed(deal(3, dealer="Amal")), "bad_seat"),
    "negative counts": (lambda: changed(facts(1, tricks=[-1, 6, 3, 5])), "bad_counts"),
    "half a trick": (lambda: changed(facts(1, tricks=[0.5, 4.5, 3, 5])), "bad_counts"),
    "wrong sums": (lambda: changed(facts(1, tricks=[0, 5, 3, 6])), "wrong_total"),
    "no facts": (lambda: changed(deal(1, input=None)), "missing"),
    "points that are not": (lambda: changed(deal(4, scores=[1, 2, 3, 4])), "wrong_points"),
    "totals that are not": (lambda: changed(deal(4, totals=[1, 2, 3, 4])), "wrong_running"),
    "totals of the match": (
        lambda: changed(lambda match: match.update(totals=[1, 2, 3, 4])),
        "wrong_match_total",
    ),
    "points that are words": (lambda: changed(deal(4, scores="many")), "bad_points"),
    "a forced that is a word": (lambda: changed(deal(4, forced="x")), "bad_option_value"),
    # a cell
    "a formula": (lambda: formulas(), "formula"),
    "an error of the spreadsheet": (
        lambda: xlsx_of([HEADINGS, [*table(evening())[1][:9], "#REF!"]]),
        "cell_error",
    ),
    "a word for a number": (lambda: cell(2, "tricks_1", "many"), "bad_number"),
    "a negative cell": (lambda: cell(2, "tricks_1", "−3"), "bad_counts"),
    "a blank among counts": (lambda: cell(2, "tricks_1", ""), "missing"),
    "a seat of nobody": (lambda: cell(2, "dealer", "Ghassan"), "bad_seat"),
    "a seat as in JSON": (lambda: cell(2, "dealer", "0"), "bad_seat"),
    "a yes that is neither": (lambda: cell(2, "forced", "perhaps"), "not_yes_or_no"),
    "options that say nothing": (lambda: cell(2, "options", "teams opposite"), "bad_options"),
    "options that are no JSON": (lambda: cell(2, "options", "{teams"), "bad_options"),
    "another time below": (lambda: cell(5, "played_at", "2026-11-13 20:15"), "differs"),
    "another name below": (lambda: cell(5, "player_2", "Ghassan"), "differs"),
    "cells without a heading": (
        lambda: csv_of([HEADINGS, [*table(evening())[1], "x"]]),
        "cells_without_heading",
    ),
}


# A broken file is refused with reason and place, and nothing of it is written. C112
@pytest.mark.parametrize("name", BROKEN)
def test_broken_file_is_told_why_and_changes_nothing(club, name):
    make, code = BROKEN[name]
    data = make()
    before = row_counts()
    found = look(club, data)
    every = [*found.faults, *(fault for match in found.matches for fault in match.faults)]
    assert code in [fault.code for fault in every]
    for fault in every:
        assert fault_sentence(fault, ["a", "b", "c", "d"])
        assert fault_place(fault) is not None
    bring_in(club, data)
    assert row_counts() == before


def test_every_code_that_files_provoke_has_a_sentence_of_its_own():
    provoked = {code for _, code in BROKEN.values()}
    assert provoked <= {*SENTENCES, *SENTENCE_FUNCTIONS}
    with translation.override("en"):
        sentences = {str(text) for text in SENTENCES.values()}
    assert len(sentences) == len(SENTENCES)


# -- where


def place(data, code):
    (found,) = [fault.place for fault in faults(data) if fault.code == code]
    return found


def test_place_in_json_is_line_and_column_of_the_value():
    data = changed(facts(3, diamonds=[0, 6, 0, 8]))
    found = place(data, "wrong_total")
    line = data.decode().split("\n")[found.line - 1]
    assert line[found.column - 1 :].startswith("[")
    assert "diamonds" in line


def test_place_in_lines_counts_the_lines_of_the_file():
    bad = evening()
    bad["deals"][2]["input"] = {"diamonds": [0, 6, 0, 8]}
    data = as_lines(evening(), bad)
    found = place(data, "wrong_total")
    assert found.line == 2
    assert data.decode().split("\n")[1][found.column - 1 :].startswith("[0, 6, 0, 8]")


def test_place_in_a_table_is_line_column_and_heading():
    found = place(cell(4, "dealer", "Ghassan"), "bad_seat")
    assert (found.line, found.column, found.heading) == (4, HEADINGS.index("dealer") + 1, "dealer")


@pytest.mark.parametrize("heading", ["played_at", "player_3", "rules", "deal", "contract"])
def test_blank_cell_is_named_by_its_heading(heading):
    data = cell(2, heading, "")
    (fault,) = [fault for fault in faults(data) if fault.code == "missing"]
    assert (fault.place.line, fault.place.heading) == (2, heading)
    assert heading in fault_sentence(fault)


def test_line_behind_a_cell_of_several_lines_is_that_of_the_file():
    rows = table(evening())
    rows[1][HEADINGS.index("match")] = "one\ntwo"
    rows[2][HEADINGS.index("match")] = "one\ntwo"
    rows = [*rows[:3], *rows[4:]]
    assert place(csv_of(rows), "wrong_number").line > 4


def test_place_in_a_workbook_is_the_cell():
    found = place(formulas(), "formula")
    assert found.cell.endswith("4")
    assert found.heading == "tricks_2"


def test_deal_is_named_with_the_place():
    (fault,) = faults(changed(deal(4, scores=[1, 2, 3, 4])))
    assert fault.deal == 4
    assert "deal 4" in fault_place(fault)


def test_all_problems_of_a_match_come_at_once():
    def spoil(match):
        match["played_at"] = "yesterday"
        match["players"] = ["Amal", "", "Carmen", "Dima"]
        match["deals"][2]["input"] = {"diamonds": [0, 6, 0, 8]}
        match["deals"][7]["contract"] = "slaps"
        match["deals"][9]["scores"] = [1, 2, 3, 4]

    found = codes(changed(spoil))
    expected = {"bad_date", "missing", "wrong_total", "unknown_contract", "wrong_points"}
    assert expected == set(found)
    assert len(found) == len(expected)


def test_slip_in_the_totals_is_told_where_it_was_made():
    def slip(match):
        for row in match["deals"][6:]:
            row["totals"] = [row["totals"][0] + 10, *row["totals"][1:]]
        match["totals"][0] += 10

    (fault,) = faults(changed(slip))
    assert (fault.code, fault.deal) == ("wrong_running", 7)


# -- what is no reason to refuse


def fine(data, count=1):
    found = read(data)
    assert [fault.code for each in found for fault in getattr(each, "faults", ())] == []
    assert sum(hasattr(each, "deals") for each in found) == count


def arabic(text):
    return text.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))


def persian(text):
    return text.translate(str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹"))


# Digits of every script count, wherever a number is typed. C14
@pytest.mark.parametrize("digits", [arabic, persian])
def test_table_in_other_digits_is_read(digits):
    rows = table(evening())
    plain = {HEADINGS.index(name) for name in ("match", "played_at", "rules", "options")}
    changed_rows = [
        [
            cell if place in plain else digits(str(cell)).replace("-", "−")
            for place, cell in enumerate(row)
        ]
        for row in rows
    ]
    for row in changed_rows[1:]:
        row[HEADINGS.index("played_at")] = digits("2026-11-12 20:15")
    fine(csv_of(changed_rows))


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_separators_and_the_byte_order_mark_are_read(separator, encoding):
    fine(as_csv(evening(), separator=separator, encoding=encoding))


def test_line_that_names_the_separator_is_read():
    fine(b"sep=;\r\n" + as_csv(evening(), separator=";"))


def test_name_with_a_comma_is_quoted():
    match = evening(players=["Haddad, Amal", 'Badr "the king"', "Carmen", "Dima"])
    fine(as_csv(match))
    (found,) = read(as_csv(match))
    assert found.names[:2] == ("Haddad, Amal", 'Badr "the king"')


def test_json_with_a_byte_order_mark_is_read():
    fine(b"\xef\xbb\xbf" + as_json(evening()))


def test_one_match_alone_is_read():
    fine(json.dumps(evening()).encode())


def test_match_behind_a_broken_line_is_read():
    data = b'{"players": ["a", \n' + as_lines(evening())
    assert codes(data) == ["not_json"]
    assert sum(hasattr(each, "deals") for each in read(data)) == 1


def test_columns_in_any_order_and_spelling_are_read():
    names = [heading.replace("_", " ").title() for heading in reversed(HEADINGS)]
    rows = [list(reversed(row)) for row in table(evening())[1:]]
    fine(csv_of([names, *rows]))


def test_unknown_columns_are_named_and_left_out():
    rows = [[*row, "x" if place else "weather"] for place, row in enumerate(table(evening()))]
    notes = [each for each in read(csv_of(rows)) if getattr(each, "code", "") == "ignored_columns"]
    assert notes[0].names == ("weather",)
    fine(csv_of(rows))


def test_what_holds_for_the_match_need_stand_in_its_first_row_only():
    rows = table(evening())
    for row in rows[2:]:
        for place, name in enumerate(HEADINGS):
            if place < HEADINGS.index("deal") or name == "match":
                row[place] = ""
    fine(csv_of(rows))


def test_matches_without_names_of_their_own_are_told_apart_by_time_and_people():
    two = [evening(name) | {"external_id": ""} for name in ("evening-levant", "evening-kleshchi")]
    fine(as_csv(*two), count=2)


def test_names_stand_for_seats():
    rows = table(evening())
    people = evening()["players"]
    for row in rows[1:]:
        for name in ("dealer", "chooser", "first_chooser"):
            row[HEADINGS.index(name)] = people[row[HEADINGS.index(name)] - 1].upper()
    fine(csv_of(rows))


@pytest.mark.parametrize("rules", ["levant", "Levant", "levant partners", "kleshchi_pairs"])
def test_rules_are_named_by_preset(rules):
    name = "evening-kleshchi" if rules.startswith("k") else "evening-levant"
    rows = table(evening(name))
    for row in rows[1:]:
        row[HEADINGS.index("rules")] = rules
    fine(csv_of(rows))


def test_house_rules_are_a_system_with_options():
    match = evening(deals=1) | {"options": {"values.trick": 20}}
    first = match["deals"][0]
    first["scores"] = first["totals"] = match["totals"] = [0, -100, -60, -100]
    fine(as_json(match))
    fine(as_csv(match))
    rows = table(match)
    rows[1][HEADINGS.index("options")] = "values.trick = ٢٠; doubling.king = no"
    (found,) = read(csv_of(rows))
    assert (found.rules.values.trick, found.rules.doubling.king) == (20, False)


def test_deal_that_does_not_say_who_dealt_and_chose_goes_by_the_rules():
    match = evening()
    for row in match["deals"]:
        del row["dealer"], row["chooser"], row["forced"]
    (found,) = read(as_json(match))
    assert found.faults == ()
    assert [each.chooser for each in found.deals] == [d["chooser"] for d in evening()["deals"]]


def test_sheet_called_deals_is_read_and_the_others_are_named():
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(xlsx_of(table(evening()), title="Deals")))
    book.create_sheet("First", 0)
    data = io.BytesIO()
    book.save(data)
    fine(data.getvalue())
    notes = [each for each in read(data.getvalue()) if getattr(each, "code", "") == "other_sheets"]
    assert notes[0].names == ("First",)
    assert SHEET == "deals"


def test_limits_of_the_page_are_not_those_of_the_command():
    data = as_json(*[evening()] * 3)
    assert codes(data, replace(PAGE, deals=59)) == ["too_many_deals"]
    assert codes(data, replace(PAGE, deals=60)) == []
    assert codes(data, replace(PAGE, size=99)) == ["too_big"]
