"""What a record that leaves something open still proves: never less than the truth, and for small
endings exactly what counting every completion gives."""

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from scoring.replay.audit import audit
from scoring.replay.engine import replay, run_record
from scoring.replay.partial import bounds
from scoring.replay.partial.open_tricks import OpenTricks
from scoring.replay.report import to_json
from scoring.replay.words import audit_text
from scoring.rules import Contract, Entry, Item, Tally, points
from scoring.rules.deal.points import taken_counts
from scoring.rules.rulesets.presets import GERMAN_FIFTY_ONE
from tests import chance
from tests.naive_play import (
    NATURAL,
    TEN_HIGH,
    deals_of,
    fifty_one_ends,
    pile_ends,
    row_ends,
    trick_ends,
)
from tests.replay.making import captured, make, tricks
from tests.support.players import any_legal_deal, legal_deal, options_of, some_options

SEATS = range(4)


def cut(record, plays, unknown=()):
    """The first plays only, and some hands left out."""
    hands = tuple(None if seat in unknown else hand for seat, hand in enumerate(record.hands))
    return replace(record, plays=record.plays[:plays], hands=hands)


def run(record):
    return replay(record, record.ruleset())


def truth(item, found):
    if item == "trex":
        return [found.finish_order.index(seat) + 1 for seat in SEATS]
    if item == "fifty_one":
        return [int(found.loser == seat) for seat in SEATS]
    return taken_counts(Item(item), found.tally)


@pytest.mark.parametrize("seeds", chance.blocks(4, 12), ids=str)
def test_bounds_contain_the_truth(seeds):
    for seed in seeds:
        rng = Random(seed)
        record = any_legal_deal(rng)
        whole = run(record)
        unknown = rng.sample(SEATS, rng.choice([0, 0, 1, 2, 3, 4]))
        part = cut(record, rng.randrange(len(record.plays)), unknown)
        found = run(replace(part, claimed=whole.scores))
        if found.complete:
            assert found.bounds is None, seed
            continue
        assert found.possible, seed
        for item, ends in found.bounds.items():
            true = truth(item, whole)
            assert all(ends[s][0] <= true[s] <= ends[s][1] for s in SEATS), (seed, item)


@pytest.mark.parametrize("seeds", chance.blocks(2, 5), ids=str)
def test_face_up_captures_contain_the_truth(seeds):
    for seed in seeds:
        rng = Random(seed)
        record = legal_deal(rng, "kleshchi", {}, Contract.read(rng.choice(["diamonds", "queens"])))
        whole = run(record)
        taken = [(card, trick.winner) for trick in whole.tricks for card in trick.cards]
        shown = rng.sample(taken, rng.randrange(20))
        found = run(replace(record, plays=(), hands=(None,) * 4, captured=tuple(shown)))
        if found.complete:
            continue
        for item, ends in found.bounds.items():
            true = truth(item, whole)
            assert all(ends[s][0] <= true[s] <= ends[s][1] for s in SEATS), (seed, item)


# -- the same by counting every completion


def full_hands(record, unknown):
    """Each way to fill in the hands that are not known, with the cards nobody has shown."""
    rules = record.ruleset()
    played = [[p.card for p in record.plays if p.seat == s and len(p) == 2] for s in SEATS]
    known = {card for hand in record.hands if hand for card in hand}
    gone = {card for own in played for card in own}
    free = [card for card in rules.deck if card not in known | gone]
    sizes = [rules.cards_per_hand - len(played[s]) if s in unknown else 0 for s in SEATS]
    for rest in deals_of(free, sizes):
        yield tuple((*played[s], *rest[s]) if s in unknown else record.hands[s] for s in SEATS)


def tables_of(record, unknown, plays):
    """The table after so many plays for each deal under which nothing played was a breach."""
    for hands in full_hands(record, unknown):
        whole = run_record(replace(record, hands=hands), record.ruleset())
        if not whole.breaches:
            yield run_record(
                replace(record, hands=hands, plays=record.plays[:plays]), record.ruleset()
            ).table


