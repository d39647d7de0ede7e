"""Places of the last matches beside each total. The totals are dropped: `bin/serve` works out what is
missing."""

from django.db import migrations, models


def drop_totals(apps, schema_editor):
    apps.get_model("scoring", "PlayerTotal").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0013_chosen_points"),
    ]

    operations = [
        migrations.AddField(
            model_name="playertotal",
            name="lately",
            field=models.CharField(default="", max_length=5),
        ),
        migrations.RunPython(drop_totals, migrations.RunPython.noop),
    ]
