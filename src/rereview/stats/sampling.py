"""A stratified sample to be looked at by hand: so many of each stratum, every label covered, papers spread.

1. Benchmarking Agentic Review Systems, appendix (audit: ten a family, every subtype, every domain).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from rereview.errors import UsageError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Item:
    """What can be drawn: its stratum (a family), label inside it (subtype) and across (domain), and unit."""

    id: str
    stratum: str
    inner: str
    across: str
    unit: str


def stratified_sample(items: Sequence[Item], *, each: int, rng: np.random.Generator) -> tuple[str, ...]:
    """Ids of `each` items of every stratum (all, where it has fewer), in the order of `items` (1).

    Every inner label of a stratum and every label across occurs at least once, and no unit gives more than it
    must: first the smallest possible maximum over units is found, then, among the samples that keep to it,
    the one with the largest sum of random weights is taken. The same items and generator give the same
    sample. Inclusion probabilities are not equal: small labels and units are favoured, as coverage demands.

    Raises UsageError where no sample covers the labels: a stratum with more inner labels than places.
    """
    if not items:
        return ()
    strata = sorted({item.stratum for item in items})
    for stratum in strata:
        inner = {item.inner for item in items if item.stratum == stratum}
        if len(inner) > each:
            raise UsageError(
                f"{each} of {stratum!r} cannot hold its {len(inner)} kinds",
                expected=f"at least {len(inner)} of each",
            )
    weights = rng.random(len(items))
    covered = _constraints(items, strata, each)
    units = _incidence([item.unit for item in items])
    most = _fewest_of_a_unit(covered, units, each)
    limit = optimize.LinearConstraint(units, -np.inf, most)
    picked = _solved(-weights, [*covered, limit])
    if picked is None:
        raise UsageError(
            f"no sample of {each} of each family covers every domain", expected="a larger sample"
        )
    return tuple(item.id for item, taken in zip(items, picked, strict=True) if taken)


def _constraints(items: Sequence[Item], strata: Sequence[str], each: int) -> list[optimize.LinearConstraint]:
    sizes = [min(each, sum(item.stratum == stratum for item in items)) for stratum in strata]
    by_stratum = _incidence([item.stratum for item in items])
    inner = _incidence([f"{item.stratum}\n{item.inner}" for item in items])
    across = _incidence([item.across for item in items])
    return [
        optimize.LinearConstraint(by_stratum, sizes, sizes),
        optimize.LinearConstraint(inner, 1, np.inf),
        optimize.LinearConstraint(across, 1, np.inf),
    ]


def _incidence(labels: Sequence[str]) -> sparse.csr_array:
    """One row a label in sorted order, one column an item."""
    _, rows = np.unique(labels, return_inverse=True)
    return sparse.csr_array((np.ones(len(labels)), (rows, np.arange(len(labels)))))


def _fewest_of_a_unit(
    covered: Sequence[optimize.LinearConstraint], units: sparse.csr_array, each: int
) -> int:
    """The smallest number that no unit must exceed; as many as there are where nothing covers the labels."""
    for most in range(1, each * units.shape[0] + 1):
        limit = optimize.LinearConstraint(units, -np.inf, most)
        if _solved(np.zeros(units.shape[1]), [*covered, limit]) is not None:
            return most
        if most >= int(units.sum(axis=1).max()):
            break
    return int(units.sum(axis=1).max())


def _solved(cost: Floats, constraints: Sequence[optimize.LinearConstraint]) -> NDArray[np.bool_] | None:
    """The choice of least cost that keeps to the constraints; None where there is none."""
    found = optimize.milp(
        cost,
        constraints=constraints,
        integrality=np.ones(cost.size, dtype=np.int64),
        bounds=optimize.Bounds(0, 1),
    )
    return None if found.x is None else np.asarray(found.x > 0.5)  # noqa: PLR2004  0 or 1
