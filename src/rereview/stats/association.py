"""How scores go with an outside reference, or with another scorer's.

Arrays have one entry a paper, NaN where it is not known; pairs with a NaN are left out and counted.
Means that are compared or ranked come from `exact.exact_means`, so that equal means tie. The
`resampled_*` functions give the same statistic in bootstrap draws of papers, from the weights of
`resample.unit_weights`.

1. Can We Believe AI Peer Review?, appendices C.2 and F.4.
2. Spearman (1904), The proof and measurement of association between two things, American J. of
   Psychology 15, 72-101 (ranks; correction for attenuation).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rereview.stats.exact import average_ranks
from rereview.stats.reliability import Summary, mean_over_papers, paper_variance
from rereview.stats.resample import ROUNDING

Floats = NDArray[np.float64]

NAN = float("nan")
_ROWS = 250


class AdjustedDraws(NamedTuple):
    """Adjusted correlations of bootstrap draws: `values[draw]`, NaN where invalid.

    `valid` draws have positive corrected variances; `outside` of these lie beyond -1 or 1.
    """

    values: Floats
    valid: int
    outside: int


def pearson(x: ArrayLike, y: ArrayLike) -> Summary:
    """Pearson correlation over papers, -1 to 1 (C.2 of 1). NaN for no variance on a side."""
    (a, b), dropped = _together(x, y)
    return Summary(_correlation(a, b), a.size, dropped)


def spearman(x: ArrayLike, y: ArrayLike) -> Summary:
    """Pearson correlation of average ranks over papers, -1 to 1 (2). NaN for no variance on a side."""
    (a, b), dropped = _together(x, y)
    return Summary(_correlation(average_ranks(a), average_ranks(b)), a.size, dropped)


def mae(x: ArrayLike, y: ArrayLike) -> Summary:
    """Mean absolute difference over papers, in points (C.2 of 1)."""
    return mean_over_papers(np.abs(np.asarray(x, dtype=np.float64) - np.asarray(y, dtype=np.float64)))


def rmse(x: ArrayLike, y: ArrayLike) -> Summary:
    """Root of the mean squared difference over papers, in points (C.2 of 1)."""
    mean = mean_over_papers((np.asarray(x, dtype=np.float64) - np.asarray(y, dtype=np.float64)) ** 2)
    return mean._replace(value=mean.value**0.5)


def noise_of_mean(scores: ArrayLike) -> Floats:
    """Variance that scoring alone gives each paper's mean, S_i² / k_i (F.4 of 1); shape `[paper]`.

    `scores[paper, round]`; in squared points, NaN for k_i < 2.
    """
    table = np.asarray(scores, dtype=np.float64)
    variances: Floats = paper_variance(table) / np.maximum((~np.isnan(table)).sum(axis=1), 1)
    return variances


def noise_of_gain(original: ArrayLike, revised: ArrayLike) -> Floats:
    """Variance that scoring alone gives each paper's gain, S_o²/k_o + S_v²/k_v (F.4 of 1); `[paper]`."""
    return noise_of_mean(original) + noise_of_mean(revised)


def adjusted_correlation(x: ArrayLike, y: ArrayLike, noise_x: ArrayLike, noise_y: ArrayLike) -> Summary:
    """Correlation with scoring noise taken out of both variances (F.4 of 1, 2).

        ρ_adj = c / √((v_x - e_x)(v_y - e_y))

    with the covariance c and variances v over papers (divisor n - 1; the source does not print
    its own) and e the means over papers of `noise_x[paper]`, `noise_y[paper]`. Not clipped: it may
    lie beyond ±1. NaN where a corrected variance is not positive. Assumes that the errors of x and
    y are independent with mean zero.
    """
    columns, dropped = _together(x, y, noise_x, noise_y)
    found = _adjusted(np.ones((1, columns[0].size)), columns)
    return Summary(float(found[0]), columns[0].size, dropped)


def resampled_pearson(weights: Floats, x: ArrayLike, y: ArrayLike) -> Floats:
    """Pearson correlations in every draw; `x[paper, statistic]`, `y` alike; shape `[draw, statistic]`.

    NaN where a draw has no variance on a side.
    """
    a, b = np.broadcast_arrays(_columns(x), _columns(y))
    seen = ~(np.isnan(a) | np.isnan(b))
    a, b = (_centred(side, seen) for side in (a, b))
    n, sum_a, sum_b, aa, bb, ab = _products(weights, seen, a, b, a * a, b * b, a * b)
    var_a, var_b = _spread(n, sum_a, aa), _spread(n, sum_b, bb)
    correlations: Floats = (n * ab - sum_a * sum_b) / np.sqrt(var_a * var_b)
    return correlations


def resampled_spearman(weights: Floats, x: ArrayLike, y: ArrayLike) -> Floats:
    """Spearman correlation in every draw, ranked anew within it; `x[paper]`, `y[paper]`; shape `[draw]`.

    NaN where a draw has no variance on a side.
    """
    a, b = (np.asarray(side, dtype=np.float64) for side in (x, y))
    kept = ~(np.isnan(a) | np.isnan(b))
    parts = [
        _rank_correlation(weights[start : start + _ROWS, kept], a[kept], b[kept])
        for start in range(0, len(weights), _ROWS)
    ]
    return np.concatenate([np.empty(0), *parts])


