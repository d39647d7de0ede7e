"""Every single change once more: not made, but chosen from all facts there are.

Where `scoring.finder.single` turns one fact into another, this lists whatever the fact could be and
keeps what differs from it by one slip. Points come from tests/naive.py."""

from dataclasses import replace
from functools import cache
from itertools import permutations, product

from scoring.finder import WrittenLine, WrittenSheet
from scoring.rules import Contract, Double, Entry, Item, Tally, check, doublable
from scoring.rules.seats import SEATS
from tests.naive import naive_scores

QUEENS = ("QS", "QH", "QD", "QC")
COUNTS = {"diamonds", "hearts", "tricks", "queens"}


def scores(entry, rules):
    """Four points by the second scorer."""
    return tuple(
        naive_scores(
            {
                "system": rules.system,
                "options": rules.options(),
                "contract": entry.contract.to_json(),
                "chooser": entry.chooser,
                "forced": entry.forced,
                "input": entry.tally.to_json(),
            }
        )
    )


def neighbours(entry, rules):
    """(kind, entry) of every single change, each entry once for each kind, all of them possible."""
    seen = set()
    every = [(kind, replace(entry, tally=tally)) for kind, tally in candidates(entry, rules)]
    for kind, changed in [*every, *other_frames(entry, rules)]:
        for led in with_leaders(changed, rules):
            mark = (kind, canonical(led))
            if mark not in seen and canonical(led) != canonical(entry) and not check(led, rules):
                seen.add(mark)
                yield kind, led


def canonical(entry):
    """The deal, like queens alike."""
    given = dict(entry.tally.to_json())
    doubled = {row["card"]: row["by"] for row in given.pop("doubles", [])}
    leaders = given.pop("trick_leader", {})
    takers = given.pop("queens_taken_by", None)
    if takers:
        given.pop("queens", None)
        fates = [(takers.get(q), doubled.get(q), leaders.get(q)) for q in QUEENS]
        queens = sorted(fates, key=str)
    else:
        counts = given.pop("queens", [0, 0, 0, 0])
        flat = [(seat, None, None) for seat in SEATS for _ in range(counts[seat])]
        queens = sorted(flat, key=str)
    king = (given.pop("king_taken_by", None), doubled.get("KH"), leaders.get("KH"))
    rest = tuple(sorted((key, str(value)) for key, value in given.items()))
    frame = (entry.contract.key, entry.chooser, entry.forced)
    return frame, rest, king, tuple(queens)


# ---- What each fact could be


@cache
def compositions(total):
    """Every way to share so many among four."""
    numbers = range(total + 1)
    return [
        (a, b, c, total - a - b - c) for a, b, c in product(numbers, repeat=3) if a + b + c <= total
    ]


def candidates(entry, rules):
    tally = entry.tally
    if entry.contract.special == "trex":
        for order in permutations(SEATS):
            if sum(a != b for a, b in zip(order, tally.finish_order, strict=True)) == 2:
                yield "places", replace(tally, finish_order=order)
        return
    if entry.contract.special == "fifty_one":
        for seat in SEATS:
            yield "loser", replace(tally, loser=seat, plays=None)
        return
    items = [str(item) for item in entry.contract.items]
    named = bool(tally.queens_taken_by)
    for item in items:
        if item in COUNTS and not (item == "queens" and named):
            for counts in near(getattr(tally, item), rules.how_many(Item(item))):
                yield "count", replace(tally, **{item: counts})
        elif item == "queens":
            for kind, takers in near_takers(tally.queens_taken_by):
                yield kind, replace(tally, queens_taken_by=takers, queens=None)
        else:
            key = {"king": "king_taken_by", "last_trick": "last_trick_by"}[item]
            for seat in SEATS:
                yield "taker", replace(tally, **{key: seat})
    yield from cards_in_two_items(items, tally, rules)
    yield from other_doubles(entry, rules)


def other_frames(entry, rules):
    """Every deal of the same facts of which one thing beside the facts is different."""
    keys = dict.fromkeys((*rules.contracts, entry.contract.key))
    for key, chooser, forced in product(keys, SEATS, (False, True)):
        frame = (key, chooser, forced)
        was = (entry.contract.key, entry.chooser, entry.forced)
        different = [new for new, old in zip(frame, was, strict=True) if new != old]
        if len(different) != 1 or (key != entry.contract.key and key not in offered(rules)):
            continue
        tally = as_counted(entry.contract.key, key, entry.tally)
        changed = tally and Entry(Contract.from_key(key), chooser, forced, tally)
        if changed and scores(changed, rules) != scores(entry, rules):
            at = [new != old for new, old in zip(frame, was, strict=True)].index(True)
            yield ("contract", "chooser", "forced")[at], changed


