"""Every review budget of one pilot, each with its promise in one line.

[1] Can We Believe AI Peer Review?, section 4.3 and appendix D.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

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
from rereview.stats.certify import (
    in_steps,
    lattice_budget,
    lattice_holds,
    lattice_step,
    tables_for,
    tighter_upper,
)
from rereview.stats.matching import Matched, matched
from rereview.stats.pilot import Evidence, Number, Pilot, exact, read_pilot
from rereview.stats.promises import Terms, promises

SUCCESS_TARGETS = (0.80, 0.90, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class Reuse:
    """Whether the pilot's own first k reviews carry the certificate, k fixed before they were seen.

    Then a mean of those k reviews is certified and off by the tolerance or more with probability at most
    max(alpha, beta) for a paper taken at random: the success is a constant, so either it is high enough,
    or the certificate is given with probability at most alpha.
    """

    certified: bool
    """k = all reviews of the pilot."""
    certified_tighter: bool | None = None
    lattice: bool | None = None
    """k = `lattice_reviews`, tested alone and not in the fixed sequence."""
    lattice_reviews: int | None = None
    """Largest k with a table that the pilot has reviews for."""


@dataclass(frozen=True, slots=True)
class Budgets:
    """Reviews of each paper by method; None where the evidence does not allow the method.

    Budgets count new reviews, without the pilot's. The bounds are of the mean within-paper variance,
    in squared score points.
    """

    hoeffding: int
    planning: int | None = None
    certified: int | None = None
    certified_tighter: int | None = None
    lattice: int | None = None
    simultaneous: int | None = None
    joint: int | None = None
    upper_bound: float | None = None
    upper_bound_tighter: float | None = None
    reuse: Reuse | None = None
    variance: float | None = None
    papers: int = 0
    dropped: int = 0
    """Papers with fewer than two scores."""
    reviews: int = 0
    """Pilot reviews of the paper with the fewest."""
    pairs: int = 0
    """Independent kernel values, papers x floor(reviews / 2)."""
    notes: dict[str, str] = field(default_factory=dict)
    """The promise of each budget, or why there is none, by the name of its field."""


@dataclass(frozen=True, slots=True)
class SuccessTarget:
    """Budgets when `success` of the papers are to be within the tolerance; the pilot's confidence stays."""

    success: float
    planning: int | None
    certified: int | None
    certified_tighter: int | None
    lattice: int | None


def budgets(
    evidence: Evidence,
    tolerance: Number,
    *,
    success: Number = 0.95,
    confidence: Number = 0.95,
    scale: Scale = (1, 10),
    models: int = 1,
    doubts: Sequence[str] = (),
    points: Sequence[float] | None = None,
) -> Budgets:
    """Budgets of one model at one tolerance.

    `evidence` is scores (papers, reviews) with NaN for missing, `PairCounts`, or `Variance`. `models` is
    how many models the simultaneous budget covers. `doubts` are reasons why the scores are not independent
    (`rereview.stats.independence`): with any, nothing is certified. `points` are all scores that the form
    allows, None where that is not known. Raises UsageError for scores off the scale and for a tolerance,
    success or confidence that cannot be.
    """
    _check(tolerance, success, confidence)
    terms = Terms(tolerance, success, confidence, models, tuple(doubts))
    range_only = hoeffding_budget(tolerance=tolerance, success=success, scale=scale)
    pilot = read_pilot(evidence, scale)
    if pilot is None:
        return Budgets(
            range_only,
            dropped=len(np.asarray(evidence)),
            notes=promises(terms, None, integers=False, refused=False),
        )
    plain = Budgets(
        range_only,
        planning=chebyshev_budget(pilot.variance, tolerance=tolerance, success=success),
        variance=float(pilot.variance),
        papers=pilot.papers,
        dropped=pilot.dropped,
        reviews=pilot.reviews,
        pairs=pilot.pairs,
    )
    if doubts:
        return replace(plain, notes=promises(terms, pilot, integers=False, refused=False))
    known, differences = _classic(plain, pilot, terms, scale), matched(pilot)
    step = lattice_step(pilot, scale, points)
    if differences:
        known = _tighter(known, differences, terms, scale)
        known = _lattice(known, differences, terms, step) if step else known
    refused = step is not None and known.lattice is None and bool(tables_for(exact(tolerance) / step))
    return replace(known, notes=promises(terms, pilot, integers=step is not None, refused=refused))


