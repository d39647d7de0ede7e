import uuid
from datetime import timedelta

import pytest

from scoring.common.errors import ServiceError, Stale
from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.ledger.services import deals as ledger
from scoring.ledger.services.chain import Write
from scoring.models import CurrentDeal, Deal, MatchEvent, UsedContract, Void, Words
from scoring.rules import Contract, Entry, Tally
from tests.factories import (
    NOW,
    PHONE,
    correct,
    diamonds,
    entry_of,
    evenings,
    finish,
    king,
    make_evening,
    make_match,
    record,
    void,
)

pytestmark = pytest.mark.django_db


def totals(match):
    return snapshot_of(match).sheet.totals


def refusal(call, *args, **kwargs):
    """The refusal of a call, which must have written nothing."""
    before = [model.objects.count() for model in (Deal, Void, MatchEvent, Words, CurrentDeal)]
    with pytest.raises(ServiceError) as caught:
        call(*args, **kwargs)
    after = [model.objects.count() for model in (Deal, Void, MatchEvent, Words, CurrentDeal)]
    assert before == after
    return caught.value


@pytest.mark.parametrize("name", ["evening-levant", "evening-kleshchi", "evening-barbu"])
def test_evening_gives_the_running_totals_of_the_file(name):
    match = make_evening(name)
    sheet = snapshot_of(match).sheet
    deals = evenings()[name]["deals"]
    assert [list(row.totals) for row in sheet.rows] == [deal["totals"] for deal in deals]
    assert list(sheet.totals) == evenings()[name]["totals"]
    assert snapshot_of(match).turn.over


# Points and totals are worked out, never stored with a deal. C73
def test_deal_keeps_what_happened_and_no_points():
    match = make_match(entries=[king(taken_by=2, doubles=[{"card": "KH", "by": 1}])])
    deal = Deal.objects.get()
    assert (deal.deal_number, deal.dealer, deal.chooser, deal.leader) == (1, 3, 0, 0)
    assert deal.payload == {
        "v": 1,
        "contract": "king",
        "chooser": 0,
        "forced": False,
        "input": {"king_taken_by": 2, "doubles": [{"card": "KH", "by": 1}]},
    }
    assert deal.event.device == PHONE.device
    assert totals(match) == (0, 75, -150, 0)


def test_event_says_when_it_was_played_and_when_it_was_entered():
    match = make_match()
    record(match, king(), now=NOW, played_at=NOW - timedelta(hours=2))
    event = MatchEvent.objects.get(kind="deal_recorded")
    assert (event.played_at, event.entered_at) == (NOW - timedelta(hours=2), NOW)
    assert Deal.objects.get().played_at == NOW - timedelta(hours=2)


def test_table_that_did_otherwise_is_taken_as_it_was():
    match = make_match()
    deal = record(match, king(chooser=2), dealer=1, leader=3).deal
    assert (deal.chooser, deal.dealer, deal.leader) == (2, 1, 3)


def test_same_key_gives_the_first_answer_and_writes_nothing():
    match = make_match()
    key = uuid.uuid4()
    first = record(match, king(taken_by=1), entry_key=key)
    again = record(match, king(taken_by=3), entry_key=key, version=1, now=NOW + timedelta(hours=1))
    assert (first.repeated, again.repeated) == (False, True)
    assert again.deal == first.deal
    assert Deal.objects.count() == 1
    assert totals(match) == (0, -75, 0, 0)


def test_same_key_is_answered_after_the_match_was_closed():
    match = make_evening("evening-levant", deals=19)
    key = uuid.uuid4()
    last = evenings()["evening-levant"]["deals"][19]
    deal = record(match, last, entry_key=key).deal
    finish(match)
    assert record(match, last, entry_key=key, version=3).deal == deal


def test_same_key_of_a_correction_and_of_a_void():
    match = make_match(entries=[king(taken_by=1)])
    key, other = uuid.uuid4(), uuid.uuid4()
    old = Deal.objects.get()
    new = correct(match, old, king(taken_by=2), entry_key=key).deal
    assert correct(match, old, king(taken_by=3), entry_key=key).deal == new
    void(match, new, entry_key=other)
    assert void(match, new, entry_key=other).repeated
    assert MatchEvent.objects.count() == 4


