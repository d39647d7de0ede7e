"""Who writes; the value itself stands with the reads, which ask the same."""

from scoring.selectors.who import Who, device_id

__all__ = ["Who", "device_id"]
