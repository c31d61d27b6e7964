"""Chains of inequalities that change their direction: `a ≤ b ≥ c`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rereview.reviewers.checks.formulas import (
    CONTAINED,
    CONTAINING,
    ORDER_DOWN,
    ORDER_UP,
    Statement,
    formulas,
    statements,
)
from rereview.reviewers.checks.prose import finding
from rereview.text.reading import readable
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark


@dataclass(frozen=True)
class Chains:
    """A chain that goes up and then down says nothing of its two ends.

    Chains with dots are left out: a sequence may rise to its middle and fall. Sets and orders are
    judged apart.
    """

    name: ClassVar[str] = "chains"

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings in the order of the blocks."""
        for formula in formulas(paper):
            for statement in statements(formula):
                for up, down in ((ORDER_UP, ORDER_DOWN), (CONTAINED, CONTAINING)):
                    if turn := _turn(statement, up, down):
                        yield self._remark(paper, statement, *turn)

    def _remark(self, paper: Manuscript, statement: Statement, one: int, other: int) -> Remark:
        formula = statement.formula
        first, last = statement.sides[0].first, statement.sides[-1].last
        signs = [formula.tokens[i] for i in (one, other)]
        shown = [readable(each.text, format="latex").text for each in signs]
        return finding(
            paper,
            formula.span(first, last),
            formula.span(other, other),
            rule=self.name,
            title="A chain of relations that changes its direction",
            body="The chain goes up and then down (or down and then up), so that its ends are not compared.",
            arithmetic=f"“{shown[0]}” and then “{shown[1]}” in one chain",
            severity="moderate",
        )


_DOTS = {r"\ldots", r"\cdots", r"\dots", "…", r"\vdots"}


def _turn(statement: Statement, up: set[str], down: set[str]) -> tuple[int, int] | None:
    """The relation before the turn of a chain and the one after it; None where it has none."""
    tokens = statement.formula.tokens
    if any(tokens[i].text in _DOTS for side in statement.sides for i in range(side.first, side.last + 1)):
        return None
    told = [i for i in statement.relations if tokens[i].text in up | down]
    for one, other in itertools.pairwise(told):
        if (tokens[one].text in up) != (tokens[other].text in up):
            return one, other
    return None
