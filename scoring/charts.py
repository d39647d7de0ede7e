"""Numbers to lines and bars: where everything stands in a drawing. Ordinary Python, no Django.

Templates of `charts/` draw what comes out. Coordinates are whole numbers, so that no language can
write them with a comma; `say` turns a value into what is read. The drawing goes from left to right
in every language, as the numbers do.

figure    shows                                             template
`line`    up to four curves over the same steps, or one     charts/line.html
          with a band of uncertainty round it
`bars`    one number a row, to both sides of zero           charts/bars.html
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import NamedTuple

type Number = int | float
type Say = Callable[[Number], str]
type Point = tuple[int, int]

WIDTH, HEIGHT = 640, 360
LETTER = 14
"""What one letter of a label takes; letters are 24 high, 12 px on the narrowest phone."""
EDGE = 18
SHORT_LABEL = 2
MOST_TICKS = 6
DASHES = ("none", "18 8", "4 8", "20 7 4 7")
"""Told apart without colour: by the dashes, and by the mark at the end."""
BAR_LENGTH = 1000
MISSING = "–"


class Tick(NamedTuple):
    """A label at an axis. `anchor` is the side of the text that stands there."""

    at: int
    label: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Curve:
    """One line: its `path`, the `marks` on it (where it ends, and points without neighbours), and
    the same mark for the `sample` of 64 by 24 beside the name."""

    key: int
    name: str
    path: str
    marks: tuple[str, ...]
    sample: str
    dash: str


class ChartRow(NamedTuple):
    """The numbers of one step, as they are read."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineChart:
    """A drawing of `width` by `height`. The plot reaches from `left` to `right` and from `top` to
    `bottom`; `zero` is where the line of zero goes, None where there is none."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    curves: tuple[Curve, ...]
    band: str
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    zero: int | None
    rows: tuple[ChartRow, ...]

    @property
    def under(self) -> int:
        """Where the labels below the plot stand."""
        return self.height - 8


@dataclass(frozen=True, slots=True)
class _Plot:
    """From steps and values to places."""

    left: int
    right: int
    top: int
    bottom: int
    steps: int
    low: Number
    high: Number

    def x(self, step: int) -> int:
        if self.steps == 1:
            return (self.left + self.right) // 2
        return self.left + round((self.right - self.left) * step / (self.steps - 1))

    def y(self, value: Number) -> int:
        share = (value - self.low) / (self.high - self.low)
        return self.bottom - round((self.bottom - self.top) * share)

    def points(self, values: Sequence[Number]) -> list[Point]:
        return [(self.x(step), self.y(value)) for step, value in enumerate(values)]


def line(
    curves: Sequence[tuple[str, Sequence[Number | None]]],
    labels: Sequence[str],
    *,
    say: Say = str,
    band: Sequence[tuple[Number, Number]] = (),
    most_labels: int = 8,
    size: tuple[int, int] = (WIDTH, HEIGHT),
) -> LineChart:
    """Each curve has a name and a value for each label, None where there is none. `band` is the
    lowest and highest of each step, drawn behind. Raises ValueError without any value, for more
    than four curves, and where there are more or fewer values than labels."""
    if len(curves) > len(DASHES) or any(len(own) != len(labels) for _, own in curves):
        raise ValueError("at most four curves, and one value for each label")
    known = [value for _, own in curves for value in own if value is not None]
    levels = ticks(*_ends([*known, *(end for ends in band for end in ends)]))
    up = [say(level) for level in levels]
    left = max(map(len, up)) * LETTER + 12
    width, height = size
    plot = _Plot(
        left, width - EDGE, EDGE, height - 2 * EDGE - 4, len(labels), levels[0], levels[-1]
    )
    return LineChart(
        width=width,
        height=height,
        left=left,
        right=plot.right,
        top=plot.top,
        bottom=plot.bottom,
        curves=tuple(_curve(key, *each, plot) for key, each in enumerate(curves)),
        band=_band(band, plot),
        across=tuple(_across(labels, plot, most_labels)),
        up=tuple(map(Tick, map(plot.y, levels), up)),
        zero=plot.y(0) if levels[0] <= 0 <= levels[-1] else None,
        rows=tuple(_rows(curves, labels, say)),
    )


def ticks(low: Number, high: Number, most: int = MOST_TICKS) -> list[int]:
    """Whole round numbers, at most so many, from one below to one above: 1, 2 or 5 apart, or so
    many tens, hundreds …

    >>> ticks(-130, 240)
    [-200, -100, 0, 100, 200, 300]
    """
    size = 10 ** max(floor(log10(max(high - low, 1))) - 1, 0)
    for step in (size * times for times in (1, 2, 5, 10, 20, 50, 100)):
        first, last = floor(low / step), ceil(high / step)
        if last == first:
            first, last = first - 1, last + 1
        if last - first < most:
            return [step * count for count in range(first, last + 1)]
    raise AssertionError("a step of ten times the range is always wide enough")


class Bar(NamedTuple):
    """What a row of bars is made of. Where `href` leads is the list behind the number; `note` says
    for example how many deals it is about."""

    label: str
    value: Number | None
    href: str = ""
    note: str = ""


class DrawnBar(NamedTuple):
    """The row with its bar, from `x` on so wide; `said` is the number."""

    label: str
    said: str
    href: str
    note: str
    x: int
    width: int
    is_minus: bool


@dataclass(frozen=True, slots=True)
class Bars:
    """Rows to be drawn as a table, the bars of `length` at full length, `zero` where they begin."""

    rows: tuple[DrawnBar, ...]
    zero: int
    length: int = BAR_LENGTH


def bars(rows: Sequence[Bar], *, say: Say = str) -> Bars:
    """One bar each, all to the same measure, to the left of zero below it."""
    known = [row.value for row in rows if row.value is not None]
    low, high = min([0, *known]), max([0, *known])
    measure = BAR_LENGTH / ((high - low) or 1)
    zero = round(-low * measure)
    return Bars(tuple(_drawn(row, zero, measure, say) for row in rows), zero)


# ---- the parts of a line


def _ends(known: Sequence[Number]) -> tuple[Number, Number]:
    if not known:
        raise ValueError("nothing to draw")
    return min(known), max(known)


def _curve(key: int, name: str, values: Sequence[Number | None], plot: _Plot) -> Curve:
    runs = _runs(values, plot)
    marked = [run[0] for run in runs[:-1] if len(run) == 1] + [run[-1] for run in runs[-1:]]
    return Curve(
        key=key,
        name=name,
        path=" ".join(_path(run) for run in runs),
        marks=tuple(_mark(key, point) for point in marked),
        sample=_mark(key, (32, 12)),
        dash=DASHES[key],
    )


def _runs(values: Sequence[Number | None], plot: _Plot) -> list[list[Point]]:
    """The points, broken where a value is missing."""
    runs: list[list[Point]] = [[]]
    for step, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            runs[-1].append((plot.x(step), plot.y(value)))
    return [run for run in runs if run]


def _path(points: Sequence[Point], start: str = "M") -> str:
    return start + "L".join(f"{x} {y}" for x, y in points)


def _mark(key: int, at: Point) -> str:
    """A disc, a square, a triangle, a diamond."""
    x, y = at
    return (
        f"M{x - 8} {y}a8 8 0 1 0 16 0a8 8 0 1 0 -16 0Z",
        f"M{x - 8} {y - 8}h16v16h-16Z",
        f"M{x} {y - 10}l10 18h-20Z",
        f"M{x} {y - 11}l11 11l-11 11l-11 -11Z",
    )[key]


def _band(band: Sequence[tuple[Number, Number]], plot: _Plot) -> str:
    if not band:
        return ""
    lows, highs = zip(*band, strict=True)
    return _path([*plot.points(highs), *reversed(plot.points(lows))]) + "Z"


def _across(labels: Sequence[str], plot: _Plot, most: int) -> list[Tick]:
    """As many labels as there is room for, the first and the last among them."""
    longest, last = max(map(len, labels)), len(labels) - 1
    room = (longest + 1) * LETTER * (3 if longest > SHORT_LABEL else 2) // 2
    unit = (plot.right - plot.left) / max(last, 1)
    every = max(ceil(room / unit), ceil(last / (most - 1)), 1)
    chosen = [step for step in range(0, last, every) if (last - step) * unit >= room]
    return [
        Tick(plot.x(step), labels[step], _anchor(step, last, longest)) for step in [*chosen, last]
    ]


def _anchor(step: int, last: int, longest: int) -> str:
    """Short labels stand under their step; a long one at an end would stick out of the drawing."""
    if last == 0 or longest <= SHORT_LABEL:
        return "middle"
    return {0: "start", last: "end"}.get(step, "middle")


def _rows(
    curves: Sequence[tuple[str, Sequence[Number | None]]], labels: Sequence[str], say: Say
) -> list[ChartRow]:
    steps = zip(*(own for _, own in curves), strict=True)
    return [
        ChartRow(label, tuple(MISSING if value is None else say(value) for value in step))
        for label, step in zip(labels, steps, strict=True)
    ]


# ---- the parts of bars


def _drawn(row: Bar, zero: int, measure: float, say: Say) -> DrawnBar:
    width = round(abs(row.value or 0) * measure)
    is_minus = (row.value or 0) < 0
    x = zero - width if is_minus else zero
    said = MISSING if row.value is None else say(row.value)
    return DrawnBar(row.label, said, row.href, row.note, x, width, is_minus)
