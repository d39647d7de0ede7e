from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser

from scoring.management.database import DatabaseCommand
from scoring.models import Match
from scoring.selectors.integrity import Head, findings


class Command(DatabaseCommand):
    help = (
        "Checks every ledger: rows against digests, the hash chain, the rules, derived rows, "
        "photos on disk. "
        "Exits with 1 when anything was changed behind the application's back."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--match", type=UUID, help="only this match")
        parser.add_argument(
            "--heads",
            action="append",
            default=[],
            type=read_heads,
            metavar="FILE|MATCH=HASH",
            help="heads kept elsewhere, as --print-heads prints them; may be given again",
        )
        parser.add_argument(
            "--print-heads", action="store_true", help="prints the heads to keep, nothing else"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["print_heads"]:
            for match in Match.objects.order_by("opened_at", "id"):
                self.stdout.write(f"{match.id} {match.version} {match.head}")
            return
        heads = [head for given in options["heads"] for head in given]
        faults = erased = 0
        for finding in findings(heads, options["match"]):
            faults += finding.is_fault
            erased += not finding.is_fault
            self.stdout.write(str(finding))
        self.stdout.write(f"{Match.objects.count()} matches, {faults} faults, {erased} erased")
        if faults:
            raise CommandError("the ledger is not what was written", returncode=1)


def read_heads(given: str) -> list[Head]:
    """MATCH=HASH, or the name of a file with lines of match, number of the event, and hash."""
    try:
        if "=" in given:
            match_id, _, seal = given.partition("=")
            return [Head(UUID(match_id), seal.strip())]
        return [_head(line) for line in Path(given).read_text().splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise ArgumentTypeError(f"{given}: {error}") from None


def _head(line: str) -> Head:
    match_id, seq, seal = line.split()
    return Head(UUID(match_id), seal, int(seq))
