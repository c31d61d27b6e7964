"""Formulas as MathML."""

from __future__ import annotations

import pytest

from rereview.report.mathematics import Mathematics
from rereview.types.manuscript import Macro


def macros(**bodies):
    """Macros by name; each `#n` in a body is an argument."""
    return {
        f"\\{name}": Macro(name=f"\\{name}", arguments=body.count("#"), default=None, body=body)
        for name, body in bodies.items()
    }


@pytest.fixture
def plain():
    return Mathematics.of({})


@pytest.mark.parametrize(
    "tex",
    [
        r"\begin{align} a &= b \\ c &= d \end{align}",
        r"\begin{align*} a &= b \label{x}\nonumber \end{align*}",
        r"\begin{equation}\begin{split} a &= b \\ &= c \end{split}\end{equation}",
        r"\begin{eqnarray} a &=& b \end{eqnarray}",
        r"\begin{multline} a \\ b \end{multline}",
        r"\begin{alignat}{2} a &= b & c &= d \end{alignat}",
        r"\begin{gather} a \\ b \\ \end{gather}",
        r"\arg\max_x \bm{x} \xrightarrow{d} \mbox{if $x > 0$ or $y$} \widetilde{x}",
        r"\left< x \right> \sum_{\substack{i \\ j}}",
        r"x \tag{3} \qedhere",
        "a\\\nb",
    ],
)
def test_what_papers_write_is_set(plain, tex):
    """Environments and spellings that math-core does not know are written in those that it knows."""
    html = plain.html(tex, display=True)
    assert html.startswith("<math")
    assert plain.refused == []


def test_no_style_attribute_is_left(plain):
    """Styles are classes, one rule each, in the order of first use."""
    html = plain.html(r"\begin{aligned} a &= b \end{aligned}", display=True)
    assert ' style="' not in html
    assert 'class="m0"' in html
    assert ".m0{text-align: right" in plain.styles.css()


def test_the_tex_is_kept_as_annotation(plain):
    """As the paper has it, escaped."""
    assert '<annotation encoding="application/x-tex">a &lt; b</annotation>' in plain.html(
        "a < b", display=False
    )


def test_macros_of_the_paper_are_known():
    """Those that the converter refuses are left out, the others work all the same."""
    mathematics = Mathematics.of(macros(R=r"\mathbb{R}", bad=r"\nosuch{", pair=r"\mbox{#1}^{#2}", RR=r"\R"))
    assert "ℝ" in mathematics.html(r"\RR \pair{a}{b}", display=False)
    assert mathematics.refused == []


def test_a_macro_that_only_names_a_formula_is_dropped():
    r"""`\eqlabel{a}` that stands for `\label{eq:a}`."""
    mathematics = Mathematics.of(macros(eqlabel=r"\label{eq:#1}"))
    assert mathematics.html(r"\eqlabel{a} x = 1", display=True).startswith("<math")


def test_what_is_refused_is_shown_as_tex_with_the_reason(plain):
    """In code, and counted."""
    html = plain.html(r"\nosuch{<b>}", display=False)
    assert html.startswith('<code class="tex" title="shown as TeX: ')
    assert r"\nosuch{&lt;b&gt;}" in html
    assert plain.refused == [r"\nosuch{<b>}"]


def test_a_macro_that_never_ends_is_refused():
    """It expands to itself."""
    mathematics = Mathematics.of(macros(a=r"\a\a"))
    assert "Too many expansions" in mathematics.html(r"\a", display=False)
