"""Options in one cell: JSON, or `teams = opposite; values.trex = 100 50 0 -50`."""

from __future__ import annotations

import json
from typing import Any

from scoring.importing.values import plain_digits, whole_number, yes_or_no
from scoring.rules.rulesets.options import OPTIONS


def read_options_text(text: str) -> dict[str, Any]:
    """Return the options of the cell, unchecked; raises ValueError for what cannot be read."""
    if text.startswith("{"):
        try:
            found = json.loads(text)
        except (RecursionError, ValueError):
            raise ValueError(text) from None
        return dict(found)
    return dict(_pair(part) for part in text.split(";") if part.strip())


def _pair(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(text)
    return name.strip(), _value(name.strip(), value.strip())


def _value(name: str, text: str) -> object:
    option = OPTIONS.get(name)
    kind = option.kind if option else "enum"
    if kind == "bool":
        return yes_or_no({"on": "yes", "off": "no"}.get(text, text))
    if kind == "int":
        return whole_number(text)
    if kind == "list":
        words = plain_digits(text).replace(",", " ").split()
        return words if option and option.values else [whole_number(word) for word in words]
    return text
