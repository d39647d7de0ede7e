"""What the game is, in ordinary Python: no Django, no clock, no chance, no files.

cards seats items contracts   the words of the game
ruleset options presets       the rules of a table as data
tally                         the facts of one deal, and the entry they come in
reading checks                untrusted data to an entry; all that is wrong with one
points                        an entry to points, with the lines that explain them
legality                      which cards may be led, which hands may ask for new cards
cases                         scoring cases in, one answer each out, for programs
schedule scoresheet standings who deals and chooses next; one match; many matches
"""

from scoring.rules.contracts import Contract
from scoring.rules.items import Item
from scoring.rules.points import Factor, Line, Points, points, team_sums, trex_worth, worth
from scoring.rules.presets import PRESETS, Preset, preset, ruleset
from scoring.rules.problems import Problem, RulesRefused
from scoring.rules.ruleset import Ruleset
from scoring.rules.tally import Double, Entry, Tally

__all__ = [
    "PRESETS",
    "Contract",
    "Double",
    "Entry",
    "Factor",
    "Item",
    "Line",
    "Points",
    "Preset",
    "Problem",
    "RulesRefused",
    "Ruleset",
    "Tally",
    "points",
    "preset",
    "ruleset",
    "team_sums",
    "trex_worth",
    "worth",
]
