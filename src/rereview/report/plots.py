"""Charts as PDF and PNG for a paper of two columns, and their numbers as CSV.

Needs the extra `plots`; nothing of matplotlib is imported before a chart is drawn. The same chart
gives the same bytes under the same matplotlib: no date, no name of a program goes in.
"""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rereview.errors import UsageError
from rereview.report.grid import inert
from rereview.report.series import Chart, Dash, Panel, Series
from rereview.study.store import write_files

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN = 3.3
"""Inches of a column."""
HEIGHTS = {1: 2.2, 2: 1.75, 3: 1.6}
"""Inches of a row of one, two or three panels."""
LONGEST_NAME = 48
LONGEST_TITLE = {1: LONGEST_NAME, 2: 22, 3: 12}
MOST_TICKS = 4
"""On the horizontal axis of a panel that is not alone in its row."""
COLOURS = ("#96301a", "#1d5f8f", "#4a7318", "#7b4a9d", "#8a6100", "#3a3733")
MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES: dict[Dash, Any] = {
    "solid": "solid",
    "dashed": (0, (5, 2.5)),
    "dotted": (0, (1.2, 1.6)),
    "none": "none",
}
GREY, HAIR = "#5c574f", "#d8d3c8"
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 7.0,
    "axes.labelsize": 7.0,
    "axes.titlesize": 7.0,
    "axes.linewidth": 0.6,
    "axes.edgecolor": GREY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": HAIR,
    "grid.linewidth": 0.5,
    "xtick.major.width": 0.6,
    "xtick.color": GREY,
    "xtick.labelcolor": "black",
    "ytick.major.size": 0.0,
    "ytick.labelcolor": "black",
    "legend.frameon": False,
    "legend.fontsize": 6.5,
    "legend.handlelength": 2.6,
    "legend.labelspacing": 0.25,
    "legend.borderpad": 0.1,
    # A name is a name, whatever dollar signs it has.
    "text.parse_math": False,
    "pdf.fonttype": 42,
    "pdf.compression": 9,
    "savefig.facecolor": "white",
}
CELLS = ("panel", "configuration", "line", "kind", "x", "y", "low", "high")


def require() -> None:
    """Raise UsageError in one line if there is no matplotlib."""
    if find_spec("matplotlib") is None:
        raise UsageError(
            "figures need another package", where="--figures", expected="pip install 'rereview[plots]'"
        )


def places(chart: Chart, folder: Path) -> tuple[Path, Path, Path]:
    """Where a chart goes: PDF, PNG and CSV."""
    return folder / f"{chart.name}.pdf", folder / f"{chart.name}.png", folder / f"{chart.name}.csv"


def write(chart: Chart, folder: Path) -> tuple[Path, ...]:
    """Write NAME.pdf, NAME.png and NAME.csv into a folder, each whole, and say which files those are."""
    require()
    paths = places(chart, folder)
    contents = (*drawn(chart), numbers(chart).encode())
    write_files(folder, {path.name: content for path, content in zip(paths, contents, strict=True)})
    return paths


