"""The scanner of LaTeX: what is one token, and that tokens tile their source."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.text.latex import Vocabulary, tokens

PIECES = [
    "a word",
    "%",
    "\\%",
    "\n",
    "\r\n",
    "\n\n",
    " ",
    "$",
    "$$",
    "{",
    "}",
    "[",
    "]",
    "\\(",
    "\\)",
    "\\[",
    "\\]",
    "\\\\",
    "\\\\[2pt]",
    "\\begin{equation}",
    "\\end{equation}",
    "\\begin {align}",
    "\\begin{verbatim}",
    "\\end{verbatim}",
    "\\begin{comment}",
    "\\end{comment}",
    "\\begin{tabular}{>{$}c<{$}}",
    "\\verb|$x$|",
    "\\url{a%b$c}",
    "\\iffalse",
    "\\ifnum",
    "\\iftrue",
    "\\else",
    "\\fi",
    "\\newcommand{\\be}{\\begin{equation}}",
    "\\def\\x#1{",
    "\\let\\a=\\b",
    "\\end{document}",
    "𝔄é漢",
    "\\",
    "#1",
    "\\text{a $b$}",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@settings(max_examples=300, deadline=None)
def test_tokens_tile_the_source(source):
    """Every character stands in exactly one token, whatever the source."""
    found = tokens(source)
    position = 0
    for token in found:
        assert token.start == position < token.end
        position = token.end
    assert position == len(source)


@given(st.text(alphabet="\\{}[]%$&#~ab \n\r@*", max_size=60))
@settings(max_examples=300, deadline=None)
def test_tokens_tile_any_text(source):
    """Text that no person would write is cut as well."""
    assert "".join(source[token.start : token.end] for token in tokens(source)) == source


def of_kind(source, kind, known=None):
    """The text of all tokens of a kind."""
    found = tokens(source, known) if known else tokens(source)
    return [source[token.start : token.end] for token in found if token.kind == kind]


def test_a_comment_takes_its_line_end_and_the_next_indentation():
    """TeX skips the line end of a comment and the white space at the start of the next line."""
    assert of_kind("one%two\n   three", "comment") == ["%two\n   "]


def test_an_escaped_percent_is_no_comment():
    r"""`\\%` prints; after a line break `\\\\` a `%` does begin a comment."""
    assert of_kind("5\\% of \\\\% gone\n", "comment") == ["% gone\n"]


def test_a_blank_line_after_a_comment_ends_the_paragraph():
    """The comment eats one line end, and the blank line is still blank."""
    assert of_kind("one % c\n\ntwo", "par") == ["\n"]
    assert of_kind("one % c\ntwo", "par") == []


def test_a_paragraph_ends_at_crlf_too():
    r"""`\\r\\n` is one line end."""
    assert of_kind("one\r\n\r\ntwo\r\nthree", "par") == ["\r\n\r\n"]


@pytest.mark.parametrize(
    "source",
    [
        "\\verb|$x % y$|",
        "\\verb*+{+",
        "\\lstinline!$x$!",
        "\\lstinline[language=C]{a % b}",
        "\\mintinline{python}|x % 2|",
        "\\url{https://a.org/x%20y$z}",
        "\\href{https://a.org/x%20y}",
        "\\begin{verbatim}\n$ % {\n\\end{verbatim}",
        "\\begin{lstlisting}[caption={x}]\n% $\n\\end{lstlisting}",
        "\\begin{filecontents}{a.bib}\n% $ {\n\\end{filecontents}",
    ],
)
def test_verbatim_material_is_one_token(source):
    """No dollar, percent sign or brace inside counts."""
    assert of_kind(f"a {source} b", "verbatim") == [source]
    assert of_kind(f"a {source} b", "math") == []


def test_a_comment_environment_is_a_comment():
    """Also one that the paper excludes by name."""
    source = "a\\begin{comment}$\\end{comment}b\\begin{notes}x\\end{notes}c"
    assert of_kind(source, "comment") == ["\\begin{comment}$\\end{comment}"]
    known = Vocabulary(excluded=frozenset({"notes"}))
    assert of_kind(source, "comment", known)[1:] == ["\\begin{notes}x\\end{notes}"]


def test_a_dead_branch_ends_at_its_own_fi():
    r"""Inner conditionals, also of the paper's own, and an \\fi in a comment do not end it."""
    known = Vocabulary(conditionals=frozenset({"\\ifdraft"}))
    source = "a\\iffalse b\\ifnum1=1 c\\fi\\ifdraft d\\fi % \\fi\n e\\fi f"
    assert of_kind(source, "dead", known) == [source[1:-2]]


