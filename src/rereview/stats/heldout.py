"""Held-out risk of Quick, Standard and direct sampling, and its bootstrap with and without refitting.

[1] Can We Believe AI Peer Review?, appendices E.3, E.5 and E.6.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rereview.errors import UsageError
from rereview.stats.calibration import (
    GRID,
    WEIGHTS,
    Fit,
    Integers,
    Losses,
    direct_risk,
    first_smallest,
    fit,
    standard_loss,
)
from rereview.stats.exact import Floats
from rereview.stats.resample import resampled_means

Booleans = NDArray[np.bool_]

DIRECT = (1, 2, 3, 5)
"""Numbers of direct reviews that Quick and Standard are compared with."""

COLUMNS = ("quick", "standard", *(f"direct-{n}" for n in DIRECT), "standard-minus-2", "standard-minus-3")

_DRAWS = 40
"""Bootstrap draws worked on at a time: their losses stay in cache."""


def random_halves(papers: int, *, rng: np.random.Generator, splits: int = 30) -> Booleans:
    """Random splits of papers, sorted by id, into halves; (splits, papers), True for training."""
    train = np.zeros((splits, papers), dtype=bool)
    for row in train:
        row[rng.permutation(papers)[: papers // 2]] = True
    return train


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Risk of every paper, averaged over partitions and then over the splits that test it."""

    risks: Floats
    """(papers, `COLUMNS`); NaN for a paper that is never tested."""
    appearances: Integers
    """(papers,): splits that test the paper."""
    fits: tuple[Fit, ...]
    """One for each split."""

    @property
    def chosen(self) -> Counter[Fit]:
        """How many splits chose each combination of parameters."""
        return Counter(self.fits)

    def within(self, papers: ArrayLike) -> Floats:
        """Risks with NaN outside a group of papers; the fits stay those of all training papers."""
        chosen = np.asarray(papers, dtype=bool)
        return np.where(chosen[:, None], self.risks, np.nan)


def held_out(known: Losses, train: Booleans) -> HeldOut:
    """Fit on the training papers of every split, evaluate on the others [1, E.3].

    Raises UsageError for a split without training papers.
    """
    if not train.any(axis=1).all():
        raise UsageError("a split without training papers", expected="at least one in each split")
    fits = tuple(fit(known, row) for row in train)
    points = np.array([GRID.index(found.shape) for found in fits])
    weights = np.array([found.weight for found in fits])
    loss = known.quick[:, points]
    quick = loss + known.collision[:, None]
    mixed = standard_loss(loss, known.collision[:, None], weights) + known.collision[:, None]
    tested = ~train
    return HeldOut(
        _columns(_tested_mean(quick, tested), _tested_mean(mixed, tested), known.collision),
        tested.sum(axis=0),
        fits,
    )


def _tested_mean(risks: Floats, tested: Booleans) -> Floats:
    """Mean over the splits that test a paper, (papers, splits) to (papers,); NaN where none does."""
    appearances = tested.sum(axis=0)
    total: Floats = np.einsum("ps,sp->p", risks, tested.astype(np.float64))
    return total / np.where(appearances, appearances, np.nan)


def _columns(quick: Floats, mixed: Floats, collisions: Floats) -> Floats:
    tested = np.where(np.isnan(quick), np.nan, 0.0)
    direct = {n: direct_risk(collisions, n) + tested for n in DIRECT}
    return np.stack([quick, mixed, *direct.values(), mixed - direct[2], mixed - direct[3]], axis=-1)


def fixed_bootstrap(found: HeldOut, weights: Floats) -> Floats:
    """Mean risks with fits held fixed, (draws, `COLUMNS`); papers are the units [1, E.5].

    `weights` (draws, papers) from `resample.unit_weights`.
    """
    return resampled_means(weights, found.risks)


def refit_bootstrap(known: Losses, train: Booleans, weights: Floats) -> Floats:
    """Mean risks with all parameters fitted again in every draw, (draws, `COLUMNS`) [1, E.6].

    The multiplicity of a paper weighs its training loss within the original splits and, after its risk is
    averaged over its test appearances, the final mean. NaN where a split of a draw has no training paper
    or a draw no tested one.
    """
    # The gathers below read whole columns of the grid.
    columns = np.ascontiguousarray(known.quick.T)
    parts = (weights[start : start + _DRAWS] for start in range(0, len(weights), _DRAWS))
    return np.concatenate([_refit(known, columns, train, part) for part in parts])


class _Chosen(NamedTuple):
    """Parameters of each (draw, split)."""

    points: Integers
    weights: Floats


def _refit(known: Losses, columns: Floats, train: Booleans, multiplicity: Floats) -> Floats:
    chosen = _fit_all(known, train, multiplicity)
    appearances = (~train).sum(axis=0)
    share = ~train / np.where(appearances, appearances, 1)
    test = multiplicity[:, None, :] * share
    loss = np.where(np.isnan(chosen.weights), np.nan, np.vecdot(test, columns[chosen.points]))
    collisions, mass = test @ known.collision, test.sum(axis=2)
    quick = loss + collisions
    # Sums of `standard_loss` over papers: it is linear in 1, collision and loss.
    w = chosen.weights
    mixed = w * w * (mass + collisions) / 2 - 2 * w * collisions + (1 - w) ** 2 * loss + collisions
    tested = multiplicity[:, appearances > 0].sum(axis=1)
    total = np.where(tested > 0, tested, np.nan)
    return _columns(quick.sum(axis=1) / total, mixed.sum(axis=1) / total, collisions.sum(axis=1) / total)


def _fit_all(known: Losses, train: Booleans, multiplicity: Floats) -> _Chosen:
    """Fit every split of every draw: one matrix product, then a quadratic in the weight."""
    draws, splits = len(multiplicity), len(train)
    rows = (multiplicity[:, None, :] * train).reshape(draws * splits, -1)
    mass = rows.sum(axis=1)
    rows /= np.where(mass, mass, np.nan)[:, None]
    quick_losses = rows @ known.quick
    points = first_smallest(quick_losses)
    smallest = np.take_along_axis(quick_losses, points[:, None], axis=1)
    mixed = standard_loss(smallest, (rows @ known.collision)[:, None], WEIGHTS)
    weights = np.where(mass, np.asarray(WEIGHTS)[first_smallest(mixed)], np.nan)
    return _Chosen(points.reshape(draws, splits), weights.reshape(draws, splits))
