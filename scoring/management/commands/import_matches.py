"""`manage.py import_matches FILE…`: matches that were played before; a look at them first."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import batched
from shutil import copyfileobj
from tempfile import TemporaryFile
from time import monotonic
from typing import IO, Any

from django.core.management.base import CommandError
from django.utils import timezone

from scoring.common.actor import Actor
from scoring.common.errors import ServiceError
from scoring.importing.dates import ORDERS
from scoring.importing.faults import Fault, FaultCode, Note
from scoring.importing.judging import FoundMatch
from scoring.importing.limits import COMMAND
from scoring.importing.reading import read_file
from scoring.management.database import DatabaseCommand
from scoring.management.sources import opened, while_read
from scoring.models import Club
from scoring.models.days import is_after_midnight, local_day
from scoring.models.names import same_name
from scoring.rules import Problem
from scoring.transfer.presenters.import_sentences import (
    END,
    ISOLATE,
    difference_sentence,
    fault_place,
    fault_sentence,
    note_sentence,
)
from scoring.transfer.queries.imports import (
    ImportPlanner,
    ImportStatus,
    PlannedMatch,
    compare_with_club,
    latest_playing_time,
)
from scoring.transfer.services.imports import import_match, move_match

REFUSED = 1
UNREADABLE = 2
MOST_FAULTS = 50
MOST_LINES = 200  # of matches
TOGETHER = 200  # matches compared with the club at once
PROGRESS_EVERY = 0.2  # seconds
NO_ISOLATION = str.maketrans("", "", ISOLATE + END)


@dataclass
class ImportTally:
    """What has come by so far."""

    new: int = 0
    here: int = 0
    differ: int = 0
    to_move: int = 0
    refused: int = 0
    deals: int = 0
    faults: int = 0
    is_unreadable: bool = False
    names: list[str] = field(default_factory=list)
    unreadable: set[str] = field(default_factory=set)

    @property
    def matches(self) -> int:
        return self.new + self.here + self.differ + self.refused

    @property
    def is_to_do(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.new or self.to_move)

    def forget(self, file: str, before: ImportTally) -> None:
        """A file turned out to be unreadable: all of it is refused."""
        self.unreadable.add(file)
        self.refused += self.new - before.new
        self.new, self.deals, self.to_move = before.new, before.deals, before.to_move

    def add(self, planned: PlannedMatch, moves: bool) -> None:
        """One match more; `moves`: those on another day are moved."""
        is_moved = moves and planned.status == ImportStatus.MOVED
        self.to_move += is_moved
        self.differ += planned.status in (ImportStatus.MOVED, ImportStatus.DIFFERS) and not is_moved
        self.new += planned.status == ImportStatus.NEW
        self.here += planned.status in (ImportStatus.HERE, ImportStatus.AGAIN) or is_moved
        self.refused += planned.status == ImportStatus.REFUSED
        if planned.status == ImportStatus.NEW:
            self.deals += len(planned.found.deals)


class Clubs:
    """Which club a match goes to: the one that was asked for, else the one that the file names."""

    def __init__(self, slug: str | None) -> None:
        self.asked = Club.objects.filter(slug=slug).first() if slug else None
        if slug and self.asked is None:
            known = ", ".join(Club.objects.order_by("slug").values_list("slug", flat=True))
            raise CommandError(
                f"There is no club {slug}. There are: {known or 'none'}", returncode=UNREADABLE
            )
        self.planners: dict[str, ImportPlanner] = {}
        self.end = latest_playing_time(timezone.now(), self.asked)

    def planner(self, found: FoundMatch) -> ImportPlanner | Fault:
        """The plans of the match's club, or why there is none."""
        key = self.asked.slug if self.asked else same_name(found.club)
        if key not in self.planners:
            club = self.asked or self._named(found.club)
            if club is None:
                code = FaultCode.UNKNOWN_CLUB if found.club else FaultCode.NO_CLUB
                return Fault(Problem(code, "club", {"found": found.club}), found.place)
            self.planners[key] = ImportPlanner(club)
        return self.planners[key]

    @staticmethod
    def _named(name: str) -> Club | None:
        called = [
            club
            for club in Club.objects.order_by("created_at")
            if name and (club.slug == name or same_name(club.name) == same_name(name))
        ]
        return called[0] if len(called) == 1 else None


