"""Positions and quartiles of what is chosen, against enumeration and scipy."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from rereview.stats.positions import (
    position_exact_p,
    position_permutation_test,
    quartile_totals,
    within_run_quartiles,
)

RUNS = ["a"] * 5 + ["b"] * 4
SELECTED = [0, 0, 1, 0, 1, 1, 0, 0, 1]


def _all_sums():
    """Every sum of positions that two of five and two of four items can have."""
    first, second = combinations(range(1, 6), 2), combinations(range(1, 5), 2)
    return np.array([sum(a) + sum(b) for a, b in product(first, second)])


def test_exact_p_is_that_of_all_permutations():
    """Two-sided: as far from the mean as what was seen, or farther."""
    sums = _all_sums()
    found = position_exact_p(SELECTED, RUNS)
    assert (found.total, found.expected) == (13, sums.mean())
    assert found.variance == pytest.approx(sums.var(), abs=1e-12)
    assert found.p == pytest.approx((abs(sums - 11) >= 2).mean(), abs=1e-12)


def test_exact_p_of_one_run_is_the_rank_sum_test():
    """One run is a Mann-Whitney test of positions."""
    selected = np.array([0, 0, 0, 1, 0, 1, 1, 0, 1, 1], dtype=bool)
    place = np.arange(10)
    theirs = stats.mannwhitneyu(place[selected], place[~selected], method="exact").pvalue
    assert position_exact_p(selected, np.zeros(10)).p == pytest.approx(theirs, abs=1e-12)


def test_permutation_p_nears_the_exact_one_and_is_never_zero():
    """Within four standard errors; with no draw as far out it is 1 / (draws + 1)."""
    exact = position_exact_p(SELECTED, RUNS).p
    drawn = position_permutation_test(SELECTED, RUNS, rng=np.random.default_rng(0), draws=4000).p
    assert abs(drawn - exact) < 4 * (exact * (1 - exact) / 4000) ** 0.5
    extreme = np.repeat([False, True], 20)
    far = position_permutation_test(extreme, np.zeros(40), rng=np.random.default_rng(0), draws=99)
    assert far.p == 0.01


def test_runs_without_a_choice_are_left_out_and_counted():
    """Everything chosen, or nothing, tells no preference."""
    runs = [*RUNS, "c", "c", "d", "d"]
    found = position_exact_p([*SELECTED, 1, 1, 0, 0], runs)
    assert (found.runs, found.dropped) == (2, 2)
    assert found[:4] == position_exact_p(SELECTED, RUNS)[:4]
    nothing = position_exact_p([1, 1], ["c", "c"])
    assert np.isnan(nothing.p)
    assert nothing.runs == 0


def test_quartiles_are_by_average_rank_within_a_run():
    """Eight values make two each; equal values share a quartile; runs do not mix."""
    values = [8, 7, 6, 5, 4, 3, 2, 1, 100, 100, 100, 100]
    runs = [0] * 8 + [1] * 4
    assert within_run_quartiles(values, runs).tolist() == [3, 3, 2, 2, 1, 1, 0, 0, 2, 2, 2, 2]


def test_totals_leave_out_runs_in_which_everything_was_chosen():
    """Chosen and shown by paper; a run that chose nothing stays, one that chose all is counted."""
    values = [1, 2, 3, 4] * 3
    selected = [0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    found = quartile_totals(values, selected, np.repeat([7, 8, 9], 4), np.repeat([0, 0, 2], 4))
    assert found.chosen.tolist() == [[0, 0, 1, 1], [0] * 4, [0] * 4]
    assert found.shown.tolist() == [[1] * 4, [0] * 4, [1] * 4]
    assert (found.runs, found.dropped) == (2, 1)


def test_no_items_make_no_runs():
    """An empty table is no error."""
    assert quartile_totals([], [], [], []).runs == 0
    assert np.isnan(position_permutation_test([], [], rng=np.random.default_rng(0)).p)


def test_quartiles_are_those_of_the_average_ranks_of_scipy():
    """Equal values and all: a thousand small runs of few different values."""
    rng = np.random.default_rng(5)
    for size in rng.integers(1, 40, 1_000):
        values = rng.integers(0, 12, size)
        ranks = stats.rankdata(values)
        expected = np.floor(4 * (ranks - 0.5) / size).astype(int)
        assert within_run_quartiles(values, np.zeros(size)).tolist() == expected.tolist()
