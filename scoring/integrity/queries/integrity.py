"""Is the ledger what was written? Names every row that was changed behind the application's back.

Each event carries the digests of its rows and the hash of the event before it, so a changed row,
a changed event, a gap and a foreign row show by themselves. A chain that was cut at its end, or
worked out anew as a whole, is consistent in itself: that shows only against a head kept elsewhere
(in a signature, an export, a print).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import connection

from scoring.integrity.queries.ledger_rows import LEDGER_TABLES, Evidence, evidence
from scoring.ledger.queries.event_rows import rows_of, words_of
from scoring.ledger.queries.snapshots import ruleset_of, subtotal_of
from scoring.models import Club, ClubToken, Deal, Match, MatchEvent, Signature, Subtotal
from scoring.models import triggers as guards
from scoring.models.canonical import canonical
from scoring.models.export_schema import MATCH, OF_CLUB
from scoring.models.log import COVERED, LogAction, LogEntry, LogSeal, facts_in, facts_of
from scoring.pictures import sha256
from scoring.replay.notation.json_records import read_json
from scoring.rules import Entry, RulesRefused
from scoring.rules.adjustments import KNOWN, check_adjustment
from scoring.rules.deal.checks import check
from scoring.rules.redeals import redeal_reasons
from scoring.rules.seats import is_seat
from scoring.standings.queries.totals import differences


@dataclass(frozen=True)
class LedgerFinding:
    """One thing that is not as it was written. `erased` words are none: they may be taken out; nor
    is the picture of a photo that was taken back."""

    code: str
    match_id: UUID | None
    table: str
    row: object
    detail: str = ""

    @property
    def is_fault(self) -> bool:
        return self.code != "erased"

    @property
    def is_derived(self) -> bool:
        """Whether only what is worked out from the ledger differs."""
        return self.code in {"derived_differs", "sums_differ"}

    def __str__(self) -> str:
        where = f"match {self.match_id}: " if self.match_id else ""
        detail = f" ({self.detail})" if self.detail else ""
        return f"{self.code}: {where}{self.table} {self.row}{detail}"


@dataclass(frozen=True)
class KeptHead:
    """A head that was kept: the hash of an event, and its number where that was kept too; without
    a match that of the log of the installation."""

    match_id: UUID | None
    hash: str
    seq: int | None = None


def findings(heads: Sequence[KeptHead] = (), only: UUID | None = None) -> Iterator[LedgerFinding]:
    """Everything that is wrong, of every match or of one."""
    matches = Match.objects.all() if only is None else Match.objects.filter(id=only)
    kept: dict[UUID | None, list[KeptHead]] = {}
    for head in heads:
        kept.setdefault(head.match_id, []).append(head)
    if only is None:
        yield from _of_the_whole(kept)
    for found in evidence(matches):
        for look in LOOKS:
            yield from look(found)
        yield from _kept_heads(found, kept.get(found.match.id, ()))


def of_facts(found: Evidence) -> Iterator[LedgerFinding]:
    """What is wrong with the ledger of a match wherever it lies: in the database or in a file, in
    which there are neither derived rows nor a folder of photos."""
    for look in LOOKS:
        if look not in (_photos, _derived):
            yield from look(found)


def missing_guards() -> Iterator[LedgerFinding]:
    """What the database ought to refuse and does not."""
    for trigger in guards.missing(connection):
        yield LedgerFinding("trigger_missing", None, "trigger", trigger)


def in_the_log(club: Club | None = None) -> Iterator[LedgerFinding]:
    """What is not as the log of the installation says, of everything or of one club: one query a
    table, and two."""
    last: dict[Row, tuple[str, str]] = {}
    told = LogEntry.objects.order_by("id").values_list("table", "row_id", "action", "facts")
    for table, row_id, action, facts in told.iterator():
        last[table, row_id] = action, facts
    newest = {row: facts for row, (action, facts) in last.items() if action != LogAction.REMOVED}
    missing = _rows_of(club, newest) if club else {*newest}
    for table in COVERED:
        for row in _rows_in(table, club):
            noted = newest.get((table, row.pk))
            missing.discard((table, row.pk))
            if noted is None:
                yield LedgerFinding("row_unnamed", None, table, row.pk, "not in the log")
            elif noted != facts_of(row):
                yield LedgerFinding("row_changed", None, table, row.pk, "not as in the log")
    for table, row_id in missing:
        yield _missing(table, row_id)
    yield from _chain_of_log()


type Row = tuple[str, UUID]
_TO_CLUB = {facts.model: facts.to_club for facts in (*OF_CLUB, MATCH)} | {ClubToken: "club"}
_NAMED = ("club_id", "season_id", "evening_id", "round_id")


def _rows_in(table: str, club: Club | None) -> Any:
    """The rows of a table, of everything or of one club. One query."""
    model = apps.get_model("scoring", table)
    if club is None:
        return model._base_manager.iterator()
    to_club = _TO_CLUB[model]
    return model._base_manager.filter(**{to_club: club.pk}).iterator() if to_club else ()


def _rows_of(club: Club, newest: Mapping[Row, str]) -> set[Row]:
    """Those that belong to a club as the log says. Tables come behind those that they name."""
    order = [*COVERED]
    ids, found = {str(club.pk)}, set()
    known = (row for row in newest if row[0] in COVERED)
    for row in sorted(known, key=lambda row: order.index(row[0])):
        facts = facts_in(newest[row])
        if str(row[1]) in ids or not ids.isdisjoint(str(facts.get(name)) for name in _NAMED):
            ids.add(str(row[1]))
            found.add(row)
    return found


def _missing(table: str, row_id: UUID) -> LedgerFinding:
    """A row that the log has: it is gone, or was moved to another club."""
    if (
        table in COVERED
        and apps.get_model("scoring", table)._base_manager.filter(pk=row_id).exists()
    ):
        return LedgerFinding("row_changed", None, table, row_id, "not as in the log")
    code = "match_missing" if table == "match" else "row_missing"
    return LedgerFinding(code, None, table, row_id, "in the log")


def _chain_of_log() -> Iterator[LedgerFinding]:
    before, expected = "", 1
    for seal in LogSeal.objects.select_related("entry").order_by("seq").iterator():
        if seal.seq != expected or seal.hash != seal.entry.digest(before):
            yield LedgerFinding("log_changed", None, "log", seal.seq)
            return
        before, expected = seal.hash, expected + 1


def sums_that_differ(club: Club) -> Iterator[LedgerFinding]:
    """The sums of people that are not what the results come to. Seven queries."""
    try:
        names = differences(club)
    except UNREADABLE as error:
        yield LedgerFinding("sums_differ", None, "club", club.slug, repr(error))
        return
    for name in names:
        yield LedgerFinding("sums_differ", None, name, club.slug, "rebuild_results")


def _of_the_whole(kept: Mapping[UUID | None, Sequence[KeptHead]]) -> Iterator[LedgerFinding]:
    yield from missing_guards()
    yield from in_the_log()
    yield from _kept_heads_of_log(kept.get(None, ()))
    for club in Club.objects.order_by("slug"):
        yield from sums_that_differ(club)
    there = Match.objects.values("id")
    for event in MatchEvent.objects.exclude(match__in=there):
        yield LedgerFinding("match_missing", event.match_id, "event", event.id)
    for model in LEDGER_TABLES:
        for row in model._default_manager.exclude(match__in=there):
            yield LedgerFinding("match_missing", row.match_id, model.TABLE, row.id)
    wanted = [match_id for match_id in kept if match_id]
    known = set(Match.objects.filter(id__in=wanted).values_list("id", flat=True))
    for match_id in wanted:
        if match_id not in known:
            yield LedgerFinding(
                "match_missing", match_id, "match", match_id, "a head of it was kept"
            )


def _chain(found: Evidence) -> Iterator[LedgerFinding]:
    before = ""
    for expected, event in enumerate(found.events, start=1):
        if event.seq != expected:
            yield _of_event(found, "number_gap", event, f"number {event.seq}, not {expected}")
            return
        if event.hash != event.work_out_hash():
            yield _of_event(found, "event_changed", event)
        if event.prev_hash != before:
            yield _of_event(found, "chain_broken", event, "does not name the event before it")
        before = event.hash


def _end_of_chain(found: Evidence) -> Iterator[LedgerFinding]:
    match, last = found.match, found.events[-1] if found.events else None
    seq = last.seq if last else 0
    if match.version > seq:
        detail = f"version {match.version}, last event {seq}"
        yield LedgerFinding("tail_cut", match.id, "match", match.id, detail)
    elif match.version < seq or (last and match.head != last.hash):
        yield LedgerFinding("head_differs", match.id, "match", match.id, f"last event {seq}")


def _rows(found: Evidence) -> Iterator[LedgerFinding]:
    named = set()
    for event in found.events:
        for table, row_id, seal in rows_of(event):
            named.add((table, row_id))
            row = found.rows.get((table, row_id))
            if row is None:
                yield LedgerFinding(
                    "row_missing", found.match.id, table, row_id, f"event {event.seq}"
                )
            elif row.event_id != event.id or row.digest() != seal:
                yield LedgerFinding(
                    "row_changed", found.match.id, table, row_id, f"event {event.seq}"
                )
    for table, row_id in found.rows.keys() - named:
        yield LedgerFinding("row_unnamed", found.match.id, table, row_id, "no event made it")


def _words(found: Evidence) -> Iterator[LedgerFinding]:
    for event in found.events:
        for words_id, seal in words_of(event):
            words = found.words.get(words_id)
            if words is None:
                yield LedgerFinding(
                    "erased", found.match.id, "words", words_id, f"event {event.seq}"
                )
            elif words.digest() != seal:
                detail = f"event {event.seq}"
                yield LedgerFinding("words_changed", found.match.id, "words", words_id, detail)


def _match_row(found: Evidence) -> Iterator[LedgerFinding]:
    """The row of the match must say what its events add up to."""
    match = found.match
    told: dict[str, Any] = {"shifts": []}
    for event in found.events:
        facts = event.content.get("facts") if isinstance(event.content, dict) else None
        told |= {name: facts[name] for name in match.FACTS if name in facts} if facts else {}
    if found.events:
        told |= {"holder_device": found.events[0].device, "opened_by_id": found.events[0].user_id}
    says = match.facts() | {
        "holder_device": match.holder_device,
        "opened_by_id": match.opened_by_id,
    }
    if says["rematch_of_id"] is None and _is_elsewhere(told.get("rematch_of_id")):
        told["rematch_of_id"] = None
    changed = sorted(name for name, value in told.items() if says.get(name) != value)
    if changed:
        yield LedgerFinding("match_changed", match.id, "match", match.id, ", ".join(changed))


def _is_elsewhere(match_id: object) -> bool:
    """The match that was played again did not come along when the club moved here."""
    try:
        return not Match.objects.filter(id=UUID(str(match_id))).exists()
    except UNREADABLE:
        return False


def _entries(found: Evidence) -> Iterator[LedgerFinding]:
    """Every entry ever written still passes the checks, and its columns say what it says."""
    for deal in found.deals:
        detail = _entry_fault(found.match, deal)
        if detail:
            yield LedgerFinding("entry_refused", found.match.id, "deal", deal.id, detail)


def _entry_fault(match: Match, deal: Deal) -> str:
    try:
        entry = Entry.from_json(deal.payload)
        problems = check(entry, ruleset_of(match))
    except UNREADABLE as error:
        return f"unreadable: {error!r}"
    columns = (deal.contract, deal.chooser, deal.forced, deal.payload_version)
    if columns != (entry.contract.key, entry.chooser, entry.forced, deal.payload["v"]):
        return "columns and payload differ"
    return ", ".join(problem.code for problem in problems)


def _beside(found: Evidence) -> Iterator[LedgerFinding]:
    """What stands beside the deals says what its rules know."""
    match = found.match
    for row in found.adjustments:
        about = row.code, row.points, row.after_deal, row.after_deal
        problems = check_adjustment(*about, codes=KNOWN)
        if problems:
            detail = ", ".join(problem.code for problem in problems)
            yield LedgerFinding("row_refused", match.id, "adjustment", row.id, detail)
    try:
        known = redeal_reasons(ruleset_of(match))
    except UNREADABLE as error:
        yield LedgerFinding("rules_unreadable", match.id, "match", match.id, repr(error))
        return
    for redeal in found.redeals:
        if redeal.reason not in known:
            yield LedgerFinding("row_refused", match.id, "redeal", redeal.id, redeal.reason)


def _rulings(found: Evidence) -> Iterator[LedgerFinding]:
    """Every ruling speaks of the deal and the points that came with it, and of four seats."""
    told = {deal.id: deal.deal_number for deal in found.deals}
    told |= {row.id: row.after_deal for row in found.adjustments}
    for row in found.rulings:
        numbers = [told.get(named) for named in (row.deal_id, row.adjustment_id) if named]
        seats = [len(points) for points in (row.before, row.after)]
        if any(number != row.deal_number for number in numbers) or seats != [4, 4]:
            yield LedgerFinding("row_refused", found.match.id, "ruling", row.id, row.outcome)


def _papers(found: Evidence) -> Iterator[LedgerFinding]:
    """Sums from paper name seats and contracts of this game, one contract a chooser once."""
    for row in found.subtotals:
        detail = _paper_fault(found.match, row)
        if detail:
            yield LedgerFinding("row_refused", found.match.id, "subtotal", row.id, detail)


def _paper_fault(match: Match, row: Subtotal) -> str:
    try:
        played, known = subtotal_of(row).played, ruleset_of(match).contracts
    except UNREADABLE as error:
        return f"unreadable: {error!r}"
    seats = [seat for deal in played for seat in (deal.dealer, deal.chooser)]
    if not played or not all(map(is_seat, seats)):
        return "bad_seat"
    if any(part not in known for deal in played for part in deal.contract.parts):
        return "unknown_contract"
    chosen = [(deal.chooser, part) for deal in played for part in deal.contract.parts]
    return "contract_used" if len(set(chosen)) < len(chosen) else ""


def _records(found: Evidence) -> Iterator[LedgerFinding]:
    """Every record ever attached can be read, and is of the game of its match."""
    for row in found.all_records:
        record = next(read_json(canonical(row.content)))
        codes = [error.code for error in record.errors]
        if not codes and record.system != found.match.system:
            codes = ["other_system"]
        if codes:
            detail = ", ".join(codes)
            yield LedgerFinding("row_refused", found.match.id, "record", row.id, detail)


def _photos(found: Evidence) -> Iterator[LedgerFinding]:
    """Every picture is on disk as it was attached. One that was taken back may be erased."""
    for photo, is_void in found.photos:
        try:
            seal = sha256(photo.path.read_bytes())
        except OSError:
            code = "erased" if is_void else "photo_missing"
            yield LedgerFinding(code, found.match.id, "photo", photo.id, photo.path.name)
        else:
            if seal != photo.sha256:
                yield LedgerFinding(
                    "photo_changed", found.match.id, "photo", photo.id, photo.path.name
                )


def _signatures(found: Evidence) -> Iterator[LedgerFinding]:
    """Every signature names the head that the chain had when it was given, and deals that were
    written by then: a chain that was worked out anew has other heads."""
    match_id = found.match.id
    seqs = {event.id: event.seq for event in found.events}
    hashes = {event.seq: event.hash for event in found.events}
    written = {str(deal.id): seqs.get(deal.event_id, 0) for deal in found.deals}
    for row in found.signatures:
        seq = seqs.get(row.event_id, 0)
        if row.head != hashes.get(seq - 1):
            yield LedgerFinding("signed_head_differs", match_id, "signature", row.id, row.head)
        for deal in _named(row):
            if written.get(deal, seq) >= seq:
                yield LedgerFinding("signed_deal_missing", match_id, "signature", row.id, deal)


def _named(row: Signature) -> list[str]:
    """The ids of the deals; what cannot be read is one that is not there."""
    return [str(deal) for deal in row.deals] if isinstance(row.deals, list) else [repr(row.deals)]


def _derived(found: Evidence) -> Iterator[LedgerFinding]:
    try:
        wanted = found.wanted()
    except UNREADABLE as error:
        yield LedgerFinding("underivable", found.match.id, "match", found.match.id, repr(error))
        return
    for name in wanted.differences(found.derived):
        yield LedgerFinding(
            "derived_differs", found.match.id, name, found.match.id, "rebuild_results"
        )


def _kept_heads(found: Evidence, heads: Iterable[KeptHead]) -> Iterator[LedgerFinding]:
    hashes = {event.seq: event.hash for event in found.events}
    for head in heads:
        yield from _kept_head(head, hashes, "event")


def _kept_heads_of_log(heads: Sequence[KeptHead]) -> Iterator[LedgerFinding]:
    """One query, and only where one was kept."""
    hashes = dict(LogSeal.objects.values_list("seq", "hash")) if heads else {}
    for head in heads:
        yield from _kept_head(head, hashes, "entry of the log")


def _kept_head(head: KeptHead, hashes: Mapping[int, str], what: str) -> Iterator[LedgerFinding]:
    """A kept head must be found again: at its number, or anywhere if that was not kept."""
    where = head.match_id, "head", head.hash
    if head.seq is None and head.hash not in hashes.values():
        yield LedgerFinding("kept_head_missing", *where, "cut or worked out anew")
    elif head.seq is not None and head.seq not in hashes:
        yield LedgerFinding("tail_cut", *where, f"{what} {head.seq} was kept")
    elif head.seq is not None and hashes[head.seq] != head.hash:
        yield LedgerFinding("chain_replaced", *where, f"{what} {head.seq}")


def _of_event(found: Evidence, code: str, event: MatchEvent, detail: str = "") -> LedgerFinding:
    return LedgerFinding(code, found.match.id, "event", event.id, detail or f"number {event.seq}")


# What a payload or an option set that was tampered with may raise when it is read.
UNREADABLE = (
    RulesRefused,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    AssertionError,
)

LOOKS: tuple[Callable[[Evidence], Iterator[LedgerFinding]], ...] = (
    _chain,
    _end_of_chain,
    _rows,
    _words,
    _match_row,
    _entries,
    _beside,
    _rulings,
    _papers,
    _records,
    _photos,
    _signatures,
    _derived,
)
