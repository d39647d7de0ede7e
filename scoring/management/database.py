"""Commands that read or write the database."""

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

UNUSABLE = 2


class DatabaseCommand(BaseCommand):
    """Ends with one sentence where the database is away, or not set up for this version."""

    requires_migrations_checks = True

    def check_migrations(self) -> None:
        try:
            executor = MigrationExecutor(connection)
        except OperationalError as error:
            raise CommandError(f"Cannot reach the database: {error}", returncode=UNUSABLE) from None
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise CommandError(
                "The database is not set up for this version. Run bin/serve once, or: "
                "manage.py migrate --skip-checks",
                returncode=UNUSABLE,
            )
