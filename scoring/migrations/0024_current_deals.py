"""A deal that counts is a current deal, in code and database."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0023_task_path"),
    ]

    operations = [
        migrations.RenameModel("StandingDeal", "CurrentDeal"),
        migrations.RenameField("UsedContract", "standing_deal", "current_deal"),
        migrations.AlterField(
            model_name="currentdeal",
            name="kingdom",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="current_deals",
                to="scoring.kingdom",
            ),
        ),
        migrations.AlterField(
            model_name="currentdeal",
            name="match",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="current_deals",
                to="scoring.match",
            ),
        ),
    ]
