"""Charts as inline SVG, without script and without a style attribute, one SVG a panel.

Colours come from classes, so that they follow the page into the dark; kinds of line and markers
differ as well, so that grey is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from rereview.report.series import Chart, Dash, Panel, Series

Point = tuple[float, float]

EMPTY = Markup("")
WIDTH, HEIGHT = 330, 240
LEFT, RIGHT, TOP, BOTTOM = 46, 314, 30, 192
"""Units of the drawing: its size, and the edges of the plot inside it."""
DASHES: dict[Dash, str] = {"solid": "", "dashed": "6 4", "dotted": "1.5 3", "none": ""}
MARKERS = (
    "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
    "m-2.7-2.7h5.4v5.4h-5.4z",
    "m0-3.6l3.4 6h-6.8z",
    "m0-3.8l3.4 3.8l-3.4 3.8l-3.4-3.8z",
    "m0 3.6l3.4-6h-6.8z",
    "m-1.2-3.4h2.4v2.2h2.2v2.4h-2.2v2.2h-2.4v-2.2h-2.2v-2.4h2.2z",
)
"""Outlines around the point: disc, square, triangle, diamond, triangle downwards, cross."""


def drawings(chart: Chart) -> tuple[tuple[str, Markup], ...]:
    """Title and drawing of each panel."""
    return tuple((panel.title, panel_svg(chart, panel)) for panel in chart.panels)


def panel_svg(chart: Chart, panel: Panel) -> Markup:
    """One pair of axes with its series."""
    return Markup(
        '<svg class="plot" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="{2}">'
        "{3}{4}{5}</svg>"
    ).format(WIDTH, HEIGHT, spoken(chart, panel), _frame(panel), _lines(panel), _all_marks(panel))


def spoken(chart: Chart, panel: Panel) -> str:
    """The panel in words; the numbers stand in the table below it."""
    names = ", ".join(dict.fromkeys(series.label for series in panel.series if series.label))
    parts = (panel.title, chart.caption, f"{panel.y.label} by {panel.x.label}", names)
    return ". ".join(part.rstrip(".") for part in parts if part) + ". The table has the numbers."


def line_key(dash: Dash) -> Markup:
    """A sample of a kind of line."""
    return Markup(
        '<svg class="key" viewBox="0 0 34 12" width="34" height="12" aria-hidden="true">'
        '<path class="line" d="M1 6H33"{}/></svg>'
    ).format(_dashed(dash))


def level_key() -> Markup:
    """A sample of the line of the target."""
    return Markup(
        '<svg class="key" viewBox="0 0 34 12" width="34" height="12" aria-hidden="true">'
        '<path class="level" d="M1 6H33"/></svg>'
    )


def mark_key(hue: int, *, hollow: bool) -> Markup:
    """A sample of a colour and its marker."""
    return Markup(
        '<svg class="key" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">{}</svg>'
    ).format(_marks(hue, [(6.0, 6.0)], hollow=hollow))


def _frame(panel: Panel) -> Markup:
    """Grid, ticks, labels, and the lines to compare with."""
    row = Markup('<path class="grid" d="M{} {}H{}"/><text class="end" x="{}" y="{}">{}</text>')
    rows = [
        row.format(LEFT, y, RIGHT, LEFT - 6, round(y + 4, 1), words)
        for y, words in ((_y(panel, value), words) for value, words in panel.y.ticks)
    ]
    tick = Markup('<path class="axis" d="M{0} {1}v4"/><text class="mid" x="{0}" y="{2}">{3}</text>')
    ticks = [tick.format(_x(panel, value), BOTTOM, BOTTOM + 17, words) for value, words in panel.x.ticks]
    axis = Markup('<path class="axis" d="M{} {}H{}"/>').format(LEFT, BOTTOM, RIGHT)
    labels = Markup('<text x="2" y="14">{}</text><text class="mid" x="{}" y="{}">{}</text>').format(
        panel.y.label, (LEFT + RIGHT) / 2, BOTTOM + 38, panel.x.label
    )
    return EMPTY.join((*rows, axis, *ticks, labels, _compared(panel)))


def _compared(panel: Panel) -> Markup:
    path = Markup('<path class="level" d="M{} {}L{} {}"/>')
    if panel.level is not None:
        y = _y(panel, panel.level)
        return path.format(LEFT, y, RIGHT, y)
    if panel.equal:
        low, high = max(panel.x.low, panel.y.low), min(panel.x.high, panel.y.high)
        return path.format(_x(panel, low), _y(panel, low), _x(panel, high), _y(panel, high))
    return EMPTY


def _lines(panel: Panel) -> Markup:
    return EMPTY.join(
        part for series in panel.series for part in (_line(panel, series), _limits(panel, series))
    )


def _line(panel: Panel, series: Series) -> Markup:
    if series.dash == "none":
        return EMPTY
    points = list(zip(series.x, series.y, strict=True))
    path = _stairs(list(_places(panel, series, points))) if series.steps else _joined(panel, series, points)
    return Markup('<path class="line h{}" d="{}"{}/>').format(series.hue, path, _dashed(series.dash))


def _places(panel: Panel, series: Series, points: Sequence[Point]) -> Iterator[Point]:
    """The points that stand on the axes, in units of the drawing."""
    for x, y in points:
        if panel.x.holds(x) and panel.y.holds(y):
            yield _x(panel, x + series.shift), _y(panel, y)


def _joined(panel: Panel, series: Series, points: Sequence[Point]) -> str:
    """Straight from point to point; a line that comes from below begins at the foot of the plot."""
    inside = [at for at, (x, y) in enumerate(points) if panel.x.holds(x) and panel.y.holds(y)]
    if not inside:
        return ""
    drawn = [(_x(panel, x + series.shift), _y(panel, y)) for x, y in points[inside[0] : inside[-1] + 1]]
    if inside[0]:
        before = points[inside[0] - 1]
        drawn.insert(0, _at_foot((_x(panel, before[0] + series.shift), _y(panel, before[1])), drawn[0]))
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in drawn)


def _at_foot(outside: Point, inside: Point) -> Point:
    """Where the line from a point below the plot enters it."""
    share = (outside[1] - BOTTOM) / (outside[1] - inside[1])
    x = outside[0] + share * (inside[0] - outside[0])
    return (round(x, 1), float(BOTTOM)) if x >= LEFT else inside


def _stairs(points: Sequence[Point]) -> str:
    """From the foot of the plot, up at each point, level after the last."""
    return f"M{LEFT} {BOTTOM}" + "".join(f"H{x:g}V{y:g}" for x, y in points) + f"H{RIGHT}"


def _limits(panel: Panel, series: Series) -> Markup:
    bar = Markup('<path class="limits h{}" d="{}"/>')
    parts = [
        f"M{_x(panel, x + series.shift):g} {_y(panel, low):g}V{_y(panel, high):g}"
        for x, low, high in zip(series.x, series.low, series.high, strict=bool(series.low))
        if low is not None and high is not None
    ]
    return bar.format(series.hue, "".join(parts)) if parts else EMPTY


def _all_marks(panel: Panel) -> Markup:
    """Markers above all lines."""
    return EMPTY.join(
        _marks(series.hue, places, hollow=series.hollow)
        for series in panel.series
        if (places := list(_places(panel, series, series.marks)))
    )


def _marks(hue: int, places: Sequence[Point], *, hollow: bool) -> Markup:
    outline = MARKERS[hue % len(MARKERS)]
    path = "".join(f"M{x:g} {y:g}{outline}" for x, y in places)
    return Markup('<path class="{} h{}" d="{}"/>').format("hollow" if hollow else "full", hue, path)


def _dashed(dash: Dash) -> Markup:
    return Markup(' stroke-dasharray="{}"').format(DASHES[dash]) if DASHES[dash] else EMPTY


def _x(panel: Panel, value: float) -> float:
    return round(LEFT + panel.x.share(value) * (RIGHT - LEFT), 1)


def _y(panel: Panel, value: float) -> float:
    return round(BOTTOM - panel.y.share(value) * (BOTTOM - TOP), 1)
