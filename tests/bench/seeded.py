"""The clubs that are measured: made once for a folder, each with a match that goes on."""

from time import perf_counter

from django.core.management import call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from scoring.common.actor import Actor
from scoring.game_nights.queries.game_nights import course_of
from scoring.game_nights.services import game_nights
from scoring.management.commands.seed_demo import make_seasons, open_match, plan_cup
from scoring.models import Club, Match, User
from tests import factories
from tests.bench.seeder import seed

DEALS = factories.evenings()["evening-levant"]["deals"]


def clubs(wanted: dict[str, tuple[int, int]]) -> list[Club]:
    """Those of these names with so many people and matches."""
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    made = [_club(slug, *size) for slug, size in wanted.items()]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")  # as it does by itself before long
    return made


def _club(slug: str, people: int, matches: int) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        begun = perf_counter()
        club = seed(slug, people, matches)
        print(f"{slug}: {people} people, {matches} matches, in {perf_counter() - begun:.0f} s")
    if not club.evenings.exists():
        make_seasons(club, timezone.now())
        play_cup(club)
    return club


def play_cup(club: Club) -> None:
    """An evening of two tables that has begun."""
    now, eight = timezone.now(), club.players.order_by("created_at", "id")[:8]
    evening = plan_cup(club, "Cup", now)
    game_nights.attend(evening_id=evening.id, coming=eight)
    given = {"evening_id": evening.id, "actor": Actor(), "now": now}
    game_nights.draw(**given, method="lot", seed=1, seen="")
    game_nights.open_tables(**given, number=1, seen=course_of(evening).waiting.mark)


def answers(club: Club) -> list[str]:
    """The address to which each save of an evening leads, in a match that stands there and that
    any phone of the owner may go on with."""
    actor = Actor(user=User.objects.get(username=club.slug))
    return [_after(club, played, actor) for played in range(1, len(DEALS) + 1)]


def _after(club: Club, played: int, actor: Actor) -> str:
    match = running(club, DEALS[0]["chooser"])
    for deal in DEALS[:played]:
        factories.record(match, deal, actor=actor, now=timezone.now())
    return reverse("match", args=[match.id], query={"saved": played})


def running(club: Club, first_chooser: int = 0) -> Match:
    """A match of the club in which nothing is played yet."""
    four = list(club.players.order_by("created_at", "id")[:4])
    return open_match(club, "levant", four, first_chooser, timezone.now())
