"""Sums from paper: entered, filled in deal by deal, taken back."""

import uuid

import pytest

from scoring.common.errors import ServiceError
from scoring.corrections.queries.subtotals import due
from scoring.corrections.services import seats, subtotals
from scoring.corrections.services.subtotals import PaperSums
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.results import points_of_people
from scoring.ledger.queries.snapshots import seating_rows, snapshot_of
from scoring.models import Deal, Kingdom, MatchEvent, Subtotal
from scoring.rules import Contract, Entry, Tally
from tests.factories import (
    correct,
    diamonds,
    entry_of,
    evenings,
    finish,
    king,
    make_evening,
    make_match,
    record,
    void,
    write,
)

pytestmark = pytest.mark.django_db

SIZE = {"evening-levant": 5, "evening-kleshchi": 4, "evening-barbu": 4}
SYSTEMS = pytest.mark.parametrize("name", SIZE)


def deals_of(name):
    return evenings()[name]["deals"]


def paper_of(deals, done=0, **more):
    """The sums of these deals, and the contracts of those that are not entered yet."""
    sums = tuple(sum(deal["scores"][seat] for deal in deals) for seat in range(4))
    contracts = tuple(Contract.read(deal["contract"]) for deal in deals[done:])
    return PaperSums(contracts, sums, **more)


def enter(match, paper, **changes):
    return write(subtotals.enter, match, paper=paper, **changes)


def take_back(match, row, **changes):
    return write(subtotals.void, match, subtotal_id=row.id, **changes)


def refused(call, *args, **kwargs):
    before = [model.objects.count() for model in (MatchEvent, Subtotal, Deal)]
    with pytest.raises(ServiceError) as caught:
        call(*args, **kwargs)
    assert before == [model.objects.count() for model in (MatchEvent, Subtotal, Deal)]
    return [problem.code for problem in caught.value.problems]


def totals(match):
    return list(snapshot_of(match).sheet.totals)


def is_sound(match):
    assert not list(findings())
    assert rebuild(match_id=match.id) == []


def opened(name):
    return make_evening(name, deals=0)


# After a crash the sums of the paper are enough, and the match goes on. C67
@SYSTEMS
def test_match_goes_on_behind_the_sums(name):
    deals, size = deals_of(name), SIZE[name]
    match = opened(name)
    enter(match, paper_of(deals[:size], chooser=deals[0]["chooser"], dealer=deals[0]["dealer"]))
    assert totals(match) == deals[size - 1]["totals"]
    turn = snapshot_of(match).turn
    assert (turn.deal_number, turn.chooser) == (size + 1, deals[size]["chooser"])
    for deal in deals[size:]:
        record(match, deal)
    assert totals(match) == evenings()[name]["totals"]
    finish(match)
    is_sound(match)


# A deal on paper counts double only where it was its chooser's last. C67
def test_only_the_last_deal_on_paper_is_forced():
    deals = deals_of("evening-barbu")
    match = opened("evening-barbu")
    enter(match, paper_of(deals[:4], chooser=deals[0]["chooser"], dealer=deals[0]["dealer"]))
    assert not any(snapshot_of(match).turn_of(number).forced for number in range(1, 5))
    for first in range(4, 32, 4):
        enter(match, paper_of(deals[first : first + 4]))
    table = snapshot_of(match)
    for deal in deals:
        contract = Contract.read(deal["contract"])
        assert table.turn_of(deal["deal_number"]).is_forced(contract) is deal["forced"]


# Filled in later, deal by deal, in any order. C67
@SYSTEMS
def test_sums_are_filled_in_later(name):
    deals, size = deals_of(name), SIZE[name]
    match = opened(name)
    enter(match, paper_of(deals[:size], chooser=deals[0]["chooser"], dealer=deals[0]["dealer"]))
    record(match, deals[size])
    for deal in reversed(deals[:size]):
        record(match, deal)
        assert totals(match) == deals[size]["totals"]
        is_sound(match)
    table = snapshot_of(match)
    assert table.still_open == ()
    assert [paper.difference for paper in table.sheet.papers] == [(0, 0, 0, 0)]
    assert [(d.dealer, d.chooser) for d in table.deals] == [
        (d["dealer"], d["chooser"]) for d in deals[: size + 1]
    ]


