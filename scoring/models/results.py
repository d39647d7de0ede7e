"""Results of closed matches, totals and statistics; derived, may be dropped and rebuilt."""

import uuid

from django.db import models
from django.db.models import Q

from scoring.models.clubs import Club, Player
from scoring.models.evenings import Evening
from scoring.models.fixed_sets import systems, winning_totals
from scoring.models.matches import Match
from scoring.models.seasons import Season


class MatchResult(models.Model):
    """One person in one seat of a closed match.

    `player` is whom it counts for, `seated` the person of the ledger who sat there: another one
    where two were merged. `points` are of the deals this person sat; `total` and `place` are the
    seat's at the end (the team's where teams play), so that a substitute's points follow the person
    (C75). `partner` is who sat opposite at the end, where teams play and both sat to the end. `win`
    says whether high or low totals win: the two never mix, even in one system (C-X1, C-K6).

    Order of play is (`played_at`, `opened_at`, match id)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, models.PROTECT, related_name="results", db_index=False)
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="results")
    evening = models.ForeignKey(Evening, models.PROTECT, null=True, related_name="results")
    player = models.ForeignKey(Player, models.PROTECT, related_name="results")
    seated = models.ForeignKey(Player, models.PROTECT, related_name="seated_results")
    partner = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    system = models.CharField(max_length=20, choices=systems)
    win = models.CharField(max_length=4, choices=winning_totals, default="high")
    rules_key = models.CharField(max_length=16, blank=True, default="")
    in_teams = models.BooleanField(default=False)
    seat = models.PositiveSmallIntegerField()
    deals = models.PositiveSmallIntegerField()
    points = models.IntegerField()
    total = models.IntegerField()
    place = models.PositiveSmallIntegerField()
    played_at = models.DateTimeField()
    opened_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(seat__range=(0, 3)), name="result_seat"),
            models.CheckConstraint(condition=Q(win__in=("high", "low")), name="result_win"),
            models.UniqueConstraint(fields=["match", "seat", "seated"], name="one_result"),
        ]
        indexes = [
            models.Index(fields=["club", "system", "win", "played_at"], name="result_of_club"),
            models.Index(fields=["player", "-played_at"], name="result_of_player"),
        ]

    def __str__(self) -> str:
        return f"place {self.place} with {self.total}"


class OfPerson(models.Model):
    """Base class of derived rows of a person: club, and family of points."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="+", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="+", db_index=False)
    system = models.CharField(max_length=20, choices=systems)
    win = models.CharField(max_length=4, choices=winning_totals)

    class Meta:
        abstract = True


class PlayerTotal(OfPerson):
    """Totals of a person in a club, a season or a game night; standings are made of them.

    Without season and game night of all time. With a `partner` (the one with the higher id) what
    the two have as a pair.

    `best` and `worst` are the points of the best and the worst match there, `won_in_a_row` the
    matches won up to the last one, `longest_row` the most that ever were; `lately` has the places
    in the last matches, the newest last."""

    season = models.ForeignKey(Season, models.CASCADE, null=True, related_name="totals")
    evening = models.ForeignKey(Evening, models.CASCADE, null=True, related_name="totals")
    partner = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    matches = models.PositiveIntegerField()
    total = models.IntegerField()
    wins = models.PositiveIntegerField()
    places = models.PositiveIntegerField()
    seats = models.PositiveIntegerField()
    best = models.IntegerField()
    best_match = models.ForeignKey(Match, models.PROTECT, related_name="+", db_index=False)
    worst = models.IntegerField()
    worst_match = models.ForeignKey(Match, models.PROTECT, related_name="+", db_index=False)
    won_in_a_row = models.PositiveIntegerField()
    longest_row = models.PositiveIntegerField()
    lately = models.CharField(max_length=5, default="")
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(
                fields=["club", "season", "evening", "system", "win", "partner", "last_at"],
                name="total_of_club",
            ),
            models.Index(fields=["player", "club"], name="total_of_player"),
        ]

    def __str__(self) -> str:
        return f"{self.total} in {self.matches}"


class ContractCounts(models.Model):
    """Base class of a person's counts in deals of one contract.

    How many, the points, how many of them they chose and the points of those, doubles they made and
    what those brought them, the places in Trex, kabbouts."""

    contract = models.CharField(max_length=80)
    deals = models.PositiveIntegerField(default=0)
    points = models.IntegerField(default=0)
    chosen = models.PositiveIntegerField(default=0)
    chosen_points = models.IntegerField(default=0)
    doubles = models.PositiveIntegerField(default=0)
    double_points = models.IntegerField(default=0)
    first = models.PositiveIntegerField(default=0)
    second = models.PositiveIntegerField(default=0)
    third = models.PositiveIntegerField(default=0)
    fourth = models.PositiveIntegerField(default=0)
    kabbouts = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


class ContractResult(OfPerson, ContractCounts):
    """The counts of one finished match, stored so that totals need not read its deals again."""

    match = models.ForeignKey(
        Match, models.PROTECT, related_name="contract_results", db_index=False
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "player", "contract"], name="one_contract_result"
            )
        ]
        indexes = [models.Index(fields=["player", "club"], name="contract_result_of_player")]

    def __str__(self) -> str:
        return f"{self.contract} {self.points}"


class ContractTotal(OfPerson, ContractCounts):
    """The counts of all finished matches of a club."""

    class Meta:
        indexes = [
            models.Index(fields=["club", "system", "win", "contract"], name="contract_of_club"),
            models.Index(fields=["player", "club"], name="contract_of_player"),
        ]

    def __str__(self) -> str:
        return f"{self.contract} {self.points}"


class Meeting(OfPerson):
    """Two people's matches: as opponents with who was ahead, as partners with wins.

    Each pair has two rows, one from either side."""

    other = models.ForeignKey(Player, models.PROTECT, related_name="+", db_index=False)
    matches = models.PositiveIntegerField(default=0)
    ahead = models.PositiveIntegerField(default=0)
    behind = models.PositiveIntegerField(default=0)
    together = models.PositiveIntegerField(default=0)
    together_won = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["player", "club", "other"], name="meeting_of_player"),
            models.Index(fields=["other"], name="meeting_with"),
        ]

    def __str__(self) -> str:
        return f"{self.ahead} : {self.behind}"


class ClubFigures(models.Model):
    """Statistics of a club, recalculated in the background, `as_of` then."""

    club = models.OneToOneField(Club, models.CASCADE, primary_key=True, related_name="figures")
    figures = models.JSONField(default=dict)
    as_of = models.DateTimeField()

    class Meta:
        verbose_name_plural = "club figures"

    def __str__(self) -> str:
        return str(self.club_id)
