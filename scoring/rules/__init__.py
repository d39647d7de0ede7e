"""The rules of Trex in ordinary Python: no Django, no clock, no chance, no files.

cards seats items contracts     cards, seats, penalty items, contracts
tally problems                  the facts of one deal and its entry; what is wrong with them
rulesets                        options, presets, and the contracts that a table offers
deal                            one deal: from untrusted data to an entry, its checks and points
course schedule upcoming        who deals and chooses, which contracts are left, whose turn it is
redeals                         requests to deal again
scoresheet ranking              one match: rows, totals, places and ties
subtotals adjustments           points of several deals from paper; points from an arbiter
repairs renumbering             changes to deals that were entered wrongly
standings                       many matches to ranked rows
statistics                      totals, ratings and statistics of people and matches
drawing                         who sits where on a game night
cases                           scoring cases in, one answer each out, for programs
"""

from scoring.rules.cases import score_case
from scoring.rules.contracts import Contract
from scoring.rules.deal.checks import check
from scoring.rules.deal.completing import complete, places_settled
from scoring.rules.deal.doubling import doublable
from scoring.rules.deal.guarantees import Guarantee, guarantees
from scoring.rules.deal.legality import (
    RedealQuestion,
    is_queens_draw,
    legal_leads,
    redeal_questions,
)
from scoring.rules.deal.points import (
    Factor,
    Points,
    PointsLine,
    points,
    team_sums,
    trex_worth,
    worth,
)
from scoring.rules.deal.promises import base_total, deal_sum, promised_sum, zero_sum
from scoring.rules.deal.reading import Reading, fact_keys, read_entry
from scoring.rules.deal.unlikely_outcomes import UnlikelyOutcome, unlikely_outcomes
from scoring.rules.items import Item
from scoring.rules.problems import Problem, ProblemCode, RulesRefused
from scoring.rules.rulesets.options import OPTIONS, Option
from scoring.rules.rulesets.presets import PRESETS, SYSTEMS, Preset, preset, ruleset
from scoring.rules.rulesets.ruleset import Ruleset, rules_key
from scoring.rules.tally import Double, Entry, Tally

__all__ = [
    "OPTIONS",
    "PRESETS",
    "SYSTEMS",
    "Contract",
    "Double",
    "Entry",
    "Factor",
    "Guarantee",
    "Item",
    "Option",
    "Points",
    "PointsLine",
    "Preset",
    "Problem",
    "ProblemCode",
    "Reading",
    "RedealQuestion",
    "RulesRefused",
    "Ruleset",
    "Tally",
    "UnlikelyOutcome",
    "base_total",
    "check",
    "complete",
    "deal_sum",
    "doublable",
    "fact_keys",
    "guarantees",
    "is_queens_draw",
    "legal_leads",
    "places_settled",
    "points",
    "preset",
    "promised_sum",
    "read_entry",
    "redeal_questions",
    "rules_key",
    "ruleset",
    "score_case",
    "team_sums",
    "trex_worth",
    "unlikely_outcomes",
    "worth",
    "zero_sum",
]