def _classic(plain: Budgets, pilot: Pilot, terms: Terms, scale: Scale) -> Budgets:
    """Budgets from the variance and the number of pairs."""

    def bound(alpha: Number) -> float:
        return kl_upper(pilot.variance, pilot.pairs, alpha=alpha, scale=scale)

    upper = bound(terms.alpha)
    certified = _needed(upper, terms)
    pilot_failure, future_failure = split_failure(terms.success)
    return replace(
        plain,
        certified=certified,
        simultaneous=_needed(bound(simultaneous_alpha(terms.confidence, terms.models)), terms),
        joint=_needed(bound(pilot_failure), replace(terms, success=1 - future_failure)),
        upper_bound=upper,
        reuse=Reuse(certified=certified <= pilot.reviews),
    )


def _tighter(known: Budgets, evidence: Matched, terms: Terms, scale: Scale) -> Budgets:
    """Budgets from the pair differences."""
    upper = tighter_upper(evidence, alpha=terms.alpha, scale=scale)
    certified = _needed(upper, terms)
    return replace(
        known,
        certified_tighter=certified,
        upper_bound_tighter=upper,
        reuse=known.reuse and replace(known.reuse, certified_tighter=certified <= known.reviews),
    )


def _lattice(known: Budgets, differences: Matched, terms: Terms, step: Fraction) -> Budgets:
    """Budgets from the pair differences of scores that are whole steps."""
    tables, evidence = tables_for(exact(terms.tolerance) / step), in_steps(differences, step)
    fitting = [table for table in tables if table.k <= known.reviews]
    reuse = known.reuse
    if reuse and fitting:
        holds = lattice_holds(evidence, fitting[-1], success=terms.success, alpha=terms.alpha)
        reuse = replace(reuse, lattice=holds, lattice_reviews=fitting[-1].k)
    budget = lattice_budget(evidence, tables, success=terms.success, alpha=terms.alpha)
    return replace(known, lattice=budget, reuse=reuse)


def _needed(bound: float, terms: Terms) -> int:
    return chebyshev_budget(bound, tolerance=terms.tolerance, success=terms.success)


def success_targets(
    evidence: Evidence,
    tolerance: Number,
    *,
    confidence: Number = 0.95,
    scale: Scale = (1, 10),
    targets: Sequence[float] = SUCCESS_TARGETS,
    points: Sequence[float] | None = None,
) -> tuple[SuccessTarget, ...]:
    """Planning and certified budgets at several success targets, one confidence throughout [1, D.5]."""
    rows = []
    for success in targets:
        found = budgets(
            evidence, tolerance, success=success, confidence=confidence, scale=scale, points=points
        )
        rows.append(
            SuccessTarget(success, found.planning, found.certified, found.certified_tighter, found.lattice)
        )
    return tuple(rows)


def half_and_whole(
    scores: ArrayLike,
    tolerance: Number,
    *,
    success: Number = 0.95,
    confidence: Number = 0.95,
    scale: Scale = (1, 10),
    points: Sequence[float] | None = None,
) -> tuple[Budgets, Budgets]:
    """Budgets from the first floor(n / 2) rounds of a pilot of n, and from all of them [1, D.6].

    `scores` is (papers, rounds), NaN where missing.
    """
    table = np.asarray(scores, dtype=np.float64)
    first, whole = (
        budgets(part, tolerance, success=success, confidence=confidence, scale=scale, points=points)
        for part in (table[..., : table.shape[-1] // 2], table)
    )
    return first, whole


def _check(tolerance: Number, success: Number, confidence: Number) -> None:
    if exact(tolerance) <= 0:
        raise UsageError(f"tolerance {tolerance!r}", expected="a positive number of score points")
    for name, share in (("success", success), ("confidence", confidence)):
        if not 0 < exact(share) < 1:
            raise UsageError(f"{name} {share!r}", expected="a share between 0 and 1, such as 0.95")
