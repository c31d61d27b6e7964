"""Figures as what they show: series of points with a style, on two axes. Nothing is computed here.

`vectors` draws a chart as SVG for the page, `plots` as PDF and PNG for a paper; both show the same
numbers with the same ticks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rereview.measures.curves import Curve
from rereview.report.scale import Axis, categories, number_axis, share_axis
from rereview.types.estimate import Estimate, Table

Tables = Mapping[str, Sequence[Table]]
Dash = Literal["solid", "dashed", "dotted", "none"]

MOST = 6
"""Configurations in one chart: as many as there are colours and markers."""
SHOWN_ABOVE = 0.5
"""Where the axis of success begins: below, no budget is chosen."""


@dataclass(frozen=True)
class Series:
    """Points of one configuration (or group), NaN-free; `hue` gives colour and marker.

    `line` says which of its lines, and `dash` shows that. `marks` are the points with a marker;
    `marked` says what they are where they are not points of the line. `low` and `high` are limits of
    y, None where there are none. `shift` moves the drawing sideways, in units of x, so that intervals
    do not hide each other.
    """

    label: str
    line: str
    hue: int
    dash: Dash
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    marks: tuple[tuple[float, float], ...] = ()
    marked: str = ""
    hollow: bool = False
    steps: bool = False
    shift: float = 0.0


@dataclass(frozen=True)
class Panel:
    """One pair of axes. `level` is a horizontal line, `equal` the line x = y."""

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    level: float | None = None
    equal: bool = False


@dataclass(frozen=True)
class Chart:
    """A figure. `keys` are its colours and markers, `dashes` its kinds of line, with their words."""

    name: str
    table: str
    caption: str
    panels: tuple[Panel, ...]
    keys: tuple[tuple[int, str], ...]
    dashes: tuple[tuple[Dash, str], ...] = ()
    level: str = ""
    """The words for `Panel.level`, or for the line x = y."""

    def hollow(self, hue: int) -> bool:
        """Whether every marker of a colour is hollow."""
        drawn = [series.hollow for panel in self.panels for series in panel.series if series.hue == hue]
        return bool(drawn) and all(drawn)


def charts(tables: Tables, curves: Sequence[Curve], *, success: float) -> tuple[Chart, ...]:
    """Every figure that the tables allow; several parts where there are many configurations."""
    drawn = {name: made for name, made in tables.items() if any(each.name in MAKERS for each in made)}
    return tuple(
        numbered
        for make in MAKERS.values()
        for numbered in _numbered([make(part, curves, success) for part in _parts(list(drawn), drawn)])
    )


def _parts(names: Sequence[str], tables: Tables) -> Iterator[Tables]:
    """Configurations in parts of at most `MOST`, as even as can be, in their order."""
    count = -(-len(names) // MOST)
    for part in range(count):
        start, end = part * len(names) // count, (part + 1) * len(names) // count
        yield {name: tables[name] for name in names[start:end]}


def _numbered(made: Sequence[Chart | None]) -> Iterator[Chart]:
    kept = [chart for chart in made if chart is not None]
    for number, chart in enumerate(kept, start=1):
        if len(kept) == 1:
            yield chart
        else:
            words = f"{chart.caption} Part {number} of {len(kept)}."
            yield replace(chart, name=f"{chart.name}-{number}", caption=words)


# -- one maker a figure -------------------------------------------------------------------

LINES: dict[str, tuple[Dash, str]] = {
    "planning": ("dashed", "planning: with the observed variance"),
    "certified": ("solid", "certified: with its upper bound"),
    "certified_tighter": ("dotted", "certified_tighter: with the tighter bound"),
}


def precision(tables: Tables, curves: Sequence[Curve], success: float) -> Chart | None:
    """Figure 3 of Can We Believe AI Peer Review?: success against k, one panel a tolerance."""
    own = [curve for curve in _own(tables, curves, "budget") if _budget(tables, curve) is not None]
    panels = tuple(
        _precision(part, [curve for curve in own if curve.part == part], tables, success)
        for part in dict.fromkeys(curve.part for curve in own)
    )
    return _chart(
        "budget",
        "budget",
        "Share of papers whose mean of k new reviews is within the tolerance: lower bounds from the "
        "variance. A marker stands where a line reaches the target: the budget.",
        panels,
        tables,
        dashes=tuple(LINES[line] for line in LINES if any(curve.line == line for curve in own)),
        level=f"target, {success:.0%} of papers",
    )


def _precision(part: str, own: Sequence[Curve], tables: Tables, success: float) -> Panel:
    budgets = [found for curve in own if (found := _budget(tables, curve)) is not None]
    last = max(curve.x[-1] for curve in own)
    return Panel(
        f"tolerance {part}",
        number_axis("reviews of a paper, k", min(budgets), last, whole=True),
        share_axis("success, at least", low=SHOWN_ABOVE),
        tuple(
            Series(
                curve.configuration,
                curve.line,
                _hue(tables, curve.configuration),
                LINES[curve.line][0],
                curve.x,
                curve.y,
                marks=((found, success),),
                marked="budget",
                hollow=curve.line == "planning",
            )
            for curve in own
            if (found := _budget(tables, curve)) is not None
        ),
        level=success,
    )


def _budget(tables: Tables, curve: Curve) -> float | None:
    """The budget of a curve as the table prints it."""
    table = _named(tables[curve.configuration], "budget")
    found = None if table is None else _grid(table).get((f"tolerance {curve.part}", curve.line))
    return None if found is None else found.value


def deviations(tables: Tables, curves: Sequence[Curve], success: float) -> Chart | None:  # noqa: ARG001  one shape
    """Figure C1 of the same: how the papers' sample SDs are distributed."""
    own = _own(tables, curves, "variance-quantiles")
    if not own:
        return None
    dashes: tuple[Dash, ...] = ("solid", "dashed", "dotted")
    series = tuple(
        Series(
            curve.configuration,
            "",
            _hue(tables, curve.configuration),
            dashes[_hue(tables, curve.configuration) % 3],
            curve.x,
            curve.y,
            marks=_some(tuple(zip(curve.x, curve.y, strict=True))),
            hollow=_hue(tables, curve.configuration) % 2 == 1,
            steps=True,
        )
        for curve in own
    )
    x = number_axis("SD of a paper's scores, in points", 0.0, max(c.x[-1] for c in own) * 1.02, log=False)
    return _chart(
        "paper-sd",
        "variance-quantiles",
        "Share of papers whose sample SD is at most x.",
        (Panel("", x, share_axis("share of papers"), series),),
        tables,
    )


