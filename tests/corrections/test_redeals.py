"""Cards dealt again: recorded beside the deals, and taken back."""

import uuid

import pytest

from scoring.common.errors import ServiceError
from scoring.corrections.services.redeals import void_redeal
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.ledger.queries.match_view import match_view
from scoring.matches.services.matches import set_first_chooser
from scoring.models import Deal, EventKind, MatchEvent, Redeal
from scoring.rules import Contract, Entry, Tally
from tests.factories import (
    finish,
    king,
    make_evening,
    make_match,
    newest,
    record,
    redeal,
    void,
    write,
)

pytestmark = pytest.mark.django_db

TREX = Contract(("trex",))
TEAMS = {"teams": "opposite", "redeal.queens_draw": True}


def refused(call, *args, **kwargs):
    before = (MatchEvent.objects.count(), Redeal.objects.count(), Deal.objects.count())
    with pytest.raises(ServiceError) as caught:
        call(*args, **kwargs)
    assert before == (MatchEvent.objects.count(), Redeal.objects.count(), Deal.objects.count())
    return [(problem.code, problem.field) for problem in caught.value.problems]


def queens(*counts, chooser=0):
    return Entry(Contract(("queens",)), chooser, False, Tally(queens=counts))


def take_back(match, row, **changes):
    return write(void_redeal, match, redeal_id=row.id, **changes)


def test_number_and_dealer_stay_and_nothing_is_scored():
    match = make_evening("evening-levant", deals=6)
    before = match_view(match)
    row = redeal(match, "weak_hearts", asked_by=1, hand=("KH",))
    assert (row.deal_number, row.dealer, row.chooser) == (7, before.turn.dealer, 2)
    assert (row.asked_by, row.hand, row.contract) == (1, ["KH"], "")
    after = match_view(match)
    assert (after.turn, after.sheet.totals) == (before.turn, before.sheet.totals)
    assert not list(findings())
    assert rebuild(match_id=match.id) == []


def test_dealer_that_the_table_named_deals_again():
    match = make_evening("evening-levant", deals=6)
    proposed = match_view(match).turn.dealer
    redeal(match, dealer=(proposed + 2) % 4)
    assert match_view(match).turn.dealer == (proposed + 2) % 4
    assert record(match, king(chooser=2)).deal.dealer == (proposed + 2) % 4


def test_other_needs_words_and_they_stand_outside_the_chain():
    match = make_match()
    assert refused(redeal, match, "other") == [("missing", "reason")]
    redeal(match, "other", reason="A card lay under the table")
    assert "under the table" not in str(list(MatchEvent.objects.values()))


def test_what_the_rules_refuse_is_refused():
    match = make_match(system="barbu", first_chooser=None, first_dealer=3)
    assert refused(redeal, match, "twos", asked_by=1) == [("option_off", "redeal")]
    match = make_match()
    assert refused(redeal, match, "twos") == [("missing", "asked_by")]
    assert refused(redeal, match, dealer=4) == [("bad_seat", "dealer")]
    assert refused(redeal, match, version=7) == [("stale", "version")]


def test_same_key_writes_one():
    match, key = make_match(), uuid.uuid4()
    assert redeal(match, entry_key=key) == redeal(match, entry_key=key, version=1)
    assert Redeal.objects.count() == 1


def test_twos_are_shown_once_trex_is_chosen_and_the_chooser_may_choose_again():
    match = make_match()
    assert redeal(match, "twos", asked_by=2).contract == "trex"
    assert len(match_view(match).turn.contracts) == 5


def test_twos_before_the_choice_need_no_contract():
    match = make_match(options={"redeal.twos": "before_choice"})
    assert redeal(match, "twos", asked_by=2).contract == ""


def test_contract_that_stays_is_the_only_one_until_it_is_played():
    match = make_match(options={"redeal.keeps_contract": True})
    row = redeal(match, "twos", asked_by=2)
    redeal(match)
    assert match_view(match).turn.contracts == (TREX,)
    assert refused(record, match, king()) == [("not_this_contract", "contract")]
    trex = Entry(TREX, 0, False, Tally(finish_order=(0, 1, 2, 3)))
    saved = record(match, trex)
    assert len(match_view(match).turn.contracts) == 4
    void(match, saved.deal)
    take_back(match, row)
    assert len(match_view(match).turn.contracts) == 5
    assert not list(findings())


