"""Records attached to deals and taken back, and the verdicts that follow from them."""

import json
import uuid
from dataclasses import replace

import pytest
from django.db import connection

from scoring.common.errors import ServiceError, Stale
from scoring.history.queries.history import reasons
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.matches.services import matches
from scoring.models import (
    CardRecord,
    EventKind,
    MatchEvent,
    MatchResult,
    Verdict,
    Words,
    triggers,
)
from scoring.records.queries.records import as_submitted, record_of, row_of, same_elsewhere
from scoring.records.services.records import move, void_record
from scoring.replay.notation.json_records import read_json, to_json
from scoring.rules import Problem
from tests.factories import (
    NOW,
    ClubFactory,
    attach,
    correct,
    evening_record,
    evenings,
    finish,
    king,
    make_cast,
    make_evening,
    newest,
    record,
    void,
    write,
)

pytestmark = pytest.mark.django_db
LEVANT = "evening-levant"


def only_verdict(match):
    return Verdict.objects.get(match=match)


def facts(verdict):
    return verdict.deal_number, verdict.agrees, verdict.complete, verdict.codes


def sound(match):
    return not list(findings()) and rebuild(match_id=match.id) == []


def test_record_is_kept_as_it_was_given():
    match = make_evening(LEVANT, 3)
    given = evening_record(LEVANT, 3)
    row = attach(match, 3, given)
    assert replace(record_of(match, 3), id=given.id) == given
    assert as_submitted(row) == given
    assert to_json(given).items() >= row.content.items()
    assert facts(only_verdict(match)) == (3, True, True, "")
    event = MatchEvent.objects.get(entry_key=row.event.entry_key)
    assert (event.kind, event.subject_id) == (EventKind.RECORD_ATTACHED, row.id)
    assert sound(match)


def test_names_in_its_tags_can_be_erased_and_the_chain_holds():
    match = make_evening(LEVANT, 1)
    given = replace(evening_record(LEVANT, 1), id="Farah's", tags={"North": "Farah"})
    row = attach(match, 1, given)
    assert as_submitted(row) == given
    kept = CardRecord.objects.get()
    assert "Farah" not in json.dumps([kept.content, kept.event.content])
    Words.objects.get(text__contains="Farah").delete()
    assert [found.code for found in findings()] == ["erased"]
    assert as_submitted(kept).plays == given.plays


def test_same_key_twice_is_one_record():
    match = make_evening(LEVANT, 1)
    wish = {"entry_key": uuid.uuid4(), "version": newest(match)}
    rows = [attach(match, 1, evening_record(LEVANT, 1), **wish) for _ in range(2)]
    assert rows[0] == rows[1]
    assert CardRecord.objects.count() == 1


def test_fuller_record_counts_until_it_is_withdrawn():
    match = make_evening(LEVANT, 1)
    whole = evening_record(LEVANT, 1)
    parts = [replace(whole, plays=whole.plays[:cards]) for cards in (4, 13)]
    full, _, newest_part = [attach(match, 1, each) for each in (whole, *parts)]
    assert row_of(match, 1) == full
    assert facts(only_verdict(match)) == (1, True, True, "")
    assert sound(match)
    write(void_record, match, record_id=full.id, reason="another deal")
    assert row_of(match, 1) == newest_part
    assert not only_verdict(match).complete
    assert sound(match)


def test_newest_of_two_records_with_as_many_cards_counts():
    match = make_evening(LEVANT, 2)
    attach(match, 1, evening_record(LEVANT, 2))
    newest_row = attach(match, 1, evening_record(LEVANT, 1))
    assert row_of(match, 1) == newest_row


def test_same_record_again_is_refused_until_it_is_withdrawn():
    match = make_evening(LEVANT, 2)
    given = evening_record(LEVANT, 1)
    row = attach(match, 1, given)
    with pytest.raises(ServiceError) as refused:
        attach(match, 1, replace(given, id="copy", tags={"Club": "elsewhere"}))
    numbers = {"at": NOW.isoformat(), "row": str(row.id)}
    assert refused.value.problems == (Problem("already_attached", "record", numbers),)
    assert CardRecord.objects.count() == 1
    write(void_record, match, record_id=row.id, reason="another deal")
    assert row_of(match, 1) is None
    attach(match, 1, given)
    assert only_verdict(match).agrees


def test_version_that_is_not_the_newest_is_stale():
    match = make_evening(LEVANT, 1)
    with pytest.raises(Stale):
        attach(match, 1, evening_record(LEVANT, 1), version=newest(match) - 1)
    assert not CardRecord.objects.exists()


