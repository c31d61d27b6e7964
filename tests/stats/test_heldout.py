"""Held-out risks and their bootstrap against plain loops."""

import importlib.util
import json
from math import comb
from pathlib import Path

import numpy as np
import pytest

from rereview.errors import UsageError
from rereview.stats.calibration import (
    GRID,
    OFFSETS,
    WEIGHTS,
    Losses,
    direct_risk,
    losses,
    quick_grid,
    standard_loss,
)
from rereview.stats.heldout import (
    COLUMNS,
    DIRECT,
    fixed_bootstrap,
    held_out,
    random_halves,
    refit_bootstrap,
)
from rereview.stats.resample import unit_weights

_spec = importlib.util.spec_from_file_location(
    "calibration_reference", Path(__file__).with_name("calibration_reference.py")
)
slow = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(slow)

PRINTED = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "printed-numbers.json"


@pytest.fixture(scope="module")
def printed():
    """Relations between printed numbers, by id."""
    if not PRINTED.exists():
        pytest.skip("the printed numbers of the papers are not beside this checkout")
    return {relation["id"]: relation for relation in json.loads(PRINTED.read_text())}


def study(papers=12, seed=0, splits=4):
    """Losses and splits of a small study, with what the loops read."""
    returned, table, targets = slow.sample(papers, seed)
    train = random_halves(papers, rng=np.random.default_rng(seed), splits=splits)
    return losses(quick_grid(table), targets), train, returned, targets


def test_halves_are_halves():
    """Thirty splits of 198 papers train on 99 each; a seed gives the same splits again."""
    train = random_halves(198, rng=np.random.default_rng(3))
    assert train.shape == (30, 198)
    assert set(train.sum(axis=1)) == {99}
    assert len(np.unique(train, axis=0)) == 30
    assert np.array_equal(train, random_halves(198, rng=np.random.default_rng(3)))
    assert set(random_halves(7, rng=np.random.default_rng(0)).sum(axis=1)) == {3}


def test_held_out_against_loops():
    """Fits, risks and appearances of every paper, one split and one partition at a time."""
    known, train, returned, targets = study(6, splits=3)
    found = held_out(known, train)
    seen = {i: [] for i in range(6)}
    for split, chosen in zip(train, found.fits, strict=True):
        fitted = slow.fit(returned, targets.tolist(), split.astype(int).tolist())
        assert (*map(float, fitted[0]), fitted[1]) == (*chosen.shape, chosen.weight)
        for i in np.flatnonzero(~split):
            seen[i].append(slow.risks(returned[i], targets[i].tolist(), fitted))
    for i, pairs in seen.items():
        assert found.appearances[i] == len(pairs)
        if pairs:
            assert found.risks[i, :2] == pytest.approx(np.mean(pairs, axis=0), abs=1e-12)
        else:
            assert np.isnan(found.risks[i]).all()


def test_choices_are_counted():
    """The counts of all chosen combinations sum to the splits."""
    known, train, *_ = study(20, splits=30)
    found = held_out(known, train)
    assert sum(found.chosen.values()) == 30
    assert found.chosen[found.fits[0]] == found.fits.count(found.fits[0])


def test_columns_hold_the_direct_risks_and_paired_differences():
    """Direct risks have no fit, and differences are taken paper by paper."""
    known, train, *_ = study()
    table = dict(zip(COLUMNS, held_out(known, train).risks.T, strict=True))
    for n in DIRECT:
        expected = np.where(np.isnan(table["quick"]), np.nan, direct_risk(known.collision, n))
        assert table[f"direct-{n}"] == pytest.approx(expected, nan_ok=True)
    assert table["standard-minus-3"] == pytest.approx(table["standard"] - table["direct-3"], nan_ok=True)
    assert table["standard-minus-2"] == pytest.approx(table["standard"] - table["direct-2"], nan_ok=True)


def test_a_paper_that_is_never_tested_has_no_risk():
    """It is NaN in every column, the direct ones included, so that all columns hold the same papers."""
    known, train, *_ = study()
    train[:, 0] = True
    found = held_out(known, train)
    assert np.isnan(found.risks[0]).all()
    assert found.appearances[0] == 0


def test_a_paper_that_is_never_tested_has_no_weight():
    """Its multiplicity counts for the training losses and not for the final mean."""
    known, train, returned, targets = study(6, splits=3)
    train[:, 0] = True
    weights = np.array([3.0, 0, 1, 0, 1, 1])
    found = refit_bootstrap(known, train, weights[None])[0]
    expected = slow.bootstrap_draw(returned, targets.tolist(), train.tolist(), weights.tolist())
    assert found[:2] == pytest.approx(expected, abs=1e-12)
    direct = direct_risk(known.collision, 1)[1:] @ weights[1:] / weights[1:].sum()
    assert found[2] == pytest.approx(direct, abs=1e-12)


def test_a_split_without_training_papers():
    """Nothing can be fitted."""
    known, train, *_ = study()
    train[2] = False
    with pytest.raises(UsageError, match="without training papers"):
        held_out(known, train)


def test_groups_keep_the_common_fits():
    """Two halves of the papers average to the whole, with the same fits."""
    known, train, *_ = study(40, splits=10)
    found = held_out(known, train)
    first = np.arange(40) < 20
    parts = [np.nanmean(found.within(group), axis=0) for group in (first, ~first)]
    assert np.mean(parts, axis=0) == pytest.approx(np.nanmean(found.risks, axis=0), abs=1e-12)


