"""Numbers that are printed again with a slip."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks.repeated_numbers import RepeatedNumbers
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def found(*texts: str) -> list[Remark]:
    blocks = tuple(Block(id=f"p{i}", text=text, kind="paragraph") for i, text in enumerate(texts))
    manuscript = Manuscript(id="m", paper_id="p", title="", format="latex", blocks=blocks)
    remarks = list(RepeatedNumbers()(manuscript))
    for remark in remarks:
        assert [manuscript.text_of(place) for place in remark.places] == [remark.quote, remark.against]
        assert remark.rule == "repeated-numbers"
    return remarks


@pytest.mark.parametrize(
    ("texts", "arithmetic"),
    [
        # Forestry: one digit of a count, in the abstract and in the text.
        (
            (
                "We mapped 12,485 veteran trees.",
                "The 12,435 veteran trees stand in parks.",
                "Of 12,485 none fell.",
            ),
            "12435 ≠ 12485",
        ),
        # Chemistry: two digits changed places.
        (
            (
                r"A yield of 87.3\% was reached.",
                r"A final yield of 87.3\% was reached.",
                r"The yield of 83.7\% was reached with ease.",
            ),
            "83.7% ≠ 87.3%",
        ),
        # Genetics: a sign beside the same p-value.
        (
            (
                r"They correlate ($\rho = -0.316$, $p = 0.013$).",
                r"($\rho = -0.316$, $p = 0.013$)",
                r"as $\rho = 0.316$, $p = 0.013$ shows",
            ),
            "0.316 ≠ -0.316",
        ),
        # Psychology: another p-value beside the same statistic.
        (
            (
                r"$t(38) = 2.437$, $p = .020$ here",
                r"so $t(38) = 2.437$, $p = .020$",
                r"but $t(38) = 2.437$, $p = .200$",
            ),
            "0.200 ≠ 0.020",
        ),
        # Hydrology: a measured value.
        (
            (
                "The mean annual discharge was 4.817 at the weir.",
                "A discharge was 4.817.",
                "The mean annual discharge was 4.877 again.",
            ),
            "4.877 ≠ 4.817",
        ),
    ],
)
def test_a_slip_is_found(texts: tuple[str, ...], arithmetic: str) -> None:
    """The value that stands once, against the one that comes back."""
    (remark,) = found(*texts)
    assert remark.arithmetic == arithmetic


@pytest.mark.parametrize(
    "texts",
    [
        # Both come back: they are two values.
        (
            "Alone it reduced this to 1443 steps for sums.",
            "Alone it reduced this to 1343 steps for products.",
            "Sums: 1443. Products: 1343.",
        ),
        # One is computed from the other, or both are compared.
        (
            "Of 12,485 veteran trees 50 were felled.",
            "Some 12,435 veteran trees were left.",
            "All 12,485 count.",
        ),
        ("The final loss was 2.258 with glass, and the final loss was 2.253 with steel.", "We choose 2.253."),
        # Nobody knows which is right.
        ("We mapped 12,485 veteran trees.", "The 12,435 veteran trees stand in parks."),
        # Other words, other units, years, few digits.
        ("The oak measured 87.3 cm.", "An ash measured 87.3 cm.", "It weighs 83.7 kg in all."),
        (
            "Sampling took place in 2015 near Graz.",
            "Sampling took place in 2016 near Graz.",
            "In 2015 it rained.",
        ),
        ("We sowed 12 plots.", "We sowed 12 plots.", "We sowed 13 plots."),
        # Another name, another statistic.
        (r"$a = 0.316, b = 0.013$; $a = 0.316, b = 0.013$", r"$c = 0.316, b = 0.014$"),
        # Far apart: another value.
        (
            "We mapped 12,485 veteran trees.",
            "The 9,820 veteran trees stand in parks.",
            "Of 12,485 none fell.",
        ),
    ],
)
def test_what_may_be_another_value_is_left_alone(texts: tuple[str, ...]) -> None:
    """Values that come back, other words, and numbers that are too short or too far apart."""
    assert found(*texts) == []
