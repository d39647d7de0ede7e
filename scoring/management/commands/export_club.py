"""Command that exports a club to a file."""

import shutil
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from scoring.management.database import DatabaseCommand
from scoring.models import Club, Job
from scoring.transfer.services.club_export import export_club
from scoring.transfer.services.club_export.files import finished_path

NO_CLUB = 2


class Command(DatabaseCommand):
    help = (
        "Writes everything a club owns into one file: JSON that import_club takes in elsewhere, "
        "tables for spreadsheets, photos. Nobody's password, mail or link is in it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the club, as its address names it")
        parser.add_argument(
            "--out",
            type=Path,
            help="FILE.zip, or FILE.json for the JSON alone (else SLUG.zip in the data folder)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        club = Club.objects.filter(slug=options["slug"]).first()
        if club is None:
            raise CommandError(f"there is no club {options['slug']}", returncode=NO_CLUB)
        out = (options["out"] or settings.DATA_DIR / f"{club.slug}.zip").absolute()
        job = Job(club=club)
        for step in export_club(job):
            if sys.stderr.isatty():
                self.stderr.write(f"\r{step.done} of {step.total} matches", ending="")
        made = finished_path(club, job.id)
        if out.suffix == ".json":
            with ZipFile(made) as archive, archive.open("club.json") as file, out.open("wb") as to:
                shutil.copyfileobj(file, to)
            made.unlink()
        else:
            shutil.move(made, out)
        self.stdout.write(f"{out}: {step.done} matches")
        if step.found["unreadable"]:
            self.stderr.write(
                f"{step.found['unreadable']} matches could not be read: they are in club.json as "
                "they are, and in no table. See verify_ledger."
            )
