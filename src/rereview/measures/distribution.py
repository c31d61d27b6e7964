"""Score distributions from few reviews: Quick, Standard and direct sampling on papers held out.

1. Can We Believe AI Peer Review?, section 5.2 and appendices E.2 to E.8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from rereview.measures.auxiliary import Material, Validation
from rereview.measures.tabulate import (
    ALL,
    Floats,
    bare,
    draws_of,
    estimate,
    inside,
    mean_of,
    one_percentile,
    table,
)
from rereview.stats.calibration import Fit, Losses, fit, losses, quick_grid
from rereview.stats.heldout import (
    COLUMNS,
    Booleans,
    HeldOut,
    held_out,
    random_halves,
    refit_bootstrap,
)
from rereview.stats.heldout_auc import AUC_COLUMNS, Subsets, heldout_auc
from rereview.stats.independent_target import independent_target
from rereview.types.estimate import Estimate, Table

SPLITS = 30
REFITS = 1_000
DIFFERENCES = {"standard-minus-2": "direct-2", "standard-minus-3": "direct-3"}

NOTES = (
    "risk: squared distance to the distribution of scores, less the noise of the targets; may be negative.",
    f"risk: fits held fixed. risk_refit: all fitted again in each of {REFITS:,} draws, percentile limits.",
    "Direct sampling has nothing to fit: its two columns differ by the kind of interval alone.",
    "By group: the fits of all papers, tested on the group.",
)


def distribution(material: Material) -> Table:
    """Held-out risk with and without refitting, AUC, and validation on further scores; a row a method [1]."""
    points = material.settings.legal
    known = losses(quick_grid(material.auxiliary, points), material.targets, points)
    # Splits must not share a stream with the draws, which are those of every other table.
    rng = np.random.default_rng((material.settings.seed, SPLITS))
    train = random_halves(len(material.papers), rng=rng, splits=SPLITS)
    found = held_out(known, train)
    rows = {
        **_whole(material, known, train, found),
        **_by_group(material, found),
    }
    notes = [*material.notes, *_fits(found), *NOTES]
    return table(
        "distribution",
        "Distribution of a reviewer's scores, estimated from few reviews, on papers held out",
        rows,
        notes,
    )


def _whole(
    material: Material, known: Losses, train: Booleans, found: HeldOut
) -> dict[str, dict[str, Estimate]]:
    rows: dict[str, dict[str, Estimate]] = {name: {} for name in COLUMNS}
    for name, cell in _fixed(material, found, np.ones(len(material.papers), dtype=bool)):
        rows[name]["risk"] = cell
    for name, cell in _refitted(material, known, train, found):
        rows[name]["risk_refit"] = cell
    for column, values in _areas(material, train, found).items():
        for name in COLUMNS:
            rows[name][column] = values[name]
    if material.validation is not None:
        for name, cells in _validated(material, known, material.validation):
            rows[name].update(cells)
    return rows


def _by_group(material: Material, found: HeldOut) -> dict[str, dict[str, Estimate]]:
    if material.groups is None or len(set(material.groups)) < len((ALL, ALL)):
        return {}
    return {
        f"{name}, {group}": {"risk": cell}
        for group in sorted(set(material.groups))
        for name, cell in _fixed(material, found, material.groups == group)
    }


def _fixed(material: Material, found: HeldOut, members: Booleans) -> Iterator[tuple[str, Estimate]]:
    """Mean risks of a group of papers, the fits held fixed."""
    risks = found.within(members)
    weights = draws_of(len(material.papers), material.settings)
    for index, name in enumerate(COLUMNS):
        yield name, estimate(inside(mean_of(risks[:, index], weights, material.settings), members))


def _refitted(
    material: Material, known: Losses, train: Booleans, found: HeldOut
) -> Iterator[tuple[str, Estimate]]:
    tested = ~np.isnan(found.risks[:, 0])
    weights = draws_of(len(material.papers), replace(material.settings, draws=REFITS))
    draws = refit_bootstrap(known, train, weights)
    for index, name in enumerate(COLUMNS):
        value = float(found.risks[tested, index].mean()) if tested.any() else float("nan")
        interval = one_percentile(
            value,
            draws[:, index],
            n=int(tested.sum()),
            dropped=int((~tested).sum()),
            level=material.settings.level,
        )
        yield name, estimate(interval)


def _areas(material: Material, train: Booleans, found: HeldOut) -> dict[str, dict[str, Estimate]]:
    """AUC of expected scores, by column; Standard minus direct as the difference of the two."""
    if material.accepted is None or not material.direct:
        return {}
    columns: dict[str, dict[str, Estimate]] = {}
    subsets: tuple[tuple[str, Subsets], ...] = (("auc", "shared"), ("auc_independent", "independent"))
    for name, chosen in subsets:
        columns[name] = _area(material, train, found, material.accepted, chosen)
    if material.withdrawn is not None:
        gone = (material.withdrawn == 1) & (material.accepted == 0)
        kept = np.where(gone, np.nan, material.accepted)
        for name, chosen in subsets:
            columns[f"{name}_without_withdrawn"] = _area(material, train, found, kept, chosen)
    return columns


def _area(
    material: Material, train: Booleans, found: HeldOut, positive: Floats, subsets: Subsets
) -> dict[str, Estimate]:
    area = heldout_auc(
        material.auxiliary,
        material.targets,
        positive,
        train,
        found.fits,
        subsets=subsets,
        points=material.settings.legal,
    )
    values = dict(zip(AUC_COLUMNS, area.values.tolist(), strict=True))
    values |= {name: values["standard"] - values[direct] for name, direct in DIFFERENCES.items()}
    n = len(material.papers) - area.dropped
    return {name: bare(value, n=n, dropped=area.dropped) for name, value in values.items()}


def _validated(
    material: Material, known: Losses, validation: Validation
) -> Iterator[tuple[str, Mapping[str, Estimate]]]:
    """Losses against further scores, fitted on the papers that have none [1, E.8]."""
    found = fit(known, ~validation.members)
    papers = np.flatnonzero(validation.members)
    metrics = independent_target(found, validation.calls, material.targets[papers], validation.targets)
    for name, values in metrics.items():
        yield name, {column: bare(value, n=len(papers)) for column, value in values._asdict().items()}


def _fits(found: HeldOut) -> Iterator[str]:
    """How often each combination of parameters was chosen, and how often papers were tested."""
    order = sorted(found.chosen.items(), key=lambda item: (-item[1], item[0]))
    shown = "; ".join(f"{_fit(chosen)}: {count}" for chosen, count in order)
    yield f"Chosen in {len(found.fits)} random halves of the papers sorted by id: {shown}."
    yield f"Each paper is tested {found.appearances.min()} to {found.appearances.max()} times."


def _fit(chosen: Fit) -> str:
    shape = chosen.shape
    return f"T={shape.temperature:g} a={shape.offset:g} b={shape.slope:g} w={chosen.weight:g}"
