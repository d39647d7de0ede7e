"""A match that was played long before it was imported asks nobody to sign."""

from datetime import timedelta

import pytest

from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.signatures import UnitState, standing_state, units
from scoring.ledger.services.chain import Write
from scoring.matches.services import matches
from scoring.models import Match
from tests.factories import NOW, PHONE, correct, finish, king
from tests.importing.bringing import bring_in
from tests.importing.files import as_json, evening

pytestmark = pytest.mark.django_db


def settled(now):
    """Whether the only match is final, and the states of its kingdoms."""
    view = match_view(Match.objects.get())
    known = units(view, now)
    return standing_state(view, known, now).state, {unit.state for unit in known}


def test_match_imported_years_late_is_final(club):
    later = NOW + timedelta(days=800)
    bring_in(club, as_json(evening(played_at="2024-01-05 20:00")), now=later)
    assert settled(later) == ("final", {UnitState.ACCEPTED})


def test_match_imported_on_its_evening_waits_for_a_day(club):
    bring_in(club, as_json(evening(played_at=NOW.isoformat())), now=NOW + timedelta(hours=3))
    assert settled(NOW + timedelta(hours=23)) == ("provisional", {UnitState.WAITING})
    assert settled(NOW + timedelta(hours=24)) == ("final", {UnitState.ACCEPTED})


def test_correction_of_an_imported_deal_is_open_to_an_answer(club):
    later = NOW + timedelta(days=800)
    bring_in(club, as_json(evening(played_at="2024-01-05 20:00")), now=later)
    match = Match.objects.get()
    deal = match.current_deals.get(deal__contract="king", deal__chooser=1).deal
    facts = deal.payload["input"]
    taken_by = (facts["king_taken_by"] + 1) % 4
    soon = later + timedelta(hours=1)
    matches.reopen(Write(match.id, match.id, match.version, PHONE, soon))
    correct(match, deal, king(taken_by, chooser=1), now=soon)
    finish(match, now=soon)
    assert settled(later + timedelta(hours=2)) == (
        "provisional",
        {UnitState.ACCEPTED, UnitState.WAITING},
    )
