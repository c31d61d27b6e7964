"""Agreement of two reviewers against loops over exact fractions."""

from fractions import Fraction
from itertools import combinations, product

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rereview.measures.between import between, order_rates, paper_agreement, partners
from rereview.measures.tables import measure_all
from rereview.measures.tabulate import Settings

FEW = Settings(draws=200)
SCORES = st.one_of(st.none(), st.sampled_from([1, 2, 3, 2.5, 0.1, 0.3]))


def rows(name, table, version="", group=None):
    """Rows of one reviewer from `{paper: [score, ...]}`, None for a missing round."""
    found = [
        (paper, version, name, number, score)
        for paper, scores in table.items()
        for number, score in enumerate(scores, start=1)
        if score is not None
    ]
    frame = pd.DataFrame(found, columns=["paper", "version", "reviewer", "round", "score"])
    return frame if group is None else frame.assign(group=frame["paper"].map(group))


def cells(table, row):
    return {cell.column: cell.estimate for cell in table.cells if cell.row == row}


def slow_rates(one, other, groups):
    """Same and reverse of each pair of papers, by going through every pair of rounds."""
    found = {}
    for i, j in combinations(range(len(one)), 2):
        if groups[i] != groups[j]:
            continue
        orders = []
        for r, s in product(range(one.shape[1]), range(other.shape[1])):
            values = one[i, r], one[j, r], other[i, s], other[j, s]
            if not np.isnan(values).any():
                a, b, c, d = values
                orders.append(int(np.sign(a - b) * np.sign(c - d)))
        if orders:
            found[i, j] = tuple(Fraction(orders.count(sign), len(orders)) for sign in (1, -1))
    return found


@given(
    st.lists(
        st.tuples(st.tuples(SCORES, SCORES, SCORES), st.tuples(SCORES, SCORES), st.integers(0, 1)),
        min_size=2,
        max_size=7,
    )
)
def test_orders_and_agreement_equal_a_loop(papers):
    """Every pair of rounds that has both papers counts; what is missing makes no pair."""
    one, other = (np.array([p[side] for p in papers], dtype=float) for side in (0, 1))
    groups = np.array([str(p[2]) for p in papers])
    rates = order_rates(one, other, groups)
    found = dict(
        zip(
            zip(rates.first.tolist(), rates.second.tolist(), strict=True),
            zip(rates.same, rates.reverse, strict=True),
            strict=True,
        )
    )
    expected = slow_rates(one, other, groups)
    assert found.keys() == expected.keys()
    for pair, (same, reverse) in expected.items():
        assert found[pair] == pytest.approx((float(same), float(reverse)), abs=1e-15)
    for mine, a, b in zip(paper_agreement(one, other), one, other, strict=True):
        pairs = [x == y for x, y in product(a, b) if not np.isnan([x, y]).any()]
        assert np.isnan(mine) if not pairs else mine == pytest.approx(np.mean(pairs))


def simulated(papers=30):
    rng = np.random.default_rng(5)
    quality = rng.normal(5, 1.5, papers)
    first, second = (np.rint(np.clip(quality + rng.normal(0, 1, papers), 1, 10)) for _ in range(2))
    return first, second


def as_rows(name, scores):
    return rows(name, {f"p{i:02d}": [score] for i, score in enumerate(scores)})


