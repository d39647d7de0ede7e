import uuid

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.lookups
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import scoring.models.chain


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="Words",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("text", models.TextField()),
                ("salt", models.CharField(default=scoring.models.chain.make_salt, max_length=32)),
            ],
            options={
                "verbose_name_plural": "words",
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                (
                    "first_name",
                    models.CharField(blank=True, max_length=150, verbose_name="first name"),
                ),
                (
                    "last_name",
                    models.CharField(blank=True, max_length=150, verbose_name="last name"),
                ),
                (
                    "email",
                    models.EmailField(blank=True, max_length=254, verbose_name="email address"),
                ),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(
                        default=django.utils.timezone.now, verbose_name="date joined"
                    ),
                ),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Club",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("slug", models.SlugField(unique=True)),
                ("name", models.CharField(max_length=80)),
                ("is_public", models.BooleanField(default=False)),
                ("time_zone", models.CharField(default="Asia/Beirut", max_length=64)),
                ("language", models.CharField(default="en", max_length=10)),
                ("preset", models.CharField(blank=True, default="levant", max_length=40)),
                ("system", models.CharField(default="levant", max_length=20)),
                ("options", models.JSONField(blank=True, default=dict)),
                ("correction_minutes", models.PositiveSmallIntegerField(default=10)),
                ("links_hours", models.PositiveSmallIntegerField(default=6)),
                ("acceptance_hours", models.PositiveSmallIntegerField(default=24)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="club_has_a_name"
                    ),
                    models.CheckConstraint(
                        condition=django.db.models.lookups.LessThanOrEqual(
                            django.db.models.functions.text.Length("name"), 80
                        ),
                        name="club_name_length",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Match",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("system", models.CharField(max_length=20)),
                ("options", models.JSONField(default=dict)),
                ("preset", models.CharField(blank=True, default="", max_length=40)),
                ("table_name", models.CharField(blank=True, default="", max_length=40)),
                ("state", models.CharField(default="running", max_length=20)),
                ("version", models.PositiveIntegerField(default=0)),
                ("head", models.CharField(blank=True, default="", max_length=64)),
                ("first_chooser", models.PositiveSmallIntegerField(null=True)),
                ("first_dealer", models.PositiveSmallIntegerField(null=True)),
                ("holder_device", models.UUIDField(db_index=True, null=True)),
                ("opened_at", models.DateTimeField()),
                ("played_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("external_id", models.CharField(blank=True, default="", max_length=200)),
                (
                    "club",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches",
                        to="scoring.club",
                    ),
                ),
                (
                    "opened_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="opened_matches",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "rematch_of",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rematches",
                        to="scoring.match",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "matches",
            },
        ),
        migrations.CreateModel(
            name="Kingdom",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("chooser", models.PositiveSmallIntegerField()),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="kingdoms",
                        to="scoring.match",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="MatchEvent",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("seq", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=40)),
                ("subject_kind", models.CharField(max_length=40)),
                ("subject_id", models.UUIDField()),
                ("content", models.JSONField()),
                ("payload_version", models.PositiveSmallIntegerField(default=1)),
                ("prev_hash", models.CharField(blank=True, max_length=64)),
                ("hash", models.CharField(max_length=64)),
                ("entry_key", models.UUIDField(unique=True)),
                ("on_version", models.PositiveIntegerField()),
                ("device", models.UUIDField(null=True)),
                ("played_at", models.DateTimeField(null=True)),
                ("entered_at", models.DateTimeField()),
                (
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="scoring.match",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Deal",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("deal_number", models.PositiveSmallIntegerField()),
                ("dealer", models.PositiveSmallIntegerField()),
                ("chooser", models.PositiveSmallIntegerField()),
                ("leader", models.PositiveSmallIntegerField(null=True)),
                ("contract", models.CharField(max_length=80)),
                ("forced", models.BooleanField(default=False)),
                ("uses_contract", models.BooleanField(default=True)),
                ("payload_version", models.PositiveSmallIntegerField(default=1)),
                ("payload", models.JSONField()),
                ("played_at", models.DateTimeField(null=True)),
                (
                    "replaces",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="scoring.deal",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="%(class)ss",
                        to="scoring.match",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="%(class)ss",
                        to="scoring.matchevent",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Adjustment",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("after_deal", models.PositiveSmallIntegerField()),
                ("code", models.CharField(max_length=40)),
                ("points", models.JSONField()),
                ("payload_version", models.PositiveSmallIntegerField(default=1)),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="%(class)ss",
                        to="scoring.match",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="%(class)ss",
                        to="scoring.matchevent",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("member", "Member"),
                            ("scorer", "Scorer"),
                            ("arbiter", "Arbiter"),
                            ("owner", "Owner"),
                        ],
                        default="member",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="scoring.club",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("is_guest", models.BooleanField(default=False)),
                ("archived_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="players",
                        to="scoring.club",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="players",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="MatchResult",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("system", models.CharField(max_length=20)),
                ("in_teams", models.BooleanField(default=False)),
                ("seat", models.PositiveSmallIntegerField()),
                ("deals", models.PositiveSmallIntegerField()),
                ("points", models.IntegerField()),
                ("total", models.IntegerField()),
                ("place", models.PositiveSmallIntegerField()),
                ("played_at", models.DateTimeField()),
                (
                    "club",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="results",
                        to="scoring.club",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="results",
                        to="scoring.match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="results",
                        to="scoring.player",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Seating",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("from_deal", models.PositiveSmallIntegerField(default=1)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="%(class)ss",
                        to="scoring.matchevent",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="%(class)ss",
                        to="scoring.match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seatings",
                        to="scoring.player",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="StandingDeal",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("deal_number", models.PositiveSmallIntegerField()),
                (
                    "deal",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="standing",
                        to="scoring.deal",
                    ),
                ),
                (
                    "kingdom",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="standing_deals",
                        to="scoring.kingdom",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="standing_deals",
                        to="scoring.match",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="UsedContract",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("chooser", models.PositiveSmallIntegerField()),
                ("contract", models.CharField(max_length=20)),
                (
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="used_contracts",
                        to="scoring.match",
                    ),
                ),
                (
                    "standing_deal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="used_contracts",
                        to="scoring.standingdeal",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Void",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "adjustment",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="void",
                        to="scoring.adjustment",
                    ),
                ),
                (
                    "deal",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="void",
                        to="scoring.deal",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="%(class)ss",
                        to="scoring.matchevent",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="%(class)ss",
                        to="scoring.match",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("member", "Member"),
                            ("scorer", "Scorer"),
                            ("arbiter", "Arbiter"),
                            ("owner", "Owner"),
                        ],
                        default="member",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="scoring.club",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "used_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["member", "scorer", "arbiter", "owner"])),
                        name="invitation_role",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("used_at__isnull", True), ("used_by__isnull", True)),
                            models.Q(("used_at__isnull", False), ("used_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="invitation_used_by_somebody",
                    ),
                ],
            },
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(fields=["club", "state", "-played_at"], name="match_of_club"),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("first_chooser__isnull", True),
                    ("first_chooser__range", (0, 3)),
                    _connector="OR",
                ),
                name="match_first_chooser_is_a_seat",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("first_dealer__isnull", True), ("first_dealer__range", (0, 3)), _connector="OR"
                ),
                name="match_first_dealer_is_a_seat",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=django.db.models.lookups.LessThanOrEqual(
                    django.db.models.functions.text.Length("table_name"), 40
                ),
                name="match_table_name_length",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.UniqueConstraint(
                condition=models.Q(("external_id", ""), _negated=True),
                fields=("club", "external_id"),
                name="one_match_per_external_id",
            ),
        ),
        migrations.AddConstraint(
            model_name="kingdom",
            constraint=models.CheckConstraint(
                condition=models.Q(("chooser__range", (0, 3))), name="kingdom_chooser"
            ),
        ),
        migrations.AddConstraint(
            model_name="kingdom",
            constraint=models.UniqueConstraint(
                fields=("match", "chooser"), name="one_kingdom_per_chooser"
            ),
        ),
        migrations.AddConstraint(
            model_name="kingdom",
            constraint=models.UniqueConstraint(
                fields=("match", "position"), name="one_kingdom_per_position"
            ),
        ),
        migrations.AddConstraint(
            model_name="matchevent",
            constraint=models.UniqueConstraint(
                fields=("match", "seq"), name="one_event_per_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="matchevent",
            constraint=models.CheckConstraint(
                condition=models.Q(("seq__gte", 1)), name="event_seq_from_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="deal",
            constraint=models.CheckConstraint(
                condition=models.Q(("deal_number__gte", 1)), name="deal_number_from_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="deal",
            constraint=models.CheckConstraint(
                condition=models.Q(("dealer__range", (0, 3))), name="deal_dealer"
            ),
        ),
        migrations.AddConstraint(
            model_name="deal",
            constraint=models.CheckConstraint(
                condition=models.Q(("chooser__range", (0, 3))), name="deal_chooser"
            ),
        ),
        migrations.AddConstraint(
            model_name="deal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("leader__isnull", True), ("leader__range", (0, 3)), _connector="OR"
                ),
                name="deal_leader",
            ),
        ),
        migrations.AddConstraint(
            model_name="deal",
            constraint=models.CheckConstraint(
                condition=models.Q(("replaces", models.F("id")), _negated=True),
                name="deal_replaces_another",
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(
                fields=("club", "user"), name="one_membership_per_club"
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["member", "scorer", "arbiter", "owner"])),
                name="membership_role",
            ),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(fields=["club", "name"], name="player_by_name"),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(("name", ""), _negated=True), name="player_has_a_name"
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=django.db.models.lookups.LessThanOrEqual(
                    django.db.models.functions.text.Length("name"), 40
                ),
                name="player_name_length",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(
                fields=("club", "user"), name="one_player_per_club_and_user"
            ),
        ),
        migrations.AddIndex(
            model_name="matchresult",
            index=models.Index(fields=["club", "system", "player"], name="result_of_club"),
        ),
        migrations.AddIndex(
            model_name="matchresult",
            index=models.Index(fields=["player", "-played_at"], name="result_of_player"),
        ),
        migrations.AddConstraint(
            model_name="matchresult",
            constraint=models.CheckConstraint(
                condition=models.Q(("seat__range", (0, 3))), name="result_seat"
            ),
        ),
        migrations.AddConstraint(
            model_name="matchresult",
            constraint=models.UniqueConstraint(
                fields=("match", "seat", "player"), name="one_result"
            ),
        ),
        migrations.AddConstraint(
            model_name="seating",
            constraint=models.CheckConstraint(
                condition=models.Q(("seat__range", (0, 3))), name="seating_seat"
            ),
        ),
        migrations.AddConstraint(
            model_name="seating",
            constraint=models.CheckConstraint(
                condition=models.Q(("from_deal__gte", 1)), name="seating_from_deal"
            ),
        ),
        migrations.AddConstraint(
            model_name="seating",
            constraint=models.UniqueConstraint(
                fields=("event", "seat"), name="one_player_per_seat"
            ),
        ),
        migrations.AddConstraint(
            model_name="seating",
            constraint=models.UniqueConstraint(
                fields=("event", "player"), name="one_seat_per_player"
            ),
        ),
        migrations.AddConstraint(
            model_name="standingdeal",
            constraint=models.UniqueConstraint(
                fields=("match", "deal_number"), name="one_standing_deal_per_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="usedcontract",
            constraint=models.UniqueConstraint(
                fields=("match", "chooser", "contract"),
                name="one_standing_deal_per_chooser_and_contract",
            ),
        ),
        migrations.AddConstraint(
            model_name="void",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("adjustment__isnull", True), ("deal__isnull", False)),
                    models.Q(("adjustment__isnull", False), ("deal__isnull", True)),
                    _connector="OR",
                ),
                name="void_of_one_thing",
            ),
        ),
    ]
