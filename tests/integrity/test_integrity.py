"""Changes behind the application's back, with the triggers off, on either database."""

import uuid
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from scoring.common import jobs
from scoring.common.actor import Actor
from scoring.integrity.queries.integrity import KeptHead, findings
from scoring.matches.services import matches
from scoring.models import (
    Club,
    CurrentDeal,
    Deal,
    JobKind,
    Kingdom,
    LogSeal,
    Match,
    MatchEvent,
    MatchResult,
    Season,
    Seating,
    Signature,
    UsedContract,
    Void,
    Words,
    triggers,
)
from scoring.models.log import OUTSIDE
from scoring.models.triggers import without_triggers
from tests.factories import (
    NOW,
    adjust,
    correct,
    diamonds,
    even_entries,
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
from tests.support import signing

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    """An evening with a correction and a void in it, closed."""
    match = make_evening("evening-levant", deals=19)
    correct(match, Deal.objects.get(deal_number=2), king(taken_by=3, chooser=1))
    void(match, Deal.objects.get(deal_number=19))
    for deal in evenings()["evening-levant"]["deals"][18:]:
        record(match, deal)
    return finish(match)


def found(heads=()):
    return [(finding.code, finding.table, finding.row) for finding in findings(heads)]


def change(row, **values):
    """UPDATE past the triggers."""
    with without_triggers(connection):
        assert type(row).objects.filter(pk=row.pk).update(**values) == 1


def remove(*rows):
    with without_triggers(connection):
        for row in rows:
            type(row).objects.filter(pk=row.pk)._raw_delete("default")


MODELS = {model.TABLE: model for model in (Deal, Void, Seating, Signature)}


def make_chain_anew(match):
    """What somebody does who knows how the chain is made: every hash is right again."""
    before = ""
    with without_triggers(connection):
        for event in match.events.order_by("seq"):
            for named in event.content["rows"]:
                model = MODELS[named[0]]
                named[2] = model.objects.get(id=named[1]).digest()
            event.prev_hash = before
            before = event.hash = event.work_out_hash()
            event.save()
        Match.objects.filter(id=match.id).update(head=before)


def test_ledger_as_it_was_written_has_no_fault(match):
    assert found() == []


@pytest.mark.parametrize("name", ["evening-kleshchi", "evening-barbu"])
def test_other_systems_have_no_fault(name):
    finish(make_evening(name))
    assert found() == []


@pytest.mark.parametrize(
    "values",
    [
        {"payload": {"v": 1, "contract": "king", "input": {"king_taken_by": 0}}},
        {"dealer": 3},
        {"leader": None},
        {"deal_number": 33},
        {"uses_contract": False},
        {"forced": True},
    ],
)
def test_changed_deal_is_named(match, values):
    deal = Deal.objects.get(deal_number=7)
    change(deal, **values)
    assert ("row_changed", "deal", deal.id) in found()


def test_changed_seating_and_void_are_named(match):
    seating, taken_back = Seating.objects.first(), Void.objects.get()
    other = Deal.objects.get(deal_number=5)
    change(seating, from_deal=4)
    change(taken_back, deal=other)
    assert {
        ("row_changed", "seating", seating.id),
        ("row_changed", "void", taken_back.id),
    } <= set(found())


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "deal_corrected"},
        {"entered_at": "2020-01-01T00:00:00Z"},
        {"played_at": "2020-01-01T00:00:00Z"},
        {"device": uuid.UUID(int=77)},
        {"entry_key": uuid.UUID(int=78)},
        {"on_version": 1},
        {"subject_id": uuid.UUID(int=79)},
        {"content": {}},
        {"content": []},
        {"content": {"rows": [[1]], "facts": {}, "words": {"reason": 3}}},
    ],
)
def test_changed_event_is_named(match, values):
    event = MatchEvent.objects.get(seq=5)
    change(event, **values)
    assert ("event_changed", "event", event.id) in found()


def test_event_that_names_another_before_it_is_named(match):
    event = MatchEvent.objects.get(seq=5)
    event.prev_hash = "0" * 64
    change(event, prev_hash=event.prev_hash, hash=event.work_out_hash())
    assert {
        ("chain_broken", "event", event.id),
        ("chain_broken", "event", MatchEvent.objects.get(seq=6).id),
    } <= set(found())