# ── the first deal ──────────────────────────────────────────────────────


def test_new_cards_of_the_first_deal_ask_again_for_the_seven_of_hearts():
    match = make_match(first_chooser=2, first_dealer=None)
    row = redeal(match)
    match.refresh_from_db()
    turn = match_view(match).turn
    assert (turn.needs_first_chooser, turn.dealer) == (True, 1)
    take_back(match, row)
    match.refresh_from_db()
    assert (match.first_chooser, match.first_dealer) == (2, None)
    assert not list(findings())


def test_first_chooser_named_anew_stays_when_the_redeal_is_taken_back():
    match = make_match(first_chooser=2)
    row = redeal(match)
    write(set_first_chooser, match, chooser=0)
    match.refresh_from_db()
    assert match_view(match).turn.dealer == 1
    take_back(match, row)
    match.refresh_from_db()
    assert (match.first_chooser, match.first_dealer) == (0, 1)


def test_chooser_stays_where_the_contract_does():
    match = make_match(first_chooser=2, options={"redeal.keeps_contract": True})
    redeal(match, "twos", asked_by=1)
    assert match_view(match).turn.chooser == 2


# ── queens, two and two ─────────────────────────────────────────────────


def test_drawn_queens_are_no_deal_but_a_redeal_that_keeps_how_they_lay():
    match = make_match(options=TEAMS)
    entry = queens(2, 1, 0, 1)
    assert refused(record, match, entry) == [("queens_draw", "contract")]
    row = redeal(match, "queens_draw", entry=entry)
    assert (row.contract, row.chooser, row.asked_by) == ("queens", 0, None)
    assert row.event.content["facts"]["entry"] == entry.to_json()
    assert not Deal.objects.exists()
    assert not list(findings())


def test_only_a_draw_is_dealt_again_as_one():
    match = make_match(options=TEAMS)
    assert refused(redeal, match, "queens_draw") == [("missing", "queens")]
    wrong = queens(4, 1, 0, 0)
    assert refused(redeal, match, "queens_draw", entry=wrong) == [("wrong_total", "queens")]
    clear = queens(3, 1, 0, 0)
    assert refused(redeal, match, "queens_draw", entry=clear) == [("no_redeal", "queens")]
    record(match, clear)
    drawn = queens(2, 2, 0, 0)
    assert ("contract_used", "contract") in refused(redeal, match, "queens_draw", entry=drawn)


def test_without_the_option_drawn_queens_are_a_deal_like_any_other():
    match = make_match(options={"teams": "opposite"})
    assert refused(redeal, match, "queens_draw", entry=queens(2, 1, 0, 1))[0][0] == "option_off"
    record(match, queens(2, 1, 0, 1))


# ── taking back ─────────────────────────────────────────────────────────


def test_redeal_is_taken_back_once_and_needs_a_reason_after_its_deal():
    match = make_evening("evening-levant", deals=6)
    first, second = redeal(match), redeal(match, "weak_hearts", asked_by=0)
    key = uuid.uuid4()
    assert take_back(match, second, entry_key=key) == take_back(match, second, entry_key=key)
    assert refused(take_back, match, second) == [("not_standing", "redeal")]
    record(match, king(chooser=2))
    assert refused(take_back, match, first) == [("missing", "reason")]
    take_back(match, first, reason="It was deal 6")
    assert match_view(match).table.redeals == ()
    kinds = [EventKind.REDEAL_RECORDED, EventKind.REDEAL_VOIDED]
    assert MatchEvent.objects.filter(kind__in=kinds).count() == 4
    assert not list(findings())


def test_closed_match_refuses_it():
    match = make_evening("evening-levant", deals=20)
    closed = finish(match)
    assert refused(redeal, closed) == [("match_closed", "")]
    assert newest(match) == closed.version
