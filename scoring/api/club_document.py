"""The shapes of what is asked of a club, for the OpenAPI document."""

from __future__ import annotations

from scoring.api.answers import MOST, USUAL
from scoring.api.bodies import PROBLEM_TYPE
from scoring.api.document import (
    CONTRACT,
    FOUR,
    FREE,
    NUMBER,
    SEAT,
    SYSTEM,
    TEXT,
    YES,
    DocumentedAPI,
    Schema,
    content,
    maybe,
    ref,
    several,
    shape,
)
from scoring.models import MatchState
from scoring.rules.standings import CRITERIA

ID: Schema = {"type": "string", "format": "uuid"}
MOMENT: Schema = {"type": "string", "format": "date-time"}
DAY: Schema = {"type": "string", "format": "date"}
WIN: Schema = {"type": "string", "enum": ["high", "low"]}
PLACE: Schema = {"type": "number"}

FRAME = {
    "id": ID,
    "state": {"type": "string", "enum": list(MatchState.values)},
    "system": SYSTEM,
    "rules": TEXT,
    "table": maybe(TEXT),
    "evening": maybe(ID),
    "played_at": MOMENT,
    "opened_at": MOMENT,
    "closed_at": maybe(MOMENT),
    "external_id": maybe(TEXT),
    "version": NUMBER,
    "people": several(ref("Seated")),
    "totals": maybe(FOUR),
    "places": maybe(FOUR),
}
ENTRY = {"contract": CONTRACT, "chooser": maybe(SEAT), "forced": YES, "input": FREE}
WHERE = {"deal_number": NUMBER, "dealer": SEAT, "leader": maybe(SEAT)}

DocumentedAPI.more_shapes = {
    "Person": shape("id name", id=ID, name=TEXT),
    "Seated": shape("seat id name", seat=SEAT, id=ID, name=TEXT),
    "Standing": shape(
        "rank people matches total",
        rank=maybe(NUMBER) | {"description": "Null for who has too few matches yet."},
        needs=NUMBER,
        decided_by=maybe(TEXT),
        shares=YES,
        people=several(ref("Person")),
        matches=NUMBER,
        total=NUMBER,
        average=NUMBER,
        wins=NUMBER,
        place=PLACE,
        rating=maybe(NUMBER),
        under_review=YES,
    ),
    "Standings": shape(
        "club rows next",
        club=TEXT,
        season=maybe(ID),
        evening=maybe(ID),
        system=maybe(SYSTEM),
        win=maybe(WIN),
        pairs=YES,
        criteria=several(TEXT),
        minimum=NUMBER,
        is_frozen=YES,
        until=maybe(DAY),
        as_of=maybe(MOMENT),
        families=several(shape("system win pairs", system=SYSTEM, win=WIN, pairs=YES)),
        rows=several(ref("Standing")),
        next=maybe(TEXT),
    ),
    "Listed": shape("id state people", **FRAME),
    "Matches": shape("club matches next", club=TEXT, matches=several(ref("Listed")), next=TEXT),
    "Deal": shape("id deal_number scores", id=ID, **WHERE, **ENTRY, scores=FOUR),
    "Row": shape(
        "kind scores",
        kind={"type": "string", "enum": ["deal", "adjustment", "paper"]},
        id=ID,
        **WHERE,
        **ENTRY,
        after_deal=NUMBER,
        code=maybe(TEXT),
        scores=FOUR,
        totals=FOUR,
        replaces=maybe(ID),
        under_review=YES,
    ),
    "Match": shape(
        "id state people rows",
        **FRAME,
        options=FREE,
        first_chooser=maybe(SEAT),
        first_dealer=maybe(SEAT),
        head=TEXT,
        under_review=several(NUMBER),
        seatings=several(shape("seat id from_deal", seat=SEAT, id=ID, from_deal=NUMBER)),
        rows=several(ref("Row")),
        team_totals=maybe(several(NUMBER)),
        winners=maybe(several(SEAT)),
        next=maybe(
            shape("deal_number", deal_number=NUMBER, dealer=maybe(SEAT), chooser=maybe(SEAT))
        ),
    ),
    "NewDeal": shape("version contract input", version=NUMBER, **ENTRY, **WHERE, played_at=MOMENT),
    "Saved": shape(
        "match id version",
        match=ID,
        id=ID,
        **WHERE,
        **ENTRY,
        scores=FOUR,
        version=NUMBER,
        head=TEXT,
    ),
}


def query(name: str, schema: Schema, words: str) -> Schema:
    """One thing that may be asked for in the address."""
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": words}


def header(name: str, words: str, required: bool = False) -> Schema:
    return {
        "name": name,
        "in": "header",
        "required": required,
        "schema": TEXT,
        "description": words,
    }


LIMIT = query(
    "limit", NUMBER, f"Rows of a page, {USUAL} unless it is said otherwise, {MOST} at most."
)
IF_NONE_MATCH = header("If-None-Match", "The ETag of an earlier answer.")


def refusals(*statuses: int) -> Schema:
    words = {
        400: "What is asked for cannot be.",
        401: "The key opens nothing, or there is none.",
        403: "The key does not open this.",
        404: "There is nothing, or nothing for this key.",
        409: "Somebody was quicker, or the match is closed.",
        411: "The body comes in chunks, without a Content-Length.",
        413: "The body is too long.",
        422: "The deal is refused; all that is wrong with it.",
        429: "Asked too often; Retry-After says for how long to wait.",
    }
    return {
        status: {"description": words[status], "content": content(ref("Refusal"), PROBLEM_TYPE)}
        for status in statuses
    }


def _read(name: str, *parameters: Schema) -> Schema:
    return {
        "parameters": [*parameters, IF_NONE_MATCH],
        "security": [{"key": []}, {}],
        "responses": {
            200: {"description": "OK", "content": content(ref(name))},
            304: {"description": "Nothing has changed."},
            **refusals(400, 401, 404, 429),
        },
    }


STANDINGS = _read(
    "Standings",
    query("season", ID, "Only this season."),
    query("evening", ID, "Only this evening."),
    query(
        "until",
        DAY,
        "Only matches played up to this day of the club, which ends at 05:00 there, as the ledger"
        " has them today. Not of an evening, nor of a closed season.",
    ),
    query("system", SYSTEM, "With win: this family of points."),
    query("win", WIN, "Which totals win."),
    query("pairs", TEXT, "1: pairs in place of people."),
    query("by", {"type": "string", "enum": list(CRITERIA)}, "This criterion before the others."),
    LIMIT,
    query("after", NUMBER, "Rows to leave out; next has it."),
)
MATCHES = _read(
    "Matches",
    query("state", FRAME["state"], "Only those."),
    query("since", MOMENT, "Only those played since then."),
    LIMIT,
    query("after", ID, "The last match of the page before; next has it."),
)
MATCH = _read("Match")
DEAL_EXAMPLE = {"version": 1, "contract": "king", "input": {"king_taken_by": 2}}
DEALS: Schema = {
    "parameters": [
        header("Idempotency-Key", "Another one for each deal; the same one for a retry.", True)
    ],
    "security": [{"key": []}],
    "requestBody": {"required": True, "content": content(ref("NewDeal"), example=DEAL_EXAMPLE)},
    "responses": {
        201: {"description": "Written, now or before.", "content": content(ref("Saved"))},
        **refusals(400, 401, 403, 404, 409, 411, 413, 422, 429),
    },
}
