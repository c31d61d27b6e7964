"""Held-out AUC against plain loops."""

import importlib.util
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from rereview.errors import UsageError
from rereview.stats.calibration import Fit, Shape, losses, quick, quick_grid
from rereview.stats.heldout import held_out, random_halves
from rereview.stats.heldout_auc import AUC_COLUMNS, heldout_auc

_spec = importlib.util.spec_from_file_location(
    "calibration_reference", Path(__file__).with_name("calibration_reference.py")
)
slow = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(slow)


def study(papers=16, seed=0, splits=4):
    """Calls, targets, outcomes, splits and fits."""
    _, table, targets = slow.sample(papers, seed)
    train = random_halves(papers, rng=np.random.default_rng(seed), splits=splits)
    fits = held_out(losses(quick_grid(table), targets), train).fits
    return table, targets, np.arange(papers) % 3 == 0, train, fits


def pairs(values, labels):
    """AUC by counting pairs."""
    high = [v for v, label in zip(values, labels, strict=True) if label]
    low = [v for v, label in zip(values, labels, strict=True) if not label]
    return np.mean([(a > b) + 0.5 * (a == b) for a in high for b in low])


def predictions(table, targets, found, column, chosen):
    """Predict every paper from its own subset of rounds."""
    if column.startswith("direct"):
        return [float(np.mean(row[list(c)])) for row, c in zip(targets, chosen, strict=True)]
    expected = [float(quick(row, found.shape) @ np.arange(1, 11)) for row in table]
    if column == "quick":
        return expected
    means = [float(np.mean(row[list(c)])) for row, c in zip(targets, chosen, strict=True)]
    return [found.weight * m + (1 - found.weight) * e for m, e in zip(means, expected, strict=True)]


def test_shared_subsets_against_loops():
    """The same rounds for all papers, one subset at a time, averaged over subsets and splits."""
    table, targets, accepted, train, fits = study()
    found = heldout_auc(table, targets, accepted, train, fits)
    for column, value in zip(AUC_COLUMNS, found.values, strict=True):
        n = {"quick": 1, "standard": 2}.get(column) or int(column[-1])
        means = []
        for split, chosen in zip(train, fits, strict=True):
            test = np.flatnonzero(~split)
            aucs = [
                pairs(
                    predictions(table[test], targets[test], chosen, column, [c] * len(test)), accepted[test]
                )
                for c in combinations(range(5), n)
            ]
            means.append(np.mean(aucs))
        assert value == pytest.approx(np.mean(means), abs=1e-12)


def test_independent_subsets_against_enumeration():
    """Every choice of a subset by every paper, of three papers, has the expectation found pair by pair."""
    table, targets, _, _, _ = study(3, seed=3)
    fits = (Fit(Shape(2.0, 0.2, 0.9), 0.7),)
    train, accepted = np.zeros((1, 3), dtype=bool), np.array([1, 0, 0])
    found = heldout_auc(table, targets, accepted, train, fits, subsets="independent")
    subsets = list(combinations(range(5), 2))
    for column in ("standard", "direct-2"):
        outcomes = [
            pairs(predictions(table, targets, fits[0], column, chosen), accepted)
            for chosen in product(subsets, repeat=3)
        ]
        assert found.values[AUC_COLUMNS.index(column)] == pytest.approx(np.mean(outcomes), abs=1e-12)


def test_without_a_choice_shared_and_independent_agree():
    """One call, and all five reviews, leave no subset to choose."""
    given = study()
    shared, independent = heldout_auc(*given), heldout_auc(*given, subsets="independent")
    for column in ("quick", "direct-5"):
        index = AUC_COLUMNS.index(column)
        assert shared.values[index] == pytest.approx(independent.values[index], abs=1e-12)
    assert not np.allclose(shared.values, independent.values)


def test_left_out_papers_do_not_count():
    """NaN outcomes are dropped, as if the papers were in no test set."""
    table, targets, accepted, train, fits = study()
    outcome = accepted.astype(float)
    outcome[[1, 4]] = np.nan
    hidden = train.copy()
    hidden[:, [1, 4]] = True
    found = heldout_auc(table, targets, outcome, train, fits)
    assert found.dropped == 2
    assert found.values == pytest.approx(heldout_auc(table, targets, accepted, hidden, fits).values)


def test_splits_with_one_outcome_are_left_out():
    """A test half without an accepted paper has no AUC; with none left all is undefined."""
    table, targets, accepted, train, fits = study()
    train[0] = accepted
    found = heldout_auc(table, targets, accepted, train, fits)
    assert found.splits == 3
    nothing = heldout_auc(table, targets, np.zeros(16), train, fits)
    assert nothing.splits == 0
    assert np.isnan(nothing.values).all()


def test_equal_calls_tie():
    """Papers with the same call have the same expected score, wherever they stand."""
    table = np.tile(np.random.default_rng(0).dirichlet(np.ones(10)), (37, 1))
    targets = np.full((37, 5), 6)
    fits = (Fit(Shape(3.0, -0.2, 1.1), 0.6),)
    found = heldout_auc(table, targets, np.arange(37) % 2, np.zeros((1, 37), dtype=bool), fits)
    assert found.values.tolist() == [0.5] * 6


def test_five_reviews_are_needed():
    """The direct baselines go up to five."""
    table, targets, accepted, train, fits = study()
    with pytest.raises(UsageError, match="at least 5"):
        heldout_auc(table, targets[:, :4], accepted, train, fits)