def test_second_kingdom_of_which_two_deals_are_entered_already():
    deals = deals_of("evening-levant")
    match = make_evening("evening-levant", deals=7)
    assert due(snapshot_of(match)).first_deal == 6
    enter(match, paper_of(deals[5:10], done=2))
    assert totals(match) == deals[9]["totals"]
    row = Subtotal.objects.get()
    assert (row.first_deal, len(row.deals)) == (6, 5)
    record(match, deals[8])
    assert totals(match) == deals[9]["totals"]
    is_sound(match)


def test_round_of_which_one_deal_is_entered_already():
    deals = deals_of("evening-barbu")
    match = make_evening("evening-barbu", deals=5)
    place = due(snapshot_of(match))
    assert (place.first_deal, place.count, place.choosers) == (
        5,
        3,
        tuple(deal["chooser"] for deal in deals[5:8]),
    )
    enter(match, paper_of(deals[4:8], done=1))
    assert totals(match) == deals[7]["totals"]
    is_sound(match)


def test_chooser_whom_the_schedule_does_not_know_is_asked():
    match = make_match(first_chooser=None)
    deals = deals_of("evening-levant")[:5]
    assert refused(enter, match, paper_of(deals)) == ["chooser_missing"]
    assert refused(enter, match, paper_of(deals, chooser=4)) == ["bad_seat"]
    enter(match, paper_of(deals, chooser=1))
    assert [d.chooser for d in snapshot_of(match).played] == [1] * 5
    assert snapshot_of(match).turn.chooser == 2
    assert list(Kingdom.objects.values_list("chooser", "position")) == [(1, 1)]


def test_contract_at_a_number_is_any_that_is_still_open():
    match = opened("evening-levant")
    enter(match, paper_of(deals_of("evening-levant")[:5]))
    record(match, king(taken_by=2, chooser=1), deal_number=1)
    turn = snapshot_of(match).turn_of(2)
    open_now = {contract.key for contract in turn.contracts}
    assert open_now == {"queens", "diamonds", "tricks", "trex"}
    assert refused(record, match, king(chooser=1), deal_number=2) == ["contract_used"]
    assert refused(record, match, diamonds(chooser=2), deal_number=2) == ["not_on_paper"]


def test_number_that_is_not_on_paper_stays_refused():
    match = opened("evening-levant")
    enter(match, paper_of(deals_of("evening-levant")[:5]))
    for number in (0, 7, 12):
        assert refused(record, match, king(chooser=2), deal_number=number) == ["wrong_number"]
    record(match, king(chooser=2), deal_number=6)


def test_filled_deal_is_corrected_and_taken_back():
    deals = deals_of("evening-levant")[:5]
    match = opened("evening-levant")
    enter(match, paper_of(deals))
    deal = record(match, deals[1]).deal
    queens = entry_of(deals[4])
    new = correct(match, deal, queens).deal
    assert (new.contract, totals(match)) == ("queens", deals[4]["totals"])
    assert snapshot_of(match).is_open(5)
    void(match, new)
    assert totals(match) == deals[4]["totals"]
    assert [deal.deal_number for deal in snapshot_of(match).still_open] == [1, 2, 3, 4, 5]
    is_sound(match)


def test_difference_is_told_when_all_is_filled_in():
    deals = deals_of("evening-levant")[:5]
    match = opened("evening-levant")
    paper = paper_of(deals)
    enter(match, PaperSums(paper.contracts, (paper.points[0] + 15, paper.points[1] - 15, 5, -95)))
    for deal in deals:
        record(match, deal)
    assert totals(match) == deals[4]["totals"]
    (found,) = snapshot_of(match).sheet.papers
    assert found.difference == (15, -15, 0, 0)


# ---- What is refused


@pytest.mark.parametrize(
    ("points", "codes"),
    [
        ((100, 0, 0, 0), ["wrong_sum"]),
        ((2000, -2000, 0, 0), ["out_of_reach", "out_of_reach"]),
    ],
)
def test_sums_that_no_kingdom_has(points, codes):
    match = opened("evening-levant")
    contracts = tuple(map(Contract.read, ("king", "queens", "diamonds", "tricks", "trex")))
    assert refused(enter, match, PaperSums(contracts, points)) == codes


