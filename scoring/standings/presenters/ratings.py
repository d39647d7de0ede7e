"""A rating in plain words, and its chart."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring import charts
from scoring.common import moments, words
from scoring.models import RatingStep
from scoring.rules.statistics.rating import ORIGIN, STEADY_FROM, Skill
from scoring.standings.queries.ratings import PlayerRating, skill_of

IN_PROGRESS = _("The ratings are being worked out anew; in a moment they are up to date.")


@dataclass(frozen=True)
class RatingCard:
    """A rating with its sentences, and a chart from two matches on.

    `number` is empty while there is none; `note` says that it is being calculated."""

    number: str = ""
    sentences: tuple[str | SafeString, ...] = ()
    chart: charts.LineChart | None = None
    title: str = ""
    desc: str = ""
    note: str = ""


def rating_card(found: PlayerRating, *, has_played: bool = False) -> RatingCard:
    """Present a rating.

    `has_played`: a match is finished, so a missing rating is on its way."""
    is_coming = found.is_dirty or (has_played and found.skill is None)
    note = str(IN_PROGRESS) if is_coming else ""
    if found.skill is None:
        return RatingCard(note=note)
    drawn = curve(found.steps) if len(found.steps) > 1 else None
    return RatingCard(
        number=str(found.skill.shown),
        sentences=tuple(certainty(found.skill)),
        chart=drawn,
        title=title(found),
        desc=desc(found) if drawn else "",
        note=note,
    )


def certainty(skill: Skill) -> Iterator[str | SafeString]:
    """Yield sentences about how certain the rating is (C79)."""
    if skill.needs:
        few = ngettext(
            "It says little yet: it needs {n} more match.",
            "It says little yet: it needs {n} more matches.",
            skill.needs,
        )
        yield format_html(few, n=words.isolated_number(str(skill.needs)))
    elif skill.is_steady:
        yield gettext("It is steady: a single match moves it little.")
    else:
        left = STEADY_FROM - skill.matches
        some = ngettext(
            "It is still moving: after {n} more match it is steady.",
            "It is still moving: after {n} more matches it is steady.",
            left,
        )
        yield format_html(some, n=words.isolated_number(str(left)))
    text = gettext("Almost certainly at least {low}; the matches so far point to {middle}.")
    numbers = {"low": skill.shown, "middle": skill.middle}
    yield format_html(text, **{name: words.isolated_number(str(n)) for name, n in numbers.items()})


def explanation() -> Iterator[str | SafeString]:
    """Yield sentences about how ratings are calculated."""
    text = gettext(
        "The rating comes from the places alone, match after match in the order they were played;"
        " everybody begins at {origin}."
    )
    yield format_html(text, origin=words.isolated_number(str(ORIGIN)))
    yield gettext(
        "It is a careful number: what the matches point to, less what is still uncertain. So it"
        " rises as matches make it surer, and one lucky evening puts nobody on top."
    )
    yield gettext(
        "Partners are rated together. A seat that was handed on counts for whoever sat most of its"
        " deals, of equals for the one who sat last."
    )


def curve(steps: tuple[RatingStep, ...]) -> charts.LineChart:
    """Chart the rating below what the matches point to; the area between is uncertainty."""
    skills = [skill_of(step) for step in steps]
    days = [moments.short_day(step.played_at) for step in steps]
    low, middle = [one.shown for one in skills], [one.middle for one in skills]
    named = (gettext("Rating"), low), (gettext("What the matches point to"), middle)
    return charts.line(named, days, band=list(zip(low, middle, strict=True)))


def title(found: PlayerRating) -> str:
    if not found.is_cut:
        return gettext("The rating, match by match")
    text = ngettext(
        "The rating over the last {n} match",
        "The rating over the last {n} matches",
        len(found.steps),
    )
    return text.format(n=len(found.steps))


def desc(found: PlayerRating) -> str:
    first, last = (skill_of(found.steps[place]).shown for place in (0, -1))
    text = gettext("From {first} to {last}. The two curves close in as matches make it surer.")
    return text.format(first=first, last=last)
