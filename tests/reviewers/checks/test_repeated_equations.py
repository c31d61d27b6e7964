"""Equations that are printed twice and differ in a sign, index or constant."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks.repeated_equations import RepeatedEquations
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def found(*texts: str) -> list[Remark]:
    blocks = tuple(Block(id=f"p{i}", text=text, kind="paragraph") for i, text in enumerate(texts))
    manuscript = Manuscript(id="m", paper_id="p", title="", format="latex", blocks=blocks)
    remarks = list(RepeatedEquations()(manuscript))
    for remark in remarks:
        quoted = [remark.quote, remark.against][: len(remark.places)]
        assert [manuscript.text_of(place) for place in remark.places] == quoted
        assert remark.rule == "repeated-equations"
    return remarks


@pytest.mark.parametrize(
    ("texts", "arithmetic"),
    [
        # Mechanics: a sign.
        (
            (
                r"The force is \[ F(x) = -k x + c \dot x + m g. \]",
                r"Recall that $F(x) = -k x - c \dot{x} + m g$.",
            ),
            "“+” ≠ “-”",
        ),
        # Statistics: a constant, set in other ways.
        (
            (
                r"\begin{equation} s^2 = \frac{1}{n-1} \sum_{i=1}^n (x_i - \bar x)^2 \end{equation}",
                r"where $s^2 = \frac{1}{n-2}\sum\limits_{i=1}^{n}\left(x_i-\bar{x}\right)^2$ as above",
            ),
            "“1” ≠ “2”",
        ),
        # Ecology: a factor that one leaves out.
        (
            (
                r"We use $N_{t+1} = 2 r N_t (1 - N_t / K)$.",
                r"With $N_{t+1} = r N_t (1 - N_t/K)$ chaos follows.",
            ),
            "“2” ≠ “nothing”",
        ),
        # Economics: the least for the greatest.
        (
            (r"Let $V(k) = \max_c u(c) + \beta V(k')$.", r"So $V(k) = \min_c u(c) + \beta V(k')$ is solved."),
            "“max” ≠ “min”",
        ),
        # Physics: in a chain.
        (
            (r"$E = T + V = \frac{1}{2} m v^2 + V(x)$", r"Then \( E = \frac{1}{3} m v^2 + V(x) \) is kept."),
            "“2” ≠ “3”",
        ),
    ],
)
def test_an_equation_that_changed_is_found(texts: tuple[str, ...], arithmetic: str) -> None:
    """The same left side, and one other sign or number on the right."""
    (remark,) = found(*texts)
    assert remark.arithmetic
    assert remark.arithmetic.startswith(arithmetic)


@pytest.mark.parametrize(
    "texts",
    [
        # The same, set in another way.
        (r"$F(x) = -k x + c \dot{x} + m\,g$", r"\[ F(x) = -k x + c\dot x + m g \]"),
        # Another left side.
        (r"$F_1(x) = -k x + c \dot x + m g$", r"$F_2(x) = -k x - c \dot x + m g$"),
        # Equal by what the chain says.
        (r"$g(t) = a^2 + 2ab + b^2 - c = a^2 + 3ab + b^2 - c$",),
        # Short, or of another index: points, cases.
        (r"$(a, b) = (1, 0)$", r"$(a, b) = (-1, 0)$"),
        (r"$\pi(D_1) = \bigcup \pi(D_3^1)$", r"$\pi(D_1) = \bigcup \pi(D_2^1)$"),
        # Several examples of one letter.
        (
            r"$f(x) = x^2 + 3x + 1 - y$",
            r"$f(x) = x^2 + 3x + 2 - y$",
            r"$f(x) = x^2 + 3x + 4 - y$",
        ),
        # More than one difference.
        (r"$F(x) = -k x + c \dot x + m g$", r"$F(x) = -k x - c \dot x + 2 m g$"),
    ],
)
def test_what_need_not_be_the_same_is_left_alone(texts: tuple[str, ...]) -> None:
    """Other left sides, chains, short values, examples."""
    assert found(*texts) == []


def test_an_expression_with_another_sign_than_elsewhere_is_found() -> None:
    """Three times (I − ρW)⁻¹v and once a plus."""
    usual = [rf"We have ${name} = X\beta + (I - \rho W)^{{-1}} v + \epsilon$." for name in ("y", "z", "u")]
    (remark,) = found(*usual, r"and $\hat m = X\beta + (I + \rho W)^{-1} v + \epsilon$ then")
    assert remark.arithmetic == "“-” 3 times, “+” once"
    assert found(*usual[:2], r"and $\hat m = X\beta + (I + \rho W)^{-1} v + \epsilon$ then") == []


def test_fewer_names_need_more_printings() -> None:
    """Two names between brackets: five blocks with a minus are enough, three are not."""
    usual = [rf"$\mathrm{{Var}}_{c} = q_i (1 - q_i)$ holds" for c in "abcde"]
    other = r"so $v = q_i (1 + q_i)$ here"
    assert [r.arithmetic for r in found(*usual, other)] == ["“-” 5 times, “+” once"]
    assert found(*usual[:3], other) == []


def test_indices_of_one_letter_make_no_expression() -> None:
    """X₁ + X₂ and X₁ − X₂ are both said of the same two symbols."""
    usual = [rf"$I[X_1 + X_2 : X_{i} + X_2]$" for i in (3, 4, 5)]
    assert found(*usual, r"$I[X_1 + X_2 : X_3 - X_2]$", r"$I[X_1 - X_2 : X_3 + X_2]$") == []
