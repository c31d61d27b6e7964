"""Intervals against scipy and against their definition."""

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from rereview.stats.resample import (
    linearised_difference,
    linearised_mean,
    linearised_ratio,
    percentile_intervals,
    percentile_limits,
    resampled_means,
    resampled_pairs,
    resampled_ratios,
    t_interval,
    unit_weights,
    welch_gain,
    wilson,
)

NAN = float("nan")


def _picks(units, draws, seed):
    return np.random.default_rng(seed).integers(0, units, (draws, units))


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


@pytest.mark.parametrize("sizes", [(3, 3), (3, 10), (5, 4)])
def test_welch_gain_is_scipys(sizes):
    """Value and limits are those of scipy's t test with unequal variances."""
    rng = np.random.default_rng(sum(sizes))
    original, revised = (np.round(rng.normal(5, 1, size), 1) for size in sizes)
    ours = welch_gain([*original, NAN], revised, level=0.9)
    theirs = stats.ttest_ind(revised, original, equal_var=False).confidence_interval(0.9)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert (ours.n, ours.dropped) == (sum(sizes), 1)


def test_a_gain_whose_limits_hold_zero_is_no_change_seen():
    """Known from the limits; without limits it is not known."""
    assert welch_gain([5, 6, 5], [6, 5, 6]).holds(0) is True
    assert welch_gain([2, 3, 2], [8, 9, 8]).holds(0) is False
    assert welch_gain([5, 5, 5], [6, 6, 6]).holds(0) is None


@pytest.mark.parametrize(
    ("original", "revised", "value", "reason"),
    [
        ([5, 5, 5], [6, 6, 6], 1, "no-spread"),
        ([5, 6], [5, 6, 7], 0.5, "too-few-units"),
        ([], [5, 6, 7], None, "too-few-units"),
    ],
)
def test_a_gain_without_evidence_of_spread_has_no_limits(original, revised, value, reason):
    """No spread on either side, or fewer than three rounds, give a reason and never zero width."""
    found = welch_gain(original, revised)
    assert (found.value, found.low, found.reason) == (value, None, reason)


def test_a_side_without_spread_adds_nothing():
    """With one constant side the gain's limits are those of the other, with its freedom."""
    moved = t_interval([5, 6, 7, 7], low=-99, high=99)
    gain = welch_gain([2, 2, 2], [5, 6, 7, 7])
    assert (gain.low + 2, gain.high + 2) == pytest.approx((moved.low, moved.high), abs=1e-12)


