"""Request bodies, and errors of a request as a whole."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

MAX_BYTES = 1_000_000
MAX_ITEMS = 200  # cases or records in one request
QUOTED = 40
PROBLEM_TYPE = "application/problem+json"


class ApiError(Exception):
    """A request that cannot be answered.

    Each of the `problems` has a code, a field and the numbers that explain it, as those of the
    rules."""

    def __init__(self, status: HTTPStatus, code: str, field: str = "body", **numbers: Any) -> None:
        super().__init__(code)
        self.status = status
        self.problems: list[dict[str, Any]] = [{"code": code, "field": field, **numbers}]


class ApiErrors(ApiError):
    """The same with several problems."""

    def __init__(self, status: HTTPStatus, problems: list[dict[str, Any]]) -> None:
        super().__init__(status, str(problems[0]["code"]))
        self.problems = problems


def refusal(refused: ApiError) -> HttpResponse:
    """Answer with a problem document (RFC 9457)."""
    document = {
        "type": "about:blank",
        "title": refused.status.phrase,
        "status": refused.status.value,
        "problems": refused.problems,
    }
    response = JsonResponse(document, status=refused.status, content_type=PROBLEM_TYPE)
    if refused.status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = "Bearer"
    return response


def body_of(request: HttpRequest) -> bytes:
    """Return a body that is neither empty nor too long; one sent in chunks is not read."""
    if "Transfer-Encoding" in request.headers:
        raise ApiError(HTTPStatus.LENGTH_REQUIRED, "missing", "content_length")
    sent = request.headers.get("Content-Length", "")
    if sent.isdecimal() and int(sent) > MAX_BYTES:
        raise too_long(MAX_BYTES)
    if not request.body.strip():
        raise ApiError(HTTPStatus.BAD_REQUEST, "missing")
    return request.body


def too_long(most: int) -> ApiError:
    """Return the error of too many bytes, cases or records."""
    return ApiError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_long", most=most)


def json_of(body: bytes) -> Any:
    """Parse JSON; raise `bad_json` with line and column."""
    try:
        text = body.decode("utf-8-sig")
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise bad_json(error.lineno, error.colno - 1, text[error.pos :][:QUOTED]) from None
    except (ValueError, RecursionError):
        raise bad_json(1, 0, "") from None


def bad_json(line: int, column: int, text: str) -> ApiError:
    """Return the error of invalid JSON, in the form of errors of the notation."""
    return ApiError(HTTPStatus.BAD_REQUEST, "bad_json", line=line, column=column, text=text)


def _refuse(word: str) -> None:
    raise ValueError(word)  # NaN and Infinity are no JSON
