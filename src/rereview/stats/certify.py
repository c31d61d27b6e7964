"""Certified review budgets: a tighter variance bound, and the lattice certificate for integer scores.

Both rest on the matching e-value (`rereview.stats.matching`) at stakes fixed before the data are seen.

[1] Can We Believe AI Peer Review?, appendix D (the budget from a variance bound).
[2] Vovk & Wang 2021, E-values: calibration, combination and applications (mixtures).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from math import gcd, lcm, log, log1p

import numpy as np
from pydantic import TypeAdapter

from rereview.stats.bounds import Scale, first_true, kernel_range, variance_cap
from rereview.stats.exact import Floats
from rereview.stats.matching import Block, Matched, half_square
from rereview.stats.pilot import Number, Pilot, exact
from rereview.types.record import Record

MIXTURE = ((0.99, 0.7), (0.6, 0.2), (0.3, 0.1))
"""Shares of the largest stake 1 / B with weights: near the best bound in quiet data, robust to rare jumps."""

LATTICE_WIDTH = 9
"""Largest difference of two scores in the tables: ten integers."""

LATTICE_STAKE = 0.95
"""theta max g of the lattice test."""


def tighter_upper(evidence: Matched, *, alpha: Number = 0.05, scale: Scale = (1, 10)) -> float:
    """Upper bound U of the mean variance with P(V > U) <= alpha, from a fixed mixture of e-values.

    Proven for independent and identically distributed scores within papers that differ in any way.
    """
    bound = float(kernel_range(scale))
    weights = np.array([weight for _, weight in MIXTURE])
    thetas = np.array([share / bound for share, _ in MIXTURE])
    logs = np.log(weights) + np.array([evidence.log_product(half_square, theta) for theta in thetas.tolist()])
    needed = -log(float(exact(alpha)))

    def rejected(variance: float) -> bool:
        return bool(np.logaddexp.reduce(logs - evidence.pairs * np.log1p(-thetas * variance)) >= needed)

    return first_true(rejected, 0.0, float(variance_cap(scale)))


class LatticeTable(Record):
    """g with P(|mean of k scores - expectation| >= eps) <= E g(|Y - Y'|) for every law on ten integers.

    Checked by a global numerical search and inflated over its optimum; not proven.
    """

    eps: float
    k: int
    inflation: float
    g: tuple[float, ...]

    def kernel(self, difference: Floats) -> Floats:
        """Look g up at integer differences."""
        steps = np.asarray(self.g)
        return steps[np.rint(difference).astype(np.intp)]

    @property
    def theta(self) -> float:
        """The fixed stake of the test."""
        return LATTICE_STAKE / max(self.g)


@lru_cache
def lattice_tables() -> tuple[LatticeTable, ...]:
    """Every table there is, by tolerance and then by k."""
    text = files("rereview.stats").joinpath("lattice_tables.json").read_bytes()
    tables = TypeAdapter(tuple[LatticeTable, ...]).validate_json(text)
    return tuple(sorted(tables, key=lambda table: (table.eps, table.k)))


def tables_for(tolerance: Number) -> tuple[LatticeTable, ...]:
    """Tables of the largest tolerance not above the one asked for, smallest k first.

    A mean off by the larger tolerance is off by the smaller one too, so these tables hold for it.
    """
    wanted = exact(tolerance)
    reachable = [table for table in lattice_tables() if exact(table.eps) <= wanted]
    if not reachable:
        return ()
    nearest = max(table.eps for table in reachable)
    return tuple(table for table in reachable if table.eps == nearest)


def lattice_holds(
    evidence: Matched, table: LatticeTable, *, success: Number = 0.95, alpha: Number = 0.05
) -> bool:
    """Whether "A(k, eps) >= success" is certified for one k fixed before the data were seen."""
    failure = float(1 - exact(success))
    log_e = evidence.log_product(table.kernel, table.theta) - evidence.pairs * log1p(-table.theta * failure)
    return log_e >= -log(float(exact(alpha)))


def lattice_budget(
    evidence: Matched,
    tables: tuple[LatticeTable, ...],
    *,
    success: Number = 0.95,
    alpha: Number = 0.05,
) -> int | None:
    """Smallest k certified when `tables_for` a tolerance are tried from the largest k to the first failure.

    The fixed sequence spends no alpha on the search. None when even the largest k is refused, or when
    there is no table. The evidence must be `in_steps` of a `lattice_step`.
    """
    certified = None
    for table in reversed(tables):
        if not lattice_holds(evidence, table, success=success, alpha=alpha):
            break
        certified = table.k
    return certified


def lattice_step(pilot: Pilot, scale: Scale, points: Sequence[float] | None = None) -> Fraction | None:
    """Step of at most ten equally spaced values that hold every legal score; None where there are none.

    The tables are for ten integers. Scores of another step are integers of another unit, and so is the
    tolerance: that a mean is off by eps is that a mean of units is off by eps / step. `points` are all
    scores that the form allows; None: not known, and integers are taken for what the protocol gives.
    """
    low, high = (exact(end) for end in scale)
    # Integers: 1 is a distance too, and the ends have to be whole.
    distances = [exact(point) - low for point in points or (scale[0], scale[0] + 1, scale[1])]
    step = _largest_step(distances)
    if points is None and (step != 1 or low.denominator != 1):
        return None
    return step if step and high - low <= LATTICE_WIDTH * step and _in_steps(pilot, low, step) else None


def _largest_step(distances: Sequence[Fraction]) -> Fraction:
    """The largest of which all distances are whole multiples."""
    unit = lcm(*(distance.denominator for distance in distances))
    return Fraction(gcd(*(int(distance * unit) for distance in distances)), unit)


def _in_steps(pilot: Pilot, low: Fraction, step: Fraction) -> bool:
    """Whether the scores of a pilot, or their differences, are whole steps."""
    if pilot.scores is not None:
        seen = np.unique(pilot.scores[~np.isnan(pilot.scores)]).tolist()
        return all(((exact(value) - low) / step).denominator == 1 for value in seen)
    return pilot.differences is not None and all((d / step).denominator == 1 for d in pilot.differences)


def in_steps(evidence: Matched, step: Fraction) -> Matched:
    """The same evidence with differences counted in steps, which is what the tables are asked for."""
    if step == 1:
        return evidence
    unit = float(step)
    return Matched(
        evidence.pairs,
        tuple(Block(block.keys / unit, block.weights) for block in evidence.blocks),
        None if evidence.differences is None else evidence.differences / unit,
        evidence.shares,
    )
