"""Evenings under every preset and under any rules, deal by deal against a second scorer, a second
schedule and a second sheet that share no code with the first."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rules import PRESETS, check, points
from scoring.rules.schedule import check_turn
from scoring.rules.scoresheet import scoresheet
from tests.naive import naive_scores, naive_team_scores
from tests.naive_schedule import (
    naive_also_won,
    naive_forced,
    naive_kingdoms,
    naive_leader,
    naive_number_of_deals,
    naive_totals,
    naive_turn,
    naive_winners,
)
from tests.support.evenings import TABLES, VARIANTS, WORTHLESS, played_evening
from tests.support.strategies import option_sets

SEEDS = range(6)


def agrees_at_every_deal(evening):
    """Scores, totals, teams, places, who deals, chooses and leads, and what may be played."""
    rules, cases = evening.rules, evening.cases()
    scores = [naive_scores(case) for case in cases]
    totals = naive_totals(scores)
    for number, (deal, case) in enumerate(zip(evening.deals, cases, strict=True), start=1):
        now, seven = evening.turns[number - 1]
        assert check(deal.entry, rules) == []
        assert check_turn(deal.entry, now) == []
        if now.is_extra:
            assert list(now.extra) == naive_winners(
                evening.system, evening.options, cases[: number - 1], scores[: number - 1]
            )
        else:
            _schedule_agrees(evening, now, seven, cases[: number - 1], case)
        worth = points(deal.entry, rules)
        assert list(worth.scores) == scores[number - 1], case
        assert (worth.team_scores and list(worth.team_scores)) == naive_team_scores(case)
        sheet = scoresheet(rules, evening.deals[:number])
        assert list(sheet.totals) == list(sheet.rows[-1].totals) == totals[number - 1]
        if rules.has_teams:
            assert sheet.team_totals == _by_team(totals[number - 1])
    _end_agrees(evening, cases, scores)


def _by_team(totals):
    return totals[0] + totals[2], totals[1] + totals[3]


def _schedule_agrees(evening, now, seven, before, case):
    rules = (evening.system, evening.options)
    naive = naive_turn(*rules, before, evening.first_chooser, evening.first_dealer, seven)
    assert not now.over
    assert not naive["over"]
    assert [now.chooser] == naive["choosers"]
    assert now.dealer == naive["dealer"]
    assert {frozenset(each.parts) for each in now.contracts} == naive["offers"][now.chooser]
    assert [list(left) for left in now.left] == [naive["left"][seat] for seat in range(4)]
    contract, chooser = evening.deals[len(before)].entry.contract, case["chooser"]
    assert {frozenset(each.parts) for each in now.contracts_of(chooser)} == naive["offers"][chooser]
    leader = now.leader(contract, case["dealer"], chooser)
    assert leader == naive_leader(*rules, case["contract"], case["dealer"], chooser)
    assert case["forced"] == naive_forced(*rules, naive["left"][chooser], case["contract"])


def _end_agrees(evening, cases, scores):
    rules = (evening.system, evening.options)
    sheet = scoresheet(evening.rules, evening.deals)
    extra = [points for row, points in zip(sheet.rows, scores, strict=True) if row.played.is_extra]
    had = len(cases) - len(extra)
    beginning = (evening.first_chooser, evening.first_dealer)
    assert sheet.complete
    assert naive_turn(*rules, cases[:had], *beginning)["over"]
    winners = naive_winners(*rules, cases[:had], scores[:had], *extra)
    assert list(sheet.winners) == winners
    totals = [sum(column) for column in zip(*scores, strict=True)]
    assert list(sheet.positives) == naive_also_won(*rules, totals)
    if evening.rules.chooser_order == "kingdom":
        kingdoms = [(each.chooser, list(each.subtotal)) for each in sheet.kingdoms]
        assert kingdoms == naive_kingdoms(cases[:had], scores[:had])
    if sheet.zero is not None:
        assert sheet.zero
        assert sum(map(sum, scores[:had])) == 0
    if evening.rules.combo != "free" and not evening.rules.forfeit_first_three:
        again = sum(not deal.uses_contract for deal in evening.deals)
        assert len(evening.deals) - again == naive_number_of_deals(*rules)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", PRESETS)
def test_evening_under_a_preset(name, seed):
    preset = PRESETS[name]
    agrees_at_every_deal(played_evening(Random(seed), preset.system, dict(preset.options)))


@pytest.mark.parametrize("seed", SEEDS[:3])
@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_evening_under_a_variant(variant, seed):
    agrees_at_every_deal(played_evening(Random(seed), *VARIANTS[variant]))


@settings(max_examples=40)
@given(option_sets(most=12), st.integers(0, 9999))
def test_evening_under_any_options(rules, seed):
    agrees_at_every_deal(played_evening(Random(seed), *rules))


@pytest.mark.parametrize("seed", SEEDS[:3])
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_evening_of_a_table_that_does_not_do_as_proposed(table, seed):
    """Another seat deals or chooses in every fifth deal."""
    agrees_at_every_deal(played_evening(Random(seed), *table, strays=0.2))


@settings(max_examples=40)
@given(option_sets(most=12), st.integers(0, 9999))
def test_evening_under_any_options_that_does_not_do_as_proposed(rules, seed):
    agrees_at_every_deal(played_evening(Random(seed), *rules, strays=0.2))


def test_some_matches_are_decided_by_an_extra_deal_and_some_by_first_places():
    """Where almost nothing is worth anything a match ends level."""
    kinds = set()
    for seed in range(120):
        evening = played_evening(Random(seed), "levant", WORTHLESS)
        broken = scoresheet(evening.rules, evening.deals).tie_break
        kinds.add(broken and broken.kind)
        if broken:
            agrees_at_every_deal(evening)
    assert kinds == {None, "trex_firsts", "extra_deal", "shared"}
