"""Rows, notes and rules of a standings table."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.common import moments, words
from scoring.common.criteria import CRITERION_WORDS
from scoring.common.day_fields import DayField
from scoring.common.paging import Page, nearest
from scoring.house_rules.presenters.presets import PRESET_WORDS, season_rules
from scoring.rules.standings import Family, PlayerRecord, Standing
from scoring.standings.presenters import ratings
from scoring.standings.queries.standings import RankedPair, RankedPerson, Scope, StandingsPage


def query_of(family: Family, **asked: str | int | UUID) -> str:
    """Return the query of a list of this family."""
    return urlencode({"system": family[0], "win": family[1], **asked})


type Said = str | SafeString


SHARED = _("Level in everything: the place is shared.")
ALWAYS_SHOWN = ("matches", "total", "average")
LEAF = 100
"""So many rows are drawn at once."""
USUAL = {"levant": "high", "kleshchi": "high", "barbu": "low"}
"""Which end wins in each system, where no option turns it."""


@dataclass(frozen=True)
class CriterionValue:
    """The value of a further criterion.

    `behind` is what it links to: `list`, `first_places`, `curve` (of the rating) or nothing."""

    label: Any
    value: str
    behind: str


@dataclass(frozen=True)
class StandingsLine:
    """One row with its players, notes, and recent places as bars.

    `query` filters the first player's matches behind it."""

    standing: Standing
    people: tuple[RankedPerson, ...]
    notes: tuple[Said, ...]
    more: tuple[CriterionValue, ...]
    query: str
    is_reviewed: bool
    form: SafeString

    @property
    def record(self) -> PlayerRecord:
        return self.standing.record


@dataclass(frozen=True)
class Board:
    """A table ready to be drawn; `more` heads the further columns."""

    name: Any
    more: tuple[Any, ...]
    ranked: tuple[StandingsLine, ...]
    provisional: tuple[StandingsLine, ...]
    rules: tuple[Said, ...]
    reviewed: bool
    leaf: Page[Standing]
    note: str = ""


def board(page: StandingsPage, number: int | None = None) -> Board:
    """Present all rows, or one page of them; a number too high is the last page."""
    assert page.family is not None  # nothing to draw where nothing was played
    more = tuple(name for name in page.criteria if name not in ALWAYS_SHOWN)
    leaf = Page(page.rows, len(page.rows), 1, size=LEAF)
    rows = page.rows
    if number is not None:
        leaf = replace(leaf, number=nearest(number, leaf.count, LEAF))
        rows = rows[(leaf.number - 1) * LEAF : leaf.number * LEAF]
    lines = [_line(page, row, more) for row in rows]
    return Board(
        name=family_name(page.family),
        more=tuple(CRITERION_WORDS[name].label for name in more),
        ranked=tuple(line for line in lines if line.standing.rank is not None),
        provisional=tuple(line for line in lines if line.standing.rank is None),
        rules=tuple(rules_of(page)),
        reviewed=any(line.is_reviewed for line in lines),
        leaf=leaf,
        note=str(ratings.IN_PROGRESS) if page.rates_anew else "",
    )


def family_name(family: Family) -> Said:
    """Return the name of the system, and which end wins where that is not its usual one."""
    system, win = family
    label = PRESET_WORDS[system].label
    if win == USUAL[system]:
        return str(label)
    if win == "high":
        return format_html(gettext("{system}, the highest wins"), system=label)
    return format_html(gettext("{system}, the lowest wins"), system=label)


def _line(page: StandingsPage, row: Standing, more: tuple[str, ...]) -> StandingsLine:
    entrant = row.player
    assert isinstance(entrant, RankedPerson | RankedPair)
    return StandingsLine(
        standing=row,
        people=entrant.people,
        notes=(*_notes(row), *_merged_since(page, entrant)),
        more=tuple(_more(page.scope, row.record, name) for name in more),
        query=list_query(page.scope, row.record.family, entrant),
        is_reviewed=entrant.ids in page.reviewed,
        form=form_bars(row.record.lately),
    )