def test_key_of_another_match_or_another_write_is_refused():
    match, other = make_match(), make_match()
    key = uuid.uuid4()
    deal = record(match, king(), entry_key=key).deal
    assert refusal(record, other, king(), entry_key=key).code == "form_expired"
    assert refusal(void, match, deal, entry_key=key).code == "form_expired"


# Who comes late is told what changed. C38
def test_stale_version_names_what_was_entered_since():
    match = make_match()
    theirs = record(match, king(taken_by=1)).deal
    refused = refusal(record, match, king(taken_by=3), version=1)
    assert isinstance(refused, Stale)
    assert (refused.code, refused.current_version, refused.deals) == ("stale", 2, (theirs,))
    assert [event.kind for event in refused.events] == ["deal_recorded"]


def test_version_that_never_was_is_stale():
    assert refusal(record, make_match(), king(), version=7).code == "stale"


def test_closed_match_refuses_deals():
    match = make_evening("evening-levant")
    last = Deal.objects.get(deal_number=20)
    finish(match)
    assert refusal(record, match, king()).code == "match_closed"
    assert refusal(void, match, last).code == "match_closed"
    assert refusal(correct, match, last, king()).code == "match_closed"
    assert refusal(record, match, king(), version=1).code == "match_closed"


def test_contract_played_already_is_refused():
    refused = refusal(record, make_match(entries=[king()]), king())
    assert (refused.code, refused.field) == ("contract_used", "contract")


def test_contract_out_of_order_is_refused():
    match = make_match(system="kleshchi", options={"contract_order": "fixed"})
    assert refusal(record, match, diamonds()).code == "not_this_contract"


def test_deal_after_the_last_is_refused():
    assert refusal(record, make_evening("evening-levant"), king()).code == "match_over"


def test_every_problem_of_an_entry_is_named():
    entry = Entry(
        Contract.read("diamonds"),
        0,
        False,
        Tally.from_json({"diamonds": [1, 2, 3, 4], "doubles": [{"card": "QS", "by": 1}]}),
    )
    refused = refusal(record, make_match(), entry)
    assert {problem.field for problem in refused.problems} == {"diamonds", "doubles"}


# The taker is one of the four. C09
@pytest.mark.parametrize("seat", [-1, 4, 7])
def test_unknown_seat_is_refused(seat):
    match = make_match()
    for field in ("dealer", "leader"):
        refused = refusal(record, match, king(), **{field: seat})
        assert (refused.code, refused.field) == ("bad_seat", field)
    assert refusal(record, match, king(chooser=seat)).field == "chooser"


def test_deal_without_a_first_chooser_is_refused():
    match = make_match(first_chooser=None)
    assert {p.code for p in refusal(record, match, king(chooser=None)).problems} >= {
        "chooser_missing"
    }


# The server gives the deal number; a gap is refused. C11, C20
def test_number_that_the_form_did_not_show_is_refused():
    match = make_match(entries=[king()])
    refused = refusal(record, match, diamonds(), deal_number=4)
    assert (refused.code, refused.numbers) == ("wrong_number", {"expected": 2})


# Before and after are both kept. C47
def test_correction_is_a_new_row_and_the_old_one_stays():
    match = make_match(entries=[king(taken_by=1), diamonds(1, 2, 3, 7)])
    old = Deal.objects.get(deal_number=1)
    new = correct(match, old, king(taken_by=3), reason=" it was Dima ").deal
    assert (new.replaces, new.deal_number) == (old, 1)
    assert Deal.objects.count() == 3
    assert totals(match) == (-10, -20, -30, -145)
    assert Words.objects.get().text == "it was Dima"


def test_correction_may_change_the_contract_to_one_that_is_open():
    match = make_match(entries=[king(), diamonds()])
    deal = Deal.objects.get(deal_number=1)
    assert refusal(correct, match, deal, diamonds()).code == "contract_used"
    tricks = Entry(Contract.read("tricks"), 0, False, Tally.from_json({"tricks": [13, 0, 0, 0]}))
    correct(match, deal, tricks)
    used = UsedContract.objects.values_list("contract", flat=True)
    assert set(used) == {"tricks", "diamonds"}


