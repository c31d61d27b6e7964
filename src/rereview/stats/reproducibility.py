"""How often the mean of k reviews comes out differently when it is done again: certified, without variance.

[1] Can We Believe AI Peer Review?, section 4.2 (disjoint blocks) and appendix D.3 (the U-statistic argument).
[2] Hoeffding 1963, section 5.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rereview.errors import UsageError
from rereview.stats.bounds import share_upper
from rereview.stats.exact import MISSING, Integers, exact_scores, exact_units
from rereview.stats.pilot import Number, exact

LARGEST_BLOCK = 6
"""Largest k; two blocks of six out of twelve reviews are 462 partitions."""

_GROUP = 12
"""Reviews whose partitions are all enumerated; longer rows are cut into groups."""


class Reproducibility(NamedTuple):
    """Share of repetitions that differ by the tolerance or more, over papers."""

    differ: float | None
    """None where no paper has two blocks."""
    upper: float | None
    """Upper bound of its expectation, with the confidence asked for."""
    papers: int
    dropped: int
    """Papers with fewer than 2 k scores."""


def reproducibility(
    scores: ArrayLike, reviews: int, tolerance: Number, *, confidence: Number = 0.95
) -> Reproducibility:
    """Mean over papers and pairs of disjoint blocks of 1{|mean of k - mean of another k| >= tolerance}.

    `scores` (papers, n), NaN where missing; `reviews` is k, 1 to 6. Means are compared exactly. The bound is
    Hoeffding's, with floor(n / 2k) independent pairs of blocks of every paper, n the smallest number of
    scores among the papers kept; proven for scores that are independent and identically distributed
    within papers.
    """
    if not 1 <= reviews <= LARGEST_BLOCK:
        raise UsageError(f"blocks of {reviews} reviews", expected=f"1 to {LARGEST_BLOCK}")
    units, denominator = exact_scores(scores)
    limit = exact_units(float(exact(tolerance)), denominator) * reviews
    rows = [row[row != MISSING] for row in units]
    kept = [row for row in rows if len(row) >= 2 * reviews]
    if not kept:
        return Reproducibility(None, None, 0, len(rows))
    differ = float(np.mean([_differ(row, reviews, float(limit)) for row in kept]))
    trials = len(kept) * (min(map(len, kept)) // (2 * reviews))
    upper = share_upper(differ, trials, alpha=1 - exact(confidence))
    return Reproducibility(differ, upper, len(kept), len(rows) - len(kept))


def _differ(row: Integers, reviews: int, limit: float) -> float:
    """Share of partitions that differ, groups weighted by the disjoint pairs of blocks that they hold."""
    size = 2 * reviews * (_GROUP // (2 * reviews))
    groups = [row[start : start + size] for start in range(0, len(row), size)]
    pairs = [len(group) // (2 * reviews) for group in groups]
    shares = [
        _share(group, reviews, limit) if held else 0.0 for group, held in zip(groups, pairs, strict=True)
    ]
    return float(np.dot(shares, pairs) / sum(pairs))


def _share(group: Integers, reviews: int, limit: float) -> float:
    one, other = _partitions(len(group), reviews)
    return float(np.mean(np.abs(group[one].sum(axis=1) - group[other].sum(axis=1)) >= limit))


@lru_cache
def _partitions(n: int, k: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All unordered pairs of disjoint blocks of k out of n, as two arrays (partitions, k)."""
    blocks = [
        (one, other)
        for one in combinations(range(n), k)
        for other in combinations(sorted(set(range(one[0] + 1, n)) - set(one)), k)
    ]
    table = np.array(blocks, dtype=np.intp).reshape(-1, 2, k)
    return table[:, 0], table[:, 1]
