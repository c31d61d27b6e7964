"""Axes."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rereview.report.scale import MOST_TICKS, categories, number_axis, share_axis

NUMBERS = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))


@example(858993.938, 0.001)
@given(NUMBERS, st.floats(1e-3, 1e6))
def test_a_linear_axis_holds_its_numbers_with_few_ticks(low, width):
    """Ticks ascend from end to end, and their words differ."""
    axis = number_axis("x", low, low + width, log=False)
    places = [at for at, _ in axis.ticks]
    assert axis.holds(low)
    assert axis.holds(low + width * (1 - 1e-6))
    assert places == sorted(set(places))
    assert (places[0], places[-1]) == (axis.low, axis.high)
    assert 2 <= len(places) <= MOST_TICKS + 1
    assert len({words for _, words in axis.ticks}) == len(places)


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_an_axis_of_counts_holds_both_ends(first, second):
    """Linear from 0 or logarithmic from 1; shares lie between 0 and 1."""
    smallest, largest = sorted((first, second))
    axis = number_axis("k", smallest, largest, whole=True)
    assert axis.low == (1 if axis.log else 0)
    assert axis.log == (largest / smallest > 12)
    assert 0 <= axis.share(smallest) <= axis.share(largest) <= 1 + 1e-9
    assert all(at == int(at) for at, _ in axis.ticks)


def test_an_axis_of_one_number_has_a_width():
    """Nothing is divided by 0."""
    axis = number_axis("x", 0.0, 0.0, log=False)
    assert axis.share(0.0) == 0
    assert axis.high > axis.low


def test_shares_are_percentages():
    """From 0 or from a half."""
    assert [words for _, words in share_axis("y").ticks] == ["0%", "20%", "40%", "60%", "80%", "100%"]
    assert [words for _, words in share_axis("y", low=0.5).ticks][:2] == ["50%", "60%"]


def test_categories_stand_apart_from_the_ends():
    """The first is half a step from the edge."""
    axis = categories("x", ["a", "b", "c"])
    assert axis.share(0) == pytest.approx(1 / 6)
    assert axis.ticks[2] == (2.0, "c")
