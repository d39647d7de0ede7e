"""One step that mends what several deals knew wrongly, its effect, and its way back."""

import uuid

import pytest

from scoring.common.errors import ServiceError
from scoring.corrections.queries.dependents import hanging
from scoring.corrections.services import adjustments, repair, seats, subtotals
from scoring.corrections.services.repair import (
    ForgottenDeal,
    PhantomDeal,
    WrongChooser,
    WrongContract,
    WrongPerson,
    WrongPlaces,
    WrongSeats,
)
from scoring.corrections.services.subtotals import PaperSums
from scoring.history.queries.history import deal_history, photo_history
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.judging.queries.flags import doubts
from scoring.judging.queries.rulings import rulings_of
from scoring.judging.services import disputes
from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.results import points_of_people
from scoring.ledger.queries.snapshots import seating_rows, snapshot_of
from scoring.models import Deal, MatchEvent, Player, Seating, Words
from scoring.records.queries.records import row_of
from scoring.records.services import photos as photo_service
from scoring.rules import Contract, Entry, Tally
from tests.factories import (
    NAMES,
    PHONE,
    ClubFactory,
    adjust,
    attach,
    correct,
    diamonds,
    entry_of,
    evening_record,
    evenings,
    finish,
    king,
    make_cast,
    make_evening,
    make_match,
    record,
    redeal,
    void,
    write,
)
from tests.support import photos
from tests.support.judging import act, by, flag
from tests.support.judging import rule as publish

pytestmark = pytest.mark.django_db


def mend(match, change, **changes):
    return write(repair.apply, match, **{"repair": change, "reason": "a mistake", **changes})


def revert(match, event=None, **changes):
    event = event or match.events.filter(kind="match_repaired").order_by("-seq").first()
    given = {"event_id": event.id, "reason": "it was right", **changes}
    return write(repair.revert, match, **given)


def refused(call, *args, **kwargs):
    """The codes of a refusal, which must have written nothing."""
    before = [model.objects.count() for model in (MatchEvent, Deal, Seating, Player, Words)]
    with pytest.raises(ServiceError) as caught:
        call(*args, **kwargs)
    assert before == [model.objects.count() for model in (MatchEvent, Deal, Seating, Player, Words)]
    return [problem.code for problem in caught.value.problems]


def totals(match):
    return snapshot_of(match).sheet.totals


def people(match):
    match.refresh_from_db()
    rows = seating_rows(match)
    names = {row.player_id: row.player.name for row in rows}
    found = points_of_people(snapshot_of(match).sheet, rows)
    return {names[one].split()[0]: number for one, number in found.items()}


def said(match):
    """Everything that counts, by number."""
    return [(d.dealer, d.chooser, d.leader, d.payload) for d in snapshot_of(match).deals]


def is_sound(match):
    match.refresh_from_db()
    assert not list(findings())
    assert rebuild(match_id=match.id) == []


def tricks(*counts, chooser=0):
    return Entry(Contract.read("tricks"), chooser, False, Tally(tricks=counts))


def trex(*order, chooser=0):
    return Entry(Contract.read("trex"), chooser, False, Tally(finish_order=order))


# ---- People on wrong seats (C61)


# The seats were typed in the wrong order, and everything by name. C61
def test_facts_that_were_entered_by_person_move_with_the_people():
    match = make_evening("evening-levant", deals=7)
    before, old = people(match), said(match)
    mend(match, WrongSeats((1, 0, 2, 3)))
    assert [seat.name for seat in match_view(match).seats][:2] == ["Badr", "Amal Haddad"]
    assert people(match) == before
    assert totals(match) == (10, 240, 45, 10)
    assert [chooser for _, chooser, *_ in said(match)] == [0] * 5 + [2] * 2
    is_sound(match)
    assert (match.first_chooser, len(deal_history(match, 3))) == (0, 2)
    revert(match)
    assert (people(match), said(match)) == (before, old)
    is_sound(match)
    assert match.first_chooser == 1


