"""`manage.py audit_records PATH…`: a whole archive, totals per code, the bad ones named."""

from __future__ import annotations

import itertools
import signal
from argparse import ArgumentParser, ArgumentTypeError
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError

from scoring.management.sources import KINDS, NO_FILE, kind_in, opened, while_read
from scoring.replay.archive import Mark, Piece, Totals, Verdict, pieces, verdicts

BAD = 1
STOPPED = 130  # as a shell reports Ctrl-C
BATCH = 50
AHEAD = 2  # batches waiting for each process
PROGRESS_EVERY = 0.2  # seconds
MOST_MARKS = 8  # named of one record


class Batch(NamedTuple):
    """Some records of one file, and how many bytes of the file had been read with them."""

    file: Path
    pieces: list[Piece]
    read: int


class Command(BaseCommand):
    """Names a bad record as soon as it is found. Ctrl-C stops, and tells what was found so far."""

    help = (
        "Audits records: each .trex, .json, .jsonl and .ndjson file of the folders, and every file "
        "that is named itself. Names the bad ones and counts them per code. Exit status: 0 all is "
        "well, 1 some are bad, 2 a path cannot be read, 130 stopped."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", help="a file or a folder")
        parser.add_argument(
            "--jobs", type=jobs, default=1, metavar="N", help="processes at work; default 1"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        files = list(found_files(options["paths"]))
        totals = Totals()
        progress = Progress(files, self.stderr.write, self.stderr.isatty())
        is_stopped = False
        with while_read():
            try:
                for batch, given in judged(batches(files), options["jobs"]):
                    for each in given:
                        totals.add(each)
                        if each.marks:
                            progress.clear()
                            self.stdout.write(named(batch.file, each))
                    progress.show(batch, totals)
            except KeyboardInterrupt:
                is_stopped = True
            progress.clear()
            self.report(totals, len(files), is_stopped)
        if is_stopped:
            raise SystemExit(STOPPED)
        if totals.bad:
            raise SystemExit(BAD)

    def report(self, totals: Totals, files: int, is_stopped: bool) -> None:
        """The totals, and whether they are those of everything."""
        for code, count in totals.codes.most_common():
            self.stdout.write(f"{count:>9,}  {code}")
        self.stdout.write(f"{totals.records:,} records in {files:,} files, {totals.bad:,} bad")
        if is_stopped:
            self.stdout.write("stopped before the end")


def jobs(text: str) -> int:
    """A number of processes."""
    if text.isdecimal() and 1 <= int(text) <= 256:
        return int(text)
    raise ArgumentTypeError(f"{text!r} is not a number of processes")


def found_files(paths: list[str]) -> Iterator[Path]:
    """The files named and those in the folders named, in order."""
    for path in map(Path, paths):
        if path.is_dir():
            inside = (each for each in path.rglob("*") if each.suffix.lower() in KINDS)
            yield from sorted(each for each in inside if each.is_file())
        elif path.is_file():
            yield path
        else:
            raise CommandError(f"{path}: no such file or folder", returncode=NO_FILE)


def batches(files: list[Path]) -> Iterator[Batch]:
    """The records of all files, some at a time."""
    for file in files:
        with opened(str(file)) as stream:
            for some in itertools.batched(pieces(stream, kind_in(str(file), stream)), BATCH):
                yield Batch(file, list(some), stream.tell())


def judged(work: Iterator[Batch], count: int) -> Iterator[tuple[Batch, list[Verdict]]]:
    """Each batch with its verdicts, in order; in processes of their own where there are several."""
    if count == 1:
        yield from ((batch, verdicts(batch.pieces)) for batch in work)
        return
    waiting: deque[tuple[Batch, Future[list[Verdict]]]] = deque()
    with ProcessPoolExecutor(count, get_context("spawn"), leave_ctrl_c) as pool:
        try:
            for batch in work:
                waiting.append((batch, pool.submit(verdicts, batch.pieces)))
                if len(waiting) >= count * AHEAD:
                    first, future = waiting.popleft()
                    yield first, future.result()
            while waiting:
                first, future = waiting.popleft()
                yield first, future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def leave_ctrl_c() -> None:
    """Ctrl-C reaches every process of a terminal; the first alone decides."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def named(file: Path, given: Verdict) -> str:
    """The line of a bad record: file, id, codes with the play or line they are at."""
    marks = [at(mark) for mark in given.marks[:MOST_MARKS]]
    more = len(given.marks) - MOST_MARKS
    return f"{file}  {given.id}  {', '.join(marks)}{f' and {more} more' if more > 0 else ''}"


def at(mark: Mark) -> str:
    """`revoke 17` is at play 17, counted from 0; `bad_card 12` in line 12."""
    return mark.code if mark.place is None else f"{mark.code} {mark.place}"


class Progress:
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

    def show(self, batch: Batch, totals: Totals) -> None:
        """How far it is, if some time has passed."""
        if not self.is_shown or monotonic() - self.last < PROGRESS_EVERY:
            return
        self.last = monotonic()
        done = (self.before[batch.file] + batch.read) / self.whole
        bar = ("#" * int(20 * done)).ljust(20, ".")
        self.draw(f"{bar} {done:4.0%}  {totals.records:,} records, {totals.bad:,} bad")

    def clear(self) -> None:
        """Makes room for a line of its own."""
        if self.is_drawn:
            self.draw("")

    def draw(self, text: str) -> None:
        """Writes over what stands there."""
        self.write(f"\r\x1b[K{text}", ending="")
        self.is_drawn = bool(text)
