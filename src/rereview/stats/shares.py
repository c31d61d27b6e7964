"""Intervals of shares over papers that differ in size: recall, false alarms, selection rates.

A share is Σ a_i / Σ b_i over papers, 0 ≤ a_i ≤ b_i. The linearised interval of `resample` is too narrow
for it where one paper holds much of the denominator, and too symmetric near 0 and 1. Here each paper is left
out in turn (1, 2), the limits are set on the scale of log odds, and Student's t has the freedom of the
effective number of papers (3). docs/interval.md has the simulated coverage of both.

1. Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 11.5 (jackknife).
2. MacKinnon and White (1985), Some heteroskedasticity-consistent covariance matrix estimators, J. of
   Econometrics 29, 305-325 (leaving out; without the factor (G - 1) / G the variance is not too small).
3. Carter, Schnepel and Steigerwald (2017), Asymptotic behavior of a t-test robust to cluster heterogeneity,
   Review of Economics and Statistics 99, 698-709; Kish (1965), Survey Sampling, section 11.7.
"""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from rereview.stats.resample import FEWEST_PAPERS, ROUNDING, Interval

Floats = NDArray[np.float64]
Totals = tuple[ArrayLike, ArrayLike]
"""Numerators and denominators, each one a paper."""


def share_interval(numerators: ArrayLike, denominators: ArrayLike, *, level: float = 0.95) -> Interval:
    """Share R = Σ a_i / Σ b_i, 0 to 1, with limits that stay there.

    `numerators[paper]`, `denominators[paper]`: totals of each paper; papers with b_i = 0 are left out and
    counted as dropped. With R_(i) the share without paper i and w_i = b_i / Σ b,

        SE² = Σ (R_(i) - R)²,   limits = logistic(logit R ± t(1 / Σ w_i² - 1) · SE / (R (1 - R)))

    The unit is the paper. No value for Σ b_i = 0; no limits below six papers, or where all papers have one
    share (nothing found anywhere is not "never finds").
    """
    above, below = _checked((numerators, denominators))
    present = below > 0
    papers = int(present.sum())
    bare = Interval(None, None, None, level, papers, present.size - papers)
    if not papers:
        return replace(bare, reason="too-few-units")
    share = float(above.sum() / below.sum())
    bare = replace(bare, value=share)
    if papers < FEWEST_PAPERS:
        return replace(bare, reason="too-few-units")
    moved = _left_out(above[present], below[present])
    if np.abs(moved).max() <= ROUNDING:
        return replace(bare, reason="no-spread")
    error = float(np.sqrt(moved @ moved)) / (share * (1 - share))
    half = _quantile(below[present] / below.sum(), level) * error
    odds = log(share / (1 - share))
    return replace(bare, low=_logistic(odds - half), high=_logistic(odds + half))


def share_difference(first: Totals, second: Totals, *, level: float = 0.95) -> Interval:
    """Share of `second` minus share of `first` over the same papers, -1 to 1.

    Papers are left out on both sides at once, so that what both share is paired; a paper with b_i = 0 on one
    side is of the other alone. The weights w_i are the means of both sides. Limits are cut at -1 and 1. The
    unit is the paper; no value unless both shares exist.
    """
    sides = [_checked(second), _checked(first)]
    present = (sides[0][1] > 0) | (sides[1][1] > 0)
    papers = int(present.sum())
    bare = Interval(None, None, None, level, papers, present.size - papers)
    if not all(below.sum() > 0 for _, below in sides):
        return replace(bare, reason="too-few-units")
    shares = [float(above.sum() / below.sum()) for above, below in sides]
    bare = replace(bare, value=shares[0] - shares[1])
    if papers < FEWEST_PAPERS or any(_alone(below) for _, below in sides):
        return replace(bare, reason="too-few-units")
    moved = (_left_out(*sides[0]) - _left_out(*sides[1]))[present]
    if np.abs(moved).max() <= ROUNDING:
        return replace(bare, reason="no-spread")
    weights = sum(below / below.sum() for _, below in sides)[present] / 2
    half = _quantile(weights, level) * float(np.sqrt(moved @ moved))
    low, high = shares[0] - shares[1] - half, shares[0] - shares[1] + half
    return replace(bare, low=max(low, -1.0), high=min(high, 1.0), cut_low=low < -1, cut_high=high > 1)


def drawn_interval(share: float, draws: Floats, denominators: ArrayLike, *, level: float = 0.95) -> Interval:
    """Limits of a share whose making holds a choice, such as that of the best model, made anew in each draw.

    `draws[draw]` are the shares of bootstrap draws of papers (NaN: undefined, left out and counted),
    `denominators[paper]` those of the share on the papers as they are. As `share_interval`, with

        SE² = G / (G - 1) · variance of the draws

    so that a choice that changes from draw to draw widens the limits. It does not take away that the chosen
    share is too high on the papers on which it was chosen.
    """
    below = np.asarray(denominators, dtype=np.float64)
    papers = int((below > 0).sum())
    known = draws[~np.isnan(draws)]
    bare = Interval(
        None if np.isnan(share) else share, None, None, level, papers, undefined=draws.size - known.size
    )
    if papers < FEWEST_PAPERS or np.isnan(share):
        return replace(bare, reason="too-few-units")
    error = float(known.std()) * (papers / (papers - 1)) ** 0.5 if known.size else 0.0
    if error <= ROUNDING or share in {0.0, 1.0}:
        return replace(bare, reason="no-spread")
    half = _quantile(below / below.sum(), level) * error / (share * (1 - share))
    odds = log(share / (1 - share))
    return replace(bare, low=_logistic(odds - half), high=_logistic(odds + half))


def _checked(totals: Totals) -> tuple[Floats, Floats]:
    above, below = (np.asarray(side, dtype=np.float64) for side in totals)
    if (above < 0).any() or (above > below + ROUNDING * np.abs(below)).any():
        raise ValueError("a share has numerators from 0 to their denominators")
    return above, below


def _left_out(above: Floats, below: Floats) -> Floats:
    """How far the share moves when each paper is left out; 0 for a paper that is not in it."""
    total = below.sum()
    residuals = above - above.sum() / total * below
    moved: Floats = -residuals / np.where(total > below, total - below, np.inf)
    return moved


def _alone(below: Floats) -> bool:
    """Whether one paper holds everything: nothing is left without it."""
    return bool(below.max() >= below.sum())


def _quantile(weights: Floats, level: float) -> float:
    """Student's t at the effective number of papers less one."""
    return float(special.stdtrit(1 / float(weights @ weights) - 1, (1 + level) / 2))


def _logistic(odds: float) -> float:
    return float(special.expit(odds))
