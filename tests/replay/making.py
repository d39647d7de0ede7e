"""Records made by hand, in few words; the readers of the product have tests of their own."""

from scoring.replay.record import Capture, Pass, Play, Record, in_order
from scoring.rules import Contract, Double, ruleset

SEATS = "NWSE"


def record_of(data):
    """A record from the JSON of a case that is known to be well formed."""
    hands = data.get("hands") or [None] * 4
    claimed = data.get("claimed")
    return Record(
        id=data.get("id", "case"),
        system=data["system"],
        options=data.get("options") or {},
        contract=Contract.read(data["contract"]),
        deal_number=data.get("deal_number"),
        dealer=data.get("dealer"),
        chooser=data.get("chooser"),
        forced=data.get("forced", False),
        doubles=tuple(Double(each["card"], each["by"]) for each in data.get("doubles", ())),
        leader=data.get("leader"),
        hands=tuple(None if hand is None else in_order(hand) for hand in hands),
        plays=tuple(
            Pass(each["seat"]) if each.get("pass") else Play(each["seat"], each["card"])
            for each in data.get("plays", ())
        ),
        claimed=None if claimed is None else tuple(claimed),
    )


def tricks(text):
    """Plays from lines like `N 9C TC QC KC`."""
    plays = []
    for line in text.strip().splitlines():
        leader, *cards = line.split()
        start = SEATS.index(leader)
        plays += [Play((start + place) % 4, card) for place, card in enumerate(cards)]
    return tuple(plays)


def moves(text):
    """Plays from tokens like `N:JS W:-`."""
    pairs = [token.split(":") for token in text.split()]
    return tuple(
        Pass(SEATS.index(seat)) if card == "-" else Play(SEATS.index(seat), card)
        for seat, card in pairs
    )


def hands(*texts):
    """Four hands from `"AS KS QS"`, None or `-` for an unknown one."""
    return tuple(None if text in (None, "-") else in_order(text.split()) for text in texts)


def captured(text):
    """Captures from tokens like `QS:S`."""
    return tuple(
        Capture(card, SEATS.index(seat))
        for card, seat in (token.split(":") for token in text.split())
    )


def make(contract, plays=(), *, system="levant", **given):
    """A record; north deals and chooses unless said otherwise."""
    given = {"dealer": 0, "chooser": 0} | given
    return Record(
        id="made", system=system, contract=Contract.read(contract), plays=tuple(plays), **given
    )


def rules(system="levant", **options):
    """A ruleset; `__` in a name stands for the dot: `pile__wrap=True`."""
    return ruleset(system, {name.replace("__", "."): value for name, value in options.items()})
