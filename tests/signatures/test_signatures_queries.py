"""When a kingdom or round is settled, who may still correct it, and when a match is final."""

from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.access.permissions import Action, may
from scoring.common.actor import Actor
from scoring.common.errors import ServiceError
from scoring.corrections.services import subtotals
from scoring.judging.services import disputes
from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.signatures import gone, signed_off, standing_state, units
from scoring.models import Club, Role
from scoring.rules import Contract
from tests.factories import (
    NOW,
    MembershipFactory,
    correct,
    entry_of,
    evenings,
    finish,
    king,
    make_cast,
    make_evening,
    record,
    void,
    write,
)
from tests.support import judging
from tests.support.signing import LATER, sign, sign_all, unit_of, withdraw

pytestmark = pytest.mark.django_db

LEVANT = evenings()["evening-levant"]["deals"]
LAST = NOW + timedelta(minutes=5)  # of the first kingdom
SOON, LATE = LAST + timedelta(hours=24, seconds=-1), LAST + timedelta(hours=24)


@pytest.fixture
def match(db):
    return make_evening("evening-levant", 7)


@pytest.fixture
def cast(db):
    return make_cast()


@pytest.fixture
def club_match(cast):
    return make_evening("evening-levant", 7, club=cast.club, actor=Actor(cast.amal))


def deal(match, number):
    return match.current_deals.select_related("deal__event").get(deal_number=number).deal


def again(match, number, **changes):
    return correct(match, deal(match, number), entry_of(LEVANT[number - 1]), **changes)


def states(match, now=LATER):
    return [str(unit.state) for unit in units(match_view(match), now)]


# ── a kingdom, a round ──────────────────────────────────────────────────


def test_kingdom_waits_for_four_signatures(match):
    assert states(match) == ["waiting", "open"]
    for seat in (2, 0, 3):
        sign(match, seat)
    unit = unit_of(match)
    assert (unit.state, unit.open_seats, unit.chooser) == ("waiting", [1], 1)
    assert unit.numbers == [1, 2, 3, 4, 5]
    assert (unit.since, unit.ends_at, unit.accepted_at) == (LAST, LATE, None)
    sign(match, 1, now=LATER + timedelta(minutes=3))
    unit = unit_of(match)
    assert (unit.state, unit.is_settled) == ("signed", True)
    assert unit.ends_at == LATER + timedelta(minutes=3)


def test_round_is_signed_where_the_chooser_rotates():
    match = make_evening("evening-barbu", 6)
    assert states(match) == ["waiting", "open"]
    sign_all(match)
    assert states(match) == ["signed", "open"]
    assert unit_of(match).chooser is None


@pytest.mark.parametrize(
    ("now", "state", "at"), [(SOON, "waiting", None), (LATE, "accepted", LATE)]
)
def test_silence_becomes_acceptance(match, now, state, at):
    unit = unit_of(match, now=now)
    assert (unit.state, unit.accepted_at) == (state, at)


def test_club_says_how_long_silence_must_be(club_match):
    Club.objects.update(acceptance_hours=2)
    club_match.club.refresh_from_db()
    assert unit_of(club_match, now=LAST + timedelta(hours=2)).state == "accepted"


def test_correction_lets_silence_begin_again(match):
    again(match, 2, now=SOON)
    assert unit_of(match, now=LATE).since == SOON
    assert unit_of(match, now=SOON + timedelta(hours=24)).state == "accepted"


def test_deals_on_paper_cannot_be_signed():
    match = make_evening("evening-levant", 0)
    contracts = tuple(Contract.read(each["contract"]) for each in LEVANT[:5])
    sums = tuple(sum(each["scores"][seat] for each in LEVANT[:5]) for seat in range(4))
    write(subtotals.enter, match, paper=subtotals.PaperSums(contracts, sums))
    unit = unit_of(match, now=LATE)
    assert (unit.state, unit.complete, unit.since) == ("open", False, None)
    record(match, LEVANT[0])
    unit = unit_of(match, now=LATE)
    assert (unit.state, unit.numbers) == ("open", [1])