# The people sat otherwise, the phone was tapped by the places at the table. C61
def test_facts_that_were_entered_by_seat_stay_there():
    match = make_evening("evening-levant", deals=7)
    old, by_seat = said(match), totals(match)
    mend(match, WrongSeats((0, 3, 2, 1), from_deal=6, entered_by="seat"))
    assert (said(match), totals(match)) == (old, by_seat)
    # After five deals 100 -10 5 -95, then 140 20 40 105.
    assert people(match) == {"Amal": 240, "Badr": 95, "Carmen": 45, "Dima": -75}
    revert(match)
    assert people(match) == {"Amal": 240, "Badr": 10, "Carmen": 45, "Dima": 10}
    is_sound(match)


def test_everybody_one_seat_on_and_back():
    match = make_evening("evening-barbu", deals=9)
    before = people(match)
    mend(match, WrongSeats((3, 0, 1, 2)))
    assert people(match) == before
    is_sound(match)
    revert(match)
    revert(match)
    assert people(match) == before
    is_sound(match)


def test_kingdom_that_would_be_owned_twice_is_refused():
    match = make_evening("evening-levant", deals=7)
    found = refused(mend, match, WrongSeats((0, 2, 1, 3), from_deal=3))
    assert set(found) == {"contract_used"}


def test_what_stands_beside_the_deals_moves_too():
    match = make_match(entries=[king(taken_by=2)], first_chooser=0)
    redeal(match, "misdeal", asked_by=1)
    write(
        adjustments.adjust,
        match,
        code="penalty",
        points=(0, -50, 0, 0),
        after_deal=1,
        reason="late",
    )
    before = people(match)
    mend(match, WrongSeats((1, 0, 2, 3)))
    assert people(match) == before == {"Amal": 0, "Badr": -50, "Carmen": -75, "Dima": 0}
    assert totals(match) == (-50, 0, -75, 0)
    (row,) = snapshot_of(match).redeals
    assert row.asked_by == 0
    is_sound(match)
    revert(match)
    assert totals(match) == (0, -50, -75, 0)
    is_sound(match)


def test_sums_from_paper_move_with_the_people():
    match = make_evening("evening-levant", deals=0)
    deals = evenings()["evening-levant"]["deals"][:5]
    contracts = tuple(Contract.read(deal["contract"]) for deal in deals)
    write(subtotals.enter, match, paper=PaperSums(contracts, tuple(deals[4]["totals"])))
    before = people(match)
    mend(match, WrongSeats((1, 0, 2, 3)))
    assert people(match) == before
    assert {deal.chooser for deal in snapshot_of(match).played} == {0}
    is_sound(match)
    revert(match)
    assert list(totals(match)) == deals[4]["totals"]
    is_sound(match)


def test_deal_beside_sums_that_move_is_not_forced():
    deals = evenings()["evening-barbu"]["deals"]
    match = make_evening("evening-barbu", deals=0)
    sums = tuple(sum(deal["scores"][seat] for deal in deals[:4]) for seat in range(4))
    contracts = tuple(Contract.read(deal["contract"]) for deal in deals[:4])
    dealer, chooser = deals[0]["dealer"], deals[0]["chooser"]
    write(subtotals.enter, match, paper=PaperSums(contracts, sums, chooser, dealer))
    record(match, deals[1], deal_number=2)
    mend(match, WrongSeats((1, 0, 3, 2)))
    assert not snapshot_of(match).deal(2).forced
    is_sound(match)


# ---- Somebody else sat there


def test_points_go_to_who_really_sat_there():
    match = make_match(entries=[king(taken_by=2), diamonds(0, 0, 13, 0)])
    mend(match, WrongPerson(2, "Elie", from_deal=2))
    assert people(match) == {"Amal": 0, "Badr": 0, "Carmen": -75, "Elie": -130, "Dima": 0}
    revert(match)
    assert people(match) == {"Amal": 0, "Badr": 0, "Carmen": -205, "Dima": 0}
    is_sound(match)


# ---- The wrong chooser


def test_two_kingdoms_exchange_their_owners():
    match = make_evening("evening-levant", deals=10)
    before = totals(match)
    mend(match, WrongChooser(1, 2))
    assert list(match.kingdoms.order_by("position").values_list("chooser", flat=True)) == [2, 1]
    assert totals(match) == before
    is_sound(match)
    revert(match)
    assert list(match.kingdoms.order_by("position").values_list("chooser", flat=True)) == [1, 2]
    is_sound(match)


