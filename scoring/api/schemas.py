"""Bodies and answers of the API, as its document describes them.

They describe and do not judge: what comes in is checked by the rules, which answer with their own
codes. A field without a default is always there; `LEFT_OUT` marks one that may be missing.
"""

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Schema
from pydantic import ConfigDict, Field

from scoring.api.answers import DEFAULT_ROWS, MAX_ROWS
from scoring.models import MatchState
from scoring.rules import SYSTEMS
from scoring.rules.contracts import CONTRACT_NAMES
from scoring.rules.standings import CRITERIA

LEFT_OUT: Any = None


def one_of(*words: str) -> Any:
    return Field(json_schema_extra={"enum": list(words)})


Seat = Annotated[int, Field(ge=0, le=3)]
Card = Annotated[str, Field(examples=["KH"])]
Four = Annotated[list[int], Field(min_length=4, max_length=4)]
System = Annotated[str, one_of(*SYSTEMS)]
State = Annotated[str, one_of(*MatchState.values)]
Criterion = Annotated[str, one_of(*CRITERIA)]
Win = Literal["high", "low"]
Contract = Annotated[
    Annotated[str, one_of(*CONTRACT_NAMES)] | list[str],
    Field(description="A name, or the list of names of a combined contract."),
]


def drop_titles(schema: dict[str, Any]) -> None:
    """Leave out the titles, which only repeat the names."""
    schema.pop("title", None)
    for field in schema.get("properties", {}).values():
        field.pop("title", None)


class Named(Schema):
    """A schema that the document names by its class, without "Schema"."""

    model_config = ConfigDict(json_schema_extra=drop_titles)

    def __init_subclass__(cls, **given: Any) -> None:
        cls.__name__ = cls.__qualname__ = cls.__name__.removesuffix("Schema")
        super().__init_subclass__(**given)


# ── the rules ───────────────────────────────────────────────────────────


class ProblemSchema(Named):
    model_config = ConfigDict(extra="allow")

    code: str
    field: str


class RefusalSchema(Named):
    status: int
    problems: list[ProblemSchema]
    type: str = LEFT_OUT
    title: str = LEFT_OUT


class DealFrame(Named):
    system: System
    contract: Contract
    id: str = LEFT_OUT
    options: dict[str, Any] = Field(LEFT_OUT, description="Only what differs from the system.")
    chooser: Seat | None = LEFT_OUT
    forced: bool = LEFT_OUT


class CaseSchema(DealFrame):
    input: dict[str, Any] = LEFT_OUT


class ScoreSchema(Named):
    id: str | None
    scores: Four | None
    problems: list[ProblemSchema]
    team_scores: list[int] | None = LEFT_OUT


class DoubleSchema(Named):
    card: Card
    by: Seat


class PlaySchema(Named):
    seat: Seat
    card: Card = LEFT_OUT
    passes: bool = Field(LEFT_OUT, alias="pass")


class CapturedSchema(Named):
    card: Card
    seat: Seat


class RecordSchema(DealFrame):
    tags: dict[str, str] = LEFT_OUT
    deal_number: int | None = LEFT_OUT
    dealer: Seat | None = LEFT_OUT
    leader: Seat | None = LEFT_OUT
    doubles: list[DoubleSchema] = LEFT_OUT
    hands: list[list[Card] | None] | None = LEFT_OUT
    plays: list[PlaySchema] = LEFT_OUT
    captured: list[CapturedSchema] = LEFT_OUT
    claimed: Four | None = LEFT_OUT


class BreachSchema(Named):
    code: str
    play: int | None = LEFT_OUT
    trick: int | None = LEFT_OUT
    seat: Seat | None = LEFT_OUT
    card: Card | None = LEFT_OUT
    legal: list[Card] | None = LEFT_OUT


class ErrorSchema(Named):
    code: str
    line: int
    column: int
    text: str


class TrickSchema(Named):
    leader: Seat = LEFT_OUT
    cards: list[Card] = LEFT_OUT
    winner: Seat | None = LEFT_OUT


class ReportSchema(Named):
    id: str
    complete: bool
    breaches: list[BreachSchema]
    scores: Four | None
    errors: list[ErrorSchema]
    stopped_at: int | None = LEFT_OUT
    tricks: list[TrickSchema] = LEFT_OUT
    finish_order: list[Seat] | None = LEFT_OUT
    tally: dict[str, Any] | None = LEFT_OUT
    claimed: Four | None = LEFT_OUT
    claimed_ok: bool | None = LEFT_OUT
    bounds: dict[str, Any] = LEFT_OUT
    bounds_exact: bool | None = LEFT_OUT
    possible: bool | None = LEFT_OUT


# ── a club ──────────────────────────────────────────────────────────────


class PersonSchema(Named):
    id: UUID
    name: str


class SeatedSchema(PersonSchema):
    seat: Seat


