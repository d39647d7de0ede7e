"""The table after each play of a record: for every record of the rules book and its evenings."""

from itertools import pairwise

import pytest

from scoring.replay.engine import replay
from scoring.replay.record import Play
from scoring.replay.viewing import scene
from tests.replay.making import record_of
from tests.support.worked import load

RECORDS = [
    *(record_of(deal["record"]) for evening in load("evenings") for deal in evening["deals"]),
    *(record_of(case["record"]) for case in load("records")),
]
REPLAYED = [(one, replay(one, one.ruleset())) for one in RECORDS if not one.errors]
SHOWN = [(one, found) for one, found in REPLAYED if found.tally is not None]
IDS = [one.id for one, _ in SHOWN]


def scenes(record, found):
    rules = record.ruleset()
    return [scene(record, found, rules, shown) for shown in range(found.possible_plays(record) + 1)]


@pytest.mark.parametrize(("record", "found"), SHOWN, ids=IDS)
def test_every_play_moves_one_card_from_a_hand_to_the_table(record, found):
    for before, after in pairwise(scenes(record, found)):
        play = record.plays[before.shown]
        if not isinstance(play, Play):
            continue
        assert after.lying[-1].card == play.card or after.rows
        if before.hands[play.seat] is not None:
            assert set(before.hands[play.seat]) - set(after.hands[play.seat] or ()) == {play.card}
        if after.rows:
            assert sum(map(len, after.rows)) == sum(map(len, before.rows)) + 1


@pytest.mark.parametrize(("record", "found"), SHOWN, ids=IDS)
def test_points_run_from_nothing_to_the_score(record, found):
    shown = scenes(record, found)
    assert shown[0].points == (0, 0, 0, 0)
    if found.complete:
        assert shown[-1].points == found.scores


def test_trick_stays_until_the_next_lead():
    record, found = next(pair for pair in SHOWN if pair[1].complete and len(pair[1].tricks) > 2)
    rules = record.ruleset()
    whole, led = scene(record, found, rules, 4), scene(record, found, rules, 5)
    assert (len(whole.lying), whole.winner) == (4, found.tricks[0].winner)
    assert (len(led.lying), led.winner) == (1, None)
    assert sum(led.tricks) == 1


def test_captured_cards_lie_before_their_takers():
    record, found = next(
        pair for pair in SHOWN if pair[0].contract.key == "queens" and pair[1].complete
    )
    last = scene(record, found, record.ruleset(), 10_000)
    before = {card: seat for seat, cards in enumerate(last.before) for card in cards}
    assert before == dict(found.tally.queens_taken_by)
