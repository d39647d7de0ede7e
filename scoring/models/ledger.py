"""Rows of the ledger, which are only added, and the derived rows of what counts.

A deal says who took what; it never says what that is worth. `CurrentDeal` and `UsedContract` are
derived: the database can hold "one standing deal per number" and "one per chooser and contract"
only in rows that may be replaced.
"""

import uuid
from functools import reduce
from operator import or_

from django.db import models
from django.db.models import F, Q
from django.utils.functional import cached_property

from scoring.models.chain import LedgerRow
from scoring.models.fixed_sets import adjustment_codes
from scoring.models.matches import Kingdom, Match
from scoring.models.records import CardRecord, Photo
from scoring.rules import Entry


class DealQuerySet(models.QuerySet["Deal"]):
    def standing(self) -> "DealQuerySet":
        """Return the current deals, from the ledger rows alone."""
        return self.filter(void__isnull=True, replaced_by__isnull=True)


class Deal(LedgerRow):
    """One contract as played once, in its first entry or as a correction (`replaces`).

    `payload` is the entry as `rules.Entry.to_json` writes it; dealer, chooser, leader, contract and
    forced are what the table did, whatever the schedule would have proposed. `uses_contract` is
    false for a tie-break deal and for a deal played again after cheating."""

    TABLE = "deal"
    FACTS = (
        "deal_number",
        "dealer",
        "chooser",
        "leader",
        "contract",
        "forced",
        "uses_contract",
        "payload_version",
        "payload",
        "replaces_id",
        "played_at",
    )

    deal_number = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField()
    chooser = models.PositiveSmallIntegerField()
    leader = models.PositiveSmallIntegerField(null=True)
    contract = models.CharField(max_length=80)
    forced = models.BooleanField(default=False)
    uses_contract = models.BooleanField(default=True)
    payload_version = models.PositiveSmallIntegerField(default=1)
    payload = models.JSONField()
    replaces = models.OneToOneField("self", models.PROTECT, null=True, related_name="replaced_by")
    played_at = models.DateTimeField(null=True)

    objects = DealQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(deal_number__gte=1), name="deal_number_from_one"),
            models.CheckConstraint(condition=Q(dealer__range=(0, 3)), name="deal_dealer"),
            models.CheckConstraint(condition=Q(chooser__range=(0, 3)), name="deal_chooser"),
            models.CheckConstraint(
                condition=Q(leader__isnull=True) | Q(leader__range=(0, 3)), name="deal_leader"
            ),
            models.CheckConstraint(condition=~Q(replaces=F("id")), name="deal_replaces_another"),
        ]

    def __str__(self) -> str:
        return f"deal {self.deal_number}: {self.contract}"

    @cached_property
    def entry(self) -> Entry:
        """The entry of the stored payload, which was checked when it was written."""
        return Entry.from_json(self.payload)


class Adjustment(LedgerRow):
    """Points given or taken outside the deals, by a code such as a penalty."""

    TABLE = "adjustment"
    FACTS = ("after_deal", "code", "points", "payload_version")

    after_deal = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=40, choices=adjustment_codes)
    points = models.JSONField()
    payload_version = models.PositiveSmallIntegerField(default=1)

    def __str__(self) -> str:
        return f"{self.code} after deal {self.after_deal}"


class Subtotal(LedgerRow):
    """Sums from a paper sheet for a finished kingdom or a round.

    `deals` are the deals it stands for, by number from `first_deal` on, as far as they are known:
    [{"dealer", "chooser", "contract", "forced"}, …]; `points` are the four sums. A deal that is
    filled in later takes the place of its share."""

    TABLE = "subtotal"
    FACTS = ("first_deal", "deals", "points", "payload_version")

    first_deal = models.PositiveSmallIntegerField()
    deals = models.JSONField()
    points = models.JSONField()
    payload_version = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(first_deal__gte=1), name="subtotal_from_one"),
        ]

    def __str__(self) -> str:
        return f"{len(self.deals)} deals from {self.first_deal} as on paper"


