"""What the game is, in ordinary Python: no Django, no clock, no chance, no files.

cards seats items contracts     the words of the game
ruleset options presets         the rules of a table as data
tally                           the facts of one deal, and the entry they come in
reading checks crosschecks      untrusted data to an entry; all that is wrong with one
completing                      the values that follow from those given
doubling fifty_one points       an entry to points, with the lines that explain them
promises guarantees             what deals and kingdoms must sum to
rare                            outcomes so improbable that a page asks "really?"
legality                        which cards may be led, when a deal is dealt again
cases                           scoring cases in, one answer each out, for programs
course offers schedule          who deals and chooses, which contracts are left, whose turn it is
places scoresheet standings     places and ties; one match; many matches
rating                          how strong people are thought to be, by the places they had
drawing                         who sits where on an evening of several tables
totals sums                     what somebody has in many matches; of all people of many matches
contract_counts                 what somebody has in the deals of one contract
"""

from scoring.rules.cases import score_case
from scoring.rules.checks import check
from scoring.rules.completing import complete, places_settled
from scoring.rules.contracts import Contract
from scoring.rules.doubling import doublable
from scoring.rules.guarantees import Guarantee, guarantees
from scoring.rules.items import Item
from scoring.rules.legality import RedealQuestion, is_queens_draw, legal_leads, redeal_questions
from scoring.rules.options import OPTIONS, Option
from scoring.rules.points import Factor, Line, Points, points, team_sums, trex_worth, worth
from scoring.rules.presets import PRESETS, SYSTEMS, Preset, preset, ruleset
from scoring.rules.problems import Problem, ProblemCode, RulesRefused
from scoring.rules.promises import base_total, deal_sum, promised_sum, zero_sum
from scoring.rules.rare import Rare, rare
from scoring.rules.reading import Reading, fact_keys, read_entry
from scoring.rules.ruleset import Ruleset, rules_key
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
    "Line",
    "Option",
    "Points",
    "Preset",
    "Problem",
    "ProblemCode",
    "Rare",
    "Reading",
    "RedealQuestion",
    "RulesRefused",
    "Ruleset",
    "Tally",
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
    "rare",
    "read_entry",
    "redeal_questions",
    "rules_key",
    "ruleset",
    "score_case",
    "team_sums",
    "trex_worth",
    "worth",
    "zero_sum",
]
