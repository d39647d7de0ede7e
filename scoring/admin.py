"""Looking things up. What the ledger holds and what follows from it can be read, never touched."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model
from django.http import HttpRequest

from scoring.models import (
    Adjustment,
    CardRecord,
    Club,
    CurrentDeal,
    Deal,
    Dispute,
    Flag,
    HouseRules,
    Invitation,
    Job,
    JoinedPhone,
    Kingdom,
    LogEntry,
    Match,
    MatchEvent,
    MatchResult,
    Membership,
    Photo,
    Player,
    Redeal,
    Ruling,
    Seating,
    SeatPhone,
    Signature,
    Subtotal,
    UsedContract,
    User,
    Verdict,
    Void,
    Words,
)

if TYPE_CHECKING:
    Lookup = admin.ModelAdmin[Any]
    Accounts = UserAdmin[User]
else:
    Lookup = admin.ModelAdmin  # takes no type at run time
    Accounts = UserAdmin


@admin.register(User)
class AccountAdmin(Accounts):
    """An account is put out of use, never deleted: what it wrote stays, and so does an owner."""

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Club)
class ClubAdmin(Lookup):
    list_display = ("name", "slug", "house_rules", "is_public", "created_at")
    list_select_related = ("house_rules",)
    search_fields = ("name", "slug")
    readonly_fields = ("house_rules", "created_at")


class ReadOnly(Lookup):
    """No form, no delete path, no action."""

    actions = None
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Match)
class MatchAdmin(ReadOnly):
    list_display = ("id", "club", "system", "table_name", "state", "version", "played_at")
    list_select_related = ("club",)
    list_filter = ("state", "system")
    date_hierarchy = "played_at"


@admin.register(Membership)
class MembershipAdmin(ReadOnly):
    """Changed on the club's own pages, where one owner always stays."""

    list_display = ("club", "user", "role", "created_at")
    list_select_related = ("club", "user")
    list_filter = ("role",)


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    """Changed on the club's own pages, where a new name reaches whoever was merged, and what was
    drawn before. People with deals are archived, never deleted (C93)."""

    list_display = ("name", "club", "is_guest", "user", "archived_at")
    list_select_related = ("club", "user")
    search_fields = ("name",)


@admin.register(HouseRules)
class HouseRulesAdmin(ReadOnly):
    """Changed on the club's own pages, where the rules say what fits together."""

    list_display = ("name", "club", "preset", "system", "created_at")
    list_select_related = ("club",)


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly):
    """What was written to roles, keys, settings, seasons and game nights, newest first."""

    list_display = ("id", "table", "row_id", "action", "facts", "at")
    list_filter = ("table", "action")
    search_fields = ("=row_id",)
    ordering = ("-id",)


@admin.register(MatchEvent)
class MatchEventAdmin(ReadOnly):
    list_display = ("match_id", "seq", "kind", "subject_kind", "user", "device", "entered_at")
    list_select_related = ("user",)
    list_filter = ("kind",)
    search_fields = ("=match__id", "=subject_id")


@admin.register(Deal)
class DealAdmin(ReadOnly):
    list_display = ("match_id", "deal_number", "contract", "chooser", "dealer", "replaces_id")
    search_fields = ("=match__id",)


@admin.register(MatchResult)
class MatchResultAdmin(ReadOnly):
    list_display = ("match_id", "player", "seat", "points", "total", "place", "played_at")
    list_select_related = ("player",)


for model in (
    Adjustment,
    CardRecord,
    Dispute,
    Flag,
    Invitation,
    Job,
    JoinedPhone,
    Kingdom,
    Photo,
    Redeal,
    Ruling,
    SeatPhone,
    Seating,
    Signature,
    CurrentDeal,
    Subtotal,
    UsedContract,
    Verdict,
    Void,
    Words,
):
    admin.site.register(model, ReadOnly)