def offered(rules):
    """The single contracts of the table: none where all are played at once."""
    return () if rules.combo == "complex" else rules.contracts


def as_counted(was, key, tally):
    """The facts under the name of another contract with as much to take; None if there is none."""
    if was == key:
        return tally
    if {was, key} == {"king", "last_trick"} and not tally.doubles:
        taker = tally.king_taken_by if was == "king" else tally.last_trick_by
        taken = {"king": (taker, None), "last_trick": (None, taker)}[key]
        return replace(tally, king_taken_by=taken[0], last_trick_by=taken[1])
    counted = ("diamonds", "hearts", "tricks")
    if was in counted and key in counted:
        return replace(tally, **{was: None, key: getattr(tally, was)})
    return None


@cache
def near(counts, total):
    """Counts in which exactly two seats are different."""
    return [
        other
        for other in compositions(total)
        if sum(a != b for a, b in zip(counts, other, strict=True)) == 2
    ]


def near_takers(takers):
    """Takers of the queens after one slip."""
    before = [takers[queen] for queen in QUEENS]
    for seats in product(SEATS, repeat=4):
        gone = [(a, b) for a, b in zip(before, seats, strict=True) if a != b]
        after = dict(zip(QUEENS, seats, strict=True))
        if gone and len(set(gone)) == 1:
            yield "queens", after
        if len(gone) == 2 and gone[0] == gone[1][::-1]:
            yield "exchanged", after
        if gone and set(gone) == {gone[0], gone[0][::-1]}:
            one, other = gone[0]
            if before.count(one) + before.count(other) == len(gone):
                yield "queens", after


def cards_in_two_items(items, tally, rules):
    """K♥ and a heart, Q♥ and a heart, Q♦ and a diamond: from one seat to another."""
    if "king" in items and "hearts" in items:
        for seat in SEATS:
            moved = one_moved(tally.hearts, tally.king_taken_by, seat, 8)
            for hearts in moved:
                yield "card", replace(tally, king_taken_by=seat, hearts=hearts)
    for card, suit in (("QH", "hearts"), ("QD", "diamonds")):
        if "queens" not in items or suit not in items:
            continue
        total = rules.how_many(Item(suit))
        for source, target in permutations(SEATS, 2):
            for counts in one_moved(getattr(tally, suit), source, target, total):
                if tally.queens_taken_by and tally.queens_taken_by[card] == source:
                    takers = {**tally.queens_taken_by, card: target}
                    yield "card", replace(tally, queens_taken_by=takers, **{suit: counts})
                elif not tally.queens_taken_by:
                    for queens in one_moved(tally.queens, source, target, 4):
                        yield "card", replace(tally, queens=queens, **{suit: counts})


def one_moved(counts, source, target, total):
    for other in near(counts, total):
        if other[source] == counts[source] - 1 and other[target] == counts[target] + 1:
            yield other


def other_doubles(entry, rules):
    """Every set of doubles of which one is different."""
    cards = doublable(entry.contract, rules)
    now = {double.card: double.by for double in entry.tally.doubles}
    for seats in product((None, *SEATS), repeat=len(cards)):
        then = {card: by for card, by in zip(cards, seats, strict=True) if by is not None}
        different = [card for card in cards if now.get(card) != then.get(card)]
        if len(different) == 1:
            had, has = now.get(different[0]), then.get(different[0])
            kind = "missing" if had is None else "extra" if has is None else "doubler"
            doubles = tuple(Double(card, by) for card, by in then.items())
            yield kind, replace(entry.tally, doubles=doubles)


def with_leaders(entry, rules):
    """The entry, once for each leader of the tricks that the rules ask for."""
    wanting = [p.numbers["card"] for p in check(entry, rules) if p.code == "trick_leader_missing"]
    for seats in product(SEATS, repeat=len(wanting)):
        leaders = {**(entry.tally.trick_leader or {}), **dict(zip(wanting, seats, strict=True))}
        yield replace(entry, tally=replace(entry.tally, trick_leader=leaders or None))


def other_leaders(entry, rules):
    """The entry with one known leader of a trick that counts another one."""
    for card in entry.tally.trick_leader or {}:
        for seat in SEATS:
            leaders = {**entry.tally.trick_leader, card: seat}
            changed = replace(entry, tally=replace(entry.tally, trick_leader=leaders))
            if scores(changed, rules) != scores(entry, rules):
                yield changed


def entry_of(contract, chooser=0, forced=False, **facts):
    return Entry(Contract.read(contract), chooser, forced, Tally(**facts))


# ---- A whole sheet


