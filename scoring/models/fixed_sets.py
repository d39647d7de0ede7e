"""Choices of fields whose values the rules or the settings fix."""

from collections.abc import Iterable

from django.conf import settings

from scoring.rules.adjustments import KNOWN
from scoring.rules.rulesets.contested import DISPUTED_RULES
from scoring.rules.rulesets.presets import PRESETS, SYSTEMS
from scoring.rules.standings import CRITERIA

type Choices = list[tuple[str, str]]


def _named(names: Iterable[str]) -> Choices:
    return [(name, name) for name in names]


def systems() -> Choices:
    return _named(SYSTEMS)


def presets() -> Choices:
    return _named(PRESETS)


def winning_totals() -> Choices:
    return _named(("high", "low"))


def criteria() -> Choices:
    return _named(CRITERIA)


def adjustment_codes() -> Choices:
    return _named(KNOWN)


def disputed_rules() -> Choices:
    return _named(DISPUTED_RULES)


def languages() -> Choices:
    return [(code, str(name)) for code, name in settings.LANGUAGES]
