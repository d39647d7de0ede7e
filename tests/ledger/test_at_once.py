"""The same moment, from two connections. Real transactions, on both databases."""

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from scoring.common.errors import ServiceError
from scoring.integrity.queries.integrity import findings
from scoring.judging.services import disputes, rulings
from scoring.ledger.services import deals
from scoring.ledger.services.chain import Write
from scoring.matches.services import matches
from scoring.models import (
    Deal,
    Dispute,
    Flag,
    Match,
    MatchEvent,
    MatchResult,
    Player,
    PlayerTotal,
    Ruling,
    Signature,
)
from scoring.players.services import merging
from scoring.rules import ruleset
from scoring.signatures.services import signatures as service
from scoring.standings.services import totals
from tests.factories import (
    NAMES,
    NOW,
    PHONE,
    PlayerFactory,
    diamonds,
    evenings,
    finish,
    king,
    make_cast,
    make_evening,
    make_match,
    newest,
    record,
    write,
)
from tests.support.judging import act, by, dispute_of, flag

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls):
    """What each call gave or refused, started at the same moment on connections of their own."""
    start = threading.Barrier(len(calls))

    def run(call):
        try:
            start.wait(timeout=10)
            return call()
        except ServiceError as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def saving(match, entry, key, version=1):
    return lambda: deals.record_deal(Write(match.id, key, version, PHONE, NOW), entry=entry)


# The same key twice, also in parallel, is one deal and one answer. C01
def test_same_key_at_the_same_moment_makes_one_deal():
    match, key = make_match(), uuid.uuid4()
    saved = at_once(*[saving(match, king(), key)] * 4)
    assert {answer.deal.id for answer in saved} == {Deal.objects.get().id}
    assert sorted(answer.repeated for answer in saved) == [False, True, True, True]
    assert not list(findings())


def test_same_key_for_two_matches_at_the_same_moment_makes_one_deal():
    key, made = uuid.uuid4(), [make_match() for _ in range(8)]
    answers = at_once(*[saving(match, king(), key) for match in made])
    refused = [answer.code for answer in answers if isinstance(answer, ServiceError)]
    assert refused == ["form_expired"] * 7
    assert Deal.objects.count() == 1
    assert not list(findings())


# What holds is in the database: of two at once exactly one stands. C124
def test_two_phones_saving_the_same_deal_make_one():
    match = make_match()
    answers = at_once(
        saving(match, king(taken_by=1), uuid.uuid4()),
        saving(match, king(taken_by=2), uuid.uuid4()),
    )
    stale = [answer for answer in answers if isinstance(answer, ServiceError)]
    assert [refused.code for refused in stale] == ["stale"]
    assert stale[0].deals == (Deal.objects.get(),)
    assert not list(findings())


# Who was not the first is told by whom it was claimed, and takes nothing over unseen.
def test_dispute_claimed_by_two_arbiters_at_once_is_that_of_one():
    cast = make_cast()
    match = make_match(entries=[king()], club=cast.club)
    flag(match, actor=by(cast.badr))
    seen = newest(match)
    answers = at_once(
        *[
            lambda user=user: act(disputes.claim, match, actor=by(user), version=seen)
            for user in (cast.esam, cast.owner)
        ]
    )
    (late,) = [answer for answer in answers if isinstance(answer, ServiceError)]
    (won,) = [answer for answer in answers if not isinstance(answer, ServiceError)]
    assert late.code == "stale"
    assert dispute_of(match).claimed_by == won.claimed_by == late.events[0].user
    assert not list(findings())


def test_flags_of_four_at_once_are_one_dispute():
    cast = make_cast()
    match = make_match(entries=[king()], club=cast.club)
    people = (cast.amal, cast.badr, cast.carmen, cast.dima)
    at_once(*[lambda user=user: flag(match, actor=by(user), version=2) for user in people])
    assert (Flag.objects.count(), Dispute.objects.count()) == (4, 1)
    assert not list(findings())


def test_same_key_flags_once_at_the_same_moment():
    cast = make_cast()
    match, key = make_match(entries=[king()], club=cast.club), uuid.uuid4()
    given = {"actor": by(cast.badr), "version": 2, "entry_key": key}
    rows = at_once(*[lambda: flag(match, **given)] * 3)
    assert {row.id for row in rows} == {Flag.objects.get().id}


def test_writes_to_two_matches_do_not_disturb_each_other():
    one, two = make_match(), make_match()
    at_once(saving(one, king(), uuid.uuid4()), saving(two, diamonds(), uuid.uuid4()))
    assert Deal.objects.count() == 2


