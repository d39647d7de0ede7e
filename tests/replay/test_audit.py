"""Entries held against records: item by item, and where the two first part."""

from dataclasses import replace
from random import Random

import pytest

from scoring.replay.audit import audit
from scoring.replay.engine import replay
from scoring.replay.words import finding_words
from scoring.rules import Contract, Double, Entry, Tally, read_entry
from tests import chance
from tests.replay.making import captured, make, record_of, tricks
from tests.support.players import any_legal_deal, legal_deal
from tests.support.worked import load

NAMES = ("Amal", "Badr", "Carmen", "Dima")
DEALS = [deal for evening in load("evenings") for deal in evening["deals"] if deal.get("record")]

NUMBERS = [f"{deal['record']['system']}-{deal['deal_number']}" for deal in DEALS]


def audited(record, *entries):
    rules = record.ruleset()
    return audit(record, replay(record, rules), entries, rules)


def entry_of(record, **facts):
    return Entry(record.contract, record.chooser, record.forced, Tally(**facts))


def said(report):
    return [finding_words(finding, NAMES) for finding in report.findings]


def wrong(data):
    """Each way to change one value of an input so that it can still be scored."""
    for key, value in data.items():
        match value:
            case int():
                yield key, data | {key: (value + 1) % 4}
            case {}:
                for card, seat in value.items():
                    rest = {name: other for name, other in data.items() if name != "queens"}
                    yield key, rest | {key: value | {card: (seat + 1) % 4}}
            case [int(), int(), int(), int()] if key != "finish_order":
                taken = next(seat for seat in range(4) if value[seat])
                moved = list(value)
                moved[taken] -= 1
                moved[(taken + 1) % 4] += 1
                yield key, {n: v for n, v in data.items() if n != "queens_taken_by"} | {key: moved}
            case [one, other, *rest] if key == "finish_order":
                yield key, data | {key: [other, one, *rest]}


@pytest.mark.parametrize(
    "deal", DEALS, ids=lambda deal: f"{deal['record']['system']}-{deal['deal_number']}"
)
def test_entry_of_an_evening_agrees_and_any_changed_value_is_found(deal):
    record = record_of(deal["record"])
    rules = record.ruleset()
    found = replay(record, rules)
    entry = read_entry(deal, rules).entry
    report = audit(record, found, [entry], rules)
    assert (report.agrees, report.findings) == (True, ())
    for key, data in wrong(deal["input"]):
        reading = read_entry({**deal, "input": data}, rules)
        if reading.entry is None:
            continue
        spoilt = audit(record, found, [reading.entry], rules)
        assert spoilt.agrees is False, (key, data)
        assert spoilt.first_difference.entered is not None


def test_open_record_says_what_cannot_be_right():
    record = make("diamonds", system="kleshchi", captured=captured("2D:S 3D:S 4D:S 5D:N"))
    report = audited(record, entry_of(record, diamonds=(4, 7, 2, 0)))
    assert said(report) == [
        "Carmen took at least 3 diamonds; the entered 2 cannot be right",
    ]
    finding = report.first_difference
    assert (finding.code, finding.item, finding.seat) == ("number_differs", "diamonds", 2)
    assert (finding.entered, finding.least, finding.most) == (2, 3, 12)
    assert report.possible is False


def test_entry_within_the_bounds_is_never_called_wrong():
    for seed in chance.seeds(10):
        rng = Random(seed)
        record = any_legal_deal(rng, doubles=())
        whole = replay(record, record.ruleset())
        part = replace(record, plays=record.plays[: rng.randrange(len(record.plays))])
        entry = Entry(record.contract, record.chooser, record.forced, whole.tally)
        assert audited(part, entry).agrees, seed


def test_first_difference_is_the_trick_where_the_count_was_passed():
    record = legal_deal(Random(4), "levant", {}, Contract.read("tricks"))
    found = replay(record, record.ruleset())
    first = found.tricks[0].winner
    counts = list(found.tally.tricks)
    counts[first], counts[(first + 1) % 4] = 0, counts[(first + 1) % 4] + counts[first]
    report = audited(record, entry_of(record, tricks=tuple(counts)))
    assert (report.first_difference.trick, report.first_difference.seat) == (0, first)


KING = "N 2C 3C 4C KH"


def test_king_in_the_wrong_place_is_named_with_its_trick():
    record = make("king", tricks(KING), leader=0)
    report = audited(record, entry_of(record, king_taken_by=1))
    assert said(report) == ["trick 1: Carmen took KH, not Badr"]


def test_doubles_are_compared_both_ways():
    record = make("king", tricks(KING), leader=0, doubles=(Double("KH", 3),))
    report = audited(record, entry_of(record, king_taken_by=2))
    assert said(report) == ["KH was doubled by Dima, which was not entered"]
    plain = replace(record, doubles=())
    entry = entry_of(plain, king_taken_by=2, doubles=(Double("KH", 3),))
    assert [each.code for each in audited(plain, entry).findings] == ["double_not_recorded"]


REVOKE = "N 2C 3D 4C 5C\nE 2S 3S 4S 5S\nS 7C 8C 9C 6C"


def test_revoke_that_nobody_entered_is_named():
    record = make("diamonds", tricks(REVOKE), leader=0)
    report = audited(record, entry_of(record, diamonds=(4, 3, 3, 3)))
    assert "trick 1: Badr revoked, which was not entered" in said(report)


def test_entry_broken_off_by_a_revoke_may_fall_short():
    record = make("diamonds", tricks(REVOKE), leader=0)
    entry = entry_of(record, diamonds=(0, 0, 0, 0), revoke_by=1)
    assert audited(record, entry).agrees
    other = entry_of(record, diamonds=(0, 0, 0, 0), revoke_by=2)
    assert said(audited(record, other)) == [
        "a revoke of Carmen was entered, which the record does not show"
    ]


def test_entry_of_a_cheat_has_no_facts_to_compare():
    record = legal_deal(Random(2), "barbu", {}, Contract.read("hearts"))
    report = audited(record, entry_of(record, cheat_by=1))
    assert (report.agrees, report.comparisons) == (True, ((),))


def test_entry_of_another_contract_is_said_first():
    record = make("king", tricks(KING), leader=0)
    report = audited(record, Entry(Contract.read("tricks"), 1, False, Tally(tricks=(13, 0, 0, 0))))
    assert [each.code for each in report.findings] == ["other_contract", "other_chooser"]


def test_worthless_places_that_nobody_played_for_do_not_differ():
    record = legal_deal(Random(5), "barbu", {}, Contract.read("trex"))
    for count in range(len(record.plays)):
        part = replace(record, plays=record.plays[:count])
        found = replay(part, record.ruleset())
        if found.complete:
            first, second, third, fourth = found.finish_order
            entry = entry_of(part, finish_order=(first, second, fourth, third))
            assert audited(part, entry).agrees
            return
    raise AssertionError("never settled early")


def test_no_entry_is_neither_right_nor_wrong():
    assert audited(make("king", tricks(KING), leader=0)).agrees is None
