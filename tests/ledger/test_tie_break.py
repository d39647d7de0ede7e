"""A tie at the top in levant: equal totals, equally many Trex first places, one extra deal."""

import pytest

from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.ledger.queries.match_view import match_view
from scoring.models import CurrentDeal, Deal, MatchResult, UsedContract
from scoring.rules import Contract, Entry, Tally
from tests.factories import correct, even_entries, finish, king, make_match, record, void

pytestmark = pytest.mark.django_db


@pytest.fixture
def tied():
    return make_match(entries=even_entries())


def test_extra_deal_uses_up_no_contract_and_decides(tied):
    view = match_view(tied)
    assert (view.turn.is_extra, view.turn.deal_number, view.can_finish) == (True, 21, True)
    deal = record(tied, king(taken_by=2)).deal
    assert (deal.deal_number, deal.uses_contract) == (21, False)
    assert CurrentDeal.objects.get(deal=deal).kingdom is None
    assert UsedContract.objects.count() == 20
    finish(tied)
    assert list(MatchResult.objects.order_by("seat").values_list("place", flat=True)) == [
        1,
        1,
        4,
        1,
    ]
    assert (rebuild(match_id=tied.id), list(findings())) == ([], [])


def test_extra_deal_is_corrected_and_voided_like_any_other(tied):
    deal = record(tied, king(taken_by=2)).deal
    deal = correct(tied, deal, king(taken_by=1)).deal
    assert (deal.uses_contract, match_view(tied).sheet.totals) == (False, (0, -75, 0, 0))
    void(tied, deal)
    assert match_view(tied).turn.is_extra
    assert Deal.objects.standing().count() == 20


def test_match_closed_without_its_extra_deal_is_shared(tied):
    finish(tied)
    assert set(MatchResult.objects.values_list("place", flat=True)) == {1}
    assert list(findings()) == []


def queens(taken, chooser=0) -> Entry:
    facts = Tally.from_json({"queens": taken})
    return Entry(Contract.read("queens"), chooser, False, facts)


def test_extra_deal_stays_and_counts_no_more_once_a_correction_takes_its_tie_away(tied):
    record(tied, king(taken_by=2))
    second = tied.deals.get(deal_number=2)
    corrected = correct(tied, second, queens((0, 2, 1, 1))).deal
    view = match_view(tied)
    assert view.sheet.totals == (25, -25, 0, 0)
    assert [row.number for row in view.sheet.uncounted] == [21]
    assert (view.sheet.winners, view.sheet.tie_break, view.turn.over) == ((0,), None, True)
    corrected = correct(tied, corrected, queens((1, 1, 1, 1))).deal
    view = match_view(tied)
    assert view.sheet.totals == (0, 0, -75, 0)
    assert (view.sheet.uncounted, view.sheet.winners) == ((), (0, 1, 3))
    correct(tied, corrected, queens((0, 2, 1, 1)))
    finish(tied)
    results = MatchResult.objects.order_by("seat").values_list("total", "place", "deals")
    assert list(results) == [(25, 1, 20), (-25, 4, 20), (0, 2, 20), (0, 2, 20)]
    assert (rebuild(match_id=tied.id), list(findings())) == ([], [])


def test_extra_deal_does_not_count_while_a_deal_of_the_match_is_missing(tied):
    record(tied, king(taken_by=2))
    void(tied, tied.deals.get(deal_number=20), reason="played twice")
    view = match_view(tied)
    assert [row.number for row in view.sheet.uncounted] == [21]
    assert (view.turn.deal_number, view.turn.is_extra) == (20, False)
