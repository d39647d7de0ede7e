"""The OpenAPI document of the API, and our page for reading it, without scripts or other sites.

Answers and bodies are described by the schemas; here stand examples, refusals and headers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja import Schema as NinjaSchema
from ninja.openapi.docs import DocsBase
from ninja.openapi.schema import REF_TEMPLATE, OpenAPISchema
from ninja.schema import NinjaGenerateJsonSchema
from pydantic.json_schema import models_json_schema

from scoring.api import schemas
from scoring.api.bodies import MAX_BYTES, MAX_ITEMS, PROBLEM_TYPE
from scoring.api.limits import REQUESTS
from scoring.common.limits import SECONDS

type Schema = dict[Any, Any]

DESCRIPTION = (
    "What is sent to be scored or replayed is not stored. A request has at most "
    f"{MAX_BYTES:,} bytes and {MAX_ITEMS} cases or records; an address may ask {REQUESTS} "
    f"times in {SECONDS} seconds, and ten times as often of a club. "
    "An owner of a club makes keys for programs: a program sends its own along as "
    "“Authorization: Bearer trex_…”. Without one only public clubs are there. Lists come in pages: "
    "“next” is the address of the page behind, or null. Answers have an ETag; sent back as "
    "If-None-Match it is answered with 304 while nothing has changed. "
    "Seats are 0 to 3 in play order; cards are rank and suit: KH, TS, 7D."
)


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


DEAL_EXAMPLE = {"version": 1, "contract": "king", "input": {"king_taken_by": 2}}
REFUSED = {
    400: "What is sent or asked for cannot be.",
    401: "The key opens nothing, or there is none.",
    403: "The key does not open this.",
    404: "There is nothing, or nothing for this key.",
    409: "Somebody was quicker, or the match is closed.",
    411: "The body comes in chunks, without a Content-Length.",
    413: "The body is too long.",
    422: "The deal is refused; all that is wrong with it.",
    429: "Asked too often; Retry-After says for how long to wait.",
}
NO_BODY = {400: "The body is empty or no JSON."}
BODIES: tuple[type[NinjaSchema], ...] = (
    schemas.CaseSchema,
    schemas.RecordSchema,
    schemas.NewDealSchema,
    schemas.RefusalSchema,
)
"""Those that no answer names."""


def ref(model: type[NinjaSchema]) -> Schema:
    return {"$ref": REF_TEMPLATE.format(model=model.__name__)}


def one_or_several(model: type[NinjaSchema]) -> Schema:
    return {"anyOf": [ref(model), {"type": "array", "items": ref(model)}]}


def content(schema: Schema, media: str = "application/json", example: Any = None) -> Schema:
    """Describe a body of one media type."""
    return {media: {"schema": schema, **({"example": example} if example else {})}}


def refusals(*statuses: int, words: Mapping[int, str] = REFUSED) -> Schema:
    """Describe the statuses that come with a problem document."""
    problem = content(ref(schemas.RefusalSchema), PROBLEM_TYPE)
    return {
        status: {"description": (REFUSED | dict(words))[status], "content": problem}
        for status in statuses
    }


def header(name: str, words: str, *, required: bool = False) -> Schema:
    text = {"type": "string"}
    return {
        "name": name,
        "in": "header",
        "required": required,
        "schema": text,
        "description": words,
    }


def query(model: type[NinjaSchema]) -> list[Schema]:
    """Describe the fields of a schema as parameters of the address."""
    fields = model.model_json_schema(schema_generator=NinjaGenerateJsonSchema)["properties"]
    return [
        {
            "name": name,
            "in": "query",
            "required": False,
            "description": field.pop("description"),
            "schema": field,
        }
        for name, field in fields.items()
    ]


def posted(body: Schema, refused: str) -> Schema:
    """Describe a call that scores or replays what is sent."""
    return {
        "requestBody": {"required": True, "content": body},
        "responses": {422: {"description": refused}, **refusals(400, 411, 413, 429, words=NO_BODY)},
    }


def read(asked: type[NinjaSchema] | None = None) -> Schema:
    """Describe a call that reads from a club."""
    tag = header("If-None-Match", "The ETag of an earlier answer.")
    return {
        "parameters": [*(query(asked) if asked else ()), tag],
        "security": [{"key": []}, {}],
        "responses": {
            304: {"description": "Nothing has changed."},
            **refusals(400, 401, 404, 429),
        },
    }


SCORE = posted(
    content(one_or_several(schemas.CaseSchema), example=CASE_EXAMPLE),
    "The one case that was sent is refused.",
)
REPLAY = posted(
    content({"type": "string"}, "text/plain", RECORD_EXAMPLE)
    | content(one_or_several(schemas.RecordSchema)),
    "The one record that was sent has errors of writing.",
)
STANDINGS = read(schemas.StandingsQuery)
MATCHES = read(schemas.MatchesQuery)
MATCH = read()
DEALS: Schema = {
    "parameters": [
        header(
            "Idempotency-Key",
            "Another one for each deal; the same one for a retry.",
            required=True,
        )
    ],
    "security": [{"key": []}],
    "requestBody": {
        "required": True,
        "content": content(ref(schemas.NewDealSchema), example=DEAL_EXAMPLE),
    },
    "responses": {
        201: {"description": "Written, now or before."},
        **refusals(400, 401, 403, 404, 409, 411, 413, 422, 429),
    },
}


class DocumentPage(DocsBase):
    """Our page for reading the document."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        """Show every call with parameters and answers, then the schemas."""
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
    """The API with the schemas of its bodies and its keys in the document."""

    def __init__(self, **given: Any) -> None:
        super().__init__(
            title="trexscore",
            version="1",
            description=DESCRIPTION,
            urls_namespace="api",
            docs=DocumentPage(),
            **given,
        )

    def get_openapi_schema(self, **given: Any) -> OpenAPISchema:
        document = super().get_openapi_schema(**given)
        _refs, bodies = models_json_schema(
            [(model, "validation") for model in BODIES],
            ref_template=REF_TEMPLATE,
            schema_generator=NinjaGenerateJsonSchema,
        )
        document["components"]["schemas"] |= bodies["$defs"]
        document["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        return document
