"""Pages of long lists."""

from dataclasses import dataclass
from math import ceil

from django.http import HttpRequest

PAGE = 50
ALL = "all"
"""In the place of a page's number: everything on one page, as it is printed."""


@dataclass(frozen=True)
class Page[Row]:
    """One page of a list; `count` of all pages."""

    lines: tuple[Row, ...]
    count: int
    number: int
    size: int = PAGE

    @property
    def pages(self) -> int:
        return pages_of(self.count, self.size)

    @property
    def before(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def after(self) -> int | None:
        return self.number + 1 if self.number < self.pages else None


def pages_of(count: int, size: int = PAGE) -> int:
    """Return the number of the last page; an empty list has one page."""
    return max(1, ceil(count / size))


def nearest(number: int, count: int, size: int = PAGE) -> int:
    """Return this page number, or the nearest that the list has."""
    return max(1, min(number, pages_of(count, size)))


def page_number(request: HttpRequest) -> int:
    """Return the page number of the address, 1 where there is no valid one."""
    text = request.GET.get("page", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1


def address_of(request: HttpRequest, number: int | str | None) -> str:
    """Return the address of this page with the same filter."""
    if number is None:
        return ""
    query = request.GET.copy()
    query["page"] = str(number)
    return f"?{query.urlencode()}"
