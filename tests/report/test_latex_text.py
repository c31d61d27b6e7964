"""LaTeX running text as pieces."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rereview.report.latex_reader import Context
from rereview.report.latex_text import read_latex
from rereview.report.pieces import Close, Formula, Open, Run, Target, shown_text
from rereview.types.manuscript import Macro

CONTEXT = Context(
    targets={"sec:a": Target("#b1", "3.1", kind="section"), "eq:a": Target("#b2", "7", kind="equation")},
    citations={"ho": Target("#b3", "1", "Ho et al.", "2020", "reference"), "li": Target("#b4", "2")},
    macros={
        r"\ours": Macro(name=r"\ours", arguments=0, default=None, body=r"\textsc{OurNet}\xspace"),
        r"\rev": Macro(name=r"\rev", arguments=1, default=None, body=r"{\color{blue}#1}"),
        r"\both": Macro(name=r"\both", arguments=2, default="one", body="#1 and #2"),
        r"\twice": Macro(name=r"\twice", arguments=1, default=None, body="#1#1"),
        r"\name": Macro(name=r"\name", arguments=0, default=None, body="Name"),
        r"\loop": Macro(name=r"\loop", arguments=0, default=None, body=r"\loop\loop"),
    },
)


def words(text):
    """The words that are shown."""
    return shown_text(read_latex(text, CONTEXT).pieces)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"12\% of 5 \& 6 cost \$7 \#1 a\_b", "12% of 5 & 6 cost $7 #1 a_b"),
        ("``one'' and `two' --- 1--2 well-known", "“one” and ‘two’ — 1–2 well-known"),
        (r"Erd\H{o}s, G\"odel, \'{e}t\'e, \c{c}a", "Erdős, Gödel, été, ça"),
        (r"na\"{\i}ve, \v Sk, M\o ller, \AA", "naïve, Šk, Møller, Å"),
        (r"a~b\ c\,d", "a b c d"),
        (r"\textbf{bold \emph{both}} {\it old} {\bf\em two}", "bold both old two"),
        (r"Section~\ref{sec:a}, \eqref{eq:a}, \cref{sec:a}, \ref{none}", "Section 3.1, (7), section 3.1, ??"),
        (r"\citet{ho}; \citep[see][p.~3]{ho}", "Ho et al. (2020); (see Ho et al., 2020, p. 3)"),
        (r"\cite{ho,li}; \citeauthor{ho}", "[1, 2]; Ho et al."),
        (r"\ours\ works, \ours works, \rev{new \textbf{text}}", "OurNet works, OurNet works, new text"),
        (r"\both{two}, \both[1]{2}", "one and two, 1 and 2"),
        (r"\footnote{Note.} \label{x}\vspace{2pt}\centering Text", "Note. Text"),
        (r"\unknowncmd[opt]{its words} stay", "its words stay"),
        (r"\texorpdfstring{$x$}{x}", "x"),
        (r"line one\\[2pt] line two \newline three", "line one line two three"),
        (r"\parbox{3cm}{inside} \textcolor{red}{red}", "inside red"),
        (r"\looseness=-1 Text \hskip 3pt plus 1pt more", "Text more"),
        (r"\begin{center}mid\end{center}", "mid"),
        (r"50% of it", "50% of it"),
        (r"\verb|a\b| and \url{http://x.org/a\_b}", r"a\b and http://x.org/a_b"),
        (r"\SI{5}{\milli\second}", "5ms"),
        ("}{ unbalanced } text {", "unbalanced text"),
        ("\\", ""),
        (r"\begin{itemize", "itemize"),
        (r"\rev{\ours}x \name x", "OurNetx Namex"),
    ],
)  # fmt: skip
def test_words_are_those_that_tex_prints(text, shown):
    """Characters, fonts, references, macros and what is not printed."""
    assert words(text) == shown


def test_a_macro_stands_where_it_was_called_and_its_argument_where_it_is():
    """Offsets go through an expansion."""
    text = r"We \rev{add this} and \ours."
    runs = {
        piece.shown.strip(): piece for piece in read_latex(text, CONTEXT).pieces if isinstance(piece, Run)
    }
    added = runs["add this"]
    assert text[added.start : added.end] == "add this"
    assert added.exact
    called = runs["OurNet"]
    assert text[called.start : called.end] == r"\ours"
    assert not called.exact


def test_what_is_not_understood_is_counted():
    """By name, each time it occurs."""
    assert read_latex(r"\foo{a} \foo \begin{bar}b\end{bar}", CONTEXT).unknown == (r"\foo", r"\foo", "bar")


def test_a_list_has_items():
    """Names of items in bold, words before the first item in an item of their own."""
    pieces = read_latex(r"\begin{description}x \item[A:] one \item two\end{description}", CONTEXT).pieces
    tags = [piece.tag for piece in pieces if isinstance(piece, Open)]
    assert tags == ["ul", "li", "li", "b", "li"]


def test_a_formula_may_hold_dollars_in_words():
    r"""`$x \text{ for $y$ }$` is one formula."""
    formulas = [
        p.tex for p in read_latex(r"a $x \text{ for $y$ }$ b", CONTEXT).pieces if isinstance(p, Formula)
    ]
    assert formulas == [r"x \text{ for $y$ }"]


def test_a_dollar_without_its_fellow_is_a_dollar():
    """It begins no formula."""
    assert words("costs $5 today") == "costs $5 today"


@pytest.mark.parametrize("text", [r"\loop", r"\twice{" * 40 + "x" + "}" * 40])
def test_an_expansion_ends(text):
    """A macro that calls itself, and one that doubles its argument over and over."""
    assert len(words(text)) < 100_000


ALPHABET = st.sampled_from(
    [
        *"{}[]$~-`' ab%&#_^\n\\",
        *(r"\textbf{", r"\item", r"\begin{itemize}", r"\end{itemize}", r"\ours", r"\rev{", r"\footnote{"),
        *(r"\href{http://a.b/}{", r"\cite{ho}", r"\ref{sec:a}", r"\begin{verbatim}", "$$", r"\[", r"\]"),
        *(r"\\", r"\bf ", r"\both", r"\begin{equation}", r"\end{equation}", r"\item[", r"\verb|"),
        r"\texorpdfstring",
    ]
)


@settings(max_examples=400, deadline=None)
@example(r"\begin{itemize}\begin{itemize}\item[")
@example(r"\footnote{\begin{itemize}\bf \item[")
@example(r"\begin{itemize}\textbf{")
@given(st.lists(ALPHABET, max_size=25).map("".join))
def test_any_text_is_read_and_nests(text):
    """No text is an error; elements nest; places lie in the text, and exact runs are the text there."""
    pieces = read_latex(text, CONTEXT).pieces
    stack = []
    for piece in pieces:
        if isinstance(piece, Open):
            assert not (piece.tag == "a" and "a" in stack)
            assert (piece.tag == "li") == bool(stack and stack[-1] in {"ul", "ol"})
            stack.append(piece.tag)
        elif isinstance(piece, Close):
            assert stack.pop() == piece.tag
        elif isinstance(piece, Run | Formula):
            assert 0 <= piece.start <= piece.end <= len(text)
            assert not (stack and stack[-1] in {"ul", "ol"})
            if isinstance(piece, Run) and piece.exact:
                assert text[piece.start : piece.end] == piece.shown
    assert stack == []
