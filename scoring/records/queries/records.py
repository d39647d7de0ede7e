"""Records of a deal number: which one counts, and what it says beside the entry."""

import json
from dataclasses import replace

from scoring.ledger.queries.deal_numbers import renumbered
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.queries.verdicts import Audited, audited, content_of, counting, read
from scoring.models import CardRecord, Match, Verdict, Words
from scoring.models.canonical import canonical
from scoring.replay.record import Play, Record
from scoring.replay.report import tally_json
from scoring.rules import Entry, Ruleset, read_entry
from scoring.rules.cards import Card

# ── which record counts ─────────────────────────────────────────────────


def row_of(match: Match, deal_number: int) -> CardRecord | None:
    """The record that counts there, with its event and who wrote that. One query."""
    rows = CardRecord.objects.standing().filter(match.numbered(deal_number), match=match)
    found = renumbered(match, rows.select_related("event__user"))
    return counting(found).get(deal_number)


def same_record(match: Match, deal_number: int, record: Record) -> CardRecord | None:
    """The row that already holds this content for the deal, not withdrawn. One query."""
    rows = CardRecord.objects.standing().filter(match.numbered(deal_number), match=match)
    content = canonical(content_of(record))
    found = (row for row in rows.select_related("event") if canonical(row.content) == content)
    return next(found, None)


def same_elsewhere(match: Match, record: Record) -> list[CardRecord]:
    """The rows with this content in other matches of the club, not withdrawn, oldest first. One
    query, none without a club."""
    if match.club_id is None:
        return []
    content = content_of(record)
    cards = {f"content__{name}": content[name] for name in ("plays", "captured") if name in content}
    rows = CardRecord.objects.standing().filter(match__club=match.club_id, **cards)
    found = rows.exclude(match=match).select_related("event", "match__club")
    return [row for row in found if canonical(row.content) == canonical(content)]


def record_of(match: Match, deal_number: int) -> Record | None:
    """The cards of the same. One query."""
    row = row_of(match, deal_number)
    return read(row) if row else None


def as_given(row: CardRecord) -> Record:
    """The record with id and tags, unless those were erased. One query."""
    kept = row.event.content["words"].get("tags")
    words = Words.objects.filter(id=kept["id"]).first() if kept else None
    named = json.loads(words.text) if words else {}
    return replace(read(row), **named)


# ── what it says ────────────────────────────────────────────────────────


def audit_of(view: MatchView, deal_number: int) -> Audited | None:
    """The record that counts there beside the deal that stands there. One query."""
    row = row_of(view.match, deal_number)
    if row is None:
        return None
    return audited(read(row), view.deals.get(deal_number), view.ruleset, row)


def by_cards(found: Audited) -> Entry | None:
    """The entry that a complete record makes; None for one that leaves something open."""
    record = found.framed
    if record.contract is None or found.replay.scores is None:
        return None
    facts = {"contract": record.contract.to_json(), "input": tally_json(found.replay.tally)}
    roles = {"chooser": record.chooser, "forced": record.forced}
    return read_entry(facts | roles, found.ruleset).entry


def strange_cards(record: Record, rules: Ruleset) -> list[Card]:
    """Cards in the record that no deck of this match has."""
    named = [card for hand in record.hands for card in hand or ()]
    named += [play.card for play in record.plays if isinstance(play, Play)]
    named += [card for card, _ in (*record.captured, *record.doubles)]
    return sorted(set(named) - set(rules.deck))


def says_nothing(record: Record) -> bool:
    """Whether there is no card in it."""
    return not (record.plays or record.captured or any(record.hands))


# ── derived rows ────────────────────────────────────────────────────────


def disputed_numbers(match: Match) -> frozenset[int]:
    """The deals whose record and entry cannot both be right. One query."""
    rows = Verdict.objects.filter(match=match).disagreeing()
    return frozenset(rows.values_list("deal_number", flat=True))
