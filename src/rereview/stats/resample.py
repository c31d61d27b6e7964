"""Intervals: what a mean over rounds or over papers can be trusted to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Floats = NDArray[np.float64]

Reason = Literal["too-few-units", "no-spread", "undefined"]

FEWEST_ROUNDS = 3


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


def t_interval(scores: ArrayLike, *, low: float, high: float, level: float = 0.95) -> Interval:
    """Student t interval for the expected score of one paper, from its rounds.

    `scores[round]` on a scale from `low` to `high`, NaN for a round without a score. The value is
    the mean of the K observed rounds, the limits are

        mean ± t(K - 1, (1 + level) / 2) · S / √K        (1)

    cut at the ends of the scale. The unit is the round. There are no limits, and a reason, for
    K < 3 and for K equal scores: no spread seen is not no spread.

    1. Student (1908), The probable error of a mean, Biometrika 6, section III.
    """
    given = np.asarray(scores, dtype=np.float64).ravel()
    seen = given[~np.isnan(given)]
    n, dropped = seen.size, given.size - seen.size
    value = float(seen.mean()) if n else None
    if value is None or n < FEWEST_ROUNDS:
        return Interval(value, None, None, level, n, dropped, reason="too-few-units")
    if bool((seen == seen[0]).all()):
        return Interval(value, None, None, level, n, dropped, reason="no-spread")
    half = _t_quantile(level, n - 1) * float(seen.std(ddof=1)) / np.sqrt(n)
    below, above = value - half, value + half
    return Interval(
        value,
        float(max(below, low)),
        float(min(above, high)),
        level,
        n,
        dropped,
        cut_low=bool(below < low),
        cut_high=bool(above > high),
    )


def _t_quantile(level: float, freedom: float) -> float:
    return float(stats.t.ppf((1 + level) / 2, freedom))
