"""Small endings of legal deals, counted by brute force with `tests.naive_play`."""

from collections import Counter
from dataclasses import replace

from scoring.replay.engine import card_by_card, run_record
from scoring.replay.partial.bounds import bounds_of
from scoring.replay.partial.completions import claims_of, outcomes_of, what_if
from scoring.rules.cards import KING_OF_HEARTS, QUEENS
from tests.naive_play import NATURAL, TEN_HIGH, deals_of, trick_ends
from tests.support.players import any_legal_deal


def ending(rng, hidden=0):
    """A trick deal that stops with two or three tricks left, so many hands not known."""
    while True:
        record = any_legal_deal(rng)
        rules = record.ruleset()
        # The naive generator does not know forced leads that break hearts.
        if record.contract.special is None and not rules.hearts_lead.forced_lead_breaks:
            break
    left = rng.choice([2, 3]) if not hidden else 2
    size = record.ruleset().cards_per_hand
    unknown = rng.sample(range(4), hidden)
    hands = tuple(None if seat in unknown else hand for seat, hand in enumerate(record.hands))
    cut = 4 * (size - left) + rng.randrange(0, 4)
    return replace(record, plays=record.plays[:cut], hands=hands, doubles=())


def brute(record):
    """In how many ways what is taken, as `facts` has it."""
    table = run_record(record, record.ruleset()).table
    found = Counter()
    for hands in full_hands(record, table):
        for ends in ends_of(record, table, hands):
            found[facts([*table.tricks, *ends])] += 1
    return found


def full_hands(record, table):
    """Each way to deal what is not known, so that no card played was a breach."""
    if None not in table.hands:
        yield [frozenset(hand) for hand in table.hands]
        return
    size = record.ruleset().cards_per_hand
    played = [play.card for play in record.plays]
    known = {card for hand in table.hands if hand is not None for card in hand}
    free = set(record.ruleset().deck) - set(played) - known
    sizes = [
        0 if hand is not None else size - sum(play.seat == seat for play in record.plays)
        for seat, hand in enumerate(table.hands)
    ]
    for dealt in deals_of(free, sizes):
        hands = [
            frozenset(known) if known is not None else own
            for known, own in zip(table.hands, dealt, strict=True)
        ]
        whole = [
            (*hands[seat], *(play.card for play in record.plays if play.seat == seat))
            for seat in range(4)
        ]
        found = card_by_card(replace(record, hands=tuple(whole)), record.ruleset())
        codes = {breach.code for breach in found.breaches}
        if codes <= {"unfinished"}:
            yield hands


def ends_of(record, table, hands):
    """The tricks to the end, as (leader, cards, winner). Those that lie are put back first."""
    rules = record.ruleset()
    lying = tuple(table.lying)
    back = list(hands)
    for place, card in enumerate(lying):
        seat = (table.leader + place) % 4
        back[seat] = back[seat] | {card}
    bans = set(record.contract.parts) & set(rules.hearts_lead.contracts)
    ways = trick_ends(
        back,
        table.leader,
        contracts=[item.value for item in record.contract.items],
        banned=rules.hearts_lead.mode if bans and rules.hearts_lead.mode != "free" else "",
        broken=before_lying(record, table),
        order=TEN_HIGH if rules.rank_order == "ten_high" else NATURAL,
        dump=dump_rule(record, rules),
    )
    return (way for way in ways if tuple(way[0][1][: len(lying)]) == lying)


def dump_rule(record, rules):
    """Of `must_dump`; "king" asks for nothing where K♥ costs no points."""
    costs = {"king", "hearts"} & {item.value for item in record.contract.items}
    asks = rules.must_dump == "all" or (rules.must_dump == "king" and costs)
    return rules.must_dump if asks else ""


def before_lying(record, table):
    """Whether hearts were broken before the open trick."""
    whole = replace(record, plays=record.plays[: 4 * len(table.tricks)])
    return run_record(whole, record.ruleset()).table.hearts_broken


def facts(tricks):
    """What was taken, by item and seat."""
    counts = {key: [0] * 4 for key in (KING_OF_HEARTS, *QUEENS, "D", "H", "tricks")}
    for _, cards, winner in tricks:
        counts["tricks"][winner] += 1
        for card in cards:
            for key in (card, card[1]):
                if key in counts:
                    counts[key][winner] += 1
    return tuple(tuple(each) for each in counts.values()), tricks[-1][2]


def of_contract(record, found):
    """The facts of brute force as the search counts them."""
    names = {"king": [0], "queens": [1, 2, 3, 4], "diamonds": [5], "hearts": [6], "tricks": [7]}
    counter = Counter()
    for (counts, last), ways in found.items():
        vector = []
        for item in record.contract.items:
            if item == "last_trick":
                vector += [int(seat == last) for seat in range(4)]
            else:
                for place in names[item.value]:
                    vector += counts[place]
        counter[tuple(vector)] += ways
    return counter


def searched(record):
    rules = record.ruleset()
    table = run_record(record, rules).table
    return outcomes_of(record, table, rules, len(record.plays), limit=10**9)


def checked(record, tally):
    rules = record.ruleset()
    table = run_record(record, rules).table
    claims = list(claims_of(record.contract, tally))
    proven = bounds_of(record, table, rules, len(record.plays))
    return what_if(record, table, rules, len(record.plays), claims, proven)