class Command(DatabaseCommand):
    """Looks first, at everything; then asks, and keeps what can be kept, each match as a whole."""

    shown = 0.0
    options: Mapping[str, Any] = {}
    help = (
        "Imports matches from JSON (as exported: one match, an array, or one after the other), "
        "CSV and .xlsx (one row a deal). Shows what it would do, and does it with --yes or after "
        "a question at a terminal. Exit status: 0 all are in the club now as they are in the file, "
        "1 some were refused or differ from the file, 2 a file cannot be read."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file, or -")
        parser.add_argument(
            "--club", metavar="SLUG", help="the club; by default the one that the file names"
        )
        parser.add_argument(
            "--dates",
            choices=ORDERS,
            help="what comes first in dates like 3/4/2026, where the file leaves it open",
        )
        parser.add_argument(
            "--move", action="store_true", help="moves matches that are here on another day"
        )
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--preview", action="store_true", help="only looks, and writes nothing")
        how.add_argument("--yes", action="store_true", help="imports without asking")

    def handle(self, *args: Any, **options: Any) -> None:
        seen, self.options = ImportTally(), options
        with while_read(), seekable(options["files"]) as files:
            self.look(files, Clubs(options["club"]), seen)
            self.report(seen)
            if seen.is_to_do and not options["preview"] and self.confirmed(options):
                self.keep(files, Clubs(options["club"]), seen)
            elif seen.is_to_do:
                self.stdout.write("Nothing was written.")
        if seen.is_unreadable:
            raise SystemExit(UNREADABLE)
        if seen.refused or seen.differ or seen.faults:
            raise SystemExit(REFUSED)

    def planned(
        self, file: IO[bytes], clubs: Clubs
    ) -> Iterator[tuple[PlannedMatch, Club | None] | Fault | Note]:
        """What becomes of each match of a file, and its club; a few at a time, so that those that
        are here are found together."""
        for each in batched(read_file(file, COMMAND, clubs.end, self.options["dates"]), TOGETHER):
            matches = [planned_in(clubs, one) for one in each if isinstance(one, FoundMatch)]
            known = iter(compare_with_club([planned for planned, _club in matches]))
            of_clubs = (club for _planned, club in matches)
            for one in each:
                yield (next(known), next(of_clubs)) if isinstance(one, FoundMatch) else one

    # -- a look

    def look(self, files: dict[str, IO[bytes]], clubs: Clubs, seen: ImportTally) -> None:
        for name, file in files.items():
            before = replace(seen)
            for each in self.planned(file, clubs):
                if isinstance(each, tuple):
                    planned, _club = each
                    seen.add(planned, self.options["move"])
                    self.match(name, planned, seen)
                elif isinstance(each, Fault):
                    self.fault(name, each, (), seen)
                    seen.is_unreadable |= each.ends_file or each.code == FaultCode.NOT_JSON
                    if each.code == FaultCode.TWO_DATES:
                        self.say("  Give it with --dates day or --dates month.")
                    if each.ends_file:
                        self.say(f"  {name}: nothing of this file is taken")
                        seen.forget(name, before)
                else:
                    self.say(f"  {name}: {note_sentence(each)}")
                self.progress(f"{seen.matches:,} matches looked at")
        self.clear_progress()
        for planner in clubs.planners.values():
            self.say(f"Times are those of {planner.club.name} ({planner.club.time_zone}).")
            for person in planner.new_people.values():
                like = f" (like {person.similar.name}?)" if person.similar else ""
                seen.names.append(f"{person.name}{like}")
            for note in planner.people_notes():
                self.say(f"  {note_sentence(note)}")

    def match(self, name: str, planned: PlannedMatch, seen: ImportTally) -> None:
        """The line of a match, and what is wrong with it."""
        if seen.matches <= MOST_LINES:
            self.say(line_of(planned))
            if difference := difference_sentence(planned, lambda at: f"{at:%Y-%m-%d}"):
                self.say(f"  {difference}")
            if planned.status == ImportStatus.MOVED and not self.options["move"]:
                self.say("  Say --move to move it to the day in the file.")
        for fault in planned.faults:
            self.fault(name, fault, planned.names, seen)

    def fault(self, name: str, fault: Fault, names: tuple[str, ...], seen: ImportTally) -> None:
        seen.faults += 1
        if seen.faults <= MOST_FAULTS:
            place = fault_place(fault)
            self.say(
                f"  {name}{': ' if place else ''}{place}: "
                f"{fault_sentence(fault, names)} [{fault.code}]"
            )

    def report(self, seen: ImportTally) -> None:
        if seen.matches > MOST_LINES:
            self.say(f"and {seen.matches - MOST_LINES:,} more matches")
        if seen.faults > MOST_FAULTS:
            self.say(f"  and {seen.faults - MOST_FAULTS:,} more problems")
        if seen.names:
            self.say(f"{len(seen.names):,} new guests: {', '.join(seen.names)}")
        self.say(
            f"{seen.new:,} new matches with {seen.deals:,} deals, {seen.here:,} here already, "
            f"{seen.refused:,} refused"
        )
        if seen.differ:
            self.say(f"{seen.differ:,} here already differ from the file")

    def say(self, text: str) -> None:
        self.clear_progress()
        self.stdout.write(text.translate(NO_ISOLATION))

    def progress(self, text: str) -> None:
        """A line that is written over again, on a terminal only."""
        if self.stderr.isatty() and monotonic() - self.shown > PROGRESS_EVERY:
            self.shown = monotonic()
            self.stderr.write(f"\r\x1b[K{text}", ending="")

    def clear_progress(self) -> None:
        if self.shown:
            self.stderr.write("\r\x1b[K", ending="")
            self.shown = 0.0

    # -- the import

    def confirmed(self, options: dict[str, Any]) -> bool:
        if options["yes"]:
            return True
        if "-" in options["files"] or not sys.stdin.isatty():
            self.stdout.write("Say --yes to import them.")
            return False
        return input("Import them? [y/N] ").strip().casefold() in ("y", "yes")

    def keep(self, files: dict[str, IO[bytes]], clubs: Clubs, seen: ImportTally) -> None:
        done = moved = 0
        for name, file in files.items():
            if name in seen.unreadable:
                continue
            file.seek(0)
            for each in self.planned(file, clubs):
                if isinstance(each, tuple):
                    status = self.kept(name, *each, seen)
                    done += status == ImportStatus.NEW
                    moved += status == ImportStatus.MOVED
                    self.progress(f"{done:,} of {seen.new:,} matches imported")
        self.say(f"{done:,} matches imported.")
        if moved:
            self.say(f"{moved:,} matches moved.")

    def kept(
        self, name: str, planned: PlannedMatch, club: Club | None, seen: ImportTally
    ) -> ImportStatus | None:
        """What was done with the match, None for nothing."""
        now = timezone.now()
        try:
            if planned.status == ImportStatus.NEW and club:
                imported = import_match(planned=planned, club=club, actor=Actor(), now=now)
                return ImportStatus.NEW if imported.is_new else None
            if planned.status == ImportStatus.MOVED and self.options["move"]:
                move_match(planned=planned, actor=Actor(), now=now)
                return ImportStatus.MOVED
        except ServiceError as refused:  # somebody changed the club in between
            self.fault(name, Fault(refused.problems[0], planned.found.place), planned.names, seen)
        return None


def line_of(planned: PlannedMatch) -> str:
    """A match on one line: what becomes of it, when, who with which total, how many deals."""
    found = planned.found
    when = when_of(planned.played_at) if planned.played_at else "?"
    totals = zip(planned.names, found.totals, strict=False)
    people = ", ".join(f"{person} {total}" for person, total in totals)
    deals = f"{len(found.deals)} deals"
    if found.deals and not found.is_finished:
        deals = f"{len(found.deals)} of {found.deals_total} deals, unfinished"
    return f"{planned.status:8} {when}  {people}  ({deals})"


def when_of(at: datetime) -> str:
    """The moment, on the clock that it carries, and the day to which it counts."""
    night = f" (night of {local_day(at):%Y-%m-%d})" if is_after_midnight(at) else ""
    return f"{at:%Y-%m-%d %H:%M}{night}"


def planned_in(clubs: Clubs, found: FoundMatch) -> tuple[PlannedMatch, Club | None]:
    planner = clubs.planner(found)
    if isinstance(planner, ImportPlanner):
        return planner.plan(found), planner.club
    return PlannedMatch(found, ImportStatus.REFUSED, (*found.faults, planner), found.names), None


@contextmanager
def seekable(files: list[str]) -> Iterator[dict[str, IO[bytes]]]:
    """The files by name, open and to be read twice; what comes in on a pipe is put aside first."""
    with ExitStack() as stack:
        yield {name: _seekable(stack.enter_context(opened(name)), stack) for name in files}


def _seekable(stream: IO[bytes], stack: ExitStack) -> IO[bytes]:
    if stream.seekable():
        return stream
    aside: IO[bytes] = stack.enter_context(TemporaryFile())  # noqa: SIM115
    copyfileobj(stream, aside)
    aside.seek(0)
    return aside
