"""Deals and whole matches for tests of schedule and scoresheet, in few words."""

from scoring.rules import Contract, Entry, Tally, read_entry, ruleset
from scoring.rules.course import Played
from scoring.rules.schedule import turn
from scoring.rules.scoresheet import SheetDeal

LEVANT, KLESHCHI, BARBU = ruleset("levant"), ruleset("kleshchi"), ruleset("barbu")
TRICK_CONTRACTS = ["king", "queens", "diamonds", "tricks"]


# ---- For the schedule


def entry(contract, chooser=None, **facts):
    return Entry(Contract.read(contract), chooser, False, Tally(**facts))


def played(number, chooser, contract, dealer=None, **more):
    dealer = (chooser - 1) % 4 if dealer is None else dealer
    return Played(number, dealer, chooser, Contract.read(contract), **more)


def keys(contracts):
    return [contract.key for contract in contracts]


def codes(found):
    return [problem.code for problem in found]


def play_on(rules, deals=(), first_chooser=0, pick=lambda turn: turn.contracts[0], most=99, **more):
    """Plays the proposals until the match is over, or for so many deals."""
    deals = list(deals)
    for _ in range(most):
        now = turn(rules, first_chooser, None, deals, **more)
        if now.over:
            break
        deals.append(as_played(now, pick(now)))
    return deals


def as_played(now, contract, **more):
    forced = now.is_forced(contract)
    return Played(now.deal_number, now.dealer, now.chooser, contract, forced, **more)


def without(deals, *numbers):
    return [deal for deal in deals if deal.deal_number not in numbers]


# ---- For the scoresheet


def deal(number, chooser, contract, uses_contract=True, **facts):
    entry = Entry(Contract.read(contract), chooser, False, Tally(**facts))
    return SheetDeal(number, (chooser - 1) % 4, chooser, entry, uses_contract=uses_contract)


def read_deal(data, rules, number):
    entry = read_entry(data, rules).entry
    return SheetDeal(number, data.get("dealer", 0), data.get("chooser", 0), entry)


def evening_deals(evening, rules):
    return [read_deal(data, rules, data["deal_number"]) for data in evening["deals"]]


def match(rules, rng=None, first_chooser=0, **facts):
    """A whole match of the proposed contracts in which seat 0 takes everything and the Trex goes
    out 0 1 2 3, unless the facts of a contract are given by its name."""
    deals = []
    while not (now := turn(rules, first_chooser, None, [d.played(rules) for d in deals])).over:
        contract = rng.choice(now.contracts) if rng else now.contracts[0]
        tally = {}
        for part in contract.parts:
            tally |= facts.get(part, TAKEN_BY_ZERO[part])
        forced = now.is_forced(contract)
        entry = Entry(contract, now.chooser, forced, Tally(**tally))
        deals.append(SheetDeal(now.deal_number, now.dealer, now.chooser, entry))
    return deals


TAKEN_BY_ZERO = {
    "king": {"king_taken_by": 0},
    "queens": {"queens": (4, 0, 0, 0)},
    "diamonds": {"diamonds": (13, 0, 0, 0)},
    "tricks": {"tricks": (13, 0, 0, 0)},
    "trex": {"finish_order": (0, 1, 2, 3)},
}


def trex(*order):
    return {"finish_order": order}
