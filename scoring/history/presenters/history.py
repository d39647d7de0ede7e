"""The history of a deal as sentences: who, when, from which phone, what was changed, and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.common import moments, words
from scoring.history.presenters import match_adjustments
from scoring.history.presenters.versions import changes
from scoring.history.queries.history import HistoryLine
from scoring.ledger.queries.snapshots import sheet_deal
from scoring.models import Club, EventKind
from scoring.rules import Ruleset, points

EVENING = timedelta(hours=12)
"""So long ago is still today, after midnight too."""
TITLES: Mapping[str, words.Words] = {
    EventKind.DEAL_RECORDED: gettext_lazy("Entered"),
    EventKind.DEAL_CORRECTED: gettext_lazy("Corrected"),
    EventKind.DEAL_VOIDED: gettext_lazy("Taken back"),
    EventKind.REDEAL_VOIDED: gettext_lazy("Taken back"),
    EventKind.MATCH_REPAIRED: gettext_lazy("Repaired"),
    EventKind.DEAL_FLAGGED: gettext_lazy("Flagged"),
    EventKind.FLAG_VOIDED: gettext_lazy("Flag withdrawn"),
    EventKind.DISPUTE_CLAIMED: gettext_lazy("Taken on by the arbiter"),
    EventKind.DISPUTE_RELEASED: gettext_lazy("Given back to the arbiters"),
    EventKind.DISPUTE_CLOSED: gettext_lazy("Dispute closed"),
    EventKind.DISPUTE_REOPENED: gettext_lazy("Dispute reopened"),
    EventKind.RULING_PUBLISHED: gettext_lazy("Ruled by the arbiter"),
}
OTHER = gettext_lazy("Something else was done")
"""What a later version of the program has written."""


@dataclass(frozen=True)
class HistoryEntry:
    """One line of the history. `when` is the clock, `ago` how long ago where that is today;
    `changed` says what became different, `scores` what this version was worth. `restores`: the
    version can be brought back from here."""

    line: HistoryLine
    title: words.Words
    who: tuple[words.Words, ...]
    when: str
    ago: str
    changed: tuple[SafeString, ...]
    scores: tuple[tuple[str, int], ...]
    restores: bool


def stories(
    lines: Sequence[HistoryLine],
    names: Sequence[str],
    ruleset: Ruleset,
    *,
    device: UUID | None,
    now: datetime,
    club: Club | None,
) -> list[HistoryEntry]:
    """Expects the clock of the club to be the current one."""
    shorts = words.first_names(names)
    latest = next((line.deal for line in reversed(lines) if line.is_version), None)
    counting = next((line.deal for line in lines if line.stands and line.deal), None)
    return [
        HistoryEntry(
            line=line,
            title=_title(line, shorts),
            who=tuple(_who(line, shorts, device, club)),
            when=clock(line.entered_at, now),
            ago=ago(line.entered_at, now),
            changed=tuple(_changed(line, shorts, ruleset)),
            scores=_scores(line, shorts, ruleset),
            restores=line.is_version and line.deal != (counting or latest),
        )
        for line in lines
    ]


def _title(line: HistoryLine, shorts: Sequence[str]) -> words.Words:
    if line.kind == EventKind.SIGNED and line.signer is not None:
        there = _("Signed on the phone that keeps score: {name}")
        text = there if line.by_scorer else _("Signed: {name}")
        return format_html(text, name=words.person(shorts[line.signer]))
    if line.kind == EventKind.SIGNATURE_VOIDED and line.signer is not None:
        return format_html(
            _("Signature taken back: {name}"), name=words.person(shorts[line.signer])
        )
    if line.kind == EventKind.REDEAL_RECORDED and line.redeal:
        return match_adjustments.dealt_again(line.redeal, shorts)
    if line.kind == EventKind.DEAL_RECORDED and line.before:
        return _("Entered again")
    return TITLES.get(line.kind, OTHER)


def _who(
    line: HistoryLine, shorts: Sequence[str], device: UUID | None, club: Club | None
) -> Iterator[words.Words]:
    """The name of the phone's seat, the account, the phone: as far as they are known."""
    if line.phone_seat is not None:
        yield words.person(shorts[line.phone_seat])
    if line.user:
        yield words.person(words.account(line.user, club))
    elif line.phone_seat is None:
        yield _("without an account")
    if line.device:
        yield format_html(_("phone {phone}"), phone=words.isolated_number(words.phone(line.device)))
    if line.device and line.device == device:
        yield _("this phone")


def _changed(line: HistoryLine, shorts: Sequence[str], ruleset: Ruleset) -> Iterator[SafeString]:
    if line.kind == EventKind.REDEAL_VOIDED and line.redeal:
        yield match_adjustments.dealt_again(line.redeal, shorts)
    if not (line.is_version and line.deal):
        return
    if line.before is None:
        yield format_html("{}", words.contract(line.deal.contract))
        return
    same = format_html("{}", _("The same as before."))
    yield from list(changes(line.before, line.deal, shorts, ruleset)) or [same]


def _scores(
    line: HistoryLine, shorts: Sequence[str], ruleset: Ruleset
) -> tuple[tuple[str, int], ...]:
    """What this version was worth; nothing where none was written."""
    if not (line.is_version and line.deal):
        return ()
    return tuple(zip(shorts, points(sheet_deal(line.deal).entry, ruleset).scores, strict=True))


def clock(at: datetime, now: datetime) -> str:
    """The exact time, with its day where that is long ago."""
    return moments.clock(at) if _is_today(at, now) else moments.moment(at)


def ago(at: datetime, now: datetime) -> str:
    """How long ago, of what is of today; nothing of what is older."""
    minutes = int((now - at).total_seconds()) // 60
    if not _is_today(at, now):
        return ""
    if minutes < 1:
        return _("just now")
    if minutes < 60:
        return ngettext("{n} minute ago", "{n} minutes ago", minutes).format(n=minutes)
    hours = minutes // 60
    return ngettext("{n} hour ago", "{n} hours ago", hours).format(n=hours)


def _is_today(at: datetime, now: datetime) -> bool:
    return timedelta(0) <= now - at < EVENING
