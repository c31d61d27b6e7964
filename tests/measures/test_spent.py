"""Money spent and to come."""

import numpy as np
import pytest
from scipy import stats

from injected_frames import readings
from rereview.measures.spent import spent
from rereview.measures.tabulate import Settings
from score_frames import cells

PRICES = [0.2, 0.4, 0.3, 0.5, 0.25, 0.35, 0.45]


def rows(prices, unknown=()):
    """Two reviews a paper, of the corrupted and of the clean version."""
    made = [
        {"review": f"{arm}{p}", "paper": f"p{p}", "arm": arm, "usd": None if p in unknown else price}
        for p, price in enumerate(prices)
        for arm in ("corrupted", "clean")
    ]
    return readings(made).astype({"usd": "float64"})


def test_money_is_counted_by_paper():
    """All reviews of a paper together, Student's t over papers."""
    row = cells(spent(rows(PRICES), Settings()))
    paper = row["zero | m", "usd_per_paper"]
    doubled = [2 * price for price in PRICES]
    expected = stats.ttest_1samp(doubled, 0).confidence_interval()
    assert row["zero | m", "usd"].value == pytest.approx(sum(doubled))
    assert (paper.value, paper.low, paper.high) == pytest.approx((np.mean(doubled), *expected))


def test_an_unknown_cost_is_not_nothing():
    """It is counted, and its paper has no price."""
    row = cells(spent(rows(PRICES, unknown=(0,)), Settings()))
    assert row["zero | m", "unknown"].value == 2
    assert row["zero | m", "usd_per_paper"].value == pytest.approx(2 * np.mean(PRICES[1:]))
    assert (row["zero | m", "usd_per_paper"].n, row["zero | m", "usd_per_paper"].dropped) == (6, 1)
    nothing = cells(spent(rows([1.0], unknown=(0,)), Settings(), {("zero", "m"): 3}))
    assert nothing["zero | m", "usd"].value is None
    assert nothing["zero | m", "usd_to_come"].value is None


def test_what_is_to_come_is_a_prediction():
    """Ten further papers: mean times ten, wider than ten times the interval of the mean."""
    row = cells(spent(rows(PRICES), Settings(), {("zero", "m"): 10}))["zero | m", "usd_to_come"]
    doubled = 2 * np.array(PRICES)
    half = stats.t.ppf(0.975, 6) * doubled.std(ddof=1) * 10 * np.sqrt(1 / 7 + 1 / 10)
    assert (row.value, row.low, row.high) == pytest.approx(
        (10 * doubled.mean(), 10 * doubled.mean() - half, 10 * doubled.mean() + half)
    )


def test_few_papers_give_a_range():
    """Of the cheapest and the dearest; of one paper there is none."""
    row = cells(spent(rows([0.1, 0.3]), Settings(), {("zero", "m"): 5}))["zero | m", "usd_to_come"]
    assert (row.value, row.low, row.high) == pytest.approx((2, 1, 3))
    assert row.marks == ("from the cheapest to the dearest paper seen",)
    alone = cells(spent(rows([0.1]), Settings(), {("zero", "m"): 5}))["zero | m", "usd_to_come"]
    assert (alone.value, alone.low) == (pytest.approx(1), None)


def test_nothing_left_costs_nothing():
    """A configuration that has read everything."""
    row = cells(spent(rows(PRICES), Settings(), {}))
    assert row["zero | m", "usd_to_come"].value == 0