def test_fixed_bootstrap_against_a_loop():
    """Each draw is the mean of the drawn papers' risks."""
    known, train, *_ = study(30, splits=10)
    found = held_out(known, train)
    picks = np.random.default_rng(5).integers(0, 30, (50, 30))
    weights = unit_weights(30, rng=np.random.default_rng(5), draws=50)
    expected = [found.risks[row].mean(axis=0) for row in picks]
    assert fixed_bootstrap(found, weights) == pytest.approx(np.array(expected), abs=1e-12)


def test_refit_bootstrap_against_loops():
    """Draws with refitted parameters, one paper and one partition at a time, to 1e-12."""
    known, train, returned, targets = study(6, splits=3)
    weights = np.array([[1, 1, 1, 1, 1, 1], [2, 0, 1, 1, 2, 0], [0, 3, 1, 0, 1, 1]], dtype=float)
    found = refit_bootstrap(known, train, weights)
    for row, multiplicity in zip(found, weights, strict=True):
        expected = slow.bootstrap_draw(returned, targets.tolist(), train.tolist(), multiplicity.tolist())
        assert row[:2] == pytest.approx(expected, abs=1e-12)


def test_a_draw_of_every_paper_once_is_the_fit():
    """Multiplicities of one give the unresampled risks to 1e-12, in every column."""
    known, train, *_ = study(60, splits=30)
    whole = np.nanmean(held_out(known, train).risks, axis=0)
    assert refit_bootstrap(known, train, np.ones((1, 60)))[0] == pytest.approx(whole, abs=1e-12)


def test_direct_columns_do_not_depend_on_the_fit():
    """Fixed and refitted bootstraps of direct sampling are the same draws."""
    known, train, *_ = study(40, splits=20)
    weights = unit_weights(40, rng=np.random.default_rng(0), draws=100)
    fixed, refitted = fixed_bootstrap(held_out(known, train), weights), refit_bootstrap(known, train, weights)
    assert refitted[:, 2:6] == pytest.approx(fixed[:, 2:6], abs=1e-12)
    assert not np.allclose(refitted[:, 0], fixed[:, 0])


def test_draws_in_parts_are_the_draws_at_once():
    """How many draws are worked on at a time changes nothing."""
    known, train, *_ = study(20, splits=5)
    weights = unit_weights(20, rng=np.random.default_rng(0), draws=95)
    whole = refit_bootstrap(known, train, weights)
    single = np.concatenate([refit_bootstrap(known, train, row[None]) for row in weights])
    assert whole == pytest.approx(single, abs=1e-12)


def test_a_draw_without_training_papers_is_undefined():
    """Where a split trains on none of the drawn papers, the draw is NaN, to be left out and counted."""
    known, train, *_ = study(4, splits=2)
    train[:] = [[True, True, False, False], [False, True, True, False]]
    found = refit_bootstrap(known, train, np.array([[0.0, 0, 0, 4], [1, 1, 1, 1]]))
    assert np.isnan(found[0, :2]).all()
    assert not np.isnan(found[1]).any()


def test_risks_of_a_perfect_call():
    """A call that is right makes Standard better than two direct reviews."""
    known = Losses(quick=np.full((10, 234), -0.5), collision=np.full(10, 0.5))
    train = random_halves(10, rng=np.random.default_rng(0), splits=6)
    table = dict(zip(COLUMNS, np.nanmean(held_out(known, train).risks, axis=0), strict=True))
    assert table["quick"] == pytest.approx(0)
    assert table["standard"] == pytest.approx(0.3**2 * 0.25)
    assert table["standard-minus-2"] == pytest.approx(0.3**2 * 0.25 - 0.25)


def test_printed_design(printed):
    """The grid, the ten partitions, and 198 papers of which each is tested fifteen times on average."""
    assert [len(OFFSETS), len(GRID), len(WEIGHTS)] == printed["quick-grid"]["printed"]
    assert comb(5, 2) == printed["standard-splits"]["printed"]
    tested = ~random_halves(198, rng=np.random.default_rng(0))
    assert tested.sum(axis=0).mean() == printed["appearances"]["printed"]
    assert tested.sum(axis=0).min() >= 5
    assert printed["fit-188"]["printed"] == 198 - 10


def test_printed_risks(printed):
    """Two years of equal size average to the whole; three reviews have two thirds of the risk of two."""
    two, standard = (printed["risk-two-direct"]["inputs"], printed["risk-year-standard"]["inputs"])
    years = np.repeat([0, 1], 99)
    collisions = 1 - 2 * np.where(years == 0, two["2025"], two["2026"])
    # Quick losses for which Standard at w = .7 has the printed risk of the year.
    wanted = np.where(years == 0, standard["2025"], standard["2026"])
    quick = (wanted - 0.49 * (1 - collisions) / 2) / 0.09 - collisions
    mixed = standard_loss(quick, collisions, 0.7) + collisions
    direct = [direct_risk(collisions, n).mean() for n in (2, 3)]
    tolerance = printed["risk-two-direct"]["tolerance"]
    assert mixed.mean() == pytest.approx(printed["risk-year-standard"]["printed"], abs=tolerance)
    assert [direct[0], mixed.mean() - direct[0]] == pytest.approx(
        printed["risk-two-direct"]["printed"], abs=1.5 * tolerance
    )
    assert mixed.mean() - direct[1] == pytest.approx(printed["risk-three-direct"]["printed"], abs=1e-4)


def test_printed_fusion(printed):
    """The printed risks of Standard and of one review imply a Quick risk near that of one review."""
    inputs = printed["standard-risk-decomposition"]["inputs"]
    collision = 1 - inputs["one"]
    found = standard_loss(0.2585 - collision, collision, inputs["w"]) + collision
    assert float(found) == pytest.approx(inputs["standard"], abs=1e-4)