def mending(sheet, rules, near_of=neighbours):
    """The marks of all changes that make every total agree. Lines are entered deals."""
    marks = set()
    for row, line in enumerate(sheet.lines):
        for _, entry in near_of(line.entry, rules):
            frame = (entry.contract, entry.chooser)
            others = [each.entry for at, each in enumerate(sheet.lines) if at != row]
            is_new = frame != (line.entry.contract, line.entry.chooser)
            if is_new and frame in [(each.contract, each.chooser) for each in others]:
                continue  # nobody chooses a contract twice
            points = scores(entry, rules)
            if points != line.points and agrees(with_line(sheet, row, WrittenLine(points))):
                marks.add(("facts", row, canonical(entry)))
    return marks | set(totals_mending(sheet)) | set(miscounts_mending(sheet))


def miscounts_mending(sheet):
    """Every slip in adding that touches several seats: made, and held against the paper."""
    true = [summed(sheet, total.rows) for total in sheet.totals]
    written = [total.points for total in sheet.totals]
    if written == true:
        return
    for place, total in enumerate(sheet.totals):
        below = [n for n, each in enumerate(sheet.totals) if set(total.rows) <= set(each.rows)]
        for places in ([place], below):
            for row in total.rows:
                line = sheet.lines[row].points
                for kind, times in (("line_skipped", 0), ("line_twice", 2), ("line_signs", -1)):
                    wrong = list(true)
                    for each in places:
                        wrong[each] = with_times(true[each], line, times)
                    if wrong == written:
                        yield kind, place, row, None
            for one, other in product(SEATS, SEATS):
                turned = list(true[place])
                turned[one], turned[other] = turned[other], turned[one]
                by = [new - old for new, old in zip(turned, true[place], strict=True)]
                wrong = list(true)
                for each in places:
                    wrong[each] = tuple(a + b for a, b in zip(true[each], by, strict=True))
                if one < other and wrong == written:
                    yield "totals_exchanged", place, None, None
    for place, other in product(range(len(sheet.totals)), repeat=2):
        total, wrong_one = sheet.totals[place], sheet.totals[other]
        if {total.kind, wrong_one.kind} != {"kingdom"} or place == other:
            continue
        for row in total.rows:
            wrong = list(true)
            wrong[place] = with_times(true[place], sheet.lines[row].points, 0)
            wrong[other] = with_times(true[other], sheet.lines[row].points, 2)
            if wrong == written:
                yield "line_elsewhere", place, row, other


def summed(sheet, rows):
    return tuple(sum(sheet.lines[row].points[seat] for row in rows) for seat in SEATS)


def with_times(four, line, times):
    """A sum in which a line is counted so many times instead of once."""
    return tuple(a + (times - 1) * b for a, b in zip(four, line, strict=True))


def totals_mending(sheet):
    for place, total in enumerate(sheet.totals):
        for seat in SEATS:
            true = sum(sheet.lines[row].points[seat] for row in total.rows)
            by = true - total.points[seat]
            alone = [place]
            carried = [
                other
                for other, each in enumerate(sheet.totals)
                if set(total.rows) <= set(each.rows)
            ]
            for kind, places in (("total_number", alone), ("total_carried", carried)):
                is_new = kind == "total_number" or len(places) > 1
                if by and is_new and agrees(with_totals(sheet, places, seat, by)):
                    yield kind, place, seat, true


def agrees(sheet):
    return all(
        total.points[seat] == sum(sheet.lines[row].points[seat] for row in total.rows)
        for total in sheet.totals
        for seat in SEATS
    )


def with_line(sheet, row, line):
    lines = list(sheet.lines)
    lines[row] = line
    return WrittenSheet(lines, sheet.totals)


def with_totals(sheet, places, seat, by):
    totals = list(sheet.totals)
    for place in places:
        points = list(totals[place].points)
        points[seat] += by
        totals[place] = replace(totals[place], points=tuple(points))
    return WrittenSheet(sheet.lines, totals)


def marks_of(findings):
    """The changes of the finder as marks."""
    return {mark_of(change) for change in findings.changes}


def mark_of(change):
    if change.row is not None:
        return "facts", change.row, canonical(change.corrected)
    if change.kind not in ("total_number", "total_carried"):
        return change.kind, change.total, change.slip.line, change.slip.other
    seat = change.seats[0]
    return change.kind, change.total, seat, change.after[seat]


def remembered():
    """`neighbours`, each deal's worked out once."""
    known = {}

    def near(entry, rules):
        if id(entry) not in known:
            known[id(entry)] = entry, list(neighbours(entry, rules))
        return known[id(entry)][1]

    return near


def orders():
    """Every order of going out."""
    return list(permutations(SEATS))
