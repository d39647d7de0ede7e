"""Everything of a club in one file: tables that spreadsheets read, and work that is broken off."""

import csv
import io
import zipfile
from datetime import timedelta
from functools import partial

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.utils import timezone
from openpyxl import load_workbook

from scoring.common.actor import Actor
from scoring.importing.limits import PAGE
from scoring.integrity.queries.integrity import findings
from scoring.models import Club, Job, Match, MatchResult, Player, triggers
from scoring.standings.queries.standings import standings_page
from scoring.transfer.queries import export_rows as reading
from scoring.transfer.queries.imports import plan_import
from scoring.transfer.services.club_export import export_club, files
from scoring.transfer.services.club_export.parts import ExportParts
from scoring.transfer.services.club_import import import_archive
from tests.factories import (
    NOW,
    evenings,
    finish,
    king,
    make_cast,
    make_evening,
    make_match,
    record,
)
from tests.support.moving import (
    derived_rows,
    exported,
    forget_everything,
    imported,
    names_in,
    text_of,
)
from tests.transfer.test_moving import full_club

pytestmark = pytest.mark.django_db
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
NAMES = ["=cmd()", "محمد بن عبد العزيز", "<img src=x onerror=alert(1)>", "Клавдия"]


@pytest.fixture
def cast():
    return make_cast()


@pytest.fixture
def evening(cast):
    """Finished, of people whose names are not easy."""
    actor = Actor(cast.amal)
    match = make_evening("evening-levant", club=cast.club, actor=actor)
    for row, name in zip(match.seatings.order_by("seat"), NAMES, strict=True):
        Player.objects.filter(id=row.player_id).update(name=name)
    return finish(match, actor=actor)


def rows(path, name, folder="csv"):
    return list(csv.DictReader(io.StringIO(text_of(path, f"{folder}/{name}.csv").lstrip(BOM))))


def sheets(path, slug="cafe-younes"):
    with zipfile.ZipFile(path) as archive:
        return load_workbook(io.BytesIO(archive.read(f"{slug}.xlsx")))


# ── tables ──────────────────────────────────────────────────────────────


# The same ranks in a file as on the page. C88
def test_tables_say_what_the_pages_say(cast, evening):
    path, told = exported(cast.club), evenings()["evening-levant"]
    page = standings_page(cast.club)
    assert [(row["rank"], row["total"]) for row in rows(path, "standings")] == [
        (str(row.rank), str(row.record.total)) for row in page.rows
    ]
    (match,) = rows(path, "matches")
    assert [match[f"total_{seat}"] for seat in "1234"] == [str(total) for total in told["totals"]]
    assert match["head"] == Match.objects.get().head
    deals = rows(path, "deals")
    assert [[deal[f"score_{seat}"] for seat in "1234"] for deal in deals] == [
        [str(points) for points in deal["scores"]] for deal in told["deals"]
    ]
    results = {row["player_id"]: row["points"] for row in rows(path, "results")}
    assert results == {str(row.player_id): str(row.points) for row in MatchResult.objects.all()}


# A name is a name, whatever it begins with and in whichever script. C121
def test_names_are_names_in_every_table(cast, evening):
    path = exported(cast.club)
    safe = {f"'{NAMES[0]}", *NAMES[1:]}
    for folder in ("csv", "csv-with-bom"):
        assert safe <= {row["name"] for row in rows(path, "people", folder)}
        assert safe == {row["name"] for row in rows(path, "results", folder)}
        assert text_of(path, f"{folder}/people.csv").startswith(BOM) == ("bom" in folder)
    book = sheets(path)
    names = {cell.value: cell.data_type for cell in book["people"]["A"]}
    assert {names[name] for name in NAMES} == {"s"}
    assert book.sheetnames == ["people", "standings", "matches", "results", "deals"]
    assert book["matches"]["B2"].is_date
    assert not book["people"].sheet_view.rightToLeft
    Club.objects.update(language="ar")
    cast.club.refresh_from_db()
    assert sheets(exported(cast.club))["people"].sheet_view.rightToLeft


def test_deals_can_be_imported_as_they_are(cast, evening):
    other = Club.objects.create(name="Another", slug="another")
    path = exported(cast.club)
    with zipfile.ZipFile(path) as archive:
        for part in ("csv/deals.csv", "csv-with-bom/deals.csv", "cafe-younes.xlsx"):
            found = plan_import(other, io.BytesIO(archive.read(part)), PAGE)
            (planned,) = found.matches
            assert not planned.faults
            assert len(planned.found.deals) == 20


def test_what_cannot_be_read_is_counted_and_in_the_file_all_the_same(cast, evening):
    with triggers.without_triggers(connection):
        evening.deals.update(payload={})
    job = Job(club=cast.club)
    *_, last = export_club(job)
    path = files.finished_path(cast.club, job.id)
    assert last.found["unreadable"] == 1
    assert rows(path, "deals") == []
    assert str(evening.id) in text_of(path)


def test_seals_are_those_that_the_check_compares(cast, evening, tmp_path):
    path = tmp_path / "heads"
    path.write_text(text_of(exported(cast.club), "heads.txt"))
    call_command("verify_ledger", "--heads", str(path))
    match = Match.objects.get()
    assert path.read_text() == f"{match.id} {match.version} {match.head}\n"


# ── long work ───────────────────────────────────────────────────────────


@pytest.fixture
def three(cast, monkeypatch):
    """A club with three matches, one read at a time."""
    monkeypatch.setattr(reading, "BATCH", 1)
    for _ in range(3):
        make_match(club=cast.club, players=cast.players, entries=[king()], actor=Actor(cast.amal))
    return cast.club


