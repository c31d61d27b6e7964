"""Numbers of figures that no table holds: budgets at every k, all papers' SDs, single papers.

1. Can We Believe AI Peer Review?, figures 3 and C1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from rereview.measures.tabulate import Floats, Panel, Settings, panel
from rereview.measures.usual import ordinary
from rereview.stats.bounds import success_lower_bound
from rereview.stats.budget import Budgets, budgets
from rereview.stats.exact import exact_means
from rereview.stats.reliability import paper_variance
from rereview.types.estimate import Table

Panels = Mapping[str, Panel]

BOUNDS = (
    ("planning", "variance"),
    ("certified", "upper_bound"),
    ("certified_tighter", "upper_bound_tighter"),
)
"""A budget, and the variance from which its curve is made."""
BEYOND = 1.2
"""How far the curves go on behind the largest budget."""
MOST_POINTS = 100


@dataclass(frozen=True)
class Curve:
    """Points of one configuration for the figure of `table`; `part` and `line` say which curve.

    x and y are equally long, without NaN.
    """

    table: str
    configuration: str
    part: str
    line: str
    x: tuple[float, ...]
    y: tuple[float, ...]


def curves(
    frames: Mapping[str, pd.DataFrame], tables: Mapping[str, Sequence[Table]], settings: Settings
) -> tuple[Curve, ...]:
    """The curves that belong to `tables`, both by configuration."""
    return tuple(
        curve for name, make in MAKERS.items() for curve in make(_panels(frames, tables, name, settings))
    )


def _panels(
    frames: Mapping[str, pd.DataFrame], tables: Mapping[str, Sequence[Table]], name: str, settings: Settings
) -> Panels:
    """The configurations that have the table `name`, as arrays."""
    made = {label for label, known in tables.items() if any(each.name == name for each in known)}
    return {
        label: panel(ordinary(rows), settings.of(label)) for label, rows in frames.items() if label in made
    }


def precision(panels: Panels) -> Iterator[Curve]:
    """1 - V/(k eps²) at each k, with the observed variance for V and with each upper bound (figure 3 of 1).

    One part a tolerance. Calculated from the variance; no score is resampled.
    """
    tolerances = next(iter(panels.values())).settings.tolerances if panels else ()
    for tolerance in tolerances:
        found = {label: _budgets(one, tolerance) for label, one in panels.items()}
        reviews = _reviews([getattr(each, name) for each in found.values() for name, _ in BOUNDS])
        for label, each in found.items():
            for name, source in BOUNDS:
                variance = getattr(each, source)
                if variance is not None:
                    success = success_lower_bound(variance, reviews, tolerance=tolerance)
                    yield _curve("budget", label, f"{tolerance:g}", name, x=reviews, y=success)


def _budgets(one: Panel, tolerance: float) -> Budgets:
    chosen = one.settings
    return budgets(
        one.scores,
        tolerance,
        success=chosen.success,
        confidence=chosen.confidence,
        scale=chosen.scale,
        models=chosen.models,
        points=chosen.points,
    )


def _reviews(needed: Sequence[int | None]) -> Floats:
    """Numbers of reviews from 1 to beyond the largest budget, every budget among them."""
    known = sorted({each for each in needed if each is not None})
    if not known:
        return np.zeros(0)
    last = max(10, int(np.ceil(BEYOND * known[-1])))
    spread = np.rint(np.geomspace(1, last, MOST_POINTS))
    return np.unique(np.concatenate([spread, np.asarray(known, dtype=np.float64)]))


def paper_sd(panels: Panels) -> Iterator[Curve]:
    """Share of papers whose sample SD is at most x (figure C1 of 1); papers with two scores or more."""
    for label, one in panels.items():
        variances = paper_variance(one.scores)
        deviations = np.sort(np.sqrt(variances[~np.isnan(variances)]))
        steps = np.unique(deviations)
        shares = np.searchsorted(deviations, steps, side="right") / max(1, deviations.size)
        yield _curve("variance-quantiles", label, "", "", x=steps, y=shares)


def against_human(panels: Panels) -> Iterator[Curve]:
    """Each paper's mean over all rounds (y) at its mean human score (x), one line a group."""
    for label, one in panels.items():
        if one.human is None:
            continue
        means = exact_means(one.scores)
        known = ~np.isnan(one.human) & ~np.isnan(means)
        for group, members in _groups(one):
            chosen = known & members
            if chosen.any():
                yield _curve("human", label, "", group, x=one.human[chosen], y=means[chosen])


def _groups(one: Panel) -> Iterator[tuple[str, np.ndarray]]:
    """The groups where there are several, all papers where not."""
    rows = list(one.rows())
    yield from rows[1:] if len(rows) > 1 else [("", rows[0][1])]


def _curve(table: str, label: str, part: str, line: str, *, x: Floats, y: Floats) -> Curve:
    return Curve(table, label, part, line, tuple(map(float, x)), tuple(map(float, y)))


MAKERS: dict[str, Callable[[Panels], Iterator[Curve]]] = {
    "variance-quantiles": paper_sd,
    "human": against_human,
    "budget": precision,
}
"""What makes the curves for the figure of each table."""
