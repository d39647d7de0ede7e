"""`manage.py audit_records PATH…`: a whole archive, totals per code, the bad ones named."""

from __future__ import annotations

import itertools
import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand

from scoring.archive.summary import BadRecord, Summary
from scoring.management.record_work import (
    PartResult,
    State,
    WorkPart,
    found_files,
    needs_numpy,
    parts,
    worked_off,
    workers,
)
from scoring.management.sources import kind_in, opened, while_read
from scoring.replay.archive import RecordMark, read_all
from scoring.spreadsheets import BOM, csv_lines

BAD = 1
STOPPED = 130  # as a shell reports Ctrl-C
PROGRESS_EVERY = 0.2  # seconds
SAVE_EVERY = 10.0  # seconds
MOST_MARKS = 8  # named of one record


class Command(BaseCommand):
    """Names a bad record as soon as it is found. Ctrl-C stops, and tells what was found so far."""

    help = (
        "Audits records: each .trex, .json, .jsonl, .ndjson and .trexpack file of the folders, and "
        "every file that is named itself. Names the bad ones and counts them per code. Exit "
        "status: 0 all is well, 1 some are bad, 2 a path cannot be read, 130 stopped."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", help="a file or a folder")
        parser.add_argument(
            "--jobs", type=jobs, default=1, metavar="N", help="processes at work; default 1"
        )
        parser.add_argument(
            "--scheduler", metavar="ADDRESS", help="let the workers of a Dask scheduler do it"
        )
        parser.add_argument(
            "--state",
            metavar="FILE",
            help="keep here how far the audit is; an audit that was stopped goes on from there",
        )
        parser.add_argument(
            "--summary",
            metavar="FILE",
            help="write totals by code, club, player and contract here, .json or .csv",
        )
        parser.add_argument(
            "--pack", metavar="FILE", help="audit nothing, write all records to one packed file"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        files = list(found_files(options["paths"]))
        if options["pack"]:
            self.pack(files, Path(options["pack"]))
            return
        state = State.opened(options["state"], files)
        is_stopped = is_faulty = False
        with while_read():
            try:
                is_faulty = self.audit(files, state, options)
            except KeyboardInterrupt:
                is_stopped = True
            state.save()
            self.report(state.summary, len(files), is_stopped)
        if options["summary"]:
            write_summary(state.summary, Path(options["summary"]))
        if is_stopped:
            raise SystemExit(STOPPED)
        if state.summary.bad or is_faulty:
            raise SystemExit(BAD)

    def audit(self, files: list[Path], state: State, options: dict[str, Any]) -> bool:
        """Audits what is left to do; whether some block could not be read."""
        progress = ProgressLine(files, self.stderr.write, self.stderr.isatty())
        is_faulty = False
        saved = monotonic()
        work = itertools.islice(parts(files), state.done, None)
        try:
            with workers(options["jobs"], options["scheduler"]) as (pool, ahead):
                for part, found in worked_off(work, pool, ahead):
                    state.add(found)
                    is_faulty |= bool(found.fault)
                    lines = list(told(part, found))
                    if lines:
                        progress.clear()
                        self.stdout.write("\n".join(lines))
                    progress.show(part, state.summary)
                    if monotonic() - saved > SAVE_EVERY:
                        saved = monotonic()
                        state.save()
        finally:
            progress.clear()
        return is_faulty

    def report(self, summary: Summary, files: int, is_stopped: bool) -> None:
        """The totals, and whether they are those of everything."""
        for code, count in summary.codes:
            self.stdout.write(f"{count:>9,}  {code}")
        self.stdout.write(f"{summary.records:,} records in {files:,} files, {summary.bad:,} bad")
        if is_stopped:
            self.stdout.write("stopped before the end")

    def pack(self, files: list[Path], target: Path) -> None:
        """Writes one packed file of all records."""
        needs_numpy("--pack")
        from scoring.archive.packed_file import PackedWriter

        part = target.with_name(target.name + ".part")
        with part.open("wb") as stream:
            writer = PackedWriter(stream)
            for file in files:
                with opened(str(file)) as source:
                    for record in read_all(source, kind_in(str(file), source)):
                        writer.add(record)
            writer.close()
        part.replace(target)
        kept = writer.number - writer.in_columns
        self.stdout.write(f"{writer.number:,} records packed, {kept:,} of them as text")


def jobs(text: str) -> int:
    """A number of processes."""
    if text.isdecimal() and 1 <= int(text) <= 256:
        return int(text)
    raise ArgumentTypeError(f"{text!r} is not a number of processes")


def told(part: WorkPart, found: PartResult) -> list[str]:
    """A line for each bad record of a part, and for a block that cannot be read."""
    lines = [named(part.file, each) for each in found.named]
    return [*lines, f"{part.file}  {found.fault}"] if found.fault else lines


def named(file: Path, given: BadRecord) -> str:
    """The line of a bad record: file, id, codes with the play or line they are at."""
    verdict = given.verdict
    marks = [at(mark) for mark in verdict.marks[:MOST_MARKS]]
    more = len(verdict.marks) - MOST_MARKS
    return f"{file}  {verdict.id}  {', '.join(marks)}{f' and {more} more' if more > 0 else ''}"


def at(mark: RecordMark) -> str:
    """`revoke 17` is at play 17, counted from 0; `bad_card 12` in line 12."""
    return mark.code if mark.place is None else f"{mark.code} {mark.place}"


def write_summary(summary: Summary, file: Path) -> None:
    """Writes the summary as the suffix of the file says: a table, or JSON."""
    if file.suffix.lower() == ".csv":
        file.write_text(BOM + "".join(csv_lines(summary.rows())), newline="")
    else:
        file.write_text(json.dumps(summary.to_json(), ensure_ascii=False, indent=1) + "\n")


class ProgressLine:
    """A line that is written over again, on a terminal only."""

    def __init__(self, files: list[Path], write: Callable[..., Any], is_shown: bool) -> None:
        self.write = write
        self.is_shown = is_shown
        self.sizes = {file: file.stat().st_size for file in files}
        self.whole = sum(self.sizes.values()) or 1
        self.before: dict[Path, int] = dict(
            zip(files, itertools.accumulate(self.sizes.values(), initial=0), strict=False)
        )
        self.last = 0.0
        self.is_drawn = False

    def show(self, part: WorkPart, summary: Summary) -> None:
        """How far it is, if some time has passed."""
        if not self.is_shown or monotonic() - self.last < PROGRESS_EVERY:
            return
        self.last = monotonic()
        done = (self.before[part.file] + part.end) / self.whole
        bar = ("#" * int(20 * done)).ljust(20, ".")
        self.draw(f"{bar} {done:4.0%}  {summary.records:,} records, {summary.bad:,} bad")

    def clear(self) -> None:
        """Makes room for a line of its own."""
        if self.is_drawn:
            self.draw("")

    def draw(self, text: str) -> None:
        """Writes over what stands there."""
        self.write(f"\r\x1b[K{text}", ending="")
        self.is_drawn = bool(text)
