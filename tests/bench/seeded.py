"""The clubs that are measured: made once for a folder, each with a match that goes on."""

from time import perf_counter

from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from scoring.management.commands.seed_demo import open_match
from scoring.models import Club, Match
from tests.bench.seeder import seed
from tests.factories import evenings, record

DEALS = evenings()["evening-levant"]["deals"]


def clubs(wanted: dict[str, tuple[int, int]]) -> list[Club]:
    """Those of these names with so many people and matches."""
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    return [_club(slug, *size) for slug, size in wanted.items()]


def _club(slug: str, people: int, matches: int) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        begun = perf_counter()
        club = seed(slug, people, matches)
        print(f"{slug}: {people} people, {matches} matches, in {perf_counter() - begun:.0f} s")
    return club


def halfway(club: Club) -> str:
    """The address to which a save in the middle of an evening leads."""
    match = running(club, DEALS[0]["chooser"])
    for deal in DEALS[: len(DEALS) // 2]:
        saved = record(match, deal, now=timezone.now())
    return reverse("match", args=[match.id], query={"saved": saved.deal.deal_number})


def running(club: Club, first_chooser: int = 0) -> Match:
    """A match of the club in which nothing is played yet."""
    four = list(club.players.order_by("created_at", "id")[:4])
    return open_match(club, "levant", four, first_chooser, timezone.now())
