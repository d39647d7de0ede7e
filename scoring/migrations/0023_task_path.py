"""Queued work finds its function, which moved with its module."""

from django.db import migrations

OLD, NEW = "scoring.services.jobs.work", "scoring.common.jobs.work"


def point_to(path):
    def move(apps, schema_editor):
        tasks = apps.get_model("django_tasks_database", "DBTaskResult").objects
        tasks.filter(task_path__in=[OLD, NEW]).update(task_path=path)

    return move


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0022_namesakes"),
        ("django_tasks_database", "0021_conditional_partial_index_ordering"),
    ]

    operations = [
        migrations.RunPython(point_to(NEW), point_to(OLD)),
    ]
