"""Hypothesis: any record without errors, however wrong its cards may be."""

from hypothesis import strategies as st

from scoring.replay.record import Capture, Pass, Play, Record, in_order
from scoring.rules import PRESETS, SYSTEMS, Contract, Double
from scoring.rules.cards import DECK_52
from scoring.rules.contracts import COMBINABLE

seats = st.integers(0, 3)
cards = st.sampled_from(DECK_52)
numbers = st.integers(-(10**9) + 1, 10**9 - 1)
free_texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=[chr(n) for n in range(32)])
).filter(lambda text: "\x7f" not in text)
free_tags = st.dictionaries(
    st.sampled_from(["Club", "Match", "Date", "North", "West", "Ronde", "X_9"]), free_texts
)
options = st.sampled_from(
    [preset.options for preset in PRESETS.values()]
    + [
        {"direction": "clockwise"},
        {"hearts_lead.contracts": ["king", "queens"], "hearts_lead.mode": "until_broken"},
        {"hearts_lead.contracts": [], "values.trex": [-100, 50, 0, 7]},
        {"fifty_one.values": dict(zip("AKQJT987", [11, 4, 3, 2, -1, 0, 8, 7], strict=True))},
        {"doubling.owner_bonus": False, "early_end": "off", "fifty_one.target": 40},
    ]
)


@st.composite
def records(draw):
    """System, contract and the seats that must be known fit; nothing else need make sense."""
    system = draw(st.sampled_from(sorted(SYSTEMS)))
    contract = draw(contracts(system))
    hand = st.none() | st.lists(cards, max_size=14).map(in_order)
    return Record(
        id=draw(free_texts.filter(bool)),
        system=system,
        contract=contract,
        options=draw(options.filter(lambda chosen: _fits(system, chosen))),
        tags=draw(free_tags),
        deal_number=draw(st.none() | st.integers(0, 10**9 - 1)),
        dealer=draw(seats),
        chooser=draw(seats),
        forced=draw(st.booleans()),
        doubles=tuple(draw(st.lists(st.builds(Double, cards, seats), max_size=5))),
        leader=draw(st.none() | seats),
        hands=tuple(draw(st.tuples(hand, hand, hand, hand))),
        plays=tuple(draw(st.lists(plays(contract), max_size=60))),
        captured=tuple(draw(st.lists(st.builds(Capture, cards, seats), max_size=9))),
        claimed=draw(st.none() | st.tuples(numbers, numbers, numbers, numbers)),
    )


def contracts(system):
    names = SYSTEMS[system].contracts
    parts = st.lists(
        st.sampled_from([name for name in names if name in COMBINABLE]),
        min_size=2,
        max_size=4,
        unique=True,
    )
    return (st.sampled_from(names) | parts).map(Contract.read)


def plays(contract):
    played = st.builds(Play, seats, cards)
    return played | st.builds(Pass, seats) if contract.special == "trex" else played


def _fits(system, chosen):
    try:
        Record("x", system=system, options=chosen).ruleset()
    except ValueError:
        return False
    return True
