"""Command that fills a demo club.

Four friends, matches in every system, a game night of two tables with others, seasons, ratings, and
a match that is still running.

The deals are played by dice, card by card, and entered through the services like any other. Of one
evening the cards were written down; in one of its deals somebody revokes, and nobody noticed.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from scoring.clubs.services import clubs
from scoring.common.actor import Actor
from scoring.game_nights.queries.game_nights import course_of
from scoring.game_nights.services import game_nights, plans
from scoring.game_nights.services.plans import GameNightPlan, Rules
from scoring.house_rules.services import house_rules
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.ledger.queries.verdicts import audited
from scoring.ledger.services import deals as ledger
from scoring.ledger.services.chain import Write
from scoring.management.database import DatabaseCommand
from scoring.matches.services import matches
from scoring.models import Club, Evening, Match, Player, Season, User
from scoring.people.services import naming
from scoring.records.queries.records import entry_of_cards
from scoring.records.services.records import attach
from scoring.replay.play.table import Table, new_table
from scoring.replay.play.tricks import Tricks
from scoring.replay.record import Pass, Play, Record, in_order
from scoring.rules import Contract, Double, Ruleset, doublable, preset
from scoring.rules.cards import Card
from scoring.rules.drawing import Method
from scoring.rules.schedule import Turn
from scoring.rules.seats import SEATS, Seat, left_of
from scoring.standings.services import ratings, seasons

OWNER = "demo"
NAMES = ("Amal", "Badr", "Carmen", "Dima")
# Preset, how many days ago, and how many deals were played (None: all of them).
EVENINGS = (
    ("levant", 21, None),
    ("kleshchi", 16, None),
    ("levant-complex", 14, None),
    ("barbu", 9, None),
    ("levant", 7, None),
    ("levant", 0, 8),
)
GUESTS = ("Elias", "Farah", "Ghada", "Hadi", "زينة")
"""They come to the evening of several tables."""
CUP = "levant-complex"
CUP_DAY = 3
"""How many days ago that was."""
ROUNDS: tuple[Method, ...] = ("lot", "meet", "standing")
"""How its seats were drawn."""
DEAL = timedelta(minutes=6)
ANNOUNCED = 0.3
"""How often somebody doubles a card he holds and may double."""
RECORDED = 7
"""How many days ago the cards were written down."""
REVOKED = ("diamonds", 5)
"""In which contract somebody revoked then, and in which trick at the earliest."""


class Command(DatabaseCommand):
    help = "Fills a club with matches to look at. Does nothing when it is there already."

    def handle(self, *args: Any, **options: Any) -> None:
        if User.objects.filter(username=OWNER).exists():
            self.stdout.write("The demo club is there already.")
            return
        club = seed(Random(7), timezone.now())
        self.stdout.write(f"A club to look at: {club.name}, at /clubs/{club.slug}/")


@transaction.atomic
def seed(dice: Random, now: datetime) -> Club:
    """The club with its evenings, the last going on now. Nobody can sign in as its owner."""
    owner = User(username=OWNER)
    owner.set_unusable_password()
    owner.save()
    club = clubs.create_club(name="Café Demo", owner=owner, is_public=True, rules_name="Café rules")
    house_rules.create(
        club=club,
        name="Thursdays",
        preset="levant-partners",
        options={"teams": "opposite", "doubling.partner_capture": "normal_value"},
    )
    people = [naming.add_player(club=club, name=name, is_guest=False) for name in NAMES]
    for name, days, deals in EVENINGS:
        begun = now - timedelta(days=days, hours=2)
        seated = dice.sample(people, len(people))
        match = open_match(club, name, seated, dice.choice(SEATS), begun)
        play(match, deals, begun, dice, is_recorded=days == RECORDED)
    play_cup(club, people, now - timedelta(days=CUP_DAY), dice)
    plan_cup(club, "Next cup", now + timedelta(days=4))
    make_seasons(club, now)
    ratings.rebuild(club=club)
    return club


def make_seasons(club: Club, now: datetime) -> None:
    """One that is over and closed, and one that runs."""
    today = now.date()
    closed = Season(
        club=club,
        name="Warm-up",
        starts_on=today - timedelta(30),
        ends_on=today - timedelta(13),
        criteria=["total", "wins"],
    )
    seasons.close(season=seasons.create(season=closed), by=None, now=now)
    running = Season(
        club=club,
        name="Season",
        starts_on=today - timedelta(12),
        ends_on=today + timedelta(60),
        criteria=["average"],
        minimum=2,
    )
    seasons.create(season=running)


def plan_cup(club: Club, name: str, at: datetime) -> Evening:
    plan = GameNightPlan(name, at, Rules(preset(CUP), CUP))
    return plans.plan(club=club, evening_id=uuid4(), wanted=plan, actor=Actor(), now=at)


def play_cup(club: Club, people: Sequence[Player], at: datetime, dice: Random) -> None:
    """An evening of two tables, of nine people: in each round somebody rests."""
    guests = [naming.add_player(club=club, name=name, is_guest=True) for name in GUESTS]
    evening = plan_cup(club, "Café cup", at)
    game_nights.attend(evening_id=evening.id, coming=[*people, *guests])
    for number, method in enumerate(ROUNDS, start=1):
        given: dict[str, Any] = {"evening_id": evening.id, "actor": Actor(), "now": at}
        game_nights.draw(**given, method=method, seed=dice.randrange(1000), seen="")
        drawn = course_of(evening).waiting
        assert drawn is not None
        game_nights.open_tables(**given, number=number, seen=drawn.mark)
        for match in evening.matches.filter(round_number=number).order_by("table_number"):
            play(begun(match, at, dice), None, at, dice, is_recorded=False)
        at += timedelta(hours=1)
    game_nights.end(evening_id=evening.id, now=at)


def begun(match: Match, now: datetime, dice: Random) -> Match:
    """The 7♥ was found."""
    return matches.set_first_chooser(write_to(match, now), chooser=dice.choice(SEATS))


def write_to(match: Match, now: datetime) -> Write:
    return Write(match.id, uuid4(), match.version, Actor(), now)


def open_match(
    club: Club, name: str, people: Sequence[Player], first: Seat, begun: datetime
) -> Match:
    new = matches.NewMatch(
        ruleset=preset(name),
        preset=name,
        club=club,
        players=people,
        first_chooser=first,
        first_dealer=left_of(first),
    )
    return matches.open_match(new, actor=Actor(), now=begun, entry_key=uuid4())


def play(
    match: Match, deals: int | None, begun: datetime, dice: Random, *, is_recorded: bool
) -> None:
    """Plays so many deals, or all of them and the end of the match."""
    table, revokes = snapshot_of(match), is_recorded
    while not (table.turn.over or table.turn.is_extra) and len(table.deals) != deals:
        now = begun + DEAL * (len(table.deals) + 1)
        record = random_record(table.turn, table.ruleset, dice, revokes=revokes)
        revokes = revokes and record.contract != Contract((REVOKED[0],))
        enter(match, record, table.ruleset, now)
        if is_recorded:
            attach(write_to(match, now), deal_number=table.turn.deal_number, record=record)
        match.refresh_from_db()
        table = snapshot_of(match)
    if deals is None:
        closed = begun + DEAL * (len(table.deals) + 1)
        matches.finish(write_to(match, closed))


def enter(match: Match, record: Record, ruleset: Ruleset, now: datetime) -> None:
    """What the cards say, as four friends would type it."""
    entry = entry_of_cards(audited(record, None, ruleset))
    assert entry is not None
    ledger.record_deal(
        write_to(match, now), entry=entry, dealer=record.dealer, leader=record.leader
    )
    match.refresh_from_db()


def random_record(turn: Turn, ruleset: Ruleset, dice: Random, *, revokes: bool) -> Record:
    """A contract that the chooser may play, and what came of it, card by card."""
    chooser = dice.choice(turn.choosers) if turn.chooser is None else turn.chooser
    contract = dice.choice(turn.contracts_of(chooser))
    hands = dealt(ruleset, dice)
    record = Record(
        id=f"deal {turn.deal_number}",
        system=ruleset.system,
        options=ruleset.options(),
        contract=contract,
        deal_number=turn.deal_number,
        dealer=turn.dealer,
        chooser=chooser,
        forced=turn.is_forced(contract, chooser),
        doubles=announced(contract, ruleset, hands, dice),
        leader=turn.leader(contract, chooser=chooser),
        hands=hands,
    )
    at = REVOKED[1] if revokes and contract.key == REVOKED[0] else None
    table = new_table(contract, ruleset, hands, record.leader or 0)
    return replace(record, plays=tuple(played_out(table, dice, at)))


type Hands = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]


def dealt(ruleset: Ruleset, dice: Random) -> Hands:
    deck = dice.sample(ruleset.deck, len(ruleset.deck))
    one, two, three, four = (in_order(deck[seat :: len(SEATS)]) for seat in SEATS)
    return one, two, three, four


def announced(
    contract: Contract, ruleset: Ruleset, hands: Hands, dice: Random
) -> tuple[Double, ...]:
    return tuple(
        Double(card, by)
        for card in doublable(contract, ruleset)
        for by, hand in enumerate(hands)
        if card in hand and dice.random() < ANNOUNCED
    )


def played_out(table: Table, dice: Random, revoke_from: int | None) -> list[Play | Pass]:
    """Everybody lays what is legal and thinks no further; but once, from that trick on, somebody
    does not follow suit."""
    plays: list[Play | Pass] = []
    while not table.over:
        seat, moves = table.turn, table.moves()
        is_time = revoke_from is not None and len(plays) // 4 + 1 >= revoke_from
        if is_time and (odd := not_following(table, moves)):
            moves, revoke_from = odd, None
        card = dice.choice(moves)
        plays.append(Pass(seat) if card is None else Play(seat, card))
        table.lay(card)  # type: ignore[arg-type]  # a pass is legal in Trex only
    return plays


def not_following(table: Table, moves: Sequence[Card | None]) -> list[Card | None]:
    """The cards of a seat that could follow suit and need not be laid."""
    if not isinstance(table, Tricks) or not table.lying:
        return []
    hand = table.hands[table.turn] or ()
    return [card for card in hand if card not in moves]
