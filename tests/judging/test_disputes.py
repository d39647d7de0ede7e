"""A deal is flagged, taken on by an arbiter, closed, opened again: events, and what follows."""

import uuid

import pytest
from django.db import transaction

from scoring.common.actor import Actor
from scoring.common.errors import ServiceError, Stale
from scoring.corrections.services.adjustments import void_adjustment
from scoring.history.queries.history import reasons
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.judging.services import disputes
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.matches.services import matches
from scoring.models import Dispute, Flag, MatchEvent, MatchResult
from tests.factories import (
    adjust,
    correct,
    diamonds,
    finish,
    king,
    make_cast,
    make_evening,
    make_match,
    newest,
    record,
    void,
    write,
)
from tests.support.judging import act, by, dispute_of, flag, rule, withdraw

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast():
    return make_cast()


@pytest.fixture
def match(cast):
    return make_match(entries=[king(), diamonds()], club=cast.club, players=cast.players)


@pytest.fixture
def esam(cast):
    return by(cast.esam)


@pytest.fixture
def badr(cast):
    return by(cast.badr)


def reason_of(event):
    return reasons([event]).get(event.id, "")


# One tap on any deal, for any of its four players. C50
def test_one_tap_without_a_word_opens_a_dispute(match, badr):
    row = flag(match, actor=badr, seat=1)
    dispute = dispute_of(match)
    assert (dispute.state, dispute.opened_seq, dispute.club_id) == ("open", 4, match.club_id)
    assert dispute.frozen == match.deals.get(deal_number=1)
    assert (row.seat, reason_of(row.event)) == (1, "")
    assert not list(findings())


def test_words_stand_with_the_event_and_not_in_the_chain(match, badr):
    row = flag(match, words=" He took the king ", actor=badr)
    assert reason_of(row.event) == "He took the king"
    assert "king" not in str(row.event.content)


def test_several_flags_join_one_dispute(match, badr, cast):
    flag(match, actor=badr)
    flag(match, words="I doubt it too", actor=by(cast.carmen))
    assert Dispute.objects.get().opened_seq == 4
    assert Flag.objects.count() == 2


def test_same_key_twice_is_one_flag(match, badr):
    key = uuid.uuid4()
    rows = [flag(match, actor=badr, entry_key=key, words=words) for words in ("once", "twice")]
    assert rows[0] == rows[1] == Flag.objects.get()


def test_same_words_of_the_same_person_are_the_flag_that_is_there(match, badr, cast):
    rows = [flag(match, words="again", actor=badr) for _ in range(2)]
    assert rows[0] == rows[1]
    flag(match, words="again", actor=by(cast.carmen))
    assert Flag.objects.count() == 2


def test_other_words_of_the_same_person_replace_the_flag_and_not_the_dispute(match, badr, esam):
    first = flag(match, words="again", actor=badr)
    act(disputes.claim, match, actor=esam)
    opened = Dispute.objects.get().opened_seq
    second = flag(match, words="and more", actor=badr)
    assert list(Flag.objects.filter(void=None)) == [second]
    assert first.void
    dispute = Dispute.objects.get()
    assert (dispute.state, dispute.opened_seq) == ("claimed", opened)
    assert not list(findings())


def test_flag_is_never_stale_and_comes_to_a_closed_match(cast, badr):
    match = finish(make_evening("evening-levant", club=cast.club))
    flag(match, 7, actor=badr, version=1)
    assert dispute_of(match, 7).state == "open"


def test_flag_makes_nobody_stale(match, badr):
    version = newest(match)
    flag(match, actor=badr)
    record(match, king(chooser=1), version=version)


def test_of_a_deal_that_was_taken_back_nothing_is_frozen(match, badr):
    void(match, match.deals.get(deal_number=2))
    flag(match, 2, actor=badr)
    assert dispute_of(match, 2).frozen is None


# A button whose channel is off is not rendered, and its post says why. C64
def test_match_without_a_club_has_nobody_who_could_rule(badr):
    refused(lambda: flag(make_match(entries=[king()]), actor=badr), "no_arbiter")


def test_of_a_void_match_nothing_is_flagged(match, badr):
    write(matches.void_match, match, reason="Cards were missing")
    refused(lambda: flag(match, actor=badr), "match_voided")


def test_refusals_of_a_flag(match, badr):
    refused(lambda: flag(match, 3, actor=badr), "wrong_number", "deal_number")
    refused(lambda: flag(match, words="x" * 501, actor=badr), "too_long", "reason")
    refused(lambda: flag(match, seat=4, actor=badr), "bad_seat", "seat")
    refused(lambda: flag(match, actor=badr, version=99), "stale", "version")
    for number in range(disputes.MOST):
        flag(match, actor=Actor(device=uuid.UUID(int=1000 + number)))
    refused(lambda: flag(match, actor=badr), "flags_full")
    assert not list(findings())


