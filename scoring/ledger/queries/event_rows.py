"""The ledger rows and texts that an event names."""

from uuid import UUID

from scoring.models import MatchEvent


def rows_of(event: MatchEvent) -> list[tuple[str, UUID, str]]:
    """Return the rows that an event names, with their digests, without unreadable ones."""
    try:
        return [(str(table), UUID(row), str(seal)) for table, row, seal in event.content["rows"]]
    except (KeyError, TypeError, ValueError, AttributeError):
        return []


def words_of(event: MatchEvent) -> list[tuple[UUID, str]]:
    """Return the texts that an event names, with their digests."""
    try:
        named = event.content["words"].values()
        return [(UUID(words["id"]), str(words["digest"])) for words in named]
    except (KeyError, TypeError, ValueError, AttributeError):
        return []