def test_a_row_holds_what_scipy_and_a_loop_over_draws_give():
    """Values and percentile limits of one review each, from the same draws of papers."""
    first, second = simulated()
    settings = Settings(draws=300, percentile=True, seed=3)
    found = cells(between({"a": as_rows("a", first), "b": as_rows("b", second)}, settings), "a ~ b")

    def order(picks):
        pairs = [(i, j) for i, j in combinations(range(len(picks)), 2) if picks[i] != picks[j]]
        x, y = first[picks], second[picks]
        signs = np.array([np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i, j in pairs])
        return [(signs == sign).mean() for sign in (1, 0, -1)]

    def all_of(picks):
        x, y = first[picks], second[picks]
        return [
            (x == y).mean(),
            (y - x).mean(),
            stats.pearsonr(x, y).statistic,
            stats.spearmanr(x, y).statistic,
            *order(picks),
        ]

    names = ("agreement", "difference", "pearson", "spearman", "same", "tie", "reverse")
    draws = np.random.default_rng(3).integers(0, len(first), (300, len(first)))
    low, high = np.quantile([all_of(picks) for picks in draws], [0.025, 0.975], axis=0)
    for name, value, down, up in zip(names, all_of(np.arange(len(first))), low, high, strict=True):
        assert found[name].value == pytest.approx(value, abs=1e-12)
        assert (found[name].low, found[name].high) == pytest.approx((down, up), abs=1e-12)
    assert found["papers"].value == 30


def test_agreement_is_the_one_of_krippendorff_nominal_alpha():
    """Alpha is 1 - observed / expected disagreement, and 1 - agreement is the observed one."""
    first, second = simulated()
    found = cells(between({"a": as_rows("a", first), "b": as_rows("b", second)}, FEW), "a ~ b")
    pooled = np.concatenate([first, second])
    expected = np.mean([x != y for x, y in combinations(pooled, 2)])
    alpha = krippendorff.alpha(reliability_data=np.stack([first, second]), level_of_measurement="nominal")
    assert 1 - (1 - found["agreement"].value) / expected == pytest.approx(alpha, abs=1e-12)


def test_papers_that_one_of_the_two_scored_are_counted_as_dropped():
    """A third reviewer's papers belong to neither; the rows share one list of papers."""
    first, second = simulated(8)
    frames = {
        "a": as_rows("a", first),
        "b": as_rows("b", second[:7]),
        "c": rows("c", {"p00": [3], "elsewhere": [4]}),
    }
    made = between(frames, FEW)
    found = cells(made, "a ~ b")
    assert {(each.n, each.dropped) for each in found.values()} == {(7, 1)}
    lone = cells(made, "b ~ c")
    assert (lone["papers"].value, lone["agreement"].low, lone["pearson"].value) == (1, None, None)
    assert (lone["same"].value, lone["same"].n) == (None, 0)


def test_pairs_of_papers_are_of_one_group():
    """The order across years is not asked for."""
    group = {"p": "2025", "q": "2026", "r": "2026"}
    a = rows("a", {"p": [1], "q": [2], "r": [3]}, group=group)
    b = rows("b", {"p": [9], "q": [2], "r": [3]}, group=group)
    found = cells(between({"a": a, "b": b}, FEW), "a ~ b")
    assert (found["same"].value, found["tie"].value, found["reverse"].value) == (1, 0, 0)


def test_versions_of_a_paper_are_not_compared():
    """Reviewers of different texts have nothing to agree on."""
    frames = {
        f"{name} | {version}": rows(name, {"p": [3], "q": [4]}, version)
        for name in "ab"
        for version in ("original", "revised")
    }
    assert list(partners(frames)) == [
        ("a | original", "b | original"),
        ("a | revised", "b | revised"),
    ]


def test_the_table_stands_beside_those_of_each_reviewer():
    """Under the empty name; one reviewer alone has no such table, and is told why."""
    first, second = simulated()
    frames = {"a": as_rows("a", first), "b": as_rows("b", second)}
    found = measure_all(frames, ["between", "concentration"], FEW)
    made = {name: [table.name for table in each.tables] for name, each in found.items()}
    assert made == {"a": ["concentration"], "b": ["concentration"], "": ["between"]}
    alone = measure_all({"": frames["a"]}, ["between"], FEW)[""]
    assert (alone.tables, dict(alone.left_out)) == (
        (),
        {"between": "needs two reviewers or models; there is 1"},
    )
    apart = {"a": frames["a"], "b": rows("b", {"elsewhere": [4]})}
    assert measure_all(apart, ["between"], FEW)[""].left_out["between"] == (
        "needs papers that two reviewers scored"
    )
