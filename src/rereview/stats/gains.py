"""What changes from one version of a paper, or one way of scoring, to another.

`old[paper, round]` and `new[paper, round]` hold scores of the same papers in the same rows, NaN where
missing; the numbers of rounds may differ. A paper without a score on either side is NaN. The unit of
resampling is the paper, with both sides: per-paper arrays go to `resample`.

1. Can We Believe AI Peer Review?, section 5.1 and appendices E.1, F.3 and F.4.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rereview.stats.association import noise_of_gain
from rereview.stats.exact import exact_means, exact_scores, nearest
from rereview.stats.reliability import Summary, mean_over_papers

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NAN = float("nan")
SIGNS = (1, 0, -1)
"""Order of the rows and columns of a table of directions: positive, zero, negative."""


class Directions(NamedTuple):
    """How two scorers' gains point, as shares of the `n` papers that both scored, NaN without any.

    `same` includes zero with zero, `reversal` is strict, `any_zero` has a zero on at least one side.
    """

    same: float
    reversal: float
    any_zero: float
    n: int


class Fractional(NamedTuple):
    """Whether scores that had to have decimals have them: how many do, and how many are whole."""

    fractional: int
    whole: int


def gains(old: ArrayLike, new: ArrayLike) -> Floats:
    """Mean of the new scores minus mean of the old, in points; shape `[paper]` (F.3 of 1).

    The float nearest to the exact difference of the decimals as written: 0 exactly if it is 0, and
    of its sign otherwise, so that `np.sign` is exact. Unequal numbers of rounds are multiplied
    crosswise.
    """
    before, after = (np.atleast_2d(np.asarray(side, dtype=np.float64)) for side in (old, new))
    both = np.concatenate([before, after], axis=1)
    seen, side = ~np.isnan(both), np.arange(both.shape[1]) < before.shape[1]
    units, denominator = exact_scores(both)
    filled = np.where(seen, units, 0)
    # Python integers: a crosswise product of long decimals can leave int64.
    n_old, n_new = (seen[:, which].sum(axis=1).astype(object) for which in (side, ~side))
    sum_old, sum_new = (filled[:, which].sum(axis=1).astype(object) for which in (side, ~side))
    return nearest(sum_new * n_old - sum_old * n_new, n_old * n_new * denominator)


def paired_shift(old: ArrayLike, new: ArrayLike) -> Floats:
    """Shift of each paper's mean from one protocol to the other, in points; `[paper]` (table S20 of 1).

    Its mean over papers is the shift in location.
    """
    return gains(old, new)


def paired_mae_change(old: ArrayLike, new: ArrayLike, reference: ArrayLike) -> Floats:
    """Change of each paper's absolute error, |new - H| - |old - H|, in points; `[paper]` (table S20 of 1).

    `reference[paper]` is the mean human score. Its mean over papers is the change of the MAE.
    """
    human = np.asarray(reference, dtype=np.float64)
    change: Floats = np.abs(exact_means(new) - human) - np.abs(exact_means(old) - human)
    return change


def all_fractional(scores: ArrayLike) -> Fractional:
    """Check that scores obey a protocol that requires a non-zero fractional part (E.1 of 1)."""
    table = np.asarray(scores, dtype=np.float64)
    seen = table[~np.isnan(table)]
    whole = int((seen == np.rint(seen)).sum())
    return Fractional(seen.size - whole, whole)


def direction_table(first: ArrayLike, second: ArrayLike) -> Integers:
    """Count papers by the signs of two scorers' gains; `[3, 3]`, rows and columns +, 0, - (table S30 of 1).

    `first[paper]` (rows) and `second[paper]` (columns) from `gains`; papers with a NaN are left out.
    """
    rows, columns = (np.sign(np.asarray(side, dtype=np.float64)) for side in (first, second))
    return np.array([[int(((rows == i) & (columns == j)).sum()) for j in SIGNS] for i in SIGNS])


def direction_rates(table: ArrayLike) -> Directions:
    """Shares of a table of directions: same, strictly reversed, any zero (table S31 of 1)."""
    counts = np.asarray(table)
    n = int(counts.sum())
    same, reversal = int(np.trace(counts)), int(counts[0, 2] + counts[2, 0])
    any_zero = int(counts[1].sum() + counts[:, 1].sum() - counts[1, 1])
    if not n:
        return Directions(NAN, NAN, NAN, 0)
    return Directions(same / n, reversal / n, any_zero / n, n)


def gain_noise_sd(old: ArrayLike, new: ArrayLike) -> Summary:
    """SD that scoring alone gives a gain, in points: the mean over papers of √(S_o²/k_o + S_v²/k_v).

    Rooted within each paper, then averaged (table S31 of 1). Papers with fewer than two scores on a
    side are left out.
    """
    return mean_over_papers(np.sqrt(noise_of_gain(old, new)))