def broken_off(club, after):
    """A job whose worker died at this step."""
    job = Job.objects.create(club=club, kind="export", created_at=NOW, updated_at=NOW)
    for step in export_club(job):
        job.done, job.total, job.cursor, job.found = step
        if job.done == after:
            break
    return job


def gone_on(job):
    *_, last = export_club(job)
    assert last.done == last.total
    return text_of(files.finished_path(job.club, job.id))


@pytest.mark.parametrize("after", [0, 1, 2, 3])
def test_it_goes_on_where_it_was_broken_off(three, after):
    whole = text_of(exported(three))
    job = broken_off(three, after)
    with files.draft_path(three, job.id, "documents").open("ab") as part:
        part.write(b"half a line")
    assert gone_on(job) == whole


def test_what_was_swept_away_meanwhile_is_written_anew(three):
    whole = text_of(exported(three))
    job = broken_off(three, 2)
    files.draft_path(three, job.id, "deals").unlink()
    assert gone_on(job) == whole


def test_a_match_that_is_opened_meanwhile_is_in_it(three, cast):
    job, late = broken_off(three, 3), NOW + timedelta(hours=1)
    make_match(club=three, players=[*cast.players[:3], "Zeina"], actor=Actor(cast.amal), now=late)
    text = gone_on(job)
    assert "Zeina" in text
    assert text.count('"match":{') == 4


def test_a_deal_that_is_saved_while_its_match_is_read_does_no_harm(three, cast, monkeypatch):
    """The rows of a match are read one table after the other."""
    match, once, read = Match.objects.first(), [True], reading.evidence

    def slow(asked):
        found = list(read(asked))
        if once and found[0].match == match:
            once.clear()
            record(match, king(chooser=1), actor=Actor(cast.amal))
        return found

    monkeypatch.setattr(reading, "evidence", slow)
    path = exported(three)
    assert not once
    monkeypatch.undo()
    forget_everything()
    imported(path)
    assert [str(one) for one in findings() if one.is_fault] == []


def test_only_the_newest_file_is_kept_and_not_for_ever(three):
    first = exported(three)
    second = exported(three)
    assert (first.exists(), second.exists()) == (False, True)
    assert [path.name for path in files.folder_of(three).iterdir()] == [second.name]
    files.delete_old(timezone.now() + timedelta(days=6))
    assert second.exists()
    files.delete_old(timezone.now() + timedelta(days=8))
    assert not second.exists()


def test_parts_hold_no_more_than_they_were_told(three, tmp_path):
    with ExportParts(partial(_part, tmp_path)) as parts:
        parts.rows("deals", [["a\nb", None, 1]])
        place = parts.place(Match.objects.first().id)
        parts.rows("deals", [["more"]])
        assert len(list(parts.lines("deals"))) == 2
    with ExportParts(partial(_part, tmp_path), place) as parts:
        assert list(parts.read("deals")) == [["a\nb", None, 1]]


def _part(folder, name):
    return folder / name


# ── commands ────────────────────────────────────────────────────────────


def test_commands_bring_a_club_there_and_back(tmp_path, capsys):
    club = full_club().club
    whole, alone = tmp_path / "club.zip", tmp_path / "club.json"
    call_command("export_club", club.slug, "--out", str(whole))
    call_command("export_club", club.slug, "--out", str(alone))
    assert alone.read_text() == text_of(whole)
    forget_everything()
    call_command("import_club", str(whole))
    assert "Café Younes is here, at /clubs/cafe-younes/" in capsys.readouterr().out
    again = tmp_path / "again.json"
    call_command("export_club", club.slug, "--out", str(again))
    assert again.read_bytes() == alone.read_bytes()
    call_command("verify_ledger")
    call_command("rebuild_results")
    with pytest.raises(CommandError, match=r"club_is_here .*Nothing was written") as refused:
        call_command("import_club", str(whole))
    assert refused.value.returncode == 1


def test_export_without_a_name_goes_to_the_data_folder(tmp_path, settings, monkeypatch, capsys):
    """Never where the command happens to run, which is the folder of the installation."""
    settings.DATA_DIR = tmp_path / "data"
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    club = full_club().club
    call_command("export_club", club.slug)
    made = tmp_path / "data" / "cafe-younes.zip"
    assert capsys.readouterr().out.startswith(f"{made}: ")
    assert "club.json" in names_in(made)
    call_command("export_club", club.slug, "--out", "own.json")
    assert capsys.readouterr().out.startswith(f"{here / 'own.json'}: ")
    assert [path.name for path in here.iterdir()] == ["own.json"]


def test_import_that_was_killed_goes_on_where_it_was(tmp_path, capsys):
    """The rows are there, what is derived is not: the same file again works out what is left."""
    club = full_club().club
    path = exported(club, tmp_path / "club.zip")
    right = derived_rows()
    forget_everything()
    for step in import_archive(path, None):
        if step.cursor == "arrived":
            break
    assert derived_rows() != right
    call_command("import_club", str(path))
    said = capsys.readouterr().out
    assert "Café Younes was here already, without results of 1 match" in said
    assert "Café Younes is here, at /clubs/cafe-younes/" in said
    assert derived_rows() == right
    with pytest.raises(CommandError, match="club_is_here"):
        call_command("import_club", str(path))


@pytest.mark.parametrize(
    "asked",
    [
        ("export_club", "nowhere"),
        ("import_club", "nowhere.zip"),
        ("import_club", "nowhere.zip", "--owner", "nobody"),
    ],
)
def test_commands_say_what_is_not_there(asked):
    with pytest.raises(CommandError) as refused:
        call_command(*asked)
    assert refused.value.returncode == 2
