from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0002_ledger_triggers"),
    ]

    operations = [
        migrations.AddField(
            model_name="matchresult",
            name="win",
            field=models.CharField(default="high", max_length=4),
        ),
        migrations.AddConstraint(
            model_name="matchresult",
            constraint=models.CheckConstraint(
                condition=models.Q(("win__in", ("high", "low"))), name="result_win"
            ),
        ),
    ]
