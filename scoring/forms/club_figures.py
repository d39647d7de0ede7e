"""A club in figures, in words and bars."""

from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring import charts
from scoring.forms import words
from scoring.rules.standings import rounded
from scoring.selectors.club_figures import ClubInFigures, Holder, Record

RECORDS: dict[str, words.Words] = {
    "best": gettext_lazy("Best match"),
    "worst": gettext_lazy("Worst match"),
    "average": gettext_lazy("Best average of a match, of at least five"),
    "wins": gettext_lazy("Most matches won"),
    "longest_row": gettext_lazy("Most wins one after the other"),
    "matches": gettext_lazy("Most matches"),
    "kabbouts": gettext_lazy("Most deals in which everything was taken"),
    "double_points": gettext_lazy("Most gained by doubling"),
}
IN_POINTS = {"best", "worst", "average", "double_points"}
NAMED = 3
"""So many who share a record are named."""


@dataclass(frozen=True)
class Line:
    """A record: what, how much, and who; how many more where they are too many to name."""

    what: words.Words
    value: SafeString
    holders: tuple[Holder, ...]
    more: int


def records(found: ClubInFigures) -> list[Line]:
    return [_line(record) for record in found.records]


def _line(record: Record) -> Line:
    value = words.signed(record.value) if record.what in IN_POINTS else str(record.value)
    more = max(len(record.holders) - NAMED, 0)
    holders = record.holders[: None if more < 2 else NAMED]
    return Line(RECORDS[record.what], words.figures(value), holders, more if more > 1 else 0)


def contracts(found: ClubInFigures) -> charts.Bars | None:
    """What a deal of each contract brings one of the four on average, the dearest first; None where
    there is none."""
    if found.family is None or not found.contracts:
        return None
    low = -1 if found.family[1] == "low" else 1
    rows = [
        (low * rounded(sums.points, sums.deals), key, sums) for key, sums in found.contracts.items()
    ]
    return charts.bars(
        [
            charts.Bar(words.contract(key), low * value, note=_deals(sums.deals // 4))
            for value, key, sums in sorted(rows)
        ],
        say=lambda number: words.signed(round(number)),
    )


def _deals(number: int) -> str:
    return ngettext("%(number)s deal", "%(number)s deals", number) % {"number": number}


def months(found: ClubInFigures) -> charts.Bars | None:
    """On how many evenings people played, month by month."""
    rows = [
        charts.Bar(month_name(month.first), month.evenings, note=_matches(month.matches))
        for month in found.months
    ]
    return charts.bars(rows) if rows else None


def month_name(first: date) -> str:
    return date_format(first, "YEAR_MONTH_FORMAT")


def _matches(number: int) -> str:
    return ngettext("{n} match", "{n} matches", number).format(n=number)


def altogether(found: ClubInFigures) -> list[SafeString]:
    """How much was played, and on which evening most."""
    kept = found.kept.figures if found.kept else {}
    if not kept.get("matches"):
        return []
    evenings = ngettext("{n} evening", "{n} evenings", kept["evenings"]).format(n=kept["evenings"])
    text = _("{matches} on {evenings}.")
    told = [format_html(text, matches=_matches(kept["matches"]), evenings=evenings)]
    busiest = kept["busiest"]
    if busiest["matches"] > 1:
        day = date_format(date.fromisoformat(busiest["day"]), "DATE_FORMAT")
        text = _("Most on one evening: {matches}, on {day}.")
        told.append(format_html(text, matches=_matches(busiest["matches"]), day=words.person(day)))
    return told