def test_deal_that_was_played_again_goes_with_its_kingdom():
    cheated = Entry(Contract.read("king"), 0, False, Tally(cheat_by=2))
    options = {"cheat.amount": 400, "cheat.replay": True}
    match = make_match(entries=[cheated, king(), diamonds()], options=options)
    mend(match, WrongChooser(0, 1))
    assert [deal.chooser for deal in snapshot_of(match).deals] == [1, 1, 1]
    assert snapshot_of(match).kingdoms == {1: 1}
    is_sound(match)
    revert(match)
    assert [deal.chooser for deal in snapshot_of(match).deals] == [0, 0, 0]
    is_sound(match)


def test_kingdom_of_somebody_who_had_none():
    match = make_evening("evening-levant", deals=5)
    mend(match, WrongChooser(1, 3))
    assert {deal.chooser for deal in snapshot_of(match).deals} == {3}
    assert snapshot_of(match).turn.chooser == 0
    is_sound(match)


# The chooser's points count twice in barbu, so the totals follow.
def test_totals_follow_the_chooser():
    match = make_evening("evening-barbu", deals=4)
    before, chooser = totals(match), snapshot_of(match).deals[0].chooser
    mend(match, WrongChooser(chooser, (chooser + 1) % 4))
    assert totals(match) != before
    revert(match)
    assert totals(match) == before
    is_sound(match)


def test_chooser_of_some_deals_only_may_be_refused():
    match = make_evening("evening-levant", deals=10)
    assert "contract_used" in refused(mend, match, WrongChooser(1, 2, from_deal=4))


# ---- The wrong contract


def test_two_deals_exchange_their_places():
    match = make_match(entries=[king(taken_by=2), diamonds(0, 0, 13, 0), trex(0, 1, 2, 3)])
    dealers = [deal.dealer for deal in snapshot_of(match).deals]
    mend(match, WrongPlaces(1, 3))
    table = snapshot_of(match)
    assert [deal.contract for deal in table.deals] == ["trex", "diamonds", "king"]
    assert [deal.dealer for deal in table.deals] == dealers
    assert table.deals[0].leader == 0
    is_sound(match)
    revert(match)
    assert [deal.contract for deal in snapshot_of(match).deals] == ["king", "diamonds", "trex"]


def test_points_follow_who_sat_at_the_place():
    match = make_match(entries=[king(taken_by=2), diamonds(0, 0, 13, 0)])
    write(seats.reseat, match, players=[*NAMES[:2], "Elie", "Dima"], from_deal=2, reason="late")
    mend(match, WrongPlaces(1, 2))
    assert people(match) == {"Amal": 0, "Badr": 0, "Carmen": -130, "Elie": -75, "Dima": 0}


def test_what_is_forced_hangs_on_the_place():
    match = make_evening("evening-barbu")
    last = snapshot_of(match).deals[28]
    first = next(d for d in snapshot_of(match).deals if d.chooser == last.chooser)
    assert (first.forced, last.forced) == (False, True)
    mend(match, WrongPlaces(first.deal_number, last.deal_number))
    table = snapshot_of(match)
    assert [table.deal(n).forced for n in (first.deal_number, 29)] == [False, True]
    is_sound(match)
    revert(match)
    assert list(totals(match)) == evenings()["evening-barbu"]["totals"]
    is_sound(match)


def test_deal_entered_under_the_wrong_contract():
    match = make_match(entries=[diamonds(5, 4, 4, 0)])
    mend(match, WrongContract(1, Contract.read("tricks")))
    assert totals(match) == (-75, -60, -60, 0)
    revert(match)
    assert totals(match) == (-50, -40, -40, 0)
    is_sound(match)


def test_two_deals_exchange_their_contracts():
    match = make_match(entries=[diamonds(5, 4, 4, 0), tricks(0, 0, 0, 13)])
    mend(match, WrongContract(1, Contract.read("tricks")))
    assert [deal.contract for deal in snapshot_of(match).deals] == ["tricks", "diamonds"]
    assert totals(match) == (-75, -60, -60, -130)
    is_sound(match)


def test_facts_that_do_not_fit_need_a_correction():
    match = make_match(entries=[king(), diamonds(5, 4, 4, 0)])
    assert refused(mend, match, WrongContract(1, Contract.read("tricks"))) == ["other_shape"]
    assert refused(mend, match, WrongContract(2, Contract.read("queens"))) == ["wrong_total"]
    doubled = make_match(system="barbu", options={"doubling.king": True}, first_dealer=0)
    entry = king(doubles=[{"card": "KH", "by": 1}], chooser=1)
    record(doubled, entry)
    assert refused(mend, doubled, WrongContract(1, Contract.read("last_trick"))) == [
        "not_doublable"
    ]


