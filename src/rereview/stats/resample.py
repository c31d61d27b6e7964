"""Intervals: what a mean over rounds or over papers can be trusted to.

The default over papers is the linearised standard error with Student t; the percentile interval of
a bootstrap is what the papers print. Every bootstrap of one analysis uses one matrix of unit
weights `weights[draw, paper]`: how often each paper stands in each draw. Statistics take the
weights, so that all cells of a table share their draws, differences are paired, and a paper that
belongs to two groups is resampled once.

1. Student (1908), The probable error of a mean, Biometrika 6, section III.
2. Welch (1947), The generalization of Student's problem, Biometrika 34, eq. 28.
3. Wilson (1927), Probable inference, J. American Statistical Association 22, 209-212.
4. Cochran (1977), Sampling Techniques, 3rd ed., section 2.11 (ratio of two totals).
5. Cameron and Miller (2015), A practitioner's guide to cluster-robust inference, J. Human Resources
   50, sections II and VI (G / (G - 1), t with G - 1).
6. Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 13.3.
7. Hyndman and Fan (1996), Sample quantiles, American Statistician 50, definition 7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

Floats = NDArray[np.float64]

Reason = Literal["too-few-units", "no-spread", "undefined"]

FEWEST_ROUNDS = 3
FEWEST_PAPERS = 6
ROUNDING = 1e-12
"""Spread below this share of the values is rounding, and counts as none."""

_ROWS = 250


@dataclass(frozen=True)
class Interval:
    """An estimate with two-sided limits, or with the reason why there are none.

    `n` counts the units that were used (rounds of one paper, or papers), `dropped` the units left
    out because their value is missing, `undefined` the resamples in which the statistic does not
    exist. `cut_low` and `cut_high` say that the limit was moved to the end of the scale.
    """

    value: float | None
    low: float | None
    high: float | None
    level: float
    n: int
    dropped: int = 0
    undefined: int = 0
    reason: Reason | None = None
    cut_low: bool = False
    cut_high: bool = False

    def holds(self, value: float) -> bool | None:
        """Whether the value lies within the limits, ends included; None without limits."""
        if self.low is None or self.high is None:
            return None
        return self.low <= value <= self.high


class Limits(NamedTuple):
    """Percentile limits of several statistics; NaN where fewer than two draws are defined."""

    low: Floats
    high: Floats
    undefined: NDArray[np.int64]


def t_interval(scores: ArrayLike, *, low: float, high: float, level: float = 0.95) -> Interval:
    """Student t interval for the expected score of one paper, from its rounds (1).

    `scores[round]` on a scale from `low` to `high`, NaN for a round without a score. The value is
    the mean of the K observed rounds, the limits are

        mean ± t(K - 1, (1 + level) / 2) · S / √K

    cut at the ends of the scale. The unit is the round. There are no limits, and a reason, for
    K < 3 and for K equal scores: no spread seen is not no spread.
    """
    seen, dropped = _observed(scores)
    bare = Interval(_mean(seen), None, None, level, seen.size, dropped)
    if seen.size < FEWEST_ROUNDS:
        return replace(bare, reason="too-few-units")
    if (seen == seen[0]).all():
        return replace(bare, reason="no-spread")
    whole = _around(bare, _error_of_mean(seen), seen.size - 1)
    return _cut(whole, low, high)


def welch_gain(original: ArrayLike, revised: ArrayLike, *, level: float = 0.95) -> Interval:
    """Gain of one paper, revised minus original, with the Welch t interval (2).

    `original[round]` and `revised[round]` in points, NaN where missing. The standard error is
    √(S_o²/k_o + S_v²/k_v). The unit is the round; `n` counts both sides. `holds(0)` is "no change
    seen". No limits with fewer than three rounds on a side, or no spread on either.
    """
    before, lost_before = _observed(original)
    after, lost_after = _observed(revised)
    sides = (before, after)
    known = bool(before.size and after.size)
    value = float(after.mean() - before.mean()) if known else None
    bare = Interval(value, None, None, level, before.size + after.size, lost_before + lost_after)
    if min(side.size for side in sides) < FEWEST_ROUNDS:
        return replace(bare, reason="too-few-units")
    parts = [0.0 if (side == side[0]).all() else float(side.var(ddof=1)) / side.size for side in sides]
    if not any(parts):
        return replace(bare, reason="no-spread")
    freedom = sum(parts) ** 2 / sum(
        part**2 / (side.size - 1) for part, side in zip(parts, sides, strict=True)
    )
    return _around(bare, sum(parts) ** 0.5, freedom)


def wilson(successes: int, trials: int, *, level: float = 0.95) -> Interval:
    """Score interval of a proportion of independent trials, 0 to 1 (3). No value for no trials."""
    if not trials:
        return Interval(None, None, None, level, 0, reason="too-few-units")
    share = successes / trials
    z2 = float(special.ndtri((1 + level) / 2)) ** 2
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = (z2 * (share * (1 - share) / trials + z2 / (4 * trials**2))) ** 0.5 / (1 + z2 / trials)
    # The ends are 0 and 1 exactly when nothing or everything succeeded; rounding would miss them.
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == trials else centre + half
    return Interval(share, low, high, level, trials)


def linearised_mean(values: ArrayLike, *, level: float = 0.95) -> Interval:
    """Mean over papers of `values[paper]` (NaN: left out), with S/√G and t with G - 1 (5).

    The unit is the paper. No limits below six papers or without spread.
    """
    given = np.asarray(values, dtype=np.float64)
    seen = ~np.isnan(given)
    return linearised_ratio(np.where(seen, given, 0.0), seen.astype(np.float64), level=level)


def linearised_ratio(numerators: ArrayLike, denominators: ArrayLike, *, level: float = 0.95) -> Interval:
    """Σ a_i / Σ b_i over papers (a micro-average, such as recall), with its linearised error (4, 5).

    `numerators[paper]`, `denominators[paper]`: the totals of each paper; papers with b_i = 0 are
    left out. With e_i = a_i - R b_i over the G papers left,

        SE² = G / (G - 1) · Σ e_i² / (Σ b_i)²

    and Student t with G - 1. The unit is the paper. No value for Σ b_i = 0; no limits below six
    papers or without spread.
    """
    zero = np.zeros(np.asarray(numerators).shape)
    return _linearised((np.asarray(numerators), np.asarray(denominators)), (zero, zero), level)


def linearised_difference(
    first: tuple[ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike], *, level: float = 0.95
) -> Interval:
    """Ratio of `second` minus ratio of `first`, each (numerators, denominators) over the same papers.

    A paper's errors on both sides are subtracted before they are squared (4, 5), so that papers in
    both are paired and a paper in one alone is counted once: b_i = 0 where it is absent. A mean
    over papers has denominators 1. The unit is the paper; no value unless both ratios exist.
    """
    pair = [(np.asarray(above), np.asarray(below)) for above, below in (second, first)]
    if not all(below.sum() for _, below in pair):
        return Interval(None, None, None, level, 0, len(pair[0][1]), reason="too-few-units")
    return _linearised(pair[0], pair[1], level)


def unit_weights(units: int, *, rng: np.random.Generator, draws: int = 10_000) -> Floats:
    """How often each unit stands in each bootstrap draw; shape `[draw, unit]`, rows sum to `units` (6).

    The draws are those of `rng.integers(0, units, (draws, units))`.
    """
    weights = np.empty((draws, units))
    # A few rows at a time stay in cache; the stream of the generator is the same.
    for start in range(0, draws, _ROWS):
        rows = min(_ROWS, draws - start)
        picks = rng.integers(0, units, (rows, units))
        picks += units * np.arange(rows)[:, None]
        counts = np.bincount(picks.ravel(), minlength=rows * units)
        weights[start : start + rows] = counts.reshape(rows, units)
    return weights


def resampled_means(weights: Floats, values: ArrayLike) -> Floats:
    """Means over papers of `values[paper, statistic]` in every draw; shape `[draw, statistic]`.

    NaN values are left out of their column; NaN where a draw holds none of a column's papers.
    """
    table = np.asarray(values, dtype=np.float64)
    seen = ~np.isnan(table)
    if seen.all():
        means: Floats = weights @ table / table.shape[0]
        return means
    return resampled_ratios(weights, np.where(seen, table, 0.0), seen)


def resampled_ratios(weights: Floats, numerators: ArrayLike, denominators: ArrayLike) -> Floats:
    """Σ w a / Σ w b of `[paper, statistic]` totals in every draw; NaN where Σ w b = 0."""
    below = weights @ np.asarray(denominators, dtype=np.float64)
    ratios: Floats = weights @ np.asarray(numerators, dtype=np.float64)
    ratios /= np.where(below == 0, np.nan, below)
    return ratios


def resampled_pairs(weights: Floats, first: ArrayLike, second: ArrayLike, values: ArrayLike) -> Floats:
    """Means over pairs of papers in every draw; shape `[draw, statistic]`.

    `values[pair, statistic]` belong to papers `first[pair]` and `second[pair]` (columns of the
    weights), and count m_i m_j times in a draw: with R the matrix of a statistic and P marking the
    pairs, mᵀRm / mᵀPm. Two copies of one paper are no pair. NaN where a draw holds no pair.
    """
    table = np.asarray(values, dtype=np.float64)
    draws, papers = weights.shape
    # A pair may be listed more than once (in two proxies), so its entries are added.
    cell = np.asarray(first) * papers + np.asarray(second)
    columns = np.column_stack([table, np.ones(len(table))]).T
    matrices = np.stack([np.bincount(cell, column, papers * papers) for column in columns])
    wide = matrices.reshape(-1, papers, papers).transpose(1, 0, 2).reshape(papers, -1)
    sums = np.empty((draws, len(columns)))
    for start in range(0, draws, _ROWS):
        m = weights[start : start + _ROWS]
        sums[start : start + _ROWS] = np.einsum("dsp,dp->ds", (m @ wide).reshape(len(m), -1, papers), m)
    counted = np.where(sums[:, -1:] == 0, np.nan, sums[:, -1:])
    means: Floats = sums[:, :-1] / counted
    return means


def percentile_limits(draws: Floats, *, level: float = 0.95) -> Limits:
    """Percentile limits of `draws[draw, statistic]` (6), type-7 quantiles (7).

    NaN draws are left out and counted.
    """
    missing = np.isnan(draws).sum(axis=0)
    low, high = np.full((2, draws.shape[1]), np.nan)
    tails = [(1 - level) / 2, (1 + level) / 2]
    whole = missing == 0
    if whole.any() and len(draws):
        # Contiguous rows: partitioning down the columns of a C array costs twice as much.
        low[whole], high[whole] = np.quantile(np.ascontiguousarray(draws[:, whole].T), tails, axis=1)
    for column in np.flatnonzero(~whole & (missing < len(draws))):
        kept = draws[:, column]
        low[column], high[column] = np.quantile(kept[~np.isnan(kept)], tails)
    return Limits(low, high, missing)


def percentile_intervals(
    values: ArrayLike, draws: Floats, *, n: ArrayLike, dropped: ArrayLike = 0, level: float = 0.95
) -> tuple[Interval, ...]:
    """Percentile intervals of several statistics that share their draws (6).

    `values[statistic]` on the papers as they are, `draws[draw, statistic]` on the resampled ones,
    `n` and `dropped` papers (one number, or one a statistic). NaN draws are left out and counted.
    No limits below six papers, where nothing moved, or where the value itself is undefined.
    """
    shown = np.atleast_1d(np.asarray(values, dtype=np.float64))
    limits = percentile_limits(draws, level=level)
    used, lost = np.broadcast_to(n, shown.shape), np.broadcast_to(dropped, shown.shape)
    return tuple(
        _percentile(
            Interval(float(value), float(low), float(high), level, int(units), int(left), int(undefined))
        )
        for value, low, high, undefined, units, left in zip(shown, *limits, used, lost, strict=True)
    )


def _percentile(found: Interval) -> Interval:
    """Take NaN, and limits that say nothing, away from an interval; write the reason instead."""
    bare = replace(found, low=None, high=None)
    low, high = found.low or 0.0, found.high or 0.0
    if found.value is None or np.isnan(found.value):
        return replace(bare, value=None, reason="undefined")
    if found.n < FEWEST_PAPERS:
        return replace(bare, reason="too-few-units")
    if np.isnan(low):
        return replace(bare, reason="undefined")
    if high - low <= ROUNDING * max(abs(low), abs(high)):
        return replace(bare, reason="no-spread")
    return found


def _linearised(plus: tuple[Floats, Floats], minus: tuple[Floats, Floats], level: float) -> Interval:
    """Ratio of `plus` minus ratio of `minus`, which is 0 if its denominators are."""
    present = (plus[1] != 0) | (minus[1] != 0)
    papers = int(present.sum())
    bare = Interval(None, None, None, level, papers, present.size - papers)
    if not plus[1].sum():
        return replace(bare, reason="too-few-units")
    value = _ratio(*plus) - _ratio(*minus)
    bare = replace(bare, value=float(value))
    if papers < FEWEST_PAPERS:
        return replace(bare, reason="too-few-units")
    errors = (_influence(*plus) - _influence(*minus))[present]
    size = max(float(np.abs(_parts(*side)).max()) for side in (plus, minus))
    if float(np.abs(errors).max()) <= ROUNDING * size:
        return replace(bare, reason="no-spread")
    variance = papers / (papers - 1) * float(errors @ errors)
    return _around(bare, variance**0.5, papers - 1)


def _ratio(above: Floats, below: Floats) -> float:
    total = float(below.sum())
    return float(above.sum()) / total if total else 0.0


def _parts(above: Floats, below: Floats) -> Floats:
    total = float(below.sum())
    return above / total if total else np.zeros(above.shape)


def _influence(above: Floats, below: Floats) -> Floats:
    return _parts(above, below) - _ratio(above, below) * _parts(below, below)


def _observed(scores: ArrayLike) -> tuple[Floats, int]:
    given = np.asarray(scores, dtype=np.float64).ravel()
    seen = given[~np.isnan(given)]
    return seen, given.size - seen.size


def _mean(seen: Floats) -> float | None:
    return float(seen.mean()) if seen.size else None


def _error_of_mean(seen: Floats) -> float:
    return float(seen.std(ddof=1) / np.sqrt(seen.size))


def _around(bare: Interval, error: float, freedom: float) -> Interval:
    """Set limits at the value ± the t quantile times its standard error."""
    if bare.value is None:
        return bare
    half = float(special.stdtrit(freedom, (1 + bare.level) / 2)) * error
    return replace(bare, low=bare.value - half, high=bare.value + half)


def _cut(whole: Interval, low: float, high: float) -> Interval:
    if whole.low is None or whole.high is None:
        return whole
    return replace(
        whole,
        low=max(whole.low, float(low)),
        high=min(whole.high, float(high)),
        cut_low=whole.low < low,
        cut_high=whole.high > high,
    )
