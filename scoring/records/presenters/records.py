"""A card record as pasted or uploaded: its text, the record, and errors at their place.

Nothing typed is changed or lost.
"""

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
from scoring.records.presenters import breaches
from scoring.records.queries.records import says_nothing
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
class Wrong:
    """An error of writing with the line that it is in: what stands before it, it, and after."""

    code: str
    text: SafeString
    before: str
    at: str
    after: str


@dataclass(frozen=True)
class Pasted:
    """What was sent. `record` is the one of this deal, where there is one, perhaps with errors."""

    text: str
    record: Record | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def is_sound(self) -> bool:
        return self.record is not None and not self.record.errors and not self.problems

    @property
    def said(self) -> list[tuple[str, str]]:
        """Codes and sentences of what is wrong as a whole."""
        return problem_sentences(self.problems)

    @property
    def wrongs(self) -> list[Wrong]:
        """What cannot be read, in its order."""
        errors = self.record.errors if self.record else ()
        text = self.text.removeprefix(BYTE_ORDER_MARK)
        lines = text.split("\n" if "\n" in text else "\r")
        return [_wrong(error, lines) for error in errors[:MOST_ERRORS]]

    @property
    def warnings(self) -> list[SafeString]:
        """The tags that say nothing, with those that were probably wanted."""
        unknown = self.record.unknown if self.record else ()
        return [breaches.unknown_tag(each) for each in unknown[:MOST_ERRORS]]


def pasted(text: str, deal_number: int) -> Pasted:
    """The record for this deal in a text of either notation."""
    if len(text) > MOST_TEXT:
        numbers = {"length": len(text), "limit": MOST_TEXT}
        return Pasted(text, problems=(Problem(RefusalCode.TOO_LONG, "record", numbers),))
    found = list(islice(read_all(text, kind_of(text)), MOST_RECORDS))
    records = [record for record in found if record.errors or not says_nothing(record)]
    if len(records) > 1:
        own = [record for record in records if record.deal_number == deal_number]
        if len(own) != 1:
            numbers = {"found": len(records)}
            return Pasted(text, problems=(Problem(RefusalCode.SEVERAL_RECORDS, "record", numbers),))
        records = own
    if not records:
        return Pasted(text, problems=(Problem(ProblemCode.MISSING, "record"),))
    record = records[0]
    unreadable = (Problem(RefusalCode.UNREADABLE, "record"),) if record.errors else ()
    return Pasted(text, record, unreadable)


def sent(file: "File[bytes]", deal_number: int) -> Pasted:
    """The same for a file, which must be a text and small."""
    size = file.size or 0
    if size > MOST_TEXT:
        numbers = {"length": size, "limit": MOST_TEXT}
        return Pasted("", problems=(Problem(RefusalCode.TOO_LONG, "record", numbers),))
    try:
        text = file.read().decode()
    except UnicodeDecodeError:
        return Pasted("", problems=(Problem(RefusalCode.NOT_TEXT, "record"),))
    if "\0" in text:
        return Pasted("", problems=(Problem(RefusalCode.NOT_TEXT, "record"),))
    return pasted(text, deal_number)


def begun(view: MatchView, number: int) -> str:
    """The tags of a deal as far as they are known, to write the cards under."""
    return trex_text.write(frame_of(view, number))


def frame_of(view: MatchView, number: int) -> Record:
    """What is known of a deal beside its cards: as entered, else as it is due."""
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


def told(found: Audited, number: int, names: list[str]) -> list[tuple[str, SafeString]]:
    """What the record says of itself that is otherwise here, with the names of the fields."""
    return [(each.field, contradiction(each, names)) for each in found.contradictions(number)]


def contradiction(found: Contradiction, names: list[str]) -> SafeString:
    """What the record says of itself that is otherwise here."""
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


def _wrong(error: NotationError, lines: list[str]) -> Wrong:
    line = lines[error.line - 1].rstrip("\r") if error.line <= len(lines) else ""
    start, end = max(0, error.column - SHOWN // 2), _end(error, line)
    return Wrong(
        code=error.code,
        text=breaches.error(error),
        before=("…" if start else "") + line[start : error.column],
        at=line[error.column : end],
        after=line[end : start + SHOWN] + ("…" if len(line) > start + SHOWN else ""),
    )


def _end(error: NotationError, line: str) -> int:
    """Where what cannot be read ends in its line; in JSON it stands in quotes."""
    for there in (error.text, f'"{error.text}"'):
        if there and line.startswith(there, error.column):
            return error.column + len(there)
    return error.column
