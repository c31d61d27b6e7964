"""Scores as exact integers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.errors import UsageError
from rereview.stats.exact import MISSING, exact_means, exact_scores, exact_units, nearest

NAN = float("nan")
decimals = st.decimals(1, 10, allow_nan=False, allow_infinity=False, places=6).map(float)


@given(st.lists(decimals, min_size=1, max_size=12))
def test_units_over_the_denominator_are_the_decimals_as_written(scores):
    """Every score is recovered as a fraction, and none is rounded on the way."""
    units, denominator = exact_scores(scores)
    assert [Fraction(int(u), denominator) for u in units] == [Fraction(str(x)) for x in scores]


def test_sums_tie_where_floats_do_not():
    """0.1 + 0.2 is 0.3."""
    units, denominator = exact_scores([0.1, 0.2, 0.3])
    assert (units[0] + units[1] == units[2], denominator) == (True, 10)


def test_integers_keep_denominator_one_and_halves_two():
    """The denominator is the least."""
    assert exact_scores([[1, 10], [5, 5]]).denominator == 1
    assert exact_scores([1.5, 2]).denominator == 2


def test_a_missing_score_is_marked_and_not_zero():
    """NaN has its own value, far from every score; the shape stays."""
    units, denominator = exact_scores([[5, NAN], [NAN, 6.5]])
    assert (units == [[10, MISSING], [MISSING, 13]]).all()
    assert denominator == 2


def test_nothing_observed_is_no_error():
    """An empty table and one of NaN alone have no units but keep their shape."""
    assert exact_scores(np.empty((0, 3))).units.shape == (0, 3)
    assert (exact_scores([NAN, NAN]).units == MISSING).all()


def test_sixteen_decimals_fit_and_too_many_are_refused():
    """What cannot be compared exactly is an error that quotes the score, not a rounding."""
    assert exact_scores([5.123456789012345, 9.999999999999998]).denominator > 10**14
    with pytest.raises(UsageError, match="1e-19 has too many decimals"):
        exact_scores([0.5, 1e-19])
    with pytest.raises(UsageError, match="infinite"):
        exact_scores([5, float("inf")])


@given(st.lists(st.lists(decimals, min_size=3, max_size=3), min_size=1, max_size=5))
def test_means_are_the_floats_nearest_to_the_exact_means(rows):
    """Equal means are equal floats whatever the order or the number of rounds."""
    expected = [float(sum(Fraction(str(x)) for x in row) / 3) for row in rows]
    assert exact_means(rows).tolist() == expected
    twice = [row + row[::-1] for row in rows]
    assert exact_means(twice).tolist() == expected


def test_means_leave_missing_rounds_out():
    """A paper without a score has no mean."""
    means = exact_means([[5, NAN, 6], [NAN] * 3, [0.1, 0.2, 0.3]])
    assert means[0] == 5.5
    assert np.isnan(means[1])
    assert means[2] == 0.2


def test_quotients_beyond_double_integers_are_still_nearest():
    """Rounding 437666554764512283 before it is divided by 7 gives another float."""
    big = 437666554764512283
    assert float(big) / 7 != float(Fraction(big, 7))
    found = nearest(np.array([big, 1]), np.array([7, 0]))
    assert found[0] == float(Fraction(big, 7))
    assert np.isnan(found[1])


def test_a_threshold_is_read_as_written():
    """0.4 over 10 is 4, though 0.4 as a float is not 2/5."""
    assert exact_units(0.4, 10) == 4
