"""The matching e-value against plain loops and exact enumeration."""

from fractions import Fraction
from itertools import product
from math import log, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.stats.matching import half_square, matched
from rereview.stats.pilot import PairCounts, Variance, read_pilot


def matchings(points):
    """Every way to pair up the points; of an odd number, one is left alone in turn."""
    if len(points) % 2:
        for alone in points:
            yield from matchings([p for p in points if p is not alone])
        return
    if not points:
        yield []
        return
    first, *rest = points
    for other in rest:
        for matching in matchings([p for p in rest if p is not other]):
            yield [(first, other), *matching]


def slow_f(scores, theta):
    """Compute f of one paper in exact fractions, by enumeration."""
    values = [Fraction(repr(float(s))) for s in scores]
    factors = [
        prod(1 - theta * (values[a] - values[b]) ** 2 / 2 for a, b in matching)
        for matching in matchings(list(range(len(values))))
    ]
    return sum(factors, Fraction(0)) / len(factors)


THETA = Fraction(1, 50)


@given(
    st.lists(st.integers(1, 10), min_size=2, max_size=8)
    | st.lists(st.decimals(1, 10, places=1), min_size=2, max_size=7)
)
@settings(max_examples=40, deadline=None)
def test_one_paper_against_enumeration(scores):
    """The mean over matchings is the enumerated one to 1e-12, for even, odd, integer and decimal scores."""
    row = [float(s) for s in scores]
    found = matched(read_pilot([row])).log_product(half_square, float(THETA))
    assert found == pytest.approx(log(slow_f(row, THETA)), abs=1e-12)


def test_ten_reviews_have_945_matchings():
    """The enumeration of the reference is complete, and the product agrees with it for ten reviews."""
    row = [1.0, 2.0, 2.0, 3.0, 5.0, 5.0, 6.0, 7.0, 9.0, 10.0]
    assert sum(1 for _ in matchings(list(range(10)))) == 945
    found = matched(read_pilot([row])).log_product(half_square, float(THETA))
    assert found == pytest.approx(log(slow_f(row, THETA)), abs=1e-12)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_expectation_is_exact(n):
    """Over all outcomes of n scores, E f = (1 - theta variance)^floor(n/2), in fractions."""
    law = {1: Fraction(1, 2), 2: Fraction(1, 3), 7: Fraction(1, 6)}
    mean = sum(p * y for y, p in law.items())
    variance = sum(p * y * y for y, p in law.items()) - mean**2
    expectation = sum(
        prod(law[y] for y in outcome) * slow_f(outcome, THETA) for outcome in product(law, repeat=n)
    )
    assert expectation == (1 - THETA * variance) ** (n // 2)


def test_papers_multiply():
    """Equal papers are computed once and counted as often as they occur."""
    rows = np.array([[5, 6, 5, 6], [6, 5, 6, 5], [7, 8, 7, 8], [5, 5, 5, 9]], dtype=float)
    evidence = matched(read_pilot(rows))
    assert [len(block.keys) for block in evidence.blocks] == [2]
    expected = sum(log(slow_f(row, THETA)) for row in rows)
    assert evidence.log_product(half_square, float(THETA)) == pytest.approx(expected, abs=1e-12)


def test_unequal_papers_count_with_the_smallest_number_of_pairs():
    """A paper of six scores beside one of two counts as the third root of its f."""
    rows = [[5, 6, np.nan, np.nan, np.nan, np.nan], [5, 6, 7, 5, 9, 5]]
    found = matched(read_pilot(rows)).log_product(half_square, float(THETA))
    expected = log(slow_f([5, 6], THETA)) + log(slow_f(rows[1], THETA)) / 3
    assert found == pytest.approx(expected, abs=1e-12)


def test_missing_scores_may_stand_anywhere():
    """Only the scores that are there count, not the columns in which they stand."""
    apart = matched(read_pilot([[np.nan, 5, np.nan, 9, 5]])).log_product(half_square, 0.02)
    together = matched(read_pilot([[5, 9, 5, np.nan, np.nan]])).log_product(half_square, 0.02)
    assert apart == together


def test_long_pilots_are_matched_in_blocks_of_ten():
    """Twenty-five reviews are blocks of 10, 10 and 5 in the order given."""
    row = np.random.default_rng(0).integers(1, 11, 25).astype(float)
    found = matched(read_pilot([row])).log_product(half_square, float(THETA))
    expected = sum(log(slow_f(row[part], THETA)) for part in (slice(10), slice(10, 20), slice(20, 25)))
    assert found == pytest.approx(expected, abs=1e-12)
    assert matched(read_pilot([row])).pairs == 12


@given(st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_pair_counts_bound_the_scores_from_below(seed):
    """The Jensen form from pair counts never claims more evidence than the scores do."""
    scores = np.random.default_rng(seed).integers(4, 8, (6, 6)).astype(float)
    left, right = np.triu_indices(6, 1)
    values, counts = np.unique(np.abs(scores[:, left] - scores[:, right]), return_counts=True)
    table = PairCounts(dict(zip(values.tolist(), counts.tolist(), strict=True)), 6, 6)
    full = matched(read_pilot(scores)).log_product(half_square, 0.02)
    assert matched(read_pilot(table)).log_product(half_square, 0.02) <= full + 1e-12


def test_pair_counts_in_plain_logarithms():
    """N K times the mean over pairs of log(1 - theta h)."""
    found = matched(read_pilot(PairCounts({0: 6557, 1: 2417, 2: 26}, 200, 10)))
    expected = 1000 * (2417 * log(1 - 0.02 / 2) + 26 * log(1 - 0.02 * 2)) / 9000
    assert found.log_product(half_square, 0.02) == pytest.approx(expected, abs=1e-12)


def test_the_variance_alone_has_no_matching():
    """Without differences there is nothing to match."""
    assert matched(read_pilot(Variance(0.1, 200, 10))) is None
