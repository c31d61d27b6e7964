"""How much did nobody find: capture-recapture from what several passes found.

A pass is one reading (a round, a model or a system). An item (an error, a merged issue) has a count: how many
of the passes found it. Items that many passes found leave few unseen; many items that one pass alone found
speak of more.

Assumptions. The items are fixed while the passes read. Two findings are known to be one item or not, so that
a merge which is too fine makes the estimate too high, one which is too coarse too low. Passes are independent
given the item: where passes share a model their findings agree more than chance, and the estimate is too low.
Items need not be equally easy: then the expected value is a lower bound of their number, and items that no
pass can find are not counted at all. Passes are equally good: where one finds far more than the others, most
of its items are found by one pass alone, and the estimate is too high, by any factor.

1. Chao (1987), Estimating the population size for capture-recapture data with unequal catchability,
   Biometrics 43, 783-791 (eq. 4: the bound; eq. 11: the interval on the logarithm of what is unseen).
2. Chao (2005), Species estimation and applications, Encyclopedia of Statistical Sciences 12, 7907-7916
   (the bias-corrected form for incidences and its variance).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from rereview.stats.resample import Interval

FEWEST_PASSES = 2


@dataclass(frozen=True)
class Overlap:
    """What `passes` passes found: items found, by one pass alone, by exactly two; and the estimates.

    `total` and `unseen` are numbers of items; their `n` is the number of passes.
    """

    passes: int
    found: int
    once: int
    twice: int
    total: Interval
    unseen: Interval


def chao(counts_of_each_item: ArrayLike, passes: int, *, level: float = 0.95) -> Overlap:
    """Lower bound of the number of items, bias-corrected (2), with its interval (1).

    `counts_of_each_item[item]` are whole numbers from 0 to `passes`; items that no pass found may be listed
    with 0 and change nothing. With t passes, D items found, Q1 by one pass alone and Q2 by two,

        total = D + (t - 1)/t · Q1 (Q1 - 1) / (2 (Q2 + 1)),   unseen = total - D

    and the limits of what is unseen are T / K and T K, with T = total - D, K = exp(z √log(1 + var / T²)).

    The limits are an approximation: with equally easy items they held the true number in .95 of 2,000
    simulated cases of 200 items, .93 of 40 items and .86 of 20.

    No value with fewer than two passes or nothing found: nothing is then known of what is unseen. No limits
    where nothing is estimated to be unseen (Q1 < 2). Raises ValueError for a count that is no whole number of
    passes.
    """
    counts = _counts(counts_of_each_item, passes)
    found, once, twice = (int((counts >= 1).sum()), int((counts == 1).sum()), int((counts == 2).sum()))  # noqa: PLR2004
    bare = Interval(None, None, None, level, passes, reason="too-few-units")
    if passes < FEWEST_PASSES or not found:
        return Overlap(passes, found, once, twice, bare, bare)
    share = (passes - 1) / passes
    more = share * once * max(once - 1, 0) / (2 * (twice + 1))
    unseen = _limits(replace(bare, value=more, reason="no-spread"), _variance(share, once, twice, found))
    return Overlap(passes, found, once, twice, _raised(unseen, found), unseen)


def _counts(given: ArrayLike, passes: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    counts = np.asarray(given, dtype=np.float64).ravel()
    wrong = counts[~((counts >= 0) & (counts <= passes) & (counts % 1 == 0))]
    if wrong.size:
        raise ValueError(f"a count of {wrong[0]:g}; whole numbers from 0 to the {passes} passes are right")
    return counts


def _variance(share: float, once: int, twice: int, found: int) -> float:
    """Of the bias-corrected estimate (2); with Q2 = 0 its own form."""
    if twice == 0:
        total = found + share * once * (once - 1) / 2
        first = share * once * (once - 1) / 2
        return first + share**2 * (once * (2 * once - 1) ** 2 / 4 - once**4 / (4 * total))
    doubled = 2 * (twice + 1)
    return (
        share * once * (once - 1) / doubled
        + share**2 * once * (2 * once - 1) ** 2 / doubled**2
        + share**2 * once**2 * twice * (once - 1) ** 2 / (4 * (twice + 1) ** 4)
    )


def _limits(unseen: Interval, variance: float) -> Interval:
    """Limits on the logarithm, so that they never fall below what was found (1, eq. 11)."""
    if not unseen.value or variance <= 0:
        return unseen
    spread = np.sqrt(np.log1p(variance / unseen.value**2))
    factor = float(np.exp(special.ndtri((1 + unseen.level) / 2) * spread))
    return replace(unseen, low=unseen.value / factor, high=unseen.value * factor, reason=None)


def _raised(unseen: Interval, found: int) -> Interval:
    """What was found and what is unseen, together."""

    def above(value: float | None) -> float | None:
        return None if value is None else found + value

    return replace(unseen, value=above(unseen.value), low=above(unseen.low), high=above(unseen.high))
