"""A club lives for a while: people play, correct, void and doubt, are merged and parted, seasons
come and go. In the end everything derived is dropped and worked out again, and is what it was.

`bin/test` tries some of them, `bin/bench histories` many.
"""

from contextlib import contextmanager, suppress
from datetime import timedelta
from itertools import pairwise

from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from scoring.common.actor import Actor
from scoring.common.errors import ServiceError
from scoring.corrections.services import repair, seats
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services import rebuild
from scoring.judging.services import disputes
from scoring.ledger.queries.results import points_of_people, results_of
from scoring.ledger.queries.snapshots import seating_rows, snapshot_of
from scoring.matches.services import matches
from scoring.models import (
    ContractResult,
    ContractTotal,
    CurrentDeal,
    Deal,
    Dispute,
    Evening,
    FrozenStanding,
    Kingdom,
    Match,
    MatchResult,
    Meeting,
    Player,
    PlayerTotal,
    Rating,
    RatingState,
    RatingStep,
    Season,
    UsedContract,
    Verdict,
)
from scoring.players.services import merging
from scoring.rules import Contract, Entry, Tally, ruleset
from scoring.standings.services import ratings, seasons
from tests.factories import NOW, correct, finish, make_match, record, write
from tests.support.judging import act, by, flag
from tests.support.judging import rule as publish
from tests.support.standings import make_season, unsaved_season

PEOPLE = 7
SHORT = {"combo": "complex", "contracts_scope": "game", "chooser_order": "rotate"}
GAMES = (
    ("levant", SHORT),
    ("levant", {**SHORT, "teams": "opposite"}),
    ("levant", {**SHORT, "signs": "swapped"}),
    ("levant", {**SHORT, "values.king": 100}),
)
"""Two deals each. The third is another family of points, the others are one."""
COMPLEX = Contract.read(["king", "queens", "diamonds", "tricks"])
TREX = Contract.read("trex")

DERIVED = (
    UsedContract,
    CurrentDeal,
    Kingdom,
    Verdict,
    Dispute,
    MatchResult,
    ContractResult,
    PlayerTotal,
    ContractTotal,
    Meeting,
    RatingStep,
    Rating,
)
MADE_ANEW = {"id", "kingdom_id", "current_deal_id"}

pick = st.integers(0, 99)
people = st.permutations(range(PEOPLE))
days = st.integers(0, 30)


def entries(luck):
    """Two deals; who comes first in the one is last in the other."""
    order = tuple((seat + luck) % 4 for seat in range(4))
    taken = {"queens": (1, 1, 1, 1), "diamonds": (4, 3, 3, 3), "tricks": (4, 3, 3, 3)}
    yield Entry(COMPLEX, 0, False, Tally(king_taken_by=order[luck % 3], **taken))
    yield Entry(TREX, 1, False, Tally(finish_order=order if luck % 2 else order[::-1]))


