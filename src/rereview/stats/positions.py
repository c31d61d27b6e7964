"""Whether what is chosen from a list depends on where it stands there, or on its size.

Items are shown in runs (one prompt, or one batch of it); flat arrays have one entry an item. A run in which
everything was chosen says nothing of preference: it is left out and counted.

1. Benchmarking Agentic Review Systems, appendix (selection of candidate spans).
2. Mann and Whitney (1947), On a test of whether one of two random variables is stochastically larger,
   Annals of Mathematical Statistics 18, section 3 (distribution of a sum of ranks, its moments).
3. Phipson and Smyth (2010), Permutation p-values should never be zero, Statistical Applications in Genetics
   and Molecular Biology 9, eq. 2.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

QUARTILES = 4
NAN = float("nan")
_ROUNDING = 1e-9


class QuartileTotals(NamedTuple):
    """Items chosen and shown by paper and quartile, `[paper, 4]`; runs used and left out.

    Column j of both goes to `resample.linearised_ratio`, two columns to `linearised_difference`.
    """

    chosen: Integers
    shown: Integers
    runs: int
    dropped: int


class PositionTest(NamedTuple):
    """Sum of the positions chosen, its mean and variance under no preference, and a two-sided p.

    Over `runs` runs; NaN if none is left. `dropped` runs chose everything or nothing.
    """

    total: int
    expected: float
    variance: float
    p: float
    runs: int
    dropped: int


def within_run_quartiles(values: ArrayLike, runs: ArrayLike) -> Integers:
    """Quartile of each item's value among those of its run, 0 to 3; shape `[item]`.

    By average rank r of m: ⌊4 (r - ½) / m⌋, so that equal values share a quartile (the source does not print
    its rule).
    """
    sizes, names = np.asarray(values, dtype=np.float64), np.asarray(runs)
    quartiles = np.zeros(sizes.shape, dtype=np.int64)
    for run in np.unique(names):
        items = np.flatnonzero(names == run)
        _, place, ties = np.unique(sizes[items], return_inverse=True, return_counts=True)
        # The last of t equal values has rank e, their average rank r is e - (t - 1) / 2: 2r - 1 is whole.
        doubled = (2 * np.cumsum(ties) - ties)[place]
        quartiles[items] = QUARTILES * doubled // (2 * items.size)
    return quartiles


def quartile_totals(
    values: ArrayLike, selected: ArrayLike, runs: ArrayLike, papers: ArrayLike
) -> QuartileTotals:
    """Count what was chosen and shown by paper and within-run quartile of `values[item]` (1).

    `selected[item]` is True or False, `runs[item]` any label, `papers[item]` a row from 0. Only runs in which
    everything was chosen are left out here: a run that chose nothing has a rate.
    """
    chosen, names, rows = (
        np.asarray(selected, dtype=np.bool_),
        np.asarray(runs),
        np.asarray(papers, dtype=np.int64),
    )
    labels, place = np.unique(names, return_inverse=True)
    refused = np.bincount(place, ~chosen, labels.size) > 0
    kept = refused[place]
    cells = rows * QUARTILES + within_run_quartiles(values, names)
    size = QUARTILES * (int(rows.max(initial=-1)) + 1)
    picked, presented = (
        np.bincount(cells[which], minlength=size).reshape(-1, QUARTILES) for which in (kept & chosen, kept)
    )
    return QuartileTotals(picked, presented, int(refused.sum()), int(labels.size - refused.sum()))


def position_permutation_test(
    selected: ArrayLike, runs: ArrayLike, *, rng: np.random.Generator, draws: int = 10_000
) -> PositionTest:
    """Permute the choice within each run, to see whether the chosen stand early or late (1).

    `selected[item]` in the order shown, `runs[item]` any label. The statistic is the sum of positions (1 is
    first) of the chosen, p = (1 + #{as far from the mean}) / (draws + 1) (3). Sums are drawn from their
    permutation distribution, which is the same as permuting.
    """
    found, shapes = _observed(selected, runs)
    if not shapes:
        return found
    sums = np.zeros(draws)
    for items, chosen in shapes:
        sums += rng.choice(np.arange(items * (items + 1) // 2 + 1), size=draws, p=_sum_chances(items, chosen))
    far = np.abs(sums - found.expected) >= abs(found.total - found.expected) - _ROUNDING
    return found._replace(p=(1 + int(far.sum())) / (draws + 1))


def position_exact_p(selected: ArrayLike, runs: ArrayLike) -> PositionTest:
    """Compute the p of `position_permutation_test` over all permutations (2); to about 1e-14."""
    found, shapes = _observed(selected, runs)
    if not shapes:
        return found
    chances = np.ones(1)
    for items, chosen in shapes:
        chances = np.convolve(chances, _sum_chances(items, chosen))
    distance = np.abs(np.arange(chances.size) - found.expected)
    far = distance >= abs(found.total - found.expected) - _ROUNDING
    return found._replace(p=min(1.0, float(chances[far].sum())))


def _observed(selected: ArrayLike, runs: ArrayLike) -> tuple[PositionTest, list[tuple[int, int]]]:
    """Sum of positions, its moments k (m + 1) / 2 and k (m - k)(m + 1) / 12 a run, and each run's (m, k)."""
    chosen, names = np.asarray(selected, dtype=np.bool_), np.asarray(runs)
    total, shapes, dropped = 0, [], 0
    for run in np.unique(names):
        picked = chosen[names == run]
        m, k = picked.size, int(picked.sum())
        if k in (0, m):
            dropped += 1
            continue
        total += int((np.flatnonzero(picked) + 1).sum())
        shapes.append((m, k))
    expected = sum(k * (m + 1) for m, k in shapes) / 2
    variance = sum(k * (m - k) * (m + 1) for m, k in shapes) / 12
    return PositionTest(total, expected, variance, NAN, len(shapes), dropped), shapes


@lru_cache(maxsize=256)
def _sum_chances(items: int, chosen: int) -> Floats:
    """Chance of each sum of `chosen` different positions out of 1 to `items`; index is the sum."""
    ways = np.zeros((chosen + 1, items * (items + 1) // 2 + 1))
    ways[0, 0] = 1
    for position in range(1, items + 1):
        # From the largest subsets down, so that a position is taken once.
        for size in range(min(position, chosen), 0, -1):
            ways[size, position:] += ways[size - 1, :-position]
    chances: Floats = ways[chosen] / ways[chosen].sum()
    return chances
