"""Ranking agreement against plain loops over partitions and exact fractions."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.errors import UsageError
from rereview.stats.ranking import (
    _distinct,
    close_pairs,
    pair_rates,
    partitions,
    ranking_agreement,
    ranking_draws,
)
from rereview.stats.resample import unit_weights

NAN = float("nan")
SCALES = {"integers": 0, "tenths": 1, "long decimals": 9}


def _sign(x):
    return (x > 0) - (x < 0)


def _slow_pair(one, other, k):
    """Count Same, Tie and Reverse of one pair over partitions, by definition."""
    exact = [Fraction(str(float(a))) - Fraction(str(float(b))) for a, b in zip(one, other, strict=True)]
    rounds = range(len(exact))
    counts = [0, 0, 0]
    for a in combinations(rounds, k):
        for b in combinations([t for t in rounds if t not in a], k):
            if a < b:
                product = _sign(sum(exact[t] for t in a)) * _sign(sum(exact[t] for t in b))
                counts[1 - product] += 1
    return counts


def _slow(scores, groups, k):
    rows = [i for i in range(len(scores)) if not np.isnan(scores[i]).any()]
    pairs = [(i, j) for i, j in combinations(rows, 2) if groups[i] == groups[j]]
    counts = np.sum([_slow_pair(scores[i], scores[j], k) for i, j in pairs], axis=0)
    return tuple(float(Fraction(int(c), int(counts.sum()))) for c in counts), len(pairs)


def _papers(decimals, n=14, rounds=6, seed=3):
    rng = np.random.default_rng(seed)
    centres = rng.uniform(3, 6, (n, 1))
    return np.round(np.clip(centres + rng.normal(0, 0.7, (n, rounds)), 1, 10), decimals)


@pytest.mark.parametrize("decimals", SCALES.values(), ids=SCALES.keys())
def test_agreement_is_that_of_plain_loops(decimals):
    """Every size, two groups of papers, one paper with a round missing."""
    scores = _papers(decimals)
    scores[3, 2] = NAN
    groups = np.repeat(["2025", "2026"], 7)
    for found in ranking_agreement(scores, groups):
        rates, pairs = _slow(scores, groups, found.k)
        assert (found.same, found.tie, found.reverse) == pytest.approx(rates, abs=1e-12)
        assert (found.pairs, found.dropped) == (pairs, 1)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.7, 1.1]), min_size=5, max_size=5),
        min_size=3,
        max_size=4,
    )
)
def test_sums_of_decimals_tie_exactly(rows):
    """Sums that differ in floats and are equal as written are ties: 0.1 + 0.2 and 0.3 + 0."""
    scores = np.array(rows)
    for found in ranking_agreement(scores):
        rates, _ = _slow(scores, [0] * len(rows), found.k)
        assert (found.same, found.tie, found.reverse) == pytest.approx(rates, abs=1e-12)


def test_a_float_that_misses_its_decimal_still_ties():
    """Blocks 0.1 + 0.2 and 0.3 + 0.0 are equal, so the only partition with strict orders is none."""
    (both,) = ranking_agreement([[0.1, 0.2, 0.1, 0.2], [0.3, 0.0, 0.3, 0.0]], sizes=[2])
    assert both.tie == pytest.approx(2 / 3)


@pytest.mark.parametrize("decimals", [9, 16], ids=["beyond single", "beyond double"])
def test_a_difference_in_the_last_decimal_orders_blocks(decimals):
    """Differences of 4 that cancel leave the last decimal, and that orders the blocks exactly."""
    one, other = (float(f"0.{'1234567890123456'[: decimals - 1]}{last}") for last in (7, 6))
    rows = np.array([[9, one, 1, 9, one, 1], [5, other, 5, 5, other, 5]])
    (found,) = ranking_agreement(rows, sizes=[3])
    rates, _ = _slow(rows, [0, 0], 3)
    assert (found.same, found.tie, found.reverse) == pytest.approx(rates, abs=1e-12)
    assert found.same > 0


def test_pairs_that_differ_by_order_of_rounds_or_papers_are_counted_once():
    """Permuted and negated difference vectors have equal counts, and share one row with its number."""
    distinct, copies = _distinct(np.array([[1, 2, 0], [0, -1, -2], [2, 1, 0], [0, 0, 0]]))
    assert sorted(copies.tolist()) == [1, 3]
    assert len(distinct) == 2


def test_partitions_are_the_papers():
    """Appendices C.5 and C.6 of "Can We Believe AI Peer Review?"."""
    assert [partitions(10, k) for k in range(1, 6)] == [45, 630, 2100, 1575, 126]
    assert [partitions(5, k) for k in (1, 2)] == [10, 15]


def test_two_years_of_a_hundred_papers_make_9900_pairs():
    """Section 4.2 and appendix C.5."""
    scores = np.arange(200.0)[:, None] + np.zeros(10)
    found = ranking_agreement(scores, np.repeat([2025, 2026], 100))
    assert [one.pairs for one in found] == [9900] * 5
    assert [one.partitions for one in found] == [45, 630, 2100, 1575, 126]
    assert all((one.same, one.tie, one.reverse) == (1, 0, 0) for one in found)


def test_constant_scores_are_all_ties():
    """Nothing ordered is neither agreement nor disagreement."""
    for found in ranking_agreement(np.full((5, 4), 0.7)):
        assert (found.same, found.tie, found.reverse) == (0, 1, 0)


@pytest.mark.parametrize("scores", [np.empty((0, 4)), [[1, 2, 3, 4]], [[1, 2, 3, NAN], [1, 2, 3, 4]]])
def test_no_pair_gives_no_rate(scores):
    """Rates are NaN and the number of pairs 0; incomplete papers are counted."""
    for found in ranking_agreement(scores):
        assert np.isnan([found.same, found.tie, found.reverse]).all()
        assert found.pairs == 0


def test_one_round_has_no_two_blocks():
    """A single review cannot reproduce a ranking; asking for it by size says what is missing."""
    assert ranking_agreement([[5.0], [6.0]]) == ()
    with pytest.raises(UsageError, match="two disjoint blocks of 1 need 2 rounds, there are 1"):
        ranking_agreement([[5.0], [6.0]], sizes=[1])


def test_too_many_blocks_are_refused_and_not_sampled():
    """Twenty rounds have 4,845 blocks of four; blocks of three are fine."""
    scores = _papers(0, n=4, rounds=20)
    with pytest.raises(UsageError, match="4,845 blocks of 4 out of 20"):
        ranking_agreement(scores)
    (found,) = ranking_agreement(scores, sizes=[3])
    assert found.same + found.tie + found.reverse == pytest.approx(1)


@pytest.mark.parametrize("decimals", [0, 1])
def test_close_pairs_group_on_exact_means_and_compare_later_rounds(decimals):
    """The first five rounds group, the last five compare; every upper end belongs to its group."""
    scores = _papers(decimals, n=16, rounds=10, seed=5)
    ends = [Fraction(0), Fraction(2, 5), Fraction(1), Fraction(2)]
    for found in close_pairs(scores, grouping=5):
        counts = np.zeros((5, 3), dtype=int)
        for i, j in combinations(range(16), 2):
            sums = [sum(Fraction(str(x)) for x in scores[row, :5].tolist()) for row in (i, j)]
            gap = abs(sums[0] - sums[1]) / 5
            label = sum(gap > end for end in ends)
            counts[label] += _slow_pair(scores[i, 5:], scores[j, 5:], found[0].agreement.k)
        for group, row in zip(found, counts, strict=True):
            one = group.agreement
            assert one.pairs * one.partitions == row.sum()
            if row.sum():
                assert (one.same, one.tie, one.reverse) == pytest.approx(tuple(row / row.sum()), abs=1e-12)
            else:
                assert np.isnan(one.same)
    assert sum(group.agreement.pairs for group in found) == 120


def test_close_pair_groups_are_the_papers_on_integer_sums():
    """Sums that differ by 0, 1-2, 3-5, 6-10 and more than 10 (appendix C.6)."""
    sums = np.array([0, 1, 2, 3, 5, 6, 10, 11, 40])
    for total in sums[1:]:
        extra = np.array([total // 5 + (t < total % 5) for t in range(5)])
        scores = np.stack([np.ones(10), np.concatenate([1 + extra, np.ones(5)])])
        sizes = close_pairs(scores, grouping=5, sizes=[1])[0]
        where = [group.agreement.pairs for group in sizes].index(1)
        assert where == np.searchsorted([0, 2, 5, 10], total)


def test_pair_rates_average_to_the_agreement():
    """The pairs are named by row, and their rates average to the rates over all pairs."""
    scores = _papers(0)
    scores[0, 0] = NAN
    rates = pair_rates(scores, k=2)
    (whole,) = ranking_agreement(scores, sizes=[2])
    assert rates.same.mean() == pytest.approx(whole.same, abs=1e-12)
    assert rates.reverse.mean() == pytest.approx(whole.reverse, abs=1e-12)
    for i, j, same, reverse in zip(*rates, strict=True):
        counts = np.array(_slow_pair(scores[i], scores[j], 2))
        assert (same, reverse) == pytest.approx(tuple(counts[[0, 2]] / counts.sum()), abs=1e-12)


def test_draws_of_papers_weigh_pairs_by_both_multiplicities():
    """Each draw equals the mean over the pairs of distinct papers it holds."""
    scores, groups = _papers(0, n=8), np.repeat([0, 1], 4)
    rates = pair_rates(scores, groups, k=1)
    weights = unit_weights(8, rng=np.random.default_rng(1), draws=600)
    draws = ranking_draws(weights, rates)
    for weight, draw in zip(weights, draws, strict=True):
        times = weight[rates.first] * weight[rates.second]
        if not times.sum():
            assert np.isnan(draw).all()
            continue
        same, reverse = (times @ rates.same) / times.sum(), (times @ rates.reverse) / times.sum()
        assert draw == pytest.approx([same, 1 - same - reverse, reverse], abs=1e-12)


def test_draws_without_a_pair_are_undefined():
    """A draw of one paper twice ranks nothing."""
    rates = pair_rates([[1, 2], [3, 4]], k=1)
    draws = ranking_draws(np.array([[2.0, 0.0], [1.0, 1.0]]), rates)
    assert np.isnan(draws[0]).all()
    assert draws[1].tolist() == [1, 0, 0]
