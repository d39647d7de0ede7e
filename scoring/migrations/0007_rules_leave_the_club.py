from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0006_first_house_rules"),
    ]

    operations = [
        migrations.RemoveField(model_name="club", name="options"),
        migrations.RemoveField(model_name="club", name="preset"),
        migrations.RemoveField(model_name="club", name="system"),
    ]
