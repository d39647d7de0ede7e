"""Many short matches of one club at once, as a file brings them: eight deals each, every kingdom
one complex and one trex."""

import io
import json
from datetime import timedelta

from scoring.importing.limits import PAGE
from scoring.models import Match
from scoring.transfer.queries.imports import plan_import
from scoring.transfer.services.imports import import_match
from tests.factories import NOW, PHONE

COMPLEX = ["king", "queens", "diamonds", "tricks"]


def bring(club, tables, *, options=None, first_day=0) -> list[Match]:
    """One finished match a day for each four names; whoever sits first is ahead by the number of
    the match."""
    start = NOW - timedelta(days=len(tables) + first_day)
    rows = [
        {
            "external_id": f"short-{first_day}-{number}",
            "played_at": (start + timedelta(days=number)).isoformat(),
            "players": list(names),
            "system": "levant",
            "options": {"combo": "complex", **(options or {})},
            "first_chooser": 0,
            "deals": list(_deals(number)),
        }
        for number, names in enumerate(tables)
    ]
    found = plan_import(club, io.BytesIO(json.dumps(rows).encode()), PAGE)
    assert not found.faults, found.faults
    return [
        import_match(planned=each, club=club, actor=PHONE, now=NOW).match for each in found.matches
    ]


def _deals(number):
    for chooser in range(4):
        order = [(seat + number * (chooser + 1)) % 4 for seat in range(4)]
        taken = {
            "king_taken_by": order[3],
            "queens": [1, 1, 1, 1],
            "diamonds": [4, 3, 3, 3],
            "tricks": [4, 3, 3, 3],
        }
        at = {"chooser": chooser, "deal_number": 2 * chooser + 1}
        yield {**at, "contract": COMPLEX, "input": taken}
        at["deal_number"] += 1
        yield {**at, "contract": "trex", "input": {"finish_order": order}}