def test_last_flag_withdrawn_ends_a_dispute_that_nobody_took_on(match, badr, cast):
    one, two = flag(match, actor=badr), flag(match, actor=by(cast.carmen))
    withdraw(match, one, actor=badr)
    assert dispute_of(match).state == "open"
    withdraw(match, two, actor=by(cast.carmen))
    assert dispute_of(match).state == "closed"
    assert not list(findings())


def test_what_an_arbiter_has_claimed_stays_when_the_flag_is_withdrawn(match, badr, esam):
    row = flag(match, actor=badr)
    act(disputes.claim, match, actor=esam)
    withdraw(match, row, actor=badr)
    assert dispute_of(match).state == "claimed"


def test_flag_is_withdrawn_by_who_raised_it_and_only_until_it_is_ruled_on(match, badr, esam, cast):
    row = flag(match, actor=badr)
    refused(lambda: withdraw(match, row, actor=by(cast.carmen)), "not_your_flag", "flag")
    refused(lambda: withdraw(match, row, actor=Actor()), "not_your_flag", "flag")
    rule(match, actor=esam)
    refused(lambda: withdraw(match, row, actor=badr), "not_under_review")


def test_phone_without_an_account_withdraws_its_own(match):
    phone, other = Actor(device=uuid.uuid4()), Actor(device=uuid.uuid4())
    row = flag(match, actor=phone)
    refused(lambda: withdraw(match, row, actor=other), "not_your_flag", "flag")
    key = uuid.uuid4()
    for _ in range(2):
        withdraw(match, row, actor=phone, entry_key=key)
    refused(lambda: withdraw(match, row, actor=phone), "not_standing", "flag")


def test_claimed_released_taken_over(match, badr, esam, cast):
    owner = by(cast.owner)
    flag(match, actor=badr)
    claimed = act(disputes.claim, match, actor=esam)
    assert (claimed.state, claimed.claimed_by) == ("claimed", cast.esam)
    assert act(disputes.claim, match, actor=esam) == claimed  # does nothing
    assert act(disputes.claim, match, actor=owner).claimed_by == cast.owner
    refused(lambda: act(disputes.release, match, actor=esam), "not_claimed_by_you")
    released = act(disputes.release, match, actor=owner)
    assert (released.state, released.claimed_by) == ("open", None)
    assert MatchEvent.objects.filter(kind="dispute_claimed").count() == 2
    assert not list(findings())


# Two arbiters see the same card of the queue: the second is told, and takes nothing over unseen.
def test_claim_of_what_was_claimed_meanwhile_is_stale(match, badr, esam, cast):
    flag(match, actor=badr)
    seen = newest(match)
    act(disputes.claim, match, actor=esam)
    with pytest.raises(Stale) as told:
        act(disputes.claim, match, actor=by(cast.owner), version=seen)
    assert [event.user for event in told.value.events] == [cast.esam]


def test_flags_and_deals_that_came_meanwhile_disturb_no_claim(match, badr, esam):
    flag(match, actor=badr)
    seen = newest(match)
    flag(match, words="and more", actor=badr)
    flag(match, 2, actor=badr)
    act(disputes.claim, match, 2, actor=esam)
    assert act(disputes.claim, match, actor=esam, version=seen).state == "claimed"


# Handled is what has a note. C56
def test_closing_needs_a_note_and_has_seen_every_flag(match, badr, esam):
    flag(match, actor=badr)
    refused(lambda: act(disputes.close, match, note=" ", actor=esam), "missing", "reason")
    seen = newest(match)
    flag(match, words="and more", actor=badr)
    refused(
        lambda: act(disputes.close, match, note="No", actor=esam, version=seen), "stale", "version"
    )
    closed = act(disputes.close, match, note="Settled at the table", actor=esam)
    event = MatchEvent.objects.get(kind="dispute_closed")
    assert (closed.state, reason_of(event)) == ("closed", "Settled at the table")
    refused(lambda: act(disputes.close, match, note="Twice", actor=esam), "not_under_review")


def test_ruled_by_a_published_ruling_then_closed_then_open_again(match, badr, esam):
    flag(match, actor=badr)
    act(disputes.claim, match, actor=esam)
    ruling = rule(match, entry=king(taken_by=3), actor=esam)
    assert (dispute_of(match).state, dispute_of(match).ruling) == ("ruled", ruling)
    refused(lambda: act(disputes.claim, match, actor=esam), "not_under_review")
    act(disputes.close, match, note="Told them", actor=esam)
    again = act(disputes.reopen, match, reason="A photo turned up", actor=esam)
    assert (again.state, again.claimed_by, again.ruling) == ("open", None, ruling)
    assert again.frozen == ruling.deal
    refused(lambda: act(disputes.reopen, match, reason="Twice", actor=esam), "under_review")
    second = rule(match, entry=king(taken_by=1), actor=esam)
    assert (dispute_of(match).ruling, second.replaces) == (second, ruling)
    assert not list(findings())


def test_reopening_needs_a_reason_and_something_to_open(match, badr, esam):
    refused(
        lambda: act(disputes.reopen, match, reason="Why", actor=esam), "no_dispute", "deal_number"
    )
    flag(match, actor=badr)
    act(disputes.close, match, note="No", actor=esam)
    refused(lambda: act(disputes.reopen, match, reason="", actor=esam), "missing", "reason")


