"""LaTeX as a reader sees it, with the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.text.reading import readable


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"$t(28) = 2.20$, $p<.05$", "t(28) = 2.20, p<.05"),
        (r"$\chi^{2}(1, N{=}90)$ and 12{,}345 of 5\,000", "χ^2(1, N=90) and 12,345 of 5\u2009000"),
        (r"\textbf{30\%}~of \emph{all}, 95\% CI 1--2", "30% of all, 95% CI 1–2"),
        (r"Table~\ref{tab:a} (\citep[see][]{x})", "Table [#] ([#])"),
        (r"$\Delta R^2 \leq \frac{1}{2}$", "Δ R^2 ≤ 1/2"),
        (r"$\lceil 0.7 \times 61 \rceil = 43$", "⌈ 0.7 × 61 ⌉ = 43"),
        (r"\unknown{x}", r"\unknownx"),
    ],
)
def test_markup_is_read_and_words_stay(source, shown):
    """Dollars, braces, fonts and spacing go; symbols, references and unknown commands are named."""
    assert readable(source, format="latex").text == shown


def test_a_place_leads_back_to_the_source():
    """The place of what was read is where it stands, markup inside included."""
    source = r"we found $\beta = 1{,}200$ here"
    read = readable(source, format="latex")
    start = read.text.index("β")
    begin, end = read.original(start, start + len("β = 1,200"))
    assert source[begin:end] == r"\beta = 1{,}200"


def test_the_text_of_a_pdf_stays_as_it_is():
    """A dollar sign and a brace of a PDF are what the page shows."""
    assert readable("{$5~}", format="pdf").text == "{$5~}"


@given(st.text(alphabet="ab1 \\{}$~-,%^_\n", max_size=40))
def test_every_character_has_a_place(source):
    """Places of single characters are in order and inside the source."""
    read = readable(source, format="latex")
    places = [read.original(i, i + 1) for i in range(len(read.text))]
    assert all(0 <= a < b <= len(source) for a, b in places)
    assert [a for a, _ in places] == sorted(a for a, _ in places)