# ---- What is refused, and when


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (WrongSeats((0, 1, 2, 3)), "nothing_changed"),
        (WrongSeats((0, 0, 2, 3)), "same_person"),
        (WrongSeats((1, 0, 2, 3), from_deal=4), "wrong_number"),
        (WrongPerson(2, "Carmen"), "nothing_changed"),
        (WrongPerson(4, "Elie"), "bad_seat"),
        (WrongPerson(1, "amal"), "same_person"),
        (WrongChooser(1, 1), "nothing_changed"),
        (WrongChooser(2, 3), "nothing_changed"),
        (WrongChooser(1, 7), "bad_seat"),
        (WrongPlaces(1, 1), "nothing_changed"),
        (WrongPlaces(1, 9), "not_standing"),
        (WrongContract(1, Contract.read("king")), "nothing_changed"),
        (WrongContract(9, Contract.read("king")), "not_standing"),
    ],
)
def test_repair_that_is_none(change, code):
    match = make_match(entries=[king(), diamonds()])
    assert refused(mend, match, change) == [code]


def test_reason_version_key_and_closed():
    match, key = make_match(entries=[king(), diamonds()]), uuid.uuid4()
    change = WrongPlaces(1, 2)
    assert refused(mend, match, change, reason=" ") == ["missing"]
    assert refused(mend, match, change, version=2) == ["stale"]
    assert mend(match, change, entry_key=key) == mend(match, change, entry_key=key)
    assert match.events.count() == 4
    back = uuid.uuid4()
    first = match.events.get(kind="match_repaired")
    assert revert(match, first, entry_key=back) == revert(match, first, entry_key=back)
    done = make_evening("evening-levant")
    finish(done)
    assert refused(mend, done, change) == ["match_closed"]


# Only while nothing of it was changed since. C61
def test_repair_that_was_changed_since_is_not_reverted():
    match = make_match(entries=[king(taken_by=2), diamonds()])
    event = mend(match, WrongPlaces(1, 2))
    standing = snapshot_of(match).deals[0]
    correct(match, standing, diamonds(0, 13, 0, 0))
    assert refused(revert, match, event) == ["changed_since"]
    other = make_match(entries=[king(taken_by=2)])
    event = mend(other, WrongSeats((1, 0, 2, 3)))
    void(other, snapshot_of(other).deals[0])
    assert refused(revert, other, event) == ["changed_since"]


def test_later_deals_do_not_stand_in_the_way():
    match = make_match(entries=[king(taken_by=2), diamonds()])
    mend(match, WrongPlaces(1, 2))
    record(match, trex(0, 1, 2, 3))
    revert(match)
    assert [deal.contract for deal in snapshot_of(match).deals] == ["king", "diamonds", "trex"]
    is_sound(match)


def test_repair_whose_contract_was_played_since_is_not_reverted():
    match = make_match(entries=[diamonds(4, 3, 3, 3)])
    mend(match, WrongContract(1, Contract.read("tricks")))
    record(match, diamonds(5, 3, 3, 2))
    before = said(match)
    assert refused(revert, match) == ["contract_used"]
    assert said(match) == before
    is_sound(match)


def test_only_a_repair_is_reverted():
    match = make_match(entries=[king()])
    for event in match.events.all():
        assert refused(revert, match, event) == ["changed_since"]


def test_history_of_a_deal_names_the_repair_and_why():
    match = make_match(entries=[king(), diamonds()])
    mend(match, WrongPlaces(1, 2), reason="mixed up")
    line = deal_history(match, 1)[-1]
    assert (line.kind, line.reason, line.stands) == ("match_repaired", "mixed up", True)


def test_plan_names_what_it_touches_and_writes_nothing():
    match = make_match(entries=[king(taken_by=2), diamonds(0, 0, 13, 0)])
    rows, table = seating_rows(match), snapshot_of(match)
    before = MatchEvent.objects.count()
    plan = repair.planned(table, rows, WrongPerson(2, "Elie", from_deal=2))
    assert [deal.deal_number for deal in plan.touched] == [2]
    plan = repair.planned(table, rows, WrongPlaces(1, 2))
    assert [deal.deal_number for deal in plan.touched] == [1, 2]
    assert MatchEvent.objects.count() == before
    assert not Player.objects.filter(name="Elie").exists()


