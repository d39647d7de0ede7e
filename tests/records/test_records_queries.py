"""Records held against entries, as the pages ask for it: what agrees, what differs and where, what
an open record proves."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import pytest

from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.verdicts import audited
from scoring.models import Deal, Verdict
from scoring.records.presenters.audits import AuditSummary
from scoring.records.queries.records import audit_of, entry_of_cards, mismatched_numbers
from scoring.replay.engine import replay
from scoring.replay.notation.json_records import read_json
from scoring.rules import Contract, Double, Entry, Item, Tally, check, doublable, ruleset
from scoring.rules.deal.points import taken_counts
from scoring.rules.seats import SEATS
from tests import chance
from tests.factories import attach, entry_of, evening_record, evenings, make_match, record
from tests.support.players import any_legal_deal, legal_deal

EVENINGS = ["evening-levant", "evening-kleshchi", "evening-barbu"]
COUNTED = ("tricks", "hearts", "diamonds", "queens")
NAMES = ("Amal", "Badr", "Carmen", "Dima")


def deal_of(entry, **facts):
    """The row that such an entry makes, not saved."""
    return Deal(payload=entry.to_json(), contract=entry.contract.key, **facts)


def rules_of(name):
    evening = evenings()[name]
    return ruleset(evening["system"], evening["options"])


# ── every record of the evenings beside its entry ───────────────────────


@pytest.mark.django_db
@pytest.mark.parametrize("name", EVENINGS)
def test_every_record_of_an_evening_agrees_with_its_entry(name):
    match = empty_match(name)
    deals = evenings()[name]["deals"]
    for number, deal in enumerate(deals, start=1):
        record(match, deal)
        attach(match, number, evening_record(name, number))
    assert list(Verdict.objects.values_list("agrees", "complete", "codes").distinct()) == [
        (True, True, "")
    ]
    view = match_view(match)
    for number in range(1, len(deals) + 1):
        found = audit_of(view, number)
        words = AuditSummary(found, NAMES)
        assert (words.verdict, words.findings, words.breaches) == ("agrees", (), ())
        assert not list(found.contradictions(number))
        assert words.scores.found == words.scores.entered == tuple(deals[number - 1]["scores"])
        assert not any(cell.differs or cell.is_open for row in words.rows for cell in row.cells)
        assert entry_of_cards(found).contract == found.entry.contract


def empty_match(name):
    evening = evenings()[name]
    return make_match(
        system=evening["system"],
        options=evening["options"],
        first_chooser=evening["first_chooser"],
    )


# ── in the frame that the record names ──────────────────────────────────

FRAMES = json.loads(Path("tests/cases/frames.json").read_text())["cases"]


def stored_elsewhere(case):
    """A faultless record, its rules, and its deal with the roles that were stored for it."""
    given = next(read_json(json.dumps(case["record"])))
    entry = entry_with(given, replay(given, given.ruleset()).tally)
    return given, given.ruleset(), deal_of(entry, **case["stored"])


@pytest.mark.parametrize("case", FRAMES, ids=lambda case: case["id"])
def test_record_that_names_its_own_dealer_is_replayed_in_its_own_frame(case):
    given, rules, deal = stored_elsewhere(case)
    found = audited(given, deal, rules)
    assert found.replay.breaches == ()
    assert (found.replay.complete, list(found.replay.scores)) == (True, case["expected"]["scores"])
    assert (found.report.agrees, found.codes) == (True, ("other_dealer",))
    words = AuditSummary(found, NAMES)
    dealers = [NAMES[seat] for seat in (given.dealer, deal.dealer)]
    assert (words.verdict, [each.code for each in words.findings]) == ("agrees", ["other_dealer"])
    assert all(name in words.findings[0].text for name in dealers)
    assert not list(found.contradictions(1))


def test_record_that_lists_the_contracts_of_an_option_otherwise_contradicts_nothing():
    given, _rules, deal = stored_elsewhere(FRAMES[0])
    rules = ruleset("levant", {"hearts_lead.contracts": ["king", "queens"]})
    named = replace(given, options={"hearts_lead.contracts": ["queens", "king"]})
    assert not list(audited(named, deal, rules).contradictions(1))
    named = replace(given, options={"hearts_lead.contracts": ["king"]})
    (found,) = audited(named, deal, rules).contradictions(1)
    assert found == ("hearts_lead.contracts", ["king"], ["king", "queens"])


def test_leader_comes_from_the_deal_only_where_the_record_names_no_seat_it_follows_from():
    given, rules, deal = stored_elsewhere(FRAMES[0])  # levant: the dealer's right leads
    named_nothing = replace(given, dealer=None, chooser=None)
    assert audited(named_nothing, deal, rules).framed.leader == deal.leader == 2
    assert audited(replace(given, chooser=None), deal, rules).framed.leader is None
    other_contract = deal_of(deal.entry, **FRAMES[0]["stored"])
    other_contract.contract = "tricks"
    assert audited(named_nothing, other_contract, rules).framed.leader is None
    given, rules, deal = stored_elsewhere(FRAMES[11])  # kleshchi: the chooser leads
    assert audited(replace(given, dealer=None), deal, rules).framed.leader is None
    assert audited(replace(given, chooser=None), deal, rules).framed.leader == deal.leader


# ── with one value changed ──────────────────────────────────────────────

type Named = tuple[str, str | None, int | None, str | None]


def named(finding) -> Named:
    """Of a finding what it names: code, item, seat, card."""
    return finding.code, finding.item, finding.seat, finding.card


def changes(entry, rules) -> Iterator[tuple[Entry, set[Named]]]:
    """The entry with one value changed, in every way that is no mistake in itself, and what ought
    to be found of it."""
    for tally, expected in _tallies(entry, rules):
        changed = replace(entry, tally=tally)
        if not check(changed, rules):
            yield changed, expected
    for chooser in SEATS:
        if chooser != entry.chooser:
            yield replace(entry, chooser=chooser), {("other_chooser", None, None, None)}
    changed = replace(entry, forced=not entry.forced)
    if not check(changed, rules):
        yield changed, {("other_forced", None, None, None)}


def _tallies(entry, rules) -> Iterator[tuple[Tally, set[Named]]]:
    tally = entry.tally
    for item in COUNTED:
        if getattr(tally, item) and not (item == "queens" and tally.queens_taken_by):
            yield from _moved(tally, item)
    for card, seat in (tally.queens_taken_by or {}).items():
        for other in set(SEATS) - {seat}:
            takers = {**tally.queens_taken_by, card: other}
            yield replace(tally, queens_taken_by=takers), {("taker_differs", "queens", None, card)}
    if tally.king_taken_by is not None:
        for other in set(SEATS) - {tally.king_taken_by}:
            yield replace(tally, king_taken_by=other), {("taker_differs", "king", None, "KH")}
    for key, item in (("last_trick_by", "last_trick"), ("loser", "fifty_one")):
        seat = getattr(tally, key)
        for other in set(SEATS) - {seat} if seat is not None else ():
            both = {("number_differs", item, each, None) for each in (seat, other)}
            yield replace(tally, **{key: other}), both
    for one, two in combinations(tally.finish_order or (), 2):
        order = [
            two if seat == one else one if seat == two else seat for seat in tally.finish_order
        ]
        both = {("number_differs", "trex", each, None) for each in (one, two)}
        yield replace(tally, finish_order=tuple(order)), both
    yield from _doubled(entry, rules)


def _moved(tally, item) -> Iterator[tuple[Tally, set[Named]]]:
    """One of them given to somebody else."""
    counts = getattr(tally, item)
    for seat in SEATS:
        for other in set(SEATS) - {seat} if counts[seat] else ():
            moved = list(counts)
            moved[seat] -= 1
            moved[other] += 1
            both = {("number_differs", item, each, None) for each in (seat, other)}
            yield replace(tally, **{item: tuple(moved)}), both


def _doubled(entry, rules) -> Iterator[tuple[Tally, set[Named]]]:
    tally = entry.tally
    for double in tally.doubles:
        left = tuple(each for each in tally.doubles if each != double)
        yield replace(tally, doubles=left), {("double_not_entered", None, double.by, double.card)}
    for card in set(doublable(entry.contract, rules)) - {each.card for each in tally.doubles}:
        more = (*tally.doubles, Double(card, 3))
        yield replace(tally, doubles=more), {("double_not_recorded", None, 3, card)}


@pytest.mark.parametrize("name", EVENINGS)
def test_one_changed_value_is_found_and_named_and_nothing_else(name):
    rules, tried = rules_of(name), 0
    for data in evenings()[name]["deals"]:
        card_record = evening_record(name, data["deal_number"])
        for entry, expected in changes(entry_of(data), rules):
            found = audited(card_record, deal_of(entry), rules)
            got = {_without_seat(named(each)) for each in found.report.findings}
            assert got == expected, (data["deal_number"], entry)
            words = AuditSummary(found, NAMES)
            assert words.verdict == "differs"
            assert all(said.text for said in words.findings)
            tried += 1
    assert tried > 200


def _without_seat(finding: Named) -> Named:
    """Who chose stands in the finding as a seat, and is no seat that differs."""
    return (*finding[:2], None, None) if finding[0] == "other_chooser" else finding


@pytest.mark.django_db
@pytest.mark.parametrize("name", EVENINGS)
def test_evening_typed_with_a_slip_in_every_deal_is_marked_in_every_deal(name):
    match, rules = empty_match(name), rules_of(name)
    wanted = {}
    for data in evenings()[name]["deals"]:
        right = entry_of(data)
        slips = [each for each in changes(right, rules) if _fits(each[0], right)]
        entry, wanted[data["deal_number"]] = slips[data["deal_number"] % len(slips)]
        record(match, entry, dealer=data["dealer"], deal_number=data["deal_number"])
        attach(match, data["deal_number"], evening_record(name, data["deal_number"]))
    assert mismatched_numbers(match) == frozenset(wanted)
    view = match_view(match)
    for number, expected in wanted.items():
        found = audit_of(view, number)
        assert {named(each) for each in found.report.findings} == expected
        assert Verdict.objects.get(deal_number=number).codes.split() == list(found.codes)


def _fits(entry, right):
    """The schedule of the evening takes the slip as it took the deal."""
    return (entry.chooser, entry.forced) == (right.chooser, right.forced)


# ── what an open record proves ──────────────────────────────────────────
# That bounds equal brute force for small endings is proved in tests/replay/partial/test_bounds.py.


def open_record(seed):
    """A record cut at random, or the face-up captures of one, and the whole it was made of."""
    rng = Random(seed)
    if seed % 3:
        whole = any_legal_deal(rng)
        unknown = rng.sample(SEATS, rng.choice([0, 0, 1, 2, 3, 4]))
        hands = tuple(None if s in unknown else whole.hands[s] for s in SEATS)
        return replace(
            whole, plays=whole.plays[: rng.randrange(len(whole.plays))], hands=hands
        ), whole
    contract = Contract.read(rng.choice(["diamonds", "queens", "king"]))
    whole = legal_deal(rng, "kleshchi", {}, contract)
    tricks = replay(whole, whole.ruleset()).tricks
    taken = [(card, trick.winner) for trick in tricks for card in trick.cards]
    shown = tuple(rng.sample(taken, rng.randrange(20)))
    return replace(whole, plays=(), hands=(None,) * 4, captured=shown, doubles=()), whole


def entry_with(whole, tally):
    """An entry with these facts and the rest of the whole record's frame."""
    return Entry(whole.contract, whole.chooser, whole.forced, tally)


