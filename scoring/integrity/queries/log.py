"""The log of the installation a page at a time, for its owners."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Model, OuterRef, Subquery

from scoring.common.paging import PAGE, Page, nearest
from scoring.models import Club, Evening, EveningRound, HouseRules, LogEntry, Match, Player, Season
from scoring.models.log import LogAction, facts_in

ABOUT: Mapping[str, tuple[type[Model], str]] = {
    "houserules": (HouseRules, ""),
    "player": (Player, ""),
    "personevent": (Player, "player_id"),
    "season": (Season, ""),
    "frozenstanding": (Season, "season_id"),
    "evening": (Evening, ""),
    "eveningplayer": (Evening, "evening_id"),
    "eveninground": (Evening, "evening_id"),
    "drawnseat": (Evening, "round_id"),
    "match": (Match, ""),
}
"""By table the row that an entry is about, and the fact that names it; empty: the row itself."""


@dataclass(frozen=True)
class Logged:
    """Entries of one write that say the same: `count` rows of one table. `subject` is what they are
    about, if it is still there."""

    entry: LogEntry
    count: int
    is_new: bool
    facts: Mapping[str, Any]
    subject: Any
    club: Club | None


def log_page(number: int) -> Page[Logged]:
    """Newest first. At most ten queries, however much is on the page."""
    count = LogEntry.objects.count()
    number = nearest(number, count)
    same = LogEntry.objects.filter(table=OuterRef("table"), row_id=OuterRef("row_id"))
    before = same.filter(id__lt=OuterRef("id")).order_by("-id").values("facts")[:1]
    rows = LogEntry.objects.annotate(before=Subquery(before)).select_related("by").order_by("-id")
    return Page(_lines([*rows[(number - 1) * PAGE : number * PAGE]]), count, number)


def _lines(entries: list[Any]) -> tuple[Logged, ...]:
    facts = {each.id: facts_in(each.facts or each.before or "") for each in entries}
    subjects = _subjects(entries, facts)
    clubs = Club.objects.in_bulk({_club_id(each, facts, subjects) for each in entries} - {None})
    lines = []
    for (*_, is_new), group in groupby(entries, _told_alike):
        entry, *others = group
        lines.append(
            Logged(
                entry=entry,
                count=1 + len(others),
                is_new=is_new,
                facts=facts[entry.id],
                subject=subjects.get(entry.id),
                club=clubs.get(_club_id(entry, facts, subjects)),
            )
        )
    return tuple(lines)


def _told_alike(entry: Any) -> tuple[Any, ...]:
    is_new = entry.action == LogAction.WRITTEN and entry.before is None
    alone = None if entry.table in ("eveningplayer", "drawnseat", "frozenstanding") else entry.id
    return entry.table, entry.action, entry.at, entry.by_id, alone, is_new


def _subjects(entries: Iterable[Any], facts: Mapping[int, Mapping[str, Any]]) -> dict[int, Any]:
    """What each entry is about. One query for each kind."""
    rounds = {facts[each.id].get("round_id") for each in entries if each.table == "drawnseat"}
    drawn = EveningRound.objects.filter(id__in=[*filter(None, rounds)])
    evening_of = drawn.values_list("id", "evening_id")
    evenings = {str(id): evening for id, evening in evening_of}
    wanted: dict[type[Model], dict[int, Any]] = {}
    for each in entries:
        model, name = ABOUT.get(each.table, (None, ""))
        named = facts[each.id].get(name) if name else each.row_id
        if model and named:
            wanted.setdefault(model, {})[each.id] = evenings.get(named, named)
    found: dict[int, Any] = {}
    for model, ids in wanted.items():
        rows = model._default_manager.in_bulk({UUID(str(id)) for id in ids.values()})
        found |= {entry: rows.get(UUID(str(id))) for entry, id in ids.items()}
    return found


def _club_id(
    entry: LogEntry, facts: Mapping[int, Mapping[str, Any]], subjects: Mapping[int, Any]
) -> UUID | None:
    if entry.table == "club":
        return entry.row_id
    if named := facts[entry.id].get("club_id"):
        return UUID(named)
    return getattr(subjects.get(entry.id), "club_id", None)
