"""Command that imports a club from a file."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from scoring.management.database import DatabaseCommand
from scoring.models import Club, User
from scoring.transfer.services.club_import import import_archive
from scoring.transfer.services.club_import.reading import ClubFileRefused

REFUSED, UNUSABLE = 1, 2


LEFT = {
    "matches": ("results of {n} match", "results of {n} matches"),
    "people": ("sums of {n} person", "sums of {n} people"),
    "ratings": ("ratings of {n} game", "ratings of {n} games"),
}


def _listed(left: dict[str, int]) -> str:
    """What an import that was broken off had not worked out."""
    return ", ".join(LEFT[name][number != 1].format(n=number) for name, number in left.items())


class Command(DatabaseCommand):
    help = (
        "Takes in a club that export_club wrote: every row as it was, checked before anything is "
        "written, and all of it or nothing. Its accounts come as names with which nobody can sign "
        "in. Exits with 1 where the file is refused, with its place, and with 2 where it cannot be "
        "used at all."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the .zip of export_club")
        parser.add_argument("--owner", metavar="ACCOUNT", help="who owns the club here as well")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = self._owner(options["owner"])
        try:
            for step in import_archive(options["file"], owner):
                if sys.stderr.isatty():
                    self.stderr.write(f"\r{step.done} of {step.total}", ending="")
        except ClubFileRefused as refused:
            unusable = refused.code in ("not_a_zip", "no_document", "other_version")
            raise CommandError(
                f"{options['file']}: {refused}. Nothing was written.",
                returncode=UNUSABLE if unusable else REFUSED,
            ) from None
        club = Club.objects.get(id=step.found["club"])
        if left := step.found.get("left"):
            self.stdout.write(
                f"{club.name} was here already, without {_listed(left)}. "
                "Nothing was written over; what was left is worked out now."
            )
        self.stdout.write(f"{club.name} is here, at /clubs/{club.slug}/")

    def _owner(self, name: str | None) -> User | None:
        if name is None:
            return None
        found = User.objects.filter(username__iexact=name).first()
        if found is None:
            raise CommandError(f"there is no account {name}", returncode=UNUSABLE)
        return found