def test_same_key_at_the_same_moment_opens_one_match():
    new, key = matches.NewMatch(ruleset("levant"), NAMES), uuid.uuid4()
    opening = {"actor": PHONE, "now": NOW, "entry_key": key}
    opened = at_once(*[lambda: matches.open_match(new, **opening)] * 4)
    assert {match.id for match in opened} == {Match.objects.get().id}
    assert (MatchEvent.objects.count(), Player.objects.count()) == (1, 4)


def test_finished_by_two_phones_at_once_is_finished_once():
    match = make_evening("evening-levant")
    done = at_once(*[lambda: finish(match, version=match.version)] * 2)
    assert {answer.state for answer in done} == {"finished"}
    assert MatchEvent.objects.filter(kind="match_finished").count() == 1


def test_rematch_asked_for_by_two_phones_at_once_is_one_match():
    match = make_match()
    asked = {"match_id": match.id, "turn_seats": True, "actor": PHONE, "now": NOW}
    given = at_once(*[lambda: matches.rematch(entry_key=uuid.uuid4(), **asked)] * 2)
    assert len({answer.id for answer in given}) == 1


def test_deal_and_finish_at_once_leave_a_whole_match():
    match = make_evening("evening-levant", deals=19)
    last = evenings()["evening-levant"]["deals"][19]
    at_once(lambda: record(match, last), lambda: finish(match))
    match.refresh_from_db()
    finish(match)
    assert Match.objects.get().state == "finished"
    assert not list(findings())


# Two arbiters rule on the same deal at the same moment: one of them, and nothing is half done.
def test_two_arbiters_at_once_publish_one_ruling():
    cast = make_cast()
    match = make_match(club=cast.club, players=cast.players, entries=[king(), diamonds(4, 3, 3, 3)])
    version = newest(match)

    def ruling(actor, decision):
        given = {"entry_key": uuid.uuid4(), "version": version, "reason": "Seen."}
        given["decision"] = decision
        return lambda: act(rulings.publish, match, 2, actor=by(actor), **given)

    corrected = rulings.Decision("corrected", diamonds(3, 4, 3, 3))
    adjusted = rulings.Decision("adjusted", adjustment=(0, 0, 0, -5))
    given = at_once(ruling(cast.esam, corrected), ruling(cast.owner, adjusted))
    assert sorted(type(answer).__name__ for answer in given) == ["Ruling", "Stale"]
    assert Ruling.objects.count() == 1
    assert not list(findings())


# ── signatures ──────────────────────────────────────────────────────────


def signing(match, seat, key, version):
    write = Write(match.id, key, version, PHONE, NOW)
    return lambda: service.sign(write, unit=1, seat=seat, by_scorer=True)


def test_seat_signs_once_at_the_same_moment():
    match, key = make_evening("evening-levant", 5), uuid.uuid4()
    same = at_once(*[signing(match, 1, key, match.version)] * 3)
    assert {row.id for row in same} == {Signature.objects.get().id}
    others = at_once(*[signing(match, 2, uuid.uuid4(), match.version) for _ in range(2)])
    refused = [answer.code for answer in others if isinstance(answer, ServiceError)]
    assert refused == ["signed_already"]
    assert not list(findings())


def test_four_seats_sign_at_the_same_moment_and_each_on_its_own_head():
    match = make_evening("evening-levant", 5)
    at_once(*[signing(match, seat, uuid.uuid4(), match.version) for seat in range(4)])
    rows = Signature.objects.all()
    assert {row.seat for row in rows} == {0, 1, 2, 3}
    assert len({row.head for row in rows}) == 4
    assert not list(findings())


# Two of one table are never one person.
def test_two_who_are_merged_while_they_sit_down_are_not_both():
    people = make_cast().players
    ids = [player.id for player in people]
    answers = at_once(
        lambda: make_match(club=people[0].club, players=ids),
        lambda: merging.merge(player=people[0], into=people[1], actor=PHONE, now=NOW),
    )
    refused = [answer.code for answer in answers if isinstance(answer, ServiceError)]
    assert refused in (["sat_together"], ["unknown_player"])
    assert (
        Match.objects.count()
        == Player.objects.filter(merged_into=None, club=people[0].club).count() - 3
    )


def test_merge_loses_no_points_while_a_match_is_opened_again():
    people = make_cast().players
    club = people[0].club
    match = finish(make_evening("evening-levant", club=club))
    person, other = match.results.first().seated, PlayerFactory(club=club)
    version = newest(match)
    at_once(
        lambda: merging.merge(player=person, into=other, actor=PHONE, now=NOW),
        lambda: write(matches.reopen, match, version=version),
    )
    assert not PlayerTotal.objects.exists()
    finish(match)
    assert [name for _, names in totals.recount_all(club) for name in names] == []
    assert MatchResult.objects.filter(player=other).exists()
