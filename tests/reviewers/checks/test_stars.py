"""Stars of significance against the coefficient and what stands in the parentheses."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks.stars import Stars, levels
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark

SE = "Standard errors in parentheses."
LEVELS = "* p<0.10, ** p<0.05, *** p<0.01."


def paper(rows: str, note: str = "", columns: str = "lcc", head: str = "Variable & (1) & (2)") -> Manuscript:
    """A manuscript with one table of these rows, and a note under it."""
    table = (
        rf"\begin{{tabular}}{{{columns}}} \toprule {head} \\ \midrule {rows} \\ \bottomrule \end{{tabular}}"
    )
    blocks = [
        Block(id="cap", text="Estimates", kind="caption", environment="table"),
        Block(id="tab", text=table, kind="table"),
        Block(id="note", text=f"Notes: {note}", kind="paragraph"),
    ]
    return Manuscript(id="m", paper_id="p", title="", format="latex", blocks=tuple(blocks))


def found(manuscript: Manuscript) -> list[Remark]:
    """The findings, each with exact places."""
    remarks = list(Stars()(manuscript))
    for remark in remarks:
        assert [manuscript.text_of(place) for place in remark.places] == [remark.quote, remark.against]
        assert remark.rule == "stars"
        assert remark.severity
        assert remark.arithmetic
    return remarks


FERTILISER = r"Nitrogen & 1.20** & 0.90 \\ & (0.95) & (0.80)"
DIALECT = r"Distance & $-0.52^{***}$ & $-0.31^{*}$ \\ & (0.31) & (0.15)"
DOSE = r"Dose & 0.66*** (0.30) & 0.90** (0.38)"


@pytest.mark.parametrize(
    ("rows", "note", "quote"),
    [
        (FERTILISER, SE + LEVELS, "1.20**"),
        (DIALECT, SE + LEVELS, "$-0.52^{***}$"),
        (DOSE, SE + LEVELS, "0.66*** (0.30)"),
        (r"Slope & 0.44\sym{*} & 0.52 \\ & (0.40) & (0.45)", SE, r"0.44\sym{*}"),
        (r"Rain & 2.1** & 3.0*** \\ & (1.20) & (3.40)", "t statistics in parentheses. " + LEVELS, "2.1**"),
        (r"Rain & 2.1** & 3.0*** \\ & (0.300) & (0.002)", "p-values in parentheses. " + LEVELS, "2.1**"),
        (
            r"Span & 5.0* & 4.0 \\ & (2.9) & (3.9)",
            SE + r" * significant at 5\%, ** significant at 1\%.",
            "5.0*",
        ),
        (
            r"Age & 9.10 & 0.30* \\ & (0.41) & (0.16) \\ Sex & 1.0** & 0.2 \\ & (0.4) & (0.3)",
            SE + LEVELS,
            "9.10",
        ),
    ],
)
def test_a_star_that_its_error_contradicts_is_found(rows: str, note: str, quote: str) -> None:
    """Below, in the same cell, as error, t statistic or p-value."""
    (remark,) = found(paper(rows, note))
    assert remark.quote == quote


def test_a_column_of_errors_beside_the_coefficients_is_read() -> None:
    """The heading says what the column holds."""
    rows = r"Cement & 0.81* & 0.70 & 0.247 \\ Ash & 0.90** & 0.40 & 0.024"
    (remark,) = found(paper(rows, LEVELS, "lccc", "Additive & Estimate & Std. error & $p$-value"))
    assert (remark.quote, remark.against) == ("0.81*", "0.70")


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        # 0.5 and 0.3 are rounded: t may be 0.549/0.25.
        (r"Nitrogen & 0.5** & 0.9 \\ & (0.3) & (0.8)", SE + LEVELS),
        # Ordinary and right.
        (r"Nitrogen & 1.20*** & 0.90 \\ & (0.30) & (0.80)", SE + LEVELS),
        # Standard deviations.
        (r"Score & 1.20** & 0.90 \\ & (0.95) & (0.80)", "Standard deviations in parentheses. " + LEVELS),
        # Nothing says what stands in parentheses, and there are too few cells to tell.
        (r"Nitrogen & 1.20** & 0.90 \\ & (0.95) & (0.80)", ""),
        # Stars from a bootstrap.
        (
            r"Nitrogen & 1.20** & 0.90 \\ & (0.95) & (0.80)",
            SE + LEVELS + " Stars from a wild cluster bootstrap.",
        ),
        # Odds ratios are tested against 1 on the log scale.
        (r"Smoker & 1.20** & 0.90 \\ & (0.95) & (0.80)", "Odds ratios. " + SE + LEVELS),
        # One-sided at 10%.
        (r"Nitrogen & 0.67* & 0.90 \\ & (0.42) & (0.80)", SE + " * p<0.10 (one-sided)."),
        # Confidence intervals.
        (r"Nitrogen & 1.20** & 0.90 \\ & (0.1, 2.3) & (0.80, 1.0)", LEVELS),
        # Footnote marks on counts without an error.
        (r"Patients & 120* & 130 \\ Deaths & 12 & 13", LEVELS),
        # No star and only just significant: the authors may have used small-sample critical values.
        (r"Age & 0.90 & 0.30* \\ & (0.41) & (0.16)", SE + LEVELS),
        # Percentages of a sample and its size.
        (r"Farms & 12* & 14 \\ & (30) & (40)", ""),
    ],
)
def test_a_star_that_can_be_right_is_left_alone(rows: str, note: str) -> None:
    """Rounding, other tests, other parentheses and other meanings."""
    assert found(paper(rows, note)) == []


def test_parentheses_that_nobody_explains_are_errors_if_the_other_stars_say_so() -> None:
    """Six cells agree with errors and none with t statistics, so the seventh is wrong."""
    rows = (
        r"A & 3.10*** & 0.20 \\ & (0.50) & (0.40) \\ B & 1.30** & 0.90*** \\ & (0.60) & (0.20) \\"
        r"C & 0.31* & 0.80*** \\ & (0.17) & (0.21) \\ D & 0.64*** & 0.10 \\ & (0.71) & (0.30)"
    )
    (remark,) = found(paper(rows, LEVELS))
    assert remark.quote == "0.64***"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* p<0.10, ** p<0.05, *** p<0.01", {1: 0.10, 2: 0.05, 3: 0.01}),
        ("*p < .05; **p < .01; ***p < .001", {1: 0.05, 2: 0.01, 3: 0.001}),
        ("***, **, and * denote significance at the 1%, 5%, and 10% levels", {1: 0.10, 2: 0.05, 3: 0.01}),
        ("Significance levels: * 10%, ** 5%, *** 1%.", {1: 0.10, 2: 0.05, 3: 0.01}),
        ("p<0.1 *, p<0.05 **, p<0.01 ***", {1: 0.10, 2: 0.05, 3: 0.01}),
        ("∗ p ≤ 0.05", {1: 0.05}),
        ("Heteroskedastic errors, 5% of plots were dropped", {}),
    ],
)
def test_the_meaning_of_stars_is_read_from_the_note(text: str, expected: dict[int, float]) -> None:
    """In either order, as p or as per cent."""
    assert {count: float(level) for count, level in levels(text).items()} == expected
