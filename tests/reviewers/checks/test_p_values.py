"""Test statistics against the p-values printed with them."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks.p_values import PValues, p_value
from rereview.reviewers.checks.p_values import tests as read_tests
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def paper(*texts: str, format: str = "latex") -> Manuscript:  # noqa: A002
    blocks = tuple(Block(id=f"p{i}", text=text, kind="paragraph") for i, text in enumerate(texts))
    return Manuscript(id="m", paper_id="p", title="", format=format, blocks=blocks)


def found(manuscript: Manuscript) -> list[Remark]:
    """The findings, each with its exact place."""
    remarks = list(PValues()(manuscript))
    for remark in remarks:
        assert [manuscript.text_of(place) for place in remark.places] == [remark.quote]
        assert remark.rule == "p-values"
        assert remark.arithmetic
    return remarks


@pytest.mark.parametrize(
    ("text", "computed"),
    [
        # Soil science, psychology, botany, linguistics, medicine, education.
        (r"Clay plots drained faster ($t(38) = 1.42$, $p = .03$).", "0.164"),
        (r"The cue had an effect, $F(2, 57) = 2.11$, $p = .02$.", "0.131"),
        (r"Leaf area rose with light ($r(41) = .21$, $p < .01$).", "0.176"),
        (r"Vowel length differed by dialect, $\chi^2(3, N = 120) = 9.50$, $p = .23$.", "0.023"),
        (r"Survival was longer ($z = 1.20$, $p = .03$).", "0.230"),
        (r"Beds differed, $t(20) = 1.086$, 95\% CI $[0.12, 0.31]$, $p = .01$.", "0.290"),
        (r"Scores of the groups were alike, t(24) = 4.10, p = .41.", "4.1e-04"),
    ],
)
def test_a_p_value_that_its_statistic_contradicts_is_found(text: str, computed: str) -> None:
    """Each family of tests, whatever side the error is on."""
    (remark,) = found(paper(text))
    assert remark.arithmetic
    assert f"p = {computed.replace('4.1e-04', '0.00041')}" in remark.arithmetic


@pytest.mark.parametrize(
    "texts",
    [
        # Right, also after rounding of the statistic.
        (r"Clay plots drained faster ($t(38) = 2.42$, $p = .02$).",),
        (r"Light mattered, $t(20) = 2.1$, $p = .05$.",),
        # One-sided, and the paper says so.
        (r"We use one-tailed tests.", r"Yield rose ($t(28) = 1.75$, $p = .045$)."),
        # Adjusted for many comparisons.
        (r"P-values are Bonferroni corrected.", r"Sites differ ($t(28) = 2.50$, $p = .09$)."),
        # From a permutation.
        (r"A permutation test gave $t(12) = 2.00$, $p = .03$.",),
        # Less than a limit, cut digits, p = .000.
        (r"Growth differed ($F(1, 30) = 15.2$, $p < .001$) by bed.",),
        (r"Growth differed ($z = 5.10$, $p = .000$).",),
        # No test: a function of 28, a coordinate, a proportion.
        (r"The state $r(28) = .52$, where $p$ is the momentum and $p = .06$ is small.",),
        (r"At redshift $z = 1.20$ the fraction is .03.",),
        # The wrong result of somebody else.
        (r"They erroneously print $t(28) = 1.20$, $p = .03$.",),
        # A p-value in another notation.
        (r"Growth differed ($z = 5.10$, $p = 3.4 \times 10^{-7}$).",),
        # A p-value that is much larger than the corrected degrees of freedom of the paper allow.
        (r"Greenhouse–Geisser corrections were used.", r"Time mattered, $F(3, 60) = 2.90$, $p = .058$."),
    ],
)
def test_what_can_be_right_is_left_alone(texts: tuple[str, ...]) -> None:
    """Rounding, one-sided and corrected tests, and what is no test."""
    assert found(paper(*texts)) == []


@pytest.mark.parametrize(
    "text",
    [
        "t(48) = 1.02, p < .05",
        "t(28) = 2.20, p = .06",
        "t(28) = 1.20, p = .03",
        "F(2, 28) = 22.20, p = .06",
        "F(2, 28) = 2.20, p = .03",
        "r(28) = .22, p = .03",
        "r(28) = .52, p = .06",
        "chi2(28) = 2.20, p = .03",
        "chi2(28) = 52.20, p = .06",
        "z = 1.20, p = .03",
        "z = 2.20, p = .06",
        "Q(28) = 2.20, p = .03",
        "Q(28) = 52.20, p = .06",
    ],
)
def test_published_errors_of_decision_are_found_as_such(text: str) -> None:
    """The worked examples of statcheck's decision errors, in plain text and in LaTeX."""
    for manuscript in (paper(text, format="pdf"), paper(f"We saw ${text.replace(', ', '$, $')}$.")):
        (remark,) = found(manuscript)
        assert remark.severity == "major"


@pytest.mark.parametrize(
    ("kind", "degrees", "statistic", "expected"),
    [
        ("t", (28,), 2.20, 0.036225),
        ("F", (2, 28), 2.20, 0.129593),
        ("r", (28,), 0.22, 0.242739),
        ("z", (), 2.20, 0.027807),
        ("chi2", (28,), 22.20, 0.771949),
        ("t", (100,), 1.0, 0.319724),
    ],
)
def test_p_values_are_those_that_statcheck_computes(kind, degrees, statistic, expected) -> None:
    """Its worked examples; the values were integrated from the densities, not taken from scipy."""
    assert p_value(kind, degrees, statistic) == pytest.approx(expected, abs=2e-6)


def test_a_p_value_on_the_other_side_of_the_level_is_said_to_be() -> None:
    """A wrong digit is moderate, a wrong decision major."""
    (digit,) = found(paper("t(28) = 2.20, p = .04, and then t(28) = 2.90, p = .02"))
    assert digit.severity == "moderate"


def test_degrees_of_freedom_may_be_broken_and_grouped() -> None:
    """Welch's test, and thousands."""
    (welch, large) = read_tests("t(23.41) = 2.20, p = .04; F(1, 12,345) = 4.10, p = .04")
    assert welch.degrees == (23.41,)
    assert large.degrees == (1.0, 12345.0)