@pytest.mark.parametrize("trials", [1, 7, 200])
def test_wilson_is_statsmodels(trials):
    """All numbers of successes, ends included."""
    for successes in {0, 1, trials // 2, trials}:
        found = wilson(successes, trials, level=0.9)
        theirs = proportion_confint(successes, trials, alpha=0.1, method="wilson")
        assert (found.low, found.high) == pytest.approx(theirs, abs=1e-12)
    assert wilson(0, trials).low == 0
    assert wilson(trials, trials).high == 1


def test_wilson_of_no_trials_is_undefined():
    """Nothing tried is not nothing found."""
    assert (wilson(0, 0).value, wilson(0, 0).low) == (None, None)


def test_the_mean_over_papers_has_the_t_interval():
    """With one value a paper the linearised error is S/sqrt(G)."""
    values = [1.0, 2.5, 3.0, NAN, 4.0, 2.0, 7.5]
    ours = linearised_mean(values)
    theirs = stats.ttest_1samp([v for v in values if not math.isnan(v)], 0).confidence_interval(0.95)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert (ours.n, ours.dropped) == (6, 1)


def _clustered(seed=4, papers=12):
    """Successes and trials of twelve papers, and the same trial by trial."""
    rng = np.random.default_rng(seed)
    trials = rng.integers(1, 9, papers)
    hits = rng.binomial(trials, rng.uniform(0.2, 0.9, papers))
    single = np.concatenate([np.arange(t) < h for h, t in zip(hits, trials, strict=True)])
    return hits, trials, single.astype(float), np.repeat(np.arange(papers), trials)


def test_a_micro_average_has_statsmodels_cluster_error():
    """Recall over trials, clustered by paper: the same limits with t and G - 1."""
    hits, trials, single, paper = _clustered()
    ours = linearised_ratio([*hits, 0], [*trials, 0])
    fit = sm.OLS(single, np.ones((single.size, 1))).fit(
        cov_type="cluster", cov_kwds={"groups": paper, "df_correction": True}, use_t=True
    )
    assert (ours.low, ours.high) == pytest.approx(tuple(fit.conf_int()[0]), abs=1e-12)
    assert (ours.value, ours.n, ours.dropped) == (pytest.approx(single.mean()), 12, 1)


def test_a_difference_of_micro_averages_has_statsmodels_cluster_error():
    """Two configurations on overlapping papers: papers in both are paired."""
    hits, trials, single, paper = _clustered()
    more, tried, others, where = _clustered(seed=9)
    tried[:3], more[:3] = 0, 0
    keep = where >= 3
    ours = linearised_difference((hits, trials), (more, tried))
    outcome = np.concatenate([single, others[keep]])
    second = np.repeat([0.0, 1.0], [single.size, keep.sum()])
    fit = sm.OLS(outcome, sm.add_constant(second)).fit(
        cov_type="cluster",
        cov_kwds={"groups": np.concatenate([paper, where[keep]]), "use_correction": False},
        use_t=True,
    )
    error = fit.bse[1] * (12 / 11) ** 0.5
    half = stats.t.ppf(0.975, 11) * error
    assert ours.value == pytest.approx(fit.params[1], abs=1e-12)
    assert (ours.high - ours.low) / 2 == pytest.approx(half, abs=1e-12)


def test_a_paired_difference_is_the_mean_of_differences():
    """On the same papers the difference of two means is the interval of the paper's differences."""
    rng = np.random.default_rng(0)
    old, new = rng.normal(5, 1, (2, 9))
    ones = np.ones(9)
    paired, difference = linearised_difference((old, ones), (new, ones)), linearised_mean(new - old)
    assert (paired.low, paired.high) == pytest.approx((difference.low, difference.high), abs=1e-12)


@pytest.mark.parametrize(
    ("hits", "trials", "value", "reason"),
    [
        ([1] * 5, [2] * 5, 0.5, "too-few-units"),
        ([2, 3, 1, 4, 2, 2], [2, 3, 1, 4, 2, 2], 1, "no-spread"),
        ([1, 2, 3, 1, 1, 1], [3, 6, 9, 3, 3, 3], pytest.approx(1 / 3), "no-spread"),
        ([0] * 8, [0] * 8, None, "too-few-units"),
    ],
)
def test_few_papers_or_no_spread_give_no_limits(hits, trials, value, reason):
    """Below six papers, or with every paper alike, there is a reason and never a zero width."""
    found = linearised_ratio(hits, trials)
    assert (found.value, found.low, found.high, found.reason) == (value, None, None, reason)


def test_a_difference_with_an_empty_side_is_unknown():
    """No trial on one side: no value."""
    found = linearised_difference(([1] * 8, [1] * 8), ([0] * 8, [0] * 8))
    assert (found.value, found.reason) == (None, "too-few-units")


@pytest.mark.parametrize("units", [1, 7, 200])
def test_weights_count_the_draws_of_numpys_generator(units):
    """Row by row the multiplicities of one plain call of `integers`, more rows than fit at once."""
    weights = unit_weights(units, rng=np.random.default_rng(3), draws=613)
    plain = [np.bincount(row, minlength=units) for row in _picks(units, 613, 3)]
    assert np.array_equal(weights, plain)


def test_resampled_means_are_means_of_the_picked_papers():
    """With missing values the observed copies alone count; a draw without any is undefined."""
    rng = np.random.default_rng(1)
    values = rng.normal(5, 1, (6, 3))
    values[rng.random((6, 3)) < 0.4] = NAN
    draws = resampled_means(unit_weights(6, rng=np.random.default_rng(8), draws=500), values)
    for picks, row in zip(_picks(6, 500, 8), draws, strict=True):
        for column, found in enumerate(row):
            seen = [v for v in values[picks, column] if not math.isnan(v)]
            assert found == pytest.approx(np.mean(seen) if seen else NAN, abs=1e-12, nan_ok=True)
    assert np.isnan(draws).any()


def test_resampled_ratios_keep_numerator_and_denominator_together():
    """Each draw is the sum of the picked numerators over that of the picked denominators."""
    hits, trials, _, _ = _clustered()
    weights = unit_weights(12, rng=np.random.default_rng(8), draws=300)
    draws = resampled_ratios(weights, hits[:, None], trials[:, None])[:, 0]
    expected = [hits[p].sum() / trials[p].sum() for p in _picks(12, 300, 8)]
    assert draws == pytest.approx(expected, abs=1e-12)


def test_resampled_pairs_add_pairs_that_are_listed_twice():
    """A pair in two proxies counts in both; orientation of the two papers does not matter."""
    weights = np.array([[2.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
    draws = resampled_pairs(weights, [0, 1, 0], [1, 0, 2], np.array([[1.0], [0.0], [1.0]]))
    assert draws[:, 0].tolist() == pytest.approx([0.5, 2 / 3])


def test_percentile_interval_is_scipys_bootstrap():
    """On the same draws, the limits of scipy's percentile bootstrap of a mean."""
    values = np.random.default_rng(0).normal(5, 1, 40)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=999, method="percentile", rng=np.random.default_rng(7), batch=999
    )
    draws = theirs.bootstrap_distribution[:, None]
    (ours,) = percentile_intervals(values.mean(), draws, n=40)
    limits = theirs.confidence_interval
    assert (ours.low, ours.high) == pytest.approx((limits.low, limits.high), abs=1e-12)


def test_percentiles_are_type_seven_and_leave_undefined_draws_out():
    """Linear interpolation between order statistics; NaN draws are counted."""
    draws = np.array([[4.0, NAN], [1.0, 3.0], [3.0, NAN], [2.0, 1.0]])
    limits = percentile_limits(draws, level=0.5)
    assert limits.low.tolist() == [1.75, 1.5]
    assert limits.high.tolist() == [3.25, 2.5]
    assert limits.undefined.tolist() == [0, 2]


def test_a_percentile_interval_without_meaning_has_a_reason():
    """Few papers, draws that never move, none defined, or no value: no limits."""
    constant, moving = np.ones((20, 1)), np.arange(20.0)[:, None]
    cases = [
        (1.0, moving, 5, "too-few-units"),
        (1.0, constant, 9, "no-spread"),
        (1.0, moving * NAN, 9, "undefined"),
        (NAN, moving, 9, "undefined"),
    ]
    for value, draws, n, reason in cases:
        (found,) = percentile_intervals(value, draws, n=n)
        assert (found.low, found.high, found.reason) == (None, None, reason)
    assert found.value is None


def test_intervals_of_many_statistics_share_their_draws():
    """One matrix of weights serves all columns; the counts are given one a column."""
    values = np.random.default_rng(0).normal(0, 1, (30, 4))
    weights = unit_weights(30, rng=np.random.default_rng(1), draws=400)
    together = percentile_intervals(values.mean(axis=0), resampled_means(weights, values), n=[30, 29, 28, 27])
    alone = [
        percentile_intervals(column.mean(), resampled_means(weights, column[:, None]), n=30 - j)[0]
        for j, column in enumerate(values.T)
    ]
    for one, other in zip(together, alone, strict=True):
        assert (one.low, one.high, one.n) == (pytest.approx(other.low), pytest.approx(other.high), other.n)
