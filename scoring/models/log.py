"""The log of the installation, for changes that are in no match's chain of events.

Every write to a table in `COVERED` adds an entry with what is covered of the row, in the same
transaction. `seal` strings the entries to a chain afterwards, in a transaction of its own, so that
nobody waits for anybody else's write. Names and whatever else may be erased are in no entry.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db import IntegrityError, models, transaction
from django.db.models.signals import post_delete, post_save
from django.utils import timezone

from scoring.models.canonical import digest

COVERED: Mapping[str, tuple[str, ...]] = {
    "user": ("is_superuser", "is_staff", "is_active"),
    "club": (
        *("slug", "is_public", "time_zone", "language", "house_rules_id", "correction_minutes"),
        *("links_hours", "acceptance_hours", "criteria", "minimum"),
    ),
    "houserules": ("club_id", "preset", "system", "options"),
    "membership": ("club_id", "user_id", "role"),
    "clubtoken": ("club_id", "scope", "digest", "created_by_id", "created_at", "revoked_at"),
    "player": (
        *("club_id", "user_id", "merged_into_id", "counts_for_id", "is_guest", "is_unverified"),
        *("hidden_at", "anonymised_at", "archived_at"),
    ),
    "personevent": ("club_id", "player_id", "other_id", "kind", "user_id", "device", "at"),
    "season": (
        *("club_id", "starts_on", "ends_on", "system", "options", "preset", "rules_key"),
        *("criteria", "minimum", "counted", "closed_at", "closed_by_id"),
    ),
    "frozenstanding": (
        *("season_id", "player_id", "partner_id", "system", "win", "position", "rank", "needs"),
        *("decided_by", "matches", "total", "wins", "places", "seats", "rating"),
    ),
    "evening": (
        *("club_id", "starts_at", "system", "options", "preset", "tables_are_open", "in_pairs"),
        *("ended_at", "created_by_id", "created_at"),
    ),
    "eveningplayer": ("evening_id", "player_id", "from_round", "until_round", "pair"),
    "eveninground": ("evening_id", "number", "method", "seed", "drawn_by_id", "drawn_at"),
    "drawnseat": ("round_id", "player_id", "table_number", "seat"),
    "match": ("id", "club_id", "evening_id", "round_number", "table_number", "opened_at", "preset"),
}
"""By model: the columns whose values an entry holds. Of a match that it is there, and what does not
stand on its own chain. A migration that changes one of these in old rows adds entries for them."""

OUTSIDE: Mapping[str, str] = {
    "names": "names of people, clubs, seasons, game nights, tables, rule sets and API keys: may be"
    " changed or erased",
    "accounts": "passwords, sign-in names, mail addresses, sign-in times and groups of accounts",
    "made": "when clubs, people, roles, rule sets and seasons were made and API keys last used",
    "figures": "the page of a club's figures, and how far ratings are worked out",
    "invitations": "invitations",
    "links": "links to tables, the phones that came by them, and which phone keeps score",
    "jobs": "long work in progress, sessions and caches",
    "before": "everything from before the log began: covered as it was found then",
    "end": "a chain cut at its end or written anew as a whole: shows against heads kept elsewhere",
}
"""What `verify_ledger` does not find, in words."""

LEFT_OUT: Mapping[str, tuple[str, ...]] = {
    "names": (
        *("club.name", "club.names_version", "club.hidden_accounts", "houserules.name"),
        *("clubtoken.name", "season.name", "season.rules_name", "evening.name"),
        *("evening.rules_name", "match.rules_name", "match.table_name", "player.name"),
        *("player.own_name", "player.former_names", "player.namesake_number"),
    ),
    "accounts": (
        *("user.password", "user.last_login", "user.username", "user.first_name"),
        *("user.last_name", "user.email", "user.date_joined", "user.groups"),
        "user.user_permissions",
    ),
    "made": (
        *("club.created_at", "houserules.created_at", "membership.created_at"),
        *("player.created_at", "season.created_at", "clubtoken.last_used_at"),
    ),
    "figures": (
        *("clubfigures", "ratingstate.dirty_from", "ratingstate.marked"),
        "ratingstate.rebuilt_at",
    ),
    "invitations": ("invitation",),
    "links": (
        *("tablelink", "joinedphone", "seatphone", "match.lease_device", "match.lease_user_id"),
        "match.lease_at",
    ),
    "jobs": ("job",),
}
"""The tables and columns that these words stand for. A test insists that all others are covered."""


class LogAction(models.TextChoices):
    """What was done to the row."""

    WRITTEN = "written"
    REMOVED = "removed"
    FOUND = "found"  # there already when the log began


class LogEntry(models.Model):
    """One write to a covered row; only added.

    `by_id` is the account behind it: none where nobody had signed in, where a command did it, and
    for entries older than the column."""

    table = models.CharField(max_length=40)
    row_id = models.UUIDField()
    action = models.CharField(max_length=10, choices=LogAction)
    facts = models.TextField(blank=True)
    at = models.DateTimeField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", db_index=False
    )

    class Meta:
        verbose_name_plural = "log entries"
        indexes = [models.Index(fields=["table", "row_id"], name="log_of_row")]

    def __str__(self) -> str:
        return f"{self.table} {self.row_id} {self.action}"

    def digest(self, before: str) -> str:
        """Return the hash of this entry after the one before.

        Without an account it is as it was when entries had none."""
        told = [before, self.pk, self.table, self.row_id, self.action, self.facts, self.at]
        return digest([*told, self.by_id] if self.by_id else told)


def head_of_log() -> "LogSeal | None":
    """Return the last entry of the chain. One query."""
    return LogSeal.objects.order_by("-seq").first()


class LogSeal(models.Model):
    """The place of an entry in the chain; only added."""

    seq = models.PositiveBigIntegerField(primary_key=True)
    entry = models.OneToOneField(LogEntry, models.PROTECT, related_name="seal")
    hash = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.seq} {self.hash}"


def facts_of(row: models.Model) -> str:
    """Return the covered values of a row, spelled the same on every database.

    A null is left out, so that a column added later changes nothing."""
    name = row._meta.model_name or ""
    fields = {field.attname: field for field in row._meta.concrete_fields}
    known = {
        each: _plain(fields[each], getattr(row, each)) for each in COVERED[name] if each in fields
    }
    told = {each: value for each, value in known.items() if value is not None}
    return json.dumps(told, sort_keys=True, separators=(",", ":"), default=str)


def facts_in(text: str) -> dict[str, Any]:
    """Return the row's values of an entry; empty where they cannot be read."""
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _plain(field: Any, value: Any) -> Any:
    if value is None or isinstance(field, models.JSONField):
        return value
    target = getattr(field, "target_field", field)
    value = target.to_python(value)
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


