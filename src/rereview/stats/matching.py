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

from collections.abc import Callable, Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Block:
    """Complete rows of at most ten scores, equal multisets of differences once."""

    keys: Floats
    """(rows, scores), sorted and shifted to begin at 0."""
    weights: Floats
    """(rows,): papers with this key, each counted as K / K_i."""

    def log_product(self, kernel: Kernel, theta: float) -> float:
        """Sum over the papers of (K / K_i) log f_i."""
        n = self.keys.shape[1]
        factors = np.ones((len(self.keys), n + n % 2, n + n % 2))
        factors[:, :n, :n] = 1 - theta * kernel(np.abs(self.keys[:, :, None] - self.keys[:, None, :]))
        left, right = _matchings(n + n % 2)
        # One pair at a time: five arrays of (rows, matchings) are faster than one of five times the size.
        products = factors[:, left[0], right[0]]
        for one, other in zip(left[1:], right[1:], strict=True):
            products *= factors[:, one, other]
        return float(self.weights @ np.log(products.mean(axis=1)))


@dataclass(frozen=True, slots=True)
class Matched:
    """A pilot reduced to what the e-value reads: blocks of scores, or shares of pair differences."""

    pairs: int
    """N K: disjoint pairs of the whole pilot."""
    blocks: tuple[Block, ...] = ()
    differences: Floats | None = None
    shares: Floats | None = None

    def log_product(self, kernel: Kernel, theta: float) -> float:
        """Logarithm of prod f_i; from pair shares a lower bound of it.

        By Jensen's inequality log f_i >= K times the mean over all pairs of log(1 - theta g).
        """
        if self.differences is None or self.shares is None:
            return sum(block.log_product(kernel, theta) for block in self.blocks)
        return float(self.pairs * (self.shares @ np.log1p(-theta * kernel(self.differences))))


def matched(pilot: Pilot) -> Matched | None:
    """Reduce a pilot; None when only its variance is known.

    A paper with K_i pairs counts as f_i^(K / K_i), K being the smallest K_i, which keeps the bound by
    Jensen's inequality. More than ten reviews are matched in blocks of ten, in the order given.
    """
    if pilot.scores is not None:
        return Matched(pilot.pairs, tuple(_blocks(pilot.scores, pilot.pairs_per_paper)))
    if pilot.differences is None:
        return None
    differences = np.array([float(d) for d in pilot.differences])
    shares = np.array([float(share) for share in pilot.differences.values()])
    return Matched(pilot.pairs, differences=differences, shares=shares)


def _blocks(scores: Floats, pairs_per_paper: int) -> Iterator[Block]:
    observed = np.sum(~np.isnan(scores), axis=1)
    for n in np.unique(observed).tolist():
        rows = scores[observed == n]
        full = rows[~np.isnan(rows)].reshape(len(rows), n)
        for start in range(0, n, _BLOCK):
            ordered = np.sort(full[:, start : start + _BLOCK], axis=1)
            keys, papers = np.unique(ordered - ordered[:, :1], axis=0, return_counts=True)
            yield Block(keys, papers * (pairs_per_paper / (n // 2)))


@lru_cache
def _matchings(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All perfect matchings of n points, n even, as two arrays (n/2, (n-1)!!).

    For an odd number of scores the last point stands for nobody: its pair always has factor 1.
    """
    table = np.array(list(_enumerate(tuple(range(n)))), dtype=np.intp).reshape(-1, n // 2, 2)
    return table[:, :, 0].T.copy(), table[:, :, 1].T.copy()


def _enumerate(points: tuple[int, ...]) -> list[tuple[tuple[int, int], ...]]:
    if not points:
        return [()]
    first, *rest = points
    return [
        ((first, other), *matching)
        for other in rest
        for matching in _enumerate(tuple(p for p in rest if p != other))
    ]
