r"""Formulas sign for sign."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.text.printed import printed

SAME = [
    (r"$\mathbf{A}x=\lambda x$", r"\[ A x = \lambda x \]"),
    (r"\left( a + b \right)^2", "(a+b)^{2}"),
    (r"\mathrm{KL}(p\,\|\,q)", r"{\rm KL}(p\|q)"),
    (r"f\left.\right|_{x}", "f|_x"),
    (r"{{\boldsymbol{\beta}}}^{\mathrm{T}}", r"\beta^T"),
    ("a &= b", "a=b"),
]
OTHER = [
    ("a=-b", "a=b"),
    ("a<b", r"a\le b"),
    ("x^{2n}", "x^2 n"),
    ("a_{ij}", "a_i j"),
    ("N=n", "n=N"),
    (r"\alpha x", r"\beta x"),
    ("(a+b)c", "a+bc"),
    (r"\hat{x}=y", "x=y"),
    (r"\{a\}", "a"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_prints_the_same_is_the_same(one, other):
    """Delimiters, spacing, fonts, and braces that hold one sign are not seen."""
    assert printed(one).text == printed(other).text


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_prints_otherwise_is_not(one, other):
    """A sign, a relation, an index, a case, a bracket, an accent."""
    assert printed(one).text != printed(other).text


@given(st.lists(st.sampled_from([*"ab{}\\$ ^_=1.é𝔸", r"\mathrm", r"\left", r"\rm"])).map("".join))
def test_every_sign_has_its_place(text):
    """Each stands in the text where the map says, in order, whatever braces are missing."""
    found = printed(text)
    assert len(found.text) == len(found.starts) == len(found.ends)
    places = sorted(set(zip(found.starts.tolist(), found.ends.tolist(), strict=True)))
    assert "".join(text[start:end] for start, end in places) == found.text
