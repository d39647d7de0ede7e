import uuid
from datetime import timedelta

import pytest

from scoring.common.actor import Actor
from scoring.history.queries.history import deal_history
from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.results import results_of
from scoring.ledger.queries.snapshots import seating_rows, sittings, snapshot_of
from scoring.ledger.services import chain
from scoring.models import Deal, MatchEvent, Seating, Words
from tests.factories import (
    NOW,
    PHONE,
    PlayerFactory,
    correct,
    diamonds,
    evenings,
    finish,
    king,
    make_cast,
    make_evening,
    make_match,
    void,
)

pytestmark = pytest.mark.django_db


def test_view_of_a_match_knows_names_totals_and_whose_turn_it_is():
    view = match_view(make_match(entries=[king(taken_by=2)]))
    assert [seat.name for seat in view.seats] == ["Amal", "Badr", "Carmen", "Dima"]
    assert view.sheet.totals == (0, 0, -75, 0)
    assert (view.turn.deal_number, view.turn.chooser, view.turn.dealer) == (2, 0, 0)
    assert view.last_deal == view.deals[1] == Deal.objects.get()
    assert not view.can_finish


def test_view_of_a_new_match():
    view = match_view(make_match(first_chooser=None))
    assert (view.last_deal, view.deals, view.turn.needs_first_chooser) == (None, {}, True)


def test_match_with_all_its_deals_can_be_finished_until_it_is():
    match = make_evening("evening-levant")
    assert match_view(match).can_finish
    assert not match_view(finish(match)).can_finish


def test_namesakes_at_a_table_are_told_apart():
    people = [PlayerFactory(club=None, name=name) for name in ("Amal", "Badr", "Amal", "Dima")]
    view = match_view(make_match(players=people))
    names = ["Amal (1)", "Badr", "Amal (3)", "Dima"]
    assert [seat.name for seat in view.seats] == view.names_at(1) == names


@pytest.mark.parametrize("deals", [0, 1, 20])
def test_view_takes_three_queries_however_many_deals(django_assert_num_queries, deals):
    match = make_evening("evening-levant", deals=deals)
    with django_assert_num_queries(3):
        view = match_view(match)
        assert len(view.sheet.rows) == len(view.deals) == deals
        assert (view.turn.deal_number, view.sat(0, 1).name) == (deals + 1, "Amal Haddad")
        assert all(deal.event.device for deal in view.table.deals)


def seat(match, seat_, player, from_deal):
    """A substitution, as a later service will write it."""
    locked = chain.locked(match.id)
    write = chain.Write(match.id, uuid.uuid4(), locked.version, PHONE, NOW)
    row = Seating(seat=seat_, player=player, from_deal=from_deal)
    chain.append(locked, write, "seat_changed", [row])


# Who took part follows from who sat. C86
def test_substitute_sits_from_a_deal_on_and_points_follow_the_person():
    match = make_evening("evening-levant")
    elie = PlayerFactory(club=None, name="Elie")
    seat(match, 2, elie, from_deal=11)
    view = match_view(match)
    assert view.seats[2].name == "Elie"
    assert (view.sat(2, 10).name, view.sat(2, 11).name) == ("Carmen الخوري", "Elie")
    rows = {row.player_id: row for row in results_of(snapshot_of(match), seating_rows(match))}
    carmen = next(p.id for p in view.people.values() if p.name.startswith("Carmen"))
    after_ten = evenings()["evening-levant"]["deals"][9]["totals"][2]
    assert (rows[carmen].points, rows[carmen].deals) == (after_ten, 10)
    assert (rows[elie.id].points, rows[elie.id].deals) == (175 - after_ten, 10)
    assert rows[carmen].total == rows[elie.id].total == 175


def test_later_seating_takes_the_place_of_earlier_ones_from_that_deal_on():
    match = make_match()
    one, two = PlayerFactory.create_batch(2, club=None)
    seat(match, 2, one, from_deal=5)
    seat(match, 2, two, from_deal=3)
    assert [(s.player_id, s.from_deal) for s in sittings(seating_rows(match))[2]][1:] == [
        (two.id, 3)
    ]


# Entered by, at, from which device, for each write. C51
def test_history_tells_who_did_what_when_on_which_phone_and_why():
    cast = make_cast()
    amal, esam = Actor(cast.amal, uuid.UUID(int=11)), Actor(cast.esam, uuid.UUID(int=12))
    match = make_match(
        club=cast.club, players=cast.players, entries=[king(taken_by=1), diamonds()], actor=amal
    )
    old = Deal.objects.get(deal_number=1)
    later = NOW + timedelta(hours=1)
    new = correct(match, old, king(taken_by=2), reason="it was Carmen", actor=esam, now=later).deal
    void(match, new, reason="misdeal", actor=esam, now=later)
    lines = deal_history(match, 1)
    assert [(line.kind, line.deal, line.user, line.device, line.reason) for line in lines] == [
        ("deal_recorded", old, cast.amal, amal.device, ""),
        ("deal_corrected", new, cast.esam, esam.device, "it was Carmen"),
        ("deal_voided", new, cast.esam, esam.device, "misdeal"),
    ]
    assert [line.entered_at for line in lines][1:] == [later, later]
    assert not any(line.stands for line in lines)
    assert [line.stands for line in deal_history(match, 2)] == [True]


def test_history_says_that_a_reason_was_erased():
    match = make_match(entries=[king(), diamonds()])
    void(match, Deal.objects.get(deal_number=1), reason="Amal had mixed up the cards")
    Words.objects.all().delete()
    line = deal_history(match, 1)[-1]
    assert (line.reason, line.erased) == ("", True)


def test_history_takes_four_queries_however_long(django_assert_num_queries):
    match = make_match(entries=[king(taken_by=0)])
    for taken_by in (1, 2, 3):
        correct(match, Deal.objects.order_by("-event__seq")[0], king(taken_by=taken_by))
    with django_assert_num_queries(4):
        assert [bool(line.user) for line in deal_history(match, 1)] == [False] * 4
    assert MatchEvent.objects.count() == 5
