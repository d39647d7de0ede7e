"""`manage.py import_matches FILE…`: matches that were played before; a look at them first."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from shutil import copyfileobj
from tempfile import TemporaryFile
from time import monotonic
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from scoring.forms.import_words import END, ISOLATE, note_words, sentence, where
from scoring.importing.faults import Fault
from scoring.importing.judging import FoundMatch
from scoring.importing.limits import COMMAND
from scoring.importing.reading import read_file
from scoring.management.sources import opened, while_read
from scoring.models import Club
from scoring.models.names import same_name
from scoring.rules import Problem
from scoring.selectors.imports import PlannedMatch, Planner, Status, played_before
from scoring.services.imports import import_match
from scoring.services.refusals import LedgerRefused
from scoring.services.who import Who

REFUSED = 1
UNREADABLE = 2
MOST_FAULTS = 50
MOST_LINES = 200  # of matches
PROGRESS_EVERY = 0.2  # seconds
NO_ISOLATION = str.maketrans("", "", ISOLATE + END)


@dataclass
class Tally:
    """What has come by so far."""

    new: int = 0
    here: int = 0
    refused: int = 0
    deals: int = 0
    faults: int = 0
    is_unreadable: bool = False
    names: list[str] = field(default_factory=list)
    unreadable: set[str] = field(default_factory=set)

    @property
    def matches(self) -> int:
        return self.new + self.here + self.refused

    def forget(self, file: str, before: Tally) -> None:
        """A file turned out to be unreadable: all of it is refused."""
        self.unreadable.add(file)
        self.refused += self.new - before.new
        self.new, self.deals = before.new, before.deals

    def add(self, planned: PlannedMatch) -> None:
        """One match more."""
        self.new += planned.status == Status.NEW
        self.here += planned.status in (Status.HERE, Status.AGAIN)
        self.refused += planned.status == Status.REFUSED
        if planned.status == Status.NEW:
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
        self.planners: dict[str, Planner] = {}
        self.end = played_before(timezone.now(), self.asked)

    def planner(self, found: FoundMatch) -> Planner | Fault:
        """The plans of the match's club, or why there is none."""
        key = self.asked.slug if self.asked else same_name(found.club)
        if key not in self.planners:
            club = self.asked or self._named(found.club)
            if club is None:
                code = "unknown_club" if found.club else "no_club"
                return Fault(Problem(code, "club", {"found": found.club}), found.place)
            self.planners[key] = Planner(club)
        return self.planners[key]

    @staticmethod
    def _named(name: str) -> Club | None:
        called = [
            club
            for club in Club.objects.order_by("created_at")
            if name and (club.slug == name or same_name(club.name) == same_name(name))
        ]
        return called[0] if len(called) == 1 else None


class Command(BaseCommand):
    """Looks first, at everything; then asks, and keeps what can be kept, each match as a whole."""

    shown = 0.0
    help = (
        "Imports matches from JSON (as exported: one match, an array, or one after the other), "
        "CSV and .xlsx (one row a deal). Shows what it would do, and does it with --yes or after "
        "a question at a terminal. Exit status: 0 all are in the club now, 1 some were refused, "
        "2 a file cannot be read."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file, or -")
        parser.add_argument(
            "--club", metavar="SLUG", help="the club; by default the one that the file names"
        )
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--preview", action="store_true", help="only looks, and writes nothing")
        how.add_argument("--yes", action="store_true", help="imports without asking")

    def handle(self, *args: Any, **options: Any) -> None:
        seen = Tally()
        with while_read(), seekable(options["files"]) as files:
            self.look(files, Clubs(options["club"]), seen)
            self.report(seen)
            if seen.new and not options["preview"] and self.confirmed(options):
                self.keep(files, Clubs(options["club"]), seen)
            elif seen.new:
                self.stdout.write("Nothing was written.")
        if seen.is_unreadable:
            raise SystemExit(UNREADABLE)
        if seen.refused or seen.faults:
            raise SystemExit(REFUSED)

    # -- a look

    def look(self, files: dict[str, IO[bytes]], clubs: Clubs, seen: Tally) -> None:
        for name, file in files.items():
            before = replace(seen)
            for each in read_file(file, COMMAND, clubs.end):
                if isinstance(each, FoundMatch):
                    planned = planned_in(clubs, each)
                    seen.add(planned)
                    self.match(name, planned, seen)
                elif isinstance(each, Fault):
                    self.fault(name, each, (), seen)
                    seen.is_unreadable |= each.ends_file or each.code == "not_json"
                    if each.ends_file:
                        self.say(f"  {name}: nothing of this file is taken")
                        seen.forget(name, before)
                else:
                    self.say(f"  {name}: {note_words(each)}")
                self.progress(f"{seen.matches:,} matches looked at")
        self.clear_progress()
        for planner in clubs.planners.values():
            for person in planner.new_people.values():
                like = f" (like {person.like.name}?)" if person.like else ""
                seen.names.append(f"{person.name}{like}")
            for note in planner.alike():
                self.say(f"  {note_words(note)}")

    def match(self, name: str, planned: PlannedMatch, seen: Tally) -> None:
        """The line of a match, and what is wrong with it."""
        if seen.matches <= MOST_LINES:
            self.say(line_of(planned))
        for fault in planned.faults:
            self.fault(name, fault, planned.names, seen)

    def fault(self, name: str, fault: Fault, names: tuple[str, ...], seen: Tally) -> None:
        seen.faults += 1
        if seen.faults <= MOST_FAULTS:
            place = where(fault)
            self.say(
                f"  {name}{': ' if place else ''}{place}: {sentence(fault, names)} [{fault.code}]"
            )

    def report(self, seen: Tally) -> None:
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

    def keep(self, files: dict[str, IO[bytes]], clubs: Clubs, seen: Tally) -> None:
        done = 0
        for name, file in files.items():
            if name in seen.unreadable:
                continue
            file.seek(0)
            for each in read_file(file, COMMAND, clubs.end):
                if isinstance(each, FoundMatch) and (planner := clubs.planner(each)):
                    done += self.kept(name, each, planner, seen)
                    self.progress(f"{done:,} of {seen.new:,} matches imported")
        self.say(f"{done:,} matches imported.")

    def kept(self, name: str, found: FoundMatch, planner: Planner | Fault, seen: Tally) -> bool:
        """Whether the match came into the club now."""
        if isinstance(planner, Fault):
            return False
        planned = planner.plan(found)
        if planned.status != Status.NEW:
            return False
        try:
            now = timezone.now()
            return import_match(planned=planned, club=planner.club, who=Who(), now=now).is_new
        except LedgerRefused as refused:  # somebody changed the club in between
            self.fault(name, Fault(refused.problems[0], found.place), planned.names, seen)
            return False


def line_of(planned: PlannedMatch) -> str:
    """A match on one line: what becomes of it, when, who with which total, how many deals."""
    found = planned.found
    when = f"{planned.played_at:%Y-%m-%d %H:%M}" if planned.played_at else "?"
    totals = zip(planned.names, found.totals, strict=False)
    people = ", ".join(f"{person} {total}" for person, total in totals)
    deals = f"{len(found.deals)} deals"
    if found.deals and not found.is_finished:
        deals = f"{len(found.deals)} of {found.deals_total} deals, unfinished"
    return f"{planned.status:8} {when}  {people}  ({deals})"


def planned_in(clubs: Clubs, found: FoundMatch) -> PlannedMatch:
    planner = clubs.planner(found)
    if isinstance(planner, Planner):
        return planner.plan(found)
    return PlannedMatch(found, Status.REFUSED, (*found.faults, planner), found.names)


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
