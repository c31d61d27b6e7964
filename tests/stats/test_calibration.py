"""Quick, Standard and direct sampling against plain loops."""

import importlib.util
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.errors import UsageError
from rereview.stats.calibration import (
    GRID,
    OFFSETS,
    SCORES,
    WEIGHTS,
    Fit,
    Shape,
    answered,
    collision,
    debiased_risk,
    direct_risk,
    first_answers,
    first_smallest,
    fit,
    frequencies,
    listed,
    losses,
    quick,
    quick_grid,
    standard,
    standard_loss,
)

_spec = importlib.util.spec_from_file_location(
    "calibration_reference", Path(__file__).with_name("calibration_reference.py")
)
slow = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(slow)
sample = slow.sample


def test_grid_of_the_paper():
    """Six temperatures, thirteen offsets and three slopes; eight weights; the printed fit lies on it."""
    assert len(GRID) == 6 * 13 * 3 == 234
    assert (OFFSETS[0], OFFSETS[-1], len(OFFSETS)) == (-2.0, 0.4, 13)
    assert WEIGHTS == (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    assert (8, 0.2, 0.9) in GRID
    assert 0.7 in WEIGHTS
    assert [tuple(map(Fraction, map(repr, shape))) for shape in GRID] == [
        tuple(map(Fraction, g)) for g in slow.GRID
    ]


@pytest.mark.parametrize("index", range(0, len(GRID), 7))
def test_quick_against_loops(index):
    """One call at a point of the grid, and the same in the tensor of all points."""
    returned, table, _ = sample(5, index)
    tensor = quick_grid(table)
    for candidates, row, whole in zip(returned, table, tensor, strict=True):
        expected = slow.quick(candidates, *slow.GRID[index])
        assert quick(row, GRID[index]) == pytest.approx(expected, abs=1e-12)
        assert whole[index] == pytest.approx(expected, abs=1e-12)


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_quick_is_a_distribution(seed):
    """Every point of the grid gives probabilities that sum to one."""
    _, table, _ = sample(3, seed)
    tensor = quick_grid(table)
    assert tensor.min() >= 0
    assert tensor.sum(axis=-1) == pytest.approx(np.ones((3, 234)), abs=1e-12)


def test_quick_without_a_change_renormalises():
    """Temperature one and the identity map keep the returned candidates."""
    row = np.full(10, np.nan)
    row[[4, 5]] = 0.3, 0.1
    assert quick(row, Shape(1, 0.0, 1.0)) == pytest.approx([0, 0, 0, 0, 0.75, 0.25, 0, 0, 0, 0])


def test_quick_gives_nothing_to_candidates_that_did_not_come_back():
    """A returned zero takes part in the temperature, a missing candidate does not."""
    row = np.full(10, np.nan)
    row[4], row[5] = 1.0, 0.0
    hot = quick(row, Shape(12, 0.0, 1.0))
    assert hot[5] == pytest.approx(1e-9 ** (1 / 12) / (1 + 1e-9 ** (1 / 12)))
    assert hot[6] == 0


def test_quick_splits_mass_between_neighbours_and_clips():
    """A score moved to 5.2 gives 0.8 to 5; a whole place keeps all; beyond the ends nothing is lost."""
    row = np.full(10, np.nan)
    row[4] = 1.0
    assert quick(row, Shape(1, 0.2, 1.0))[4:6] == pytest.approx([0.8, 0.2])
    assert quick(row, Shape(1, -1.0, 1.0))[3] == 1.0
    row[:] = np.nan
    row[0] = 1.0
    assert quick(row, Shape(1, -2.0, 0.9))[0] == 1.0


@pytest.mark.parametrize("table", [np.full((2, 10), np.nan), np.zeros(10), np.ones(9)])
def test_quick_without_a_candidate(table):
    """A call without any candidate is an error, not a flat guess."""
    with pytest.raises(UsageError, match="candidate"):
        quick(table, GRID[0])


def test_the_call_without_a_candidate_is_named():
    """The message says which paper has none."""
    table = np.full((3, 10), 0.1)
    table[1] = np.nan
    with pytest.raises(UsageError, match=r"call \[1\]"):
        quick_grid(table)


def test_the_first_call_that_answers_is_used():
    """Calls without a candidate are passed over; a paper without any answer has none."""
    calls = np.full((3, 2, 10), np.nan)
    calls[0, 1, 4] = calls[1, 0, 5] = calls[1, 1, 6] = 1.0
    found = first_answers(calls)
    assert found[0].tolist() == pytest.approx(calls[0, 1].tolist(), nan_ok=True)
    assert found[1].tolist() == pytest.approx(calls[1, 0].tolist(), nan_ok=True)
    assert answered(found).tolist() == [True, True, False]


def test_standard_weighs_reviews_and_quick():
    """Seven tenths for two reviews, three for the call."""
    row = np.full(10, np.nan)
    row[5] = 1.0
    found = standard(row, [5, 6], Fit(Shape(1, 0.0, 1.0), 0.7))
    assert found[4:6] == pytest.approx([0.35, 0.35 + 0.3])


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_debiased_risk_against_loops(seed):
    """Squared norm, cross term and collisions, in plain sums; negative values are kept."""
    rng = np.random.default_rng(seed)
    q, targets = rng.dirichlet(np.ones(10)), rng.integers(1, 11, 5)
    expected = slow.risk(q.tolist(), targets.tolist())
    assert float(debiased_risk(q, targets)) == pytest.approx(expected, abs=1e-12)


def test_debiased_risk_is_unbiased():
    """Over all outcomes of three targets the expectation is the squared distance, in fractions."""
    law = {1: Fraction(1, 2), 4: Fraction(1, 3), 9: Fraction(1, 6)}
    q = [Fraction(1, 4), 0, 0, Fraction(3, 4), 0, 0, 0, 0, 0, 0]
    outcomes = np.array(list(product(law, repeat=3)))
    found = debiased_risk(np.array(q, dtype=float), outcomes)
    chances = [float(law[a] * law[b] * law[c]) for a, b, c in outcomes.tolist()]
    expected = sum((q[s - 1] - law.get(s, 0)) ** 2 for s in range(1, 11))
    assert found @ chances == pytest.approx(float(expected), abs=1e-12)
    assert found.min() < 0


def test_one_target_has_no_risk():
    """A collision needs two targets."""
    assert np.isnan(debiased_risk(np.full(10, 0.1), [5]))
    assert np.isnan(collision([[5], [6]])).all()


def test_direct_risk_falls_as_one_over_the_reviews():
    """Three reviews have exactly a third of the risk of one."""
    assert float(direct_risk(0.25, 1)) == 0.75
    assert float(direct_risk(0.25, 3)) == 0.25


def test_direct_risk_is_that_of_frequencies():
    """Over all outcomes of two reviews the squared distance is (1 - norm2(p)) / 2."""
    law = {2: 0.5, 3: 0.25, 7: 0.25}
    p = np.array([law.get(s, 0) for s in range(1, 11)])
    expected = sum(
        law[a] * law[b] * np.sum((frequencies([a, b]) - p) ** 2) for a, b in product(law, repeat=2)
    )
    assert float(direct_risk(p @ p, 2)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("scores", [[5, 5.5], [0, 5], [11], [np.nan, 5]])
def test_scores_that_are_not_integers_from_1_to_10(scores):
    """Frequencies need complete integer scores."""
    with pytest.raises(UsageError, match="complete integer scores"):
        frequencies(scores)


@given(st.integers(0, 10_000), st.sampled_from(WEIGHTS), st.integers(4, 7))
@settings(max_examples=30, deadline=None)
def test_partitions_collapse(seed, weight, reviews):
    """Loss and risk averaged over all partitions, enumerated, are the closed forms to 1e-12."""
    rng = np.random.default_rng(seed)
    q, targets = rng.dirichlet(np.ones(10)), rng.integers(3, 7, reviews)
    known = losses(q[None, None], targets[None])
    loss = float(standard_loss(known.quick[0, 0], known.collision[0], weight))
    parts = list(slow.partitions(targets.tolist()))
    mixed = [slow.standard(q.tolist(), inputs, weight) for inputs, _ in parts]
    brier = np.mean([slow.brier(m, out) for m, (_, out) in zip(mixed, parts, strict=True)])
    risk = np.mean([slow.risk(m, out) for m, (_, out) in zip(mixed, parts, strict=True)])
    assert loss + 1 == pytest.approx(brier, abs=1e-12)
    assert loss + known.collision[0] == pytest.approx(risk, abs=1e-12)


@given(st.floats(-0.2, 1.5), st.floats(0, 1), st.sampled_from(WEIGHTS))
@settings(deadline=None)
def test_fusion_identity(quick_risk, collisions, weight):
    """Standard's risk is w^2 (1 - norm2(p)) / 2 + (1 - w)^2 times Quick's."""
    risk = float(standard_loss(quick_risk - collisions, collisions, weight)) + collisions
    expected = weight**2 * float(direct_risk(collisions, 2)) + (1 - weight) ** 2 * quick_risk
    assert risk == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_fit_against_loops(seed):
    """The grid search, one paper and one partition at a time, chooses the same point and weight."""
    returned, table, targets = sample(3, seed)
    weights = [1, 2, 0.5]
    point, mix = slow.fit(returned, targets.tolist(), weights)
    found = fit(losses(quick_grid(table), targets), weights)
    assert tuple(map(Fraction, map(repr, found.shape))) == tuple(map(Fraction, point))
    assert found.weight == mix


def test_weight_nought_leaves_a_paper_out():
    """A fit with weights 0 and 1 is the fit of the papers with weight 1."""
    _, table, targets = sample(8, 4)
    chosen = np.array([1, 0, 1, 1, 0, 1, 0, 1], dtype=bool)
    part = losses(quick_grid(table[chosen]), targets[chosen])
    assert fit(losses(quick_grid(table), targets), chosen) == fit(part)


def test_ties_take_the_first():
    """Values within 1e-12 of the smallest are equal; the first counts."""
    assert first_smallest(np.array([[3.0, 1.0 + 5e-13, 1.0, 2.0], [1.0, 1.0, 0.5, 0.5]])).tolist() == [1, 2]


def test_three_targets_are_too_few():
    """Two reviews go in, so one target would be left, without a collision."""
    with pytest.raises(UsageError, match="at least 4"):
        losses(np.full((1, 1, 10), 0.1), [[5, 5, 6]])


def test_scores_run_from_one_to_ten():
    """The last axis of a distribution."""
    assert SCORES.tolist() == list(range(1, 11))


def moved(mass, offset, slope):
    """Mass {score: share} on the scores of a scale, moved and split between neighbours, in plain loops."""
    scores = sorted(mass)
    found = dict.fromkeys(scores, 0.0)
    for score, share in mass.items():
        place = min(max(offset + slope * score, scores[0]), scores[-1])
        below = max(each for each in scores if each <= place + 1e-12)
        above = min(each for each in scores if each >= place - 1e-12)
        if above - below < 1e-9:
            found[below] += share
        else:
            found[below] += share * (above - place) / (above - below)
            found[above] += share * (place - below) / (above - below)
    return [found[score] for score in scores]


@pytest.mark.parametrize(
    "points", [(1, 2, 3, 4, 5, 6), (0, 2, 4, 6, 8, 10), (1, 3, 5, 6, 8, 10), (1, 1.5, 2)]
)
def test_other_scales_have_their_own_scores(points):
    """Mass never leaves the scale, and is split between the scores that it has."""
    points = tuple(map(float, points))
    rng = np.random.default_rng(8)
    table = rng.dirichlet(np.ones(len(points)), 4)
    targets = rng.choice(points, (4, 5))
    tensor = quick_grid(table, points)
    for index in range(0, len(GRID), 7):
        shape = GRID[index]
        for row, one in zip(table, tensor[:, index], strict=True):
            hot = row ** (1 / shape.temperature)
            mass = dict(zip(points, (hot / hot.sum()).tolist(), strict=True))
            assert one == pytest.approx(moved(mass, shape.offset, shape.slope), abs=1e-12)
            assert quick(row, shape, points) == pytest.approx(one, abs=1e-15)
    known = losses(tensor, targets, points)
    brier = [
        np.mean(
            [
                sum((q - (score == point)) ** 2 for q, point in zip(q_row, points, strict=True))
                for score in row
            ]
        )
        for q_row, row in zip(tensor[:, 5], targets, strict=True)
    ]
    assert known.quick[:, 5] + 1 == pytest.approx(brier)
    with pytest.raises(UsageError, match=r"complete scores out of"):
        losses(tensor, targets + 0.25, points)


def test_a_scale_is_named_by_its_ends_or_its_scores():
    """By the ends where it has every whole number between them."""
    assert listed((1.0, 2.0, 3.0)) == "1 to 3"
    assert listed((0.0, 2.0, 4.0)) == "0, 2, 4"
