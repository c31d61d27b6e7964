"""How far repeated reviews of one paper agree: repeatability, concentration, quantiles, batches."""

from __future__ import annotations

import numpy as np

from rereview.measures.tabulate import (
    Floats,
    Members,
    Panel,
    as_share,
    bare,
    estimate,
    inside,
    mean_of,
    one_percentile,
    rooted,
    table,
)
from rereview.stats import reliability
from rereview.stats.resample import Interval
from rereview.text.plurals import many
from rereview.types.estimate import Estimate, Table

QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 1.0)
PAPERS_SCALE = (1.0, 10.0)
BANDS = ((5.0, 7.0), (5.0, 6.0))
"""The middle of that scale; another scale has none that a paper names."""
ONE_POINT = 1.0


def repeatability(panel: Panel) -> Table:
    """Spread and exact agreement of the rounds of one paper, overall and by group (C.1)."""
    weights = panel.weights
    rows = {label: _repeatability(panel, members, weights) for label, members in panel.rows()}
    return table(
        "repeatability",
        "Agreement of repeated reviews of the same paper",
        rows,
        [
            "within_sd: root of the mean within-paper variance; all_sd: SD of all scores pooled; in points.",
            "identical: share of the papers whose rounds all gave one score.",
            "range_at_most_1: share of the papers whose scores lie at most one point apart.",
            "agreement: equal pairs of rounds, within papers first, then over papers.",
            "icc: share of the variance that lies between papers, of one round and of the mean of all.",
        ],
    )


def _repeatability(panel: Panel, members: Members, weights: Floats) -> dict[str, Estimate]:
    scores = np.where(members[:, None], panel.scores, np.nan)
    own = panel.scores[members]
    rounds = (~np.isnan(scores)).sum(axis=1)
    enough = np.where(rounds >= reliability.A_PAIR, 0.0, np.nan)

    def mean(values: Floats) -> Interval:
        return inside(mean_of(np.where(members, values + enough, np.nan), weights, panel.settings), members)

    icc = reliability.icc1(own)
    spread = _pooled(scores, weights, panel.settings.level, reliability.all_scores_sd(own))
    return {
        "within_sd": estimate(rooted(mean(reliability.paper_variance(scores)))),
        "all_sd": estimate(spread),
        "identical": estimate(as_share(mean((reliability.paper_range(scores) == 0).astype(float)))),
        "range_at_most_1": estimate(
            as_share(mean((reliability.paper_range(scores) <= ONE_POINT).astype(float)))
        ),
        "agreement": estimate(as_share(mean(reliability.paper_agreement(scores)))),
        "icc_single": bare(icc.single, n=icc.n, dropped=icc.dropped),
        "icc_mean": bare(icc.mean, n=icc.n, dropped=icc.dropped),
    }


def _pooled(scores: Floats, weights: Floats, level: float, found: reliability.Summary) -> Interval:
    """SD of pooled scores with percentile limits: a function of three sums over papers."""
    seen = ~np.isnan(scores)
    centre = float(scores[seen].mean()) if seen.any() else 0.0
    shifted = np.where(seen, scores - centre, 0.0)
    n, total, squares = (weights @ part.sum(axis=1) for part in (seen.astype(float), shifted, shifted**2))
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = np.sqrt(np.maximum(squares - total**2 / n, 0.0) / np.where(n > 1, n - 1, np.nan))
    return one_percentile(found.value, draws, n=found.n, dropped=found.dropped, level=level)


def concentration(panel: Panel) -> Table:
    """Where single scores lie on the scale (C.3)."""
    chosen = panel.settings
    bands = BANDS if chosen.scale == PAPERS_SCALE else ()
    rows = {}
    for label, members in panel.rows():
        found = reliability.concentration(panel.scores[members], values=chosen.legal, bands=bands)
        counts = {
            f"{value:g}": bare(float(count), n=found.n)
            for value, count in zip(found.categories, found.counts, strict=True)
        }
        shares = {
            f"share_{first:g}_to_{last:g}": bare(float(share), n=found.n)
            for (first, last), share in zip(bands, found.shares, strict=True)
        }
        rows[label] = {**counts, "between": bare(float(found.between), n=found.n), **shares}
    return table(
        "concentration",
        "Counts of single scores" + (", and shares of the middle of the scale" if bands else ""),
        rows,
        ["n counts scores. between: scores that have no column."],
    )


def variance_quantiles(panel: Panel) -> Table:
    """Quantiles of the within-paper variances, and how many papers have each range (C.3)."""
    rows = {}
    for label, members in panel.rows():
        own = panel.scores[members]
        ranges = reliability.range_counts(own)
        n = int(ranges.papers.sum())
        values = reliability.variance_quantiles(own, QUANTILES)
        quantiles = {
            f"q{level:g}": bare(float(value), n=n, dropped=ranges.dropped)
            for level, value in zip(QUANTILES, values, strict=True)
        }
        counts = {
            f"range_{points:g}": bare(float(count), n=n, dropped=ranges.dropped)
            for points, count in zip(ranges.ranges, ranges.papers, strict=True)
        }
        rows[label] = quantiles | counts
    return table(
        "variance-quantiles",
        "Quantiles of within-paper variance; papers by range of their scores",
        rows,
        [
            "q0 to q1: quantiles over papers of the variance within a paper, in squared points.",
            "range_1: number of papers whose lowest and highest score are 1 point apart, and so on.",
        ],
    )


def batches(panel: Panel) -> Table:
    """Do later rounds score like earlier ones: first against last half (C.4)."""
    weights = panel.weights
    found = reliability.first_last(panel.scores)
    half = panel.scores.shape[1] // 2
    rows = {}
    for label, members in panel.rows():
        shift, distance = (np.where(members, values, np.nan) for values in found)
        rows[label] = {
            "shift": estimate(inside(mean_of(shift, weights, panel.settings), members)),
            "distance": estimate(inside(mean_of(distance, weights, panel.settings), members)),
        }
    return table(
        "batches",
        f"Mean of the last {many(half, 'round')} minus mean of the first {half}",
        rows,
        [
            "shift: last minus first; distance: all rounds against the first half, absolute; in points.",
            "Complete papers only. A shift whose interval leaves 0 speaks against independent rounds.",
        ],
    )