def test_correction_of_a_chooser_moves_the_kingdoms():
    match = make_match(entries=[king(chooser=0)])
    correct(match, Deal.objects.get(), king(chooser=1))
    kingdoms = match.kingdoms.values_list("chooser", "position")
    assert list(kingdoms) == [(1, 1)]


# A correction always says why, signed or not. C47
def test_correction_needs_a_reason():
    match = make_match(entries=[king()])
    refused = refusal(correct, match, Deal.objects.get(), king(taken_by=1), reason="  ")
    assert (refused.code, refused.field) == ("missing", "reason")


def test_reason_has_a_limit():
    match = make_match(entries=[king()])
    refused = refusal(correct, match, Deal.objects.get(), king(), reason="x" * 501)
    assert (refused.code, refused.numbers) == ("too_long", {"limit": 500, "length": 501})


def test_only_a_standing_deal_is_corrected_or_voided():
    match = make_match(entries=[king(taken_by=1)])
    old = Deal.objects.get()
    new = correct(match, old, king(taken_by=2)).deal
    assert refusal(correct, match, old, king(taken_by=3)).code == "not_standing"
    void(match, new)
    assert refusal(void, match, new).code == "not_standing"
    foreign = make_match(entries=[king()])
    assert refusal(void, match, Deal.objects.get(match=foreign)).code == "not_standing"


def test_void_of_an_earlier_deal_needs_a_reason():
    match = make_match(entries=[king(), diamonds()])
    first, second = Deal.objects.order_by("deal_number")
    assert refusal(void, match, first).field == "reason"
    void(match, second)
    void(match, first)
    assert totals(match) == (0, 0, 0, 0)


# No next deal while one is missing. C20
def test_voided_number_is_the_next_to_be_played():
    match = make_match(entries=[king(taken_by=1), diamonds()])
    void(match, Deal.objects.get(deal_number=1), reason="wrong table")
    assert snapshot_of(match).turn.deal_number == 1
    assert record(match, king(taken_by=1)).deal.deal_number == 1


@pytest.mark.parametrize("name", ["evening-levant", "evening-barbu"])
@pytest.mark.parametrize("number", [1, 5, 20])
def test_void_and_enter_again_equals_never(name, number):
    match = make_evening(name)
    before = match_view(match)
    void(match, Deal.objects.get(deal_number=number), reason="once more")
    record(match, evenings()[name]["deals"][number - 1])
    match.refresh_from_db()
    after = match_view(match)
    assert [row.totals for row in after.sheet.rows] == [row.totals for row in before.sheet.rows]
    assert after.table.played == before.table.played
    assert after.turn == before.turn


def test_void_of_a_whole_kingdom_lets_another_begin():
    match = make_match(entries=[king(chooser=0)])
    void(match, Deal.objects.get())
    record(match, king(chooser=3))
    assert list(match.kingdoms.values_list("chooser", "position")) == [(3, 1)]


def test_combined_deal_uses_up_each_part():
    parts = ["king", "queens"]
    tally = Tally.from_json({"king_taken_by": 0, "queens": [4, 0, 0, 0]})
    match = make_match(options={"combo": "free"})
    record(match, Entry(Contract.read(parts), 0, False, tally))
    assert set(UsedContract.objects.values_list("contract", flat=True)) == set(parts)
    assert refusal(record, match, king()).code == "contract_used"


# A version on every write. C38
def test_each_write_is_one_event_on_the_version_that_was_seen():
    match = make_match(entries=[king(), diamonds()])
    void(match, Deal.objects.get(deal_number=2))
    events = match.events.order_by("seq")
    assert [event.seq for event in events] == [1, 2, 3, 4]
    assert [event.on_version for event in events] == [0, 1, 2, 3]
    match.refresh_from_db()
    assert (match.version, match.head) == (4, events[3].hash)


def test_save_takes_as_many_queries_early_as_late(django_assert_max_num_queries):
    evening = evenings()["evening-levant"]["deals"]
    for deals in (1, 18):
        match = make_evening("evening-levant", deals=deals)
        with django_assert_max_num_queries(13):
            ledger.record_deal(
                Write(match.id, uuid.uuid4(), match.version, PHONE, NOW),
                entry=entry_of(evening[deals]),
                dealer=evening[deals]["dealer"],
            )
