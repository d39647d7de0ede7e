"""Chooser, dealer and leader of a deal, as proposed by the schedule or as the table played.

Whoever was not tapped follows the others: another chooser who leads by the rule of the table leads
without being tapped as leader too. So the form says what it was drawn with (`DRAWN`), and only what
differs from that was meant.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from scoring.common.numbers import whole
from scoring.entry.forms.fields import SEATS, Field, Raw
from scoring.rules import Contract, Problem, ProblemCode
from scoring.rules.course import dealer_for
from scoring.rules.schedule import Turn

DRAWN = "drawn"
ROLE_KEYS = ("chooser", "dealer", "leader")
ROLES = tuple(Field(key, "role") for key in ROLE_KEYS)


@dataclass(frozen=True)
class Roles:
    """Three seats, by the names of `ROLE_KEYS`; None where nobody knows."""

    chooser: int | None
    dealer: int | None
    leader: int | None

    @property
    def text(self) -> str:
        """For the form to say what it was drawn with: "0.3.1"."""
        return ".".join("" if seat is None else str(seat) for seat in asdict(self).values())

    @property
    def raw(self) -> dict[str, str]:
        """As if they had been tapped."""
        return {key: str(seat) for key, seat in asdict(self).items() if seat is not None}


def proposed(turn: Turn, contract: Contract, chooser: int | None = None) -> Roles:
    """By the schedule; with this chooser where the table has named another."""
    usual = Roles(turn.chooser, turn.dealer, turn.leader(contract))
    return _followed(turn, contract, usual, {} if chooser is None else {"chooser": chooser})


def told(turn: Turn, contract: Contract, usual: Roles, raw: Raw) -> Roles:
    """What the form says. What was not changed since it was drawn follows what was."""
    drawn = _drawn(raw.get(DRAWN, "")) or usual
    sent = {key: seat for key in asdict(drawn) if (seat := _seat(raw.get(key, ""))) is not None}
    meant = {key: seat for key, seat in sent.items() if seat != getattr(drawn, key)}
    return _followed(turn, contract, drawn, meant)


def other_than(usual: Roles, now: Roles) -> dict[str, str]:
    """What the table did otherwise than is usual."""
    return dict(now.raw.items() - usual.raw.items())


def wrong_seats(raw: Raw) -> list[Problem]:
    """Roles that were sent and are no seats."""
    sent = {one.key: raw.get(one.key, "") for one in ROLES}
    return [
        Problem(ProblemCode.BAD_SEAT, key)
        for key, text in sent.items()
        if text.strip() and _seat(text) is None
    ]


def _followed(turn: Turn, contract: Contract, drawn: Roles, meant: Mapping[str, int]) -> Roles:
    chooser = meant.get("chooser", drawn.chooser)
    dealer = meant.get("dealer", _beside(turn, drawn, chooser))
    leader = drawn.leader
    if leader == turn.leader(contract, drawn.dealer, drawn.chooser):
        leader = turn.leader(contract, dealer, chooser)
    return Roles(chooser, dealer, meant.get("leader", leader))


def _beside(turn: Turn, drawn: Roles, chooser: int | None) -> int | None:
    """The dealer, who keeps his place beside the chooser where the rule ties the two."""
    if turn.ruleset.dealer_rule == "rotate" or chooser is None:
        return drawn.dealer
    if drawn.dealer is None:
        return dealer_for(turn.ruleset, chooser)
    if drawn.chooser is None:
        return drawn.dealer
    return (drawn.dealer + chooser - drawn.chooser) % 4


def _seat(text: str) -> int | None:
    seat = whole(text)
    return seat if isinstance(seat, int) and seat in SEATS else None


def _drawn(text: str) -> Roles | None:
    parts = text.split(".")
    if len(parts) != 3:
        return None
    chooser, dealer, leader = (_seat(part) for part in parts)
    return Roles(chooser, dealer, leader)