def numbers(chart: Chart) -> str:
    """Every point of a chart as CSV; `kind` tells points of a line from budgets."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CELLS)
    for panel in chart.panels:
        words = dict(panel.x.ticks) if panel.x.words else {}
        for series in panel.series:
            head = (panel.title, series.label, series.line)
            for kind, x, y, low, high in _rows(series):
                cells = (*head, kind, words.get(x, x), y, low, high)
                writer.writerow([inert(value) for value in cells])
    return out.getvalue()


def _rows(series: Series) -> Iterator[tuple[str, float, float, float | None, float | None]]:
    limits = list(zip(series.low, series.high, strict=True)) or [(None, None)] * len(series.x)
    kind = "point" if series.dash == "none" else "line"
    for x, y, (low, high) in zip(series.x, series.y, limits, strict=True):
        yield kind, x, y, low, high
    if series.marked:
        for x, y in series.marks:
            yield series.marked, x, y, None, None


def drawn(chart: Chart) -> tuple[bytes, bytes]:
    """The chart as PDF and as PNG of 300 dots an inch."""
    import matplotlib as mpl  # noqa: PLC0415  an extra
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  the same

    pdf, png = io.BytesIO(), io.BytesIO()
    with mpl.rc_context(), warnings.catch_warnings():
        # A sign that the font lacks is printed as a box; the CSV and the page have it.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        figure = _figure(chart)
        FigureCanvasAgg(figure)
        figure.savefig(pdf, format="pdf", metadata=dict.fromkeys(("Creator", "Producer", "CreationDate")))
        # What has been laid out once need not be again.
        figure.set_layout_engine("none")
        figure.savefig(png, format="png", dpi=300, metadata={"Software": None})
    return pdf.getvalue(), png.getvalue()


def _figure(chart: Chart) -> Figure:
    from matplotlib.figure import Figure  # noqa: PLC0415  an extra

    across = _across(chart)
    down = -(-len(chart.panels) // across)
    legend = _legend(chart)
    height = down * HEIGHTS[across] + 0.13 * len(legend) + 0.05
    figure = Figure(figsize=(COLUMN, height), layout="constrained")
    grid = figure.subplots(down, across, squeeze=False)
    for axes, panel in zip(grid.flat, chart.panels, strict=False):
        _draw(axes, panel, LONGEST_TITLE[across])
    for axes in grid.flat[len(chart.panels) :]:
        axes.set_axis_off()
    _said_once(grid, chart)
    if legend:
        figure.legend(*zip(*legend, strict=True), loc="outside lower left")
    return figure


def _across(chart: Chart) -> int:
    """Panels in a row: three if their titles are short."""
    short = all(len(panel.title) <= LONGEST_TITLE[3] for panel in chart.panels)
    return min(3 if short else 2, len(chart.panels))


def _said_once(grid: Any, chart: Chart) -> None:
    """Labels of the axes that panels of a row share."""
    for row in grid:
        for axes in row[1:]:
            axes.set_ylabel("")
            if all(panel.y == chart.panels[0].y for panel in chart.panels):
                axes.tick_params(labelleft=False)
        if len(row) > 2:  # noqa: PLR2004  the middle of three
            row[0].set_xlabel("")
            row[2].set_xlabel("")


def _draw(axes: Axes, panel: Panel, longest: int) -> None:
    axes.set_title(_short(panel.title, longest), loc="left")
    if panel.x.log:
        axes.set_xscale("log")
    axes.set_xlim(panel.x.low, panel.x.high)
    axes.set_ylim(panel.y.low, panel.y.high)
    crowded = longest < LONGEST_NAME and not panel.x.words and len(panel.x.ticks) > MOST_TICKS
    ticks = panel.x.ticks[:: 2 if crowded else 1]
    axes.set_xticks([at for at, _ in ticks], [words for _, words in ticks])
    if panel.x.words and sum(len(words) + 1 for _, words in ticks) > longest:
        axes.tick_params(axis="x", labelrotation=30)
        for words in axes.get_xticklabels():
            words.set(horizontalalignment="right", rotation_mode="anchor")
    axes.set_xticks([], minor=True)
    axes.set_yticks([at for at, _ in panel.y.ticks], [words for _, words in panel.y.ticks])
    axes.set_xlabel(panel.x.label)
    axes.set_ylabel(panel.y.label)
    if panel.level is not None:
        axes.axhline(panel.level, **LEVEL)
    if panel.equal:
        axes.axline((panel.x.low, panel.x.low), slope=1.0, **LEVEL)
    for series in panel.series:
        _series(axes, panel, series)


LEVEL: dict[str, Any] = {"color": "black", "linewidth": 0.8, "linestyle": (0, (3, 1.5, 1, 1.5))}


def _series(axes: Axes, panel: Panel, series: Series) -> None:
    colour = COLOURS[series.hue % len(COLOURS)]
    x = [value + series.shift for value in series.x]
    if series.dash != "none":
        drawstyle = "steps-post" if series.steps else "default"
        xs, ys = _whole(panel, x, series.y) if series.steps else (x, list(series.y))
        axes.plot(xs, ys, color=colour, linewidth=1.0, linestyle=DASHES[series.dash], drawstyle=drawstyle)
    for at, low, high in zip(x, series.low, series.high, strict=bool(series.low)):
        if low is not None and high is not None:
            axes.plot([at, at], [low, high], color=colour, linewidth=0.8)
    marks = [(x + series.shift, y) for x, y in series.marks if panel.x.holds(x) and panel.y.holds(y)]
    if marks:
        look = _marker(series.hue, hollow=series.hollow)
        if series.dash == "none":
            look |= {"markersize": 2.2, "markeredgewidth": 0.5}
        axes.plot(*zip(*marks, strict=True), clip_on=False, **look)


def _whole(panel: Panel, x: list[float], y: tuple[float, ...]) -> tuple[list[float], list[float]]:
    """Steps from the foot of the plot to its right edge."""
    return [x[0], *x, panel.x.high], [panel.y.low, *y, y[-1]]


def _marker(hue: int, *, hollow: bool) -> dict[str, Any]:
    colour = COLOURS[hue % len(COLOURS)]
    return {
        "linestyle": "none",
        "marker": MARKERS[hue % len(MARKERS)],
        "markersize": 3.2,
        "markerfacecolor": "white" if hollow else colour,
        "markeredgecolor": colour,
        "markeredgewidth": 0.8,
        "zorder": 3,
    }


def _legend(chart: Chart) -> list[tuple[Any, str]]:
    from matplotlib.lines import Line2D  # noqa: PLC0415  an extra

    keys = [
        (Line2D([], [], **_marker(hue, hollow=chart.hollow(hue))), _short(label))
        for hue, label in chart.keys
        if label
    ]
    dashes = [
        (Line2D([], [], color="black", linewidth=1.0, linestyle=DASHES[dash]), words)
        for dash, words in chart.dashes
    ]
    level = [(Line2D([], [], **LEVEL), chart.level)] if chart.level else []
    return [*keys, *dashes, *level]


def _short(words: str, longest: int = LONGEST_NAME) -> str:
    """Long names lose their middle: their ends tell them apart."""
    if len(words) <= longest:
        return words
    half = (longest - 1) // 2
    return f"{words[:half]}…{words[-half:]}"
