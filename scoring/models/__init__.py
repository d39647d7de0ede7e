"""What is kept. Everything is named here, so that `from scoring.models import Deal` works."""

from scoring.models.accounts import Invitation, User
from scoring.models.chain import EventKind, LedgerRow, MatchEvent, Words
from scoring.models.clubs import Club, HouseRules, Membership, Player, Role
from scoring.models.jobs import Job, JobKind, JobState
from scoring.models.judging import (
    UNDER_REVIEW,
    Dispute,
    DisputeState,
    Flag,
    Outcome,
    Ruling,
    Signature,
)
from scoring.models.ledger import (
    Adjustment,
    Deal,
    Redeal,
    StandingDeal,
    Subtotal,
    UsedContract,
    Void,
)
from scoring.models.links import JoinedPhone, LinkKind, SeatPhone, TableLink
from scoring.models.matches import Kingdom, Match, MatchState, Seating
from scoring.models.records import CardRecord, Photo, PhotoKind, Verdict
from scoring.models.results import MatchResult

__all__ = [
    "UNDER_REVIEW",
    "Adjustment",
    "CardRecord",
    "Club",
    "Deal",
    "Dispute",
    "DisputeState",
    "EventKind",
    "Flag",
    "HouseRules",
    "Invitation",
    "Job",
    "JobKind",
    "JobState",
    "JoinedPhone",
    "Kingdom",
    "LedgerRow",
    "LinkKind",
    "Match",
    "MatchEvent",
    "MatchResult",
    "MatchState",
    "Membership",
    "Outcome",
    "Photo",
    "PhotoKind",
    "Player",
    "Redeal",
    "Role",
    "Ruling",
    "SeatPhone",
    "Seating",
    "Signature",
    "StandingDeal",
    "Subtotal",
    "TableLink",
    "UsedContract",
    "User",
    "Verdict",
    "Void",
    "Words",
]