def _some(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """About eight of the points, so that markers tell lines apart in grey."""
    return tuple(points[:: max(1, -(-len(points) // 8))])


def ranking(tables: Tables, curves: Sequence[Curve], success: float) -> Chart | None:  # noqa: ARG001
    """Same, tie and reverse by the size of the blocks, with the intervals of the table."""
    known = {name: found for name, made in tables.items() if (found := _named(made, "ranking"))}
    rows = list(dict.fromkeys(cell.row for table in known.values() for cell in table.cells))
    panels = tuple(
        Panel(
            column,
            categories("reviews in a block", [row.removeprefix("k=") for row in rows]),
            share_axis("share of pairs"),
            tuple(
                series
                for name, table in known.items()
                if (series := _column(table, rows, column, name, tables)) is not None
            ),
        )
        for column in ("same", "tie", "reverse")
    )
    return _chart(
        "ranking",
        "ranking",
        "Two disjoint blocks of reviews order two papers alike, leave a tie, or order them oppositely. "
        "Bars are the intervals of the table.",
        panels,
        tables,
    )


def _column(table: Table, rows: Sequence[str], column: str, name: str, tables: Tables) -> Series | None:
    grid = _grid(table)
    hue = _hue(tables, name)
    shift = min(0.12, 0.6 / len(tables)) * (hue - (len(tables) - 1) / 2)
    found = [(at, grid.get((row, column))) for at, row in enumerate(rows)]
    return _points(found, Series(name, column, hue, "solid", (), (), shift=shift))


def close_pairs(tables: Tables, curves: Sequence[Curve], success: float) -> Chart | None:  # noqa: ARG001
    """Figure C2 of the same: the same strict order, by how close two papers are."""
    known = {name: found for name, made in tables.items() if (found := _named(made, "close-pairs"))}
    rows = [cell.row for table in known.values() for cell in table.cells]
    gaps, sizes = (list(dict.fromkeys(row.rpartition(", ")[at] for row in rows)) for at in (0, 2))
    # With many sizes the smallest and the largest are shown; the table has all.
    drawn: dict[str, Dash] = {sizes[0]: "dashed", sizes[-1]: "solid"} if sizes else {}
    series = tuple(
        _points(
            [(at, _grid(table).get((f"{gap}, {size}", "same"))) for at, gap in enumerate(gaps)],
            Series(name, size, _hue(tables, name), dash, (), (), hollow=dash == "dashed"),
        )
        for name, table in known.items()
        for size, dash in drawn.items()
    )
    x = categories("gap of the grouping means, in points", [gap.removeprefix("gap ") for gap in gaps])
    panel = Panel("", x, share_axis("same order"), tuple(each for each in series if each is not None))
    return _chart(
        "close-pairs",
        "close-pairs",
        "Pairs of papers in the same strict order in two blocks of later reviews, by the gap of their "
        "earlier means.",
        (panel,),
        tables,
        dashes=tuple((dash, f"{size} {_reviews(size)} a block") for size, dash in drawn.items()),
    )


def _reviews(size: str) -> str:
    return "review" if size == "k=1" else "reviews"


def against_human(tables: Tables, curves: Sequence[Curve], success: float) -> Chart | None:  # noqa: ARG001
    """Means of all rounds at the mean human scores, one panel a configuration."""
    own = _own(tables, curves, "human")
    groups = list(dict.fromkeys(curve.line for curve in own))
    hues = {group: at if len(groups) <= MOST else 0 for at, group in enumerate(groups)}
    values = [value for curve in own for value in (*curve.x, *curve.y)]
    low, high = min(values, default=0.0), max(values, default=1.0)
    panels = tuple(
        Panel(
            name,
            number_axis("mean human score", low, high, log=False),
            number_axis("mean of all rounds", low, high, log=False),
            tuple(
                _scatter(curve, "" if len(groups) > MOST else curve.line, hues[curve.line])
                for curve in own
                if curve.configuration == name
            ),
            equal=True,
        )
        for name in dict.fromkeys(curve.configuration for curve in own)
    )
    made = _chart(
        "human",
        "human",
        "Each paper's mean of all rounds at its mean human score.",
        panels,
        tables,
        level="equal scores",
    )
    shown = dict.fromkeys((series.hue, series.label) for panel in panels for series in panel.series)
    return None if made is None else replace(made, keys=tuple(shown))


def _scatter(curve: Curve, label: str, hue: int) -> Series:
    points = tuple(zip(curve.x, curve.y, strict=True))
    return Series(label, "", hue, "none", curve.x, curve.y, marks=points, hollow=hue % 2 == 1)


# -- what they share ----------------------------------------------------------------------


def _own(tables: Tables, curves: Sequence[Curve], name: str) -> list[Curve]:
    """The curves that belong to the tables `name` of these configurations; without a table there is none."""
    having = {label for label, made in tables.items() if _named(made, name) is not None}
    return [curve for curve in curves if curve.table == name and curve.configuration in having and curve.x]


def _chart(
    name: str,
    table: str,
    caption: str,
    panels: Sequence[Panel],
    tables: Tables,
    *,
    dashes: tuple[tuple[Dash, str], ...] = (),
    level: str = "",
) -> Chart | None:
    """None where no panel has a point."""
    if not any(series.x for panel in panels for series in panel.series):
        return None
    drawn = dict.fromkeys(series.label for panel in panels for series in panel.series)
    keys = tuple((_hue(tables, label), label) for label in tables if label in drawn)
    return Chart(name, table, caption, tuple(panels), keys, dashes, level)


def _points(found: Sequence[tuple[int, Estimate | None]], empty: Series) -> Series | None:
    """The cells that have a value, as points at their positions."""
    known = [
        (float(at), cell.value, cell) for at, cell in found if cell is not None and cell.value is not None
    ]
    if not known:
        return None
    points = tuple((at, value) for at, value, _ in known)
    return replace(
        empty,
        x=tuple(at for at, _ in points),
        y=tuple(value for _, value in points),
        low=tuple(cell.low for *_, cell in known),
        high=tuple(cell.high for *_, cell in known),
        marks=points,
    )


def _hue(tables: Tables, name: str) -> int:
    return list(tables).index(name)


def _named(made: Sequence[Table], name: str) -> Table | None:
    return next((table for table in made if table.name == name), None)


def _grid(table: Table) -> dict[tuple[str, str], Estimate]:
    return {(cell.row, cell.column): cell.estimate for cell in table.cells}


MAKERS: dict[str, Callable[[Tables, Sequence[Curve], float], Chart | None]] = {
    "variance-quantiles": deviations,
    "ranking": ranking,
    "close-pairs": close_pairs,
    "human": against_human,
    "budget": precision,
}
"""What makes the figure of each table."""
