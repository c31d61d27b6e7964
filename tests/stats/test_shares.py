"""Intervals of shares over papers: against leaving out by hand, and by simulated coverage."""

import math

import numpy as np
import pytest
from scipy import stats

from rereview.stats.shares import share_difference, share_interval

FOUND = [3, 0, 5, 8, 2, 1, 9]
ERRORS = [10, 4, 9, 12, 2, 8, 20]


def by_hand(found, errors, level=0.95):
    """Leave each paper out, one after the other."""
    share = sum(found) / sum(errors)
    without = [(sum(found) - a) / (sum(errors) - b) for a, b in zip(found, errors, strict=True)]
    error = math.sqrt(sum((each - share) ** 2 for each in without))
    papers = sum(errors) ** 2 / sum(b * b for b in errors)
    half = stats.t.ppf((1 + level) / 2, papers - 1) * error / (share * (1 - share))
    odds = math.log(share / (1 - share))
    return share, 1 / (1 + math.exp(half - odds)), 1 / (1 + math.exp(-half - odds))


def test_limits_are_those_of_leaving_out():
    """On log odds, with the freedom of the effective number of papers."""
    found = share_interval([*FOUND, 0], [*ERRORS, 0])
    assert (found.value, found.low, found.high) == pytest.approx(by_hand(FOUND, ERRORS))
    assert (found.n, found.dropped) == (7, 1)
    narrow = share_interval(FOUND, ERRORS, level=0.5)
    assert (narrow.low, narrow.high) == pytest.approx(by_hand(FOUND, ERRORS, 0.5)[1:])


def test_a_share_and_its_complement_have_mirrored_limits():
    """What is not found is one minus what is."""
    found = share_interval(FOUND, ERRORS)
    missed = share_interval(np.subtract(ERRORS, FOUND), ERRORS)
    assert (missed.low, missed.high) == pytest.approx((1 - found.high, 1 - found.low))


@pytest.mark.parametrize(
    ("found", "errors", "value", "reason"),
    [
        ([0] * 8, [5] * 8, 0.0, "no-spread"),
        ([5] * 8, [5] * 8, 1.0, "no-spread"),
        ([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12], 0.5, "no-spread"),
        ([1, 2, 3, 4, 5], [5] * 5, 0.6, "too-few-units"),
        ([0] * 8, [0] * 8, None, "too-few-units"),
    ],
)
def test_without_evidence_of_spread_there_are_no_limits(found, errors, value, reason):
    """Nothing found is no limit of zero, and no errors are no recall."""
    made = share_interval(found, errors)
    assert (made.value, made.low, made.high, made.reason) == (value, None, None, reason)


def test_a_share_above_one_is_refused():
    """More found than there are."""
    with pytest.raises(ValueError, match="numerators from 0 to their denominators"):
        share_interval([3, 1], [2, 1])


def test_a_difference_leaves_a_paper_out_on_both_sides():
    """By hand; the papers of both sides are paired."""
    other = [4, 1, 6, 9, 1, 2, 12]
    made = share_difference((FOUND, ERRORS), (other, ERRORS))
    total = sum(ERRORS)
    value = (sum(other) - sum(FOUND)) / total
    moved = [
        (sum(other) - b - sum(FOUND) + a) / (total - n) - value
        for a, b, n in zip(FOUND, other, ERRORS, strict=True)
    ]
    papers = total**2 / sum(n * n for n in ERRORS)
    half = stats.t.ppf(0.975, papers - 1) * math.sqrt(sum(each**2 for each in moved))
    assert (made.value, made.low, made.high) == pytest.approx((value, value - half, value + half))


def test_equal_sides_differ_by_nothing():
    """Zero, without limits: nothing moved."""
    made = share_difference((FOUND, ERRORS), (FOUND, ERRORS))
    assert (made.value, made.low, made.reason) == (0, None, "no-spread")


def test_a_side_that_is_not_there_has_no_difference():
    """Unknown is not zero."""
    assert share_difference((FOUND, ERRORS), ([0] * 7, [0] * 7)).value is None


def test_a_side_of_one_paper_has_no_limits():
    """Nothing is left of it without that paper."""
    made = share_difference((FOUND, ERRORS), ([1, *[0] * 6], [2, *[0] * 6]))
    assert made.value is not None
    assert (made.low, made.reason) == (None, "too-few-units")


# -- coverage: truth and studies are drawn by numpy alone ---------------------------------------

EVEN = {"sizes": (8, 25), "shape": (2.0, 3.0)}
FEW = {"sizes": (1, 6), "shape": (2.0, 3.0)}
RARE = {"sizes": (8, 25), "shape": (0.7, 9.3)}
NEARLY_ALL = {"sizes": (8, 25), "shape": (9.0, 1.0)}


def drawn(rng, papers, sizes, shape):
    """Errors and detections of one study; rates do not depend on sizes, so the truth is α/(α+β)."""
    errors = rng.integers(*sizes, papers)
    return rng.binomial(errors, rng.beta(*shape, papers)), errors


def linked(rng, papers):
    """Papers with many errors are the easy ones; the truth is Σ n p(n) / Σ n over the sizes."""
    errors = rng.integers(4, 40, papers)
    mean = 0.15 + 0.6 * errors / 40
    return rng.binomial(errors, rng.beta(6 * mean, 6 * (1 - mean))), errors


def coverage(papers, studies, seed, truth, draw):
    rng = np.random.default_rng(seed)
    return np.mean([share_interval(*draw(rng, papers)).holds(truth) is True for _ in range(studies)])


def cases():
    sizes = np.arange(4, 40)
    """True recall, and how a study is drawn."""
    yield float((sizes * (0.15 + 0.6 * sizes / 40)).sum() / sizes.sum()), linked
    for case in (RARE, EVEN, FEW, NEARLY_ALL):
        truth = case["shape"][0] / sum(case["shape"])
        marks = () if case is RARE else pytest.mark.long
        yield pytest.param(truth, lambda rng, papers, case=case: drawn(rng, papers, **case), marks=marks)


@pytest.mark.parametrize("papers", [12, 40])
@pytest.mark.parametrize(("truth", "draw"), list(cases()))
def test_intervals_hold_the_true_recall_in_2000_studies(papers, truth, draw):
    """In at least 0.935 of them, whether papers have few errors or many, and recall is low or high."""
    assert coverage(papers, 2000, 11, truth, draw) >= 0.935


@pytest.mark.parametrize("papers", [12, 40])
def test_differences_hold_the_true_difference(papers):
    """Two reviewers on the same errors of the same papers, one better by a fixed amount on average."""
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(2000):
        errors = rng.integers(8, 25, papers)
        rate = rng.beta(2, 3, papers)
        first, second = rng.binomial(errors, rate), rng.binomial(errors, 0.5 * rate + 0.25)
        held += share_difference((first, errors), (second, errors)).holds(0.05) is True
    assert held >= 0.935 * 2000
