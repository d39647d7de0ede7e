"""What holds for every entry under every set of rules."""

from dataclasses import replace
from math import prod

from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.rules import (
    Contract,
    Double,
    Entry,
    check,
    fact_keys,
    points,
    preset,
    promised_sum,
    read_entry,
    zero_sum,
)
from scoring.rules.seats import right_of
from scoring.rules.tally import TALLY_KEYS
from tests.support.strategies import POINT_OPTIONS, entries, ruled_entries, rulesets, seats


def turned_value(key, value):
    """A fact as it is when everybody has moved one seat on."""
    if key in ("queens", "diamonds", "hearts", "tricks"):
        return (value[3], *value[:3])
    if key == "finish_order":
        return tuple(right_of(seat) for seat in value)
    if key in ("queens_taken_by", "trick_leader"):
        return {card: right_of(seat) for card, seat in value.items()}
    if key == "doubles":
        return tuple(Double(card, right_of(by)) for card, by in value)
    return value if key in ("plays", "forfeited") else right_of(value)


def turned(entry):
    facts = {key: getattr(entry.tally, key) for key in TALLY_KEYS}
    moved = {key: turned_value(key, value) for key, value in facts.items() if value is not None}
    return replace(entry, chooser=right_of(entry.chooser), tally=replace(entry.tally, **moved))


@given(ruled_entries())
def test_what_a_table_produced_is_without_problems(ruled):
    rules, entry = ruled
    assert check(entry, rules) == []


@given(ruled_entries())
def test_lines_explain_the_scores(ruled):
    rules, entry = ruled
    result = points(entry, rules)
    for line in result.lines:
        assert line.points == line.count * line.value * prod(f.times for f in line.factors)
    for seat, score in enumerate(result.scores):
        assert score == sum(line.points for line in result.lines if line.seat == seat)


@given(ruled_entries())
def test_turning_the_seats_turns_the_points(ruled):
    rules, entry = ruled
    scores = points(entry, rules).scores
    assert check(turned(entry), rules) == []
    assert points(turned(entry), rules).scores == (scores[3], *scores[:3])


@given(ruled_entries())
def test_swapping_the_signs_swaps_every_score(ruled):
    rules, entry = ruled
    other = replace(rules, signs="normal" if rules.signs == "swapped" else "swapped")
    scores = points(entry, rules).scores
    assert points(entry, other).scores == tuple(-score for score in scores)


@given(ruled_entries())
def test_teams_score_what_their_seats_score(ruled):
    rules, entry = ruled
    result = points(entry, rules)
    if rules.has_teams:
        assert result.team_scores == (
            result.scores[0] + result.scores[2],
            result.scores[1] + result.scores[3],
        )
    else:
        assert result.team_scores is None


@given(ruled_entries())
def test_entry_survives_json(ruled):
    _, entry = ruled
    assert Entry.from_json(entry.to_json()) == entry


@given(ruled_entries())
def test_stored_entry_can_be_read_as_an_untrusted_one(ruled):
    rules, entry = ruled
    reading = read_entry(entry.to_json(), rules)
    assert reading.problems == ()
    assert points(reading.entry, rules) == points(entry, rules)
    assert reading.entry.to_json() == read_entry(reading.entry.to_json(), rules).entry.to_json()


JUNK = {
    "king_taken_by": "x",
    "queens": [9],
    "diamonds": {},
    "hearts": -1,
    "tricks": [13, 0, 0],
    "last_trick_by": True,
    "finish_order": [],
    "loser": 7,
    "plays": "KH",
    "weather": "fine",
}


@given(ruled_entries())
def test_facts_of_other_contracts_change_nothing(ruled):
    rules, entry = ruled
    payload = entry.to_json()
    junk = {key: value for key, value in JUNK.items() if key not in fact_keys(entry.contract)}
    reading = read_entry(payload | {"input": payload["input"] | junk}, rules)
    assert reading == read_entry(payload, rules)


# The sum of each contract, doubles included, where it is promised. C72
@given(ruled_entries())
def test_promised_sum_is_kept(ruled):
    rules, entry = ruled
    promised = promised_sum(entry, rules)
    if promised is not None:
        assert sum(points(entry, rules).scores) == promised


ZERO_OPTIONS = tuple(
    name for name in POINT_OPTIONS if name.startswith("doubling.") or name in ("teams", "signs")
)


# The sum of each kingdom where it is promised. C72
@given(rulesets((*ZERO_OPTIONS, "revoke")), st.data())
def test_kingdom_sums_to_zero_where_promised(rules, data):
    assume(zero_sum(rules))
    kingdom = [data.draw(entries(rules, Contract.read(name))) for name in rules.contracts]
    assume(all(promised_sum(entry, rules) is not None for entry in kingdom))
    assert sum(sum(points(entry, rules).scores) for entry in kingdom) == 0


@given(entries(preset("barbu")))
def test_barbu_balances_once_the_chooser_is_halved(entry):
    """rules.md 3.2: the others and half the chooser make the base total times the forced factor."""
    assume(entry.tally.cheat_by is None and entry.chooser is not None)
    if entry.contract.is_combined:
        return
    scores = points(entry, preset("barbu")).scores
    others = sum(score for seat, score in enumerate(scores) if seat != entry.chooser)
    kabbout = any(line.kind == "kabbout" for line in points(entry, preset("barbu")).lines)
    base = {"general": 400, "trex": -150}.get(entry.contract.key, 80)
    expected = (1200 if kabbout else base) * (2 if entry.forced else 1)
    assert 2 * others + scores[entry.chooser] == 2 * expected


@given(rulesets(), st.data(), seats)
def test_who_chose_matters_only_through_the_factor(rules, data, other):
    assume(rules.chooser_factor == 1)
    entry = data.draw(entries(rules))
    assume(not entry.tally.forfeited and entry.tally.plays is None)
    assert points(entry, rules) == points(replace(entry, chooser=other), rules)
