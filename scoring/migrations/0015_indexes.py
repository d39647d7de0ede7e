"""Standings find their people without going through the pairs, and which games were played last
without going through the rows; the last rating of a person and the last matches of a club, whatever
became of them, are found in one step."""

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
        migrations.AddIndex(
            "match",
            models.Index(
                fields=["club", "-played_at", "-opened_at", "-id"], name="match_of_club_by_day"
            ),
        ),
        migrations.RemoveIndex("ratingstep", "rating_step_of_player"),
        migrations.AddIndex(
            "ratingstep",
            models.Index(
                fields=["player", "club", "system", "win", "played_at", "opened_at", "match"],
                name="rating_step_of_player",
            ),
        ),
    ]
