"""A second scorer: slow, plain, written from the rules book, used only to disagree with the first.

It imports nothing from the product. Every unit that costs points (one diamond, one trick, one
queen) becomes a row of its own, and the rows are added up one by one.
A case is a dict as in tests/cases: system, options, contract, chooser, forced, input.
Cases are taken to be valid: what is refused elsewhere has no meaning here.
"""

from random import Random

SEATS = [0, 1, 2, 3]
QUEENS = ["QS", "QH", "QD", "QC"]
SPECIAL = ["trex", "fifty_one"]

# Options that touch points, as the columns of the rules book. Where a column has "-" stands the
# value of the first other system that has one; "cheat.amount" None means: no such penalty.
LEVANT = {
    "doubling.king": True,
    "doubling.queens": True,
    "doubling.owner_bonus": True,
    "doubling.self_capture": "single",
    "doubling.queens_unit": "per_queen",
    "doubling.partner_capture": "as_opponent",
    "doubling.in_combo": True,
    "values.king": 75,
    "values.queen": 25,
    "values.diamond": 10,
    "values.trick": 15,
    "values.heart": 10,
    "values.last_trick": 80,
    "values.fifty_one": 80,
    "values.trex": [200, 150, 100, 50],
    "signs": "normal",
    "teams": "none",
    "revoke": "remaining",
    "cheat.amount": None,
    "cheat.multiplied": False,
    "kabbout.contracts": [],
    "kabbout.amount": 400,
    "kabbout.multiplied": True,
    "chooser_factor": 1,
    "forced_factor": 1,
    "trex_chooser_double": "both",
    "forced_applies_to_trex": True,
    "fifty_one.values": {"A": 1, "K": 4, "Q": 3, "J": 2, "T": -1, "9": 0, "8": 8, "7": 7},
    "fifty_one.target": 51,
}
KLESHCHI = LEVANT | {"doubling.owner_bonus": False, "revoke": "off"}
BARBU = LEVANT | {
    "doubling.king": False,
    "doubling.queens": False,
    "values.king": 80,
    "values.queen": 20,
    "values.trick": 10,
    "values.trex": [-100, -50, 0, 0],
    "revoke": "off",
    "cheat.amount": 400,
    "kabbout.contracts": ["hearts", "tricks", "general"],
    "chooser_factor": 2,
    "forced_factor": 2,
}
DEFAULTS = {"levant": LEVANT, "kleshchi": KLESHCHI, "barbu": BARBU}
PENALTY_SIGN = {"levant": -1, "kleshchi": -1, "barbu": +1}
TRICK_CONTRACTS = {
    "levant": ["king", "queens", "diamonds", "tricks"],
    "kleshchi": ["king", "queens", "diamonds", "tricks"],
    "barbu": ["king", "queens", "hearts", "tricks", "last_trick"],
}
GENERAL = ["tricks", "last_trick", "hearts", "queens", "king"]
COUNTED = {"diamonds": "values.diamond", "hearts": "values.heart", "tricks": "values.trick"}


def naive_scores(case):
    """Four ints by seat."""
    options = _options(case)
    given = case["input"]
    names = case["contract"] if isinstance(case["contract"], list) else [case["contract"]]
    chooser = case.get("chooser")
    forced = bool(case.get("forced"))

    if given.get("cheat_by") is not None:
        scores = _cheat(case, options, chooser, forced)
    elif given.get("forfeited"):
        scores = _forfeit(case, options, names, chooser, forced)
    elif names == ["trex"]:
        scores = _trex(options, given, chooser, forced)
    elif names == ["fifty_one"]:
        scores = _fifty_one(case, options, chooser, forced)
    else:
        scores = _trick_contract(case, options, names, chooser, forced)

    if options["signs"] == "swapped":
        scores = [-score for score in scores]
    return scores


def naive_team_scores(case):
    """Seats 0 and 2 against seats 1 and 3; None where nobody plays in teams."""
    options = _options(case)
    if options["teams"] == "none":
        return None
    scores = naive_scores(case)
    return [scores[0] + scores[2], scores[1] + scores[3]]


def _cheat(case, options, chooser, forced):
    scores = [0, 0, 0, 0]
    cheat = case["input"]["cheat_by"]
    scores[cheat] = PENALTY_SIGN[case["system"]] * options["cheat.amount"]
    if options["cheat.multiplied"]:
        scores = _multiplied(scores, options, chooser, forced)
    return scores


def _forfeit(case, options, names, chooser, forced):
    total = 0
    for name in names:
        if name == "king":
            total += options["values.king"]
        elif name == "queens":
            total += 4 * options["values.queen"]
        elif name == "diamonds":
            total += 13 * options["values.diamond"]
    scores = [0, 0, 0, 0]
    scores[chooser] = PENALTY_SIGN[case["system"]] * total
    return _multiplied(scores, options, chooser, forced)


