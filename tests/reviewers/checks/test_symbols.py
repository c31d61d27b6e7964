"""What a paper says of its symbols, against its formulas."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks.symbols import Symbols
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def found(*texts: str) -> list[Remark]:
    """The findings in these blocks; what begins with a backslash and `[` is an equation."""
    blocks = tuple(
        Block(id=f"p{i}", text=text, kind="equation" if text.startswith(r"\[") else "paragraph")
        for i, text in enumerate(texts)
    )
    manuscript = Manuscript(id="m", paper_id="p", title="", format="latex", blocks=blocks)
    remarks = list(Symbols()(manuscript))
    for remark in remarks:
        quoted = [remark.quote, remark.against][: len(remark.places)]
        assert [manuscript.text_of(place) for place in remark.places] == quoted
        assert remark.rule == "symbols"
    return remarks


@pytest.mark.parametrize(
    ("texts", "title"),
    [
        # Two meanings: limnology, optics, economics.
        (
            ("The flow, where $D$ is the depth of the lake.", "Later, $D$ denotes the diffusion constant."),
            "twice",
        ),
        (
            ("Here $\\alpha_s$ is the absorption.", "And $\\alpha_s$ represents the slope of the roof."),
            "twice",
        ),
        (("where $W$ is the wage,", "so that $W$ is the width of a stall."), "twice"),
        # Explained and in no formula: mechanics.
        (
            (r"\[ F = K u + C v \]", r"where $K$ is the stiffness and $B$ is the damping of the pier."),
            "no formula",
        ),
        # Used and not explained: acoustics.
        (
            (
                r"\[ L = A \omega + B Q \]",
                r"where $A$ is the gain and $B$ is the bias, and $\omega$ is the pitch.",
            ),
            "never defined",
        ),
    ],
)
def test_a_symbol_without_a_meaning_or_with_two_is_found(texts: tuple[str, ...], title: str) -> None:
    """Definitions against each other, and against the equation before them."""
    (remark,) = found(*texts)
    assert title in remark.title


@pytest.mark.parametrize(
    "texts",
    [
        # The same meaning in other words.
        ("where $D$ is the depth of the lake.", "so where $D$ is the lake depth."),
        # Indices and other letters.
        ("where $i$ is the item,", "where $i$ is the year,"),
        ("where $D$ is the depth.", "where $D_0$ is the diffusion constant."),
        # Let us suppose: letters of a proof.
        ("Let $X$ be a group.", "Let $X$ be a ring.", "where $X$ has the property that all is well"),
        # All explained, or used elsewhere.
        (r"\[ F = K u + C v \]", r"where $K$ is the stiffness and $C$ is the damping of the pier."),
        (r"\[ F = K u + C v \]", r"where $K$ is the stiffness and $B$ is the damping.", "We set $B = 2 C$."),
        # Known: constants, functions, what stands in other formulas.
        (r"\[ E = A c^2 + B \Gamma(t) \]", r"where $A$ is the mass and $B$ is the bias."),
        (r"\[ L = A Q + B \]", r"where $A$ is the gain and $B$ is the bias.", r"The charge is $Q$."),
    ],
)
def test_what_is_explained_once_is_left_alone(texts: tuple[str, ...]) -> None:
    """Other words for one meaning, indices, local letters, known constants."""
    assert found(*texts) == []