def test_iff_is_no_conditional():
    r"""`\\iff` is a symbol and `\\ifthenelse` a macro with arguments."""
    assert of_kind("a\\iffalse $x\\iff y$ \\ifthenelse{a}{b}{c}\\fi d", "dead")[0].endswith("{c}\\fi")


def test_the_other_branch_of_iffalse_lives():
    r"""What stands between \\else and \\fi is read; the same the other way round for \\iftrue."""
    assert of_kind("\\iffalse a\\else b\\fi c", "text") == [" b", " c"]
    assert of_kind("\\iftrue a\\else b\\fi c", "text") == [" a", " c"]


def test_a_switch_is_followed_when_its_value_is_known():
    r"""A switch made by \\newif that the paper sets in one way only."""
    known = Vocabulary(switches={"\\iflong": True, "\\ifshort": False})
    assert of_kind("\\iflong a\\fi\\ifshort b\\fi", "text", known) == [" a"]


def test_definitions_are_one_token():
    """What a definition says is not yet said."""
    for definition in (
        "\\newcommand{\\be}{\\begin{equation}}",
        "\\newcommand*\\be[2][x]{\\begin{equation} $}",
        "\\def\\half#1#2{\\frac{#1}{#2}}",
        "\\let\\oldsec=\\section",
        "\\newenvironment{x}[1]{\\begin{center}}{\\end{center}}",
        "\\DeclareMathOperator*{\\argmin}{arg\\,min}",
        "\\newtheorem{lem}[thm]{Lemma}",
        "\\NewDocumentCommand{\\f}{m m}{#1 $ #2}",
    ):
        assert of_kind(f"a {definition} b", "definition") == [definition]


def test_a_column_specification_is_an_argument():
    """Its dollar signs are no mathematics."""
    source = "\\begin{tabular}[t]{>{$}c<{$}}a\\end{tabular}"
    assert of_kind(source, "argument") == ["[t]{>{$}c<{$}}"]
    assert of_kind(source, "math") == []


def test_an_environment_may_stand_apart_from_its_name():
    r"""`\\begin {multline}` begins it too."""
    assert [t.name for t in tokens("\\begin {multline}x\\end {multline}")] == ["multline", "", "multline"]


def test_abbreviations_begin_what_they_stand_for():
    r"""`\\be` counts as the begin that the paper defined."""
    known = Vocabulary(opens={"\\be": "equation", "\\[[": "\\["}, closes={"\\ee": "equation"})
    kinds = [(token.kind, token.name) for token in tokens("\\be x\\ee", known)]
    assert kinds == [("begin", "equation"), ("text", ""), ("end", "equation")]


def test_nothing_is_read_after_the_document():
    """The rest is one token."""
    assert of_kind("\\end{document}\n$ { \\iffalse", "after-end") == ["\n$ { \\iffalse"]


def test_a_long_source_is_scanned_quickly():
    """200 kB that are densely set: seconds of processor time, with room for a slow machine."""
    line = "Let $x_{i} \\in \\mathbb{R}$ be \\emph{given} \\cite{a,b}, see \\eqref{eq:1}. % note\n"
    source = line * (200_000 // len(line))
    best = min(_seconds(source) for _ in range(3))
    assert best < 0.4


def _seconds(source):
    start = time.process_time()
    tokens(source)
    return time.process_time() - start


@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n", "\r\r", "\n \t\r", "\r\n\t\n"])
def test_a_blank_line_of_every_kind_ends_a_paragraph(end):
    """A line end alone does not."""
    assert [token.kind for token in tokens(f"a{end}b")] == ["text", "par", "text"]
    for single in ("\n", "\r\n", "\r"):
        assert [token.kind for token in tokens(f"a{single}b")] == ["text"]


def test_a_verbatim_environment_ends_at_its_own_end():
    """Whatever others end before; one that nothing ends is an environment like others."""
    source = "\\begin{verbatim}\\end{lstlisting}\\end {verbatim}\\begin{verbatim}"
    assert [(token.kind, source[token.start : token.end]) for token in tokens(source)] == [
        ("verbatim", "\\begin{verbatim}\\end{lstlisting}\\end {verbatim}"),
        ("begin", "\\begin{verbatim}"),
    ]
