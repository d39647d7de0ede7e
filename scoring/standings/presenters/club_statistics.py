"""Sentences and charts of a club's statistics."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring import charts
from scoring.common import words
from scoring.rules.standings import Family, rounded
from scoring.rules.statistics.form import ContractSums
from scoring.standings.presenters.standings import day_words, query_of
from scoring.standings.queries.club_statistics import ClubInFigures, ClubRecord, RecordHolder

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
BEHIND: dict[str, dict[str, str | int]] = {
    "average": {},
    "wins": {"place": 1},
    "longest_row": {"streak": "longest"},
    "matches": {},
    "kabbouts": {"what": "kabbouts"},
    "double_points": {"what": "doubles"},
}
"""Which of the holder's matches are behind a record that is not one match."""
IN_POINTS = {"best", "worst", "average", "double_points"}
NAMED = 3
"""So many who share a record are named."""


@dataclass(frozen=True)
class BestLine:
    """A club record with its holders, and how many more there are than can be named.

    `query` filters the holder's matches behind it, where it is not a single one."""

    what: words.Words
    value: SafeString
    holders: tuple[RecordHolder, ...]
    more: int
    query: str = ""


def records(found: ClubInFigures) -> list[BestLine]:
    if found.family is None:
        return []
    return [_line(record, found.family) for record in found.records]


def _line(record: ClubRecord, family: Family) -> BestLine:
    value = words.signed(record.value) if record.what in IN_POINTS else str(record.value)
    more = max(len(record.holders) - NAMED, 0)
    holders = record.holders[: None if more < 2 else NAMED]
    behind = BEHIND.get(record.what)
    query = "" if behind is None else query_of(family, **behind)
    return BestLine(
        RECORDS[record.what], words.isolated_number(value), holders, more if more > 1 else 0, query
    )


def contracts(found: ClubInFigures, people: str) -> charts.Bars | None:
    """Chart the average points of a deal by contract, most expensive first; None if there are none.

    Each bar leads to `people`, the address of the averages by player."""
    if found.family is None or not found.contracts:
        return None
    low = -1 if found.family[1] == "low" else 1
    rows = [
        (low * Fraction(sums.points, sums.deals), key, sums)
        for key, sums in found.contracts.items()
    ]
    return charts.bars(
        [
            charts.Bar(
                words.contract(key),
                rounded(sums.points, sums.deals),
                href=f"{people}?{query_of(found.family, contract=key)}",
                note=_deals(sums.deals // 4),
            )
            for _value, key, sums in sorted(rows)
        ],
        say=lambda number: words.signed(round(number)),
    )


def _deals(number: int) -> str:
    return ngettext("%(number)s deal", "%(number)s deals", number) % {"number": number}


def months(found: ClubInFigures, matches: str) -> charts.Bars | None:
    """Chart the evenings played by month; each bar leads to `matches`."""
    rows = [
        charts.Bar(
            month_name(month.first),
            month.evenings,
            href=f"{matches}?{month_query(month.first)}" if month.matches else "",
            note=_matches(month.matches),
        )
        for month in found.months
    ]
    return charts.bars(rows) if rows else None


def month_name(day: date) -> str:
    return date_format(day, "YEAR_MONTH_FORMAT")


def month_query(day: date) -> str:
    return f"month={day:%Y-%m}"


def _matches(number: int) -> str:
    return ngettext("{n} match", "{n} matches", number).format(n=number)


def overview(found: ClubInFigures) -> list[tuple[SafeString, str]]:
    """Return how much was played and the busiest evening, each with the query of its matches."""
    kept = found.kept.figures if found.kept else {}
    if not kept.get("matches"):
        return []
    lines = [(played(kept["matches"], kept["evenings"]), "")]
    busiest = kept["busiest"]
    if busiest["matches"] > 1:
        day = day_words(date.fromisoformat(busiest["day"]))
        text = _("Most on one evening: {matches}, on {day}.")
        most = format_html(text, matches=_matches(busiest["matches"]), day=day)
        lines.append((most, f"day={busiest['day']}"))
    return lines


def played(matches: int, evenings: int) -> SafeString:
    text = ngettext("{n} evening", "{n} evenings", evenings).format(n=evenings)
    return format_html(_("{matches} on {evenings}."), matches=_matches(matches), evenings=text)


def of_contract(sums: ContractSums) -> list[SafeString]:
    """Summarise the deals of a contract for all four seats."""
    deals = format_html("{}", _deals(sums.deals // 4))
    average = words.isolated_number(words.signed(rounded(sums.points, sums.deals)))
    return [deals, format_html(_("{points} each on average"), points=average)]
