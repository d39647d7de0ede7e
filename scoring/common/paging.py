"""One page of a long list."""

from dataclasses import dataclass
from math import ceil

from django.http import HttpRequest


def page_number(request: HttpRequest) -> int:
    """Which page is asked for."""
    text = request.GET.get("page", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1


ALL = "all"
"""In the place of a page's number: everything on one page, as it is printed."""


def address_of(request: HttpRequest, number: int | str | None) -> str:
    """The page of this number with the same filter."""
    if number is None:
        return ""
    query = request.GET.copy()
    query["page"] = str(number)
    return f"?{query.urlencode()}"


PAGE = 50


@dataclass(frozen=True)
class Page[Row]:
    """One page of a list; `count` of all pages."""

    lines: tuple[Row, ...]
    count: int
    number: int
    size: int = PAGE

    @property
    def pages(self) -> int:
        return max(1, ceil(self.count / self.size))

    @property
    def before(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def after(self) -> int | None:
        return self.number + 1 if self.number < self.pages else None
