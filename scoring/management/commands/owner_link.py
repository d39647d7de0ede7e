"""Command that prints a link for a new owner of this installation."""

from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse
from django.utils import timezone

from scoring.clubs.services import invitations
from scoring.management.database import DatabaseCommand
from trexscore.address import site_url


class Command(DatabaseCommand):
    help = "Prints a one-time link that makes its user the owner, while there is none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", default="8000", help="where the site listens")

    def handle(self, *args: Any, port: str, **options: Any) -> None:
        secret = invitations.invite_first_owner(now=timezone.now())
        if secret is None:
            return
        link = site_url(port) + reverse("invitation", args=[secret])
        self.stdout.write(
            "Nobody owns this installation yet. Whoever opens this link first becomes its owner\n"
            f"(it works once, within a day; starting again makes a new one):\n\n  {link}\n"
        )
