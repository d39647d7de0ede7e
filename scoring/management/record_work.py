"""The work of an audit of many files, in parts that any process can do."""

from __future__ import annotations

import itertools
import json
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management.base import CommandError

from scoring.archive import MAGIC
from scoring.archive.summary import BadRecord, Summary, audited_records
from scoring.management.sources import KINDS, NO_FILE, kind_in, opened
from scoring.replay.archive import Piece, pieces, read_piece

PACKED = ".trexpack"
BATCH = 50
AHEAD = 2  # parts waiting for each process
NOT_INSTALLED = (
    "{what} needs {package}, which is not installed. bin/setup --archive installs it; in another "
    "environment: pip install -r deploy/requirements-archive.txt."
)
FAULTS = {
    "broken": "broken: its checksum or its head is wrong",
    "cut": "cut off: the file ends inside it",
    "later": "written by a later version",
}


class WorkPart(NamedTuple):
    """Some records of one file, or a block of a packed one that begins at `offset`; and how many
    bytes of the file lie up to its end. A block that cannot be read has a `fault`."""

    file: Path
    end: int
    pieces: list[Piece] = []
    offset: int | None = None
    fault: str = ""


class PartResult(NamedTuple):
    """What was found in a part."""

    summary: Summary
    named: Sequence[BadRecord] = ()
    fault: str = ""


def found_files(paths: list[str]) -> Iterator[Path]:
    """The files named and those in the folders named, in order."""
    for path in map(Path, paths):
        if path.is_dir():
            inside = (each for each in path.rglob("*") if each.suffix.lower() in (*KINDS, PACKED))
            yield from sorted(each for each in inside if each.is_file())
        elif path.is_file():
            yield path
        else:
            raise CommandError(f"{path}: no such file or folder", returncode=NO_FILE)


def parts(files: list[Path]) -> Iterator[WorkPart]:
    """All there is to audit, in order."""
    for file in files:
        with opened(str(file)) as stream:
            if stream.peek(len(MAGIC))[: len(MAGIC)] == MAGIC:
                yield from packed_parts(file)
                continue
            for some in itertools.batched(pieces(stream, kind_in(str(file), stream)), BATCH):
                yield WorkPart(file, stream.tell(), list(some))


def packed_parts(file: Path) -> Iterator[WorkPart]:
    """The blocks of a packed file."""
    needs_numpy(f"{file}: a packed file")
    from scoring.archive.auditing import parts_of
    from scoring.archive.packed_file import BlockFault

    for each in parts_of(file):
        if isinstance(each, BlockFault):
            yield WorkPart(
                file, each.offset, fault=fault_words(each.offset, each.reason, each.deals)
            )
        else:
            yield WorkPart(file, each[1], offset=each[0])


def fault_words(offset: int, reason: str, deals: int | None) -> str:
    """A block that was not audited."""
    count = "" if deals is None else f"; {deals:,} records not audited"
    return f"block at byte {offset:,} is {FAULTS[reason]}{count}"


def needs_numpy(what: str) -> None:
    """CommandError where NumPy is not installed."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        message = NOT_INSTALLED.format(what=what, package="NumPy")
        raise CommandError(message, returncode=NO_FILE) from None


def audited(part: WorkPart) -> PartResult:
    """The audit of a part. Needs no database."""
    if part.fault:
        return PartResult(Summary(), fault=part.fault)
    if part.offset is None:
        return PartResult(*audited_records(map(read_piece, part.pieces)))
    from scoring.archive.auditing import audited_block

    found = audited_block(str(part.file), part.offset)
    fault = fault_words(*found.fault) if found.fault else ""
    return PartResult(found.summary, found.named, fault)


def worked_off(
    work: Iterator[WorkPart], pool: Executor | None, ahead: int
) -> Iterator[tuple[WorkPart, PartResult]]:
    """Each part with what was found, in order; `ahead` parts at a time where others do it."""
    if pool is None:
        yield from ((part, audited(part)) for part in work)
        return
    waiting: deque[tuple[WorkPart, Future[PartResult]]] = deque()
    try:
        for part in work:
            waiting.append((part, pool.submit(audited, part)))
            if len(waiting) >= ahead:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()
    finally:
        for _, future in waiting:
            future.cancel()


@contextmanager
def workers(jobs: int, scheduler: str | None) -> Iterator[tuple[Executor | None, int]]:
    """Who does the work, and how many parts are handed out at a time: this process, others of this
    machine, or those of a Dask scheduler, which must have the files under the same paths."""
    if scheduler:
        with dask_executor(scheduler) as (pool, threads):
            yield pool, threads * AHEAD
    elif jobs > 1:
        with ProcessPoolExecutor(jobs, get_context("spawn"), leave_ctrl_c) as pool:
            try:
                yield pool, jobs * AHEAD
            finally:
                pool.shutdown(cancel_futures=True)
    else:
        yield None, 1


@contextmanager
def dask_executor(scheduler: str) -> Iterator[tuple[Executor, int]]:
    """The workers of a Dask scheduler. It hands the part of a worker that died to another."""
    try:
        from dask.distributed import Client
    except ImportError:
        message = NOT_INSTALLED.format(what="--scheduler", package="dask.distributed")
        raise CommandError(message, returncode=NO_FILE) from None
    try:
        client = Client(scheduler, timeout=10)
    except OSError as error:
        message = f"{scheduler}: no scheduler answers there ({error})"
        raise CommandError(message, returncode=NO_FILE) from error
    with client:
        yield client.get_executor(pure=False), max(2, sum(client.nthreads().values()))


def leave_ctrl_c() -> None:
    """Ctrl-C reaches every process of a terminal; the first alone decides."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@dataclass
class State:
    """How far an audit of some files has come, kept in a file so that it can go on."""

    file: Path | None
    files: list[list[Any]]
    done: int = 0
    summary: Summary = field(default_factory=Summary)

    @classmethod
    def opened(cls, name: str | None, files: list[Path]) -> State:
        """The state that a file has of these files; a new one where there is none."""
        now = [[str(file.resolve()), file.stat().st_size, file.stat().st_mtime] for file in files]
        if name is None or not Path(name).exists():
            return cls(None if name is None else Path(name), now)
        try:
            data = json.loads(Path(name).read_text())
            kept = cls(Path(name), data["files"], data["done"], Summary.from_json(data["summary"]))
        except (ValueError, KeyError, TypeError) as error:
            raise CommandError(f"{name}: not the state of an audit", returncode=NO_FILE) from error
        if kept.files != now:
            message = f"{name}: the state of other files, or these have changed since"
            raise CommandError(message, returncode=NO_FILE)
        return kept

    def add(self, found: PartResult) -> None:
        """Counts one more part."""
        self.done += 1
        self.summary.merge(found.summary)

    def save(self) -> None:
        """Writes the file anew, whole or not at all."""
        if self.file is None:
            return
        data = {"files": self.files, "done": self.done, "summary": self.summary.to_json()}
        part = self.file.with_name(self.file.name + ".part")
        part.write_text(json.dumps(data, ensure_ascii=False))
        part.replace(self.file)
