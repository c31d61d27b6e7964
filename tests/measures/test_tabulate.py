"""What stands beside a number."""

import pytest

from rereview.measures.tabulate import estimate
from rereview.stats.resample import Interval


@pytest.mark.parametrize(
    ("undefined", "marks"),
    [
        (0, ()),
        (1, ("1 draw without a value is left out",)),
        (12, ("12 draws without a value are left out",)),
    ],
)
def test_draws_without_a_value_are_counted(undefined, marks):
    """One is one."""
    assert estimate(Interval(1.0, 0.5, 1.5, 0.95, 8, undefined=undefined)).marks == marks
