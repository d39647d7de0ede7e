"""Calls that score deals and replay records.

Nothing is stored and nobody signs in, so there is no session and no CSRF token."""

from __future__ import annotations

import io
from collections.abc import Iterator
from http import HTTPStatus
from itertools import islice
from time import perf_counter
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from ninja.errors import Throttled

from scoring.api.bodies import MAX_ITEMS, ApiError, body_of, json_of, refusal, too_long
from scoring.api.document import REPLAY, SCORE, DocumentedAPI
from scoring.api.limits import ByAddress
from scoring.api.schemas import ReportSchema, ScoreSchema
from scoring.replay.archive import kind_of, read_all, replayed
from scoring.replay.record import Record
from scoring.replay.report import to_json
from scoring.rules import score_case

SECONDS_OF_BOUNDS = 2.0  # in one request
OPEN_KEYS = ("bounds", "bounds_exact", "possible")

by_address = ByAddress()
api = DocumentedAPI(throttle=by_address)


@api.post(
    "/score",
    url_name="score",
    summary="Score deals",
    response={(200, 422): ScoreSchema | list[ScoreSchema]},
    openapi_extra=SCORE,
)
def score(request: HttpRequest) -> HttpResponse:
    """One case, or an array of cases, as `manage.py score` takes them. An array gets an array of
    answers. A single case that is refused is answered with status 422, and everything that is
    wrong with it."""
    with by_address.charged(request):
        cases = json_of(body_of(request))
        if not isinstance(cases, list):
            answer = score_case(cases)
            return answered(answer, is_good=not answer["problems"])
        if len(cases) > MAX_ITEMS:
            raise too_long(MAX_ITEMS)
        return answered([score_case(case) for case in cases])


@api.post(
    "/replay",
    url_name="replay",
    summary="Replay records",
    response={(200, 422): ReportSchema | list[ReportSchema]},
    openapi_extra=REPLAY,
)
def replay(request: HttpRequest) -> HttpResponse:
    """Records as JSON (one, an array, or one per line) or as `.trex` text, as `manage.py replay`
    takes them. One object gets one report, everything else an array. What cannot be read stands
    in the report's `errors`; a single record with errors is answered with status 422. The
    `bounds` of records that leave something open are worked out for two seconds; reports behind
    that come without."""
    body = body_of(request)
    start = body[:4_096].decode("utf-8-sig", errors="replace")
    kind = kind_of(start)
    with by_address.charged(request):
        records = list(islice(read_all(io.BytesIO(body), kind), MAX_ITEMS + 1))
        if len(records) > MAX_ITEMS:
            raise too_long(MAX_ITEMS)
        reports = list(reports_of(records))
    is_list = start.lstrip()[:1] == "[" and kind == "json"
    is_good = is_list or len(records) != 1 or not records[0].errors
    is_object = kind == "json" and not is_list and len(reports) == 1
    return answered(reports[0] if is_object else reports, is_good=is_good)


def reports_of(records: list[Record]) -> Iterator[dict[str, Any]]:
    """Yield the reports, after a while without what records leave open.

    That is expensive, and must not hold up others."""
    start = perf_counter()
    for record in records:
        in_time = perf_counter() - start < SECONDS_OF_BOUNDS
        report = to_json(replayed(record, bounds=in_time))
        yield report if in_time else {key: report[key] for key in report if key not in OPEN_KEYS}


def answered(answer: Any, *, is_good: bool = True) -> HttpResponse:
    """Answer with JSON; status 422 where the only case or record is refused."""
    status = HTTPStatus.OK if is_good else HTTPStatus.UNPROCESSABLE_ENTITY
    return JsonResponse(answer, status=status, safe=False)


@api.exception_handler(ApiError)
def refused(request: HttpRequest, reason: ApiError) -> HttpResponse:
    """Answer a request that cannot be served."""
    return refusal(reason)


@api.exception_handler(Throttled)
def throttled(request: HttpRequest, reason: Throttled) -> HttpResponse:
    """Answer an address that asks too often."""
    wait = int(reason.wait or 1)
    response = refusal(ApiError(HTTPStatus.TOO_MANY_REQUESTS, "too_often", "address", seconds=wait))
    response["Retry-After"] = str(wait)
    return response
