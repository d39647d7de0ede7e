"""Whatever somebody wrote, the engine answers."""

from dataclasses import replace
from random import Random

import pytest

from scoring.replay.audit import audit
from scoring.replay.breaches import STOPPING
from scoring.replay.engine import replay
from scoring.replay.record import Capture, Pass, Play
from scoring.replay.report import to_json
from scoring.replay.words import audit_text
from scoring.rules import Double, Entry
from scoring.rules.cards import DECK_52
from tests.support.players import any_legal_deal


def nonsense(rng):
    """A legal deal in which anything may have been changed."""
    record = any_legal_deal(rng)
    plays = list(record.plays)
    for _ in range(rng.randrange(1, 4)):
        at, seat = rng.randrange(len(plays)), rng.randrange(4)
        plays[at] = rng.choice([Pass(seat), Play(seat, rng.choice(DECK_52)), rng.choice(plays)])
    cards = [rng.choice(DECK_52) for _ in range(rng.randrange(5))]
    changes = {
        "plays": tuple(plays[: rng.randrange(len(plays))]),
        "hands": tuple(rng.choice([hand, hand, None]) for hand in record.hands),
        "captured": tuple(Capture(card, rng.randrange(4)) for card in cards),
        "doubles": tuple(Double(card, rng.randrange(4)) for card in cards),
        "leader": rng.choice([None, rng.randrange(4)]),
        "dealer": None,
        "chooser": rng.choice([None, record.chooser]),
        "claimed": (0, 0, 0, 0),
    }
    some = rng.sample(sorted(changes), rng.randrange(1, len(changes)))
    return record, replace(record, **{name: changes[name] for name in some})


@pytest.mark.parametrize("block", range(5))
def test_engine_answers_whatever_was_written(block):
    for seed in range(block * 30, block * 30 + 30):
        record, changed = nonsense(Random(seed))
        rules = record.ruleset()
        found = replay(changed, rules)
        stops = [breach for breach in found.breaches if breach.code in STOPPING]
        assert len(stops) == (found.stopped_at is not None), seed
        assert found.scores is None or found.complete, seed
        assert to_json(found)["id"] == changed.id
        tally = replay(record, rules).tally
        entry = Entry(record.contract, record.chooser, record.forced, tally)
        assert audit_text(changed, audit(changed, found, [entry], rules))