# ---- A deal forgotten, a deal too many


def numbers(match):
    """What stands at which number, and what hangs there."""
    table = snapshot_of(match)
    return (
        {deal.deal_number: deal.contract for deal in table.deals},
        [row.after_deal for row in table.adjustments],
        [row.deal_number for row in table.redeals],
    )


def test_forgotten_deal_makes_room_and_is_entered_like_any_other():
    whole, match = make_evening("evening-levant", 7), make_evening("evening-levant", 0)
    deals = evenings()["evening-levant"]["deals"]
    for number, deal in enumerate((*deals[:2], *deals[3:7]), start=1):
        record(match, deal, deal_number=number)
    for after in (2, 3, 6):
        adjust(match, after_deal=after)
    redeal(match)
    names = [deal["contract"] for deal in deals[:7]]
    before, sums = (numbers(match), said(match)), totals(match)
    assert before[0][1:] == ([2, 3, 6], [7])
    mend(match, ForgottenDeal(3))
    placed = {number: name for number, name in enumerate(names, 1) if number != 3}
    assert numbers(match) == (placed, [2, 4, 7], [8])
    assert totals(match) == sums
    assert snapshot_of(match).turn.deal_number == 3
    is_sound(match)
    revert(match)
    assert (numbers(match), said(match)) == before
    is_sound(match)
    revert(match)
    record(match, deals[2])
    assert [d.payload for d in snapshot_of(match).deals] == [
        d.payload for d in snapshot_of(whole).deals
    ]
    assert refused(revert, match) == ["changed_since"]
    is_sound(match)


def test_forgotten_deal_is_inserted_in_one_event():
    whole, match = make_evening("evening-levant", 7), make_evening("evening-levant", 0)
    deals = evenings()["evening-levant"]["deals"]
    for number, deal in enumerate((*deals[:2], *deals[3:7]), start=1):
        record(match, deal, deal_number=number)
    before, version = said(match), match.events.count()
    mend(match, ForgottenDeal(3, entry_of(deals[2])))
    assert (said(match), match.events.count()) == (said(whole), version + 1)
    is_sound(match)
    adjust(match, after_deal=4)
    revert(match)
    assert (said(match), numbers(match)[1]) == (before, [3])
    is_sound(match)
    revert(match)
    assert (said(match), numbers(match)[1]) == (said(whole), [4])
    is_sound(match)
    assert "contract_used" in refused(mend, match, ForgottenDeal(2, entry_of(deals[4])))


def test_deal_too_many_goes_and_comes_back():
    match = make_evening("evening-barbu", 9)
    for after in (2, 3, 9):
        adjust(match, after_deal=after)
    redeal(match)
    before, old = numbers(match), said(match)
    mend(match, PhantomDeal(3))
    placed = {at: before[0][at if at < 3 else at + 1] for at in range(1, 9)}
    assert numbers(match) == (placed, [2, 2, 8], [9])
    assert said(match) == [*old[:2], *old[3:]]
    is_sound(match)
    revert(match)
    assert (numbers(match), said(match)) == (before, old)
    is_sound(match)
    revert(match)
    assert numbers(match) == (placed, [2, 2, 8], [9])
    is_sound(match)


def test_what_was_played_since_moves_along_when_a_deal_comes_back():
    match = make_evening("evening-levant", 4)
    old, sums = said(match), totals(match)
    mend(match, PhantomDeal(2))
    record(match, evenings()["evening-levant"]["deals"][4], deal_number=4)
    adjust(match, after_deal=4, points=(0, 0, -20, 0))
    revert(match)
    assert said(match)[:4] == old
    assert numbers(match)[1] == [5]
    assert totals(match)[2] != sums[2]
    is_sound(match)


def test_last_deal_of_all_and_an_empty_number():
    match = make_evening("evening-levant", 3)
    old = said(match)
    mend(match, PhantomDeal(3))
    assert said(match) == old[:2]
    revert(match)
    assert said(match) == old
    void(match, snapshot_of(match).deal(2), reason="not played")
    mend(match, PhantomDeal(2))
    assert said(match) == [old[0], old[2]]
    revert(match)
    assert list(numbers(match)[0]) == [1, 3]
    is_sound(match)


