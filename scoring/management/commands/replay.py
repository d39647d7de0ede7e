"""`manage.py replay [FILE or -]`: records in, one report line each out."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from scoring.management.sources import kind_in, opened, while_read
from scoring.replay.archive import read_all, replayed
from scoring.replay.report import to_json

UNREAD = 1


class Command(BaseCommand):
    """Answers each record as soon as it is read, so that memory does not grow with the file."""

    help = (
        "Replays records, a .trex text or JSON (an array or one record per line), and prints one "
        "line of JSON per record. Exit status: 0 all were read, 1 some have errors of writing, "
        "2 no such file."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", default="-", help="a file, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        unread = False
        with opened(options["file"]) as stream, while_read():
            for record in read_all(stream, kind_in(options["file"], stream)):
                unread = unread or bool(record.errors)
                self.stdout.write(json.dumps(to_json(replayed(record)), ensure_ascii=False))
        if unread:
            raise SystemExit(UNREAD)
