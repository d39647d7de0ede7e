"""Files of records, as commands are given them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import cast

from django.core.management.base import CommandError

from scoring.replay.archive import Kind, kind_of

NO_FILE = 2
CLOSED_PIPE = 141  # what a shell reports of a program that nobody listened to
KINDS: dict[str, Kind] = {".trex": "text", ".json": "json", ".jsonl": "json", ".ndjson": "json"}
LOOKED_AT = 4_096  # bytes, where the name does not say what a file holds


@contextmanager
def opened(file: str) -> Iterator[BufferedReader]:
    """A file, or standard input for `-`, as bytes."""
    if file == "-":
        yield cast(BufferedReader, sys.stdin.buffer)
        return
    try:
        stream = Path(file).open("rb")  # noqa: SIM115, closed below
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}", returncode=NO_FILE) from error
    with stream:
        yield stream


def kind_in(file: str, stream: BufferedReader) -> Kind:
    """Which notation a file has, from its name or how it begins."""
    by_name = KINDS.get(Path(file).suffix.lower())
    return by_name or kind_of(stream.peek(LOOKED_AT)[:LOOKED_AT].decode(errors="replace"))


@contextmanager
def while_read() -> Iterator[None]:
    """Ends quietly when the reader of the output has gone, as `head` does."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(CLOSED_PIPE) from None