def test_only_the_last_move_of_numbers_is_taken_back():
    match = make_evening("evening-levant", 5)
    first = mend(match, PhantomDeal(5))
    mend(match, PhantomDeal(2))
    assert refused(revert, match, first) == ["changed_since"]
    revert(match)
    assert refused(revert, match, first) == ["changed_since"]


def hang(match, what):
    if what == "record":
        attach(match, 4, evening_record("evening-levant", 4))
    elif what == "photo":
        photos.attach(match, 4)
    elif what == "flag":
        flag(match, 4, actor=PHONE)
    else:
        four = [own[-1].player_id for own in match_view(match).sittings]
        four[2] = "Elie"
        write(seats.reseat, match, players=four, from_deal=4, reason="late")


def hanging_at(match):
    """The numbers of the record, the photo, the dispute and the change of seats."""
    match.refresh_from_db()
    found = hanging(match)
    assert {number for kind, number in found.items() if kind[0] == "dispute"} == set(
        match.disputes.values_list("deal_number", flat=True)
    )
    return sorted((kind, number) for (kind, _), number in found.items())


HUNG = ("dispute", "photo", "record", "seating")


def everything_hangs(match):
    for what in ("record", "photo", "flag", "seat"):
        hang(match, what)
    match.refresh_from_db()


# An insertion before deal 3 or 4, or a removal of deal 3: all of deal 4 stays with its deal.
@pytest.mark.parametrize(
    ("change", "number"), [(ForgottenDeal(3), 5), (ForgottenDeal(4), 5), (PhantomDeal(3), 3)]
)
def test_what_hangs_on_a_deal_moves_with_it(change, number):
    match = make_evening("evening-levant", 6, club=ClubFactory())
    everything_hangs(match)
    points, frozen = people(match), match.disputes.get().frozen
    verdict = match.verdicts.get()
    assert hanging_at(match) == [(what, 4) for what in HUNG]
    mend(match, change)
    assert hanging_at(match) == [(what, number) for what in HUNG]
    dispute = match.disputes.get()
    assert (dispute.deal_number, dispute.frozen, dispute.state) == (number, frozen, "open")
    after = match.verdicts.get()
    assert (after.deal_number, after.record, after.codes) == (number, verdict.record, verdict.codes)
    assert row_of(match, number).content == verdict.record.content
    assert [one.deal_number for one in snapshot_of(match).public.deals] == [
        one.deal_number for one in snapshot_of(match).deals
    ]
    if isinstance(change, ForgottenDeal):
        assert people(match) == points
    is_sound(match)
    revert(match)
    assert (hanging_at(match), people(match)) == ([(what, 4) for what in HUNG], points)
    is_sound(match)
    revert(match)
    assert hanging_at(match) == [(what, number) for what in HUNG]
    is_sound(match)


def test_what_came_since_moves_when_a_removal_is_taken_back():
    match = make_evening("evening-levant", 6, club=ClubFactory())
    mend(match, PhantomDeal(2))
    everything_hangs(match)
    revert(match)
    assert hanging_at(match) == [(what, 5) for what in HUNG]
    is_sound(match)


def test_dispute_goes_on_after_its_deal_moved():
    cast = make_cast()
    match = make_evening("evening-levant", 6, club=cast.club)
    mine = flag(match, 4, "first", actor=by(cast.badr))
    flag(match, 4, "second", actor=by(cast.amal))
    mend(match, ForgottenDeal(2))
    match.refresh_from_db()
    write(disputes.withdraw_flag, match, flag_id=mine.id, actor=by(cast.badr))
    assert [one.words for one in doubts(match, 5) if not one.withdrawn] == ["second"]
    act(disputes.claim, match, 5, actor=by(cast.esam))
    publish(match, 5, actor=by(cast.esam))
    dispute = match.disputes.get()
    assert (dispute.deal_number, dispute.state) == (5, "ruled")
    (line,) = rulings_of(match, 5)
    assert line.ruling.deal_number == 5
    match.refresh_from_db()
    mend(match, PhantomDeal(2))
    match.refresh_from_db()
    (line,) = rulings_of(match, 4)
    assert (line.ruling.deal_number, line.contract) == (4, snapshot_of(match).deal(4).contract)
    is_sound(match)


