"""Rules for formulas, on what no paper that was written by hand holds."""

import pytest

from rereview.perturb.formula_rules import formula_proposals


@pytest.mark.parametrize("formula", ["$x = %s$", "$10^{%s}$", "$2 + 2 = %s$", r"$\frac{1}{%s}$"])
def test_digits_without_end_are_no_parameter(formula):
    """Those of a constant or of a key: no rule changes them, and none fails on them."""
    made = list(formula_proposals(formula % ("7" * 5000)))
    assert [each for each in made if len(each.new) > 100] == []