def entries(rows: Iterable[models.Model], action: LogAction, at: datetime) -> list[dict[str, Any]]:
    """Return the values of one entry for each row."""
    return [
        {
            "table": row._meta.model_name,
            "row_id": row.pk,
            "action": action,
            "facts": "" if action == LogAction.REMOVED else facts_of(row),
            "at": at,
        }
        for row in rows
    ]


def note(rows: Iterable[models.Model], action: LogAction = LogAction.WRITTEN) -> None:
    """Add entries for rows that were just written. One query."""
    found = [LogEntry(**each) for each in entries(rows, action, timezone.now())]
    if found:
        by_id = _acting.get()()
        for entry in found:
            entry.by_id = by_id
        LogEntry.objects.bulk_create(found)
        transaction.on_commit(seal, robust=True)


_acting: ContextVar[Callable[[], UUID | None]] = ContextVar("acting", default=lambda: None)


@contextmanager
def acting(account: Callable[[], UUID | None]) -> Iterator[None]:
    """Context manager: log writes under this account, which is looked up only when needed."""
    before = _acting.set(account)
    try:
        yield
    finally:
        _acting.reset(before)


def seal() -> None:
    """Append the entries that are not in the chain yet.

    Another process that does it at the same time comes first, and takes these entries along or
    leaves them to the next one."""
    try:
        with transaction.atomic():
            last = LogSeal.objects.select_for_update().order_by("-seq").first()
            seq, before = (last.seq, last.hash) if last else (0, "")
            rows = []
            for entry in LogEntry.objects.filter(seal=None).order_by("id"):
                seq, before = seq + 1, entry.digest(before)
                rows.append(LogSeal(seq=seq, entry=entry, hash=before))
            LogSeal.objects.bulk_create(rows)
    except IntegrityError:
        return


# ── every way in which a row is written ─────────────────────────────────


def _is_covered(model: type[models.Model], changed: Iterable[str] | None) -> bool:
    name = model._meta.model_name or ""
    if model._meta.app_label != "scoring" or name not in COVERED:
        return False
    if changed is None:
        return True
    told = {*changed}
    columns = {field.attname: field.name for field in model._meta.concrete_fields}
    return any(each in told or columns[each] in told for each in COVERED[name])


def watch() -> None:
    """Begin to log what is saved or deleted, of covered models only."""
    for name in COVERED:
        model = apps.get_model("scoring", name)
        post_save.connect(_saved, sender=model)
        post_delete.connect(_removed, sender=model)


def _saved(sender: type[models.Model], instance: models.Model, **kwargs: Any) -> None:
    if _is_covered(sender, kwargs.get("update_fields")):
        note([instance])


def _removed(sender: type[models.Model], instance: models.Model, **kwargs: Any) -> None:
    if _is_covered(sender, None):
        note([instance], LogAction.REMOVED)


class LoggedQuerySet[M: models.Model](models.QuerySet[M]):
    """A queryset that also logs bulk writes."""

    def update(self, **kwargs: Any) -> int:
        if not _is_covered(self.model, kwargs):
            return super().update(**kwargs)
        with transaction.atomic():
            ids = list(self.order_by().values_list("pk", flat=True))
            count = super().update(**kwargs)
            note(self.model._base_manager.filter(pk__in=ids))
        return count

    vars(update)["alters_data"] = True  # no template may call it

    def bulk_create(self, objs: Any, *args: Any, **kwargs: Any) -> Any:
        with transaction.atomic():
            made = super().bulk_create(objs, *args, **kwargs)
            if _is_covered(self.model, None):
                note(made)
        return made
