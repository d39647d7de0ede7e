from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0011_the_club"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="hidden_accounts",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="club",
            name="names_version",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
