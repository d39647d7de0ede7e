"""The OpenAPI document of the API, and a page of our own that shows it: no script, no other site.

The shapes are written out here, as what comes in is judged by the rules and never by a schema:
whatever is wrong is answered with the rules' own codes.
"""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase
from ninja.openapi.schema import OpenAPISchema

from scoring.api.bodies import MOST_AT_ONCE, MOST_BYTES, PROBLEM_TYPE
from scoring.api.limits import REQUESTS, SECONDS
from scoring.rules import SYSTEMS
from scoring.rules.contracts import CONTRACT_NAMES

type Schema = dict[Any, Any]

DESCRIPTION = (
    "What is sent to be scored or replayed is not stored. A request has at most "
    f"{MOST_BYTES:,} bytes and {MOST_AT_ONCE} cases or records; an address may ask {REQUESTS} "
    f"times in {SECONDS} seconds, and ten times as often of a club. "
    "An owner of a club makes keys for programs: a program sends its own along as "
    "“Authorization: Bearer trex_…”. Without one only public clubs are there. Lists come in pages: "
    "“next” is the address of the page behind, or null. Answers have an ETag; sent back as "
    "If-None-Match it is answered with 304 while nothing has changed. "
    "Seats are 0 to 3 in play order; cards are rank and suit: KH, TS, 7D."
)


