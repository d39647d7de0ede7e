"""`manage.py score [FILE or -]`: deals as JSON in, points out."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.rules import score_case

REFUSED = 1
UNREADABLE = 2


class Command(BaseCommand):
    """Prints one line per case. Exits with 0 when all were scored, 1 when some were refused, 2 when
    the input could not be read (what could be is answered all the same). Needs no database."""

    help = (
        "Scores deals given as JSON, an array of cases or one case per line, and prints one line "
        "of JSON per case. Exit status: 0 all scored, 1 some refused, 2 unreadable."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", default="-", help="a file, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        cases, unreadable = read_cases(read_text(options["file"]))
        answers = [score_case(case) for case in cases]
        for answer in answers:
            self.stdout.write(json.dumps(answer))
        if unreadable:
            raise CommandError("\n".join(unreadable), returncode=UNREADABLE)
        if any(answer["problems"] for answer in answers):
            raise SystemExit(REFUSED)


def read_text(file: str) -> str:
    """The text of a file or of standard input; CommandError if there is none."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file}: {error}", returncode=UNREADABLE) from error


def read_cases(text: str) -> tuple[list[object], list[str]]:
    """The cases of a text and what could not be read of it: one JSON value (an array, or a single
    case), else a case per line."""
    try:
        whole = json.loads(text) if text.strip() else []
    except (ValueError, RecursionError) as error:
        if text.lstrip().startswith("["):
            return [], [f"no JSON: {error}"]
        return read_lines(text)
    return (whole, []) if isinstance(whole, list) else ([whole], [])


def read_lines(text: str) -> tuple[list[object], list[str]]:
    """A case per line, blank lines passed over, and a message for each line that is no JSON."""
    cases: list[object] = []
    unreadable: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            if line.strip():
                cases.append(json.loads(line))
        except (ValueError, RecursionError) as error:
            unreadable.append(f"line {number}: no JSON: {error}")
    return cases, unreadable