def test_what_is_entered_already_counts_in_the_check():
    match = make_evening("evening-levant", deals=4)
    contracts = (Contract.read("queens"),)
    assert refused(enter, match, PaperSums(contracts, (500, -500, 0, 0))) == ["out_of_reach"] * 2


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("king", "queens", "diamonds", "tricks"), "missing"),
        ((), "missing"),
        (("king", "king", "queens", "diamonds", "tricks", "trex"), "wrong_number"),
        (("king", "king", "diamonds", "tricks", "trex"), "missing"),
        (("king", "hearts", "diamonds", "tricks", "trex"), "missing"),
    ],
)
def test_kingdom_is_entered_whole(names, code):
    match = opened("evening-levant")
    contracts = tuple(map(Contract.read, names))
    assert refused(enter, match, PaperSums(contracts, (0, 0, 0, 0))) == [code]


def test_contract_that_the_chooser_had_before():
    match = make_evening("evening-kleshchi", deals=4)
    had = [Contract.read(deal["contract"]) for deal in deals_of("evening-kleshchi")[:4]]
    assert refused(enter, match, PaperSums(had, (0, 0, 0, 0))) == ["contract_used"]


def test_match_that_is_over_or_closed():
    match = make_evening("evening-levant")
    paper = paper_of(deals_of("evening-levant")[:5])
    assert refused(enter, match, paper) == ["match_over"]
    finish(match)
    assert refused(enter, match, paper) == ["match_closed"]


def test_old_version_and_same_key():
    match, key = opened("evening-levant"), uuid.uuid4()
    paper = paper_of(deals_of("evening-levant")[:5])
    assert refused(enter, match, paper, version=0) == ["stale"]
    row = enter(match, paper, entry_key=key)
    assert enter(match, paper, entry_key=key) == row
    back = uuid.uuid4()
    assert take_back(match, row, entry_key=back) == take_back(match, row, entry_key=back) == row
    assert MatchEvent.objects.count() == 3


# ---- Taking back


def test_sums_are_taken_back():
    match = opened("evening-levant")
    deals = deals_of("evening-levant")
    row = enter(match, paper_of(deals[:5]))
    take_back(match, row)
    assert (totals(match), snapshot_of(match).turn.deal_number) == ([0, 0, 0, 0], 1)
    assert not Kingdom.objects.exists()
    assert refused(take_back, match, row) == ["not_standing"]
    is_sound(match)


def test_what_was_filled_in_stays():
    match = opened("evening-levant")
    deals = deals_of("evening-levant")
    row = enter(match, paper_of(deals[:5]))
    record(match, deals[5])
    record(match, deals[1])
    assert refused(take_back, match, row) == ["missing"]
    take_back(match, row, reason="another sheet")
    table = snapshot_of(match)
    assert [deal.deal_number for deal in table.deals] == [2, 6]
    assert table.turn.deal_number == 1
    is_sound(match)


# ---- With people who change


def test_nobody_sits_down_in_the_middle_of_sums():
    match = opened("evening-levant")
    deals = deals_of("evening-levant")
    enter(match, paper_of(deals[:5]))
    four = [seat.player_id for seat in match_view(match).seats]
    found = refused(
        write, seats.reseat, match, players=[*four[:3], "Elie"], from_deal=3, reason="r"
    )
    assert found == ["inside_subtotal"]
    write(seats.reseat, match, players=[*four[:3], "Elie"], from_deal=6)
    record(match, deals[5])
    rows = seating_rows(match)
    elie = next(row.player_id for row in rows if row.player.name == "Elie")
    assert points_of_people(snapshot_of(match).sheet, rows)[elie] == deals[5]["scores"][3]


def test_sums_do_not_span_a_change_of_seats():
    match = opened("evening-levant")
    deals = deals_of("evening-levant")
    record(match, deals[0])
    four = [seat.player_id for seat in match_view(match).seats]
    write(seats.reseat, match, players=[*four[:3], "Elie"], from_deal=2)
    assert refused(enter, match, paper_of(deals[:5], done=1)) == ["inside_subtotal"]


def test_two_contracts_in_one_deal():
    match = make_match(options={"combo": "free"})
    contracts = [Contract.read(["king", "queens"]), *map(Contract.read, ("diamonds", "tricks"))]
    contracts.append(Contract.read("trex"))
    enter(match, PaperSums(contracts, (200 - 500, 150, 100, 50)))
    assert snapshot_of(match).turn.deal_number == 5
    assert refused(record, match, king(), deal_number=1) == ["not_on_paper"]
    tally = Tally.from_json({"king_taken_by": 0, "queens": [4, 0, 0, 0]})
    record(match, Entry(Contract.read(["king", "queens"]), 0, False, tally), deal_number=1)
    assert totals(match) == [-300, 150, 100, 50]
    is_sound(match)
