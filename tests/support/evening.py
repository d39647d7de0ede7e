"""Evenings of several tables for tests, through the services."""

import uuid
from datetime import timedelta

from scoring.common.actor import Actor
from scoring.game_nights.queries.game_nights import course_of
from scoring.game_nights.services import game_nights, plans
from scoring.game_nights.services.plans import GameNightPlan, Rules
from scoring.matches.services import matches
from scoring.models import DrawnSeat, Evening, Player
from scoring.rules import preset
from tests.factories import NOW, PlayerFactory, even_entries, record, write

HOST = Actor(device=uuid.UUID(int=77))


def people(club, number):
    """So many people of a club, by name."""
    return [PlayerFactory(club=club, name=f"P{each:02}") for each in range(1, number + 1)]


def planned(club, here=(), *, rules="levant", name="Friday", **changes) -> Evening:
    """An evening with these people there."""
    plan = GameNightPlan(name, NOW + timedelta(hours=1), Rules(preset(rules), rules), **changes)
    found = plans.plan(club=club, evening_id=uuid.uuid4(), wanted=plan, actor=HOST, now=NOW)
    game_nights.attend(evening_id=found.id, coming=here)
    return found


def paired(evening, *players):
    """Each of them with the next."""
    for one, other in zip(players[::2], players[1::2], strict=True):
        game_nights.pair(evening_id=evening.id, one=one.id, other=other.id)


def draw(evening, method="lot", seed=1, **changes):
    """The next round, or the same once more."""
    waiting = course_of(evening).waiting
    given = {"seen": waiting.mark if waiting else "", "actor": HOST, "now": NOW, **changes}
    game_nights.draw(evening_id=evening.id, method=method, seed=seed, **given)
    return course_of(evening).waiting


def open_drawn(evening, **changes):
    """The tables of the draw, opened; gives their matches by table."""
    course = course_of(evening)
    given = {"number": course.next_number, "seen": course.waiting.mark, "actor": HOST, "now": NOW}
    game_nights.open_tables(evening_id=evening.id, **{**given, **changes})
    return list(evening.matches.filter(round_number=course.next_number).order_by("table_number"))


def played(evening, **drawing):
    """A round in a moment: its tables are broken off at once, and nobody has points of it."""
    draw(evening, **drawing)
    for match in open_drawn(evening):
        write(matches.break_off, match)
    return course_of(evening)


def begun(match, *entries):
    """Its first deals."""
    write(matches.set_first_chooser, match, chooser=0)
    for entry in entries:
        record(match, entry)


def finished(match, entries=None):
    """Played to its end; by default everybody takes the same."""
    begun(match, *(entries or even_entries()))
    write(matches.finish, match)


def byes_of(evening) -> list[str]:
    rows = DrawnSeat.objects.filter(round__evening=evening, table_number=None)
    return list(rows.order_by("round__number").values_list("player__name", flat=True))


def somebody(drawn, place=0) -> Player:
    """Who sits at the first table, or with place 4 at the second."""
    return [player for four in drawn.tables.values() for player in four][place]
