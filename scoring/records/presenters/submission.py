"""A card record as submitted by paste or file: its text, the record in it, its errors by line.

Nothing typed is changed or lost."""

from dataclasses import dataclass, replace
from itertools import islice

from django.core.files.base import File
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from scoring.common import words
from scoring.common.error_sentences import problem_sentences
from scoring.common.errors import RefusalCode
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.queries.verdicts import Audited, Contradiction
from scoring.records.presenters import audit_sentences
from scoring.records.queries.records import is_empty_record
from scoring.replay.archive import kind_of, read_all
from scoring.replay.notation import trex_text
from scoring.replay.notation.lines import BYTE_ORDER_MARK
from scoring.replay.record import NotationError, Record
from scoring.rules import Problem, ProblemCode

MOST_TEXT = 200_000
"""Characters of a text, bytes of a file: an archive of a long evening."""
MOST_RECORDS = 200
MOST_ERRORS = 20
SHOWN = 60
"""Characters of a line that are shown around an error."""

FIELDS: dict[str, str | Promise] = {
    "deal_number": gettext_lazy("Written for deal {recorded}, not for deal {here}."),
    "leader": gettext_lazy("By the record {recorded} led first; entered is {here}."),
}
OPTION = gettext_lazy(
    "The record says {option}: {recorded}. This match is played by its own rules ({here})."
)


@dataclass(frozen=True)
class ErrorLine:
    """A notation error with its line in three parts: before the error, the error, after it."""

    code: str
    text: SafeString
    before: str
    at: str
    after: str


@dataclass(frozen=True)
class SubmittedRecord:
    """A submitted text; `record` is the one for this deal, if any, perhaps with errors."""

    text: str
    record: Record | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def is_sound(self) -> bool:
        return self.record is not None and not self.record.errors and not self.problems

    @property
    def sentences(self) -> list[tuple[str, str]]:
        """Return codes and sentences of the problems of the whole text."""
        return problem_sentences(self.problems)

    @property
    def error_lines(self) -> list[ErrorLine]:
        """Return the unreadable places in order, at most MOST_ERRORS."""
        errors = self.record.errors if self.record else ()
        text = self.text.removeprefix(BYTE_ORDER_MARK)
        lines = text.split("\n" if "\n" in text else "\r")
        return [_error_line(error, lines) for error in errors[:MOST_ERRORS]]

    @property
    def warnings(self) -> list[SafeString]:
        """Return a sentence for each unknown tag, with the tag that was probably meant."""
        unknown = self.record.unknown if self.record else ()
        return [audit_sentences.unknown_tag_sentence(each) for each in unknown[:MOST_ERRORS]]


def read_text(text: str, deal_number: int) -> SubmittedRecord:
    """Find the record for a deal in a text of either notation."""
    if len(text) > MOST_TEXT:
        numbers = {"length": len(text), "limit": MOST_TEXT}
        return SubmittedRecord(text, problems=(Problem(RefusalCode.TOO_LONG, "record", numbers),))
    found = list(islice(read_all(text, kind_of(text)), MOST_RECORDS))
    records = [record for record in found if record.errors or not is_empty_record(record)]
    if len(records) > 1:
        own = [record for record in records if record.deal_number == deal_number]
        if len(own) != 1:
            numbers = {"found": len(records)}
            return SubmittedRecord(
                text, problems=(Problem(RefusalCode.SEVERAL_RECORDS, "record", numbers),)
            )
        records = own
    if not records:
        return SubmittedRecord(text, problems=(Problem(ProblemCode.MISSING, "record"),))
    record = records[0]
    unreadable = (Problem(RefusalCode.UNREADABLE, "record"),) if record.errors else ()
    return SubmittedRecord(text, record, unreadable)


def read_file(file: "File[bytes]", deal_number: int) -> SubmittedRecord:
    """Find the record for a deal in a file, which must be UTF-8 text of at most MOST_TEXT bytes."""
    size = file.size or 0
    if size > MOST_TEXT:
        numbers = {"length": size, "limit": MOST_TEXT}
        return SubmittedRecord("", problems=(Problem(RefusalCode.TOO_LONG, "record", numbers),))
    try:
        text = file.read().decode()
    except UnicodeDecodeError:
        return SubmittedRecord("", problems=(Problem(RefusalCode.NOT_TEXT, "record"),))
    if "\0" in text:
        return SubmittedRecord("", problems=(Problem(RefusalCode.NOT_TEXT, "record"),))
    return read_text(text, deal_number)


def starting_text(view: MatchView, number: int) -> str:
    """Return the known tags of a deal as text, for the form in which the cards are typed."""
    return trex_text.write(known_frame(view, number))


def known_frame(view: MatchView, number: int) -> Record:
    """Return a record of a deal without its cards.

    It has roles, contract and doubles as entered; before that only the dealer and the chooser.
    """
    deal, match = view.deals.get(number), view.match
    frame = Record("", system=match.system, options=match.options, deal_number=number)
    if deal is None:
        turn = view.table.turn_of(number)
        return replace(frame, dealer=turn.dealer, chooser=turn.chooser)
    entry = deal.entry
    return replace(
        frame,
        contract=entry.contract,
        dealer=deal.dealer,
        chooser=deal.chooser,
        leader=deal.leader,
        forced=deal.forced,
        doubles=entry.tally.doubles,
    )


def contradiction_sentences(
    found: Audited, number: int, names: list[str]
) -> list[tuple[str, SafeString]]:
    """Return field and sentence of each statement of a record that the match contradicts."""
    return [
        (each.field, contradiction_sentence(each, names)) for each in found.contradictions(number)
    ]


def contradiction_sentence(found: Contradiction, names: list[str]) -> SafeString:
    """Return a sentence about a statement of the record that the match contradicts."""
    if found.field not in FIELDS:
        return format_html(
            str(OPTION),
            option=format_html('<bdi dir="ltr"><code>{}</code></bdi>', found.field),
            recorded=format_html('<bdi dir="ltr">{}</bdi>', str(found.recorded)),
            here=format_html('<bdi dir="ltr">{}</bdi>', str(found.here)),
        )
    recorded, here = found.recorded, found.here
    if found.field == "leader":
        recorded, here = (words.person(names[int(str(seat))]) for seat in (recorded, here))
    return format_html(str(FIELDS[found.field]), recorded=recorded, here=here)


def _error_line(error: NotationError, lines: list[str]) -> ErrorLine:
    line = lines[error.line - 1].rstrip("\r") if error.line <= len(lines) else ""
    start, end = max(0, error.column - SHOWN // 2), _error_end(error, line)
    return ErrorLine(
        code=error.code,
        text=audit_sentences.error_sentence(error),
        before=("…" if start else "") + line[start : error.column],
        at=line[error.column : end],
        after=line[end : start + SHOWN] + ("…" if len(line) > start + SHOWN else ""),
    )


def _error_end(error: NotationError, line: str) -> int:
    """Return the column behind the unreadable text, which JSON has in quotes."""
    for there in (error.text, f'"{error.text}"'):
        if there and line.startswith(there, error.column):
            return error.column + len(there)
    return error.column
