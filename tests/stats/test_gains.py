"""Gains, their directions and their noise, on exact fractions and the papers' printed tables."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rereview.stats.gains import (
    all_fractional,
    direction_rates,
    direction_table,
    gain_noise_sd,
    gains,
    paired_mae_change,
    paired_shift,
)

NAN = float("nan")
TABLES = {  # table S30 of "Can We Believe AI Peer Review?", rows Luna +, 0, -; columns Haiku
    "LL": [[27, 47, 46], [5, 10, 39], [0, 6, 19]],
    "LH": [[27, 44, 58], [1, 13, 27], [3, 6, 20]],
    "HH": [[31, 47, 18], [21, 46, 17], [5, 9, 5]],
}
scores = st.sampled_from([0.1, 0.2, 0.3, 0.7, 5.0, 6.5, NAN])


def _mean(row):
    seen = [Fraction(str(x)) for x in row.tolist() if not np.isnan(x)]
    return sum(seen) / len(seen) if seen else None


@given(arrays(np.float64, (3, 3), elements=scores), arrays(np.float64, (3, 4), elements=scores))
def test_gains_are_nearest_to_the_exact_difference(old, new):
    """Also with unequal numbers of rounds; the sign is exact and zero is zero."""
    for before, after, found in zip(old, new, gains(old, new), strict=True):
        means = _mean(before), _mean(after)
        if None in means:
            assert np.isnan(found)
        else:
            assert found == float(means[1] - means[0])


def test_a_gain_that_is_zero_as_written_is_zero():
    """Three tenths against one tenth and two tenths, and three rounds against two."""
    assert gains([[0.1, 0.2]], [[0.3, 0.0]])[0] == 0
    assert gains([[5, 6, 7]], [[6, 6]])[0] == 0


def test_long_decimals_keep_their_sign():
    """Sixteen digits, crosswise products beyond int64."""
    old, new = [[5.123456789012345, 5.123456789012347, 5.123456789012346]], [[5.123456789012346] * 4]
    assert gains(old, new)[0] == 0
    assert gains(old, [[5.123456789012346] * 3 + [5.123456789012347]])[0] > 0


@pytest.mark.parametrize(
    ("name", "printed", "counts"),
    [
        ("LL", (28.1, 23.1, 53.8), (56, 46, 107)),
        ("LH", (30.2, 30.7, 45.7), (60, 61, 91)),
        ("HH", (41.2, 11.6, 70.4), (82, 23, 140)),
    ],
)
def test_direction_rates_are_the_papers(name, printed, counts):
    """Table S31 from table S30; same, reversal and zero overlap in zero with zero alone."""
    found = direction_rates(TABLES[name])
    shares = (found.same, found.reversal, found.any_zero)
    assert tuple(round(100 * share, 1) for share in shares) == printed
    assert tuple(round(199 * share) for share in shares) == counts
    assert found.n == 199


def test_directions_are_counted_from_gains():
    """Rows and columns run +, 0, -; the table of the gains it was made of comes back."""
    signs = [(i, j) for i in (0, 1, 2) for j in (0, 1, 2) for _ in range(TABLES["LL"][i][j])]
    first, second = (
        np.array([[1.5, 0, -0.5][i] for i, _ in signs]),
        np.array([[2, 0, -3.0][j] for _, j in signs]),
    )
    assert direction_table(first, second).tolist() == TABLES["LL"]
    assert direction_table([*first, NAN], [*second, 1.0]).sum() == 199


def test_no_gains_have_no_direction():
    """Rates of an empty table are undefined."""
    found = direction_rates(direction_table([], []))
    assert np.isnan([found.same, found.reversal, found.any_zero]).all()


def test_gain_noise_is_rooted_within_a_paper():
    """The mean of the papers' roots, not the root of their mean; one score on a side is left out."""
    old, new = [[5, 6, 7], [5, 5, 5], [5, NAN, NAN]], [[4, 4, 7], [6, 6, 6], [5, 6, 7]]
    expected = (((1 + 3) / 3) ** 0.5 + 0) / 2
    assert gain_noise_sd(old, new) == (pytest.approx(expected, abs=1e-12), 2, 1)


def test_shift_and_error_change_are_paired_by_paper():
    """Up a point towards the reference is a fall of the error by a point."""
    old, new, human = [[4, 4], [6, 7]], [[5, 5], [6.5, NAN]], [6, 6]
    assert paired_shift(old, new).tolist() == [1, 0]
    assert paired_mae_change(old, new, human).tolist() == [-1, 0]
    assert np.isnan(paired_mae_change(old, new, [NAN, 6])[0])


def test_whole_scores_break_a_decimal_protocol():
    """5.0 has no fractional part, whatever it looks like on paper; missing scores break nothing."""
    assert all_fractional([[5.1, 5.0], [NAN, 9.9]]) == (2, 1)
