"""`manage.py replay [FILE or -]`: records in, one report line each out."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.management.sources import kind_in, opened, while_read
from scoring.replay.archive import read_all, replayed
from scoring.replay.partial.alternatives import revoke_cost
from scoring.replay.record import Record
from scoring.replay.report import to_json
from scoring.replay.result import Replay
from scoring.replay.what_if import (
    SEED,
    allowed_by,
    read_claim,
    revoke_cost_json,
    what_if_json,
)

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
        parser.add_argument(
            "--what-if",
            action="store_true",
            help="add in how many ways an incomplete deal may go on, and what a revoke cost",
        )
        parser.add_argument(
            "--claim",
            action="append",
            default=[],
            help="with --what-if: check a claim, QH:W or diamonds:N=5; may be repeated",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        unread = False
        with opened(options["file"]) as stream, while_read():
            for record in read_all(stream, kind_in(options["file"], stream)):
                unread = unread or bool(record.errors)
                found = replayed(record)
                answer = to_json(found)
                if options["what_if"]:
                    answer |= what_if(record, found, options["claim"])
                self.stdout.write(json.dumps(answer, ensure_ascii=False))
        if unread:
            raise SystemExit(UNREAD)


def what_if(record: Record, found: Replay, claims: list[str]) -> dict[str, Any]:
    """Return what an incomplete record allows and what the first revoke cost."""
    if record.errors:
        return {"what_if": None, "revoke_cost": None}
    ruleset = record.ruleset()
    read = [read_claim(text, ruleset.direction == "clockwise") for text in claims]
    for text, claim in zip(claims, read, strict=True):
        if claim is None:
            raise CommandError(f"{text!r} is no claim; QH:W or diamonds:N=5 is one")
    allowed = allowed_by(record, found, ruleset, [claim for claim in read if claim])
    cost = revoke_cost(record, found, ruleset, Random(SEED).choice)
    return {
        "what_if": what_if_json(allowed) if allowed else None,
        "revoke_cost": revoke_cost_json(cost) if cost else None,
    }