def test_missing_rows_are_named(match):
    deal = Deal.objects.get(deal_number=20)
    with without_triggers(connection):
        UsedContract.objects.filter(current_deal__deal=deal).delete()
        CurrentDeal.objects.filter(deal=deal).delete()
        Deal.objects.filter(id=deal.id)._raw_delete("default")
    assert ("row_missing", "deal", deal.id) in found()


def test_row_that_no_event_made_is_named(match):
    event = match.events.get(seq=3)
    row = Deal.objects.get(deal_number=9)
    row.id, row.event, row.deal_number = uuid.uuid4(), event, 21
    row.save(force_insert=True)
    assert ("row_unnamed", "deal", row.id) in found()


def test_gap_in_the_numbers_is_named(match):
    event = match.events.get(seq=10)
    deal = Deal.objects.get(event=event)
    with without_triggers(connection):
        UsedContract.objects.filter(current_deal__deal=deal).delete()
        CurrentDeal.objects.filter(deal=deal).delete()
        Deal.objects.filter(id=deal.id)._raw_delete("default")
        MatchEvent.objects.filter(id=event.id)._raw_delete("default")
    assert ("number_gap", "event", match.events.get(seq=11).id) in found()


def test_cut_tail_is_named(match):
    remove(match.events.get(seq=match.version))
    assert ("tail_cut", "match", match.id) in found()


def test_tail_cut_with_everything_put_right_shows_against_a_kept_head(match):
    head = KeptHead(match.id, match.head, match.version)
    last = match.events.get(seq=match.version)
    remove(last)
    end = match.events.get(seq=last.seq - 1)
    Match.objects.update(version=end.seq, head=end.hash, state="running", closed_at=None)
    MatchResult.objects.all().delete()
    assert found() == []
    assert found([head]) == [("tail_cut", "head", head.hash)]
    assert found([KeptHead(match.id, head.hash)]) == [("kept_head_missing", "head", head.hash)]


def test_chain_made_anew_shows_against_a_kept_head(match):
    heads = [KeptHead(match.id, match.head, match.version), KeptHead(match.id, match.head)]
    deal = Deal.objects.get(deal_number=4)
    payload = deal.payload | {"input": {"finish_order": [0, 1, 2, 3]}}
    change(deal, payload=payload)
    make_chain_anew(match)
    call_command("rebuild_results", stdout=StringIO())
    assert found() == []
    assert [code for code, _, _ in found(heads)] == ["chain_replaced", "kept_head_missing"]


def test_old_head_of_a_match_that_went_on_is_found(match):
    event = match.events.get(seq=8)
    assert found([KeptHead(match.id, event.hash, 8), KeptHead(match.id, event.hash)]) == []


def test_match_that_is_gone_shows_against_a_kept_head(match):
    lost = uuid.uuid4()
    assert found([KeptHead(lost, match.head, 3)]) == [("match_missing", "match", lost)]


@pytest.mark.parametrize(
    "values",
    [
        {"options": {"values.king": 100}},
        {"system": "kleshchi"},
        {"state": "running"},
        {"first_chooser": 3},
        {"played_at": "2020-01-01T00:00:00Z"},
        {"closed_at": None},
        {"holder_device": uuid.UUID(int=7)},
        {"external_id": "other"},
    ],
)
def test_changed_match_is_named(match, values):
    change(match, **values)
    assert ("match_changed", "match", match.id) in found()


@pytest.mark.parametrize("values", [{"version": 99}, {"version": 3}, {"head": "0" * 64}])
def test_match_that_points_elsewhere_is_named(match, values):
    change(match, **values)
    code = "tail_cut" if values.get("version") == 99 else "head_differs"
    assert (code, "match", match.id) in found()


@pytest.mark.parametrize(
    ("model", "values"),
    [
        (Kingdom, {"position": 9}),
        (CurrentDeal, {"deal_number": 33}),
        (CurrentDeal, {"kingdom": None}),
        (UsedContract, {"contract": "hearts"}),
        (MatchResult, {"total": 1000}),
        (MatchResult, {"place": 2}),
        (MatchResult, {"points": 1}),
    ],
)
def test_changed_derived_row_is_named_and_rebuilt(match, model, values):
    change(model.objects.exclude(**values).order_by("id").first(), **values)
    assert [code for code, _, _ in found()] == ["derived_differs"]
    call_command("rebuild_results", stdout=StringIO())
    assert found() == []


