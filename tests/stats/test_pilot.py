"""Pilots in their several forms."""

from decimal import Decimal
from fractions import Fraction
from statistics import variance

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.stats.pilot import PairCounts, Pilot, Variance, exact, read_pilot


def test_decimals_are_taken_as_written():
    """A float stands for its shortest decimal, NumPy's as well."""
    assert exact(0.1) == Fraction(1, 10)
    assert exact(np.float64(0.1)) == Fraction(1, 10)
    assert exact(Decimal("0.1")) == exact(Fraction(1, 10)) == Fraction(1, 10)
    assert exact(np.int64(3)) == exact(3) == 3


@given(
    st.lists(
        st.lists(st.decimals(1, 10, places=2), min_size=2, max_size=6),
        min_size=1,
        max_size=5,
    )
)
@settings(deadline=None)
def test_variance_is_exact(papers):
    """The mean of the unbiased variances in fractions, for papers of unequal length."""
    table = np.full((len(papers), 6), np.nan)
    for row, scores in zip(table, papers, strict=True):
        row[: len(scores)] = [float(s) for s in scores]
    expected = sum(variance([Fraction(s) for s in scores]) for scores in papers) / len(papers)
    assert read_pilot(table).variance == expected


def test_unequal_papers():
    """The smallest number of scores decides how many pairs there are."""
    pilot = read_pilot([[5, 6, 7, np.nan, np.nan], [5, 5, 5, 5, 6]])
    assert (pilot.papers, pilot.reviews, pilot.pairs_per_paper, pilot.pairs) == (2, 3, 1, 2)


def test_variance_and_pair_counts_agree():
    """Pair counts hold the variance they were counted from."""
    counted = read_pilot(PairCounts({0: 7667, 1: 1333}, 200, 10))
    assert counted.variance == Fraction(1333, 18000)
    assert read_pilot(Variance(Fraction(1333, 18000), 200, 10)).variance == counted.variance
    assert counted.pairs == 1000


def test_a_pilot_is_read_as_it_is():
    """What has been read once is not read again."""
    pilot = Pilot(Fraction(1, 10), 200, 10)
    assert read_pilot(pilot) is pilot
