"""Command that checks the ledger against its hashes."""

from argparse import ArgumentTypeError
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser

from scoring.integrity.queries.integrity import KeptHead, LedgerFinding, findings
from scoring.integrity.services.integrity_check import ratings_that_differ
from scoring.management.database import DatabaseCommand
from scoring.models import Club, Job, JobKind, Match
from scoring.models.log import OUTSIDE, head_of_log, seal

LOG = "log"


class Command(DatabaseCommand):
    help = (
        "Checks every ledger: rows against digests, the hash chains of the matches and of the "
        "installation, the rules, derived rows, photos on disk; and names what is not covered. "
        "Exits with 1 when anything was changed behind the application's back."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--match", type=UUID, help="only this match")
        parser.add_argument(
            "--heads",
            action="append",
            default=[],
            type=read_heads,
            metavar="FILE|MATCH=HASH|log=HASH",
            help="heads kept elsewhere, as --print-heads prints them; may be given again",
        )
        parser.add_argument(
            "--print-heads", action="store_true", help="prints the heads to keep, nothing else"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["print_heads"]:
            seal()
            if last := head_of_log():
                self.stdout.write(f"{LOG} {last.seq} {last.hash}")
            for match in Match.objects.order_by("opened_at", "id"):
                self.stdout.write(f"{match.id} {match.version} {match.head}")
            return
        seal()
        recounting = Job.objects.active().filter(kind=JobKind.REBUILD).exists()
        heads = [head for given in options["heads"] for head in given]
        facts = derived = erased = 0
        for finding in chain(findings(heads, options["match"]), _ratings(options["match"])):
            if finding.is_derived and recounting:
                continue
            derived += finding.is_derived
            facts += finding.is_fault and not finding.is_derived
            erased += not finding.is_fault
            self.stdout.write(str(finding))
        matches = Match.objects.count()
        self.stdout.write(f"{matches} matches, {facts + derived} faults, {erased} erased")
        if recounting:
            self.stdout.write("results are being recalculated and were not compared: run again")
        self.stdout.write("not covered: " + "; ".join(OUTSIDE.values()))
        if facts:
            raise CommandError("the ledger is not what was written", returncode=1)
        if derived:
            text = "results are not what the ledger comes to: run rebuild_results"
            raise CommandError(text, returncode=1)


def _ratings(only: UUID | None) -> Iterator[LedgerFinding]:
    """The ratings that are not what the matches come to, unless one match is asked for."""
    for club in Club.objects.order_by("slug") if only is None else ():
        yield from ratings_that_differ(club)


def read_heads(given: str) -> list[KeptHead]:
    """MATCH=HASH, or the name of a file with lines of match, number of the event, and hash; `log`
    in the place of a match is the log of the installation."""
    try:
        if "=" in given:
            named, _, seal = given.partition("=")
            return [KeptHead(_match_id(named), seal.strip())]
        return [_head(line) for line in Path(given).read_text().splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise ArgumentTypeError(f"{given}: {error}") from None


def _head(line: str) -> KeptHead:
    named, seq, seal = line.split()
    return KeptHead(_match_id(named), seal, int(seq))


def _match_id(named: str) -> UUID | None:
    return None if named == LOG else UUID(named)