def test_page_drawn_before_a_move_speaks_of_other_deals():
    match = make_evening("evening-levant", 6, club=ClubFactory())
    seen = match.version
    mend(match, ForgottenDeal(2))
    for call in (
        lambda: flag(match, 4, actor=PHONE, version=seen),
        lambda: photos.attach(match, 4, version=seen),
    ):
        assert refused(call) == ["stale"]


@pytest.mark.parametrize(
    ("what", "code"),
    [("record", "record_there"), ("photo", "photo_there"), ("flag", "dispute_there")],
)
def test_deal_on_which_something_hangs_is_not_removed(what, code):
    match = make_evening("evening-levant", 5, club=ClubFactory())
    hang(match, what)
    assert refused(mend, match, PhantomDeal(4)) == [code]
    is_sound(match)


def test_deal_that_an_arbiter_ruled_on_is_not_removed():
    cast = make_cast()
    match = make_evening("evening-levant", 5, club=cast.club)
    flag(match, 4, actor=by(cast.badr))
    act(disputes.claim, match, 4, actor=by(cast.esam))
    publish(match, 4, actor=by(cast.esam))
    assert refused(mend, match, PhantomDeal(4)) == ["ruling_there"]
    is_sound(match)


def test_what_was_withdrawn_goes_with_its_deal_and_comes_back():
    match = make_evening("evening-levant", 5)
    photo = photos.attach(match, 4)
    write(photo_service.void_photo, match, photo_id=photo.id, reason="blurred")
    mend(match, PhantomDeal(4))
    match.refresh_from_db()
    assert [photo_history(match, number) for number in (3, 4, 5)] == [[], [], []]
    revert(match)
    match.refresh_from_db()
    assert [line.row.id for line in photo_history(match, 4)] == [photo.id]


def test_substitute_of_the_removed_deal_only_never_played():
    match = make_match(entries=[king(taken_by=2), diamonds(0, 0, 13, 0), trex(0, 1, 2, 3)])
    write(seats.reseat, match, players=[*NAMES[:2], "Elie", "Dima"], from_deal=2, reason="late")
    write(seats.reseat, match, players=[*NAMES[:2], "Fadi", "Dima"], from_deal=3, reason="late")
    before = people(match)
    mend(match, PhantomDeal(2))
    match.refresh_from_db()
    assert people(match).get("Elie", 0) == 0
    assert people(match)["Fadi"] == before["Fadi"]
    revert(match)
    assert people(match) == before
    is_sound(match)


def test_sums_from_paper_behind_the_place_move_along():
    deals = evenings()["evening-barbu"]["deals"]
    match = make_evening("evening-barbu", deals=4)
    own = deals[4:8]
    sums = tuple(sum(deal["scores"][seat] for deal in own) for seat in range(4))
    contracts = tuple(Contract.read(deal["contract"]) for deal in own)
    write(
        subtotals.enter,
        match,
        paper=PaperSums(contracts, sums, own[0]["chooser"], own[0]["dealer"]),
    )
    before = totals(match)

    def firsts():
        return [row.first_deal for row in snapshot_of(match).subtotal_rows]

    (first,) = firsts()
    assert refused(mend, match, ForgottenDeal(first + 1)) == ["on_paper"]
    assert refused(mend, match, PhantomDeal(first)) == ["on_paper"]
    mend(match, ForgottenDeal(2))
    assert (firsts(), totals(match)) == ([first + 1], before)
    is_sound(match)
    revert(match)
    assert (firsts(), totals(match)) == ([first], before)
    mend(match, PhantomDeal(2))
    assert firsts() == [first - 1]
    is_sound(match)


def test_moves_of_numbers_that_cannot_be():
    match = make_evening("evening-levant", 20)
    assert refused(mend, match, ForgottenDeal(3)) == ["match_over"]
    assert refused(mend, match, ForgottenDeal(21)) == ["not_standing"]
    assert refused(mend, match, PhantomDeal(21)) == ["not_standing"]
    assert refused(mend, match, PhantomDeal(0)) == ["not_standing"]
    void(match, snapshot_of(match).deal(2), reason="not played")
    assert refused(mend, match, ForgottenDeal(3)) == ["deal_missing"]
    redeal(match)
    assert refused(mend, match, PhantomDeal(2)) == ["redeal_there"]
