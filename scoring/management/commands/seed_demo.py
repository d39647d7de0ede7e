"""A club to look at: four friends, some evenings in every system, a match that is still running.

The deals are played by dice, card by card, and entered through the services like any other.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import uuid4

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from scoring.models import Club, Match, Player, User
from scoring.rules import Contract, Double, Entry, Ruleset, Tally, doublable, fact_keys, preset
from scoring.rules.cards import rank, strength, suit
from scoring.rules.schedule import Turn
from scoring.rules.seats import SEATS, Seat
from scoring.selectors.tables import table_of
from scoring.services import clubs, house_rules, ledger, matches
from scoring.services.who import Who

OWNER = "demo"
NAMES = ("Amal", "Badr", "Carmen", "Dima")
# Preset, how many evenings ago, and how many deals were played (None: all of them).
EVENINGS = (
    ("levant", 21, None),
    ("kleshchi", 16, None),
    ("levant-complex", 14, None),
    ("barbu", 9, None),
    ("levant", 7, None),
    ("levant", 0, 8),
)
DEAL = timedelta(minutes=6)
ANNOUNCED = 0.3
"""How often somebody doubles a card he holds and may double."""


class Command(BaseCommand):
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
    people = [clubs.add_player(club=club, name=name, is_guest=False) for name in NAMES]
    for name, days, deals in EVENINGS:
        begun = now - timedelta(days=days, hours=2)
        seated = dice.sample(people, len(people))
        match = open_match(club, name, seated, dice.choice(SEATS), begun)
        play(match, deals, begun, dice)
    return club


def open_match(
    club: Club, name: str, people: Sequence[Player], first: Seat, begun: datetime
) -> Match:
    return matches.open_match(
        ruleset=preset(name),
        preset=name,
        club=club,
        players=people,
        first_chooser=first,
        who=Who(),
        now=begun,
        entry_key=uuid4(),
    )


def play(match: Match, deals: int | None, begun: datetime, dice: Random) -> None:
    """Plays so many deals, or all of them and the end of the match."""
    table = table_of(match)
    while not (table.turn.over or table.turn.is_extra) and len(table.deals) != deals:
        now = begun + DEAL * (len(table.deals) + 1)
        ledger.record_deal(
            match_id=match.id,
            version=match.version,
            entry=random_entry(table.turn, table.ruleset, dice),
            who=Who(),
            now=now,
            entry_key=uuid4(),
        )
        match.refresh_from_db()
        table = table_of(match)
    if deals is None:
        closed = begun + DEAL * (len(table.deals) + 1)
        matches.finish(
            match_id=match.id, version=match.version, who=Who(), now=closed, entry_key=uuid4()
        )


def random_entry(turn: Turn, ruleset: Ruleset, dice: Random) -> Entry:
    """A contract that the chooser may play, and what came of it."""
    chooser = dice.choice(turn.choosers) if turn.chooser is None else turn.chooser
    contract = dice.choice(turn.contracts_of(chooser))
    tally = Tally(**random_facts(contract, ruleset, dice))
    return Entry(contract, chooser, turn.is_forced(contract, chooser), tally)


def random_facts(contract: Contract, ruleset: Ruleset, dice: Random) -> dict[str, Any]:
    if contract.special == "trex":
        return {"finish_order": tuple(dice.sample(SEATS, len(SEATS)))}
    if contract.special == "fifty_one":
        return {"loser": dice.choice(SEATS)}
    hands = dealt(ruleset, dice)
    shown = tuple(
        Double(card, by)
        for card in doublable(contract, ruleset)
        for by, hand in enumerate(hands)
        if card in hand and dice.random() < ANNOUNCED
    )
    taken = facts(play_tricks(hands, dice.choice(SEATS), ruleset, dice))
    return {key: taken[key] for key in fact_keys(contract) if key in taken} | {"doubles": shown}


def dealt(ruleset: Ruleset, dice: Random) -> list[list[str]]:
    deck = dice.sample(ruleset.deck, len(ruleset.deck))
    return [deck[seat :: len(SEATS)] for seat in SEATS]


Trick = tuple[Seat, list[str]]


def play_tricks(
    hands: list[list[str]], leader: Seat, ruleset: Ruleset, dice: Random
) -> list[Trick]:
    """Who took each trick, with its cards. Everybody follows suit and thinks no further."""
    hands = [list(hand) for hand in hands]
    tricks: list[Trick] = []
    while hands[leader]:
        played: dict[Seat, str] = {}
        for seat in (*SEATS[leader:], *SEATS[:leader]):
            led = played.get(leader)
            following = [card for card in hands[seat] if led and suit(card) == suit(led)]
            played[seat] = dice.choice(following or hands[seat])
            hands[seat].remove(played[seat])
        led_suit = suit(played[leader])
        in_suit = [seat for seat in played if suit(played[seat]) == led_suit]
        leader = max(in_suit, key=lambda seat: strength(played[seat], ruleset.rank_order))
        tricks.append((leader, list(played.values())))
    return tricks


def facts(tricks: list[Trick]) -> dict[str, Any]:
    """Everything that any contract may ask about these tricks."""
    taken = {card: seat for seat, cards in tricks for card in cards}

    def count(of_suit: str) -> tuple[int, ...]:
        return tuple(
            sum(taker == seat and suit(card) == of_suit for card, taker in taken.items())
            for seat in SEATS
        )

    return {
        "king_taken_by": taken["KH"],
        "queens_taken_by": {card: seat for card, seat in taken.items() if rank(card) == "Q"},
        "diamonds": count("D"),
        "hearts": count("H"),
        "tricks": tuple(sum(taker == seat for taker, _ in tricks) for seat in SEATS),
        "last_trick_by": tricks[-1][0],
    }
