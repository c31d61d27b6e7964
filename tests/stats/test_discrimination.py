"""AUC and pairwise accuracy against loops over pairs and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.stats.discrimination import (
    auc,
    auc_excluding,
    cross_pairs,
    pairwise_accuracy,
    resampled_accuracy,
    resampled_auc,
    resampled_kernel,
)
from rereview.stats.exact import exact_means
from rereview.stats.resample import unit_weights

NAN = float("nan")


def _slow_auc(values, labels):
    """Compare every positive with every negative."""
    found = [
        (a > b) + 0.5 * (a == b)
        for a, first in zip(values, labels, strict=True)
        for b, second in zip(values, labels, strict=True)
        if first and not second
    ]
    return sum(found) / len(found) if found else NAN


@given(st.lists(st.tuples(st.integers(1, 5), st.booleans()), max_size=20))
def test_auc_is_the_share_of_ordered_pairs(papers):
    """Ties count one half; an empty side gives no value."""
    values, labels = [a for a, _ in papers], [b for _, b in papers]
    assert auc(values, labels).value == pytest.approx(_slow_auc(values, labels), abs=1e-12, nan_ok=True)


def test_auc_is_scikit_learns():
    """On tied scores of 63 accepted and 137 other papers, the counts of the paper's appendix A.4."""
    metrics = pytest.importorskip("sklearn.metrics")
    labels = np.arange(200) < 63
    values = np.random.default_rng(0).integers(1, 11, 200) + labels
    found = auc(values, labels)
    assert found.value == pytest.approx(metrics.roc_auc_score(labels, values), abs=1e-12)
    assert (found.positives, found.negatives) == (63, 137)


def test_withdrawn_papers_leave_the_negatives_alone():
    """63 accepted, 137 others of whom 49 withdrew leave 88; an accepted paper stays in any case."""
    labels = np.arange(200) < 63
    withdrawn = np.arange(200) >= 151
    withdrawn[0] = True
    values = np.random.default_rng(0).integers(1, 11, 200)
    found = auc_excluding(values, labels, withdrawn)
    assert (found.positives, found.negatives, found.dropped) == (63, 88, 49)
    assert found.value == pytest.approx(_slow_auc(values[:151], labels[:151]), abs=1e-12)


def test_unknown_scores_and_outcomes_are_left_out():
    """NaN on either side drops the paper and is counted."""
    assert auc([1, 2, NAN, 3], [0, 1, 1, NAN]) == (1, 1, 1, 2)
    assert np.isnan(auc([1, 2], [1, 1]).value)


def test_means_that_are_equal_as_written_tie():
    """A mean of 0.1 and 0.2 is a mean of 0.3 and 0."""
    means = exact_means([[0.1, 0.2], [0.3, 0.0]])
    assert auc(means, [True, False]).value == 0.5


def test_resampled_auc_is_that_of_the_gathered_papers():
    """Papers are drawn, not sides; a draw that lacks a side is undefined."""
    values, labels = np.array([3, 5, 5, 4, 7, NAN, 2]), np.array([1, 0, 1, 0, 0, 1, NAN])
    weights = unit_weights(7, rng=np.random.default_rng(5), draws=300)
    found = resampled_auc(weights, values, labels)
    for draw, one in zip(np.random.default_rng(5).integers(0, 7, (300, 7)), found, strict=True):
        kept = [i for i in draw if not np.isnan(values[i] + labels[i])]
        assert one == pytest.approx(_slow_auc(values[kept], labels[kept]), abs=1e-12, nan_ok=True)
    assert 0 < np.isnan(found).sum() < 300


def test_sides_can_be_resampled_each_alone():
    """Two independent matrices of weights give the plain weighted mean of the kernel."""
    rng = np.random.default_rng(2)
    kernel = rng.random((3, 4))
    first, second = unit_weights(3, rng=rng, draws=50), unit_weights(4, rng=rng, draws=50)
    found = resampled_kernel(first, second, kernel)
    expected = [np.average(kernel, weights=np.outer(u, v)) for u, v in zip(first, second, strict=True)]
    assert found == pytest.approx(expected, abs=1e-12)


def test_pairwise_accuracy_counts_more_comments_on_the_weaker_paper():
    """More is 1, equal one half, fewer 0; a paper without a review drops its pairs."""
    counts = [9, 4, 4, NAN, 2]
    low, high = cross_pairs([0, 1], [2, 3, 4])
    assert pairwise_accuracy(counts, low, high) == (pytest.approx((1 + 1 + 0.5 + 1) / 4), 4, 2)
    assert np.isnan(pairwise_accuracy(counts, [], []).value)


def test_a_paper_of_two_proxies_is_resampled_once():
    """Each pair weighs the product of its papers' copies, over all proxies together."""
    counts = np.array([9.0, 4, 4, 2, 7, NAN])
    sides = [cross_pairs([0, 1], [2, 3]), cross_pairs([0, 4], [1, 5])]
    low, high = (np.concatenate(side) for side in zip(*sides, strict=True))
    weights = unit_weights(6, rng=np.random.default_rng(3), draws=200)
    found = resampled_accuracy(weights, counts, low, high)
    for weight, one in zip(weights, found, strict=True):
        total = wins = 0.0
        for i, j in zip(low, high, strict=True):
            if not np.isnan(counts[i] + counts[j]):
                total += weight[i] * weight[j]
                wins += weight[i] * weight[j] * ((counts[i] > counts[j]) + 0.5 * (counts[i] == counts[j]))
        assert one == pytest.approx(wins / total if total else NAN, abs=1e-12, nan_ok=True)
    assert pairwise_accuracy(counts, low, high).value == pytest.approx(
        resampled_accuracy(np.ones((1, 6)), counts, low, high)[0], abs=1e-12
    )