def test_flag_after_the_end_opens_it_again_and_withdrawn_leaves_it_as_it_was(match, badr, esam):
    flag(match, actor=badr)
    ruling = rule(match, entry=king(taken_by=3), actor=esam)
    row = flag(match, words="Not so", actor=badr)
    dispute = dispute_of(match)
    assert (dispute.state, dispute.frozen, dispute.ruling) == ("open", ruling.deal, ruling)
    withdraw(match, row, actor=badr)
    assert (dispute_of(match).state, dispute_of(match).ruling) == ("ruled", ruling)
    assert not list(findings())


def test_ruling_on_a_deal_that_nobody_flagged_is_a_dispute_that_is_ruled(match, esam):
    before = match.deals.get(deal_number=1)
    rule(match, entry=king(taken_by=3), actor=esam)
    assert (dispute_of(match).state, dispute_of(match).frozen) == ("ruled", before)


@pytest.mark.parametrize(
    ("service", "kind"),
    [("claim", {}), ("release", {}), ("close", {"note": "x"}), ("reopen", {"reason": "x"})],
)
def test_same_key_twice_does_it_once(match, badr, esam, service, kind):
    flag(match, actor=badr)
    if service == "release":
        act(disputes.claim, match, actor=esam)
    if service == "reopen":
        act(disputes.close, match, note="x", actor=esam)
    key, seen = uuid.uuid4(), newest(match)
    given = {"actor": esam, "entry_key": key, "version": seen, **kind}
    states = [act(getattr(disputes, service), match, **given).state for _ in range(2)]
    assert states[0] == states[1]
    assert newest(match) == seen + 1


# ── what the public sees ────────────────────────────────────────────────


def totals(match):
    return snapshot_of(match).sheet.totals, snapshot_of(match).public.sheet.totals


# The public sees no score move while the arbiter still talks. C69
def test_public_table_is_frozen_until_the_ruling(match, badr, esam):
    before, _ = totals(match)
    flag(match, actor=badr)
    correct(match, match.deals.get(deal_number=1), king(taken_by=3))
    adjust(match, after_deal=1)
    assert totals(match) == ((-130, 0, 0, -115), before)
    rule(match, actor=esam)
    assert totals(match) == ((-130, 0, 0, -115),) * 2


def test_what_is_beside_another_deal_moves_on(match, badr):
    flag(match, actor=badr)
    adjust(match, (0, 0, 0, -40), after_deal=2)
    assert snapshot_of(match).public.sheet.totals[3] == -40


def test_penalty_taken_back_in_the_review_still_shows(match, badr):
    row = adjust(match, after_deal=1)
    flag(match, actor=badr)
    write(void_adjustment, match, adjustment_id=row.id)
    (mine, theirs) = totals(match)
    assert (mine[3], theirs[3]) == (0, -40)


def test_deal_voided_in_the_review_stays_for_the_public(match, badr):
    deal = match.deals.get(deal_number=2)
    flag(match, 2, actor=badr)
    void(match, deal)
    assert snapshot_of(match).deal(2) is None
    assert snapshot_of(match).public.deal(2) == deal


def test_results_are_frozen_until_it_is_closed(cast, badr, esam):
    match = finish(make_evening("evening-levant", club=cast.club))
    before = results(match)
    deal = next(deal for deal in snapshot_of(match).deals if deal.contract == "king")
    flag(match, deal.deal_number, actor=badr)
    assert results(match) == before
    write(matches.reopen, match)
    taker = deal.payload["input"]["king_taken_by"]
    correct(match, deal, king(taken_by=(taker + 1) % 4, chooser=deal.chooser))
    finish(match)
    assert results(match) == before
    assert not list(findings())
    assert rebuild(match_id=match.id) == []
    act(disputes.close, match, deal.deal_number, note="The correction was right", actor=esam)
    assert results(match) != before
    assert sum(results(match)) == sum(snapshot_of(match).sheet.totals)
    assert not list(findings())


def results(match):
    return list(
        MatchResult.objects.filter(match=match).order_by("seat").values_list("points", flat=True)
    )


def test_rebuilt_disputes_equal_the_stored_ones(match, badr, esam):
    flag(match, actor=badr)
    flag(match, 2, actor=badr)
    act(disputes.claim, match, 2, actor=esam)
    Dispute.objects.filter(deal_number=1).update(state="ruled")
    Dispute.objects.filter(deal_number=2).delete()
    assert [str(found) for found in findings()] != []
    assert rebuild(match_id=match.id) == ["disputes"]
    assert not list(findings())
    assert [dispute_of(match, number).state for number in (1, 2)] == ["open", "claimed"]


def refused(call, code, field=""):
    """In a transaction of its own, as a view makes one."""
    with pytest.raises(ServiceError) as told, transaction.atomic():
        call()
    assert (told.value.code, told.value.field) == (code, field)
