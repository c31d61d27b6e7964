"""Repeatability, concentration, quantiles and batches, against plain loops."""

from itertools import combinations
from statistics import mean, stdev, variance

import numpy as np
import pytest
from scipy import stats

from rereview.measures.repeatability import batches, concentration, repeatability, variance_quantiles
from rereview.measures.tabulate import Settings, panel
from score_frames import cells, frame, scores

SETTINGS = Settings(draws=400)
TABLE = [
    [5, 5, 6, 5],
    [4, 4, 4, 4],
    [7, 5, 6, 6],
    [3, 4, 3, 4],
    [6, 6, 6, 7],
    [5, 8, 5, 5],
    [2, 2, 3, 3],
    [9, 9, 9, 9],
]
GAPS = [*TABLE[:6], [2, None, 3, 3], [9, None, None, None]]


def of(table, settings=SETTINGS, groups=""):
    facts = [{"group": groups[i % 2]} for i in range(len(table))] if groups else None
    return panel(frame(scores(table, facts)), settings)


def seen(table):
    """Papers with two scores or more, without their gaps."""
    papers = [[score for score in row if score is not None] for row in table]
    return [row for row in papers if len(row) > 1]


def t_limits(parts):
    half = stats.t.ppf(0.975, len(parts) - 1) * stdev(parts) / len(parts) ** 0.5
    return mean(parts) - half, mean(parts) + half


@pytest.mark.parametrize("table", [TABLE, GAPS])
def test_repeatability_against_loops(table):
    """Spread, identical papers, ranges and exact agreement, each with its Student limits."""
    found, papers = cells(repeatability(of(table))), seen(table)
    agreement = [mean(float(a == b) for a, b in combinations(row, 2)) for row in papers]
    parts = {
        "identical": [float(len(set(row)) == 1) for row in papers],
        "range_at_most_1": [float(max(row) - min(row) <= 1) for row in papers],
        "agreement": agreement,
    }
    for name, each in parts.items():
        cell = found["all", name]
        assert cell.value == pytest.approx(mean(each))
        low, high = t_limits(each)
        assert (cell.low, cell.high) == pytest.approx((max(low, 0.0), min(high, 1.0)))
        assert ("cut at the end of the scale" in cell.marks) == (low < 0 or high > 1)
        assert (cell.n, cell.dropped) == (len(papers), len(table) - len(papers))
    variances = [variance(row) for row in papers]
    low, high = t_limits(variances)
    cell = found["all", "within_sd"]
    assert (cell.value, cell.low, cell.high) == pytest.approx(
        (mean(variances) ** 0.5, max(low, 0) ** 0.5, high**0.5)
    )
    pooled = [score for row in table for score in row if score is not None]
    assert found["all", "all_sd"].value == pytest.approx(stdev(pooled))


def test_percentile_limits_are_those_of_the_drawn_papers():
    """`percentile` draws `default_rng(seed).integers(0, N, (draws, N))` and takes type-7 quantiles."""
    found = cells(repeatability(of(TABLE, Settings(draws=400, seed=3, percentile=True))))["all", "agreement"]
    parts = np.array([mean(float(a == b) for a, b in combinations(row, 2)) for row in TABLE])
    picks = np.random.default_rng(3).integers(0, len(TABLE), (400, len(TABLE)))
    assert (found.low, found.high) == pytest.approx(np.quantile(parts[picks].mean(axis=1), [0.025, 0.975]))


def test_groups_have_rows_of_their_own():
    """A group's row is that of its papers alone, and other papers are not dropped from it."""
    found = cells(repeatability(of(TABLE, groups="ab")))
    for group, members in (("a", TABLE[::2]), ("b", TABLE[1::2])):
        cell = found[group, "within_sd"]
        assert cell.value == pytest.approx(mean(map(variance, members)) ** 0.5)
        assert (cell.n, cell.dropped) == (4, 0)
        assert cell.low is None
        assert cell.marks == ("no interval: too few papers",)


def test_constant_scores_have_a_spread_of_zero_and_no_limits():
    """No spread seen is 0, not unknown, and gives no interval."""
    found = cells(repeatability(of([[5, 5]] * 8)))
    assert found["all", "within_sd"].value == 0
    assert found["all", "agreement"].value == 1
    assert found["all", "within_sd"].low is None
    assert found["all", "icc_single"].value is None


def test_concentration_counts_scores():
    """Counts of each integer, of what lies between, and inclusive shares."""
    found = cells(concentration(of([*TABLE, [5.5, 10, 1, 7]])))
    flat = [score for row in [*TABLE, [5.5, 10, 1, 7]] for score in row]
    for score in range(1, 11):
        assert found["all", str(score)].value == flat.count(score)
    assert found["all", "between"].value == 1
    assert found["all", "share_5_to_7"].value == pytest.approx(sum(5 <= s <= 7 for s in flat) / len(flat))
    assert found["all", "share_5_to_6"].n == len(flat)


def test_quantiles_interpolate_between_papers():
    """NumPy's linear quantiles of the variances, and papers by range."""
    found = cells(variance_quantiles(of(GAPS)))
    ordered = sorted(variance(row) for row in seen(GAPS))
    place = 0.75 * (len(ordered) - 1)
    low = ordered[int(place)]
    expected = low + (place - int(place)) * (ordered[int(place) + 1] - low)
    assert found["all", "q0.75"].value == pytest.approx(expected)
    ranges = [max(row) - min(row) for row in seen(GAPS)]
    assert {c: e.value for (_, c), e in found.items() if c.startswith("range")} == {
        f"range_{points}": ranges.count(points) for points in sorted(set(ranges))
    }
    assert found["all", "q0.5"].dropped == 1


def test_batches_compare_the_halves_of_complete_papers():
    """Last minus first; papers with a gap are dropped and counted."""
    found = cells(batches(of(GAPS)))
    whole = [row for row in GAPS if None not in row]
    shifts = [mean(row[2:]) - mean(row[:2]) for row in whole]
    cell = found["all", "shift"]
    assert (cell.value, cell.n, cell.dropped) == (pytest.approx(mean(shifts)), 6, 2)
    assert (cell.low, cell.high) == pytest.approx(t_limits(shifts))
    distances = [abs(mean(row) - mean(row[:2])) for row in whole]
    assert found["all", "distance"].value == pytest.approx(mean(distances))


def test_scores_are_counted_at_the_values_of_their_scale():
    """Half points and even numbers have columns; only the scale from 1 to 10 has a middle."""
    halves = Settings(scale=(1, 3), points=(1, 1.5, 2, 2.5, 3))
    found = cells(concentration(panel(frame(scores([[1.5, 2], [2.5, 1.75]])), halves)))
    assert [column for _, column in found] == ["1", "1.5", "2", "2.5", "3", "between"]
    assert [cell.value for cell in found.values()] == [0, 1, 1, 1, 0, 1]
    whole = cells(concentration(panel(frame(scores([[0, 2]])), Settings(scale=(-0.5, 2.5)))))
    assert [column for _, column in whole] == ["0", "1", "2", "between"]
