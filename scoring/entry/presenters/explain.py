"""What a deal is worth, in words: the signed points of each seat and the lines that make them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.common import words
from scoring.entry.forms.entry import EntryForm
from scoring.rules import Entry, Points, PointsLine, Ruleset, UnlikelyOutcome, unlikely_outcomes
from scoring.rules.cards import QUEENS
from scoring.rules.deal.fifty_one import running_sums
from scoring.rules.ranking import TieBreak
from scoring.rules.ranking import sides as sides_of
from scoring.rules.scoresheet import Scoresheet

REASONS = {
    "doubled": gettext_lazy("doubled"),
    "chooser": gettext_lazy("as chooser"),
    "forced": gettext_lazy("forced"),
}


@dataclass(frozen=True)
class Purse:
    """One seat beside Save: its short name, what this deal brings (None: not known yet), its
    total."""

    seat: int
    name: str
    points: int | None
    total: int


def purses(
    names: Sequence[str], totals: Sequence[int], new: Points | None, old: Points | None = None
) -> list[Purse]:
    """The four seats, with their totals as they would be with this deal (`new`, None while it is
    not whole) in place of the one that it corrects (`old`)."""
    scores = new.scores if new else (None, None, None, None)
    before = old.scores if old and new else (0, 0, 0, 0)
    shorts = words.first_names(names)
    return [
        Purse(seat, shorts[seat], scores[seat], totals[seat] + (scores[seat] or 0) - before[seat])
        for seat in range(4)
    ]


@dataclass(frozen=True)
class ExplainedSide:
    """Two partners: what they are called, what this deal brings them (None: not known yet), their
    total."""

    names: tuple[str, str]
    points: int | None
    total: int


def sides(seats: Sequence[Purse]) -> list[ExplainedSide]:
    """The seats of each team together (C-L19)."""
    return [_side(one, two) for one, two in zip(seats[:2], seats[2:], strict=True)]


def team_scores(points: Points, names: Sequence[str]) -> list[ExplainedSide]:
    """What a deal brought each team; none where everybody plays alone."""
    shorts = words.first_names(names)
    seats = [Purse(seat, shorts[seat], None, points.scores[seat]) for seat in range(4)]
    return sides(seats) if points.team_scores else []


def _side(one: Purse, two: Purse) -> ExplainedSide:
    points = None if one.points is None or two.points is None else one.points + two.points
    return ExplainedSide((one.name, two.name), points, one.total + two.total)


def effects(points: Points, names: Sequence[str], ruleset: Ruleset) -> list[SafeString]:
    """Who loses and gains how much, one sentence each: "Carmen loses 150 — doubled"."""
    shorts = words.first_names(names)
    return [
        _effect(seat, score, points, shorts, ruleset)
        for seat, score in enumerate(points.scores)
        if score
    ] or [format_html("{}", _("Nobody gets any points."))]


def _effect(
    seat: int, score: int, points: Points, names: Sequence[str], ruleset: Ruleset
) -> SafeString:
    if ruleset.win == "high":
        text = _("{name} loses {points}") if score < 0 else _("{name} gains {points}")
    else:
        text = _("{name} takes {points}") if score > 0 else _("{name} sheds {points}")
    said = format_html(text, name=words.person(names[seat]), points=abs(score))
    if any(_is_doubled(line) for line in points.lines if line.seat == seat):
        return format_html(_("{sentence} — doubled"), sentence=said)
    return said


def _is_doubled(line: PointsLine) -> bool:
    bonus = line.kind in ("double_bonus", "leader_bonus")
    return bonus or any(factor.because == "doubled" for factor in line.factors)


@dataclass(frozen=True)
class Reason:
    """One line: whose, what happened, why it was multiplied, the sum as figures."""

    seat: int
    what: SafeString
    why: str
    sum: str
    points: int


def reasons(points: Points, names: Sequence[str]) -> list[Reason]:
    """Every line of the points, in the order of the seats."""
    shorts = words.first_names(names)
    lines = sorted(points.lines, key=lambda line: line.seat)
    return [
        Reason(
            line.seat,
            _what(line, shorts),
            words.listed(REASONS[because] for because in _unsaid(line)),
            _sum(line),
            line.points,
        )
        for line in lines
    ]


def _unsaid(line: PointsLine) -> list[str]:
    """Why the line was multiplied, beside what its words say already."""
    said = "doubled" if line.kind.endswith("_capture") else ""
    return [factor.because for factor in line.factors if factor.because != said]


def _sum(line: PointsLine) -> str:
    times = [factor.times for factor in line.factors]
    first = [line.count] if line.count != 1 else []
    if not first and not times:
        return ""
    return " × ".join(str(abs(number)) for number in (*first, line.value, *times))


def _what(line: PointsLine, names: Sequence[str]) -> SafeString:
    # A queen has a line of her own only where she was doubled.
    card = words.card(line.card, line.card in QUEENS) if line.card else SafeString("")
    by = words.person(names[line.by]) if line.by is not None else SafeString("")
    item = words.counted(line.item, line.count) if line.item and not line.card else card
    place = words.PLACES[line.place - 1] if line.place else ""
    text = {
        "capture": "{item}",
        "doubled_capture": _("{card}, doubled by {by}"),
        "own_capture": _("{card}, doubled and taken by the same"),
        "partner_capture": _("{card}, doubled by the partner"),
        "double_bonus": _("doubled {card}, taken by {by}"),
        "leader_bonus": _("led the trick in which {by} took {card}"),
        "revoke_rest": _("the rest, for the revoke: {item}"),
        "revoke_all": _("all of it, for the revoke: {item}"),
        "trex_place": _("{place} to go out"),
        "fifty_one": _("went over the top"),
        "kabbout": _("{by} took everything"),
        "kabbout_won": _("took everything"),
        "cheat": _("caught cheating"),
        "forfeit": _("not played: {item}"),
    }.get(line.kind, "{item}")
    return format_html(text, item=item, card=card, by=by, place=place)


def running(form: EntryForm) -> SafeString:
    """What the cards of fifty_one come to, and whose turn it is or who went over the top."""
    if not form.plays or form.chooser is None:
        return SafeString("")
    sums, target = running_sums(form.plays, form.ruleset), form.ruleset.fifty_one.target
    total = next((each for each in sums if each >= target), sums[-1])
    if form.crossed is None:
        seat, text = (form.chooser + len(sums)) % 4, _("Together {sum}. The turn of {name}.")
    else:
        seat, text = form.crossed, _("Together {sum}: {name} went over the top.")
    name = words.first_names(form.names)[seat]
    return format_html(text, sum=words.isolated_number(str(total)), name=words.person(name))


def really(entry: Entry, ruleset: Ruleset, names: Sequence[str]) -> list[SafeString]:
    """A question for each improbable thing in the entry."""
    shorts = words.first_names(names)
    return [_question(one, shorts) for one in unlikely_outcomes(entry, ruleset)]


def _question(one: UnlikelyOutcome, names: Sequence[str]) -> SafeString:
    text = {
        "all_of_item": _("Really? {name} took all there is: {what}."),
        "everything": _("Really? {name} took everything."),
        "nearly_everything": _("Really? {name} took nearly everything."),
        "own_double": _("Really? {name} doubled and took it: {what}."),
        "doubled_all": _("Really? {name} doubled all the queens."),
    }[one.code]
    what = words.counted(one.item, one.count) if one.item else ""
    return format_html(text, name=words.person(names[one.seat]), what=what)


def also_won(ruleset: Ruleset) -> str:
    """The words before the names of those who win beside the best (`positive_wins`)."""
    if ruleset.win == "high":
        return _("Above zero, and so winners too:")
    return _("Below zero, and so winners too:")


def together(ruleset: Ruleset, seats: Collection[int], names: Sequence[str]) -> list[str]:
    """What these seats are called: partners as one, "Amal + Carmen"."""
    own = (side for side in sides_of(ruleset) if side[0] in seats)
    return [" + ".join(names[seat] for seat in side) for side in own]


def tie(
    broken: TieBreak,
    winners: Sequence[int],
    names: Sequence[str],
    closed: bool,
    ruleset: Ruleset,
) -> SafeString:
    """Why those with the best total stand as they do, for a page."""
    told = {
        "names": words.people(together(ruleset, broken.seats, names)),
        "between": words.people(together(ruleset, broken.contenders, names)),
        "first": words.people(together(ruleset, winners, names)),
        "total": words.isolated_number(words.signed(broken.total)),
    }
    return format_html(tie_sentence(broken, winners, closed), **told)


def extra_deal(sheet: Scoresheet, ruleset: Ruleset) -> str:
    """The sentence for an extra deal that does not count any more, or after which somebody outside
    of the tie has a better total than those in it; else empty."""
    if sheet.uncounted:
        return _("A correction removed the tie: the extra deal stays here and does not count.")
    broken = sheet.tie_break
    if broken is None or broken.extra is None:
        return ""
    sign = 1 if ruleset.win == "high" else -1
    best = max(sign * sheet.totals[seat] for seat in broken.contenders)
    if all(sign * total <= best for total in sheet.totals):
        return ""
    return _("The extra deal could change only the places of those who were level.")


def tie_sentence(broken: TieBreak, winners: Sequence[int], closed: bool) -> str:
    """What became of the tie; the names, those it was `between`, who is `first`, and the total are
    still to be filled in. A `closed` match waits for no extra deal: without it those between whom
    it was due share."""
    return {
        "trex_firsts": _(
            "{names} are level at {total}. More first places in Trex decide for {first}."
        ),
        "extra_due": _("{between} are level at {total}. One more deal decides between them."),
        "extra_deal": _("{between} were level at {total}. The extra deal decided for {first}."),
        "shared": _("{between} are level at {total} and share the place."),
        "still_shared": _(
            "{between} were level at {total}. After the extra deal {first} share the place."
        ),
    }[_told(broken, winners, closed)]


def _told(broken: TieBreak, winners: Sequence[int], closed: bool) -> str:
    if broken.kind == "shared" and set(winners) != set(broken.contenders):
        return "still_shared"
    return "shared" if closed and broken.kind == "extra_due" else broken.kind