def test_rules_that_an_entry_no_longer_passes_are_named():
    match = make_match(entries=[king(doubles=[{"card": "KH", "by": 1}])])
    change(match, options={"doubling.king": False})
    assert {code for code, _, _ in found()} == {"match_changed", "entry_refused"}


def test_payload_that_cannot_be_read_is_named():
    match = make_match(entries=[king()])
    for payload in ([], {"v": 7}, {"v": 1, "contract": "king"}, "king"):
        change(Deal.objects.get(match=match), payload=payload)
        assert {"row_changed", "entry_refused"} <= {code for code, _, _ in found()}


@pytest.mark.parametrize(
    ("row", "values"),
    [
        ("adjustment", {"points": [0, 0, 0, -400]}),
        ("adjustment", {"after_deal": 0}),
        ("adjustment", {"code": "correction"}),
        ("redeal", {"asked_by": 2}),
        ("redeal", {"dealer": 1}),
        ("redeal", {"hand": ["AH"]}),
        ("redeal", {"deal_number": 1}),
    ],
)
def test_changed_row_beside_the_deals_is_named(row, values):
    match = make_match(entries=[king()])
    rows = {
        "adjustment": adjust(match),
        "redeal": redeal(match, "weak_hearts", asked_by=1, hand=("KH",)),
    }
    assert found() == []
    change(rows[row], **values)
    assert ("row_changed", row, rows[row].id) in found()


def test_row_beside_the_deals_that_the_rules_do_not_know_is_named():
    match = make_match(entries=[king()])
    penalty, again = adjust(match), redeal(match, "weak_hearts", asked_by=1)
    change(penalty, code="bribe", points=[1])
    change(match, options={"redeal.weak_hearts": "off"})
    assert {("row_refused", "adjustment", penalty.id), ("row_refused", "redeal", again.id)} <= set(
        found()
    )


def test_state_of_a_match_is_that_of_its_events():
    off = write(matches.break_off, make_match(entries=[king()]))
    gone = write(matches.void_match, make_match(), reason="a wrong deck")
    assert found() == []
    change(off, state="running")
    change(gone, state="unfinished")
    assert set(found()) == {("match_changed", "match", each.id) for each in (off, gone)}


def test_erased_words_are_erased_and_no_fault():
    match = make_match(entries=[king(), diamonds()])
    void(match, Deal.objects.get(deal_number=1), reason="Amal had mixed up the cards")
    words = Words.objects.get()
    Words.objects.all().delete()
    (erased,) = findings()
    assert (erased.code, erased.row, erased.is_fault) == ("erased", words.id, False)


def test_changed_words_are_named():
    match = make_match(entries=[king(), diamonds()])
    void(match, Deal.objects.get(deal_number=1), reason="Amal had mixed up the cards")
    words = Words.objects.get()
    change(words, text="Badr had mixed up the cards")
    assert found() == [("words_changed", "words", words.id)]


def test_missing_trigger_is_named(match):
    triggers.drop_triggers(connection)
    assert {code for code, _, _ in found()} == {"trigger_missing"}
    triggers.restore_triggers(connection)


# ---- the commands ----


def verify(*args):
    out = StringIO()
    call_command("verify_ledger", *args, stdout=out)
    return out.getvalue()


def test_command_says_that_all_is_well(match):
    told, outside = verify().splitlines()
    assert told == "1 matches, 0 faults, 0 erased"
    assert outside == "not covered: " + "; ".join(OUTSIDE.values())


def test_results_are_not_compared_while_they_are_recalculated(match):
    """After an upgrade the worker may still be busy: nothing was changed by anybody."""
    change(MatchResult.objects.first(), total=1000)
    with pytest.raises(CommandError, match="run rebuild_results"):
        verify()
    jobs.start(club=None, kind=JobKind.REBUILD, actor=Actor(), now=NOW)
    told = verify()
    assert "1 matches, 0 faults, 0 erased\n" in told
    assert "results are being recalculated" in told
    deal = Deal.objects.get(deal_number=7)
    change(deal, dealer=(deal.dealer + 1) % 4)
    with pytest.raises(CommandError, match="not what was written"):
        verify()


