"""The normal form for matching."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.text.normalise import collapse, fold, mend_escapes

SAME = [
    (r"\emph{well} done", "well done"),
    (r"a~b \textbf{c}", "a b c"),
    (r"5\% of", "5% of"),
    (r"$\alpha \leq \beta$", "α ≤ β"),
    (r"\left( x \right)", "(x)"),
    (r"\varepsilon\infty\nabla", "ε∞∇"),
    (r"x \geqslant 2", "x >= 2"),
    (r"a \neq b", "a ≠ b"),
    (r"a \not= b", "a != b"),
    ("a =\u0338 b", r"a \ne b"),
    ("Erd\\H{o}s", "Erdo\u030bs"),
    ("Poincar\\'e", "Poincaré"),
    ("ﬁnding", "finding"),
    ("soft\u00adhyphen", "softhyphen"),
    ("estima-\ntion", "estimation"),
    ("well-known", "well known"),
    ("the $N$-sphere", "the N-sphere"),
    ("“quoted” – text", '"quoted" - text'),
    ("1–5", "1--5"),
    ("中 文 字", "中文字"),
    ("10{,}000", "10,000"),
    ("10\\,000", "10000"),
    ("p < .05", "p < 0.05"),
    ("10^{18}", "10¹⁸"),
    ("10^{-5}", "10⁻⁵"),
    ("10<sup>18</sup>", "10^18"),
    (r"\frac{3}{4}", "3/4"),
    (r"\frac34", "3 / 4"),
    (r"3 \times 3", "3 × 3"),
    (r"\mathbb{C}", "ℂ"),
    ("x\theta y", r"x\theta y"),
    ("1\rightarrow 2", r"1 \rightarrow 2"),
    ("a &lt; b", "a < b"),
    ("one<br>two", "one two"),
    (r"as in \cite[p.~3]{smith2010} we", "as in we"),
    (r"\begin{array}{ll} a & b \\[2pt] c \end{array}", "a b c"),
]
DIFFERENT = [
    ("0.42", "0.24"),
    ("0.42", "42"),
    ("10^18", "1018"),
    ("3/4", "34"),
    ("1 23", "12 3"),
    ("1, 2", "12"),
    ("n - k", "n + k"),
    ("n - k", "n k"),
    ("-1", "1"),
    ("a < b", "a > b"),
    ("a < b", r"a \leq b"),
    ("a = b", r"a \neq b"),
    (r"x \in A", r"x \notin A"),
    (r"\alpha", r"\beta"),
    ("5%", "5"),
    (r"\pm 1", "+1"),
    ("1:2", "12"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_renderings_of_the_same_text_fold_alike(one, other):
    """LaTeX, Unicode, PDF and JSON damage come to one form."""
    assert fold(one).text == fold(other).text
    assert fold(one).text


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_a_digit_a_sign_or_a_relation_is_never_lost(one, other):
    """Two texts that say different numbers or relations do not fold alike."""
    assert fold(one).text != fold(other).text


def test_a_sentence_end_is_no_decimal_point():
    """A full stop between two sentences does not join their numbers."""
    assert fold("in 2019. 3 samples").text == "in2019 3samples"


@pytest.mark.parametrize(
    ("text", "part", "original"),
    [
        (r"so \alpha \leq 1 holds", "α≤1", r"\alpha \leq 1"),
        ("the ﬁrst", "first", "ﬁrst"),
        ("x ¹⁸", "18", "¹⁸"),
        ("a b\u0301c d", "bc", "b\u0301c"),
        ("𝛼 and b", "and", "and"),
    ],
)
def test_folded_characters_lead_back_to_what_they_were_made_of(text, part, original):
    """The index map counts code points of the original, and covers a whole command."""
    folded = fold(text)
    at = folded.text.index(part)
    start, end = folded.original(at, at + len(part))
    assert text[start:end] == original


TEXTS = st.text(
    st.one_of(st.sampled_from("\\${}^_- .,/<>=αβ\n\t\u0301ﬁ½中¹19ab"), st.characters()), max_size=80
)


@given(TEXTS)
def test_the_map_is_ascending_and_stays_inside(text):
    """Any text: one start and end a folded character, in order, not empty, in the original."""
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert np.all(folded.starts < folded.ends)
    assert np.all(np.diff(folded.starts) >= 0)
    assert np.all(np.diff(folded.ends) >= 0)
    assert not len(folded.ends) or folded.ends[-1] <= len(text)


@given(st.text(st.sampled_from("abc xyz 123\n"), max_size=60))
def test_white_space_never_matters_outside_numbers(text):
    """Doubling all white space changes nothing."""
    assert fold(text).text == fold(text.replace(" ", "  \n ")).text


@given(TEXTS)
def test_collapsed_text_has_single_spaces_and_all_else(text):
    """Collapsing agrees with splitting at white space."""
    collapsed = collapse(text)
    assert collapsed.text.split() == text.split()
    assert "  " not in collapsed.text
    assert all(
        text[start] == c or text[start].isspace()
        for c, start in zip(collapsed.text, collapsed.starts, strict=True)
    )


@pytest.mark.parametrize(
    ("damaged", "mended"),
    [
        ("m x3C 1", "m < 1"),
        (r"a \u2264 b", "a ≤ b"),
        ("the rate \nu of", r"the rate \nu of"),
        (r"ends.\n\nNext", "ends.\n\nNext"),
        (r"\\alpha", r"\alpha"),
        ("nothing is\nwrong here", "nothing is\nwrong here"),
    ],
)
def test_damage_of_careless_json_is_mended(damaged, mended):
    """Escapes that lost or doubled their backslash are read as they were meant."""
    assert mend_escapes(damaged) == mended
