"""Card records of a deal: the one that counts, its copies, its audit against the entered score."""

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
    """Return the row of the record that counts for a deal, with its event and user. One query."""
    rows = CardRecord.objects.standing().filter(match.numbered(deal_number), match=match)
    found = renumbered(match, rows.select_related("event__user"))
    return counting(found).get(deal_number)


def same_record(match: Match, deal_number: int, record: Record) -> CardRecord | None:
    """Return the row, not withdrawn, that already holds this content for the deal. One query."""
    rows = CardRecord.objects.standing().filter(match.numbered(deal_number), match=match)
    content = canonical(content_of(record))
    found = (row for row in rows.select_related("event") if canonical(row.content) == content)
    return next(found, None)


def same_elsewhere(match: Match, record: Record) -> list[CardRecord]:
    """Return rows with this content in other matches of the club, not withdrawn, oldest first.

    One query, none without a club."""
    if match.club_id is None:
        return []
    content = content_of(record)
    cards = {f"content__{name}": content[name] for name in ("plays", "captured") if name in content}
    rows = CardRecord.objects.standing().filter(match__club=match.club_id, **cards)
    found = rows.exclude(match=match).select_related("event", "match__club")
    return [row for row in found if canonical(row.content) == canonical(content)]


def record_of(match: Match, deal_number: int) -> Record | None:
    """Return the record that counts for a deal. One query."""
    row = row_of(match, deal_number)
    return read(row) if row else None


def as_submitted(row: CardRecord) -> Record:
    """Return a record with the id and the tags it was submitted with, unless erased. One query."""
    kept = row.event.content["words"].get("tags")
    words = Words.objects.filter(id=kept["id"]).first() if kept else None
    named = json.loads(words.text) if words else {}
    return replace(read(row), **named)


# ── its audit ────────────────────────────────────────────────────────


def audit_of(view: MatchView, deal_number: int) -> Audited | None:
    """Audit the record that counts for a deal against its current entry. One query."""
    row = row_of(view.match, deal_number)
    if row is None:
        return None
    return audited(read(row), view.deals.get(deal_number), view.ruleset, row)


def entry_of_cards(found: Audited) -> Entry | None:
    """Return the entry that follows from the cards; None if the record is incomplete."""
    record = found.framed
    if record.contract is None or found.replay.scores is None:
        return None
    facts = {"contract": record.contract.to_json(), "input": tally_json(found.replay.tally)}
    roles = {"chooser": record.chooser, "forced": record.forced}
    return read_entry(facts | roles, found.ruleset).entry


def cards_of_other_decks(record: Record, rules: Ruleset) -> list[Card]:
    """Return the cards of a record that the deck of its match does not have, sorted."""
    named = [card for hand in record.hands for card in hand or ()]
    named += [play.card for play in record.plays if isinstance(play, Play)]
    named += [card for card, _ in (*record.captured, *record.doubles)]
    return sorted(set(named) - set(rules.deck))


def is_empty_record(record: Record) -> bool:
    """Return whether a record names no card."""
    return not (record.plays or record.captured or any(record.hands))


# ── derived rows ────────────────────────────────────────────────────────


def mismatched_numbers(match: Match) -> frozenset[int]:
    """Return the numbers of deals whose record and entry cannot both be right. One query."""
    rows = Verdict.objects.filter(match=match).disagreeing()
    return frozenset(rows.values_list("deal_number", flat=True))
