"""Standings find their people without going through the pairs, and which games were played last
without going through the rows."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0014_lately")]

    operations = [
        migrations.RemoveIndex("playertotal", "total_of_club"),
        migrations.AddIndex(
            "playertotal",
            models.Index(
                fields=["club", "season", "evening", "system", "win", "partner", "last_at"],
                name="total_of_club",
            ),
        ),
    ]
