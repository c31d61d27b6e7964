"""Certified review budgets: a tighter variance bound, and the lattice certificate for integer scores.

Both rest on the matching e-value (`rereview.stats.matching`) at stakes fixed before the data are seen.

[1] Can We Believe AI Peer Review?, appendix D (the budget from a variance bound).
[2] Vovk & Wang 2021, E-values: calibration, combination and applications (mixtures).
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from math import log, log1p

import numpy as np
from pydantic import TypeAdapter

from rereview.stats.bounds import Scale, first_true, kernel_range, variance_cap
from rereview.stats.exact import Floats
from rereview.stats.matching import half_square, log_product
from rereview.stats.pilot import Number, Pilot, exact
from rereview.types.record import Record

MIXTURE = ((0.99, 0.7), (0.6, 0.2), (0.3, 0.1))
"""Shares of the largest stake 1 / B with weights: near the best bound in quiet data, robust to rare jumps."""

LATTICE_WIDTH = 9
"""Largest difference of two scores in the tables: ten integers."""

LATTICE_STAKE = 0.95
"""theta max g of the lattice test."""


def tighter_upper(pilot: Pilot, *, alpha: Number = 0.05, scale: Scale = (1, 10)) -> float | None:
    """Upper bound U of the mean variance with P(V > U) <= alpha, from a fixed mixture of e-values.

    Proven for independent and identically distributed scores within papers that differ in any way.
    None when only the variance is known.
    """
    bound = float(kernel_range(scale))
    weights = np.array([weight for _, weight in MIXTURE])
    thetas = np.array([share / bound for share, _ in MIXTURE])
    logs = [log_product(pilot, half_square, theta) for theta in thetas.tolist()]
    if any(value is None for value in logs):
        return None
    evidence = np.log(weights) + np.array(logs, dtype=np.float64)
    needed = -log(float(exact(alpha)))

    def rejected(variance: float) -> bool:
        return bool(np.logaddexp.reduce(evidence - pilot.pairs * np.log1p(-thetas * variance)) >= needed)

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


def lattice_holds(pilot: Pilot, table: LatticeTable, *, success: Number = 0.95, alpha: Number = 0.05) -> bool:
    """Whether "A(k, eps) >= success" is certified for one k fixed before the data were seen."""
    evidence = log_product(pilot, table.kernel, table.theta)
    if evidence is None:
        return False
    failure = float(1 - exact(success))
    return evidence - pilot.pairs * log1p(-table.theta * failure) >= -log(float(exact(alpha)))


def lattice_budget(
    pilot: Pilot, tolerance: Number, *, success: Number = 0.95, alpha: Number = 0.05
) -> int | None:
    """Smallest k certified when the tables are tried from the largest k down to the first failure.

    The fixed sequence spends no alpha on the search. None when even the largest k is refused, when no
    table reaches the tolerance, or when only the variance is known. Needs `on_lattice`.
    """
    certified = None
    for table in reversed(tables_for(tolerance)):
        if not lattice_holds(pilot, table, success=success, alpha=alpha):
            break
        certified = table.k
    return certified


def on_lattice(pilot: Pilot, scale: Scale) -> bool:
    """Whether the scores are integers of at most ten values, which the tables need."""
    low, high = (exact(end) for end in scale)
    ends_fit = low.denominator == high.denominator == 1 and high - low <= LATTICE_WIDTH
    if pilot.scores is not None:
        seen = pilot.scores[~np.isnan(pilot.scores)]
        return ends_fit and bool(np.all(seen == np.rint(seen)))
    return ends_fit and pilot.differences is not None and all(d.denominator == 1 for d in pilot.differences)
