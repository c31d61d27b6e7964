"""How often a repeated mean differs, against loops and simulated truth."""

import importlib.util
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.errors import UsageError
from rereview.stats.bounds import share_upper
from rereview.stats.reproducibility import Reproducibility, _partitions, reproducibility

_spec = importlib.util.spec_from_file_location("draw_scores", Path(__file__).with_name("draw_scores.py"))
draw_scores = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(draw_scores)


@pytest.mark.parametrize(("k", "count"), [(1, 45), (2, 630), (3, 2100), (4, 1575), (5, 126)])
def test_partitions_of_ten(k, count):
    """There are C(10,k) C(10-k,k) / 2 of them, each once."""
    one, other = _partitions(10, k)
    assert len(one) == count == comb(10, k) * comb(10 - k, k) // 2
    assert (
        len(
            {
                frozenset([frozenset(a), frozenset(b)])
                for a, b in zip(one.tolist(), other.tolist(), strict=True)
            }
        )
        == count
    )
    assert all(not set(a) & set(b) for a, b in zip(one.tolist(), other.tolist(), strict=True))


@given(
    st.lists(st.lists(st.decimals(4, 6, places=1), min_size=4, max_size=7), min_size=1, max_size=4),
    st.sampled_from([0.1, 0.25, 0.5]),
)
@settings(max_examples=30, deadline=None)
def test_shares_against_loops(papers, tolerance):
    """Every ordered pair of disjoint blocks of two, compared in fractions."""
    table = np.full((len(papers), 7), np.nan)
    shares = []
    for row, scores in zip(table, papers, strict=True):
        row[: len(scores)] = [float(s) for s in scores]
        exact = [Fraction(s) for s in scores]
        blocks = list(combinations(range(len(exact)), 2))
        hits = [
            abs(sum(exact[i] for i in a) - sum(exact[i] for i in b)) >= 2 * Fraction(repr(tolerance))
            for a in blocks
            for b in blocks
            if not set(a) & set(b)
        ]
        shares.append(np.mean(hits))
    assert reproducibility(table, 2, tolerance).differ == pytest.approx(np.mean(shares), abs=1e-12)


def test_differences_are_compared_as_written():
    """1.1 + 1.2 and 1.3 + 1.0 do not differ, and a difference of exactly the tolerance counts."""
    assert reproducibility([[1.1, 1.2, 1.3, 1.0]] * 2, 2, 0.1).differ == pytest.approx(2 / 3)
    assert reproducibility([[5.0, 5.3]], 1, 0.3).differ == 1.0


def test_independent_pairs_of_the_bound():
    """Eight scores hold two disjoint pairs of blocks of two; the shortest paper decides for all."""
    scores = np.array(
        [[5, 6, 5, 6, 5, 6, 5, 6, 7], [5, 5, 6, 6, 5, 5, 6, 6, np.nan], [5, 5, 6, 7, 5, 6, 8, 7, 6.0]]
    )
    found = reproducibility(scores, 2, 0.5, confidence=0.9)
    assert found.upper == share_upper(found.differ, 3 * 2, alpha=0.1)


def test_papers_without_two_blocks_are_dropped():
    """They are counted; without any paper left the share is not known."""
    scores = [[5, 6, 5, 6], [5, 6, np.nan, np.nan]]
    assert reproducibility(scores, 2, 0.5)[2:] == (1, 1)
    assert reproducibility(scores, 3, 0.5) == Reproducibility(None, None, 0, 2)


def test_long_rows_are_cut_into_groups():
    """Twenty-six reviews in blocks of two are groups of 12 and 12; the two that are left have no pair."""
    row = np.random.default_rng(0).integers(4, 7, 26).astype(float)
    parts = [reproducibility([row[part]], 2, 0.5).differ for part in (slice(12), slice(12, 24))]
    assert reproducibility([row], 2, 0.5).differ == pytest.approx(np.mean(parts))


def test_blocks_of_every_size():
    """From one to six reviews."""
    scores = np.tile([5.0, 6.0], (3, 6))
    assert all(reproducibility(scores, k, 0.5).differ is not None for k in range(1, 7))
    for k in (0, 7):
        with pytest.raises(UsageError, match="1 to 6"):
            reproducibility(scores, k, 0.5)


def true_rate(laws, k, tolerance):
    """P(|mean of k - mean of another k| >= tolerance), mean over papers, by convolution."""
    rates = []
    for law in laws:
        total = np.ones(1)
        for _ in range(k):
            total = np.convolve(total, law)
        gap = np.abs(np.subtract.outer(np.arange(len(total)), np.arange(len(total)))) / k
        rates.append(total @ (gap >= tolerance) @ total)
    return np.mean(rates)


def covered(laws, replications, k=2, tolerance=1.0):
    """Share of pilots of ten whose bound holds, and the mean of the estimate."""
    scores = draw_scores.draw(laws, 10, np.random.default_rng(2), replications)
    found = [reproducibility(pilot, k, tolerance) for pilot in scores]
    truth = true_rate(laws, k, tolerance)
    return np.mean([f.upper >= truth for f in found]), np.mean([f.differ for f in found]) - truth


def test_the_share_is_unbiased_and_its_bound_holds():
    """In a hundred pilots of thirty papers."""
    share, bias = covered(draw_scores.dirichlet(30), 100)
    assert share >= 0.9
    assert abs(bias) < 0.02


@pytest.mark.long
@pytest.mark.parametrize(
    "laws",
    [
        draw_scores.adjacent(),
        draw_scores.jumps(0.0015),
        draw_scores.jumps(0.003),
        draw_scores.extremes(4),
        draw_scores.uniform_few(),
        draw_scores.dirichlet(),
    ],
    ids=["adjacent flips", "jumps of .0015", "jumps of .003", "extremes", "uniform papers", "Dirichlet"],
)
def test_the_bound_keeps_its_level(laws):
    """In 2,000 pilots of 200 papers the bound holds in at least .935."""
    assert covered(laws, 2000)[0] >= 0.935