def _trex(options, given, chooser, forced):
    scores = [0, 0, 0, 0]
    for place in [0, 1, 2, 3]:
        seat = given["finish_order"][place]
        score = options["values.trex"][place]
        if forced and options["forced_applies_to_trex"]:
            score = score * options["forced_factor"]
        doubled_places = {"none": [], "first": [0], "both": [0, 1]}[options["trex_chooser_double"]]
        if seat == chooser and place in doubled_places:
            score = score * options["chooser_factor"]
        scores[seat] = score
    return scores


def _fifty_one(case, options, chooser, forced):
    scores = [0, 0, 0, 0]
    loser = case["input"].get("loser")
    if loser is not None:
        scores[loser] = PENALTY_SIGN[case["system"]] * options["values.fifty_one"]
    return _multiplied(scores, options, chooser, forced)


def _multiplied(scores, options, chooser, forced):
    scores = list(scores)
    for seat in SEATS:
        if forced:
            scores[seat] = scores[seat] * options["forced_factor"]
        if seat == chooser:
            scores[seat] = scores[seat] * options["chooser_factor"]
    return scores


def _trick_contract(case, options, names, chooser, forced):
    sign = PENALTY_SIGN[case["system"]]
    taken = _taken(case, names)

    winner = _kabbout_by(case, options, names, taken)
    if winner is not None:
        scores = [0 if seat == winner else sign * options["kabbout.amount"] for seat in SEATS]
        if options["kabbout.multiplied"]:
            scores = _multiplied(scores, options, chooser, forced)
        return scores

    losses = [0, 0, 0, 0]
    for item, card, taker, was_taken in taken:
        if item == "king":
            value = options["values.king"]
        elif item == "queens":
            value = options["values.queen"]
        elif item == "last_trick":
            value = options["values.last_trick"]
        else:
            value = options[COUNTED[item]]
        for seat, times in _shares(case, options, item, card, taker, was_taken):
            losses[seat] += times * value
    return _multiplied([sign * loss for loss in losses], options, chooser, forced)


