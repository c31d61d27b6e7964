"""How many reviews of each paper are enough.

The target is A(k, eps), the mean over the papers at hand of P(|mean of k scores - expected score| < eps).
Scores are independent and identically distributed within a paper; papers may differ in any way.

[1] Can We Believe AI Peer Review?, section 4.3 and appendix D.
[2] Hoeffding 1963, Probability inequalities for sums of bounded random variables, section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, log, log1p

import numpy as np
from numpy.typing import ArrayLike

from rereview.errors import UsageError
from rereview.stats.exact import Floats
from rereview.stats.pilot import Number, exact

Scale = tuple[float, float]


def chebyshev_budget(variance: Number, *, tolerance: Number, success: Number = 0.95) -> int:
    """Smallest k with 1 - variance / (k tolerance^2) >= success [1, D.1]; at least 1.

    `variance` is the mean within-paper variance, or an upper bound of it, in squared score points.
    """
    needed = exact(variance) / ((1 - exact(success)) * exact(tolerance) ** 2)
    return max(1, ceil(needed))


def success_lower_bound(variance: Number, reviews: ArrayLike, *, tolerance: Number) -> Floats:
    """Chebyshev's lower bound of A(k, tolerance) at each k of `reviews`, never below 0."""
    k = np.asarray(reviews, dtype=np.float64)
    return np.maximum(0.0, 1.0 - float(exact(variance) / exact(tolerance) ** 2) / k)


def hoeffding_budget(*, tolerance: Number, success: Number = 0.95, scale: Scale = (1, 10)) -> int:
    """Reviews that suffice for every single paper, whatever its scores on the scale [1, D.7]."""
    width = float(exact(scale[1]) - exact(scale[0]))
    failure = float(1 - exact(success))
    return ceil(width**2 * log(2 / failure) / (2 * float(exact(tolerance)) ** 2))


def joint_success(pilot_failure: Number, future_failure: Number) -> Fraction:
    """Lower bound of the success over pilot and future scores together, (1-alpha)(1-beta) [1, D.4]."""
    return (1 - exact(pilot_failure)) * (1 - exact(future_failure))


def split_failure(success: Number) -> tuple[Fraction, Fraction]:
    """Pilot and future failure, one to four, whose joint success is at least `success` [1, D.4]."""
    failure = 1 - exact(success)
    return failure / 5, failure * 4 / 5


def simultaneous_alpha(confidence: Number, models: int) -> Fraction:
    """Pilot failure of each model for which all bounds hold together [1, D.5] (Bonferroni)."""
    if models < 1:
        raise UsageError(f"{models} models", expected="at least one")
    return (1 - exact(confidence)) / models


def variance_cap(scale: Scale) -> Fraction:
    """Largest variance of a score on the scale."""
    return (exact(scale[1]) - exact(scale[0])) ** 2 / 4


def kernel_range(scale: Scale) -> Fraction:
    """Largest value of (y - y')^2 / 2 on the scale, the paper's B."""
    return 2 * variance_cap(scale)


def kl_upper(variance: Number, pairs: int, *, alpha: Number = 0.05, scale: Scale = (1, 10)) -> float:
    """Upper bound U of the mean variance with P(V > U) <= alpha [1, D.3].

    `pairs` is the number of independent kernel values, papers x floor(reviews / 2). U is the root
    above `variance` of pairs * kl(variance / B, U / B) = log(1 / alpha), at most the scale's cap.
    """
    bound, cap = float(kernel_range(scale)), float(variance_cap(scale))
    p = float(exact(variance)) / bound
    needed = -log(float(exact(alpha))) / pairs
    return first_true(lambda u: _kl(p, u / bound) >= needed, p * bound, cap)


def share_upper(share: Number, trials: int, *, alpha: Number = 0.05) -> float:
    """Upper bound of the mean of `trials` independent values in [0, 1] with mean `share` [2]; at most 1."""
    p, needed = float(exact(share)), -log(float(exact(alpha))) / trials
    return first_true(lambda q: _kl(p, q) >= needed, p, 1.0)


def _kl(p: float, q: float) -> float:
    """Divergence between two coins, in nats; `p` from 0 to 1, `q` strictly between."""
    head = p * log(p / q) if p else 0.0
    tail = (1 - p) * (log1p(-p) - log1p(-q)) if p < 1 else 0.0
    return head + tail


def first_true(test: Callable[[float], bool], low: float, high: float) -> float:
    """Smallest float in (low, high] where a monotone test holds; `high` where it never does."""
    if low >= high:
        return high
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (low, middle) if test(middle) else (middle, high)
    return high