def resampled_adjusted(
    weights: Floats, x: ArrayLike, y: ArrayLike, noise_x: ArrayLike, noise_y: ArrayLike
) -> AdjustedDraws:
    """Adjust the correlation in every draw, with the noise means of that draw (F.4 of 1).

    Arguments as in `adjusted_correlation`. Draws without positive corrected variances are NaN.
    """
    given = [np.asarray(side, dtype=np.float64) for side in (x, y, noise_x, noise_y)]
    kept = ~np.isnan(np.stack(given)).any(axis=0)
    values = _adjusted(weights[:, kept], tuple(side[kept] for side in given))
    return AdjustedDraws(values, int((~np.isnan(values)).sum()), int((np.abs(values) > 1).sum()))


def _together(*sides: ArrayLike) -> tuple[tuple[Floats, ...], int]:
    """Entries that every side has, and how many were left out."""
    stacked = np.stack([np.asarray(side, dtype=np.float64) for side in sides])
    kept = ~np.isnan(stacked).any(axis=0)
    return tuple(stacked[:, kept]), int(kept.size - kept.sum())


def _correlation(a: Floats, b: Floats) -> float:
    if not a.size or (a == a[0]).all() or (b == b[0]).all():
        return NAN
    a, b = a - a.mean(), b - b.mean()
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def _adjusted(weights: Floats, columns: tuple[Floats, ...]) -> Floats:
    x, y, noise_x, noise_y = columns
    if not x.size:
        return np.full(len(weights), np.nan)
    x, y = x - x.mean(), y - y.mean()
    moments = weights @ np.column_stack([np.ones(x.size), x, y, x * x, y * y, x * y, noise_x, noise_y])
    n, sum_x, sum_y, xx, yy, xy, e_x, e_y = moments.T
    n = np.where(n > 1, n, np.nan)
    var_x = (xx - sum_x**2 / n) / (n - 1) - e_x / n
    var_y = (yy - sum_y**2 / n) / (n - 1) - e_y / n
    covariance = (xy - sum_x * sum_y / n) / (n - 1)
    # What is left of equal numbers after rounding is no variance.
    positive = (var_x > ROUNDING * (xx + e_x) / n) & (var_y > ROUNDING * (yy + e_y) / n)
    product = np.where(positive, var_x * var_y, np.nan)
    values: Floats = covariance / np.sqrt(product)
    return values


def _columns(values: ArrayLike) -> Floats:
    table = np.asarray(values, dtype=np.float64)
    return table[:, None] if table.ndim == 1 else table


def _centred(values: Floats, seen: NDArray[np.bool_]) -> Floats:
    """Take the mean away, so that moments do not cancel; 0 where missing."""
    filled = np.where(seen, values, 0.0)
    return np.where(seen, filled - filled.sum(axis=0) / np.maximum(seen.sum(axis=0), 1), 0.0)


def _products(weights: Floats, *columns: NDArray[np.float64] | NDArray[np.bool_]) -> list[Floats]:
    sums = weights @ np.concatenate(columns, axis=1)
    return list(np.split(sums, len(columns), axis=1))


def _spread(n: Floats, total: Floats, squares: Floats) -> Floats:
    """n² times the variance, NaN where only rounding is left."""
    spread = n * squares - total**2
    return np.where(spread > ROUNDING * n * squares, spread, np.nan)


def _rank_correlation(weights: Floats, a: Floats, b: Floats) -> Floats:
    # Papers run down and draws across, so that every step reads memory in order.
    copies = np.ascontiguousarray(weights.T)
    n = copies.sum(axis=0)
    # Average ranks have mean (n + 1) / 2 whatever the ties.
    a, b = (_midranks(copies, side) - (n + 1) / 2 for side in (a, b))
    weighted = copies * a
    ab, aa = (weighted * b).sum(axis=0), (weighted * a).sum(axis=0)
    bb = (np.multiply(copies, b, out=weighted) * b).sum(axis=0)
    smallest = ROUNDING * n**3
    product = np.where((aa > smallest) & (bb > smallest), aa * bb, np.nan)
    correlations: Floats = ab / np.sqrt(product)
    return correlations


def _midranks(copies: Floats, values: Floats) -> Floats:
    """Average rank of each paper's value among the `copies[paper, draw]`; the same shape."""
    levels, place = np.unique(values, return_inverse=True)
    order = np.argsort(place, kind="stable")
    last = np.searchsorted(place[order], np.arange(levels.size), side="right") - 1
    upto = np.cumsum(copies[order], axis=0)[last]
    # A level of c copies after b others has ranks b + 1 to b + c, which are (2b + c + 1) / 2 on average.
    ranks = upto.copy()
    ranks[1:] += upto[:-1]
    ranks += 1
    ranks /= 2
    placed: Floats = ranks[place]
    return placed
