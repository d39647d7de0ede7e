from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from scoring.models import triggers


def put_back(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.restore_triggers(schema_editor.connection)


def take_away(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.drop_triggers(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]

    operations = [migrations.RunPython(put_back, take_away)]
