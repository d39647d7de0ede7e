"""Whatever happened in a club, its table of deals and its club file say the same, at home and in
another club: what is equal is equal, what a table cannot carry is named before it is written."""

import io
import zipfile
from uuid import uuid4

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import rule, run_state_machine_as_test

from scoring.common.actor import Actor
from scoring.importing.limits import COMMAND
from scoring.integrity.queries.integrity import findings
from scoring.ledger.queries.snapshots import seating_rows, sittings, snapshot_of
from scoring.models import Adjustment, Club, Deal, Match, MatchState, Player
from scoring.models.clubs import number_namesakes
from scoring.people.services import people as persons
from scoring.standings.services import ratings
from scoring.transfer.queries.imports import ImportStatus, plan_import
from scoring.transfer.services.club_import.reading import ClubFileRefused
from scoring.transfer.services.imports import import_match
from tests import chance
from tests.factories import NOW, PlayerFactory, adjust, make_cast
from tests.support.histories import PEOPLE, History, pick
from tests.support.moving import derived_rows, exported, forget_everything, imported, text_of

pytestmark = pytest.mark.django_db

EXAMPLES = 2 * chance.TIMES
NAMES = ("+971", "=1+1", "Ahmad", "Ahmad", "@home", "'=1+1", "-5")
TABLES = ("csv/deals.csv", "csv-with-bom/deals.csv", "cafe-younes.xlsx")
assert len(NAMES) == PEOPLE


class Moving(History):
    """A history in which people are hidden and penalties given as well, and which ends with a
    move."""

    @rule(one=pick)
    def penalise(self, one):
        with self.taken_up(one) as match:
            adjust(match)

    @rule(one=pick)
    def hide(self, one):
        person = self.now(self.people[one % PEOPLE])
        if not person.merged_into_id:
            persons.hide(player=person, actor=self.actor, now=NOW)

    def ends(self):
        for _done in ratings.work_out(club=self.club):
            pass
        self.club.refresh_from_db()
        file, derived = exported(self.club), worked_out()
        text = text_of(file)
        expected = {str(match.id): lost(match) for match in Match.objects.filter(club=self.club)}
        values = {str(match.id): value(match) for match in Match.objects.filter(club=self.club)}
        for part in TABLES:
            self.is_here(part, file, expected)
        with pytest.raises(ClubFileRefused, match="club_is_here"):
            imported(file)
        for part in TABLES:
            other = self.comes_in_elsewhere(part, file, expected, values)
        self.comes_back(other)
        file = file.rename(file.with_name(f"{uuid4()}.zip"))
        data = file.read_bytes()
        forget_everything()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        club = imported(file)
        assert worked_out() == derived
        assert text_of(exported(club)) == text
        assert [str(one) for one in findings() if one.is_fault] == []

    def is_here(self, part, file, expected):
        found = looked_at(self.club, file, part)
        assert not found.faults
        assert {each.status for each in found.matches} == {ImportStatus.HERE}
        assert sorted(str(each.match_id) for each in found.matches) == sorted(expected)

    def comes_in_elsewhere(self, part, file, expected, values):
        club = Club.objects.create(name="Elsewhere", slug=f"elsewhere-{uuid4()}")
        found = looked_at(club, file, part)
        assert "own_table" in {note.code for note in found.notes}
        for planned in found.matches:
            reasons = expected[planned.found.own_id]
            assert set(planned.found.lost) == reasons
            if reasons:
                (fault,) = planned.faults
                assert (planned.status, fault.code) == (ImportStatus.REFUSED, "only_in_club_file")
                continue
            assert (planned.status, planned.faults) == (ImportStatus.NEW, ())
            match = import_match(planned=planned, club=club, actor=Actor(), now=NOW).match
            assert value(match) == values[planned.found.own_id]
        again = looked_at(club, file, part)
        assert {each.status for each in again.matches if not each.found.lost} <= {ImportStatus.HERE}
        return club

    def comes_back(self, other):
        """What came in elsewhere is exported there: at home it is known."""
        if other.matches.exists():
            found = looked_at(self.club, exported(other), "csv/deals.csv")
            assert {each.status for each in found.matches} == {ImportStatus.HERE}


def worked_out():
    """All that is derived; how far ratings are is noted also where nobody has one any more."""
    return {name: rows for name, rows in derived_rows().items() if name != "RatingState"}


def looked_at(club, file, part):
    with zipfile.ZipFile(file) as archive:
        return plan_import(club, io.BytesIO(archive.read(part)), COMMAND)


def lost(match):
    """What a table cannot carry of it."""
    seats = sittings(seating_rows(match))
    people = [Player.objects.get(id=one.player_id) for seat in seats for one in seat]
    reasons = {
        "voided": match.state == MatchState.VOIDED,
        "substitutes": max(map(len, seats)) > 1,
        "penalties": Adjustment.objects.filter(match=match).filter(void=None).exists(),
        "hidden": any(person.hidden_at for person in people),
    }
    return {name for name, holds in reasons.items() if holds}


def value(match):
    """Who sat where, when (a table knows minutes), which deals, and what they come to."""
    deals = Deal.objects.standing().filter(match=match).order_by("deal_number")
    facts = [(d.deal_number, d.dealer, d.chooser, d.leader, d.contract, d.payload) for d in deals]
    rows = seating_rows(match)
    people = {row.player_id: row.player.name for row in rows}
    names = [people[seat[0].player_id] for seat in sittings(rows)]
    sheet = snapshot_of(match).sheet
    when = match.played_at.replace(second=0, microsecond=0)
    rules = (match.system, match.options, match.first_chooser, match.first_dealer)
    return when, names, rules, facts, sheet.totals, sheet.places


def test_club_that_lived_moves_and_nothing_is_lost_unsaid():
    cast = make_cast()
    for number in range(len(cast.players), PEOPLE):
        PlayerFactory(club=cast.club, name=f"Player {number}")
    for player, name in zip(
        Player.objects.filter(club=cast.club).order_by("name"), NAMES, strict=True
    ):
        Player.objects.filter(id=player.id).update(name=name)
    number_namesakes(cast.club.id)
    steps = settings(max_examples=EXAMPLES, stateful_step_count=8, phases=[Phase.generate])
    run_state_machine_as_test(lambda: Moving(cast), settings=steps)
