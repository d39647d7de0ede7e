"""The table of deals that an export writes comes back: unmarked, known, and with what it lacks."""

import io
import zipfile

import pytest
from django.db import connection

from scoring.common.actor import Actor
from scoring.corrections.services import seats, subtotals
from scoring.importing.limits import PAGE
from scoring.importing.own_tables import unmarked
from scoring.matches.services import matches
from scoring.models import Club, Match, Player, triggers
from scoring.people.services import people
from scoring.spreadsheets import harmless
from scoring.transfer.presenters.import_sentences import fault_sentence
from scoring.transfer.queries.imports import ImportStatus, plan_import
from tests.corrections.test_subtotals import paper_of
from tests.factories import (
    NOW,
    PlayerFactory,
    adjust,
    evenings,
    finish,
    make_cast,
    make_evening,
    record,
    write,
)
from tests.importing.bringing import bring_in
from tests.support.moving import exported

pytestmark = pytest.mark.django_db
TEXTS = ["+971", "=1+1", "-5", "@x", "'=1+1", "''+1", "'", "'Amal", "Amal", "", "＝1", "O'Neill"]


@pytest.fixture
def cast():
    return make_cast()


@pytest.fixture
def other(cast):
    return Club.objects.create(name="Another", slug="another")


def snapshot_of(club, part="csv/deals.csv"):
    with zipfile.ZipFile(exported(club)) as archive:
        return archive.read(part)


def looked_at(club, data):
    return plan_import(club, io.BytesIO(data), PAGE)


@pytest.mark.parametrize("text", TEXTS)
def test_exactly_the_marks_of_an_export_are_taken_off(text):
    marked = harmless(text)
    assert not str(marked).startswith(("=", "+", "-", "@", "＝"))
    assert unmarked(marked) == text


def test_names_and_numbers_lose_their_mark_and_nothing_comes_twice(cast, other):
    match = finish(make_evening("evening-levant", club=cast.club))
    names = ("+971", "=1+1", "'=1+1", "Zed")
    for row, name in zip(match.seatings.order_by("seat"), names, strict=True):
        Player.objects.filter(id=row.player_id).update(name=name)
    with triggers.without_triggers(connection):
        Match.objects.filter(id=match.id).update(external_id="=7")
    for part in ("csv/deals.csv", "csv-with-bom/deals.csv", "cafe-younes.xlsx"):
        data = snapshot_of(cast.club, part)
        (planned,) = looked_at(other, data).matches
        assert planned.external_id == "=7"
        assert planned.names == names
        assert [str(each.status) for each in looked_at(cast.club, data).matches] == ["here"]
    bring_in(other, data)
    assert [str(each.status) for each in looked_at(other, data).matches] == ["here"]


def test_match_typed_by_hand_is_known_in_its_own_club(cast, other):
    match = finish(make_evening("evening-levant", club=cast.club))
    data = snapshot_of(cast.club)
    (here,) = looked_at(cast.club, data).matches
    assert (here.status, here.match_id) == (ImportStatus.HERE, match.id)
    bring_in(other, data)
    back = snapshot_of(other)  # under the number of the first club
    assert [str(each.status) for each in looked_at(cast.club, back).matches] == ["here"]


def voided(match, cast):
    write(matches.void_match, finish(match), reason="A card was missing")


def penalised(match, cast):
    adjust(match)
    finish(match)


def hidden(match, cast):
    finish(match)
    player = match.seatings.get(seat=0).player
    people.hide(player=player, actor=Actor(cast.owner), now=NOW)


def substituted(match, cast):
    """Seats stand as numbers then: names change from row to row."""
    four = [row.player for row in match.seatings.order_by("seat")]
    four[1] = PlayerFactory(club=cast.club, name="Nour")
    write(seats.reseat, match, players=four, from_deal=11, reason="He left")
    finish(match)


def not_finished(match, cast):
    pass


WHAT = [
    (voided, "voided", "that it was voided"),
    (penalised, "penalties", "penalties and bonuses"),
    (substituted, "substitutes", "substitutes"),
    (hidden, "hidden", "hidden people"),
    (not_finished, "not_finished", "that it is not finished"),
]


@pytest.mark.parametrize(("happens", "reason", "words"), WHAT)
def test_what_a_table_cannot_hold_is_said_before_anything_is_written(
    cast, other, happens, reason, words
):
    happens(make_evening("evening-levant", club=cast.club), cast)
    data = snapshot_of(cast.club)
    (planned,) = looked_at(other, data).matches
    (fault,) = planned.faults
    assert (planned.status, planned.found.lost) == (ImportStatus.REFUSED, (reason,))
    said = fault_sentence(fault).replace("\u2068", "").replace("\u2069", "")
    assert said == (
        f"A table cannot hold this: {words}. Import the club file instead: manage.py import_club"
    )
    assert [str(each.status) for each in looked_at(cast.club, data).matches] == ["here"]


def test_export_of_an_older_version_may_name_two_people_alike(cast, other):
    """People of one name have a number since."""
    penalised(make_evening("evening-levant", club=cast.club), cast)
    data = snapshot_of(cast.club).replace(b"penalties", b"namesakes")
    (planned,) = looked_at(other, data).matches
    assert (planned.status, planned.found.lost) == (ImportStatus.REFUSED, ("namesakes",))


def test_match_that_began_with_sums_from_paper_is_only_in_the_club_file(cast, other):
    match = make_evening("evening-levant", deals=0, club=cast.club, actor=Actor(cast.amal))
    deals = evenings()["evening-levant"]["deals"]
    write(subtotals.enter, match, paper=paper_of(deals[:5]), actor=Actor(cast.amal))
    for row in deals[5:]:
        record(match, row, actor=Actor(cast.amal))
    finish(match, actor=Actor(cast.amal))
    data = snapshot_of(cast.club)
    (planned,) = looked_at(other, data).matches
    assert (planned.status, planned.found.lost) == (ImportStatus.REFUSED, ("sums",))
    assert [str(each.status) for each in looked_at(cast.club, data).matches] == ["here"]
