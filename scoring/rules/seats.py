"""The four seats, 0..3 in play order: seat + 1 plays next and is on the right (rules.md)."""

from __future__ import annotations

from typing import TypeGuard

type Seat = int

SEATS: tuple[Seat, ...] = (0, 1, 2, 3)


def is_seat(value: object) -> TypeGuard[int]:
    """Return True for 0..3 and nothing else: no `True`, no `1.0`, no `"1"`."""
    return type(value) is int and 0 <= value <= 3


def right_of(seat: Seat) -> Seat:
    """Return the seat that plays after this one in trick contracts."""
    return (seat + 1) % 4


def left_of(seat: Seat) -> Seat:
    """Return the seat that plays before this one in trick contracts."""
    return (seat - 1) % 4


def partner_of(seat: Seat) -> Seat:
    """Return the opposite seat: 0 and 2, 1 and 3."""
    return (seat + 2) % 4
