"""After how many reviews a pilot could have stopped, had it been looked at after each round of two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import NamedTuple

import numpy as np

from rereview.measures.tabulate import Floats, Panel, bare, range_of, table
from rereview.stats.adaptive import RoundTest, follow, lattice_rounds, variance_rounds
from rereview.stats.certify import lattice_step, tables_for
from rereview.stats.independence import Dependence, round_trend
from rereview.stats.pilot import exact, read_pilot
from rereview.types.estimate import Estimate, Table

AT_HALF_A_POINT = (16, 24, 33, 48)
"""Targets of the variance route at tolerance 0.5; at another one they grow as Chebyshev's bound does."""
NOTES = (
    "first stop: reviews of each paper at the first certificate of all; certified: new reviews it covers.",
    "last stop: reviews at the certificate of the fewest new reviews that these rounds carry.",
    "Numbers of new reviews are tested from the largest to the smallest, so all that are certified hold.",
    "variance: Chebyshev's inequality, proven; lattice: integer scores, computer-verified, not proven.",
    "Choose between the routes before the scores are seen. Empty: these rounds certify nothing.",
)


def stopping(panel: Panel) -> Table:
    """The first and the last certificate of a pilot, for each tolerance by each route.

    Only papers with all rounds are evidence. Scores that drift from round to round certify nothing.
    """
    scores = panel.scores[~np.isnan(panel.scores).any(axis=1)]
    doubts = dependence(panel).doubts
    rows: dict[str, dict[str, Estimate]] = {}
    for tolerance in panel.settings.tolerances:
        for name, route in _routes(panel, tolerance).items():
            found = [] if doubts else stops(route.tests, route.given(scores))
            rows[f"tolerance {tolerance:g}, {name}"] = dict(_cells(found, panel, scores))
    refusal = (f"Nothing is certified: {'; '.join(doubts)}.",) if doubts else ()
    return table(
        "stopping",
        "When a pilot could have stopped, looked at after each round of two reviews",
        rows,
        (*refusal, *NOTES, range_of(panel.settings)),
    )


def dependence(panel: Panel) -> Dependence:
    """What speaks against independent rounds; scores alone show no repeated answers."""
    return Dependence(trend=round_trend(panel.scores, np.random.default_rng(panel.settings.seed)))


class _Route(NamedTuple):
    """Tests, and what they read: scores as they are, or counted in steps of the scale from 1."""

    tests: list[RoundTest]
    low: Fraction | None = None
    step: Fraction = Fraction(1)

    def given(self, scores: Floats) -> Floats:
        """The scores as the tests take them."""
        return scores if self.low is None else np.rint((scores - float(self.low)) / float(self.step)) + 1


def _routes(panel: Panel, tolerance: float) -> Mapping[str, _Route]:
    chosen = panel.settings
    growth = (exact(0.5) / exact(tolerance)) ** 2
    variance = [
        variance_rounds(
            ceil(target * growth),
            tolerance,
            success=chosen.success,
            confidence=chosen.confidence,
            scale=chosen.scale,
        )
        for target in AT_HALF_A_POINT
    ]
    pilot = read_pilot(panel.scores, chosen.scale)
    step = None if pilot is None else lattice_step(pilot, chosen.scale, chosen.points)
    if step is None:
        return {"variance": _Route(variance), "lattice": _Route([])}
    steps = exact(tolerance) / step
    lattice = [
        lattice_rounds(each.k, steps, success=chosen.success, confidence=chosen.confidence)
        for each in tables_for(steps)
    ]
    return {"variance": _Route(variance), "lattice": _Route(lattice, exact(chosen.scale[0]), step)}


def stops(tests: Sequence[RoundTest], scores: Floats) -> list[RoundTest]:
    """The tests at their certificates, from the largest target down to the first that is not certified.

    `scores` is (papers, rounds) without NaN. A false target is certified only if the largest false one
    is, so one confidence holds for all; each counts from the time at which all larger ones are certified.
    """
    found: list[RoundTest] = []
    for test in sorted(tests, key=lambda each: -each.target):
        end = follow(test, scores) if len(scores) else test
        if not end.certified:
            break
        found.append(replace(end, rounds=max(end.rounds, *(each.rounds for each in found), 0)))
    return found


def _cells(found: Sequence[RoundTest], panel: Panel, scores: Floats) -> Iterator[tuple[str, Estimate]]:
    nan = float("nan")
    first = min((each.reviews for each in found), default=nan)
    then = min((each.target for each in found if each.reviews == first), default=nan)
    values = {
        "first stop": first,
        "certified": then,
        "last stop": found[-1].reviews if found else nan,
        "fewest certified": found[-1].target if found else nan,
    }
    for name, value in values.items():
        yield name, bare(float(value), n=len(scores), dropped=len(panel.papers) - len(scores))
