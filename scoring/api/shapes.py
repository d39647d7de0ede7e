"""Standings, matches and deals as JSON; null is what is unknown, never 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from scoring.ledger.queries.match_view import MatchView
from scoring.models import Deal, Match, MatchEvent, MatchResult
from scoring.models.canonical import plain
from scoring.rules import Ruleset, points
from scoring.rules.scoresheet import ScoreRow, Scoresheet
from scoring.rules.seats import Seat
from scoring.rules.standings import Standing
from scoring.standings.queries.standings import RankedPair, RankedPerson, StandingsPage

type Shape = dict[str, Any]


def standings_of(page: StandingsPage, rows: Iterable[Standing]) -> Shape:
    """Return a page of standings."""
    season, evening, until = page.scope.season, page.scope.evening, page.scope.until
    system, win = page.family or (None, None)
    return {
        "club": page.club.slug,
        "season": plain(season.id) if season else None,
        "evening": plain(evening.id) if evening else None,
        "system": system,
        "win": win,
        "pairs": page.of_pairs,
        "criteria": list(page.criteria),
        "minimum": page.minimum,
        "is_frozen": page.scope.is_frozen,
        "until": until.isoformat() if until else None,
        "as_of": _moment(page.as_of),
        "families": [
            {"system": each.family[0], "win": each.family[1], "pairs": each.has_pairs}
            for each in page.tables
        ],
        "rows": [_standing(page, row) for row in rows],
    }


def _standing(page: StandingsPage, row: Standing) -> Shape:
    record, entrant = row.record, row.player
    assert isinstance(entrant, RankedPerson | RankedPair)
    return {
        "rank": row.rank,
        "needs": row.needs,
        "decided_by": row.decided_by,
        "shares": row.shares,
        "people": [{"id": plain(each.id), "name": each.name} for each in entrant.people],
        "matches": record.matches,
        "total": record.total,
        "average": record.average,
        "wins": record.wins,
        "place": record.place_tenths / 10,
        "rating": None if record.rating is None else round(record.rating),
        "under_review": entrant.ids in page.reviewed,
    }


def match_summary(match: Match, people: Mapping[int, tuple[UUID, str]], shown: bool) -> Shape:
    """Return a match of a list; totals and places once it is finished."""
    results: list[MatchResult] = list(match.results.all()) if shown else []
    last = {row.seat: row for row in results}
    totals = [last[seat].total if seat in last else None for seat in range(4)]
    places = [last[seat].place if seat in last else None for seat in range(4)]
    return _frame(match) | {
        "people": [
            {"seat": seat, "id": plain(person), "name": name}
            for seat, (person, name) in sorted(people.items())
        ],
        "totals": totals if last else None,
        "places": places if last else None,
    }


def match_details(view: MatchView) -> Shape:
    """Return a match with its deals, as this reader may see it."""
    sheet, match = view.sheet, view.match
    return _frame(match) | {
        "options": match.options,
        "first_chooser": match.first_chooser,
        "first_dealer": match.first_dealer,
        "head": match.head,
        "under_review": sorted(view.reviews),
        "people": [
            {"seat": each.seat, "id": plain(each.player_id), "name": each.name}
            for each in view.seats
        ],
        "seatings": [
            {"seat": one.seat, "id": plain(one.player_id), "from_deal": one.from_deal}
            for seat in view.sittings
            for one in seat
        ],
        "rows": [
            *(_row(view, row) for row in sheet.rows),
            *(_row(view, row) | {"counts": False} for row in sheet.uncounted),
        ],
        "totals": list(sheet.totals) if sheet.begun else None,
        "team_totals": list(sheet.team_totals) if sheet.begun and sheet.team_totals else None,
        "places": list(sheet.places) if match.is_finished else None,
        "winners": _winners(sheet) if match.is_finished else None,
        "next": _turn(view) if match.is_running else None,
    }


def _winners(sheet: Scoresheet) -> list[Seat]:
    """Return the seats in place 1, and those that also win (`positive_wins`)."""
    return sorted({*sheet.winners, *sheet.positives})


def _frame(match: Match) -> Shape:
    return {
        "id": plain(match.id),
        "state": match.state,
        "system": match.system,
        "rules": match.rules_name or match.preset or match.system,
        "table": match.table_name or None,
        "evening": plain(match.evening_id),
        "played_at": _moment(match.played_at),
        "opened_at": _moment(match.opened_at),
        "closed_at": _moment(match.closed_at),
        "external_id": match.external_id or None,
        "version": match.version,
    }


def _row(view: MatchView, row: ScoreRow) -> Shape:
    """Return a deal, or an adjustment between deals."""
    if row.deal is None:
        kind = "adjustment" if row.adjustment else "paper"
        reason = row.adjustment.reason if row.adjustment else None
        return {"kind": kind, "after_deal": row.number, "code": reason, "scores": [*row.points]}
    deal = view.deals[row.number]
    return {
        "kind": "deal",
        "deal_number": row.number,
        "id": plain(deal.id),
        "dealer": deal.dealer,
        "leader": deal.leader,
        **_entry(deal),
        "scores": list(row.points),
        "totals": list(row.totals),
        "counts": True,
        "replaces": plain(deal.replaces_id),
        "under_review": row.number in view.reviews,
    }


def _entry(deal: Deal) -> Shape:
    """Return what was entered, as `POST /api/score` takes it."""
    entry = {name: value for name, value in deal.payload.items() if name != "v"}
    return {"chooser": deal.chooser, "forced": deal.forced, **entry}


def _turn(view: MatchView) -> Shape | None:
    """Return what is played next, as far as the rules know it."""
    turn = view.turn
    if turn.over:
        return None
    dealer = None if turn.asks_dealer else turn.dealer
    return {"deal_number": turn.deal_number, "dealer": dealer, "chooser": turn.chooser}


def saved_deal(deal: Deal, event: MatchEvent, rules: Ruleset) -> Shape:
    """Return the answer to a saved deal; of that deal alone, so that a retry gets the same."""
    return {
        "match": plain(deal.match_id),
        "id": plain(deal.id),
        "deal_number": deal.deal_number,
        "dealer": deal.dealer,
        "leader": deal.leader,
        **_entry(deal),
        "scores": list(points(deal.entry, rules).scores),
        "version": event.seq,
        "head": event.hash,
    }


def _moment(when: datetime | None) -> str | None:
    return when.isoformat() if when else None
