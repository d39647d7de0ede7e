"""A second schedule and a second sheet: slow, plain, written from the rules book, used only to
disagree with the first.

It imports nothing from the product. A deal is a dict as in tests/cases, with `dealer` and
`chooser`; what it is asked is always worked out again from the first deal on."""

SEATS = [0, 1, 2, 3]
TRICK_CONTRACTS = ["king", "queens", "diamonds", "hearts", "tricks", "last_trick"]

# Options that touch the schedule and the places, as the columns of the rules book; where a column
# has "-" stands the value of the first other system that has one.
LEVANT = {
    "dealer_rule": "rotate",
    "chooser_order": "kingdom",
    "kingdom_pass": "right",
    "chooser_first": "seven_of_hearts",
    "first_lead": "dealer_right",
    "trex_start": "chooser",
    "contract_order": "free",
    "general_last": False,
    "contracts_scope": "player",
    "combo": "off",
    "teams": "none",
    "signs": "normal",
    "win": "high",
    "forced_factor": 1,
    "cheat.replay": False,
    "tie_break": "trex_firsts",
    "positive_wins": True,
}
KLESHCHI = LEVANT | {
    "chooser_order": "rotate",
    "first_lead": "chooser",
    "trex_start": "dealer",
    "tie_break": "shared",
    "positive_wins": False,
}
BARBU = LEVANT | {
    "chooser_order": "rotate",
    "chooser_first": "dealer_right",
    "first_lead": "chooser",
    "win": "low",
    "forced_factor": 2,
    "tie_break": "shared",
    "positive_wins": False,
}
DEFAULTS = {"levant": LEVANT, "kleshchi": KLESHCHI, "barbu": BARBU}
ORDERS = {
    "levant": ["king", "queens", "diamonds", "tricks", "trex"],
    "kleshchi": ["king", "diamonds", "queens", "tricks", "trex"],
    "barbu": [
        *["tricks", "last_trick", "hearts", "queens"],
        *["king", "trex", "fifty_one", "general"],
    ],
}


def naive_options(system, options):
    """The whole column with these changes."""
    column = DEFAULTS[system] | options
    if options.get("signs") == "swapped" and "win" not in options:
        column["win"] = "low" if DEFAULTS[system]["win"] == "high" else "high"
    return column


def naive_turn(system, options, deals, first_chooser=None, first_dealer=None, seven=None):
    """Where a match stands after these deals, none of them missing and none an extra one.

    `choosers` are those who may choose now (several: the holder of the seven of hearts, `seven`,
    decides), `offers` what each chooser may play, each a frozenset of names."""
    rules = naive_options(system, options)
    left = _left(system, rules, deals)
    choosers = _choosers(rules, deals, left, first_chooser, first_dealer)
    if len(choosers) > 1 and seven is not None:
        while seven not in choosers:
            seven = (seven + 1) % 4
        choosers = [seven]
    chooser = choosers[0] if len(choosers) == 1 else None
    return {
        "over": not any(left.values()),
        "choosers": choosers,
        "dealer": _dealer(rules, deals, chooser, first_dealer),
        "offers": {seat: _offers(rules, left[seat]) for seat in SEATS},
        "left": left,
    }


def naive_forced(system, options, left_to_chooser, contract):
    """Whether this is all that the chooser had left."""
    rules = naive_options(system, options)
    return rules["forced_factor"] != 1 and set(left_to_chooser) == set(_names(contract))


def naive_leader(system, options, contract, dealer, chooser):
    """Who plays the first card."""
    rules = naive_options(system, options)
    if contract == "fifty_one":
        return chooser
    rule = rules["trex_start"] if contract == "trex" else rules["first_lead"]
    return {"chooser": chooser, "dealer": dealer, "dealer_right": (dealer + 1) % 4}[rule]


def naive_number_of_deals(system, options):
    """How many deals there are, if nothing is combined by choice or played again."""
    rules = naive_options(system, options)
    own = len(ORDERS[system])
    if rules["combo"] == "complex":
        own = 1 + len([name for name in ORDERS[system] if name not in TRICK_CONTRACTS])
    return own if rules["contracts_scope"] == "game" else 4 * own


def _names(contract):
    return contract if isinstance(contract, list) else [contract]


def _played_again(rules, deal):
    return rules["cheat.replay"] and deal["input"].get("cheat_by") is not None


def _order(system, rules):
    order = list(ORDERS[system])
    if rules["contract_order"] == "fixed_reversed":
        order.reverse()
    if rules["general_last"] and "general" in order:
        order.remove("general")
        order.append("general")
    return order


def _left(system, rules, deals):
    left = {seat: _order(system, rules) for seat in SEATS}
    for deal in deals:
        if _played_again(rules, deal):
            continue
        for seat in SEATS if rules["contracts_scope"] == "game" else [deal["chooser"]]:
            for name in _names(deal["contract"]):
                left[seat].remove(name)
    return left


