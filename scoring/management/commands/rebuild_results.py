from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandParser

from scoring.models import Match
from scoring.services.rebuild import rebuild


class Command(BaseCommand):
    help = "Works out every derived row again from the ledger, and says what differed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--match", type=UUID, help="only this match")

    def handle(self, *args: Any, **options: Any) -> None:
        matches = Match.objects.order_by("opened_at", "id")
        if options["match"]:
            matches = matches.filter(id=options["match"])
        differed = 0
        for match_id in matches.values_list("id", flat=True):
            tables = rebuild(match_id=match_id)
            differed += bool(tables)
            if tables:
                self.stdout.write(f"match {match_id}: {', '.join(tables)} differed")
        self.stdout.write(f"{matches.count()} matches rebuilt, {differed} differed")
