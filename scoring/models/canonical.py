"""Canonical JSON for hashed values: equal values have the same digest on every database.

Golden digests in the tests pin this spelling; a change here would break every chain ever written.
"""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID


def canonical(value: Any) -> str:
    """Return JSON with sorted keys and no blanks; ids as text, times in UTC to the microsecond."""
    return json.dumps(
        plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def digest(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON as 64 hex digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def plain(value: Any) -> Any:
    """Return the value as plain JSON; refuse floats, since databases spell those differently."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no canonical spelling")
