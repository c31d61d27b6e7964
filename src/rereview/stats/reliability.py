"""How far repeated reviews of the same paper agree.

Scores come as `scores[paper, round]`, NaN where a round has none. A statistic of one paper is NaN
where it does not exist; means over papers leave such papers out and count them. The unit of
resampling is the paper: a per-paper array goes to `resample` for its interval.

1. Can We Believe AI Peer Review?, appendices C.1, C.3 and C.4.
2. Shrout and Fleiss (1979), Intraclass correlations, Psychological Bulletin 86, table 1 and p. 426.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rereview.stats.exact import exact_scores, exact_units

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

A_PAIR = 2
NAN = float("nan")


class Summary(NamedTuple):
    """A number over papers: its value (NaN if no paper has one), papers used, papers left out."""

    value: float
    n: int
    dropped: int


class RangeCounts(NamedTuple):
    """How many papers have each range: `papers[j]` of them have `ranges[j]` points, ascending."""

    ranges: Floats
    papers: Integers
    dropped: int


class Concentration(NamedTuple):
    """Where single scores lie: `counts[j]` equal `categories[j]`, `shares[b]` lie in band b.

    `between` counts scores that equal no category (decimals), `n` all scores there are.
    """

    categories: Integers
    counts: Integers
    shares: Floats
    between: int
    n: int


class FirstLast(NamedTuple):
    """Two batches of rounds, paper by paper: shift and distance in points, NaN if incomplete."""

    shift: Floats
    distance: Floats


class Icc(NamedTuple):
    """Share of variance that lies between papers: of one round, and of the mean of all rounds."""

    single: float
    mean: float
    n: int
    dropped: int


def paper_variance(scores: ArrayLike) -> Floats:
    """Unbiased variance of each paper's rounds, in squared points; shape `[paper]`.

    S_i² = Σ_t (Y_it - Ȳ_i)² / (n_i - 1) over the n_i observed rounds (C.1 of 1); NaN for n_i < 2,
    exactly 0 for equal scores.
    """
    table = _table(scores)
    seen = ~np.isnan(table)
    n = seen.sum(axis=1)
    filled = np.where(seen, table, 0.0)
    centred = np.where(seen, table - (filled.sum(axis=1) / np.maximum(n, 1))[:, None], 0.0)
    squares = np.where(_all_equal(table), 0.0, (centred**2).sum(axis=1))
    return np.where(n >= A_PAIR, squares / np.maximum(n - 1, 1), np.nan)


def within_sd(scores: ArrayLike) -> Summary:
    """Within-paper SD in points: √V̂ with V̂ = mean_i S_i² (C.1 of 1).

    Averaged first, rooted second. Papers with fewer than two rounds are left out. 0 if no paper's
    score ever moved.
    """
    mean = mean_over_papers(paper_variance(scores))
    return mean._replace(value=float(np.sqrt(mean.value)))


def all_scores_sd(scores: ArrayLike) -> Summary:
    """SD of all scores pooled, in points, papers' differences included (C.1 of 1); divisor n - 1.

    The source does not print its divisor. NaN for fewer than two scores; papers without any score
    are left out.
    """
    table = _table(scores)
    seen = ~np.isnan(table)
    pooled = table[seen]
    papers = int(seen.any(axis=1).sum())
    value = float(pooled.std(ddof=1)) if pooled.size >= A_PAIR else NAN
    return Summary(value, papers, len(table) - papers)


def identical_rate(scores: ArrayLike, *, full: int | None = None) -> Summary:
    """Share of papers whose observed rounds all gave the same score, 0 to 1 (C.1 of 1).

    Papers with fewer than two rounds are left out; with `full`, those without exactly `full`.
    """
    table = _table(scores)
    n = (~np.isnan(table)).sum(axis=1)
    used = (n >= A_PAIR) if full is None else (n == full)
    return mean_over_papers(np.where(used, _all_equal(table), np.nan))


def paper_range(scores: ArrayLike) -> Floats:
    """Largest minus smallest score of each paper in points; shape `[paper]`, NaN for n_i < 2.

    The difference is taken on exact decimals: 0.3 - 0.2 is the float 0.1 (C.1 of 1).
    """
    units, denominator = exact_scores(_table(scores))
    ranges, used = _unit_ranges(_table(scores), units)
    return np.where(used, ranges / denominator, np.nan)


def range_counts(scores: ArrayLike) -> RangeCounts:
    """How many papers have each range that occurs (table S11 of 1), on exact values."""
    spread = paper_range(scores)
    seen = spread[~np.isnan(spread)]
    ranges, papers = np.unique(seen, return_counts=True)
    return RangeCounts(ranges, papers.astype(np.int64), spread.size - seen.size)


def range_share_at_most(scores: ArrayLike, points: float) -> Summary:
    """Share of papers whose range is at most `points`, 0 to 1, on exact values (section 4.1 of 1)."""
    units, denominator = exact_scores(_table(scores))
    ranges, used = _unit_ranges(_table(scores), units)
    within = ranges <= int(exact_units(points, denominator) // 1)
    return mean_over_papers(np.where(used, within, np.nan))


def paper_agreement(scores: ArrayLike) -> Floats:
    """Share of each paper's pairs of rounds that gave the very same score; shape `[paper]`, 0 to 1.

    Equal unordered pairs over C(n_i, 2) (C.1 of 1); NaN for n_i < 2.
    """
    table = _table(scores)
    n = (~np.isnan(table)).sum(axis=1)
    # NaN equals nothing, so a missing round makes no pair; each round equals itself once.
    equal = (table[:, :, None] == table[:, None, :]).sum(axis=(1, 2)) - n
    return np.where(n >= A_PAIR, equal / np.maximum(n * (n - 1), 1), np.nan)


def pairwise_exact_agreement(scores: ArrayLike) -> Summary:
    """Mean over papers of the share of equal pairs of rounds, 0 to 1 (C.1 of 1).

    Within a paper first, then over papers. Papers with fewer than two rounds are left out. If no
    paper's range exceeds one point, V̂ = (1 - agreement) / 2.
    """
    return mean_over_papers(paper_agreement(scores))


def concentration(
    scores: ArrayLike,
    *,
    values: Sequence[float] = tuple(range(1, 11)),
    bands: Sequence[tuple[float, float]] = ((5, 7), (5, 6)),
) -> Concentration:
    """Count scores at the `values` of the scale and in `bands`, both ends included (C.3 of 1).

    Single scores are the unit. Shares are of all scores there are, NaN if there are none.
    """
    table = _table(scores)
    pooled = table[~np.isnan(table)]
    categories = np.asarray(values)
    counts = (pooled[:, None] == categories).sum(axis=0)
    inside = [((pooled >= start) & (pooled <= end)).sum() for start, end in bands]
    shares = np.array(inside, dtype=np.float64) / pooled.size if pooled.size else np.full(len(bands), np.nan)
    return Concentration(categories, counts, shares, int(pooled.size - counts.sum()), int(pooled.size))


def variance_quantiles(scores: ArrayLike, levels: ArrayLike) -> Floats:
    """Quantiles of the papers' variances, in squared points; shape of `levels` (table S11 of 1).

    NumPy's linear interpolation (type 7). Papers with fewer than two rounds are left out; NaN if
    none is left.
    """
    variances = paper_variance(scores)
    seen = variances[~np.isnan(variances)]
    wanted = np.asarray(levels, dtype=np.float64)
    return np.asarray(np.quantile(seen, wanted)) if seen.size else np.full(wanted.shape, np.nan)


def first_last(scores: ArrayLike) -> FirstLast:
    """Do later rounds score like earlier ones? Per paper, in points; arrays of shape `[paper]` (C.4 of 1).

    `shift` is the mean of the last half of the rounds minus the mean of the first half (the sign is
    ours), `distance` the absolute difference between the mean of all and that of the first half. A
    middle round of an odd number is in neither half. NaN for papers that lack a round, and for
    fewer than two rounds.
    """
    table = _table(scores)
    rounds = table.shape[1]
    half = rounds // 2
    if not half:
        return FirstLast(np.full(len(table), np.nan), np.full(len(table), np.nan))
    first = table[:, :half].mean(axis=1)
    return FirstLast(table[:, rounds - half :].mean(axis=1) - first, np.abs(table.mean(axis=1) - first))


def icc1(scores: ArrayLike) -> Icc:
    """ICC(1,1) and ICC(1,k) of a one-way random design (2), over papers with every round.

    ICC(1,1) = (MSB - MSW) / (MSB + (k - 1) MSW), ICC(1,k) = (MSB - MSW) / MSB, with the mean
    squares between and within papers. May be negative. NaN if MSB is 0, or for fewer than two
    papers or two rounds.
    """
    table = _table(scores)
    complete = table[~np.isnan(table).any(axis=1)]
    n, k = complete.shape
    dropped = len(table) - n
    if n < A_PAIR or k < A_PAIR:
        return Icc(NAN, NAN, n, dropped)
    units, _ = exact_scores(complete)
    sums = units.sum(axis=1)
    if (sums == sums[0]).all():
        return Icc(NAN, NAN, n, dropped)
    between = k * float(complete.mean(axis=1).var(ddof=1))
    within = float(paper_variance(complete).mean())
    single = (between - within) / (between + (k - 1) * within)
    return Icc(single, (between - within) / between, n, dropped)


def mean_over_papers(values: ArrayLike) -> Summary:
    """Mean of `values[paper]` without the NaN, and how many those were."""
    given = np.asarray(values, dtype=np.float64)
    seen = given[~np.isnan(given)]
    value = float(seen.mean()) if seen.size else NAN
    return Summary(value, seen.size, given.size - seen.size)


def _table(scores: ArrayLike) -> Floats:
    table = np.asarray(scores, dtype=np.float64)
    return table[None, :] if table.ndim == 1 else table


def _all_equal(table: Floats) -> Booleans:
    some: Floats = np.fmax.reduce(table, axis=1, initial=-np.inf)
    same: Booleans = (np.isnan(table) | (table == some[:, None])).all(axis=1)
    return same


def _unit_ranges(table: Floats, units: Integers) -> tuple[Integers, Booleans]:
    """Ranges in exact units, and which papers have one; 0 where not."""
    seen = ~np.isnan(table)
    used = seen.sum(axis=1) >= A_PAIR
    far = np.iinfo(np.int64)
    top = np.where(seen, units, far.min).max(axis=1, initial=far.min)
    bottom = np.where(seen, units, far.max).min(axis=1, initial=far.max)
    return np.where(used, top, 0) - np.where(used, bottom, 0), used