def _offers(rules, left):
    tricks = [name for name in left if name in TRICK_CONTRACTS]
    if rules["combo"] == "complex":
        return {frozenset(tricks)} if tricks else {frozenset([name]) for name in left}
    offers = set()
    if rules["contract_order"] in ["fixed", "fixed_reversed"]:
        for length in [1, 2, 3, 4] if rules["combo"] == "free" else [1]:
            names = left[:length]
            if length == 1 or (len(names) == length and set(names) <= set(tricks)):
                offers.add(frozenset(names))
        return offers - {frozenset()}
    for name in left:
        if not (rules["general_last"] and name == "general" and len(left) > 1):
            offers.add(frozenset([name]))
    if rules["combo"] == "free" and rules["contract_order"] == "free":
        for bits in range(2 ** len(tricks)):
            names = frozenset(name for place, name in enumerate(tricks) if bits >> place & 1)
            if 2 <= len(names) <= 4:
                offers.add(names)
    return offers


def _choosers(rules, deals, left, first_chooser, first_dealer):
    able = [seat for seat in SEATS if left[seat]]
    if not able:
        return []
    if not deals:
        if first_chooser is not None:
            return [first_chooser]
        if first_dealer is None or rules["chooser_first"] == "seven_of_hearts":
            return able
        return [first_dealer if rules["chooser_first"] == "dealer" else (first_dealer + 1) % 4]
    last = deals[-1]
    if _played_again(rules, last):
        return [last["chooser"]]
    if rules["chooser_order"] == "kingdom":
        if last["chooser"] in able:
            return [last["chooser"]]
        if rules["kingdom_pass"] == "seven_each_kingdom":
            new = [seat for seat in able if seat not in [deal["chooser"] for deal in deals]]
            return new or able
    for step in [1, 2, 3, 4]:
        if (last["chooser"] + step) % 4 in able:
            return [(last["chooser"] + step) % 4]
    return []


def _dealer(rules, deals, chooser, first_dealer):
    if not deals and first_dealer is not None:
        return first_dealer
    if deals and rules["dealer_rule"] == "rotate":
        last = deals[-1]
        if _played_again(rules, last):
            return last["dealer"]
        if rules["chooser_order"] == "rotate" and rules["chooser_first"] != "seven_of_hearts":
            # The chooser keeps his place beside the dealer.
            return (chooser + last["dealer"] - last["chooser"]) % 4 if chooser is not None else None
        return (last["dealer"] + 1) % 4
    if chooser is None:
        return None
    owner = rules["dealer_rule"] == "owner_deals" or (
        rules["dealer_rule"] == "rotate" and rules["chooser_first"] == "dealer"
    )
    return chooser if owner else (chooser - 1) % 4


# ---- The sheet


def naive_totals(scores):
    """The running totals after each deal."""
    totals, so_far = [], [0, 0, 0, 0]
    for deal in scores:
        so_far = [so_far[seat] + deal[seat] for seat in SEATS]
        totals.append(so_far)
    return totals


def naive_kingdoms(deals, scores):
    """The points of each owner's kingdom, in the order in which they were played."""
    owners = []
    for deal in deals:
        if deal["chooser"] not in owners:
            owners.append(deal["chooser"])
    kingdoms = []
    for owner in owners:
        total = [0, 0, 0, 0]
        for deal, points in zip(deals, scores, strict=True):
            if deal["chooser"] == owner:
                total = [total[seat] + points[seat] for seat in SEATS]
        kingdoms.append((owner, total))
    return kingdoms


def naive_winners(system, options, deals, scores, extra=None):
    """The seats with the best total; of those, by option, the ones with most first places in
    Trex; of those the ones that the points of an extra deal leave in front."""
    rules = naive_options(system, options)
    sides = [[0, 2], [1, 3]] if rules["teams"] == "opposite" else [[0], [1], [2], [3]]
    better = 1 if rules["win"] == "high" else -1
    firsts, points = [0, 0, 0, 0], [0, 0, 0, 0]
    for deal, won in zip(deals, scores, strict=True):
        points = [points[seat] + won[seat] for seat in SEATS]
        if deal["contract"] == "trex" and deal["input"].get("cheat_by") is None:
            firsts[deal["input"]["finish_order"][0]] += 1
    sides = _best(sides, [better * point for point in points])
    if rules["tie_break"] == "trex_firsts":
        sides = _best(sides, firsts)
        if extra is not None:
            sides = _best(sides, [better * point for point in extra])
    return sorted(seat for side in sides for seat in side)


def naive_also_won(system, options, totals):
    """The seats of every side beyond zero on the good side, where the rules have them win too."""
    rules = naive_options(system, options)
    sides = [[0, 2], [1, 3]] if rules["teams"] == "opposite" else [[0], [1], [2], [3]]
    won = []
    for side in sides:
        total = sum(totals[seat] for seat in side)
        if rules["positive_wins"] and (total > 0 if rules["win"] == "high" else total < 0):
            won += side
    return sorted(won)


def _best(sides, numbers):
    most = max(sum(numbers[seat] for seat in side) for side in sides)
    return [side for side in sides if sum(numbers[seat] for seat in side) == most]
