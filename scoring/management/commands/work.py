"""Command that works at background jobs."""

import sys
from datetime import timedelta
from time import sleep
from types import FrameType
from typing import Any

from django.core.management.base import CommandParser
from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from django.tasks import DEFAULT_TASK_BACKEND_ALIAS, DEFAULT_TASK_QUEUE_NAME
from django.utils import timezone
from django.utils.crypto import get_random_string
from django_tasks_db.management.commands import db_worker
from django_tasks_db.models import DBTaskResult

from scoring.common import jobs
from scoring.management.database import DatabaseCommand
from scoring.standings.services import ratings

PAUSE = 1.0
"""Seconds between two looks at the queue."""
KEPT = timedelta(days=7)


class Worker(db_worker.Worker):
    """Takes from the queue what is there, then ends. Told to stop it leaves long work at the next
    place where that can be gone on with."""

    def __init__(self) -> None:
        super().__init__(
            queue_names=[DEFAULT_TASK_QUEUE_NAME],
            excluded_queue_names=[],
            backend_name=DEFAULT_TASK_BACKEND_ALIAS,
            worker_id=get_random_string(32),
            interval=PAUSE,
            batch=True,
            startup_delay=False,
            max_tasks=None,
        )

    def shutdown(self, signum: int, frame: FrameType | None) -> None:
        jobs.leaving.set()
        self.running = False
        if not self.running_task:
            sys.exit(0)


class Command(DatabaseCommand):
    help = "Works at what waits in the background, until it is stopped. bin/serve starts one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="ends when nothing waits any more")

    def handle(self, *args: Any, **options: Any) -> None:
        worker = Worker()
        worker.configure_signals()
        begun = False
        while worker.running:
            close_old_connections()
            try:
                if not begun:
                    begin()
                    begun = True
                # Looking takes no lock; taking one out of the queue does, for a moment.
                if DBTaskResult.objects.ready().exists():
                    worker.run()
            except (DatabaseError, InterfaceError) as error:
                # Locked for longer than anybody waits, or away: it comes back.
                self.stderr.write(f"work: {error}")
                connection.close()
            else:
                if options["once"] and not DBTaskResult.objects.ready().exists():
                    return
            if worker.running:
                sleep(PAUSE)


def begin() -> None:
    """Forgets the messages of long ago, and takes up what the last worker left."""
    DBTaskResult.objects.filter(enqueued_at__lt=timezone.now() - KEPT).delete()
    jobs.requeue_waiting()
    ratings.begin_all()