class History(RuleBasedStateMachine):
    """Each rule is something that somebody does, where it is possible; what the product refuses
    has changed nothing."""

    def __init__(self, cast):
        super().__init__()
        self.cast, self.club = cast, cast.club
        self.actor = Actor(cast.owner)
        self.people = list(Player.objects.filter(club=self.club).order_by("name"))
        self.broken_off = None
        self.around = transaction.atomic()
        self.around.__enter__()

    def teardown(self):
        try:
            self.ends()
        finally:
            transaction.set_rollback(True)
            self.around.__exit__(None, None, None)

    # ── matches ──────────────────────────────────────────────────────────

    @initialize(sitting=people, luck=pick, day=days)
    def begin(self, sitting, luck, day):
        """A season of the last three weeks, and one match."""
        self.season(0, 21, 30, None, 1)
        self.play(sitting, 0, luck, day, on_evening=False)

    @rule(
        sitting=people,
        game=st.sampled_from(range(len(GAMES))),
        luck=pick,
        day=days | st.none(),
        on_evening=st.booleans(),
    )
    def play(self, sitting, game, luck, day, on_evening):
        """Any four: after all that was played so far, or on any day before."""
        four = [self.now(self.people[one]) for one in sitting[:4]]
        if len({one.counted_id for one in four}) < 4:
            return
        system, options = GAMES[game]
        since = timedelta(minutes=Match.objects.count())
        match = make_match(
            system=system,
            options=options,
            club=self.club,
            players=four,
            entries=entries(luck),
            played_at=NOW + since if day is None else NOW - timedelta(days=day),
        )
        if on_evening:
            Match.objects.filter(id=match.id).update(evening=self.evening())
        finish(match)

    @rule(one=pick, number=st.integers(1, 2), luck=pick)
    def correct(self, one, number, luck):
        """Taken up, a deal corrected, closed again."""
        with self.taken_up(one) as match:
            deal = Deal.objects.standing().get(match=match, deal_number=number)
            correct(match, deal, list(entries(luck))[number - 1])

    @rule(one=pick, number=st.integers(1, 2), sitting=people)
    def substitute(self, one, number, sitting):
        """Taken up, somebody else sat there, closed again."""
        with self.taken_up(one) as match:
            four = [self.now(self.people[each]) for each in sitting[:4]]
            given = {"players": four, "from_deal": number, "reason": "a step"}
            write(seats.reseat, match, **given)

    @rule(one=pick, number=st.integers(1, 2), luck=pick, back=st.booleans())
    def renumber(self, one, number, luck, back):
        """Taken up, a deal removed as never played, and perhaps back again or inserted anew, with
        whatever hangs on the other; closed again."""
        with self.taken_up(one) as match:
            phantom = repair.PhantomDeal(number)
            event = write(repair.apply, match, repair=phantom, reason="a step")
            match.refresh_from_db()
            if back:
                write(repair.revert, match, event_id=event.id, reason="a step")
            elif number == 1:
                entry = next(entries(luck))
                inserted = repair.ForgottenDeal(1, entry)
                write(repair.apply, match, repair=inserted, reason="a step")
            else:
                record(match, list(entries(luck))[1])
            match.refresh_from_db()

    @rule(one=pick, back=st.booleans())
    def void(self, one, back):
        """Voided, and perhaps taken up again."""
        with self.tried(one) as match:
            write(matches.void_match, match, reason="a step")
        if back:
            with self.taken_up(one):
                pass

    # ── doubts ───────────────────────────────────────────────────────────

    @rule(one=pick, number=st.integers(1, 2), luck=pick)
    def doubt(self, one, number, luck):
        """Left open, or ruled on: it stands, points beside it, or another deal."""
        with self.tried(one) as match:
            flag(match, number, "a step", actor=by(self.cast.esam))
            if luck % 4:
                act(disputes.claim, match, number, actor=by(self.cast.esam))
                found = list(entries(luck))[number - 1] if luck % 4 == 1 else None
                points = (luck, 0, -luck, 0) if luck % 4 == 2 else None
                publish(match, number, found, points, actor=by(self.cast.esam))

    # ── people ───────────────────────────────────────────────────────────

    @rule(one=people)
    def merge(self, one):
        """The first two of some in this order who may be one person."""
        for person, into in pairwise(self.people[each] for each in one[:4]):
            with suppress(ServiceError), transaction.atomic():
                given = {"player": self.now(person), "into": self.now(into)}
                merging.merge(**given, actor=self.actor, now=NOW)
                return

    @rule(one=pick)
    def part(self, one):
        merged = [each for each in map(self.now, self.people) if each.merged_into_id]
        if merged:
            person = merged[one % len(merged)]
            merging.unmerge(player=person, actor=self.actor, now=NOW)

    # ── seasons ──────────────────────────────────────────────────────────

    @rule(one=pick, first=days, length=days, counted=st.sampled_from([None, 1, 2]), ruled=pick)
    def season(self, one, first, length, counted, ruled):
        """A new one, or other dates and rules for one that is there."""
        system, options = GAMES[ruled % len(GAMES)]
        rules = ruleset(system, options) if ruled % 3 == 0 else None
        begins = (NOW - timedelta(days=first)).date()
        there = self.club.seasons.order_by("name")
        given = {
            "name": f"Season {one}",
            "starts_on": begins,
            "ends_on": begins + timedelta(days=length),
            "criteria": ["total"],
            "counted": counted,
            "rules": {"rules": rules},
        }
        with suppress(ServiceError), transaction.atomic():
            if there and one % 2:
                season = unsaved_season(self.club, **given)
                season.pk = there[one % len(there)].pk
                seasons.change(season=season)
            else:
                make_season(self.club, **given)

    @rule(one=pick, what=st.sampled_from(["close", "reopen", "delete"]))
    def end_season(self, one, what):
        there = Season.objects.filter(club=self.club).order_by("name")
        if there:
            given = {"by": self.cast.owner, "now": NOW} if what == "close" else {}
            with suppress(ServiceError), transaction.atomic():
                getattr(seasons, what)(season=there[one % len(there)], **given)

    # ── long work ────────────────────────────────────────────────────────

    @rule(steps=st.integers(0, 6))
    def work_a_little(self, steps):
        """Ratings; or everything, begun or gone on with, and broken off again."""
        if not steps:
            next(ratings.work_out(club=self.club), None)
            return
        for place, step in enumerate(rebuild.steps(self.club, self.broken_off), start=1):
            self.broken_off = step
            if place == steps:
                return
        self.broken_off = None

    # ── what holds ───────────────────────────────────────────────────────

    def ends(self):
        """The sums are what slow ways come to, nothing is at fault, and all of it can be dropped
        and worked out again."""
        for _done in ratings.work_out(club=self.club):
            pass
        before = kept()
        assert all_time() == added_up()
        assert not list(findings())
        *_, end = rebuild.steps(self.club)
        assert (end.found["matches"], end.found["of_club"]) == (0, [])
        assert kept() == before
        drop_everything()
        for _step in rebuild.steps(self.club):
            pass
        assert kept() == before

    # ── helpers ──────────────────────────────────────────────────────────

    @contextmanager
    def tried(self, one):
        """Some match; what is refused is as if it had never been tried."""
        rows = Match.objects.filter(club=self.club).order_by("opened_at", "played_at", "id")
        with suppress(ServiceError), transaction.atomic():
            yield rows[one % len(rows)]

    @contextmanager
    def taken_up(self, one):
        with self.tried(one) as match:
            write(matches.reopen, match)
            yield match
            finish(match)

    def now(self, player):
        return Player.objects.select_related("club").get(id=player.id)

    def evening(self):
        made = {"starts_at": NOW, "created_at": NOW, "system": "levant"}
        return Evening.objects.get_or_create(club=self.club, name="An evening", defaults=made)[0]