def all_ends(record, unknown):
    """By each way to play on what every item comes to for the four seats."""
    rules, items = record.ruleset(), record.contract.items
    lying = [play.card for play in record.plays[len(record.plays) // 4 * 4 :]]
    banned = rules.hearts_lead.mode
    if banned == "free" or not set(record.contract.parts) & set(rules.hearts_lead.contracts):
        banned = ""
    ends = []
    for table in tables_of(record, unknown, len(record.plays) - len(lying)):
        for rest in trick_ends(
            table.hands,
            table.leader,
            contracts=[str(item) for item in items],
            banned=banned,
            broken=table.hearts_broken,
            order=TEN_HIGH if rules.rank_order == "ten_high" else NATURAL,
            dump="" if rules.must_dump == "off" else rules.must_dump,
        ):
            if list(rest[0][1][: len(lying)]) == lying:
                ends.append([*[(t.leader, t.cards, t.winner) for t in table.tricks], *rest])
    return [tuple(tuple(counted(item, end)) for item in items) for end in ends]


def brute_tricks(record, unknown):
    columns = zip(*all_ends(record, unknown), strict=True)
    return {
        item.value: tuple((min(own), max(own)) for own in zip(*column, strict=True))
        for item, column in zip(record.contract.items, columns, strict=True)
    }


def counted(item, end):
    counts = [0, 0, 0, 0]
    for number, (_, cards, winner) in enumerate(end):
        match item:
            case "king":
                counts[winner] += "KH" in cards
            case "queens":
                counts[winner] += sum(card[0] == "Q" for card in cards)
            case "diamonds" | "hearts":
                counts[winner] += sum(card[1] == item[0].upper() for card in cards)
            case "tricks":
                counts[winner] += 1
            case "last_trick":
                counts[winner] += number == len(end) - 1
    return counts


@pytest.mark.parametrize("seed", chance.seeds(12))
def test_bounds_of_tricks_equal_brute_force(seed):
    rng = Random(seed)
    options = some_options(rng, "barbu", options_of("hearts"), 0.6) | {"early_end": "off"}
    options.pop("hearts_lead.forced_lead_breaks", None)
    contract = Contract.read(rng.choice(["hearts", "queens", "general", "tricks", "king"]))
    record = legal_deal(rng, "barbu", options, contract, doubles=())
    left = rng.choice([4, 5, 6, 7, 8, 10, 12, 13])
    unknown = rng.sample(SEATS, rng.choice([1, 2, 3, 4])) if left < 8 else []
    part = cut(record, 32 - left, unknown)
    found = run(part)
    assert (found.bounds, found.exact) == (brute_tricks(part, unknown), True)


def small_end(seed):
    """A record of which few cards are left, and the seats whose hands nobody knows."""
    rng = Random(seed)
    contract = Contract.read(rng.choice(["general", "general", "hearts", "queens", "tricks"]))
    record = legal_deal(rng, "barbu", {"early_end": "off"}, contract, doubles=())
    left = rng.choice([4, 6, 7, 8, 10, 12])
    unknown = rng.sample(SEATS, rng.choice([1, 2, 3])) if left < 8 else []
    return cut(record, 32 - left, unknown), unknown


def entry_with(record, numbers):
    """An entry with these numbers of the items of its contract."""
    facts = dict(zip([item.value for item in record.contract.items], numbers, strict=True))
    for item in {"king", "last_trick"} & facts.keys():
        key = "king_taken_by" if item == "king" else "last_trick_by"
        facts[key] = facts.pop(item).index(1)
    return Entry(record.contract, record.chooser, record.forced, Tally(**facts))


def mixed(ends, rng):
    """Numbers of which each item is that of some end, so that all lie within the bounds."""
    return tuple(rng.choice(ends)[place] for place in range(len(ends[0])))


@pytest.mark.parametrize("seed", chance.seeds(8))
def test_numbers_of_all_items_are_judged_together(seed):
    rng = Random(seed)
    part, unknown = small_end(seed)
    ends, rules, found = all_ends(part, unknown), part.ruleset(), run(part)
    worth = {end: points(entry_with(part, end), rules).scores for end in set(ends)}
    for numbers in [*rng.sample(ends, min(3, len(ends))), *(mixed(ends, rng) for _ in range(12))]:
        entry = entry_with(part, numbers)
        report = audit(part, found, [entry], rules)
        assert report.possible == (numbers in worth), numbers
        codes = [] if numbers in worth else ["not_together"]
        assert [finding.code for finding in report.findings] == codes
        claimed = points(entry, rules).scores
        assert run(replace(part, claimed=claimed)).possible == (claimed in worth.values())


def scores_of(record, tally):
    entry = Entry(record.contract, record.chooser, record.forced, tally)
    return points(entry, record.ruleset()).scores


@pytest.mark.parametrize("seed", chance.seeds(6))
def test_bounds_of_rows_equal_brute_force(seed):
    rng = Random(seed)
    options = {"ace_replay": rng.choice(["off", "may", "must"]), "early_end": "off"}
    record = legal_deal(rng, "barbu", options, Contract.read("trex"))
    whole = run(record)
    plays = len(record.plays) - rng.randrange(4, 12)
    unknown = rng.sample(SEATS, 2) if seed % 2 else []
    part = cut(record, plays, unknown)
    orders = set()
    for table in tables_of(part, unknown, plays):
        laid = {play.card for play in part.plays if len(play) == 2}
        extra = int(table.again)
        out = tuple(table.finish_order)
        hands = [frozenset(hand) for hand in table.hands]
        ends = row_ends(
            hands, table.turn, frozenset(laid), ace=options["ace_replay"], out=out, extra=extra
        )
        orders |= {(*end, *set(SEATS).difference(end)) for end in ends}
    brute = tuple(
        (min(o.index(s) + 1 for o in orders), max(o.index(s) + 1 for o in orders)) for s in SEATS
    )
    assert whole.finish_order in orders
    found = run(part)
    assert (found.bounds, found.exact) == ({"trex": brute}, True)
    worth = {scores_of(part, Tally(finish_order=order)) for order in orders}
    for order in permutations(SEATS):
        tally = Tally(finish_order=order)
        entry = Entry(part.contract, part.chooser, part.forced, tally)
        within = all(a <= order.index(s) + 1 <= b for s, (a, b) in enumerate(brute))
        claimed = scores_of(part, tally)
        possible = audit(part, found, [entry], part.ruleset()).possible
        assert possible == (within and claimed in worth), order
        assert run(replace(part, claimed=claimed)).possible == (claimed in worth), order


@pytest.mark.parametrize("seed", chance.seeds(6))
def test_bounds_of_a_pile_equal_brute_force(seed):
    rng = Random(seed)
    stuck, wrap = rng.choice(["last", "next"]), rng.random() < 0.5
    options = {"pile.stuck": f"{stuck}_player_any", "pile.wrap": wrap, "early_end": "off"}
    record = legal_deal(rng, "kleshchi", options, Contract.read("trex"))
    plays = len(record.plays) - rng.randrange(4, 16)
    unknown = rng.sample(SEATS, 2) if seed % 2 else []
    part = cut(record, plays, unknown)
    orders = set()
    for table in tables_of(part, unknown, plays):
        passed, last = table.stuck()
        ends = pile_ends(
            [frozenset(hand) for hand in table.hands],
            table.turn,
            table.layout.top,
            step=-1,
            wrap=wrap,
            stuck=stuck,
            passed=4 if table.free else passed,
            last=last,
            out=tuple(table.finish_order),
        )
        orders |= {(*end, *set(SEATS).difference(end)) for end in ends}
    brute = tuple(
        (min(o.index(s) + 1 for o in orders), max(o.index(s) + 1 for o in orders)) for s in SEATS
    )
    found = run(part)
    assert (found.bounds, found.exact) == ({"trex": brute}, True)
    worth = {scores_of(part, Tally(finish_order=order)) for order in orders}
    for order in permutations(SEATS):
        tally = Tally(finish_order=order)
        entry = Entry(part.contract, part.chooser, part.forced, tally)
        within = all(a <= order.index(s) + 1 <= b for s, (a, b) in enumerate(brute))
        claimed = scores_of(part, tally)
        possible = audit(part, found, [entry], part.ruleset()).possible
        assert possible == (within and claimed in worth), order
        assert run(replace(part, claimed=claimed)).possible == (claimed in worth), order


@pytest.mark.parametrize("seed", chance.seeds(4))
def test_bounds_of_fifty_one_equal_brute_force(seed):
    rng = Random(seed)
    options = {"fifty_one.target": 80}
    record = legal_deal(rng, "barbu", options, Contract.read("fifty_one"))
    plays = 24
    unknown = rng.sample(SEATS, 2) if seed % 2 else []
    part = cut(record, plays, unknown)
    found = run(part)
    if found.complete:
        return
    losers = set()
    for table in tables_of(part, unknown, plays):
        hands = [frozenset(hand) for hand in table.hands]
        losers |= set(
            fifty_one_ends(hands, table.turn, table.sum, values=GERMAN_FIFTY_ONE, target=80)
        )
    brute = tuple((int(losers == {s}), int(s in losers)) for s in SEATS)
    assert (found.bounds, found.exact) == ({"fifty_one": brute}, True)
    for loser in (*SEATS, None):
        entry = Entry(part.contract, part.chooser, part.forced, Tally(loser=loser))
        assert audit(part, found, [entry], part.ruleset()).possible == (loser in losers)


# -- what they say


def test_captures_alone_give_what_lies_face_up():
    found = run(make("diamonds", system="kleshchi", captured=captured("2D:S 3D:S 4D:S 5D:N")))
    assert found.bounds == {"diamonds": ((1, 10), (0, 9), (3, 12), (0, 9))}
    assert (found.complete, found.exact) == (False, False)


def test_captures_that_the_tricks_deny_leave_no_bounds():
    found = run(make("king", tricks("N 2C 3C 4C 5C"), leader=0, captured=captured("2C:N")))
    assert found.bounds is None


@pytest.mark.parametrize(
    ("system", "shown"), [("levant", "KH:N KH:S"), ("levant", "KH:S KH:N"), ("barbu", "2H:N")]
)
def test_captures_that_deny_each_other_score_nothing(system, shown):
    record = make("king", system=system, captured=captured(shown), claimed=(-75, 0, 0, 0))
    found = run(record)
    assert (found.scores, found.bounds, found.possible) == (None, None, False)
    assert [breach.code for breach in found.breaches] == ["unfinished"]


def test_claim_outside_the_bounds_is_impossible():
    shown = captured("2D:S 3D:S 4D:S 5D:N")
    record = make("diamonds", system="kleshchi", captured=shown, claimed=(-10, -100, -20, 0))
    assert run(record).possible is False
    assert run(replace(record, claimed=(-10, -90, -30, 0))).possible is True


@pytest.mark.parametrize("layout", ["suit_rows", "single_pile"])
def test_trex_that_nobody_began_is_wide_open(layout):
    record = make("trex", options={"trex_layout": layout})
    assert run(record).bounds == {"trex": ((1, 4),) * 4}


def test_report_of_an_open_record_has_bounds():
    report = to_json(run(make("queens", captured=captured("QS:N QH:N QD:S"))))
    assert report["bounds"] == {"queens": [[2, 3], [0, 1], [1, 2], [0, 1]]}
    assert (report["bounds_exact"], report["possible"]) == (False, None)


def test_ways_that_cannot_be_counted_say_that_the_bounds_may_be_wider():
    record = legal_deal(Random(1), "levant", {}, Contract.read("tricks"))
    early, late = (run(cut(record, plays, unknown=(1, 2, 3))) for plays in (16, 48))
    assert (early.exact, late.exact) == (False, True)
    assert to_json(late)["bounds_exact"] is True
    said = "too many ways to play on: the real bounds may be narrower"
    for found in (early, late):
        report = audit(record, found, [], record.ruleset())
        assert (said in audit_text(record, report)) == (not found.exact)
    assert "bounds_exact" not in to_json(run(record))


# -- each end by itself, where there are too many ways to look at them all


@pytest.mark.parametrize("seed", chance.seeds(4))
def test_ends_looked_for_one_by_one_are_those_of_all_ways(seed, monkeypatch):
    rng = Random(seed)
    contract = Contract.read(rng.choice([["tricks"], ["diamonds"], ["king", "queens"]]))
    record = legal_deal(rng, "levant", {"combo": "free"}, contract)
    part = cut(record, 40, rng.sample(SEATS, rng.choice([1, 2])))
    found = run(part)
    monkeypatch.setattr(bounds, "LIMIT", 0)
    again = run(part)
    assert (again.complete, again.bounds, again.exact) == (
        found.complete,
        found.bounds,
        found.exact,
    )
    monkeypatch.setattr(bounds, "LIMIT_OF_ENDS", 0)
    assert run(part).exact is (None if found.complete else False)


def test_search_for_bounds_ends_after_so_many_plays(monkeypatch):
    record = legal_deal(Random(1), "levant", {}, Contract.read("tricks"))
    looked_at = []
    plays = OpenTricks._different

    def counted(self, *arguments):
        for bit in plays(self, *arguments):
            looked_at.append(bit)
            yield bit

    monkeypatch.setattr(OpenTricks, "_different", counted)
    limits = {"LIMIT": 500, "LIMIT_OF_TRICK": 300, "LIMIT_OF_ENDS": 400}
    for name, limit in limits.items():
        monkeypatch.setattr(bounds, name, limit)
    assert run(cut(record, 24, (0, 1, 2, 3))).exact is False
    assert len(looked_at) <= sum(limits.values()) + len(limits)
