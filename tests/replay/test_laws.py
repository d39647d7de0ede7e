"""Laws that hold for any deal: legal play replays clean, and what is not legal is found where it
was played."""

from dataclasses import replace
from random import Random

import pytest

from scoring.replay.engine import card_by_card
from scoring.replay.play.table import leader_of, new_table
from scoring.replay.record import Pass, Play
from scoring.replay.report import to_json
from tests import chance
from tests.naive import naive_scores
from tests.support.players import GROUPS, OPTIONS, any_legal_deal, legal_deal, options_of

SYSTEMS = ("levant", "kleshchi", "barbu")


def run(record):
    """Without bounds, which have tests of their own."""
    return card_by_card(record, record.ruleset())


def naive_points(record, tally):
    case = {
        "system": record.system,
        "options": record.options,
        "contract": record.contract.to_json(),
        "chooser": record.chooser,
        "forced": record.forced,
        "input": tally,
    }
    return naive_scores(case)


@pytest.mark.parametrize("seeds", chance.blocks(3, 150), ids=str)
def test_legal_play_replays_without_breach_and_scores_as_its_tally(seeds):
    for seed in seeds:
        record = any_legal_deal(Random(seed))
        found = run(record)
        assert (found.complete, found.breaches) == (True, ()), seed
        assert list(found.scores) == naive_points(record, to_json(found)["tally"]), seed


SINGLE = [
    (name, value)
    for name in options_of(*GROUPS)
    for value in OPTIONS[name]["values"]
    or ([True, False] if OPTIONS[name]["type"] == "bool" else [])
]


@pytest.mark.parametrize(("name", "value"), SINGLE, ids=lambda each: str(each))
def test_every_value_of_every_option_is_played(name, value):
    """Alone, in each system, with what else it needs."""
    needs = {"teams": "opposite"} if name == "doubling.partner_capture" else {}
    if name == "ace_replay":
        needs = {"trex_layout": "suit_rows"}
    if name == "trex_layout" and value == "single_pile":
        needs = {"ace_replay": "off"}
    for seed, system in enumerate(SYSTEMS * 3):
        record = legal_deal(Random(seed), system, {**needs, name: value})
        found = run(record)
        assert (found.complete, found.breaches) == (True, ()), (seed, system)


def table_before(record, number):
    """The table before a play, and the number of the seat that was on turn there."""
    rules = record.ruleset()
    table = new_table(record.contract, rules, record.hands, leader_of(record, rules))
    for play in record.plays[:number]:
        step(table, play)
    if table.turn != record.plays[number].seat:
        table.lay(None)
    return table


def step(table, play):
    if play.seat != table.turn:
        table.lay(None)
    table.lay(play.card if isinstance(play, Play) else None)


def illegal_instead(rng, record, number):
    """Something else that this seat might not do there; None if there is nothing."""
    table = table_before(record, number)
    allowed = set(table.moves())
    seat = record.plays[number].seat
    others = [card for card in record.ruleset().deck if card not in allowed]
    if record.contract.special == "trex" and None not in allowed:
        others = [*others, None, None, None]
    card = rng.choice(others) if others else None
    return None if not others else Pass(seat) if card is None else Play(seat, card)


@pytest.mark.parametrize("seeds", chance.blocks(3, 150), ids=str)
def test_one_play_made_illegal_is_found_at_that_play(seeds):
    for seed in seeds:
        rng = Random(seed)
        record = any_legal_deal(rng)
        number = rng.randrange(len(record.plays))
        wrong = illegal_instead(rng, record, number)
        plays = (*record.plays[:number], wrong, *record.plays[number + 1 :])
        found = run(replace(record, plays=plays))
        places = [breach.play for breach in found.breaches if breach.play is not None]
        assert places, seed
        assert min(places) == number, (seed, found.breaches)


@pytest.mark.parametrize("seeds", chance.blocks(3, 50), ids=str)
def test_hands_left_out_are_found_again_from_the_plays(seeds):
    for seed in seeds:
        record = any_legal_deal(Random(seed))
        unwritten = run(replace(record, hands=(None,) * 4))
        assert (unwritten.breaches, unwritten.scores) == ((), run(record).scores), seed


@pytest.mark.parametrize("seeds", chance.blocks(3, 50), ids=str)
def test_replay_keeps_the_good_part_of_any_cut(seeds):
    for seed in seeds:
        rng = Random(seed)
        record = any_legal_deal(rng)
        part = replace(record, plays=record.plays[: rng.randrange(len(record.plays))])
        found = run(part)
        assert {breach.code for breach in found.breaches} <= {"unfinished"}, seed
        assert found.complete == (found.breaches == ()), seed
        if found.complete:
            assert found.scores == run(record).scores, seed
