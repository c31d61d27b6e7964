"""Reliability of repeated scores against loops over exact fractions."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from rereview.stats.reliability import pairwise_exact_agreement, within_sd

NAN = float("nan")


def _observed(row):
    return [Fraction(str(float(x))) for x in row if not np.isnan(x)]


def _slow_variance(row):
    seen = _observed(row)
    mean = sum(seen) / len(seen)
    return sum((x - mean) ** 2 for x in seen) / (len(seen) - 1)


def _slow_agreement(row):
    pairs = list(combinations(_observed(row), 2))
    return Fraction(sum(a == b for a, b in pairs), len(pairs))


def _slow_mean(per_paper, scores):
    values = [per_paper(row) for row in scores if len(_observed(row)) > 1]
    return float(sum(values) / len(values))


@pytest.fixture
def scores():
    """Thirty papers, six rounds, one in five scores missing, some papers nearly empty."""
    rng = np.random.default_rng(7)
    table = np.clip(rng.integers(2, 9, (30, 1)) + rng.integers(-1, 2, (30, 6)), 1, 10).astype(float)
    table[rng.random(table.shape) < 0.2] = NAN
    table[0, 1:] = NAN
    table[1] = NAN
    return table


def test_within_sd_averages_variances_and_then_takes_the_root(scores):
    """The mean of the papers' exact variances, rooted; papers with one score are left out."""
    value, n, dropped = within_sd(scores)
    assert value == pytest.approx(_slow_mean(_slow_variance, scores) ** 0.5, abs=1e-12)
    assert (n, dropped) == (28, 2)


def test_within_sd_of_scores_that_never_moved_is_exactly_zero():
    """Equal decimals leave no rounding behind."""
    assert within_sd([[0.1] * 10, [0.7] * 10]) == (0.0, 2, 0)


def test_agreement_averages_pairs_within_a_paper_first(scores):
    """Papers with few rounds weigh as much as papers with many."""
    value, n, dropped = pairwise_exact_agreement(scores)
    assert value == pytest.approx(_slow_mean(_slow_agreement, scores), abs=1e-12)
    assert (n, dropped) == (28, 2)


def test_a_single_review_says_nothing_of_reliability():
    """One round a paper gives no value, not a perfect one."""
    for statistic in (within_sd, pairwise_exact_agreement):
        value, n, dropped = statistic([[5], [6]])
        assert np.isnan(value)
        assert (n, dropped) == (0, 2)


def test_no_papers_give_no_value():
    """An empty table is undefined."""
    assert np.isnan(within_sd(np.empty((0, 5))).value)
    assert np.isnan(pairwise_exact_agreement(np.empty((0, 5))).value)
