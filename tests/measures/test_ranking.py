"""Rankings reproduced by disjoint blocks, against plain loops."""

from itertools import combinations
from statistics import mean

import numpy as np
import pytest

from rereview.measures.ranking import close, ranking
from rereview.measures.tabulate import Settings, panel
from score_frames import cells, frame, scores

TABLE = [
    [5, 5, 6, 5],
    [4, 6, 4, 4],
    [7, 5, 6, 6],
    [3, 4, 3, 4],
    [6, 6, 6, 7],
    [5, 8, 5, 5],
    [4, 4, 3, 5],
    [5, 5, 5, 5],
]
GROUPS = "aabbabab"


def of(table=TABLE, draws=200):
    return panel(frame(scores(table, [{"group": g} for g in GROUPS])), Settings(draws=draws))


def sign(x):
    return (x > 0) - (x < 0)


def rates(one, other, rounds, k):
    """Same, tie and reverse of two papers over all pairs of disjoint blocks."""
    found = [0, 0, 0]
    for block in combinations(rounds, k):
        for rest in combinations([t for t in rounds if t not in block], k):
            signs = [sign(sum(one[t] - other[t] for t in each)) for each in (block, rest)]
            found[1 if 0 in signs else 0 if signs[0] == signs[1] else 2] += 1
    return [count / sum(found) for count in found]


def pairs():
    return [(i, j) for i, j in combinations(range(8), 2) if GROUPS[i] == GROUPS[j]]


@pytest.mark.parametrize("k", [1, 2])
def test_rates_and_limits_against_loops(k):
    """Rates over pairs of one group; a draw counts a pair as often as both papers were drawn."""
    found = cells(ranking(of()))
    each = {(i, j): rates(TABLE[i], TABLE[j], range(4), k) for i, j in pairs()}
    draws = []
    for picks in np.random.default_rng(0).integers(0, 8, (200, 8)).tolist():
        weights = {pair: picks.count(pair[0]) * picks.count(pair[1]) for pair in each}
        if total := sum(weights.values()):
            draws.append([sum(w * each[p][c] for p, w in weights.items()) / total for c in range(3)])
    limits = np.quantile(draws, [0.025, 0.975], axis=0)
    for column, name in enumerate(("same", "tie", "reverse")):
        cell = found[f"k={k}", name]
        assert cell.value == pytest.approx(mean(rate[column] for rate in each.values()))
        assert (cell.low, cell.high) == pytest.approx(limits[:, column], abs=1e-12)
        assert cell.n == 8


def test_papers_with_a_gap_are_left_out():
    """Rankings need every round."""
    cell = cells(ranking(of([[5, 5, 6, None], *TABLE[1:]])))["k=1", "same"]
    assert (cell.n, cell.dropped) == (7, 1)


def test_close_pairs_group_by_the_first_half_and_compare_the_last():
    """The gap of the first two rounds chooses the row; only rounds 3 and 4 are compared."""
    found = cells(close(of()))
    gaps = {}
    for i, j in pairs():
        gap = abs(sum(TABLE[i][:2]) - sum(TABLE[j][:2])) / 2
        row = next(
            name
            for name, end in (
                ("gap 0", 0),
                ("gap (0, 0.4]", 0.4),
                ("gap (0.4, 1]", 1),
                ("gap (1, 2]", 2),
                ("gap >2", 99),
            )
            if gap <= end
        )
        gaps.setdefault(f"{row}, k=1", []).append(rates(TABLE[i], TABLE[j], (2, 3), 1))
    for row in {row for row, _ in found}:
        assert found[row, "pairs"].value == len(gaps.get(row, []))
        expected = mean(rate[0] for rate in gaps[row]) if row in gaps else None
        assert found[row, "same"].value == (None if expected is None else pytest.approx(expected))


def test_more_rounds_than_can_be_enumerated_leave_the_small_blocks():
    """Of 18 rounds, blocks of 5 and more have too many partitions: the others are still there."""
    rng = np.random.default_rng(0)
    found = cells(ranking(of(rng.integers(1, 10, (8, 18)).tolist(), draws=20)))
    assert {row for row, _ in found} == {"k=1", "k=2", "k=3", "k=4"}
