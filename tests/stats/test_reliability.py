"""Reliability of repeated scores against loops over exact fractions."""

import warnings
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rereview.stats.reliability import (
    all_scores_sd,
    concentration,
    first_last,
    icc1,
    identical_rate,
    pairwise_exact_agreement,
    paper_agreement,
    paper_range,
    paper_variance,
    range_counts,
    range_share_at_most,
    variance_quantiles,
    within_sd,
)

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
    assert within_sd([[0.1] * 3, [0.7] * 3]) == (0.0, 2, 0)


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


def test_variance_is_the_mean_half_squared_difference_of_pairs(scores):
    """Appendix D.3: the unbiased variance is a U-statistic over pairs of rounds."""
    variances = paper_variance(scores)
    for row, found in zip(scores, variances, strict=True):
        pairs = [(a - b) ** 2 / 2 for a, b in combinations(_observed(row), 2)]
        if pairs:
            assert found == pytest.approx(float(sum(pairs) / len(pairs)), abs=1e-12)
        else:
            assert np.isnan(found)


def test_pooled_sd_counts_differences_between_papers(scores):
    """Two papers that never move still differ; one paper without a score is left out."""
    assert all_scores_sd([[1, 1], [3, 3]]).value == pytest.approx((4 / 3) ** 0.5)
    pooled = scores[~np.isnan(scores)]
    assert all_scores_sd(scores) == (pytest.approx(np.std(pooled, ddof=1), abs=1e-12), 29, 1)
    assert np.isnan(all_scores_sd([[5]]).value)


def test_identical_counts_papers_that_never_moved():
    """With `full`, only papers with every round; a single review is not identical to itself."""
    table = [[5, 5, 5], [5, 5, NAN], [5, 6, 5], [5, NAN, NAN]]
    assert identical_rate(table) == (pytest.approx(2 / 3), 3, 1)
    assert identical_rate(table, full=3) == (0.5, 2, 2)


def test_ranges_are_exact():
    """0.3 - 0.2 and 1.1 - 1.0 are both one tenth; thresholds are read as written."""
    table = [[0.2, 0.3], [1.0, 1.1], [5, 7], [5, 5], [4, NAN]]
    found = range_counts(table)
    assert found.ranges.tolist() == [0, 0.1, 2]
    assert (found.papers.tolist(), found.dropped) == ([1, 2, 1], 1)
    assert range_share_at_most(table, 0.1) == (0.75, 4, 1)
    assert range_share_at_most(table, 0.09).value == 0.25
    assert np.isnan(paper_range(table)[4])


def test_ranges_of_no_papers_are_empty():
    """Nothing in, nothing counted."""
    assert range_counts(np.empty((0, 3))).papers.size == 0
    assert np.isnan(range_share_at_most(np.empty((0, 3)), 1).value)


# Papers as (how many, rounds of 5, of 6, of 7): tables that agree with every number printed of a model.
PRINTED = {
    "GPT-5.6-Sol": (
        [
            (60, 10, 0, 0),
            (13, 1, 7, 2),
            (63, 9, 1, 0),
            (2, 8, 2, 0),
            (1, 7, 3, 0),
            (1, 6, 4, 0),
            (60, 5, 5, 0),
        ],
        {"identical": 60, "agreement": 72.86, "sd": 0.374, "variance": 0.140056},
    ),
    "GPT-6-Luna": (
        [
            (65, 10, 0, 0),
            (13, 2, 6, 2),
            (4, 1, 6, 3),
            (57, 9, 1, 0),
            (2, 8, 2, 0),
            (1, 7, 3, 0),
            (58, 5, 5, 0),
        ],
        {"identical": 65, "agreement": 72.36, "sd": 0.386, "variance": 0.148889},
    ),
    "GPT-6-Sol": (
        [(113, 10, 0, 0), (52, 9, 1, 0), (1, 8, 2, 0), (1, 6, 4, 0), (33, 5, 5, 0)],
        {"identical": 113, "agreement": 85.19, "sd": 0.272, "variance": 0.074056},
    ),
}


@pytest.mark.parametrize("model", PRINTED)
def test_tables_like_the_papers_give_its_printed_numbers(model):
    """Identical papers, exact agreement, SD and variance of sections 4.1, C.1 and D.2."""
    kinds, printed = PRINTED[model]
    rows = [np.repeat([5.0, 6.0, 7.0], kind[1:]) for kind in kinds for _ in range(kind[0])]
    table = np.random.default_rng(0).permuted(np.stack(rows), axis=1)
    assert table.shape == (200, 10)
    assert identical_rate(table, full=10).value * 200 == pytest.approx(printed["identical"])
    assert round(pairwise_exact_agreement(table).value * 100, 2) == printed["agreement"]
    assert round(within_sd(table).value, 3) == printed["sd"]
    assert round(within_sd(table).value ** 2, 6) == printed["variance"]
    assert 0.915 <= range_share_at_most(table, 1).value <= 1


def test_with_ranges_of_one_point_agreement_follows_from_the_variance():
    """V = (1 - agreement) / 2, as for the paper's GPT-6-Sol (85.19% and .074056, section 4.1)."""
    table = 5.0 + (np.arange(10) < np.arange(11)[:, None])
    assert range_share_at_most(table, 1).value == 1
    agreement = pairwise_exact_agreement(table).value
    assert within_sd(table).value ** 2 == pytest.approx((1 - agreement) / 2, abs=1e-12)