def held_against(part, tally, whole, rules):
    return audited(part, deal_of(entry_with(whole, tally)), rules)


def verdict(part, tally, whole, rules):
    return AuditSummary(held_against(part, tally, whole, rules), NAMES).verdict


def with_numbers(tally, item, numbers):
    """The facts with these four numbers of an item."""
    if item == "trex":
        return replace(tally, finish_order=tuple(sorted(SEATS, key=numbers.__getitem__)))
    if item in ("fifty_one", "king", "last_trick"):
        key = {"fifty_one": "loser"}.get(
            item, f"{item}_taken_by" if item == "king" else f"{item}_by"
        )
        return replace(tally, **{key: numbers.index(1) if 1 in numbers else None})
    if item == "queens":
        return replace(tally, queens_taken_by=None, queens=numbers)
    return replace(tally, **{item: numbers})


def splits(item, total):
    """Every way in which four seats can have this much of an item."""
    if item == "trex":
        return [tuple(order) for order in permutations((1, 2, 3, 4))]
    return [
        (a, b, c, total - a - b - c)
        for a in range(total + 1)
        for b in range(total + 1 - a)
        for c in range(total + 1 - a - b)
    ]


@pytest.mark.parametrize("seeds", chance.blocks(4, 6), ids=str)
def test_an_entry_outside_the_bounds_is_impossible_and_one_inside_never(seeds):
    for seed in seeds:
        part, whole = open_record(seed)
        rules, rng = whole.ruleset(), Random(seed)
        true = replay(whole, rules)
        found = held_against(part, true.tally, whole, rules).replay
        assert (
            verdict(part, replace(true.tally, doubles=()), whole, rules)
            in (
                "agrees",
                "possible",
            )
            or part.doubles
        ), seed
        if found.complete:
            continue
        base = replace(true.tally, doubles=found.tally.doubles)
        assert verdict(part, base, whole, rules) == "possible", seed
        for item, ends in found.bounds.items():
            total = 10 if item == "trex" else max(1, sum(true_numbers(item, true)))
            ways = splits(item, total)
            inside = [way for way in ways if is_within(way, ends)]
            outside = [way for way in ways if not is_within(way, ends)]
            assert tuple(true_numbers(item, true)) in inside, (seed, item)
            for way in rng.sample(inside, min(4, len(inside))):
                tally = with_numbers(base, item, way)
                report = held_against(part, tally, whole, rules).report
                assert not any(each.differs for own in report.comparisons for each in own)
                if report.possible is False:  # tests/replay/partial/test_bounds.py: judged together
                    assert [each.code for each in report.findings] == ["not_together"]
            for way in rng.sample(outside, min(4, len(outside))):
                tally = with_numbers(base, item, way)
                assert verdict(part, tally, whole, rules) == "impossible", (seed, item, way)


def is_within(numbers, ends):
    return all(least <= number <= most for number, (least, most) in zip(numbers, ends, strict=True))


def true_numbers(item, true):
    if item == "trex":
        return [true.finish_order.index(seat) + 1 for seat in SEATS]
    if item == "fifty_one":
        return [int(true.loser == seat) for seat in SEATS]
    return list(taken_counts(Item(item), true.tally))
