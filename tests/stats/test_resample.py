"""Intervals against scipy and against their definition."""

import math

import numpy as np
import pytest
from scipy import stats

from rereview.stats.resample import t_interval

NAN = float("nan")


def test_t_interval_is_scipys():
    """The limits are those of scipy's one-sample t test."""
    scores = [5, 6, 6, 7, 5.5]
    ours = t_interval(scores, low=1, high=10, level=0.9)
    theirs = stats.ttest_1samp(scores, 0).confidence_interval(0.9)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert (ours.value, ours.n, ours.reason) == (pytest.approx(np.mean(scores)), 5, None)


def test_t_interval_is_cut_at_the_ends_of_the_scale():
    """A limit beyond the scale stands at its end and is marked; the other side is left alone."""
    upper = t_interval([9, 10, 10], low=1, high=10)
    lower = t_interval([1, 2, 1], low=1, high=10)
    assert (upper.high, upper.cut_high, upper.cut_low) == (10, True, False)
    assert (lower.low, lower.cut_low, lower.cut_high) == (1, True, False)
    assert upper.low == pytest.approx(29 / 3 - stats.t.ppf(0.975, 2) / 3)


def test_t_interval_leaves_missing_rounds_out_and_counts_them():
    """A round without a score is neither zero nor forgotten."""
    with_gap = t_interval([5, NAN, 6, 7], low=1, high=10)
    without = t_interval([5, 6, 7], low=1, high=10)
    assert (with_gap.low, with_gap.high, with_gap.n) == (without.low, without.high, 3)
    assert (with_gap.dropped, without.dropped) == (1, 0)


@pytest.mark.parametrize(
    ("scores", "value", "reason"),
    [
        ([], None, "too-few-units"),
        ([NAN, NAN], None, "too-few-units"),
        ([6], 6, "too-few-units"),
        ([6, 7], 6.5, "too-few-units"),
        ([6, NAN, 7], 6.5, "too-few-units"),
        ([6, 6, 6], 6, "no-spread"),
        ([0.1] * 10, pytest.approx(0.1), "no-spread"),
    ],
)
def test_t_interval_without_evidence_of_spread_has_no_limits(scores, value, reason):
    """Fewer than three rounds, or no spread, give the mean and a reason, never a zero width."""
    interval = t_interval(scores, low=0, high=10)
    assert (interval.value, interval.low, interval.high, interval.reason) == (value, None, None, reason)


def test_t_interval_moves_with_the_scores():
    """Adding a constant to scores far from the ends moves both limits by it."""
    here, there = (t_interval(np.array([4, 5, 5, 6]) + by, low=-100, high=100) for by in (0, 3))
    assert math.isclose(there.low - here.low, 3)
    assert math.isclose(there.high - here.high, 3)
