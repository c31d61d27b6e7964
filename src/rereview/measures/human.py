"""Mean of all rounds against human scores and decisions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rereview.measures.tabulate import (
    ALL,
    Floats,
    Members,
    Panel,
    bare,
    estimate,
    inside,
    mean_of,
    one_percentile,
    rooted,
    table,
)
from rereview.stats import association, discrimination
from rereview.stats.exact import exact_means
from rereview.types.estimate import Estimate, Table

MOST_PAIRS = 10_000_000
"""Pairs of an accepted and another paper that are kept for the draws."""
TOO_MANY = "no interval: too many pairs of papers to draw"


def human(panel: Panel) -> Table:
    """Correlations, errors and AUC by group (C.2)."""
    weights = panel.weights
    means = exact_means(panel.scores)
    rows = {label: dict(associations(panel, means, members, weights)) for label, members in panel.rows()}
    return table(
        "human", "Mean of all rounds against the mean human score and the decision", rows, _notes(panel)
    )


def _notes(panel: Panel) -> Iterator[str]:
    yield "The human score is the unweighted mean of official scores; it may be after the rebuttal."
    yield "mae, rmse: of the paper's mean against the human one, in points."
    if panel.human is None:
        yield "No column human: correlations and errors are not defined."
    if panel.accepted is None:
        yield "No column accepted: the AUC is not defined."
    if panel.groups is not None and len(set(panel.groups)) > 1:
        yield f"Groups may use different scales: the row {ALL!r} mixes them."


def associations(
    panel: Panel, means: Floats, members: Members, weights: Floats
) -> Iterator[tuple[str, Estimate]]:
    """Correlations and errors of `means[paper]` against human scores, and AUC of decisions, of one row."""
    nothing = np.full(len(means), np.nan)
    own = np.where(members, means, np.nan)
    reference = np.where(members, nothing if panel.human is None else panel.human, np.nan)
    outcome = np.where(members, nothing if panel.accepted is None else panel.accepted, np.nan)
    gone = nothing if panel.withdrawn is None else panel.withdrawn
    outside, level = int((~members).sum()), panel.settings.level
    for name, measured, draws in (
        ("pearson", association.pearson, association.resampled_pearson),
        ("spearman", association.spearman, association.resampled_spearman),
    ):
        found = measured(own, reference)
        drawn = draws(weights, own, reference)
        yield (
            name,
            estimate(
                one_percentile(found.value, drawn, n=found.n, dropped=found.dropped - outside, level=level)
            ),
        )
    error = own - reference
    yield "mae", estimate(inside(mean_of(np.abs(error), weights, panel.settings), members))
    yield "rmse", estimate(rooted(inside(mean_of(error**2, weights, panel.settings), members)))
    kept = np.where((gone == 1) & (outcome == 0), np.nan, outcome)
    for name, labels in (("auc", outcome), ("auc_without_withdrawn", kept)):
        if name != "auc" and panel.withdrawn is None:
            yield name, bare(float("nan"), n=0, marks=("no column withdrawn",))
            continue
        area = discrimination.auc(own, labels)
        n = area.positives + area.negatives
        if area.positives * area.negatives > MOST_PAIRS:
            yield name, bare(area.value, n=n, dropped=area.dropped - outside, marks=(TOO_MANY,))
            continue
        drawn = discrimination.resampled_auc(weights, own, labels)
        yield (
            name,
            estimate(one_percentile(area.value, drawn, n=n, dropped=area.dropped - outside, level=level)),
        )