def kept():
    """Every derived row without its id, and what was frozen."""
    return sorted(
        (
            model.__name__,
            *(f"{key}={value}" for key, value in sorted(row.items()) if key not in MADE_ANEW),
        )
        for model in (*DERIVED, FrozenStanding)
        for row in model.objects.values()
    )


def drop_everything():
    for model in (*DERIVED, RatingState):
        model.objects.all().delete()


def all_time():
    """By person and family the points and matches of all time, as they are kept."""
    rows = PlayerTotal.objects.filter(season=None, evening=None, partner=None)
    return {
        (row.player_id, row.system, row.win): (row.total, row.matches, row.wins) for row in rows
    }


def added_up():
    """The same, from the scoresheets of the finished matches."""
    found = {}
    for match in Match.objects.finished():
        table, rows = snapshot_of(match), seating_rows(match)
        win, sheet = table.ruleset.win, table.public.sheet
        sat = results_of(table.public, rows)
        won = {row.seated_id for row in sat if row.place == 1}
        mine = {}
        points_of = points_of_people(sheet, rows)
        for person in {row.seated_id for row in sat}:
            points = points_of[person]
            whose = Player.objects.get(id=person).counted_id
            total, has_won = mine.get(whose, (0, False))
            mine[whose] = total + points, has_won or person in won
        for whose, (points, has_won) in mine.items():
            total, played, wins = found.get((whose, match.system, win), (0, 0, 0))
            key = whose, match.system, win
            found[key] = total + points, played + 1, wins + has_won
    return found
