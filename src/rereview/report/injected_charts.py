"""Figures of an injection study. Nothing is computed here: points are cells of tables, or curves.

Panels are models (of a group, where there are several groups), colours are systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rereview.measures.curves import Curve
from rereview.measures.injection_tables import Configuration, InjectionMeasured
from rereview.measures.selection import QUARTERS
from rereview.report.scale import Axis, categories, number_axis, share_axis
from rereview.report.series import MOST, Chart, Dash, Panel, Series
from rereview.types.estimate import Estimate, Table

Cells = Mapping[tuple[str, str], Estimate]
FAMILIES = ("surface", "claim", "reasoning", "empirical")
ARMS = {"recall": "explained", "located": "located", "false_alarm": "false alarm"}
MARKS = 8
"""About so many points of a curve have a marker."""
STEP = 0.12
"""How far apart the marks of neighbouring systems stand, in categories."""


@dataclass(frozen=True)
class _Study:
    """What is drawn, and the systems of one part of it with their colours."""

    measured: InjectionMeasured
    systems: tuple[str, ...]

    def hue(self, system: str) -> int:
        return self.systems.index(system)

    def shift(self, system: str) -> float:
        return STEP * (self.hue(system) - (len(self.systems) - 1) / 2)

    def groups(self) -> Iterator[tuple[str, tuple[Configuration, ...]]]:
        """Groups with the configurations of these systems."""
        for group, configurations in self.measured.configurations.items():
            own = tuple(each for each in configurations if each[1] in self.systems)
            if own:
                yield group, own

    def models(self) -> Iterator[tuple[str, str, tuple[Configuration, ...]]]:
        """Title, group and configurations of every panel."""
        for group, configurations in self.groups():
            for model in dict.fromkeys(model for _, _, model in configurations):
                title = ": ".join(filter(None, (group, model)))
                yield title, group, tuple(each for each in configurations if each[2] == model)

    def cells(self, group: str, name: str) -> Cells:
        """The cells of a table; none where it was not made."""
        table = _named(self.measured.tables.get(group, ()), name)
        return {} if table is None else {(cell.row, cell.column): cell.estimate for cell in table.cells}

    def keys(self, panels: Sequence[Panel]) -> tuple[tuple[int, str], ...]:
        drawn = {series.label for panel in panels for series in panel.series}
        return tuple((self.hue(system), system) for system in self.systems if system in drawn)


def injection_charts(measured: InjectionMeasured) -> tuple[Chart, ...]:
    """Every figure that the tables allow; several parts where there are more systems than colours."""
    systems = sorted({system for made in measured.configurations.values() for _, system, _ in made})
    parts = [_Study(measured, tuple(systems[at : at + MOST])) for at in range(0, len(systems), MOST)]
    by_system = [
        numbered
        for make in (_families, _lengths, _arms, _taus, _ratings, _money)
        for numbered in _numbered([chart for chart in map(make, parts) if chart is not None])
    ]
    whole = _Study(measured, ())
    alone = (make(whole) for make in (_selection, _audit))
    return (*by_system, *(chart for chart in alone if chart is not None))


def _numbered(made: Sequence[Chart]) -> Iterator[Chart]:
    for number, chart in enumerate(made, start=1):
        if len(made) == 1:
            yield chart
        else:
            words = f"{chart.caption} Part {number} of {len(made)}."
            yield replace(chart, name=f"{chart.name}-{number}", caption=words)


# -- by system ------------------------------------------------------------------------------


def _families(study: _Study) -> Chart | None:
    columns = {column for group, _ in study.groups() for _, column in study.cells(group, "recall")}
    there = [family for family in FAMILIES if family in columns]
    return _chart(
        study,
        "injected-recall",
        "recall",
        "Share of the injected errors of each family that was found. Bars are the intervals of the table.",
        x=categories("family of the error", there),
        found=lambda cells, name: [cells.get((name, family)) for family in there],
    )


def _arms(study: _Study) -> Chart | None:
    by_place = study.measured.by_place
    first = "Errors that were found (by place alone)" if by_place else "Errors that a comment explains"
    words = ARMS | {"recall": "found"} if by_place else ARMS
    return _chart(
        study,
        "injected-control",
        "control",
        f"{first}; places of errors with a comment, whatever it says; and the same "
        "places in the clean paper, where every comment is a false alarm.",
        x=categories("share of places", list(words.values())),
        found=lambda cells, name: [cells.get((name, column)) for column in ARMS],
    )


def _chart(
    study: _Study,
    name: str,
    table: str,
    caption: str,
    *,
    x: Axis,
    found: Callable[[Cells, str], Sequence[Estimate | None]],
) -> Chart | None:
    """One panel a model, one mark a system and category."""
    panels = []
    for title, group, configurations in study.models():
        cells = study.cells(group, table)
        series = [_marked(study, system, found(cells, label)) for label, system, _ in configurations]
        panels.append(Panel(title, x, share_axis("share"), tuple(each for each in series if each.x)))
    return _finished(study, name, table, caption, panels)


def _marked(study: _Study, system: str, cells: Sequence[Estimate | None]) -> Series:
    """Points at 0, 1, 2, ... where there is a value, with their limits."""
    known = [
        (float(at), cell.value, cell)
        for at, cell in enumerate(cells)
        if cell is not None and cell.value is not None
    ]
    points = tuple((at, value) for at, value, _ in known)
    return Series(
        system,
        "",
        study.hue(system),
        "none",
        tuple(at for at, _ in points),
        tuple(value for _, value in points),
        tuple(cell.low for *_, cell in known),
        tuple(cell.high for *_, cell in known),
        marks=points,
        shift=study.shift(system),
    )


def _lengths(study: _Study) -> Chart | None:
    """Found against comments: curves of `measures.lengths`."""
    curves = {
        (group, curve.configuration): curve for group, made in study.measured.curves.items() for curve in made
    }
    drawn = [curve for curve in curves.values() if curve.x]
    if not drawn:
        return None
    x = number_axis("comments of a review", 0.0, max(curve.x[-1] for curve in drawn), log=False, whole=True)
    high = _share_up_to(value for curve in drawn for value in curve.y)
    panels = []
    for title, group, configurations in study.models():
        series = [
            _line(study, system, curves[group, label])
            for label, system, _ in configurations
            if (group, label) in curves
        ]
        panels.append(Panel(title, x, high, tuple(series)))
    caption = (
        "Expected recall when so many comments of each review are drawn at random, up to its whole length: "
        "systems above each other find more at equal length."
    )
    return _finished(study, "found-by-comments", "equal-comments", caption, panels)


def _line(study: _Study, system: str, curve: Curve) -> Series:
    points = tuple(zip(curve.x, curve.y, strict=True))
    step = max(1, -(-len(points) // MARKS))
    dashes: tuple[Dash, ...] = ("solid", "dashed", "dotted")
    hue = study.hue(system)
    return Series(system, "", hue, dashes[hue % 3], curve.x, curve.y, marks=points[::step])


def _taus(study: _Study) -> Chart | None:
    return _sweep(
        study,
        "tau-sweep",
        "coverage threshold τ",
        "Recall by the share of the changed text that a quote must cover. Bars are intervals of the table.",
    )


def _ratings(study: _Study) -> Chart | None:
    return _sweep(
        study,
        "rating-sweep",
        "least rating that counts",
        "Recall by the rating that the judge must at least give. Bars are the intervals of the table.",
    )


def _sweep(study: _Study, name: str, label: str, caption: str) -> Chart | None:
    """One panel a group; a line a system, from rows "system: threshold" or "threshold" alone."""
    panels = []
    for group, configurations in study.groups():
        cells = study.cells(group, name)
        rows = list(dict.fromkeys(row for row, _ in cells))
        ticks = list(dict.fromkeys(row.rpartition(": ")[2] for row in rows))
        systems = list(dict.fromkeys(system for _, system, _ in configurations))
        series = []
        for system in systems:
            prefix = f"{system}: " if any(row.startswith(f"{system}: ") for row in rows) else ""
            made = _marked(study, system, [cells.get((prefix + tick, "recall")) for tick in ticks])
            series.append(replace(made, dash="solid"))
        words = [tick if at % 2 == 0 or len(ticks) <= MARKS else "" for at, tick in enumerate(ticks)]
        panels.append(Panel(group, categories(label, words), share_axis("recall"), tuple(series)))
    return _finished(study, name, name, caption, panels)


def _money(study: _Study) -> Chart | None:
    """Recall at what a paper costs, a point a configuration."""
    prices = study.cells("", "injection-cost")
    known = [cell.value for (_, column), cell in prices.items() if column == "usd_per_paper" and cell.value]
    if not known:
        return None
    x = number_axis("USD a paper", min(known), max(known))
    panels = []
    for group, configurations in study.groups():
        recalls = study.cells(group, "recall")
        series = []
        for system in dict.fromkeys(system for _, system, _ in configurations):
            points = tuple(
                (price.value, found.value)
                for label, own, _ in configurations
                if own == system
                and (price := prices.get((label, "usd_per_paper"))) is not None
                and (found := recalls.get((label, "all"))) is not None
                and price.value
                and found.value is not None
            )
            xs, ys = tuple(each for each, _ in points), tuple(each for _, each in points)
            series.append(Series(system, "", study.hue(system), "none", xs, ys, marks=points))
        panels.append(Panel(group, x, share_axis("recall"), tuple(series)))
    caption = "Recall of all errors at the price of a paper; one mark a model of the system."
    return _finished(study, "recall-by-cost", "injection-cost", caption, panels)


def _finished(study: _Study, name: str, table: str, caption: str, panels: Sequence[Panel]) -> Chart | None:
    """None where no panel has a point."""
    kept = tuple(panel for panel in panels if any(series.x for series in panel.series))
    return Chart(name, table, caption, kept, study.keys(kept)) if kept else None


def _share_up_to(values: Iterator[float]) -> Axis:
    """A share from 0 to the next fifth above the largest value."""
    largest = max(values, default=1.0)
    axis = share_axis("expected recall")
    high = next((place for place, _ in axis.ticks if place >= largest and place > 0), 1.0)
    return replace(axis, high=high, ticks=tuple(tick for tick in axis.ticks if tick[0] <= high))


# -- of the study ---------------------------------------------------------------------------


def _selection(study: _Study) -> Chart | None:
    cells = study.cells("", "selection-rates")
    panels = []
    for title, column in (("by length", "length"), ("by place in the paper", "at")):
        own = QUARTERS[column]
        ends = [row.removesuffix(" quarter") if at in {0, len(own) - 1} else "" for at, row in enumerate(own)]
        made = _plain([cells.get((row, "rate")) for row in own])
        x = categories("quarter within the run", ends)
        panels.append(Panel(title, x, share_axis("chosen"), (made,)))
    kept = tuple(panel for panel in panels if panel.series[0].x)
    caption = "Share of the equation spans shown that the generator chose, by quarter within its run."
    return Chart("selection", "selection-rates", caption, kept, ()) if kept else None


def _audit(study: _Study) -> Chart | None:
    cells = study.cells("", "audit")
    there = {row for row, _ in cells}
    rows = [family for family in FAMILIES if family in there]
    made = _plain([cells.get((row, "valid")) for row in rows])
    if not made.x:
        return None
    panel = Panel("", categories("family of the error", rows), share_axis("valid"), (made,))
    caption = "Share of the audited errors that people find valid. Bars are Wilson intervals."
    return Chart("audit", "audit", caption, (panel,), ())


def _plain(cells: Sequence[Estimate | None]) -> Series:
    return replace(_marked(_ALONE, "", cells), shift=0.0)


_ALONE = _Study(InjectionMeasured({}, {}, {}, ()), ("",))


def _named(made: Sequence[Table], name: str) -> Table | None:
    return next((table for table in made if table.name == name), None)
