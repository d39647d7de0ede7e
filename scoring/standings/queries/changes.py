"""Points and place of one person before and after a change."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """What somebody has before a change and after it, and the places where there are any. None:
    there was, or is, no such row."""

    name: str
    before: int | None
    after: int | None
    place_before: int | None = None
    place_after: int | None = None

    @property
    def moved(self) -> int:
        return (self.after or 0) - (self.before or 0)

    @property
    def is_changed(self) -> bool:
        return (self.before, self.place_before) != (self.after, self.place_after)