class Redeal(LedgerRow):
    """Cards that were dealt and thrown in before they counted.

    Not a deal: its number stays free.

    `reason` is a code of the rules (`weak_hearts`, `twos`, `queens_draw`, `misdeal`, `other`);
    `other` has its words with the event. `contract` is what had been chosen, if anything;
    `hand` the asker's cards where they are known."""

    TABLE = "redeal"
    FACTS = (
        "deal_number",
        "dealer",
        "chooser",
        "contract",
        "asked_by",
        "reason",
        "hand",
        "payload_version",
    )

    deal_number = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField(null=True)
    chooser = models.PositiveSmallIntegerField(null=True)
    contract = models.CharField(max_length=80, blank=True, default="")
    asked_by = models.PositiveSmallIntegerField(null=True)
    reason = models.CharField(max_length=40)
    hand = models.JSONField(null=True)
    payload_version = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(deal_number__gte=1), name="redeal_number_from_one"),
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{seat}__isnull": True}) | Q(**{f"{seat}__range": (0, 3)}),
                    name=f"redeal_{seat}",
                )
                for seat in ("dealer", "chooser", "asked_by")
            ),
        ]

    def __str__(self) -> str:
        return f"redeal of {self.deal_number}: {self.reason}"


VOIDABLE = ("deal", "adjustment", "subtotal", "redeal", "record", "photo", "signature", "flag")


class Void(LedgerRow):
    """The undoing of a row of a kind in `VOIDABLE`, which itself stays."""

    TABLE = "void"
    FACTS = tuple(f"{name}_id" for name in VOIDABLE)

    deal = models.OneToOneField(Deal, models.PROTECT, null=True, related_name="void")
    adjustment = models.OneToOneField(Adjustment, models.PROTECT, null=True, related_name="void")
    subtotal = models.OneToOneField(Subtotal, models.PROTECT, null=True, related_name="void")
    redeal = models.OneToOneField(Redeal, models.PROTECT, null=True, related_name="void")
    record = models.OneToOneField(CardRecord, models.PROTECT, null=True, related_name="void")
    photo = models.OneToOneField(Photo, models.PROTECT, null=True, related_name="void")
    signature = models.OneToOneField(
        "scoring.Signature", models.PROTECT, null=True, related_name="void"
    )
    flag = models.OneToOneField("scoring.Flag", models.PROTECT, null=True, related_name="void")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=reduce(
                    or_,
                    (
                        Q(**{f"{other}__isnull": other != one for other in VOIDABLE})
                        for one in VOIDABLE
                    ),
                ),
                name="void_of_one_thing",
            ),
        ]

    def __str__(self) -> str:
        taken = (getattr(self, f"{name}_id") for name in VOIDABLE)
        return f"void of {next(filter(None, taken), None)}"


class CurrentDeal(models.Model):
    """The deal that counts for its number; derived, replaced with every correction or void."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, models.PROTECT, related_name="current_deals", db_index=False)
    deal = models.OneToOneField(Deal, models.PROTECT, related_name="standing")
    deal_number = models.PositiveSmallIntegerField()
    kingdom = models.ForeignKey(Kingdom, models.PROTECT, null=True, related_name="current_deals")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "deal_number"], name="one_standing_deal_per_number"
            ),
        ]

    def __str__(self) -> str:
        return f"deal {self.deal_number} stands"


class UsedContract(models.Model):
    """A contract that a chooser has played; derived, one row for each part of a combined deal."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, models.PROTECT, related_name="used_contracts", db_index=False)
    current_deal = models.ForeignKey(CurrentDeal, models.CASCADE, related_name="used_contracts")
    chooser = models.PositiveSmallIntegerField()
    contract = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "chooser", "contract"],
                name="one_standing_deal_per_chooser_and_contract",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.contract} of seat {self.chooser}"
