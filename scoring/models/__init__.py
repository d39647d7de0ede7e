"""All models of the app, so that `from scoring.models import Deal` works."""

from scoring.models.accounts import Invitation, User
from scoring.models.chain import EventKind, LedgerRow, MatchEvent, Words
from scoring.models.clubs import (
    Club,
    HouseRules,
    Membership,
    PersonEvent,
    PersonEventKind,
    Player,
    Role,
)
from scoring.models.evenings import DrawMethod, DrawnSeat, Evening, EveningPlayer, EveningRound
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
    CurrentDeal,
    Deal,
    Redeal,
    Subtotal,
    UsedContract,
    Void,
)
from scoring.models.links import JoinedPhone, LinkKind, SeatPhone, TableLink
from scoring.models.log import LogEntry, LogSeal
from scoring.models.matches import Kingdom, Match, MatchState, Seating
from scoring.models.ratings import Rating, RatingState, RatingStep
from scoring.models.records import CardRecord, Photo, PhotoKind, Verdict
from scoring.models.results import (
    ClubFigures,
    ContractResult,
    ContractTotal,
    MatchResult,
    Meeting,
    PlayerTotal,
)
from scoring.models.seasons import FrozenStanding, Season
from scoring.models.tokens import ClubToken, TokenScope

__all__ = [
    "UNDER_REVIEW",
    "Adjustment",
    "CardRecord",
    "Club",
    "ClubFigures",
    "ClubToken",
    "ContractResult",
    "ContractTotal",
    "CurrentDeal",
    "Deal",
    "Dispute",
    "DisputeState",
    "DrawMethod",
    "DrawnSeat",
    "Evening",
    "EveningPlayer",
    "EveningRound",
    "EventKind",
    "Flag",
    "FrozenStanding",
    "HouseRules",
    "Invitation",
    "Job",
    "JobKind",
    "JobState",
    "JoinedPhone",
    "Kingdom",
    "LedgerRow",
    "LinkKind",
    "LogEntry",
    "LogSeal",
    "Match",
    "MatchEvent",
    "MatchResult",
    "MatchState",
    "Meeting",
    "Membership",
    "Outcome",
    "PersonEvent",
    "PersonEventKind",
    "Photo",
    "PhotoKind",
    "Player",
    "PlayerTotal",
    "Rating",
    "RatingState",
    "RatingStep",
    "Redeal",
    "Role",
    "Ruling",
    "Season",
    "SeatPhone",
    "Seating",
    "Signature",
    "Subtotal",
    "TableLink",
    "TokenScope",
    "UsedContract",
    "User",
    "Verdict",
    "Void",
    "Words",
]
