"""Deals with faults that columns can hold: players who sometimes lay what they may not."""

from dataclasses import replace

from scoring.replay.play.layout import Trex
from scoring.replay.play.table import new_table
from scoring.replay.record import Pass, Play
from scoring.rules.schedule import first_leader
from tests.support.players import any_legal_deal


def careless_deal(rng, often=0.02, **given):
    """A deal in which any card that is held may be laid, or a turn passed, now and then."""
    record = any_legal_deal(rng, **given)
    rules = record.ruleset()
    leader = first_leader(record.contract, rules, record.dealer, record.chooser)
    table = new_table(record.contract, rules, record.hands, leader)
    plays = []
    while not table.over and len(plays) < 300:
        seat, move = table.turn, rng.choice(table.moves())
        if rng.random() < often:
            is_trex = isinstance(table, Trex)
            move = rng.choice([*table.hands[seat], *([None] * 3 if is_trex else [])])
        if move is not None:
            plays.append(Play(seat, move))
        elif not (isinstance(table, Trex) and table.again):
            plays.append(Pass(seat))
        table.lay(move)
    return replace(record, plays=tuple(plays))
