"""What is kept. Everything is named here, so that `from scoring.models import Deal` works."""

from scoring.models.accounts import Invitation, User
from scoring.models.chain import EventKind, LedgerRow, MatchEvent, Words
from scoring.models.clubs import Club, HouseRules, Membership, Player, Role
from scoring.models.jobs import Job, JobKind, JobState
from scoring.models.ledger import (
    Adjustment,
    Deal,
    Redeal,
    StandingDeal,
    Subtotal,
    UsedContract,
    Void,
)
from scoring.models.matches import Kingdom, Match, MatchState, Seating
from scoring.models.records import CardRecord, Photo, PhotoKind, Verdict
from scoring.models.results import MatchResult

__all__ = [
    "Adjustment",
    "CardRecord",
    "Club",
    "Deal",
    "EventKind",
    "HouseRules",
    "Invitation",
    "Job",
    "JobKind",
    "JobState",
    "Kingdom",
    "LedgerRow",
    "Match",
    "MatchEvent",
    "MatchResult",
    "MatchState",
    "Membership",
    "Photo",
    "PhotoKind",
    "Player",
    "Redeal",
    "Role",
    "Seating",
    "StandingDeal",
    "Subtotal",
    "UsedContract",
    "User",
    "Verdict",
    "Void",
    "Words",
]
