"""Everything that may legally happen in the rest of a deal, one card at a time, the slow way.

Shares no code with the product: cards are strings, hands are frozensets, and each rule is written
down as it is read in the rules book. It is there only to disagree."""

from itertools import permutations

NATURAL = "23456789TJQKA"
TEN_HIGH = "23456789JQKTA"


def trick_ends(hands, leader, *, contracts=(), banned="", broken=False, order=NATURAL, dump=""):
    """Each way to play the hands to the end, as a list of (leader, cards, winner). `banned` is the
    heart-lead mode where the contract has it, "" where hearts are free."""
    hands = [frozenset(hand) for hand in hands]
    if not any(hands):
        yield []
        return
    for cards, new_broken in _one_trick(hands, leader, (), contracts, banned, broken, dump):
        led = cards[0][1]
        following = [card for card in cards if card[1] == led]
        best = max(following, key=lambda card: order.index(card[0]))
        winner = (leader + cards.index(best)) % 4
        left = [hands[(leader + place) % 4] - {card} for place, card in enumerate(cards)]
        left = left[-leader:] + left[:-leader] if leader else left
        options = {"contracts": contracts, "banned": banned, "order": order, "dump": dump}
        for rest in trick_ends(left, winner, broken=new_broken, **options):
            yield [(leader, cards, winner), *rest]


def _one_trick(hands, leader, lying, contracts, banned, broken, dump):
    if len(lying) == 4:
        yield lying, broken
        return
    hand = hands[(leader + len(lying)) % 4]
    if lying:
        choices = _followers(hand, lying, contracts, dump)
    else:
        choices = hand
        others = [card for card in hand if card[1] != "H"]
        if others and (banned == "only_if_no_other" or (banned == "until_broken" and not broken)):
            choices = others
    for card in choices:
        breaks = bool(lying) and card[1] == "H" and lying[0][1] != "H"
        yield from _one_trick(
            hands, leader, (*lying, card), contracts, banned, broken or breaks, dump
        )


def _followers(hand, lying, contracts, dump):
    led = lying[0][1]
    same = [card for card in hand if card[1] == led]
    if dump == "king" and "KH" in hand:
        if not same:
            return ["KH"]
        if led == "H" and "AH" in lying:
            return ["KH"]
    if dump == "all" and not same:
        costly = [card for card in hand if _costs(card, contracts)]
        return costly or list(hand)
    return same or list(hand)


def _costs(card, contracts):
    return (
        ("king" in contracts and card == "KH")
        or ("queens" in contracts and card[0] == "Q")
        or ("diamonds" in contracts and card[1] == "D")
        or ("hearts" in contracts and card[1] == "H")
    )


def row_ends(hands, turn, laid, *, step=1, order=NATURAL, ace="off", chain=True, out=(), extra=0):
    """Each way to lay the hands out in suit rows, as a finish order. `extra` is 1 for a seat that
    may lay again after an ace, 2 for one that already does. A pass is a way of its own."""
    if sum(bool(hand) for hand in hands) <= 1:
        yield out
        return
    if not hands[turn]:
        following = (turn + step) % 4
        yield from row_ends(
            hands, following, laid, step=step, order=order, ace=ace, chain=chain, out=out
        )
        return
    options = {"step": step, "order": order, "ace": ace, "chain": chain}
    fitting = [card for card in hands[turn] if _in_row(card, laid, order)]
    if not fitting or (extra and ace == "may"):
        yield from row_ends(hands, (turn + step) % 4, laid, out=out, **options)
    for card in fitting:
        left = list(hands)
        left[turn] = frozenset(hands[turn]) - {card}
        gone = (*out, turn) if not left[turn] else out
        again = card[0] == "A" and ace != "off" and left[turn] and (chain or not extra)
        following = turn if again else (turn + step) % 4
        more = (2 if extra else 1) if again else 0
        yield from row_ends(left, following, laid | {card}, out=gone, extra=more, **options)


def _in_row(card, laid, order):
    rank, suit = card
    if rank == "J":
        return True
    place, jack = order.index(rank), order.index("J")
    neighbour = place - 1 if place > jack else place + 1
    return order[neighbour] + suit in laid


def pile_ends(hands, turn, top, *, step=1, wrap=False, stuck="last", passed=0, last=None, out=()):
    """Each way to lay the hands on one pile, as a finish order; `last` is who laid the top card."""
    if sum(bool(hand) for hand in hands) <= 1:
        yield out
        return
    options = {"step": step, "wrap": wrap, "stuck": stuck}
    if not hands[turn]:
        following = (turn + step) % 4
        yield from pile_ends(hands, following, top, passed=passed, last=last, out=out, **options)
        return
    still_in = sum(bool(hand) for hand in hands)
    if passed == still_in and stuck == "last" and hands[last] and turn != last:
        yield from pile_ends(hands, last, top, passed=passed, last=last, out=out, **options)
        return
    fitting = list(hands[turn])
    if passed < still_in:
        fitting = [card for card in hands[turn] if _on_pile(card, top, wrap)]
    if not fitting:
        following = (turn + step) % 4
        yield from pile_ends(
            hands, following, top, passed=passed + 1, last=last, out=out, **options
        )
    for card in fitting:
        left = list(hands)
        left[turn] = frozenset(hands[turn]) - {card}
        gone = (*out, turn) if not left[turn] else out
        following = (turn + step) % 4
        yield from pile_ends(left, following, card, last=turn, out=gone, **options)


def _on_pile(card, top, wrap):
    apart = abs(NATURAL.index(card[0]) - NATURAL.index(top[0]))
    return apart == 1 or (wrap and apart == 12)


def fifty_one_ends(hands, turn, total, *, values, target=51):
    """Each way to go on with fifty_one, as the loser (None: nobody)."""
    if total >= target:
        yield (turn - 1) % 4
        return
    if not any(hands):
        yield None
        return
    for card in hands[turn]:
        left = list(hands)
        left[turn] = frozenset(hands[turn]) - {card}
        rest = total + values[card[0]]
        yield from fifty_one_ends(left, (turn + 1) % 4, rest, values=values, target=target)


def deals_of(cards, sizes):
    """Each way to deal these cards to four seats with so many each."""
    seen = set()
    for order in permutations(sorted(cards)):
        hands, at = [], 0
        for size in sizes:
            hands.append(frozenset(order[at : at + size]))
            at += size
        if tuple(hands) not in seen:
            seen.add(tuple(hands))
            yield hands
