"""Every review budget of one pilot, each with its promise in one line.

[1] Can We Believe AI Peer Review?, section 4.3 and appendix D.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np
from numpy.typing import ArrayLike

from rereview.errors import UsageError
from rereview.stats.bounds import (
    Scale,
    chebyshev_budget,
    hoeffding_budget,
    kl_upper,
    simultaneous_alpha,
    split_failure,
)
from rereview.stats.pilot import Evidence, Number, Pilot, exact, read_pilot

SUCCESS_TARGETS = (0.80, 0.90, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class Budgets:
    """Reviews of each paper by method; None where the evidence does not allow the method.

    Budgets count new reviews, without the pilot's. The bounds are of the mean within-paper variance,
    in squared score points.
    """

    hoeffding: int
    planning: int | None = None
    certified: int | None = None
    simultaneous: int | None = None
    joint: int | None = None
    upper_bound: float | None = None
    variance: float | None = None
    papers: int = 0
    dropped: int = 0
    reviews: int = 0
    """Pilot reviews of the paper with the fewest."""
    pairs: int = 0
    """Independent kernel values, papers x floor(reviews / 2)."""


@dataclass(frozen=True, slots=True)
class SuccessTarget:
    """Budgets when the share of papers within the tolerance is to be `success`."""

    success: float
    planning: int
    certified: int


def budgets(
    evidence: Evidence,
    tolerance: Number,
    *,
    success: Number = 0.95,
    confidence: Number = 0.95,
    scale: Scale = (1, 10),
    models: int = 1,
) -> Budgets:
    """Budgets of one model at one tolerance, from scores, pair counts or the variance alone."""
    range_only = hoeffding_budget(tolerance=tolerance, success=success, scale=scale)
    pilot = read_pilot(evidence, scale)
    if pilot is None:
        return Budgets(hoeffding=range_only)
    alpha = 1 - exact(confidence)
    upper = kl_upper(pilot.variance, pilot.pairs, alpha=alpha, scale=scale)
    together = kl_upper(pilot.variance, pilot.pairs, alpha=simultaneous_alpha(confidence, models), scale=scale)
    pilot_failure, future_failure = split_failure(success)
    joint = kl_upper(pilot.variance, pilot.pairs, alpha=pilot_failure, scale=scale)
    return Budgets(
        hoeffding=range_only,
        planning=chebyshev_budget(pilot.variance, tolerance=tolerance, success=success),
        certified=chebyshev_budget(upper, tolerance=tolerance, success=success),
        simultaneous=chebyshev_budget(together, tolerance=tolerance, success=success),
        joint=chebyshev_budget(joint, tolerance=tolerance, success=1 - future_failure),
        upper_bound=upper,
        variance=float(pilot.variance),
        papers=pilot.papers,
        dropped=pilot.dropped,
        reviews=pilot.reviews,
        pairs=pilot.pairs,
    )
