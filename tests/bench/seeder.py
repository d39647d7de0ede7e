"""A club of any size, in bulk: a few matches are played through the services, and every other one
is such an evening again, with other people on another day. Its events are chained and its rows
written as those of any match; only the sums and the ratings of people are worked out at the end,
once for all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import batched
from random import Random
from uuid import uuid4

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from scoring.clubs.services import clubs
from scoring.common.actor import Actor
from scoring.ledger.services import chain
from scoring.ledger.services.chain import Write
from scoring.management.commands.seed_demo import open_match, play
from scoring.models import (
    Club,
    ContractResult,
    CurrentDeal,
    Deal,
    Kingdom,
    Match,
    MatchEvent,
    MatchResult,
    Player,
    Seating,
    UsedContract,
)
from scoring.standings.services import ratings, totals

PRESETS = ("levant", "levant", "kleshchi", "barbu", "levant-partners")
BATCH = 200
MODELS = (
    Match,
    MatchEvent,
    Seating,
    Deal,
    Kingdom,
    CurrentDeal,
    UsedContract,
    MatchResult,
    ContractResult,
)
"""In the order in which they need each other."""


def seed(slug: str, people: int, matches: int, *, dice: Random | None = None) -> Club:
    """A public club whose owner is called as it is, with so many people and finished matches, the
    last of them yesterday."""
    dice = dice or Random(slug)
    club, players = _club(slug, people)
    evenings = [_evening(club, preset, players[:4], dice) for preset in PRESETS]
    days = range(matches - len(evenings), 0, -1)
    wanted = ((dice.choice(evenings), dice.sample(players, 4), day) for day in days)
    for some in batched(wanted, BATCH):
        _write([evening.again(four, day) for evening, four, day in some])
    for _ in totals.recount_all(club):
        pass
    ratings.rebuild(club=club)
    return club


def _club(slug: str, people: int) -> tuple[Club, list[Player]]:
    owner = get_user_model().objects.create_user(slug)
    club = clubs.create_club(name=slug.title(), owner=owner, is_public=True)
    Club.objects.filter(pk=club.pk).update(slug=slug)
    club.refresh_from_db()
    made = [Player(club=club, name=f"Player {number}") for number in range(1, people + 1)]
    return club, Player.objects.bulk_create(made)


def _evening(club: Club, preset: str, four: Sequence[Player], dice: Random) -> "Evening":
    begun = timezone.now() - timedelta(hours=3)
    match = open_match(club, preset, four, 0, begun)
    play(match, None, begun, dice, is_recorded=False)
    return Evening.of(match, dice)


def _write(copies: Sequence[dict[type, list]]) -> None:
    with transaction.atomic():
        for model in MODELS:
            rows = [row for copy in copies for row in copy[model]]
            model._default_manager.bulk_create(rows, batch_size=500)


@dataclass(frozen=True)
class Evening:
    """A finished match with all its rows."""

    match: Match
    events: tuple[MatchEvent, ...]
    rows: dict[type, tuple]
    dice: Random

    @classmethod
    def of(cls, match: Match, dice: Random) -> "Evening":
        match.refresh_from_db()
        found = {model: tuple(model._default_manager.filter(match=match)) for model in MODELS[2:]}
        return cls(match, tuple(match.events.order_by("seq")), found, dice)

    def again(self, four: Sequence[Player], days_ago: int) -> dict[type, list]:
        """The same cards for these four so many days ago."""
        return dict(Copy(self, four, -timedelta(days=days_ago)).rows())


class Copy:
    """One match made out of another."""

    def __init__(self, evening: Evening, four: Sequence[Player], shift: timedelta) -> None:
        self.evening, self.shift = evening, shift
        sat = sorted(evening.rows[Seating], key=lambda row: row.seat)
        self.people = {row.player_id: one.id for row, one in zip(sat, four, strict=True)}
        self.ids = {row.id: uuid4() for rows in evening.rows.values() for row in rows}
        self.match = self._row(evening.match, id=uuid4(), version=0, head="")
        for name in ("opened_at", "played_at", "closed_at"):
            setattr(self.match, name, self._moved(getattr(self.match, name)))

    def rows(self) -> Iterator[tuple[type, list]]:
        ledger = {model: [] for model in (Seating, Deal)}
        events = [self._event(event, ledger) for event in self.evening.events]
        yield Match, [self.match]
        yield MatchEvent, events
        yield from ledger.items()
        for model in MODELS[4:]:
            yield model, [self._derived(row) for row in self.evening.rows[model]]

    def _event(self, event: MatchEvent, ledger: dict[type, list]) -> MatchEvent:
        own = [
            (model, row)
            for model in ledger
            for row in self.evening.rows[model]
            if row.event_id == event.id
        ]
        rows = []
        for model, row in own:
            new = self._row(row, id=self.ids[row.id], **self._whose(row))
            ledger[model].append(new)
            rows.append(new)
        match, at = self.match, self._moved(event.entered_at)
        write = Write(match.id, uuid4(), event.on_version, Actor(), at)
        drafted = chain.drafted(match, write, event.kind, rows, self._facts(event))
        self.match.version, self.match.head = drafted.seq, drafted.hash
        return drafted

    def _facts(self, event: MatchEvent) -> dict[str, object]:
        facts = dict(event.content["facts"])
        moments = ("played_at", "closed_at")
        return facts | {name: getattr(self.match, name) for name in moments if facts.get(name)}

    def _derived(self, row):
        new = self._row(row, id=self.ids[row.id], **self._whose(row))
        for field in new._meta.concrete_fields:
            if field.name in ("played_at", "opened_at"):
                setattr(new, field.name, self._moved(getattr(new, field.name)))
            elif field.name in ("deal", "kingdom", "current_deal"):
                setattr(new, field.attname, self.ids.get(getattr(new, field.attname)))
        return new

    def _whose(self, row) -> dict[str, object]:
        names = [f.attname for f in row._meta.concrete_fields if f.related_model is Player]
        return {name: self.people.get(getattr(row, name)) for name in names}

    def _row(self, row, **others):
        """The same row, with these values, of this match."""
        values = {f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields}
        new = type(row)(**values | others)
        if not isinstance(row, Match):
            new.match = self.match
        return new

    def _moved(self, moment: datetime | None) -> datetime | None:
        return moment and moment + self.shift
