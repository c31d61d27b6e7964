"""How well scores or comment counts tell two sides of papers apart.

1. Can We Believe AI Peer Review?, appendix C.2.
2. Hanley and McNeil (1982), The meaning and use of the area under a ROC curve, Radiology 143, eq. 1.
3. Benchmarking Agentic Review Systems (pairwise accuracy against quality proxies).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rereview.stats.exact import average_ranks
from rereview.stats.resample import resampled_pairs

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NAN = float("nan")


class Auc(NamedTuple):
    """Area under the ROC curve, 0 to 1, NaN if a side is empty; papers on each side, left out."""

    value: float
    positives: int
    negatives: int
    dropped: int


class Accuracy(NamedTuple):
    """Share of pairs ordered as expected, 0 to 1, ties one half, NaN without pairs."""

    value: float
    pairs: int
    dropped: int


def auc(scores: ArrayLike, positive: ArrayLike) -> Auc:
    """Probability that a positive paper scores above a negative one, ties one half (2).

        AUC = (#{pos > neg} + ½ #{pos = neg}) / (n₊ n₋)

    `scores[paper]`: means from `exact.exact_means`, so that equal means tie. `positive[paper]` is
    True or False, NaN where the outcome is not known. A paper that lacks either is left out.
    """
    values, labels, dropped = _labelled(scores, positive)
    high = int(labels.sum())
    low = values.size - high
    if not high or not low:
        return Auc(NAN, high, low, dropped)
    above = float(average_ranks(values)[labels].sum()) - high * (high + 1) / 2
    return Auc(above / (high * low), high, low, dropped)


def auc_excluding(scores: ArrayLike, positive: ArrayLike, excluded: ArrayLike) -> Auc:
    """AUC with the `excluded[paper]` (withdrawn) taken out of the negatives (C.2 of 1).

    A positive paper stays, whatever `excluded` says. Those taken out count as dropped.
    """
    labels = np.asarray(positive, dtype=np.float64)
    return auc(scores, np.where(np.asarray(excluded, dtype=np.bool_) & (labels == 0), np.nan, labels))


def resampled_auc(weights: Floats, scores: ArrayLike, positive: ArrayLike) -> Floats:
    """AUC in every draw of papers; shape `[draw]`, NaN where a draw lacks a side.

    `weights[draw, paper]` from `resample.unit_weights`; both sides are drawn together, as papers.
    """
    values, labels = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=np.float64)
    known = ~(np.isnan(values) | np.isnan(labels))
    high, low = np.flatnonzero(known & (labels == 1)), np.flatnonzero(known & (labels == 0))
    return resampled_kernel(weights[:, high], weights[:, low], _above(values[high][:, None], values[low]))


def resampled_kernel(first: Floats, second: Floats, kernel: Floats) -> Floats:
    """Weighted mean of `kernel[a, b]` in every draw, Σ u_a K_ab v_b / (Σ u Σ v); shape `[draw]`.

    `first[draw, a]`, `second[draw, b]`: weights of the two sides. NaN where a side has none. Slices
    of one matrix of weights resample papers once; two independent matrices resample each side
    alone, as the authors' code of (3) does.
    """
    total = first.sum(axis=1) * second.sum(axis=1)
    sums = np.einsum("db,db->d", first @ kernel, second)
    means: Floats = sums / np.where(total == 0, np.nan, total)
    return means


def cross_pairs(low: ArrayLike, high: ArrayLike) -> tuple[Integers, Integers]:
    """Every paper of one side with every paper of the other, as two arrays of shape `[pair]`."""
    first, second = np.meshgrid(_rows(low), _rows(high), indexing="ij")
    return first.ravel(), second.ravel()


def pairwise_accuracy(counts: ArrayLike, low: ArrayLike, high: ArrayLike) -> Accuracy:
    """Share of pairs in which the paper of lower quality has more comments, ties one half (3).

    `counts[paper]`, NaN where there is no review; `low[pair]` and `high[pair]` are rows of it. The
    pairs of several proxies may stand together. Pairs with a missing side are left out and counted.
    """
    values = np.asarray(counts, dtype=np.float64)
    found = _above(values[_rows(low)], values[_rows(high)])
    seen = found[~np.isnan(found)]
    value = float(seen.mean()) if seen.size else NAN
    return Accuracy(value, seen.size, found.size - seen.size)


def resampled_accuracy(weights: Floats, counts: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Pairwise accuracy in every draw of papers; shape `[draw]`, NaN where a draw holds no pair.

    `weights[draw, paper]`: a paper that stands in several proxies, or on both sides, is drawn once,
    and a pair counts as often as its two papers together (3).
    """
    values, lower, higher = np.asarray(counts, dtype=np.float64), _rows(low), _rows(high)
    found = _above(values[lower], values[higher])
    seen = ~np.isnan(found)
    return resampled_pairs(weights, lower[seen], higher[seen], found[seen][:, None])[:, 0]


def _labelled(scores: ArrayLike, positive: ArrayLike) -> tuple[Floats, NDArray[np.bool_], int]:
    values, labels = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=np.float64)
    known = ~(np.isnan(values) | np.isnan(labels))
    return values[known], labels[known] == 1, int(known.size - known.sum())


def _rows(papers: ArrayLike) -> Integers:
    return np.asarray(papers, dtype=np.int64)


def _above(one: Floats, other: Floats) -> Floats:
    """1 where above, one half where equal, 0 where below, NaN where either is missing."""
    return np.where(np.isnan(one) | np.isnan(other), np.nan, (one > other) + 0.5 * (one == other))