def _more(scope: Scope, record: PlayerRecord, name: str) -> CriterionValue:
    """Return the further values; the rating of an earlier day does not link to the chart."""
    behind = {
        "wins": "first_places" if record.wins else "",
        "rating": "" if record.rating is None or scope.is_frozen or scope.until else "curve",
    }
    shown = figure(record, name)
    return CriterionValue(CRITERION_WORDS[name].label, shown, behind.get(name, "list"))


def form_bars(lately: str) -> SafeString:
    """Draw a bar for each recent place, newest last; nothing for a single one."""
    if len(lately) < 2:
        return SafeString("")
    text = gettext("Places in the last matches, the newest last: {places}")
    return format_html(
        '<svg class="form-bars" viewBox="0 0 {} 12" width="{}" height="17" role="img"'
        ' aria-label="{}"><path class="won" d="{}"/><path d="{}"/></svg>',
        5 * len(lately),
        7 * len(lately),
        text.format(places=", ".join(lately)),
        *(_bars(lately, won=won) for won in (True, False)),
    )


@lru_cache(maxsize=4096)
def _bars(lately: str, *, won: bool) -> str:
    """Return the outline of the bars; each lower place is a quarter shorter."""
    tall = [(5 * at, 15 - 3 * int(place)) for at, place in enumerate(lately)]
    return "".join(f"M{x} 12v-{h}h4v{h}z" for x, h in tall if (h == 12) == won)


def _notes(row: Standing) -> Iterator[Said]:
    if row.rank is None:
        text = ngettext("needs {n} more match", "needs {n} more matches", row.needs)
        yield format_html(text, n=words.isolated_number(str(row.needs)))
    if row.decided_by:
        yield str(CRITERION_WORDS[row.decided_by].decided)
    if row.shares:
        yield str(SHARED)


def _merged_since(page: StandingsPage, entrant: RankedPerson | RankedPair) -> Iterator[Said]:
    """Note rows that belong to one person, merged after the season was closed."""
    if not page.scope.is_frozen:
        return
    rows = [row.player for row in page.rows]
    same = [
        one for one in rows if isinstance(one, RankedPerson | RankedPair) and one.ids == entrant.ids
    ]
    if len(same) > 1:
        text = gettext("Merged after the season was closed: {n} rows are the same here.")
        yield format_html(text, n=words.isolated_number(str(len(same))))


def figure(record: PlayerRecord, criterion: str) -> str:
    """Format the value of a criterion without points; None is "–", never 0."""
    if criterion == "place":
        return number_format(Decimal(record.place_tenths) / 10, 1)
    if criterion == "rating":
        return "–" if record.rating is None else str(round(record.rating))
    return str(record.wins)


def list_query(scope: Scope, family: Family, entrant: RankedPerson | RankedPair) -> str:
    """Return the query of the matches that a row counts."""
    asked = {"system": family[0], "win": family[1], **scope_query(scope)}
    if isinstance(entrant, RankedPair):
        asked["partner"] = str(entrant.second.id)
    return urlencode(asked)


def scope_query(scope: Scope) -> dict[str, str]:
    within = {"season": scope.season, "evening": scope.evening}
    asked = {name: str(each.id) for name, each in within.items() if each}
    return asked | ({"until": scope.until.isoformat()} if scope.until else {})


