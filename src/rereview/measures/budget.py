"""How many reviews a paper needs, by method, with the promise of each."""

from __future__ import annotations

from collections.abc import Iterator

from rereview.measures.tabulate import Panel, bare, range_of, table
from rereview.stats.budget import Budgets, budgets, half_and_whole, success_targets
from rereview.stats.reliability import A_PAIR
from rereview.text.plurals import many
from rereview.types.estimate import Estimate, Table

COLUMNS = (
    "planning",
    "certified",
    "certified_tighter",
    "lattice",
    "simultaneous",
    "joint",
    "hoeffding",
    "upper_bound",
    "upper_bound_tighter",
)


NOTES = (
    "Budgets count new reviews, never those of the pilot. A tolerance is in points.",
    "upper_bound, upper_bound_tighter: of the mean within-paper variance, in squared points.",
)


def budget(panel: Panel, doubts: tuple[str, ...] = ()) -> Table:
    """Every budget at every tolerance, success targets, and half the pilot against all of it (D)."""
    rows: dict[str, dict[str, Estimate]] = {}
    notes: dict[str, None] = {}
    for tolerance in panel.settings.tolerances:
        found = _found(panel, tolerance, doubts)
        rows[f"tolerance {tolerance:g}"] = dict(_cells(found))
        notes |= dict.fromkeys(f"{tolerance:g}: {name}: {text}" for name, text in found.notes.items())
        if not doubts:
            rows |= dict(_more(panel, tolerance))
    return table(
        "budget",
        "New reviews a paper so that the mean of a paper is within the tolerance",
        rows,
        [*notes, *NOTES, range_of(panel.settings)],
    )


def _found(panel: Panel, tolerance: float, doubts: tuple[str, ...]) -> Budgets:
    chosen = panel.settings
    return budgets(
        panel.scores,
        tolerance,
        success=chosen.success,
        confidence=chosen.confidence,
        scale=chosen.scale,
        models=chosen.models,
        doubts=doubts,
        points=chosen.points,
    )


def _cells(found: Budgets) -> Iterator[tuple[str, Estimate]]:
    for name in COLUMNS:
        value = getattr(found, name)
        yield (
            name,
            bare(float("nan") if value is None else float(value), n=found.papers, dropped=found.dropped),
        )


def _more(panel: Panel, tolerance: float) -> Iterator[tuple[str, dict[str, Estimate]]]:
    chosen = panel.settings
    n = len(panel.papers)
    for target in success_targets(
        panel.scores, tolerance, confidence=chosen.confidence, scale=chosen.scale, points=chosen.points
    ):
        names = COLUMNS[:4]
        values = {name: getattr(target, name) for name in names}
        yield (
            f"tolerance {tolerance:g}, success {target.success:.0%}",
            {
                name: bare(float("nan") if value is None else float(value), n=n)
                for name, value in values.items()
            },
        )
    if panel.scores.shape[1] // 2 < A_PAIR:
        return
    half, _ = half_and_whole(
        panel.scores,
        tolerance,
        success=chosen.success,
        confidence=chosen.confidence,
        scale=chosen.scale,
        points=chosen.points,
    )
    yield f"tolerance {tolerance:g}, first {many(panel.scores.shape[1] // 2, 'round')}", dict(_cells(half))