def test_command_names_the_row_and_fails(match):
    deal = Deal.objects.get(deal_number=7)
    change(deal, dealer=(deal.dealer + 1) % 4)
    out = StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("verify_ledger", stdout=out)
    assert caught.value.returncode == 1
    assert f"row_changed: match {match.id}: deal {deal.id} (event 8)" in out.getvalue()


def test_command_keeps_heads_and_compares_with_them(match, tmp_path):
    heads = tmp_path / "heads"
    heads.write_text(verify("--print-heads"))
    log = LogSeal.objects.order_by("seq").last()
    told = f"log {log.seq} {log.hash}\n{match.id} {match.version} {match.head}\n"
    assert heads.read_text() == told
    assert "0 faults" in verify("--heads", str(heads), "--heads", f"{match.id}={match.head}")
    deal = Deal.objects.get(deal_number=3)
    change(deal, dealer=(deal.dealer + 1) % 4)
    make_chain_anew(match)
    assert "0 faults" in verify("--match", str(match.id))
    with pytest.raises(CommandError):
        verify("--heads", str(heads))
    with pytest.raises(CommandError):
        verify("--heads", f"{match.id}={match.head}")


def test_log_that_was_cut_or_made_anew_shows_against_its_kept_head(match, tmp_path):
    heads = tmp_path / "heads"
    heads.write_text(verify("--print-heads").splitlines()[0])
    last = LogSeal.objects.order_by("seq").last()
    assert "0 faults" in verify("--heads", str(heads), "--heads", f"log={last.hash}")
    kept = [KeptHead(None, last.hash, last.seq), KeptHead(None, last.hash)]
    change(last, hash="0" * 64)
    told = [code for code, table, _ in found(kept) if table == "head"]
    assert told == ["chain_replaced", "kept_head_missing"]
    remove(last)
    told = [code for code, table, _ in found(kept) if table == "head"]
    assert told == ["tail_cut", "kept_head_missing"]


def test_zone_that_is_none_does_not_stop_the_check():
    cast = make_cast()
    finish(make_match(club=cast.club, players=cast.players, entries=even_entries()))
    Season.objects.create(club=cast.club, name="2026", starts_on=NOW, ends_on=NOW)
    QuerySet(Club).filter(pk=cast.club.pk).update(time_zone="odd")
    assert {("row_changed", "club"), ("sums_differ", "club")} <= {each[:2] for each in found()}


@pytest.mark.parametrize("given", ["no-such-file", "no-uuid=abc"])
def test_command_refuses_heads_it_cannot_read(db, given):
    with pytest.raises(CommandError, match=given):
        verify("--heads", given)


def test_verifying_takes_as_many_queries_for_one_match_as_for_ten():
    counts = []
    for more in (1, 9):
        for _ in range(more):
            make_match(entries=[king(), diamonds()])
        with CaptureQueriesContext(connection) as queries:
            assert found() == []
        counts.append(len(queries))
    assert counts[0] == counts[1]


# ── what was signed ─────────────────────────────────────────────────────


def test_signature_remembers_the_chain_that_it_was_given_on(match):
    """Every hash was worked out anew and is right in itself."""
    signing.sign(match, 2)
    assert found() == []
    row = Signature.objects.get()
    change(Deal.objects.get(deal_number=4), forced=True)
    make_chain_anew(match)
    assert ("signed_head_differs", "signature", row.id) in found()


@pytest.mark.parametrize("deals", [["no id"], [str(uuid.uuid4())], "nonsense", {"a": 1}])
def test_signature_of_deals_that_are_not_there(match, deals):
    row = signing.sign(match, 2)
    change(row, deals=deals)
    assert ("signed_deal_missing", "signature", row.id) in found()


def test_signature_of_a_deal_that_came_later(match):
    row = signing.sign(match, 2)
    write(matches.reopen, match)
    old = Deal.objects.standing().get(deal_number=2)
    later = correct(match, old, king(taken_by=0, chooser=1)).deal
    change(row, deals=[str(later.id)])
    assert ("signed_deal_missing", "signature", row.id) in found()
