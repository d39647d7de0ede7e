"""Limits on the size of files."""

from __future__ import annotations

from dataclasses import dataclass

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Limits:
    """Limits for one file.

    `size` and `unpacked` in bytes: of the file, and of what a workbook holds once unpacked.
    `marks`: elements and attributes of a workbook, which cost far more memory than bytes."""

    size: int
    unpacked: int
    marks: int
    deals: int
    columns: int = 300
    sheets: int = 50


PAGE = Limits(size=6 * MEGABYTE, unpacked=40 * MEGABYTE, marks=700_000, deals=2_000)
COMMAND = Limits(
    size=2_000 * MEGABYTE, unpacked=1_000 * MEGABYTE, marks=20_000_000, deals=10_000_000
)