class UntilForm(forms.Form):
    """The day of the standings; empty: today."""

    until = DayField(label=_("Standings as they were on"), required=False)

    def __init__(self, *args: Any, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.today = today
        self.fields["until"].widget.attrs["max"] = today.isoformat()

    def clean_until(self) -> date | None:
        until: date | None = self.cleaned_data["until"]
        if until and until > self.today:
            raise ValidationError(_("This day has not come yet."), code="future")
        return until

    @property
    def day(self) -> date | None:
        """The day; None also where the input is not a date."""
        return self.cleaned_data.get("until") if self.is_valid() else None


# ── below the table ─────────────────────────────────────────────────────


def rules_of(page: StandingsPage) -> Iterator[Said]:
    """Yield what a reader of the table needs to know: criteria, minimum, matches, date (C76, C78,
    C82, C87)."""
    yield ranked_by(page)
    if page.minimum > 1:
        text = ngettext(
            "Whoever has fewer than {n} match is not ranked yet and stands apart.",
            "Whoever has fewer than {n} matches is not ranked yet and stands apart.",
            page.minimum,
        )
        yield format_html(text, n=words.isolated_number(str(page.minimum)))
    yield from counted(page.scope)
    if page.scope.until:
        text = gettext(
            "Of them only those that were played up to {day}, as the ledger has them today, later"
            " corrections included."
        )
        yield format_html(text, day=day_words(page.scope.until))
    yield _points(page)
    if any(len(row.record.lately) > 1 for row in page.rows):
        yield gettext(
            "The bars are the places in the last matches: the higher the better, the newest at the"
            " end."
        )
    if "rating" in page.criteria:
        yield (
            gettext("The rating is that after all matches of the club up to this day.")
            if page.scope.until
            else gettext("The rating is of all matches of the club, whatever the table shows.")
        )
        yield from ratings.explanation()
    yield from _as_of(page)


def ranked_by(page: StandingsPage) -> Said:
    """Describe the criteria in their order."""
    high = page.family is None or page.family[1] == "high"
    by = [
        each.high if high else each.low for each in map(CRITERION_WORDS.__getitem__, page.criteria)
    ]
    if len(by) == 1:
        text = gettext(
            "Ranked by {criterion}. Who is level shares a place, and the next is skipped."
        )
        return format_html(text, criterion=by[0])
    text = gettext(
        "Ranked by, in this order: {criteria}. Who is level in all of it shares a place, and the"
        " next is skipped."
    )
    return format_html(text, criteria=words.listed(by))


def counted(scope: Scope) -> Iterator[Said]:
    """Describe which matches the table counts."""
    if scope.evening:
        yield gettext("The finished matches of this evening count.")
    elif (season := scope.season) is None:
        yield gettext("All finished matches of the club count.")
    else:
        text = gettext("Matches from {first} to {last} count; a night belongs to its evening.")
        yield format_html(text, first=day_words(season.starts_on), last=day_words(season.ends_on))
        if season.rules_key:
            text = gettext("Only those count that were opened by the rules {name}.")
            yield format_html(text, name=words.person(str(season_rules(season))))
        if season.counted:
            text = ngettext(
                "Of each person the first {n} match counts, in order of play.",
                "Of each person the first {n} matches count, in order of play.",
                season.counted,
            )
            yield format_html(text, n=words.isolated_number(str(season.counted)))


def _points(page: StandingsPage) -> Said:
    if page.of_pairs:
        return gettext(
            "A pair has what its two had in the matches that they sat opposite each other to the"
            " end. The average is per match, rounded."
        )
    return gettext(
        "Points are those of the deals that somebody played. The average is per match, rounded."
    )


def _as_of(page: StandingsPage) -> Iterator[Said]:
    season = page.scope.season
    if season and season.closed_at:
        text = gettext("As it stood when the season was closed, on {when}.")
        yield format_html(text, when=moment(season.closed_at))
    elif page.as_of:
        text = gettext("As of the match of {when}, the last that counts.")
        yield format_html(text, when=moment(page.as_of))


def moment(when: datetime) -> SafeString:
    """Format a time on the club's clock."""
    return format_html("<bdi>{}</bdi>", moments.moment(when))


def day_words(day: date) -> SafeString:
    """Format a day, isolated from the text direction."""
    return format_html("<bdi>{}</bdi>", moments.calendar_day(day))
