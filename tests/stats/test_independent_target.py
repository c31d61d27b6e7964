"""Metrics against independent targets, with plain loops and scipy."""

import importlib.util
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

from rereview.errors import UsageError
from rereview.stats.calibration import Fit, Shape, quick
from rereview.stats.independent_target import Metrics, independent_target, mean_metrics, metrics

_spec = importlib.util.spec_from_file_location(
    "calibration_reference", Path(__file__).with_name("calibration_reference.py")
)
slow = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(slow)

FIT = Fit(Shape(8.0, 0.2, 0.9), 0.7)


@given(st.integers(0, 10_000), st.integers(1, 12))
@settings(max_examples=40, deadline=None)
def test_metrics_against_loops(seed, m):
    """Brier by one-hot targets, the distance by scipy, the rest by sums."""
    rng = np.random.default_rng(seed)
    q, targets = rng.dirichlet(np.full(10, 0.5)), rng.integers(1, 11, m).tolist()
    found = metrics(q, targets)
    assert found.brier == pytest.approx(slow.brier(q, targets), abs=1e-12)
    distance = wasserstein_distance(range(1, 11), targets, u_weights=q)
    assert found.w1 == pytest.approx(distance, abs=1e-12)
    mean = sum((s + 1) * q[s] for s in range(10))
    assert found.mean_error == pytest.approx(abs(mean - np.mean(targets)), abs=1e-12)
    tail = sum(q[5:]) - sum(t >= 6 for t in targets) / m
    assert found.tail_error == pytest.approx(abs(tail), abs=1e-12)
    common = min(range(1, 11), key=lambda s: (-targets.count(s), s))
    assert found.modal_accuracy == (int(np.argmax(q)) + 1 == common)


def test_the_smaller_score_wins_a_tie():
    """Two equally likely scores, the first larger by a rounding, count as the smaller one."""
    q = np.zeros(10)
    q[4], q[6] = 0.5 - 1e-13, 0.5 + 1e-13
    assert metrics(q, [5, 5, 7, 7]).modal_accuracy == 1.0
    assert metrics(q, [7, 7, 5]).modal_accuracy == 0.0


def test_a_perfect_prediction_keeps_the_noise_of_the_targets():
    """Everything is 0 but the Brier loss, which holds the targets' own spread."""
    q = np.zeros(10)
    q[[4, 5]] = 0.5
    found = metrics(q, [5, 6])
    assert found == Metrics(brier=0.5, w1=0.0, modal_accuracy=1.0, mean_error=0.0, tail_error=0.0)


def test_combinations_then_papers():
    """Subsets are averaged within a paper, calls one by one, and papers equally whatever their calls."""
    rng = np.random.default_rng(0)
    calls = [rng.dirichlet(np.ones(10), size) for size in (1, 3)]
    reviews, targets = rng.integers(4, 8, (2, 5)), [rng.integers(4, 8, 10), rng.integers(4, 8, 7)]
    found = independent_target(FIT, calls, reviews, targets)
    assert list(found) == ["quick", "standard", "direct-1", "direct-2", "direct-3", "direct-5"]
    expected = {name: [] for name in ("quick", "standard", "direct-3")}
    for call, row, target in zip(calls, reviews.tolist(), targets, strict=True):
        single = [quick(one, FIT.shape).tolist() for one in call]
        expected["quick"].append(np.mean([slow.brier(q, target) for q in single]))
        pairs = [slow.standard(single[0], list(two), 0.7) for two in combinations(row, 2)]
        expected["standard"].append(np.mean([slow.brier(q, target) for q in pairs]))
        threes = [[three.count(s) / 3 for s in range(1, 11)] for three in combinations(row, 3)]
        expected["direct-3"].append(np.mean([slow.brier(q, target) for q in threes]))
    for name, values in expected.items():
        assert found[name].brier == pytest.approx(np.mean(values), abs=1e-12)


def test_calls_that_do_not_answer_are_left_out():
    """Neither Quick nor Standard sees them; a paper without any answer is an error."""
    call, reviews, targets = np.full((1, 10), 0.1), [[5, 6, 5, 6, 7]], [[5, 6]]
    empty = np.full((1, 10), np.nan)
    alone = independent_target(FIT, [call], reviews, targets)
    assert independent_target(FIT, [np.concatenate([empty, call, empty])], reviews, targets) == alone
    with pytest.raises(UsageError, match="without a candidate in any call"):
        independent_target(FIT, [empty], reviews, targets)


def test_mean_over_no_papers():
    """Nothing to average is an error, not a zero."""
    with pytest.raises(UsageError, match="no paper"):
        mean_metrics([])