def test_variances_of_equal_halves_average():
    """Sol's .2614 in 2025 and .2824 in 2026 make its V of .074056, within their rounding (C.1)."""
    halves = [np.array([[0.0, year * 2**0.5]] * 3) for year in (0.2614, 0.2824)]
    assert [round(within_sd(half).value, 4) for half in halves] == [0.2614, 0.2824]
    assert within_sd(np.vstack(halves)).value ** 2 == pytest.approx(0.074056, abs=3e-5)


def test_concentration_counts_single_scores_and_inclusive_bands():
    """Bands hold both ends; decimals lie between the categories and are counted as such."""
    found = concentration([[1, 5, 6], [7, 7.5, NAN]])
    assert found.counts.tolist() == [1, 0, 0, 0, 1, 1, 1, 0, 0, 0]
    assert found.shares.tolist() == [0.6, 0.4]
    assert (found.between, found.n) == (1, 5)


def test_concentration_of_the_papers_sol():
    """1,042 scores of 5 and 1,304 from 5 to 7 out of 2,000 are 52.1% and 65.20% (appendix C.3)."""
    table = np.repeat([5.0, 6.0, 4.0], [1042, 262, 696]).reshape(200, 10)
    found = concentration(table, bands=((5, 7), (5, 5)))
    assert (found.counts[4], found.n) == (1042, 2000)
    assert (found.shares * 100).tolist() == pytest.approx([65.20, 52.1])


def test_concentration_of_nothing_is_undefined():
    """No scores, no shares."""
    assert np.isnan(concentration([[NAN]]).shares).all()


def test_variance_quantiles_interpolate_linearly(scores):
    """NumPy's default, type 7, over papers with at least two scores."""
    ordered = sorted(float(_slow_variance(row)) for row in scores if len(_observed(row)) > 1)
    for level in (0, 0.25, 0.9, 1):
        place = level * (len(ordered) - 1)
        low, part = int(place), place - int(place)
        expected = ordered[low] + part * (ordered[min(low + 1, len(ordered) - 1)] - ordered[low])
        assert variance_quantiles(scores, [level])[0] == pytest.approx(expected, abs=1e-12)
    assert np.isnan(variance_quantiles([[5]], [0.5, 0.9])).all()


def test_first_and_last_half_are_compared_within_complete_papers():
    """Last minus first; the distance is between all rounds and the first half."""
    found = first_last([[1, 2, 5, 6], [4, 4, 4, NAN]])
    assert (found.shift[0], found.distance[0]) == (4, 2)
    assert np.isnan([found.shift[1], found.distance[1]]).all()


def test_a_middle_round_is_in_neither_half():
    """Five rounds are two against two; one round has no halves."""
    assert first_last([[1, 1, 9, 2, 2]]).shift[0] == 1
    assert np.isnan(first_last([[5], [6]]).shift).all()


def test_icc_is_pingouins():
    """ICC(1,1) and ICC(1,k) of complete papers, on integers and on decimals."""
    pingouin = pytest.importorskip("pingouin")
    rng = np.random.default_rng(2)
    for decimals in (0, 2):
        table = np.round(rng.normal(5, 1, (20, 1)) + rng.normal(0, 0.8, (20, 4)), decimals)
        paper, judge = np.indices(table.shape)
        frame = pd.DataFrame({"paper": paper.ravel(), "round": judge.ravel(), "score": table.ravel()})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pingouin uses what pandas is about to drop
            theirs = pingouin.intraclass_corr(frame, targets="paper", raters="round", ratings="score")["ICC"]
        found = icc1(np.vstack([table, [5, NAN, 5, 5]]))
        assert (found.single, found.mean) == pytest.approx((theirs.iloc[0], theirs.iloc[3]), abs=1e-12)
        assert (found.n, found.dropped) == (20, 1)


def test_icc_may_be_negative_and_is_undefined_without_differences_between_papers():
    """Papers with equal means and moving rounds have no variance between them."""
    assert icc1([[1, 5], [5, 2], [2, 4]]).single < 0
    assert np.isnan(icc1([[1, 2], [2, 1]]).single)
    assert np.isnan(icc1([[5, 5]]).single)
    assert icc1([[1, 1], [2, 2]]).single == 1


def test_variance_and_agreement_make_krippendorffs_alpha(scores):
    """Interval alpha is 1 - V / pooled variance; nominal alpha follows from the agreement."""
    krippendorff = pytest.importorskip("krippendorff")
    table = np.round(scores[~np.isnan(scores).any(axis=1)])
    interval = krippendorff.alpha(table.T, level_of_measurement="interval")
    assert 1 - within_sd(table).value ** 2 / all_scores_sd(table).value ** 2 == pytest.approx(
        interval, abs=1e-12
    )
    nominal = krippendorff.alpha(table.T, level_of_measurement="nominal")
    pooled = pairwise_exact_agreement(table.reshape(1, -1)).value
    within = pairwise_exact_agreement(table).value
    assert 1 - (1 - within) / (1 - pooled) == pytest.approx(nominal, abs=1e-12)


@given(
    arrays(np.float64, (4, 5), elements=st.sampled_from([1.0, 4.0, 5.0, 5.5, 6.0, NAN])),
    st.permutations(range(5)),
)
def test_the_order_of_rounds_does_not_matter(table, order):
    """Every statistic of repeatability is symmetric in rounds."""
    shuffled = table[:, order]
    assert paper_variance(shuffled) == pytest.approx(paper_variance(table), abs=1e-12, nan_ok=True)
    for statistic in (paper_range, paper_agreement):
        assert np.array_equal(statistic(shuffled), statistic(table), equal_nan=True)
    assert identical_rate(shuffled) == pytest.approx(identical_rate(table), nan_ok=True)
