"""The closed-form budgets against the numbers printed in the paper."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from rereview.stats.bounds import (
    chebyshev_budget,
    hoeffding_budget,
    joint_success,
    kl_upper,
    simultaneous_alpha,
    split_failure,
    success_lower_bound,
)

PRINTED = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "printed-numbers.json"
VARIANCES = (Fraction(2521, 18000), Fraction(2680, 18000), Fraction(1333, 18000))


@pytest.fixture(scope="module")
def printed():
    if not PRINTED.exists():
        pytest.skip("the printed numbers of the papers are not beside this checkout")
    return {relation["id"]: relation for relation in json.loads(PRINTED.read_text())}


@pytest.mark.parametrize("name", ["planning-0.25", "planning-0.5"])
def test_planning_budgets_are_the_printed_ones(printed, name):
    """The printed variances give the printed planning budgets."""
    relation = printed[name]
    eps = relation["inputs"]["eps"]
    found = [chebyshev_budget(v, tolerance=eps) for v in relation["inputs"]["V_hat"]]
    assert found == relation["printed"]


def test_planning_budgets_of_the_exact_variances():
    """45, 48, 24 at a quarter of a point and 12, 12, 6 at half a point."""
    assert [chebyshev_budget(v, tolerance=0.25) for v in VARIANCES] == [45, 48, 24]
    assert [chebyshev_budget(v, tolerance=0.5) for v in VARIANCES] == [12, 12, 6]
