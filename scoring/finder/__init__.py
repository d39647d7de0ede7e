"""Search for the one mistake that explains why the sums of a score sheet disagree.

Also what can have happened behind the points of a deal. Ordinary Python: no Django, no clock, no
chance, no files.

sheet              lines of points or entered deals, and totals as somebody wrote them
single             every single change of one deal
totals             every single slip in adding up
prices facts       what things are worth in a deal; the facts that give a line of points
values             numbers a line could have instead
impossible         why no table can have produced a line
effort             how much is tried before a search ends
costs search       how likely a slip is; every change that mends everything, likeliest first
"""

from scoring.finder.effort import Effort, Enough
from scoring.finder.facts import PossibleFacts
from scoring.finder.impossible import Why
from scoring.finder.search import Change, Findings, Meaning, find
from scoring.finder.sheet import (
    Disagreement,
    Entered,
    Fixed,
    Line,
    Some,
    TotalsRun,
    WrittenLine,
    WrittenSheet,
    WrittenTotal,
)
from scoring.finder.single import FactChange
from scoring.finder.totals import AddingSlip

__all__ = [
    "AddingSlip",
    "Change",
    "Disagreement",
    "Effort",
    "Enough",
    "Entered",
    "FactChange",
    "Findings",
    "Fixed",
    "Line",
    "Meaning",
    "PossibleFacts",
    "Some",
    "TotalsRun",
    "Why",
    "WrittenLine",
    "WrittenSheet",
    "WrittenTotal",
    "find",
]