def test_signature_keeps_to_its_deals_when_the_sheet_turns_round():
    """The first kingdom is taken back whole: the second, signed, is the first of the sheet now."""
    match = make_evening("evening-levant", 10)
    first, second = sign_all(match, 1), sign_all(match, 2)
    for number in range(1, 6):
        void(match, deal(match, number), reason="the wrong table")
    view = match_view(match)
    known = units(view, LATER)
    assert [unit.state for unit in known] == ["signed"]
    assert list(known[0].signatures) == second
    assert list(gone(view.table, known)) == first


# ── disputes and rulings ────────────────────────────────────────────────


def test_dispute_stops_silence_and_its_end_lets_it_go_on(cast, club_match):
    badr, esam = Actor(cast.badr), Actor(cast.esam)
    row = judging.flag(club_match, 2, actor=badr)
    unit = unit_of(club_match, now=LATE)
    assert (unit.state, unit.ends_at, unit.is_settled) == ("disputed", None, False)
    judging.withdraw(club_match, row, actor=badr)
    assert unit_of(club_match, now=LATE).state == "accepted"
    judging.flag(club_match, 2, actor=badr)
    judging.act(disputes.close, club_match, 2, actor=esam, note="They agree.")
    assert unit_of(club_match, now=LATER).state == "waiting"


def test_flag_after_four_signatures_is_a_dispute_too(cast, club_match):
    sign_all(club_match)
    judging.flag(club_match, 2, actor=Actor(cast.badr))
    assert unit_of(club_match).state == "disputed"
    assert not signed_off(club_match, deal(club_match, 2), LATE)


def test_ruling_settles_a_kingdom_until_a_deal_is_written_anew(cast, club_match):
    """It overrules what was signed, with its reason. C58"""
    esam = Actor(cast.esam)
    signed = sign_all(club_match)
    judging.flag(club_match, 2, actor=Actor(cast.badr))
    ruling = judging.rule(club_match, 2, king(3, chooser=LEVANT[1]["chooser"]), actor=esam)
    unit = unit_of(club_match)
    assert (unit.state, unit.ruling, unit.ends_at) == ("ruled", ruling, ruling.event.entered_at)
    assert list(unit.earlier) == signed
    assert signed_off(club_match, deal(club_match, 3), LATER)
    again(club_match, 4, now=LATER)
    assert unit_of(club_match).state == "waiting"


# ── who may correct ─────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("person", "before", "after"),
    [("badr", True, False), ("amal", True, False), ("esam", True, True), ("owner", True, True)],
)
def test_sign_off_ends_the_right_of_members_and_scorers(cast, club_match, person, before, after):
    actor, mine = Actor(getattr(cast, person)), deal(club_match, 3)
    assert may(Action.CORRECT, club_match, actor, deal=mine, now=LATER) == before
    for seat in range(3):
        sign(club_match, seat)
    assert may(Action.CORRECT, club_match, actor, deal=mine, now=LATER) == before
    sign(club_match, 3)
    assert may(Action.CORRECT, club_match, actor, deal=mine, now=LATER) == after
    # what is not whole is not signed off, however late
    assert may(Action.CORRECT, club_match, actor, deal=deal(club_match, 6), now=LATE) == before


@pytest.mark.parametrize("role", [Role.MEMBER, Role.SCORER])
def test_silence_ends_it_too(cast, club_match, role):
    actor = Actor(cast.badr if role == Role.MEMBER else cast.amal)
    assert may(Action.CORRECT, club_match, actor, deal=deal(club_match, 3), now=SOON)
    assert not may(Action.CORRECT, club_match, actor, deal=deal(club_match, 3), now=LATE)


def test_member_who_does_not_sit_here_never_corrects(cast, club_match):
    other = Actor(MembershipFactory(club=cast.club).user)
    assert not may(Action.CORRECT, club_match, other, deal=deal(club_match, 3), now=LATER)


def test_deal_that_does_not_stand_is_not_signed_off(match):
    old = deal(match, 3)
    again(match, 3)
    sign_all(match)
    assert not signed_off(match, old, LATE)
    assert signed_off(match, deal(match, 3), LATER)
    assert not signed_off(match, None, LATE)


# ── the match as a whole ────────────────────────────────────────────────


def played(club=None, **opening):
    match = make_evening("evening-levant", club=club, **opening)
    finish(match, now=NOW + timedelta(minutes=30))
    match.refresh_from_db()
    return match


def standing(match, now):
    view = match_view(match)
    found = standing_state(view, units(view, now), now)
    return found and (found.state, found.at)


