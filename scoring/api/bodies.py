"""What was sent, and the answer where a request as a whole is refused."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

MOST_BYTES = 1_000_000
MOST_AT_ONCE = 200  # cases or records in one request
QUOTED = 40
PROBLEM_TYPE = "application/problem+json"


class Refused(Exception):
    """The request cannot be answered. Each of the `problems` has a code, a field, and the numbers
    that explain it, as any problem of the rules book."""

    def __init__(self, status: HTTPStatus, code: str, field: str = "body", **numbers: Any) -> None:
        super().__init__(code)
        self.status = status
        self.problems: list[dict[str, Any]] = [{"code": code, "field": field, **numbers}]


class Refusals(Refused):
    """The same with everything that is wrong."""

    def __init__(self, status: HTTPStatus, problems: list[dict[str, Any]]) -> None:
        super().__init__(status, str(problems[0]["code"]))
        self.problems = problems


def refusal(refused: Refused) -> HttpResponse:
    """A problem document (RFC 9457) that carries the problems as every other answer does."""
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
    """The body, if it is not too long and not empty. One in chunks says no length and is not
    read."""
    if "Transfer-Encoding" in request.headers:
        raise Refused(HTTPStatus.LENGTH_REQUIRED, "missing", "content_length")
    sent = request.headers.get("Content-Length", "")
    if sent.isdecimal() and int(sent) > MOST_BYTES:
        raise too_long(MOST_BYTES)
    if not request.body.strip():
        raise Refused(HTTPStatus.BAD_REQUEST, "missing")
    return request.body


def too_long(most: int) -> Refused:
    """More bytes, cases or records than one request may have."""
    return Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_long", most=most)


def json_of(body: bytes) -> Any:
    """The JSON value of a body; `bad_json` with line and column if it is none."""
    try:
        text = body.decode("utf-8-sig")
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise bad_json(error.lineno, error.colno - 1, text[error.pos :][:QUOTED]) from None
    except (ValueError, RecursionError):
        raise bad_json(1, 0, "") from None


def bad_json(line: int, column: int, text: str) -> Refused:
    """What cannot be read, in the form that errors of the notation have."""
    return Refused(HTTPStatus.BAD_REQUEST, "bad_json", line=line, column=column, text=text)


def _refuse(word: str) -> None:
    raise ValueError(word)  # NaN and Infinity are no JSON
