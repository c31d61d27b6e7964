"""Intervals, standard errors and p-values against their estimates."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks.intervals import Intervals
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def paper(*texts: str, table: str = "", caption: str = "") -> Manuscript:
    blocks = [Block(id=f"p{i}", text=text, kind="paragraph") for i, text in enumerate(texts)]
    if table:
        body = table.replace(";", r" \\ ").replace("|", r"\midrule ")
        blocks += [
            Block(id="cap", text=caption, kind="caption", environment="table"),
            Block(id="tab", text=rf"\begin{{tabular}}{{lccc}}{body}\end{{tabular}}", kind="table"),
        ]
    return Manuscript(id="m", paper_id="p", title="", format="latex", blocks=tuple(blocks))


def found(manuscript: Manuscript) -> list[Remark]:
    remarks = list(Intervals()(manuscript))
    for remark in remarks:
        quoted = [remark.quote, remark.against][: len(remark.places)]
        assert [manuscript.text_of(place) for place in remark.places] == quoted
        assert remark.rule == "intervals"
        assert remark.arithmetic
    return remarks


@pytest.mark.parametrize(
    ("text", "title"),
    [
        # Epidemiology, ecology, education, engineering, economics, astronomy, dentistry.
        (r"Smokers had more events (HR 0.72, 95\% CI 0.80 to 0.95).", "does not contain"),
        (r"Cover rose by 4.2 points (95\% CI: 6.1, 1.9).", "lower limit"),
        (r"Tutoring helped ($\beta = 0.31$, 95\% CI $[0.12, 0.50]$, $p = .41$).", "contradict"),
        (r"The odds ratio was 1.45 (95\% confidence interval 0.80--2.63; $P = 0.001$).", "contradict"),
        (r"Wages rose by 0.67 hours (SE = 0.42, $p < 0.01$) in the county.", "standard error"),
        (r"The slope was $-1.20$ (SE = 0.10, 95\% CI $[-1.90, -0.50]$).", "standard error"),
        (r"Fluoride lowered the score by 2.10 (standard error = 0.20), $p = .45$.", "standard error"),
    ],
)
def test_an_estimate_that_is_contradicted_is_found(text: str, title: str) -> None:
    """Limits, nulls, widths and p-values."""
    (remark,) = found(paper(text))
    assert title in remark.title


@pytest.mark.parametrize(
    "texts",
    [
        (r"Smokers had fewer events (HR 0.72, 95\% CI 0.60 to 0.85).",),
        (r"Tutoring helped ($\beta = 0.31$, 95\% CI $[0.12, 0.50]$, $p = .002$).",),
        # An asymmetric interval is right for a ratio and for resampling.
        (r"The odds ratio was 1.45 (95\% CI 1.10--1.92; $P = 0.009$).",),
        # Near the level a test and an interval may differ.
        (r"Cover rose by 4.2 (95\% CI 0.1 to 8.3; $P = 0.06$).",),
        # Rounded to the limit.
        (r"The risk ratio was 0.8 (95\% CI 0.84 to 0.95).",),
        # Another level, corrected p-values, one-sided tests.
        (r"Cover rose by 4.2 (90\% CI 0.1 to 8.3; $P = 0.09$).",),
        (r"P-values are Holm adjusted.", r"Cover rose by 4.2 (95\% CI 1.1 to 7.3; $P = 0.12$)."),
        (r"Tests are one-sided.", r"Wages rose by 0.67 (SE = 0.42, $p < 0.06$)."),
        # No interval of the number before it.
        (r"Of 120 plots, yields were fair (95\% CI 3.1 to 4.2).",),
        (r"In 2019, 95\% CI 0.31 to 0.40 was the narrowest.",),
        # Right: the standard error of 0.67 is 0.28.
        (r"Wages rose by 0.67 hours (SE = 0.28, $p < 0.05$).",),
        # The null is not known: a ratio or a difference.
        (r"The contrast was 0.40 (95\% CI 0.20 to 1.30; $p = .01$).",),
        # CI of another kind: a consistency index.
        (r"The index is CI = (4.54 -- 4) / 3 = 0.18, and $0.12$; CI = (5 -- 4)/2.",),
        # The statistic before the interval is not what it is of.
        (r"Size had no effect ($r = -0.11$, $p = 0.778$, 95\% CI: $[-0.81, 0.69]$).",),
        (r"Plots differed, $t(20) = -6.82$, $p < .001$, 95\% CI $[-11.78, -6.38]$, $d = -2.92$.",),
        (r"Plots differed, $t(20) = 2.086$, 95\% CI $[0.12, 0.31]$, $p = .05$.",),
        (r"Plots were wet ($M = 3.50$, $SD = 1.20$, 95\% CI $[3.10, 3.90]$).",),
        (r"Plots differed ($\chi^2(1) = 8.64$, 95\% CI $[0.1, 0.4]$; $\eta_p^2 = .54$, 95\% CI [.6, .7]).",),
        # Percentages, and a count with its share.
        (r"Among 40 patients 30\% relapsed (95\% CI 18 to 46\%).",),
        # Shapes of two numbers that are no limits.
        (r"We report the mean 4.1 (95\% CI). In 12, 13 and 14 we vary it.",),
    ],
)
def test_what_can_be_right_is_left_alone(texts: tuple[str, ...]) -> None:
    """Right values, other levels, corrections, and numbers that are no estimate."""
    assert found(paper(*texts)) == []


ODDS = (
    r"Factor & Odds ratio & 95\% CI & $p$ ;| Age & 1.20 & (1.05, 1.37) & 0.007 ;"
    r" Sex & {} ; Region & 0.91 & (0.70, 1.18) & 0.480"
)


@pytest.mark.parametrize(
    ("row", "title"),
    [
        (r"1.90 & (1.10, 1.62) & 0.002", "does not contain"),
        (r"1.34 & (1.62, 1.10) & 0.002", "lower limit"),
        (r"1.34 & (1.10, 1.62) & 0.420", "contradict"),
        (r"1.10 & (0.80, 1.52) & $<$0.001", "contradict"),
    ],
)
def test_a_row_of_a_table_is_found(row: str, title: str) -> None:
    """The heading says that a column holds intervals."""
    (remark,) = found(paper(table=ODDS.format(row), caption="Odds ratios"))
    assert title in remark.title


def test_right_rows_of_tables_are_left_alone() -> None:
    """Estimates inside of their limits, with p-values that agree; and ranges that are no intervals."""
    assert found(paper(table=ODDS.format(r"1.34 & (1.10, 1.62) & 0.003"), caption="Odds ratios")) == []
    ranges = ODDS.replace(r"95\% CI", "Range").format(r"1.90 & (1.10, 1.62) & 0.002")
    assert found(paper(table=ranges, caption="Odds ratios")) == []
