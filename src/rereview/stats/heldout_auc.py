"""How well Quick, Standard and direct reviews tell accepted papers apart, on the held-out papers.

Predictions are expected scores; nothing is fitted to the outcome.

[1] Can We Believe AI Peer Review?, appendix E.7.
"""

from __future__ import annotations

from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rereview.errors import UsageError
from rereview.stats.calibration import POINTS, Fit, Points, quick
from rereview.stats.exact import Floats
from rereview.stats.heldout import DIRECT, Booleans

Subsets = Literal["shared", "independent"]

AUC_COLUMNS = ("quick", "standard", *(f"direct-{n}" for n in DIRECT))

_DIGITS = 12
"""Decimals of an expected score that count: products of the same numbers may differ in the last bit."""


class HeldOutAuc(NamedTuple):
    """Mean AUC over combinations of reviews, then over splits; NaN where no split has both outcomes."""

    values: Floats
    """By `AUC_COLUMNS`, 0 to 1."""
    splits: int
    """Splits whose test papers have both outcomes; the others are left out."""
    dropped: int
    """Papers without a known outcome."""


def heldout_auc(
    probabilities: ArrayLike,
    targets: ArrayLike,
    positive: ArrayLike,
    train: Booleans,
    fits: tuple[Fit, ...],
    *,
    subsets: Subsets = "shared",
    points: Points = POINTS,
) -> HeldOutAuc:
    """AUC of expected scores on the test papers of every split [1, E.7].

    `probabilities` (papers, points) of one call, `targets` (papers, reviews) scores out of the `points`,
    `positive` (papers,) True, False or NaN for a paper that is left out (withdrawn, unknown), `train` and
    `fits` of `held_out`.
    All combinations of n reviews are taken: with `shared` subsets the same rounds for all papers, with
    `independent` ones each paper its own, as an exact expectation over all pairs of subsets.
    """
    outcome, scores = np.asarray(positive, dtype=np.float64), np.asarray(targets, dtype=np.float64)
    if scores.shape[1] < max(DIRECT):
        raise UsageError(f"reviews a paper: {scores.shape[1]}", expected=f"at least {max(DIRECT)}")
    direct = [_sums(scores, n) for n in DIRECT]
    rows = []
    for split, found in zip(train, fits, strict=True):
        high, low = (np.flatnonzero(~split & (outcome == side)) for side in (1, 0))
        if len(high) and len(low):
            expected = np.round(quick(probabilities, found.shape, points) @ np.array(points), _DIGITS)[
                :, None
            ]
            mixed = np.round(found.weight * direct[1] / 2 + (1 - found.weight) * expected, _DIGITS)
            columns = [expected, mixed, *direct]
            rows.append([_auc(column[high], column[low], subsets) for column in columns])
    values = np.mean(rows, axis=0) if rows else np.full(len(AUC_COLUMNS), np.nan)
    return HeldOutAuc(values, len(rows), int(np.isnan(outcome).sum()))


def _sums(scores: Floats, reviews: int) -> Floats:
    """Sums over every subset of the rounds, (papers, subsets): exact, where means would tie by luck."""
    subsets = list(combinations(range(scores.shape[1]), reviews))
    sums: Floats = scores[:, subsets].sum(axis=2)
    return sums


def _auc(high: Floats, low: Floats, subsets: Subsets) -> float:
    """Mean over subsets of P(high > low) with ties one half, for (papers, subsets) on both sides."""
    if subsets == "shared":
        return float(_above(high[:, None, :], low[None, :, :]).mean())
    # One subset of the high papers at a time against all subsets of the low ones.
    return float(np.mean([_above(column[:, None, None], low[None, :, :]).mean() for column in high.T]))


def _above(one: Floats, other: Floats) -> Floats:
    half_points: Floats = (one > other) + 0.5 * (one == other)
    return half_points
