"""Chains of relations that change their direction."""

from __future__ import annotations

from time import process_time

import pytest

from rereview.reviewers.checks.chains import Chains
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def found(text: str, format: str = "latex") -> list[Remark]:  # noqa: A002
    kind = "equation" if text.startswith(r"\begin") else "paragraph"
    manuscript = Manuscript(
        id="m", paper_id="p", title="", format=format, blocks=(Block(id="b", text=text, kind=kind),)
    )
    remarks = list(Chains()(manuscript))
    for remark in remarks:
        assert [manuscript.text_of(place) for place in remark.places] == [remark.quote, remark.against]
        assert remark.rule == "chains"
    return remarks


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        # Analysis, thermodynamics, queues, order theory, sets.
        (r"\begin{align} \|f\| &\leq \|g\| + 1 \\ &= 2\|h\| \\ &\geq C, \end{align}", "“≤” and then “≥”"),
        (r"The temperatures obey $T_1 < T_2 > T_3$ along the rod.", "“<” and then “>”"),
        (r"We get \[ \rho \ge \lambda / \mu = a \le 1 \] in the limit.", "“≥” and then “≤”"),
        (r"Hence $A \preceq B \preceq C \succeq D$.", "“≼” and then “≽”"),
        (r"So $U \subseteq V = W \supset Z$ holds.", "“⊆” and then “⊃”"),
    ],
)
def test_a_chain_that_turns_is_found(text: str, turn: str) -> None:
    """In one line and over several, with equalities between."""
    (remark,) = found(text)
    assert remark.arithmetic == f"{turn} in one chain"


@pytest.mark.parametrize(
    "text",
    [
        r"\begin{align} \|f\| &\leq \|g\| + 1 \\ &= 2\|h\| \\ &< C, \end{align}",
        # Two statements of one formula.
        r"Let $a \leq b, c \geq d$ and $x > 0 \implies y < 0$.",
        r"\begin{align} a &\leq b \\ c &\geq d \end{align}",
        r"\begin{cases} 1 & x \geq 0 \\ 2 & x < 0 \end{cases}",
        r"We need \[ a \le b \quad\text{and}\quad c \ge d. \]",
        # A sequence that rises to its middle.
        r"The coefficients are unimodal: $a_0 \leq a_1 \leq \dots \leq a_k \geq \dots \geq a_n$.",
        # Relations in brackets and scripts.
        r"Sum $\sum_{i \geq 1} a_i \leq \max(b > 0)$ with $\chi_< + \chi_> \leq 2$.",
        r"For all $f$ we have $f_< + g \leq h_> + k$.",
        # Sets and orders together.
        r"$A \subseteq B$ with $|A| \geq 1$, and $n \leq |A|$.",
    ],
)
def test_what_is_no_turn_is_left_alone(text: str) -> None:
    """One direction, several statements, and relations that belong to a part."""
    assert found(text) == []


def test_only_latex_is_read() -> None:
    """The text of a PDF has lost its formulas."""
    assert found("We have $a < b > c$.", "pdf") == []


def test_a_long_chain_takes_no_quadratic_time() -> None:
    """Ten thousand relations in one formula are read within seconds."""
    start = process_time()
    assert len(found("$" + "a < " * 10_000 + "b > c$")) == 1
    assert process_time() - start < 5