# Open, provisional until then, final: told with its times. C60
def test_match_is_open_then_provisional_then_final(match):
    assert standing(match, LATER) == ("open", NOW)
    ended = played()
    until = NOW + timedelta(minutes=20, hours=24)
    assert standing(ended, LATER) == ("provisional", until)
    assert standing(ended, until) == ("final", until)


def test_match_is_final_at_once_when_everything_is_signed():
    match = played()
    for unit in range(1, 5):
        sign_all(match, unit, now=LATER + timedelta(minutes=unit))
    assert standing(match, LATER + timedelta(minutes=5)) == (
        "final",
        LATER + timedelta(minutes=4),
    )


def test_signatures_before_the_end_make_it_final_with_the_end(match):
    sign_all(match)
    for each in LEVANT[7:]:
        record(match, each, now=LATER)
    for unit in (2, 3, 4):
        sign_all(match, unit)
    end = LATER + timedelta(hours=3)
    finish(match, now=end)
    match.refresh_from_db()
    assert standing(match, end) == ("final", end)


def test_dispute_holds_the_end_back_without_a_time(cast):
    match = played(cast.club, actor=Actor(cast.amal))
    judging.flag(match, 2, actor=Actor(cast.badr))
    assert standing(match, NOW + timedelta(days=9)) == ("provisional", None)


@pytest.mark.parametrize("state", ["unfinished", "voided"])
def test_match_that_counts_nowhere_has_no_state(match, state):
    match.state = state
    assert standing(match, LATER) is None


# ── whatever happens ────────────────────────────────────────────────────

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["record", "correct", "void", "sign", "withdraw"]), st.integers(0, 99)
    ),
    max_size=14,
)


class Paper:
    """What somebody would note on paper: who signed which rows of which chooser."""

    def __init__(self):
        self.rows, self.signed = {}, set()

    def of(self, chooser):
        return frozenset(row for at, row in self.rows.values() if at == chooser)

    def signers(self, chooser):
        mine = self.of(chooser)
        return {seat for seat, rows in self.signed if rows == mine} if len(mine) == 5 else set()


def take(match, paper, step, pick):
    numbers = sorted(paper.rows)
    if step == "record":
        number = next(number for number in range(1, 12) if number not in paper.rows)
        if number <= 10:
            saved = record(match, LEVANT[number - 1])
            paper.rows[number] = saved.deal.chooser, saved.deal.id
    elif step in ("sign", "withdraw"):
        _agree(match, paper, step, pick)
    elif numbers:
        number = numbers[pick % len(numbers)]
        if step == "correct":
            new = again(match, number).deal
            paper.rows[number] = new.chooser, new.id
        else:
            void(match, deal(match, number), reason="a step")
            del paper.rows[number]


def _agree(match, paper, step, pick):
    view, seat = match_view(match), pick % 4
    known = units(view, LATER)
    if not known:
        return
    unit = known[pick // 4 % len(known)]
    rows = paper.of(unit.chooser)
    if step == "withdraw" and unit.signatures[seat]:
        if not unit.is_settled:
            withdraw(match, unit.signatures[seat])
            paper.signed.discard((seat, rows))
    elif step == "sign":
        wanted = "signed_already" if (seat, rows) in paper.signed else ""
        wanted = wanted if len(rows) == 5 else "unit_open"
        assert _signing(match, seat, unit.number) == wanted
        if not wanted:
            paper.signed.add((seat, rows))


def _signing(match, seat, number):
    """Why it was refused, if it was."""
    try:
        sign(match, seat, number)
    except ServiceError as refused:
        return refused.code
    return ""


@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS, first=st.integers(4, 10))
def test_kingdom_is_signed_just_where_four_seats_named_what_stands(steps, first):
    with transaction.atomic():
        match, paper = make_evening("evening-levant", first), Paper()
        for row in match.current_deals.select_related("deal"):
            paper.rows[row.deal_number] = row.deal.chooser, row.deal.id
        for step, pick in steps:
            match.refresh_from_db()
            take(match, paper, step, pick)
        for unit in units(match_view(match), LATER):
            signers = paper.signers(unit.chooser)
            assert unit.complete == (len(paper.of(unit.chooser)) == 5)
            assert set(range(4)) - set(unit.open_seats) == signers
            assert (unit.state == "signed") == (len(signers) == 4)
        transaction.set_rollback(True)
