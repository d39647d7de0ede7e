"""Configuration of the app."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ScoringConfig(AppConfig):
    name = "scoring"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from scoring.models import log, triggers  # models can be imported only now

        post_migrate.connect(triggers.after_migrate, sender=self)
        log.watch()
