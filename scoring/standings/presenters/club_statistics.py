"""A club in figures, in words and bars."""

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
from scoring.rules.form import Sums
from scoring.rules.standings import Family, rounded
from scoring.standings.presenters.standings import day_words, query_of
from scoring.standings.queries.club_statistics import ClubInFigures, Holder, Record

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
class Line:
    """A record: what, how much, and who; how many more where they are too many to name. `query`
    asks for the matches of a holder that are behind it, where it is not a single one."""

    what: words.Words
    value: SafeString
    holders: tuple[Holder, ...]
    more: int
    query: str = ""


def records(found: ClubInFigures) -> list[Line]:
    if found.family is None:
        return []
    return [_line(record, found.family) for record in found.records]


def _line(record: Record, family: Family) -> Line:
    value = words.signed(record.value) if record.what in IN_POINTS else str(record.value)
    more = max(len(record.holders) - NAMED, 0)
    holders = record.holders[: None if more < 2 else NAMED]
    behind = BEHIND.get(record.what)
    query = "" if behind is None else query_of(family, **behind)
    return Line(RECORDS[record.what], words.figures(value), holders, more if more > 1 else 0, query)


def contracts(found: ClubInFigures, people: str) -> charts.Bars | None:
    """What a deal of each contract brings one of the four on average, the dearest first; None where
    there is none. Each leads to `people`, the address of who has what in a contract."""
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
    """On how many evenings people played, month by month. Each in which somebody did leads to
    `matches`, the address of those of the club."""
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


def altogether(found: ClubInFigures) -> list[tuple[SafeString, str]]:
    """How much was played, and on which evening most, with what asks for its matches."""
    kept = found.kept.figures if found.kept else {}
    if not kept.get("matches"):
        return []
    told = [(played(kept["matches"], kept["evenings"]), "")]
    busiest = kept["busiest"]
    if busiest["matches"] > 1:
        day = day_words(date.fromisoformat(busiest["day"]))
        text = _("Most on one evening: {matches}, on {day}.")
        most = format_html(text, matches=_matches(busiest["matches"]), day=day)
        told.append((most, f"day={busiest['day']}"))
    return told


def played(matches: int, evenings: int) -> SafeString:
    text = ngettext("{n} evening", "{n} evenings", evenings).format(n=evenings)
    return format_html(_("{matches} on {evenings}."), matches=_matches(matches), evenings=text)


def of_contract(sums: Sums) -> list[SafeString]:
    """What the deals of a contract come to for the four."""
    deals = format_html("{}", _deals(sums.deals // 4))
    average = words.figures(words.signed(rounded(sums.points, sums.deals)))
    return [deals, format_html(_("{points} each on average"), points=average)]
