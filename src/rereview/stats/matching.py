"""The matching e-value: evidence on a mean over unequal papers from disjoint pairs of scores.

For a kernel g(|y - y'|) with values in [0, max g] and a fixed theta < 1 / max g, let

    f_i = mean over all perfect matchings of the scores of paper i of prod over pairs (1 - theta g).

Pairs of one matching are disjoint, hence independent, so E f_i = (1 - theta E g)^K with K pairs.
Papers are independent, and by the inequality of the two means E prod f_i <= (1 - theta G)^(N K),
where G is the mean over the N papers of E g. So prod f_i / (1 - theta G)^(N K) is an e-value for
"the mean is at least G", for papers that differ in any way, and Markov's inequality bounds G.

theta must be fixed before the data are seen. Stakes that follow the data paper by paper are valid only
when all papers share one mean; over unequal papers they miss the level.

[1] Hoeffding 1963, section 5 (disjoint pairs). [2] Vovk & Wang 2021 (mixtures of e-values).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rereview.stats.exact import Floats
from rereview.stats.pilot import Pilot

Kernel = Callable[[Floats], Floats]
"""From absolute score differences, of any shape, to kernel values."""

_BLOCK = 10
"""Reviews matched with each other at once: ten have 945 perfect matchings, twelve 10,395."""


def half_square(difference: Floats) -> Floats:
    """Kernel whose expectation is the variance."""
    return np.square(difference) / 2


def log_matching(scores: Floats, kernel: Kernel, theta: float) -> Floats:
    """Logarithm of f_i of each paper, brought to the smallest number of disjoint pairs K among the papers.

    `scores` is (papers, reviews), NaN where missing, at least two a row. A paper with K_i pairs counts
    as f_i^(K / K_i), which keeps the bound by Jensen's inequality. More than ten reviews are matched in
    blocks of ten, in the order given.
    """
    observed = np.sum(~np.isnan(scores), axis=1)
    fewest = int(observed.min()) // 2
    result = np.empty(len(scores))
    for n in np.unique(observed).tolist():
        rows = scores[observed == n]
        full = rows[~np.isnan(rows)].reshape(len(rows), n)
        logs = sum(
            _log_block(full[:, start : start + _BLOCK], kernel, theta) for start in range(0, n, _BLOCK)
        )
        result[observed == n] = logs * (fewest / (n // 2))
    return result


def _log_block(scores: Floats, kernel: Kernel, theta: float) -> Floats:
    """Logarithm of f for complete rows of at most ten scores; equal multisets are computed once."""
    ordered = np.sort(scores, axis=1)
    keys, where = np.unique(ordered - ordered[:, :1], axis=0, return_inverse=True)
    n = keys.shape[1]
    factors = np.ones((len(keys), n + n % 2, n + n % 2))
    factors[:, :n, :n] = 1 - theta * kernel(np.abs(keys[:, :, None] - keys[:, None, :]))
    left, right = _matchings(n + n % 2)
    means: Floats = np.log(factors[:, left, right].prod(axis=2).mean(axis=1))
    return means[where.reshape(-1)]


@lru_cache
def _matchings(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All perfect matchings of n points, n even, as two arrays ((n-1)!!, n/2).

    For an odd number of scores the last point stands for nobody: its pair always has factor 1.
    """
    table = np.array(list(_enumerate(tuple(range(n)))), dtype=np.intp).reshape(-1, n // 2, 2)
    return table[:, :, 0], table[:, :, 1]


def _enumerate(points: tuple[int, ...]) -> list[tuple[tuple[int, int], ...]]:
    if not points:
        return [()]
    first, *rest = points
    return [
        ((first, other), *matching)
        for other in rest
        for matching in _enumerate(tuple(p for p in rest if p != other))
    ]


def log_product(pilot: Pilot, kernel: Kernel, theta: float) -> float | None:
    """Logarithm of prod f_i; a lower bound of it from pair counts; None from the variance alone.

    From pair counts, Jensen's inequality gives log f_i >= K times the mean over all pairs of
    log(1 - theta g); every paper must have the same number of scores.
    """
    if pilot.scores is not None:
        return float(log_matching(pilot.scores, kernel, theta).sum())
    if pilot.differences is None:
        return None
    steps = np.array([float(d) for d in pilot.differences])
    shares = np.array([float(share) for share in pilot.differences.values()])
    return float(pilot.pairs * (shares @ np.log1p(-theta * kernel(steps))))