def _taken(case, names):
    """Rows (item, card, taker, was_taken): everything of this contract that costs points."""
    given = case["input"]
    deck = 32 if case["system"] == "barbu" else 52
    exists = {"diamonds": deck // 4, "hearts": deck // 4, "tricks": deck // 4}
    rows = []
    for item in GENERAL if names == ["general"] else names:
        if item == "king":
            rows.append(["king", "KH", given.get("king_taken_by"), True])
        elif item == "last_trick":
            rows.append(["last_trick", None, given.get("last_trick_by"), True])
        elif item == "queens" and given.get("queens_taken_by") is not None:
            for card in QUEENS:
                rows.append(["queens", card, given["queens_taken_by"].get(card), True])
        elif item == "queens":
            rows += _counted("queens", given.get("queens", [0, 0, 0, 0]), 4)
        else:
            rows += _counted(item, given[item], exists[item])

    offender = given.get("revoke_by")
    for row in rows:
        if row[2] is None:
            row[2] = offender
            row[3] = False
        elif offender is not None and _options(case)["revoke"] == "total":
            row[2] = offender
    return rows


def _options(case):
    """The whole column with its changes. Who says how cheating is punished has the penalty."""
    given = case.get("options", {})
    options = DEFAULTS[case["system"]] | given
    says_how = given.get("cheat.multiplied") or given.get("cheat.replay")
    if says_how and options["cheat.amount"] is None and "cheat.amount" not in given:
        options["cheat.amount"] = 400
    return options


def _counted(item, counts, exist):
    rows = []
    for seat in SEATS:
        for _ in range(counts[seat]):
            rows.append([item, None, seat, True])
    while len(rows) < exist:
        rows.append([item, None, None, True])
    return rows


def _kabbout_by(case, options, names, taken):
    """The seat that took everything in tricks, where that is a kabbout: what a revoke lays on the
    offender is not taken."""
    if len(names) != 1 or names[0] not in options["kabbout.contracts"]:
        return None
    if case["input"].get("revoke_by") is not None and options["revoke"] == "total":
        return None
    item = "tricks" if names == ["general"] else names[0]
    takers = {row[2] if row[3] else None for row in taken if row[0] == item}
    return takers.pop() if len(takers) == 1 else None


def _shares(case, options, item, card, taker, was_taken):
    """Who loses (or, below zero, gains) how many times the value of this one card or trick."""
    doubler = _doubler(case, options, item, card)
    if doubler is None:
        return [(taker, 1)]
    whole = item == "queens" and options["doubling.queens_unit"] == "whole_contract"
    leader = case["input"].get("trick_leader", {}).get(card) if was_taken else None

    if taker == doubler:
        rule = "single" if whole else options["doubling.self_capture"]
        if rule == "single":
            return [(taker, 1)]
        if rule == "double":
            return [(taker, 2)]
        if rule == "quadruple":
            return [(taker, 4)]
        if rule == "leader_gains":
            if leader is None:
                return [(taker, 2)]
            return [(taker, 2), (leader, -1)]

    if options["teams"] == "opposite" and taker == (doubler + 2) % 4:
        rule = options["doubling.partner_capture"]
        if rule == "no_bonus":
            return [(taker, 2)]
        if rule == "normal_value":
            return [(taker, 1)]
        if rule == "opponents_gain":
            if leader is None or leader % 2 == taker % 2:
                return [(taker, 2)]
            return [(taker, 2), (leader, -1)]

    if options["doubling.owner_bonus"]:
        return [(taker, 2), (doubler, -1)]
    return [(taker, 2)]


def _doubler(case, options, item, card):
    if item not in ("king", "queens"):
        return None
    for double in case["input"].get("doubles") or []:
        if double["card"] == card:
            return double["by"]
        all_queens = item == "queens" and options["doubling.queens_unit"] == "whole_contract"
        if all_queens and double["card"] in QUEENS:
            return double["by"]
    return None


# ---- Random valid cases -------------------------------------------------------------------


def naive_random_case(rng: Random):
    """A valid case of any system, contract or combination, over all options that touch points."""
    system = rng.choice(["levant", "kleshchi", "barbu"])
    options = _random_options(rng, system)
    now = DEFAULTS[system] | options
    contract = _random_contract(rng, system)
    case = {
        "system": system,
        "options": options,
        "contract": contract,
        "chooser": rng.randrange(4),
        "forced": rng.random() < 0.3,
        "input": {},
    }
    names = contract if isinstance(contract, list) else [contract]
    if now["cheat.amount"] is not None and rng.random() < 0.1:
        case["input"] = {"cheat_by": rng.randrange(4)}
    elif options.get("forfeit_first_three") and set(names) <= {"king", "queens", "diamonds"}:
        case["input"] = {"forfeited": True}
    elif contract == "trex":
        case["input"] = {"finish_order": rng.sample(SEATS, 4)}
    elif contract == "fifty_one":
        case["input"] = _random_fifty_one(rng, now, case["chooser"])
    else:
        case["input"] = _random_tricks(rng, system, now, names)
    return case


def _random_options(rng, system):
    options = {}

    def maybe(name, values, chance=0.25):
        if rng.random() < chance:
            options[name] = rng.choice(values)

    maybe("doubling.king", [True, False])
    maybe("doubling.queens", [True, False])
    maybe("doubling.owner_bonus", [True, False], 0.4)
    maybe("doubling.self_capture", ["single", "double", "quadruple", "leader_gains"], 0.5)
    maybe("doubling.queens_unit", ["per_queen", "whole_contract"], 0.3)
    maybe("doubling.in_combo", [True, False], 0.1)
    maybe("teams", ["opposite"], 0.4)
    if "teams" in options:
        readings = ["as_opponent", "no_bonus", "normal_value", "opponents_gain"]
        maybe("doubling.partner_capture", readings, 0.7)
    maybe("values.king", [100, 75, 0, 81])
    maybe("values.queen", [30, 7])
    maybe("values.trick", [10, 1])
    if system == "barbu":
        maybe("values.heart", [5, 13])
        maybe("values.last_trick", [40, 100])
        maybe("values.fifty_one", [100, 33])
        maybe("fifty_one.target", [10, 51, 96])
        small = {"A": 1, "K": 0, "Q": 0, "J": 0, "T": 0, "9": 0, "8": 1, "7": 0}
        maybe("fifty_one.values", [small, {**BARBU["fifty_one.values"], "A": 11}])
    else:
        maybe("values.diamond", [15, 3])
    maybe("values.trex", [[100, 50, 0, -50], [-200, -100, 0, 0], [40, 30, -20, -10]], 0.2)
    maybe("signs", ["swapped"], 0.2)
    maybe("revoke", ["remaining", "total", "off"], 0.5)
    maybe("cheat.amount", [400, 250], 0.15)
    maybe("cheat.multiplied", [True, False], 0.2)
    kabbout = [["tricks"], []]
    kabbout += [["hearts", "general"]] if system == "barbu" else [["diamonds", "tricks"]]
    maybe("kabbout.contracts", kabbout, 0.3)
    maybe("kabbout.amount", [400, 150], 0.2)
    maybe("kabbout.multiplied", [True, False], 0.3)
    maybe("chooser_factor", [1, 2, 3], 0.25)
    maybe("forced_factor", [1, 2, 5], 0.25)
    maybe("trex_chooser_double", ["none", "first", "both"], 0.3)
    maybe("forced_applies_to_trex", [True, False], 0.3)
    if rng.random() < 0.15:
        options["contract_order"] = rng.choice(["fixed", "fixed_reversed"])
        options["forfeit_first_three"] = True
    return options


def _random_contract(rng, system):
    single = [*TRICK_CONTRACTS[system], "trex"]
    if system == "barbu":
        single += ["general", "general", "fifty_one"]
    if rng.random() < 0.7:
        return rng.choice(single)
    return rng.sample(TRICK_CONTRACTS[system], rng.randint(2, 4))


def _deck(system):
    ranks = "789TJQKA" if system == "barbu" else "23456789TJQKA"
    return [rank + suit for suit in "SHDC" for rank in ranks]


def _random_fifty_one(rng, options, chooser):
    cards = _deck("barbu")
    rng.shuffle(cards)
    values = options["fifty_one.values"]
    plays, total = [], 0
    while cards and total < options["fifty_one.target"]:
        plays.append(cards.pop())
        total += values[plays[-1][0]]
    if total < options["fifty_one.target"]:
        return {"loser": None}
    given = {"loser": (chooser + len(plays) - 1) % 4}
    if rng.random() < 0.5:
        given["plays"] = plays
    return given


def _random_tricks(rng, system, options, names):
    """Deals the deck into tricks with a taker each, so that all counts agree with one another."""
    cards = _deck(system)
    rng.shuffle(cards)
    all_tricks = [cards[i : i + 4] for i in range(0, len(cards), 4)]
    lone = rng.randrange(4) if rng.random() < 0.15 else None
    takers = [rng.randrange(4) if lone is None else lone for _ in all_tricks]
    played = len(all_tricks)
    given = {}
    if options["revoke"] != "off" and rng.random() < 0.4:
        given["revoke_by"] = rng.randrange(4)
        played = rng.randint(0, len(all_tricks))
    taken_by = {}
    for trick, taker in list(zip(all_tricks, takers, strict=True))[:played]:
        for card in trick:
            taken_by[card] = taker

    def count(suit):
        return [sum(taken_by.get(c) == seat for c in cards if c[1] == suit) for seat in SEATS]

    items = GENERAL if names == ["general"] else names
    doubles = _random_doubles(rng, options, names, items)
    counts_will_do = not doubles and rng.random() < 0.4
    facts = {
        "king": {"king_taken_by": taken_by.get("KH")},
        "diamonds": {"diamonds": count("D")},
        "hearts": {"hearts": count("H")},
        "tricks": {"tricks": [takers[:played].count(seat) for seat in SEATS]},
        "last_trick": {"last_trick_by": takers[-1] if played == len(all_tricks) else None},
        "queens": {"queens_taken_by": {card: taken_by.get(card) for card in QUEENS}},
    }
    if rng.random() < 0.3:
        for card, taker in list(facts["queens"]["queens_taken_by"].items()):
            if taker is None:
                del facts["queens"]["queens_taken_by"][card]
    if counts_will_do:
        queens = [[taken_by.get(card) for card in QUEENS].count(seat) for seat in SEATS]
        facts["queens"] = {"queens": queens}

    more = TRICK_CONTRACTS[system] if rng.random() < 0.1 and "revoke_by" not in given else []
    for item in [*more, *items]:
        given |= facts[item]
    if doubles or rng.random() < 0.2:
        given["doubles"] = doubles
    leaders = _random_leaders(rng, options, doubles, taken_by, given.get("revoke_by"))
    if leaders:
        given["trick_leader"] = leaders
    return given


def _random_doubles(rng, options, names, items):
    if len(names) > 1 and not options["doubling.in_combo"]:
        return []
    cards = ["KH"] if "king" in items and options["doubling.king"] else []
    if "queens" in items and options["doubling.queens"]:
        whole = options["doubling.queens_unit"] == "whole_contract"
        cards += [rng.choice(QUEENS)] if whole else QUEENS
    return [{"card": card, "by": rng.randrange(4)} for card in cards if rng.random() < 0.6]


def _random_leaders(rng, options, doubles, taken_by, offender):
    """A leader for every doubled card whose capture may turn on who led the trick."""
    if not (
        options["doubling.self_capture"] == "leader_gains"
        or options["doubling.partner_capture"] == "opponents_gain"
    ):
        return {}
    cards = [double["card"] for double in doubles]
    if options["doubling.queens_unit"] == "whole_contract" and set(cards) & set(QUEENS):
        cards = [card for card in cards if card == "KH"] + QUEENS
    return {card: rng.randrange(4) for card in cards if card in taken_by}
