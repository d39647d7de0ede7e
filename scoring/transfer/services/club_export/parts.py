"""Files of a club export, written while its matches are read: one a table, one row a line.

The work can stop and resume at any place.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO
from uuid import UUID

NAMES = ("documents", "heads", "matches", "results", "deals")


class ExportParts:
    """The parts, opened at a cursor: the last match, and the length of each file behind it."""

    def __init__(self, path_of: Callable[[str], Path], cursor: str = "") -> None:
        self.path_of = path_of
        self.last, sizes = _read(cursor)
        if any(_size(path_of(name)) < size for name, size in zip(NAMES, sizes, strict=True)):
            self.last, sizes = None, [0] * len(NAMES)  # deleted meanwhile: start again
        self.files: dict[str, BinaryIO] = {}
        for name, size in zip(NAMES, sizes, strict=True):
            path_of(name).touch(mode=0o600)
            file = path_of(name).open("r+b")
            file.truncate(size)
            file.seek(size)
            self.files[name] = file

    def write(self, name: str, lines: Iterable[str]) -> None:
        self.files[name].writelines(f"{line}\n".encode() for line in lines)

    def rows(self, name: str, rows: Iterable[Any]) -> None:
        self.write(name, (json.dumps(row, ensure_ascii=False) for row in rows))

    def place(self, last: UUID) -> str:
        """Return the cursor behind a match."""
        for file in self.files.values():
            file.flush()
        return " ".join([str(last), *(str(self.files[name].tell()) for name in NAMES)])

    def lines(self, name: str) -> Iterator[str]:
        """Yield what was written, line by line."""
        self.files[name].flush()
        with self.path_of(name).open(encoding="utf-8", newline="\n") as file:
            for line in file:
                yield line.removesuffix("\n")

    def read(self, name: str) -> Iterator[list[Any]]:
        return map(json.loads, self.lines(name))

    def __enter__(self) -> "ExportParts":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for file in self.files.values():
            file.close()


def _read(cursor: str) -> tuple[UUID | None, list[int]]:
    if not cursor:
        return None, [0] * len(NAMES)
    last, *sizes = cursor.split()
    return UUID(last), [int(size) for size in sizes]


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
