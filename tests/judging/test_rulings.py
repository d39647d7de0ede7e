"""Rulings of an arbiter: every outcome, what it does, and what is refused."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.common.actor import Actor
from scoring.common.errors import ServiceError, Stale
from scoring.corrections.queries.effects import effects
from scoring.corrections.services import adjustments
from scoring.history.queries.history import reasons
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.judging.services import rulings
from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.matches.services import matches
from scoring.models import (
    Adjustment,
    Deal,
    Dispute,
    DisputeState,
    EventKind,
    Match,
    MatchResult,
    Outcome,
    Ruling,
    triggers,
)
from scoring.rules import Contract, Entry, Tally
from scoring.standings.queries.standings import standings_page
from tests.factories import (
    NOW,
    attach,
    correct,
    diamonds,
    even_entries,
    evening_record,
    evenings,
    finish,
    king,
    make_cast,
    make_match,
    newest,
    record,
    void,
    write,
)
from tests.support.judging import decide, flag
from tests.support.signing import sign_all, unit_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(db):
    return make_cast()


@pytest.fixture
def match(cast):
    return make_match(
        club=cast.club, players=cast.players, entries=[king(taken_by=2), diamonds(4, 3, 3, 3)]
    )


def publish(match, number=1, outcome="stands", *, reason="As the table said", **given):
    given = {"now": NOW + timedelta(hours=1), "reason": reason, **given}
    return decide(match, number, outcome, **given)


def refused(match, *args, **given):
    with pytest.raises(ServiceError) as caught:
        publish(match, *args, **given)
    return [(problem.code, problem.field) for problem in caught.value.problems]


def played(cast, name="evening-levant", deals=None):
    """An evening of the cases with the people of the club, finished where it is whole."""
    evening = evenings()[name]
    match = make_match(
        club=cast.club,
        players=cast.players,
        entries=evening["deals"][:deals],
        system=evening["system"],
        options=evening["options"] | {"revoke": "total"},
        first_chooser=evening["first_chooser"],
    )
    return match if deals else finish(match)


def totals(match):
    return snapshot_of(Match.objects.get(id=match.id)).sheet.totals


def is_sound(match):
    assert not list(findings(only=match.id))
    assert rebuild(match_id=match.id) == []


# ---- every outcome


def test_deal_that_stands_is_ruled_on_and_changes_nothing(cast, match):
    before = totals(match)
    ruling = publish(match, actor=Actor(cast.esam))
    assert (ruling.before, ruling.after) == ([0, 0, -75, 0], [0, 0, -75, 0])
    assert (ruling.deal, ruling.adjustment, ruling.replaces) == (None, None, None)
    assert totals(match) == before
    dispute = Dispute.objects.get(match=match, deal_number=1)
    assert (dispute.state, dispute.ruling) == (DisputeState.RULED, ruling)
    is_sound(match)


def test_corrected_deal_takes_the_place_of_the_one_that_stood(match):
    old = match.deals.get(deal_number=1)
    ruling = publish(match, 1, "corrected", entry=king(taken_by=3), rule="C-L13")
    new = Deal.objects.get(id=ruling.deal_id)
    assert (new.replaces, new.standing.deal_number, ruling.rule) == (old, 1, "C-L13")
    assert (ruling.before, ruling.after) == ([0, 0, -75, 0], [0, 0, 0, -75])
    event = match.events.get(kind=EventKind.RULING_PUBLISHED)
    assert [table for table, *_ in event.content["rows"]] == ["deal", "ruling"]
    is_sound(match)


def test_earlier_version_of_the_deal_is_restored(match):
    first = match.deals.get(deal_number=1)
    correct(match, first, king(taken_by=3))
    ruling = publish(match, 1, "corrected", entry=entry_of_row(first), dealer=first.dealer)
    assert ruling.deal.payload == first.payload
    assert totals(match)[2] == -75 - 30


def test_revoke_is_priced_by_the_rule_of_the_match(cast, match):
    entry = Entry(Contract.read("diamonds"), 0, False, Tally(diamonds=(2, 0, 0, 0), revoke_by=1))
    ruling = publish(match, 2, "revoke", entry=entry)
    assert ruling.after == [-20, -110, 0, 0]
    other = make_match(
        club=cast.club,
        players=("One", "Two", "Three", "Four"),
        options={"revoke": "total"},
        entries=[diamonds(4, 3, 3, 3)],
    )
    assert publish(other, 1, "revoke", entry=entry).after == [0, -130, 0, 0]
    is_sound(match)


def test_adjusted_points_stand_beside_the_deal(match):
    ruling = publish(match, 1, "adjusted", adjustment=(0, 0, 75, -75))
    row = Adjustment.objects.get()
    assert (row.code, row.after_deal, row.points) == ("ruling", 1, [0, 0, 75, -75])
    assert (ruling.before, ruling.after) == ([0, 0, -75, 0], [0, 0, 0, -75])
    assert ruling.adjustment == row
    is_sound(match)


# Nothing is removed: a later ruling names the one that it replaces.
def test_later_ruling_takes_back_the_points_of_the_one_before(match):
    first = publish(match, 1, "adjusted", adjustment=(0, 0, 75, -75))
    second = publish(match, 1, "adjusted", adjustment=(0, -10, 0, 0))
    third = publish(match, 1, "corrected", entry=king(taken_by=0))
    fourth = publish(match, 1)
    assert [row.replaces for row in (first, second, third, fourth)] == [None, first, second, third]
    assert (second.before, second.after) == ([0, 0, 0, -75], [0, -10, -75, 0])
    assert (third.before, third.after) == ([0, -10, -75, 0], [-75, 0, 0, 0])
    assert fourth.after == third.after  # the deal stands as it was corrected
    assert Ruling.objects.count() == 4
    assert not snapshot_of(match).adjustments
    is_sound(match)


@pytest.mark.parametrize("name", ["evening-levant", "evening-kleshchi", "evening-barbu"])
def test_every_outcome_rules_on_a_finished_match_of_every_system(cast, name):
    match = played(cast, name)
    for outcome in Outcome.values:
        deals = snapshot_of(match).deals
        deal = next(deal for deal in deals if can_be(outcome, deal))
        found = decision_of(outcome, deal)
        was = rulings.worth(snapshot_of(match), deal.deal_number)
        expected = effects_of(match, deal.deal_number, outcome, found)
        ruling = publish(match, deal.deal_number, outcome, **found)
        match.refresh_from_db()
        assert match.is_finished
        assert_happened(match, expected)
        assert ruling.before == list(was)
        assert (outcome == "stands") == (ruling.before == ruling.after)
    is_sound(match)


def effects_of(match, number, outcome, found):
    view = match_view(match)
    decision = rulings.Decision(outcome, **found)
    return effects(view, rulings.planned(view.table, number, decision).after)


def can_be(outcome, deal):
    """A deal that can be ruled on like this: of counted tricks or cards for a revoke."""
    return outcome not in ("revoke", "corrected") or deal.contract in ("diamonds", "hearts")


def decision_of(outcome, deal):
    entry, item = entry_of_row(deal), deal.contract
    if outcome == "adjusted":
        return {"adjustment": (-30, 10, 10, 10)}
    if outcome not in ("revoke", "corrected"):
        return {}
    tally = Tally.from_json({item: [1, 0, 0, 0], "revoke_by": 1})
    if outcome == "corrected":
        counts = deal.payload["input"][item]
        tally = Tally.from_json({item: [*counts[1:], counts[0]]})
    return {"entry": Entry(entry.contract, entry.chooser, entry.forced, tally)}


def entry_of_row(deal):
    return Entry.from_json(deal.payload)


def assert_happened(match, expected):
    """What was shown before is what is so now."""
    view = match_view(match)
    sheet = view.sheet
    assert [line.after for line in expected.seats] == list(sheet.totals)
    assert [line.place_after for line in expected.seats] == list(sheet.places)
    assert (expected.after.winners, expected.after.tie_break) == (sheet.winners, sheet.tie_break)
    own = standings_page(match.club, family=(match.system, snapshot_of(match).ruleset.win))
    rows = {row.player.name: row for row in own.rows}
    for line in expected.standings:
        now = rows[line.name]
        assert (line.after, line.place_after) == (now.record.total, now.rank)


# ---- who, when, again


def test_same_form_again_is_the_same_ruling(match):
    key = uuid.uuid4()
    first = publish(match, 1, "corrected", entry=king(taken_by=3), entry_key=key)
    again = publish(match, 1, "adjusted", adjustment=(1, 0, 0, 0), entry_key=key)
    assert (again, Ruling.objects.count(), Adjustment.objects.count()) == (first, 1, 0)


def test_ruling_is_not_stale_because_the_match_goes_on(match):
    version = newest(match)
    record(match, Entry(Contract.read("trex"), 0, False, Tally(finish_order=(0, 1, 2, 3))))
    correct(match, match.deals.get(deal_number=2), diamonds(3, 4, 3, 3))
    assert publish(match, 1, version=version).outcome == "stands"


@pytest.mark.parametrize("change", ["corrected", "voided", "ruled", "record"])
def test_ruling_is_stale_once_something_of_its_deal_was_changed(match, change):
    version, deal = newest(match), match.deals.get(deal_number=1)
    if change == "corrected":
        correct(match, deal, king(taken_by=3))
    elif change == "voided":
        void(match, deal, reason="never played")
    elif change == "ruled":
        publish(match, 1, "corrected", entry=king(taken_by=3))
    else:
        attach(match, 1, evening_record("evening-levant", 2))
    with pytest.raises(Stale) as caught:
        publish(match, 1, version=version)
    assert [event.seq for event in caught.value.events] == [version + 1]
    with pytest.raises(Stale):
        publish(match, 1, version=newest(match) + 5)


# ---- what is refused


# A ruling cannot select what fails the checks, nor what the schedule does not allow. C55
@pytest.mark.parametrize(
    ("outcome", "found", "expected"),
    [
        ("corrected", {"entry": diamonds(4, 3, 3, 4)}, ("wrong_total", "diamonds")),
        ("corrected", {"entry": diamonds(4, 3, 3, 3)}, ("nothing_changed", "entry")),
        ("corrected", {"entry": king(taken_by=2)}, ("contract_used", "contract")),
        ("corrected", {}, ("missing", "entry")),
        ("revoke", {"entry": diamonds(3, 4, 3, 3)}, ("missing", "revoke_by")),
        ("adjusted", {"adjustment": (0, 0, 0, 0)}, ("missing", "points")),
        ("adjusted", {"adjustment": (0, 0, 0, 10_001)}, ("too_many", "points")),
        ("adjusted", {"adjustment": (1, 2, 3)}, ("bad_counts", "points")),
        ("adjusted", {}, ("bad_counts", "points")),
        ("guilty", {}, ("missing", "outcome")),
        ("stands", {"reason": "  "}, ("missing", "reason")),
        ("stands", {"reason": "x" * 501}, ("too_long", "reason")),
        ("stands", {"rule": "C-L99"}, ("unknown_rule", "rule")),
    ],
)
def test_ruling_is_refused_and_nothing_is_written(match, outcome, found, expected):
    version = newest(match)
    assert refused(match, 2, outcome, **found) == [expected]
    assert (newest(match), Ruling.objects.count()) == (version, 0)


def test_revoke_is_refused_where_the_rules_have_none(cast):
    match = make_match(
        club=cast.club, players=cast.players, options={"revoke": "off"}, entries=[diamonds()]
    )
    entry = Entry(Contract.read("diamonds"), 0, False, Tally(diamonds=(2, 0, 0, 0), revoke_by=1))
    assert refused(match, 1, "revoke", entry=entry) == [("option_off", "revoke_by")]


def test_nobody_rules_where_there_is_no_arbiter_and_on_what_does_not_count(cast, match):
    assert refused(make_match(entries=[king()]), 1) == [("no_arbiter", "")]
    assert refused(match, 3) == [("wrong_number", "deal_number")]
    write(matches.void_match, match, reason="a test")
    assert refused(match, 1) == [("match_voided", "")]


def test_deal_that_was_taken_back_can_only_be_left_so(match):
    void(match, match.deals.get(deal_number=2))
    assert refused(match, 2, "corrected", entry=diamonds(3, 4, 3, 3)) == [("not_standing", "deal")]
    ruling = publish(match, 2)
    assert (ruling.before, ruling.after) == ([0, 0, 0, 0], [0, 0, 0, 0])
    is_sound(match)


# Signed by all four, and still wrong: the arbiter overrules it, and says why. C58
def test_ruling_overrules_what_was_signed(cast):
    match = played(cast, deals=5)
    sign_all(match)
    assert {row.seat for row in unit_of(match).signatures if row} == {0, 1, 2, 3}
    deal = next(deal for deal in snapshot_of(match).deals if deal.contract == "diamonds")
    found = decision_of("corrected", deal)
    publish(match, deal.deal_number, "corrected", reason="All four overlooked it.", **found)
    unit = unit_of(match)
    assert (unit.state, [row for row in unit.signatures if row]) == ("ruled", [])
    assert len(unit.earlier) == 4
    words = reasons([match.events.latest("seq")])
    assert list(words.values()) == ["All four overlooked it."]
    is_sound(match)


# A ruling that was changed behind the application's back is named.
def test_ruling_that_speaks_of_another_deal_is_found(match):
    ruling = publish(match, 1, "adjusted", adjustment=(0, 0, 0, -5))
    with triggers.without_triggers(connection):
        Ruling.objects.filter(id=ruling.id).update(deal_number=2)
    codes = {found.code for found in findings(only=match.id)}
    assert {"row_changed", "row_refused"} <= codes


# What was ruled on is changed by another ruling and by nothing else.
def test_ruled_deal_is_neither_corrected_nor_taken_back(match):
    ruling = publish(match, 2, "adjusted", adjustment=(0, 0, 0, -5))
    deal = match.deals.get(deal_number=2)
    for wrong in (
        lambda: correct(match, deal, diamonds(3, 4, 3, 3)),
        lambda: void(match, deal),
        lambda: write(
            adjustments.void_adjustment, match, adjustment_id=ruling.adjustment_id, reason="no"
        ),
    ):
        with pytest.raises(ServiceError) as caught:
            wrong()
        assert caught.value.code == "ruled"
    correct(match, match.deals.get(deal_number=1), king(taken_by=3))


# ---- a finished match and the club


def test_results_and_standings_follow_a_ruling_on_a_finished_match(cast):
    match = played(cast)
    before = {row.player.name: row.points for row in MatchResult.objects.filter(match=match)}
    publish(match, 3, "adjusted", adjustment=(-500, 0, 0, 0))
    after = {row.player.name: row.points for row in MatchResult.objects.filter(match=match)}
    assert after["Amal"] == before["Amal"] - 500
    match.refresh_from_db()
    assert match.state == "finished"
    assert match.closed_at == NOW


# What else is under review moves no standings yet, neither in the preview nor afterwards. C69
@pytest.mark.parametrize("outcome", ["adjusted", "stands"])
def test_preview_leaves_out_what_else_is_under_review(cast, outcome):
    match = played(cast)
    deal = next(deal for deal in snapshot_of(match).deals if deal.contract == "diamonds")
    flag(match, deal.deal_number, actor=Actor(cast.badr))
    write(matches.reopen, match)
    found = decision_of("corrected", deal)
    correct(match, match.deals.get(id=deal.id), found["entry"])
    finish(match)
    match.refresh_from_db()
    other, found = deal.deal_number + 1, decision_of(outcome, deal)
    expected = effects_of(match, other, outcome, found)
    assert bool(expected.standings) == (outcome == "adjusted")
    publish(match, other, outcome, **found)
    assert_happened(match, expected)
    is_sound(match)


POINTS = st.lists(st.integers(-300, 300), min_size=4, max_size=4)
RULED = st.lists(
    st.tuples(st.sampled_from(Outcome.values), st.integers(1, 20), POINTS), min_size=1, max_size=4
)


# Whatever is ruled, what was shown before is what happens, and the ledger stays sound. C49, C73
@pytest.mark.parametrize("name", ["evening-levant", "evening-kleshchi", "evening-barbu"])
def test_effects_are_what_happens(cast, name):
    match = played(cast, name)
    other = finish(make_match(club=cast.club, players=cast.players, entries=even_entries()))
    played(cast, name)
    publish(other, 1, "adjusted", adjustment=(1, 2, 3, 4))

    @settings(max_examples=6)
    @given(steps=RULED)
    def holds(steps):
        with transaction.atomic():
            for outcome, number, points in steps:
                ruled_as_expected(match, outcome, number, points)
            is_sound(match)
            transaction.set_rollback(True)

    holds()


def ruled_as_expected(match, outcome, number, points):
    match.refresh_from_db()
    found = some_decision(match, outcome, number, points)
    if found is not None:
        expected = effects_of(match, number, outcome, found)
        publish(match, number, outcome, **found)
        assert_happened(match, expected)


def some_decision(match, outcome, number, points):
    """What may be found of this deal; None where it cannot be found."""
    deal = snapshot_of(match).deal(number)
    if outcome == "adjusted":
        return {"adjustment": points} if any(points) else None
    if outcome == "stands":
        return {}
    if deal.contract not in ("diamonds", "hearts"):
        return None
    found = decision_of(outcome, deal)
    same = found["entry"].to_json() == deal.payload
    return None if same or "revoke_by" in deal.payload["input"] else found
