import uuid

import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.lookups
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0004_interruptions"),
    ]

    operations = [
        migrations.CreateModel(
            name="HouseRules",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("preset", models.CharField(max_length=40)),
                ("system", models.CharField(max_length=20)),
                ("options", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rule_sets",
                        to="scoring.club",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "house rules",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True),
                        name="house_rules_have_a_name",
                    ),
                    models.CheckConstraint(
                        condition=django.db.models.lookups.LessThanOrEqual(
                            django.db.models.functions.text.Length("name"), 40
                        ),
                        name="house_rules_name_length",
                    ),
                    models.UniqueConstraint(fields=("club", "name"), name="one_set_per_name"),
                ],
            },
        ),
        migrations.AddField(
            model_name="club",
            name="house_rules",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="scoring.houserules",
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="rules_name",
            field=models.CharField(blank=True, default="", max_length=40),
        ),
    ]
