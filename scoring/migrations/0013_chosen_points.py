from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0012_people"),
    ]

    operations = [
        migrations.AddField(
            model_name="contractresult",
            name="chosen_points",
            field=models.IntegerField(default=0),
        ),
        migrations.AddField(
            model_name="contracttotal",
            name="chosen_points",
            field=models.IntegerField(default=0),
        ),
    ]
