import json
from itertools import batched

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

from scoring.models.log import LogAction, entries

NEW = {
    "match": ("club_id",),
    "player": ("is_guest", "is_unverified", "hidden_at", "anonymised_at", "archived_at"),
    "personevent": ("user_id", "device"),
}
"""By table the columns that are covered from now on."""


def cover_more(apps, schema_editor):
    """Entries of old rows with what is covered from now on. All else stays as it was noted: what
    was changed behind the application's back before stays found."""
    entry, now = apps.get_model("scoring", "LogEntry"), timezone.now()
    for table, added in NEW.items():
        told = entry.objects.filter(table=table).order_by("id").values_list("row_id", "facts")
        newest = dict(told.iterator())
        rows = apps.get_model("scoring", table)._base_manager.order_by("pk").iterator()
        for batch in batched(rows, 1000):
            found = [_with(each, newest, added) for each in entries(batch, LogAction.FOUND, now)]
            entry.objects.bulk_create(
                entry(**each) for each in found if each["facts"] != newest.get(each["row_id"])
            )


def _with(each, newest, added):
    """An entry as it would be now, with only the new columns of the row."""
    noted = newest.get(each["row_id"])
    if not noted:
        return each | {"facts": noted}
    now = json.loads(each["facts"])
    facts = json.loads(noted) | {name: now[name] for name in added if name in now}
    return each | {"facts": json.dumps(facts, sort_keys=True, separators=(",", ":"))}


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0019_rules_keys"),
    ]

    operations = [
        migrations.AddField(
            model_name="logentry",
            name="by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(cover_more, migrations.RunPython.noop, elidable=True),
    ]
