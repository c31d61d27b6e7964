"""Where errors can be injected: every place, exact to the character, and none that is no place."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.errors import UnusableInput
from rereview.perturb.scan import main_of, paper_kind, scan
from rereview.perturb.taxonomy import admissible, family_of

TORTURE = Path(__file__).parent / "torture"
LABEL = re.compile(r"^%([<>])([a-z-]+)[^\S\n]*\r?\n", re.MULTILINE)
DOCUMENT = "\\documentclass{article}\\begin{document}\n"


def tortured(end="\n"):
    files = {path.name: path.read_text().replace("\n", end) for path in sorted(TORTURE.iterdir())}
    return {name: text for name, text in files.items() if not name.endswith(".md")}


def labelled(text):
    """The ranges between `%<kind` and `%>kind`, without white space and labels at their ends."""
    found, opened = [], []
    for match in LABEL.finditer(text):
        if match[1] == "<":
            opened.append((match[2], match.end()))
        else:
            kind, start = opened.pop()
            assert kind == match[2]
            inside = LABEL.sub(lambda m: " " * len(m[0]), text[start : match.start()])
            found.append((kind, start + len(inside) - len(inside.lstrip()), start + len(inside.rstrip())))
    assert not opened
    return found


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_torture_project_is_cut_as_labelled(end):
    """Every labelled span, exact to the character, in the right file, and none that is not labelled."""
    files = tortured(end)
    found = scan(files, "p", main="main.tex")
    for name, text in files.items():
        expected = sorted(labelled(text), key=lambda each: each[1:])
        assert [
            (c.kind, c.span.start, c.span.end, c.text)
            for c in sorted(found, key=lambda c: (c.span.start, c.span.end))
            if c.span.file == name
        ] == [(kind, low, high, text[low:high]) for kind, low, high in expected]


def kinds(text, **more):
    return [(c.kind, c.text) for c in scan({"a.tex": f"{DOCUMENT}{text}\n\\end{{document}}"} | more, "p")]


def formulas(text):
    return [found for kind, found in kinds(text) if kind.endswith("equation")]


MARK = re.compile(r"\[([a-z-]+)>>|<<([a-z-]+)\]")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_recognised_text_is_cut_as_labelled(end):
    """The same of Markdown: prices, code, comments, images, tables and a header are no places."""
    labelled_text = (TORTURE / "recognised.md").read_text().replace("\n", end)
    text, opened, expected, at = "", [], [], 0
    for mark in MARK.finditer(labelled_text):
        text += labelled_text[at : mark.start()]
        at = mark.end()
        if mark[1]:
            opened.append((mark[1], len(text)))
        else:
            kind, start = opened.pop()
            expected.append((kind, start, len(text)))
    text += labelled_text[at:]
    found = scan({"recognised.md": text}, "p")
    assert [(c.kind, c.text) for c in found] == [
        (kind, text[low:high]) for kind, low, high in sorted(expected, key=lambda e: (e[1], -e[2]))
    ]
    assert all(text[c.span.start : c.span.end] == c.text for c in found)


@pytest.mark.parametrize(
    "text",
    [
        "the $p$-value of $x$",
        "a lone $\\alpha$ or $\\mathbf{X}$, or a $\\text{word}$",
        "a plain $5$, $18,426$ or $3.14$",
        "a rate of 5$\\times 10^{-6}$",
        "a rate of 5 $\\times 10^{-6}$",
        "a rate of $5$~$\\times$~$10^{-6}$",
        "a rate of 5\\,$\\cdot 10^{3}$",
        "a rate of $0.5 \\pm$ 0.1",
        "a rate of 0.5$\\pm 0.1$",
        "some CO$_2$, $^{13}$C and H$_{2}$O",
        "with m$^{-2}$ s$^{-1}$ of it",
        "about log$_{10}(x)$",
        "an PLM$\\to x$ hybrid",
        "an Ar $^{+}(3p^2)$ ion",
        "a value of $x = 3$.5 in all",
        "a value of 2.$5 + x$ in all",
        "$18,426 in the first year and $20,000 in the second",
        "$5 (or 6$ in Canada)",
        "$ $ and \\(\\)",
    ],
)
def test_a_piece_of_a_number_or_word_is_no_place(text):
    """Nor is a lone symbol, a plain number, or what two prices enclose."""
    assert formulas(text) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a rate of $5\\times 10^{-6}$ was", "$5\\times 10^{-6}$"),
        ("the $(n+1)$th of them", "$(n+1)$"),
        ("the $(1-\\alpha)$-quantile", "$(1-\\alpha)$"),
        ("where $p<0.05$, and", "$p<0.05$"),
        ("a share of $40\\%$ is", "$40\\%$"),
        ("the field $C^1$ is", "$C^1$"),
        ("with $W_{ij}$ here", "$W_{ij}$"),
        ("so \\(a\\to b\\).", "\\(a\\to b\\)"),
        ("the 3 $x_1 + x_2$ are", "$x_1 + x_2$"),
        ("for $3 < n$ it holds", "$3 < n$"),
        ("(e.g., $0.1^\\circ \\times 0.1^\\circ$ or so)", "$0.1^\\circ \\times 0.1^\\circ$"),
    ],
)
def test_a_whole_formula_is_a_place(text, place):
    """Beside a suffix, a hyphen, a bracket or a number with a space between."""
    assert formulas(text) == [place]


def test_names_of_theorems_come_from_the_paper():
    r"""`\newtheorem`, its starred form and `\declaretheorem`; short and foreign names; not what asks."""
    given = (
        "\\newtheorem*{vermutung}{Vermutung}\\newtheorem{aufgabe}{Exercise}"
        "\\declaretheorem[name=Begriff]{begriff}\\newmdtheoremenv{boxed}{Definition}"
        "\\begin{vermutung}a\\end{vermutung}\\begin{aufgabe}b\\end{aufgabe}"
        "\\begin{begriff}c\\end{begriff}\\begin{boxed}d\\end{boxed}\\begin{lem}e\\end{lem}"
        "\\begin{cor*}f\\end{cor*}\\begin{defn}g\\end{defn}\\begin{keypoints}h\\end{keypoints}"
        "\\begin{proof*}i\\end{proof*}"
    )
    found = scan({"a.tex": f"{DOCUMENT}{given}\\end{{document}}"}, "p")
    assert [(c.environment, c.kind) for c in found] == [
        ("vermutung", "theorem"),
        ("begriff", "theorem"),
        ("boxed", "definition"),
        ("lem", "theorem"),
        ("cor*", "theorem"),
        ("defn", "definition"),
        ("proof*", "proof"),
    ]


def test_macros_that_print_the_head_and_the_end_of_a_proof():
    """What they expand to counts; a macro that prints something else announces nothing."""
    given = (
        "\\newcommand{\\prf}{\\noindent{\\bf Proof:} }\\def\\done{\\hfill$\\Box$\\medskip}"
        "\\newcommand{\\we}{Proof of us}\n"
    )
    proof = f"\\prf {LONG}\n\n{LONG} \\done"
    assert kinds(f"{given}{proof}\n\n\\we{{}} {LONG}") == [
        ("proof", proof),
        ("paragraph", f"\\we{{}} {LONG}"),
    ]


def test_environments_that_the_paper_makes_from_others():
    """`Cor` made from a list is a corollary; `demo` made from a proof is a proof; `ack` claims nothing."""
    given = (
        "\\newenvironment{Cor}{\\begin{trivlist}\\item[]}{\\end{trivlist}}"
        "\\newenvironment{demo}{\\begin{proof}}{\\end{proof}}"
        f"\\begin{{Cor}}{LONG}\\end{{Cor}}\\begin{{demo}}{LONG}\\end{{demo}}\\begin{{Pf}}{LONG}\\end{{Pf}}"
        f"\\begin{{acknowledgments}}{LONG}\\end{{acknowledgments}} {LONG}\n\n\\acknowledgments\n{LONG}"
    )
    found = scan({"a.tex": f"{DOCUMENT}{given}\\end{{document}}"}, "p")
    assert [(c.environment, c.kind) for c in found] == [
        ("Cor", "theorem"),
        ("demo", "proof"),
        ("Pf", "proof"),
        (None, "paragraph"),
    ]


LONG = "This is a sentence of more than eight words, and it claims a thing."


@pytest.mark.parametrize(
    ("headings", "kind"),
    [
        ("\\section{Results}", "experiment"),
        ("\\section{Results and discussion}", "experiment"),
        ("\\section{Materials \\& Methods}", "experiment"),
        ("\\section{Experiments}\\subsection{Related work}", "paragraph"),
        ("\\section{Introduction}", "paragraph"),
        ("\\section{Discussion}", "paragraph"),
        ("\\section{Results}\\section{Conclusions}", "paragraph"),
        ("\\section{Evaluation}\\subsection{Ours}\\paragraph{Costs}", "experiment"),
        ("\\section{Acknowledgements}", None),
        ("\\section{Data availability}", None),
        ("\\section{References}", None),
    ],
)
def test_headings_say_what_a_paragraph_is(headings, kind):
    """The innermost that says something counts; below some headings nothing claims anything."""
    expected = [] if kind is None else [(kind, LONG)]
    assert kinds(f"{headings}\n{LONG}") == expected


def test_what_stands_before_the_title_is_made_claims_nothing():
    """Names and addresses, in a class that sets them as text; the abstract among them does."""
    front = f"{LONG}\n\n\\begin{{abstract}}{LONG}\\end{{abstract}}\n\n{LONG}\n\n\\maketitle"
    assert kinds(f"{front}\n\n{LONG}") == [("paragraph", LONG)] * 2
    assert kinds(f"{LONG}\n\n\\section{{A}}\\maketitle {LONG}") == [("paragraph", LONG)] * 2


def test_a_paragraph_closes_what_it_opens():
    """A group over a blank line is one passage; one that is never closed is none."""
    group = f"{{\\small {LONG}\n\n{LONG}}}"
    assert kinds(f"{LONG}\n\n{group}\n\n{LONG}") == [("paragraph", each) for each in (LONG, group, LONG)]
    assert kinds(f"{LONG}\n\n{{\\small {LONG}\n\\section{{Results}} {LONG}") == [
        ("paragraph", LONG),
        ("experiment", LONG),
    ]


def test_a_letter_without_headings_has_experiments_too():
    """There a paragraph that speaks of figures, tables or measurements is one."""
    letter = f"{LONG}\n\nWe measured it in many places, and as Fig. 2 shows the effect is large."
    assert [kind for kind, _ in kinds(letter)] == ["paragraph", "experiment"]


def test_the_section_is_the_nearest_heading():
    """Also across files."""
    main = f"{DOCUMENT}\\section{{A}}\\input{{b}}\n{LONG} $a+1$\\end{{document}}"
    found = scan({"a.tex": main, "b.tex": f"$b+1$ \\subsection{{B}} {LONG}"}, "p")
    assert [(c.section, c.span.file) for c in found] == [
        ("A", "b.tex"),
        ("B", "b.tex"),
        ("B", "a.tex"),
        ("B", "a.tex"),
    ]


def test_files_are_followed_as_tex_does():
    r"""`\include`, `\subfile`, `\import`; each file once; circles end; a missing file is no error."""
    files = {
        "main.tex": DOCUMENT + "\\include{a}\\subfile{s}\\import{d/}{i}\\input{no}$m+1$\\end{document}$x+1$",
        "a.tex": "$a+1$\\input{main}\\input{a}\\endinput $x+1$",
        "s.tex": "\\documentclass{subfiles}$x+1$\\begin{document}$s+1$\\end{document}$x+1$",
        "d/i.tex": "$i+1$\\input{j}",
        "d/j.tex": "$j+1$\\input a",
        "i.tex": "$x+1$",
    }
    assert [c.text for c in scan(files, "p", main="main.tex")] == [
        "$a+1$",
        "$s+1$",
        "$i+1$",
        "$j+1$",
        "$m+1$",
    ]


def test_offsets_count_the_byte_order_mark():
    """And characters outside the basic plane are one each."""
    text = f"\ufeff\U0001d504 $a+1$ {LONG}"
    found = scan({"a.tex": text}, "p")
    assert [text[c.span.start : c.span.end] for c in found] == [c.text for c in found]
    assert {c.text for c in found} == {text[1:], "$a+1$"}


def test_the_main_file_is_the_document_that_no_other_includes():
    """A lone file is it in any case; without a document there is none."""
    files = {"a.tex": f"{DOCUMENT}\\input{{b}}", "b.tex": f"{DOCUMENT}{LONG * 9}", "c.tex": "c"}
    assert main_of(files) == "a.tex"
    assert main_of({"x.tex": "no document"}) == "x.tex"
    with pytest.raises(UnusableInput, match=r"no file with \\begin\{document\}"):
        main_of({"x.tex": "a", "y.tex": "b"})
    with pytest.raises(UnusableInput, match=r"z\.tex: no such file"):
        scan({"x.tex": "a"}, "p", main="z.tex")


def test_places_of_one_family_share_no_character():
    """Of nested ones the outermost is kept; a formula in a proof is of another family."""
    found = kinds("\\begin{proof}$a+1$\\begin{proof}b\\end{proof}\\end{proof}")
    assert [kind for kind, _ in found] == ["proof", "inline-equation"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("\\begin{lemma}" + LONG + "\\end{lemma}\\begin{proof}" + LONG * 3 + "\\end{proof}", "theoretical"),
        ("\\section{Results} " + LONG, "empirical"),
        ("\\begin{lemma}a\\end{lemma}\\begin{lemma}b\\end{lemma}\\section{Results} " + LONG, "empirical"),
        ("\\section{Introduction} " + LONG, None),
        ("", None),
    ],
)
def test_the_kind_of_a_paper_is_what_most_of_it_does(text, kind):
    """Proofs and theorems against accounts of experiments; None where it has neither."""
    assert paper_kind(scan({"a.tex": f"{DOCUMENT}{text}\n\\end{{document}}"}, "p")) == kind


PIECES = [
    "a word", "%", "\n", "\r\n\r\n", "\n\n", " ", "$", "$$", "{", "}", "\\[", "\\]", "\\begin{equation}", "5",
    "\\end{equation}", "\\begin{proof}", "\\end{proof}", "\\begin{thm}", "\\end{thm}", "x+1", "\\times", LONG,
    "\\section{Results}", "\\item", "\\begin{itemize}", "\\end{itemize}", "\\iffalse", "\\fi", "\\verb|$|",
    "\\caption{", "\\textbf{Proof.} ", "\\qed", "\\input{a}", "\\endinput", "\\end{document}", "\U0001d504",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.sampled_from(["a.tex", "a.md"]))
@settings(max_examples=200, deadline=None)
def test_whatever_the_source_spans_are_exact_and_apart(source, name):
    """No text breaks the scan: the text is that of the span, and one family never overlaps itself."""
    found = scan({name: source}, "p")
    reached = {}
    for each in found:
        assert source[each.span.start : each.span.end] == each.text
        assert each.text.strip() == each.text != ""
        family = family_of(admissible(each.kind)[0])
        assert each.span.start >= reached.get(family, 0)
        reached[family] = each.span.end


MEASURED = """
import sys, time
from rereview.perturb.scan import scan
text = sys.stdin.read()
times = []
for _ in range(7):
    started = time.process_time()
    assert len(scan({"a.tex": text}, "p")) > 1000
    times.append(time.process_time() - started)
print(min(times))
"""


def test_a_long_paper_is_scanned_in_time():
    """200,000 characters full of mathematics in 0.15 s of processor time, the best of seven."""
    words = "as many words as there are beside a formula of a paper that is full of them, "
    line = (
        f"For $x_{{i}} \\in X$ {words}\\(y = 2\\) {words}\\begin{{equation}} a_i = b + \\frac{{1}}{{c}}"
        f" \\end{{equation}} {words}.\n"
    )
    body = f"{line * 12}\n\\begin{{proof}}{line * 3}\\end{{proof}}\n\\section{{Results}}\n"
    text = f"{DOCUMENT}{body * (200_000 // len(body) + 1)}\\end{{document}}"
    # In a process of its own: what a test run holds in memory slows down every allocation.
    done = subprocess.run(
        [sys.executable, "-c", MEASURED], input=text, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) <= 0.15
