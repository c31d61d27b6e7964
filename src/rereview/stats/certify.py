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
from rereview.stats.matching import Matched, half_square
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
    there is no table. The scores must be `on_lattice`.
    """
    certified = None
    for table in reversed(tables):
        if not lattice_holds(evidence, table, success=success, alpha=alpha):
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