# Neither points nor standings follow from cards by themselves. C116
def test_record_moves_no_points_whatever_it_shows():
    match = make_evening(LEVANT)
    finish(match)
    before = list(MatchResult.objects.order_by("id").values()), snapshot_of(match).sheet.totals
    assert len(before[0]) == 4
    for other in (1, 2, 3):
        attach(match, 5, evening_record(LEVANT, other))
        attach(match, other, evening_record(LEVANT, 5))
    match.refresh_from_db()
    assert not all(Verdict.objects.values_list("agrees", flat=True))
    after = list(MatchResult.objects.order_by("id").values()), snapshot_of(match).sheet.totals
    assert after == before


# Disputes come after the match. C59
@pytest.mark.parametrize("closing", [finish, lambda match: write(matches.break_off, match)])
def test_closed_match_takes_a_record(closing):
    match = make_evening(LEVANT)
    closing(match)
    attach(match, 20, evening_record(LEVANT, 20))
    assert only_verdict(match).agrees
    assert sound(match)


@pytest.mark.parametrize(("number", "there"), [(0, False), (1, True), (2, True), (3, False)])
def test_record_is_of_a_deal_played_or_of_the_next(number, there):
    match = make_evening(LEVANT, 1)
    if there:
        attach(match, number, evening_record(LEVANT, 1))
    else:
        with pytest.raises(ServiceError) as refused:
            attach(match, number, evening_record(LEVANT, 1))
        assert (refused.value.code, refused.value.numbers) == ("wrong_number", {"expected": 2})


def test_nothing_comes_after_the_last_deal():
    match = make_evening(LEVANT)
    with pytest.raises(ServiceError, match="wrong_number"):
        attach(match, 21, evening_record(LEVANT, 20))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"system": "kleshchi"}, "other_system"),
        ({"system": "whist"}, "unreadable"),
        ({"contract": None}, "unreadable"),
        ({"plays": [], "hands": None}, "missing"),
        ({"plays": [{"seat": 0, "card": "1H"}]}, "unreadable"),
        ({"contract": "trex", "plays": [{"seat": 1, "pass": True}] * 401}, "too_many_plays"),
    ],
)
def test_what_is_no_record_of_this_match_is_refused(changes, code):
    match = make_evening(LEVANT, 1)
    with pytest.raises(ServiceError) as refused:
        attach(match, 1, changed(evening_record(LEVANT, 1), changes))
    assert refused.value.code == code
    assert not CardRecord.objects.exists()


def test_card_that_no_deck_has_is_refused():
    match = make_evening("evening-barbu", 1)
    given = evening_record("evening-barbu", 1)
    content = to_json(given)
    content["plays"][0]["card"] = "2C"
    with pytest.raises(ServiceError) as refused:
        attach(match, 1, changed(given, content))
    assert (refused.value.code, refused.value.numbers) == ("unknown_card", {"cards": ["2C"]})


def changed(given, changes):
    return next(read_json(json.dumps(to_json(given) | changes)))


def test_record_of_another_contract_is_kept_and_told():
    match = make_evening(LEVANT, 2)
    attach(match, 2, evening_record(LEVANT, 1))
    assert facts(only_verdict(match)) == (2, False, True, " other_dealer other_contract ")


# ── which one counts ────────────────────────────────────────────────────


def test_newest_counts_and_taken_back_the_one_before():
    match = make_evening(LEVANT, 2)
    first = attach(match, 2, evening_record(LEVANT, 1))
    second = attach(match, 2, evening_record(LEVANT, 2))
    assert row_of(match, 2) == second
    assert only_verdict(match).agrees
    take_back(match, second)
    assert row_of(match, 2) == first
    assert only_verdict(match).codes == " other_dealer other_contract "
    assert sound(match)
    take_back(match, first)
    assert record_of(match, 2) is None
    assert not Verdict.objects.exists()
    assert sound(match)


def take_back(match, row, **changes):
    return write(void_record, match, **{"record_id": row.id, "reason": "Not this deal", **changes})


def test_taking_back_needs_a_reason_and_something_to_take():
    match = make_evening(LEVANT, 1)
    row = attach(match, 1, evening_record(LEVANT, 1))
    with pytest.raises(ServiceError, match="missing"):
        take_back(match, row, reason=" ")
    key = uuid.uuid4()
    assert take_back(match, row, entry_key=key) == take_back(match, row, entry_key=key)
    with pytest.raises(ServiceError, match="not_standing"):
        take_back(match, row)
    assert match.events.filter(kind=EventKind.RECORD_VOIDED).count() == 1


