"""Means and SDs of whole numbers, in sentences and in tables."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks.grim import Grim
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def paper(*texts: str, table: str = "", caption: str = "") -> Manuscript:
    blocks = [Block(id=f"p{i}", text=text, kind="paragraph") for i, text in enumerate(texts)]
    if table:
        body = table.replace(";", r" \\ ").replace(",", " & ").replace("|", r"\midrule ")
        blocks += [
            Block(id="cap", text=caption, kind="caption", environment="table"),
            Block(id="tab", text=rf"\begin{{tabular}}{{lccc}}{body}\end{{tabular}}", kind="table"),
        ]
    return Manuscript(id="m", paper_id="p", title="", format="latex", blocks=tuple(blocks))


def found(manuscript: Manuscript) -> list[Remark]:
    remarks = list(Grim()(manuscript))
    for remark in remarks:
        quoted = [remark.quote, remark.against][: len(remark.places)]
        assert [manuscript.text_of(place) for place in remark.places] == quoted
        assert remark.rule == "grim"
        assert remark.arithmetic
    return remarks


@pytest.mark.parametrize(
    ("text", "title"),
    [
        # Eating, nursing, ornithology, teaching, traffic, taste.
        ("The number of slices eaten was low ($M = 3.44$, $SD = 2.47$, $n = 18$).", "standard deviation"),
        ("Nurses rated workload on a 7-point Likert scale (M = 5.19, SD = 1.10, n = 28).", "A mean that"),
        ("Pairs differed in the number of eggs (n = 12; mean 4.38).", "A mean that"),
        ("Pupils said how often they read (N = 15, M = 2.41, SD = 0.91).", "A mean that"),
        ("We took counts of lorries at dawn ($n = 9$, $M = 11.25$, $SD = 3.0$).", "A mean that"),
        (
            "On a scale from 1 (bitter) to 7 (sweet) judges chose the middle (M = 4.00, SD = 3.90, n = 20).",
            "too large",
        ),
        ("Comfort on a scale of 1 to 5 was high (M = 5.90, SD = 0.50, n = 10).", "beyond its scale"),
    ],
)
def test_what_whole_numbers_cannot_have_is_found(text: str, title: str) -> None:
    """Means, SDs and scales of ratings and counts."""
    (remark,) = found(paper(text))
    assert title in remark.title


@pytest.mark.parametrize(
    "text",
    [
        # Possible.
        "Nurses rated workload on a 7-point Likert scale (M = 5.18, SD = 1.10, n = 28).",
        # No whole numbers: weights, times.
        "The seeds were light (M = 5.19 mg, SD = 1.10, n = 28).",
        "Reaction was slow (M = 3.44, SD = 2.47, n = 18).",
        # The mean of several items, a rate, a slider.
        "The four items on a 7-point scale were averaged (M = 5.19, SD = 1.10, n = 28).",
        "The number of calls per hour was low (M = 3.47, SD = 2.40, n = 18).",
        "On a slider scale from 0 to 7 comfort was fair (M = 5.19, SD = 1.10, n = 28).",
        # Enough values.
        "The number of slices eaten was low ($M = 3.44$, $SD = 2.41$, $n = 480$).",
        # Another n.
        "The number of eggs (M = 4.38) was that of earlier years, when fewer nests were seen (n = 12).",
        # Means without digits to test.
        "The number of slices eaten was low (M = 3, SD = 2, n = 18).",
        # Estimated from a model.
        "The estimated number of owls was stable (M = 5.19, SD = 1.10, n = 28).",
    ],
)
def test_what_can_be_is_left_alone(text: str) -> None:
    """Possible values, and values that need not be whole."""
    assert found(paper(text)) == []


TABLE = "Ward,n,Mean,SD;|North,28,5.18,1.10;South,28,{},1.10;East,20,4.20,1.28"


def test_a_row_of_a_table_is_tested() -> None:
    """The caption says that the values are whole, the columns which is which."""
    (remark,) = found(paper(table=TABLE.format("5.19"), caption="Number of visits by ward"))
    assert (remark.quote, remark.against) == ("5.19", "28")
    assert found(paper(table=TABLE.format("5.21"), caption="Number of visits by ward")) == []
    assert found(paper(table=TABLE.format("5.19"), caption="Length of stay by ward")) == []