def ref(name: str) -> Schema:
    """A shape of the document, by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def several(shape: Schema) -> Schema:
    """A list of a shape."""
    return {"type": "array", "items": shape}


def one_or_several(name: str) -> Schema:
    """One, or a list."""
    return {"oneOf": [ref(name), several(ref(name))]}


def maybe(shape: Schema) -> Schema:
    """A shape, or null."""
    return {"oneOf": [shape, {"type": "null"}]}


SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": 3}
CARD: Schema = {"type": "string", "examples": ["KH"]}
NUMBER: Schema = {"type": "integer"}
TEXT: Schema = {"type": "string"}
YES: Schema = {"type": "boolean"}
FREE: Schema = {"type": "object", "additionalProperties": True}
FOUR: Schema = {"type": "array", "items": NUMBER, "minItems": 4, "maxItems": 4}
CONTRACT: Schema = {
    "oneOf": [{"type": "string", "enum": list(CONTRACT_NAMES)}, several(TEXT)],
    "description": "A name, or the list of names of a combined contract.",
}
SYSTEM: Schema = {"type": "string", "enum": list(SYSTEMS)}


def shape(required: str = "", **properties: Schema) -> Schema:
    """An object; `required` are names with blanks between."""
    names = {"required": required.split()} if required else {}
    return {"type": "object", "properties": properties, **names}


FRAME = {
    "system": SYSTEM,
    "options": FREE | {"description": "Only what differs from the system."},
    "contract": CONTRACT,
    "chooser": maybe(SEAT),
    "forced": YES,
}
SHAPES: Schema = {
    "Case": shape("system contract", id=TEXT, **FRAME, input=FREE),
    "Problem": shape("code field", code=TEXT, field=TEXT) | {"additionalProperties": True},
    "Score": shape(
        "id scores problems",
        id=maybe(TEXT),
        scores=maybe(FOUR),
        team_scores=maybe(several(NUMBER)),
        problems=several(ref("Problem")),
    ),
    "Record": shape(
        "system contract",
        id=TEXT,
        **FRAME,
        tags={"type": "object", "additionalProperties": TEXT},
        deal_number=maybe(NUMBER),
        dealer=maybe(SEAT),
        leader=maybe(SEAT),
        doubles=several(shape("card by", card=CARD, by=SEAT)),
        hands=maybe(several(maybe(several(CARD)))),
        plays=several(shape("seat", seat=SEAT, card=CARD, **{"pass": YES})),
        captured=several(shape("card seat", card=CARD, seat=SEAT)),
        claimed=maybe(FOUR),
    ),
    "Breach": shape(
        "code",
        code=TEXT,
        play=maybe(NUMBER),
        trick=maybe(NUMBER),
        seat=maybe(SEAT),
        card=maybe(CARD),
        legal=maybe(several(CARD)),
    ),
    "Error": shape("code line column text", code=TEXT, line=NUMBER, column=NUMBER, text=TEXT),
    "Report": shape(
        "id complete breaches scores errors",
        id=TEXT,
        complete=YES,
        stopped_at=maybe(NUMBER),
        breaches=several(ref("Breach")),
        tricks=several(shape(leader=SEAT, cards=several(CARD), winner=maybe(SEAT))),
        finish_order=maybe(several(SEAT)),
        tally=maybe(FREE),
        scores=maybe(FOUR),
        claimed=maybe(FOUR),
        claimed_ok=maybe(YES),
        bounds=FREE,
        bounds_exact=maybe(YES),
        possible=maybe(YES),
        errors=several(ref("Error")),
    ),
    "Refusal": shape(
        "status problems", type=TEXT, title=TEXT, status=NUMBER, problems=several(ref("Problem"))
    ),
}
CASE_EXAMPLE = {
    "system": "levant",
    "contract": "king",
    "input": {"king_taken_by": 2, "doubles": [{"card": "KH", "by": 0}]},
}
RECORD_EXAMPLE = """\
[System "levant"]
[Contract "king"]
[Dealer "N"]
W 5H KH 2H 9H
"""


def content(shape: Schema, media: str = "application/json", example: Any = None) -> Schema:
    """What a body holds."""
    return {media: {"schema": shape, **({"example": example} if example else {})}}


def answers(name: str, refused: str) -> Schema:
    """The answers of a call by status."""
    refusals = {
        400: "The body is empty or no JSON.",
        411: "The body comes in chunks, without a Content-Length.",
        413: "The body is too long.",
        429: "Asked too often; Retry-After says for how long to wait.",
    }
    good = {"description": "OK", "content": content(one_or_several(name))}
    bad = {"description": refused, "content": content(one_or_several(name))}
    whole = {
        status: {"description": words, "content": content(ref("Refusal"), PROBLEM_TYPE)}
        for status, words in refusals.items()
    }
    return {200: good, 422: bad, **whole}


SCORE: Schema = {
    "requestBody": {
        "required": True,
        "content": content(one_or_several("Case"), example=CASE_EXAMPLE),
    },
    "responses": answers("Score", "The one case that was sent is refused."),
}
REPLAY: Schema = {
    "requestBody": {
        "required": True,
        "content": content(TEXT, "text/plain", RECORD_EXAMPLE) | content(one_or_several("Record")),
    },
    "responses": answers("Report", "The one record that was sent has errors of writing."),
}


class Page(DocsBase):
    """The document as a page to read."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        """Every call with what it takes and answers, then the shapes."""
        document = api.get_openapi_schema()
        context = {
            "document": document,
            "calls": [
                _call(path, method, details)
                for path, methods in document["paths"].items()
                for method, details in methods.items()
            ],
            "shapes": {
                name: _text(shape) for name, shape in document["components"]["schemas"].items()
            },
            "address": self.get_openapi_url(api, kwargs),
        }
        return render(request, "api/api_docs.html", context)


def _call(path: str, method: str, details: Schema) -> Schema:
    bodies = details.get("requestBody", {"content": {}})["content"].items()
    return {
        "path": path,
        "method": method.upper(),
        "summary": details["summary"],
        "description": details["description"].replace("`", ""),  # Markdown for other readers
        "parameters": [
            (each["name"], each["in"], each.get("description", ""))
            for each in details.get("parameters", ())
        ],
        "examples": [
            (media, _text(body["example"])) for media, body in bodies if "example" in body
        ],
        "answers": [
            (status, answer["description"]) for status, answer in details["responses"].items()
        ],
    }


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2)


class DocumentedAPI(NinjaAPI):
    """The API with the shapes above, and those that others add, in its document."""

    more_shapes: Schema = {}

    def __init__(self, **given: Any) -> None:
        super().__init__(
            title="trexscore",
            version="1",
            description=DESCRIPTION,
            urls_namespace="api",
            docs=Page(),
            **given,
        )

    def get_openapi_schema(self, **given: Any) -> OpenAPISchema:
        """The document with its components."""
        document = super().get_openapi_schema(**given)
        document["components"] = {
            "schemas": SHAPES | self.more_shapes,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        }
        return document
