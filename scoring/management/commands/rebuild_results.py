"""Command that rebuilds all derived rows."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from scoring.common.steps import Step
from scoring.integrity.services.rebuild import begin_missing, rebuild, steps
from scoring.management.database import DatabaseCommand
from scoring.models import Club


class Command(DatabaseCommand):
    help = (
        "Works out every derived row again from the ledger: results, sums of people, ratings; "
        "and says what differed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        only = parser.add_mutually_exclusive_group()
        only.add_argument("--match", type=UUID, help="only this match and its people")
        only.add_argument("--club", metavar="SLUG", help="only this club")
        only.add_argument(
            "--missing",
            action="store_true",
            help="has it done in the background for clubs that have none, as after an upgrade",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["missing"]:
            begun = begin_missing(now=timezone.now())
            if begun:
                self.stdout.write(f"Results and standings are worked out again ({len(begun)})")
        elif options["match"]:
            tables = rebuild(match_id=options["match"])
            self._told(f"match {options['match']}", tables)
            self._counted(1, int(bool(tables)))
        else:
            ends = [self._rebuilt(club) for club in _clubs(options["club"])]
            differed = sum(end.found["matches"] for end in ends)
            self._counted(sum(end.found["looked_at"] for end in ends), differed)

    def _rebuilt(self, club: Club | None) -> Step:
        *_, end = steps(club)
        for match, *tables in end.found["told"]:
            self._told(f"match {match}", tables)
        for match in end.found["unreadable"]:
            self.stderr.write(f"match {match} cannot be worked out: see verify_ledger")
        if club:
            self._told(f"club {club.slug}", end.found["of_club"])
        return end

    def _told(self, what: str, tables: Sequence[str]) -> None:
        if tables:
            self.stdout.write(f"{what}: {', '.join(tables)} differed")

    def _counted(self, matches: int, differed: int) -> None:
        self.stdout.write(f"{matches} matches rebuilt, {differed} differed")


def _clubs(slug: str | None) -> Iterator[Club | None]:
    clubs = Club.objects.order_by("slug")
    if slug is None:
        yield None
        yield from clubs
        return
    if not (found := clubs.filter(slug=slug).first()):
        raise CommandError(f"no club is called {slug!r}")
    yield found