def test_record_of_another_match_is_not_taken_back_here():
    match, other = make_evening(LEVANT, 1), make_evening(LEVANT, 1)
    row = attach(other, 1, evening_record(LEVANT, 1))
    with pytest.raises(ServiceError, match="not_standing"):
        take_back(match, row)


# ── verdicts follow ─────────────────────────────────────────────────────


def test_verdict_follows_the_deal():
    match = make_evening(LEVANT, 2)
    attach(match, 2, evening_record(LEVANT, 2))
    attach(match, 3, evening_record(LEVANT, 3))
    deal = match.current_deals.get(deal_number=2).deal
    worth = evenings()[LEVANT]["deals"][1]
    assert worth["contract"] == "king"
    wrong = (worth["input"]["king_taken_by"] + 1) % 4
    correct(match, deal, king(wrong, chooser=deal.chooser), dealer=deal.dealer)
    assert Verdict.objects.get(deal_number=2).codes == " taker_differs "
    assert Verdict.objects.get(deal_number=3).agrees is None
    record(match, evenings()[LEVANT]["deals"][2])
    assert Verdict.objects.get(deal_number=3).agrees is True
    assert sound(match)
    void(match, match.current_deals.get(deal_number=3).deal)
    assert Verdict.objects.get(deal_number=3).agrees is None
    assert sound(match)


def test_verdict_that_was_changed_is_found_and_rebuilt():
    match = make_evening(LEVANT, 1)
    attach(match, 1, evening_record(LEVANT, 1))
    Verdict.objects.update(agrees=False)
    assert [found.table for found in findings()] == ["verdicts"]
    assert rebuild(match_id=match.id) == ["verdicts"]
    assert only_verdict(match).agrees is True


def test_record_that_was_changed_behind_the_back_is_found():
    match = make_evening(LEVANT, 1)
    row = attach(match, 1, evening_record(LEVANT, 1))
    with triggers.without_triggers(connection):
        content = row.content | {"system": "kleshchi", "dealer": 9}
        CardRecord.objects.filter(id=row.id).update(content=content)
    codes = {found.code for found in findings()}
    assert codes >= {"row_changed", "row_refused"}


def two_of_one_club():
    """Two matches of a club, of which the first has the record."""
    club = make_cast().club
    one, other = (make_evening(LEVANT, 2, club=club) for _ in range(2))
    return one, other, attach(one, 1, evening_record(LEVANT, 1))


def moved(match, row, **changes):
    given = {"deal_number": 1, "record": evening_record(LEVANT, 1), "from_id": row.id}
    return write(move, match, **{**given, "reason": "the other table's", **changes})


def test_same_record_in_another_match_of_the_club_is_found():
    one, other, row = two_of_one_club()
    given = evening_record(LEVANT, 1)
    elsewhere = make_evening(LEVANT, 1), make_evening(LEVANT, 1, club=ClubFactory())
    assert same_elsewhere(other, replace(given, id="copy")) == [row]
    assert same_elsewhere(other, evening_record(LEVANT, 2)) == []
    assert [same_elsewhere(match, given) for match in (one, *elsewhere)] == [[], [], []]
    write(void_record, one, record_id=row.id, reason="another deal")
    assert same_elsewhere(other, given) == []


def test_record_is_moved_to_another_match_once():
    one, other, row = two_of_one_club()
    key = {"entry_key": uuid.uuid4()}
    attached = moved(other, row, **key)
    assert moved(other, row, **key) == attached
    assert (row_of(one, 1), row_of(other, 1)) == (None, attached)
    assert only_verdict(other).agrees
    assert not Verdict.objects.filter(match=one).exists()
    assert reasons([row.void.event])[row.void.event.id] == "the other table's"
    assert sound(one)
    assert sound(other)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"reason": " "}, "missing"),
        ({"deal_number": 9}, "wrong_number"),
        ({"record": evening_record(LEVANT, 2)}, "not_standing"),
        ({"from_id": uuid.uuid4()}, "not_standing"),
    ],
)
def test_record_that_cannot_be_moved_stays(changes, code):
    one, other, row = two_of_one_club()
    before = newest(one), newest(other)
    with pytest.raises(ServiceError) as refused:
        moved(other, row, **changes)
    assert refused.value.code == code
    assert (newest(one), newest(other)) == before
    assert row_of(one, 1) == row
