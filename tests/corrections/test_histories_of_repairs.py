"""Whatever is recorded, corrected, voided, reseated, repaired, reverted or known from paper only,
in whatever order: the ledger is whole and what is derived follows from it."""

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.common.errors import ServiceError
from scoring.corrections.queries.subtotals import due
from scoring.corrections.services import repair, seats, subtotals
from scoring.corrections.services.subtotals import PaperSums
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.ledger.queries.results import points_of_people
from scoring.ledger.queries.snapshots import seating_rows, sittings, snapshot_of
from scoring.rules import Contract
from tests.factories import (
    adjust,
    correct,
    entry_of,
    evenings,
    make_evening,
    record,
    redeal,
    void,
    write,
)

pytestmark = pytest.mark.django_db

DEALS = 9
SEATS = st.permutations(range(4)).map(tuple)
NUMBER = st.integers(1, DEALS)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("record")),
        st.tuples(st.just("fill"), NUMBER),
        st.tuples(st.just("correct"), NUMBER),
        st.tuples(st.just("void"), NUMBER),
        st.tuples(st.just("paper")),
        st.tuples(st.just("paper back"), NUMBER),
        st.tuples(st.just("reseat"), NUMBER, st.integers(0, 3), st.sampled_from("EFGH")),
        st.tuples(st.just("undo"), NUMBER),
        st.tuples(st.just("seats"), SEATS, NUMBER, st.sampled_from(["person", "seat"])),
        st.tuples(st.just("chooser"), st.integers(0, 3), st.integers(0, 3)),
        st.tuples(st.just("places"), NUMBER, NUMBER),
        st.tuples(st.just("contract"), NUMBER, st.sampled_from(["diamonds", "tricks", "hearts"])),
        st.tuples(st.just("forgotten"), NUMBER),
        st.tuples(st.just("phantom"), NUMBER),
        st.tuples(st.just("penalty"), NUMBER),
        st.tuples(st.just("redeal")),
        st.tuples(st.just("revert"), NUMBER),
    ),
    max_size=10,
)
BRIEF = settings(
    max_examples=8,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def take(match, deals, step, *told):
    """One step of a history, where it is possible."""
    table = snapshot_of(match)
    if step == "record":
        if table.turn.deal_number <= len(deals):
            record(match, deals[table.turn.deal_number - 1])
    elif step == "fill":
        record(match, deals[told[0] - 1])
    elif step == "paper":
        enter_paper(match, table, deals)
    elif step == "paper back":
        for row in table.subtotal_rows[:1]:
            write(subtotals.void, match, subtotal_id=row.id, reason="r")
    elif step in ("correct", "void"):
        deal = table.deal(told[0])
        if deal and step == "void":
            void(match, deal, reason="r")
        elif deal:
            correct(match, deal, entry_of(deals[deal.deal_number - 1]), reason="r")
    elif step == "penalty":
        adjust(match, after_deal=told[0])
    elif step == "redeal":
        redeal(match)
    elif step == "reseat":
        sit_down(match, *told)
    else:
        mend(match, step, *told)


def enter_paper(match, table, deals):
    """The sums of the kingdom or round that is due, if the file has all of it."""
    place = due(table, deals[0]["chooser"] if table.turn.deal_number == 1 else None)
    own = deals[place.first_deal - 1 : place.last_deal]
    if len(own) == place.last_deal - place.first_deal + 1 and own:
        sums = tuple(sum(deal["scores"][seat] for deal in own) for seat in range(4))
        new = own[len(place.entered) :]
        contracts = tuple(Contract.read(deal["contract"]) for deal in new)
        write(subtotals.enter, match, paper=PaperSums(contracts, sums, dealer=new[0]["dealer"]))


def sit_down(match, number, seat, name):
    four = [own[-1].player_id for own in sittings(seating_rows(match))]
    four[seat] = f"{name}lie"
    write(seats.reseat, match, players=four, from_deal=number, reason="r")


def mend(match, step, *told):
    changes = {
        "seats": lambda sat, number, by: repair.WrongSeats(sat, number, by),
        "chooser": repair.WrongChooser,
        "places": repair.WrongPlaces,
        "forgotten": repair.ForgottenDeal,
        "phantom": repair.PhantomDeal,
        "contract": lambda number, name: repair.WrongContract(number, Contract.read(name)),
    }
    if step in changes:
        write(repair.apply, match, repair=changes[step](*told), reason="r")
        return
    kind = {"undo": "seats_changed", "revert": "match_repaired"}[step]
    events = list(match.events.filter(kind=kind).order_by("seq"))
    if events:
        event = events[told[0] % len(events)]
        service = seats.undo if step == "undo" else repair.revert
        write(service, match, event_id=event.id, reason="r")


def standings(match):
    match.refresh_from_db()
    table, rows = snapshot_of(match), seating_rows(match)
    said = [(d.dealer, d.chooser, d.leader, d.payload) for d in table.deals]
    beside = [(row.after_deal, row.points) for row in table.adjustments]
    again = [(row.deal_number, row.dealer, row.chooser) for row in table.redeals]
    return said, table.sheet.totals, points_of_people(table.sheet, rows), beside, again


def is_sound(match):
    match.refresh_from_db()
    assert not list(findings())
    assert rebuild(match_id=match.id) == []
    sheet = snapshot_of(match).sheet
    people = points_of_people(sheet, seating_rows(match))
    assert sum(people.values()) == sum(sheet.totals)


# Whatever happened, rebuilding from the log changes nothing; a repair reverted never was. C49, C61
@pytest.mark.parametrize("name", ["evening-levant", "evening-kleshchi", "evening-barbu"])
@BRIEF
@given(steps=STEPS, first=st.integers(0, DEALS))
def test_history_is_sound(name, steps, first):
    deals = evenings()[name]["deals"][:DEALS]
    with transaction.atomic():
        match = make_evening(name, deals=first)
        for step in steps:
            match.refresh_from_db()
            before, version = standings(match), match.version
            try:
                with transaction.atomic():
                    take(match, deals, *step)
            except ServiceError:
                assert standings(match) == before
            match.refresh_from_db()
            last = match.events.order_by("-seq").first()
            if match.version > version and last.kind == "match_repaired":
                after = standings(match)
                write(repair.revert, match, event_id=last.id, reason="r")
                assert standings(match) == before
                is_sound(match)
                mend(match, "revert", match.events.filter(kind="match_repaired").count() - 1)
                assert standings(match) == after
        is_sound(match)
        transaction.set_rollback(True)
