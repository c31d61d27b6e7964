"""Numbers of figures."""

import numpy as np
import pytest

from rereview.measures.budget import budget
from rereview.measures.curves import against_human, curves, paper_sd, precision
from rereview.measures.repeatability import variance_quantiles
from rereview.measures.tabulate import Panel, Settings

SCORES = np.array(
    [[4, 5, 4, 6], [7, 7, 7, 7], [2, 4, 3, 3], [8, 8, 9, 8], [5, 5, 5, np.nan], [6, np.nan, np.nan, np.nan]]
)


def panel(**known):
    papers = tuple(f"p{at}" for at in range(len(SCORES)))
    return Panel(papers, (1, 2, 3, 4), SCORES, settings=Settings(draws=100), **known)


def test_precision_crosses_the_target_at_the_budget_of_the_table():
    """At the budget the bound holds, and one review less is not enough."""
    found = {(curve.part, curve.line): curve for curve in precision({"A": panel()})}
    cells = {(cell.row, cell.column): cell.estimate.value for cell in budget(panel()).cells}
    assert len(found) == 6
    for (part, line), curve in found.items():
        success = dict(zip(curve.x, curve.y, strict=True))
        needed = cells[f"tolerance {part}", line]
        assert success[needed] >= 0.95
        assert all(value < 0.95 for k, value in success.items() if k < needed)


def test_precision_is_one_minus_variance_over_k_tolerance_squared():
    """The planning curve is the plain expression with the observed variance, never below 0."""
    curve = next(each for each in precision({"A": panel()}) if (each.part, each.line) == ("0.25", "planning"))
    variance = np.nanmean([np.var(row[~np.isnan(row)], ddof=1) for row in SCORES[:5]])
    expected = np.maximum(0, 1 - variance / (np.array(curve.x) * 0.25**2))
    np.testing.assert_allclose(curve.y, expected, rtol=1e-12)


def test_precision_of_several_configurations_shares_its_reviews():
    """Lines of one panel end at the same k."""
    flat = Panel(("a", "b"), (1, 2), np.array([[5.0, 5.0], [6.0, 7.0]]))
    found = [curve for curve in precision({"A": panel(), "B": flat}) if curve.part == "0.5"]
    assert len({curve.x for curve in found}) == 1


def test_the_share_of_papers_is_a_distribution_that_agrees_with_the_quantiles():
    """Ascending, ending at 1, with papers of two scores or more, and reaching the median at q0.5."""
    (curve,) = paper_sd({"A": panel()})
    assert list(curve.x) == sorted(set(curve.x))
    assert list(curve.y) == sorted(curve.y)
    assert curve.y[-1] == 1
    assert curve.y[0] == pytest.approx(2 / 5)
    cells = {cell.column: cell.estimate.value for cell in variance_quantiles(panel()).cells}
    median = next(x for x, y in zip(curve.x, curve.y, strict=True) if y >= 0.5)
    assert median**2 == pytest.approx(cells["q0.5"])
    assert curve.x[-1] ** 2 == pytest.approx(cells["q1"])


def test_papers_without_a_human_score_are_no_points():
    """Every other paper is one, at its mean over the rounds it has."""
    human = np.array([5, np.nan, 3, 8, 5, 6.5])
    (curve,) = against_human({"A": panel(human=human), "B": panel()})
    assert curve.configuration == "A"
    assert curve.x == (5, 3, 8, 5, 6.5)
    assert curve.y == pytest.approx((4.75, 3, 8.25, 5, 6))


def test_groups_are_lines_where_there_are_several():
    """One group alone is not named."""
    human = np.full(6, 5.0)
    groups = np.array(["x", "x", "y", "y", "y", "y"])
    assert [c.line for c in against_human({"A": panel(human=human, groups=groups)})] == ["x", "y"]
    assert [c.line for c in against_human({"A": panel(human=human, groups=np.array(["x"] * 6))})] == [""]


def test_only_tables_that_are_there_have_curves():
    """No table, no curve."""
    assert curves({}, {"": ()}, Settings()) == ()