class StandingSchema(Named):
    rank: int | None = Field(description="Null for who has too few matches yet.")
    people: list[PersonSchema]
    matches: int
    total: int
    needs: int = LEFT_OUT
    decided_by: str | None = LEFT_OUT
    shares: bool = LEFT_OUT
    average: int = LEFT_OUT
    wins: int = LEFT_OUT
    place: float = LEFT_OUT
    rating: int | None = LEFT_OUT
    under_review: bool = LEFT_OUT


class FamilySchema(Named):
    system: System
    win: Win
    pairs: bool


class StandingsSchema(Named):
    club: str
    rows: list[StandingSchema]
    next: str | None
    season: UUID | None = LEFT_OUT
    evening: UUID | None = LEFT_OUT
    system: System | None = LEFT_OUT
    win: Win | None = LEFT_OUT
    pairs: bool = LEFT_OUT
    criteria: list[str] = LEFT_OUT
    minimum: int = LEFT_OUT
    is_frozen: bool = LEFT_OUT
    until: date | None = LEFT_OUT
    as_of: datetime | None = LEFT_OUT
    families: list[FamilySchema] = LEFT_OUT


class ListedSchema(Named):
    id: UUID
    state: State
    people: list[SeatedSchema]
    system: System = LEFT_OUT
    rules: str = LEFT_OUT
    table: str | None = LEFT_OUT
    evening: UUID | None = LEFT_OUT
    played_at: datetime = LEFT_OUT
    opened_at: datetime = LEFT_OUT
    closed_at: datetime | None = LEFT_OUT
    external_id: str | None = LEFT_OUT
    version: int = LEFT_OUT
    totals: Four | None = LEFT_OUT
    places: Four | None = LEFT_OUT


class MatchesSchema(Named):
    club: str
    matches: list[ListedSchema]
    next: str | None


class EntrySchema(Named):
    contract: Contract = LEFT_OUT
    chooser: Seat | None = LEFT_OUT
    forced: bool = LEFT_OUT
    input: dict[str, Any] = LEFT_OUT
    deal_number: int = LEFT_OUT
    dealer: Seat = LEFT_OUT
    leader: Seat | None = LEFT_OUT


class RowSchema(EntrySchema):
    kind: Literal["deal", "adjustment", "paper"]
    scores: Four
    id: UUID = LEFT_OUT
    after_deal: int = LEFT_OUT
    code: str | None = LEFT_OUT
    totals: Four = LEFT_OUT
    replaces: UUID | None = LEFT_OUT
    under_review: bool = LEFT_OUT


class SeatingSchema(Named):
    seat: Seat
    id: UUID
    from_deal: int


class TurnSchema(Named):
    deal_number: int
    dealer: Seat | None = LEFT_OUT
    chooser: Seat | None = LEFT_OUT


class MatchSchema(ListedSchema):
    rows: list[RowSchema]
    options: dict[str, Any] = LEFT_OUT
    first_chooser: Seat | None = LEFT_OUT
    first_dealer: Seat | None = LEFT_OUT
    head: str = LEFT_OUT
    under_review: list[int] = LEFT_OUT
    seatings: list[SeatingSchema] = LEFT_OUT
    team_totals: list[int] | None = LEFT_OUT
    winners: list[Seat] | None = LEFT_OUT
    next: TurnSchema | None = LEFT_OUT


class NewDealSchema(EntrySchema):
    version: int
    contract: Contract
    input: dict[str, Any]
    played_at: datetime = LEFT_OUT


class SavedSchema(EntrySchema):
    match: UUID
    id: UUID
    version: int
    scores: Four = LEFT_OUT
    head: str = LEFT_OUT


# ── what may be asked for ───────────────────────────────────────────────

LIMIT = f"Rows of a page, {DEFAULT_ROWS} unless it is said otherwise, {MAX_ROWS} at most."


class StandingsQuery(Schema):
    season: UUID = Field(LEFT_OUT, description="Only this season.")
    evening: UUID = Field(LEFT_OUT, description="Only this evening.")
    until: date = Field(
        LEFT_OUT,
        description="Only matches played up to this day of the club, which ends at 05:00 there, as"
        " the ledger has them today. Not of an evening, nor of a closed season.",
    )
    system: System = Field(LEFT_OUT, description="With win: this family of points.")
    win: Win = Field(LEFT_OUT, description="Which totals win.")
    pairs: str = Field(LEFT_OUT, description="1: pairs in place of people.")
    by: Criterion = Field(LEFT_OUT, description="This criterion before the others.")
    limit: int = Field(LEFT_OUT, description=LIMIT)
    after: int = Field(LEFT_OUT, description="Rows to leave out; next has it.")


class MatchesQuery(Schema):
    state: State = Field(LEFT_OUT, description="Only those.")
    since: datetime = Field(LEFT_OUT, description="Only those played since then.")
    limit: int = Field(LEFT_OUT, description=LIMIT)
    after: UUID = Field(LEFT_OUT, description="The last match of the page before; next has it.")
