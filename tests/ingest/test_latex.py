"""A LaTeX project as a manuscript."""

import time
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.errors import UnusableInput
from rereview.ingest.latex import read
from rereview.ingest.projects import decoded
from rereview.types.manuscript import Manuscript

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT / ".." / "shared" / "data"
EXAMPLE = ROOT / "examples" / "adaptive_dual_scale_denoising"


def paper(folder, body, preamble="", **files):
    """Read a paper with this body; further files by name, `__` for a dot and `_slash_` for a slash."""
    folder.mkdir(parents=True, exist_ok=True)
    main = f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    (folder / "main.tex").write_bytes(main.encode())
    for name, content in files.items():
        path = folder / name.replace("_slash_", "/").replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return checked(read(folder), folder)


def checked(manuscript, folder):
    """The manuscript, after a look at every run of every block and at every piece of hidden text."""
    sources = {}
    for block in manuscript.blocks:
        assert block.text
        assert block.text == block.text.strip()
        position = 0
        for run in block.source:
            source = sources.setdefault(run.file, decoded((folder / run.file).read_bytes()))
            end = run.text_start + run.end - run.start
            assert position <= run.text_start
            assert block.text[run.text_start : end] == source[run.start : run.end] != ""
            position = end
        assert position <= len(block.text)
    for hidden in manuscript.hidden:
        source = sources.setdefault(hidden.source.file, decoded((folder / hidden.source.file).read_bytes()))
        assert source[hidden.source.start : hidden.source.end] == hidden.text
        if hidden.at:
            assert hidden.at.start == hidden.at.end <= len(manuscript.by_id[hidden.at.block_id].text)
    assert [name for name in manuscript.sequence if name.startswith("b")] == [b.id for b in manuscript.blocks]
    return manuscript


def shown(manuscript, *fields):
    """Of each block its kind, these fields and its text."""
    return [(b.kind, *(getattr(b, field) for field in fields), b.text) for b in manuscript.blocks]


def texts(manuscript, kind="paragraph"):
    """The texts of the blocks of a kind."""
    return [block.text for block in manuscript.blocks if block.kind == kind]


def numbers(manuscript, kind):
    """The numbers of the blocks of a kind."""
    return [block.number for block in manuscript.blocks if block.kind == kind]


# -- text and what is taken out of it


def test_a_percent_sign_that_was_not_escaped_loses_the_rest_of_the_line(tmp_path):
    """The lost words are kept aside, with the exact place where they would stand."""
    m = paper(tmp_path, "It fell by up to 12.8% compared to the baseline. More.\n\nNext.")
    assert texts(m) == ["It fell by up to 12.8", "Next."]
    (hidden,) = m.hidden
    assert hidden.text == "% compared to the baseline. More.\n"
    assert m.by_id[hidden.at.block_id].text[: hidden.at.start] == "It fell by up to 12.8"


def test_a_comment_in_a_sentence_joins_its_lines(tmp_path):
    """What `%` removes is removed: the line end and the indentation of the next line."""
    m = paper(tmp_path, "un% note\n   broken \\foo% note\nword")
    assert texts(m) == ["unbroken \\foo word"]
    assert [h.at.start for h in m.hidden] == [2, 13]


def test_hidden_text_between_paragraphs_stands_at_the_end_of_the_one_before(tmp_path):
    """A dead paragraph has no block of its own."""
    m = paper(tmp_path, "One.\n\n\\iffalse Dead words. \\fi\n\nTwo.")
    assert texts(m) == ["One.", "Two."]
    assert (m.hidden[0].kind, m.hidden[0].at.start) == ("dead-branch", 4)


def test_what_follows_the_document_is_hidden(tmp_path):
    """It is no block."""
    (tmp_path / "a.tex").write_text("\\begin{document}One.\\end{document}\nignore $x\n")
    m = checked(read(tmp_path / "a.tex"), tmp_path)
    assert [(h.kind, h.text) for h in m.hidden] == [("after-end", "\nignore $x\n")]


def test_comments_of_the_preamble_stand_nowhere(tmp_path):
    """They would not be printed if they were text."""
    assert paper(tmp_path, "One.", "% preamble").hidden[0].at is None


def test_a_comment_line_does_not_end_a_paragraph_and_a_blank_one_after_it_does(tmp_path):
    """As in TeX."""
    m = paper(tmp_path, "one\n% c\ntwo % c\n\nthree")
    assert texts(m) == ["one\ntwo", "three"]


def test_line_ends_of_windows_are_line_ends(tmp_path):
    r"""The text has `\\n` only; the runs leave the carriage returns out."""
    m = paper(tmp_path, "one\r\ntwo\r\n\r\nthree % c\r\nfour")
    assert texts(m) == ["one\ntwo", "three four"]
    assert len(m.blocks[0].source) == 2


def test_a_switch_that_is_set_one_way_is_followed(tmp_path):
    r"""`\\ifdraft` after `\\draftfalse`; a switch set both ways leaves both branches."""
    body = "\\ifdraft Draft.\\else Final.\\fi\n\n\\iflong Long.\\else Short.\\fi"
    m = paper(tmp_path, body, "\\newif\\ifdraft\\draftfalse\\newif\\iflong\\longtrue\\longfalse")
    assert texts(m) == ["Final.", "\\iflong Long.\\else Short.\\fi"]


def test_a_file_in_latin_1_is_read(tmp_path):
    """Its offsets count its own characters."""
    (tmp_path / "main.tex").write_bytes(
        "\\documentclass{a}\\begin{document}Erdös é.\\end{document}".encode("latin-1")
    )
    assert texts(checked(read(tmp_path), tmp_path)) == ["Erdös é."]


@given(
    st.lists(
        st.sampled_from(
            [
                "word ",
                "% c\n",
                "\n\n",
                "\\iffalse x\\fi ",
                "$x$ ",
                "{",
                "}",
                "\\foo",
                "\\[y\\]",
                "\r\n",
                "\\par ",
            ]
        ),
        max_size=25,
    ).map("".join)
)
@settings(max_examples=60, deadline=None)
def test_runs_are_exact_whatever_the_text(tmp_path_factory, body):
    """Also where braces and conditionals do not match."""
    folder = tmp_path_factory.mktemp("any")
    paper(folder, "Start.\n\n" + body)


# -- kinds of blocks


def test_blocks_come_in_reading_order(tmp_path):
    """One of each kind, with what belongs to it."""
    body = r"""
\maketitle
\begin{abstract}
We do things.
\end{abstract}
\section{Intro}\label{sec:i}
Text with $x$ and a note\footnote{One.

Two.}.
\begin{itemize}
  \item a

  \item \[ b \]
\end{itemize}
By \eqref{e},
\begin{equation}\label{e} x = 1 \end{equation}
where $x$ is.
\begin{lemma}[Zorn] Let \[ y \] be. \end{lemma}
\begin{proof} Clear. \end{proof}
\begin{table}[t]
  \centering \small
  \caption{Results.}\label{tab:r}
  \begin{tabular}{lc} a & 1 \\ \end{tabular}
  \footnotesize Note: all of them.
\end{table}
\begin{thebibliography}{9}
\bibitem[K(1984)]{knuth} Knuth. \emph{The book}.
\bibitem{other} Other.
\end{thebibliography}
"""
    m = paper(tmp_path, body, "\\title{On\\thanks{Us.} \\emph{Things}}\\author{Me}\\newtheorem{lemma}{Lemma}")
    found = [(b.kind, b.level, b.environment, b.number, b.labels) for b in m.blocks]
    assert found == [
        ("title", None, None, None, ()),
        ("paragraph", None, "abstract", None, ()),
        ("heading", 1, None, "1", ("sec:i",)),
        ("paragraph", None, None, None, ()),
        ("paragraph", None, "itemize", None, ()),
        ("paragraph", None, None, None, ()),
        ("equation", None, "equation", "1", ("e",)),
        ("paragraph", None, None, None, ()),
        ("theorem", None, "Lemma", "1", ()),
        ("proof", None, "Proof", None, ()),
        ("caption", None, "table", "1", ("tab:r",)),
        ("table", None, "tabular", "1", ("tab:r",)),
        ("paragraph", None, "table", None, ()),
        ("reference", None, None, None, ("knuth",)),
        ("reference", None, None, None, ("other",)),
    ]
    by_kind = {b.kind: b.text for b in reversed(m.blocks)}
    assert by_kind["title"] == "On \\emph{Things}"
    assert m.title == "On Things"
    assert by_kind["heading"] == "Intro"
    assert by_kind["equation"] == "\\begin{equation}\\label{e} x = 1 \\end{equation}"
    assert by_kind["theorem"] == "\\begin{lemma}[Zorn] Let \\[ y \\] be. \\end{lemma}"
    assert by_kind["table"] == "\\begin{tabular}{lc} a & 1 \\\\ \\end{tabular}"
    assert by_kind["caption"] == "Results."
    assert by_kind["reference"] == "Knuth. \\emph{The book}."
    assert texts(m)[1].endswith("note\\footnote{One.\n\nTwo.}.")
    assert texts(m)[-1] == "Note: all of them."


def test_layout_makes_no_block(tmp_path):
    """Spaces, page breaks, sizes and commands of the preamble print nothing."""
    body = (
        "\\vspace{-2mm}\n\n\\newpage\\vskip 3pt plus 1pt\n\n{\\small\nText.\n\n}\n\n"
        "\\hspace{1em}\\\\\n\n\\noindent More."
    )
    assert texts(paper(tmp_path, body)) == ["Text.", "More."]


def test_a_formula_alone_is_a_paragraph(tmp_path):
    """Mathematics is something that a reader sees."""
    assert texts(paper(tmp_path, "a\n\n$\\alpha$\n\nb")) == ["a", "$\\alpha$", "b"]


def test_a_definition_in_the_text_is_no_text(tmp_path):
    """It is gathered, and a hole in its paragraph."""
    m = paper(tmp_path, "We let \\newcommand{\\R}{\\mathbb{R}}$\\R$ be.")
    assert texts(m) == ["We let $\\R$ be."]
    assert m.macros[0].name == "\\R"
    assert len(m.blocks[0].source) == 2


def test_displays_in_every_form_are_equations(tmp_path):
    """Also through the abbreviations of the paper."""
    m = paper(
        tmp_path,
        "a $$b$$ c \\[d\\] e \\be f\\ee\n\\begin {gather*}g\\end {gather*} h",
        "\\newcommand{\\be}{\\begin{equation}}\\newcommand{\\ee}{\\end{equation}}",
    )
    assert [b.environment for b in m.blocks if b.kind == "equation"] == [None, None, "equation", "gather*"]
    assert texts(m) == ["a", "c", "e", "h"]


def test_a_float_in_a_theorem_stands_after_it(tmp_path):
    """Its text is not part of the statement."""
    body = "\\begin{theorem}A \\begin{figure}\\caption{C}\\end{figure} B\\end{theorem}"
    assert [b.kind for b in paper(tmp_path, body).blocks] == ["theorem", "caption"]
    assert "C" not in paper(tmp_path, body).blocks[0].text


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("figure", r"$T=300$ \quad $T=450$"),
        ("figure", r"\scalebox{1.2}{\hspace{2cm} $\lambda = \mu$}"),
        ("table", "$n$"),
        ("algorithm", r"$q \gets \emptyset$;\;"),
        ("algorithm", "1"),
    ],
)
def test_mathematics_in_a_float_is_shown(tmp_path, kind, line):
    """A legend, a note, a line of pseudocode: what is printed there is read, words or not."""
    body = f"\\begin{{{kind}}}\n{line}\n\n\\caption{{Yield.}}\n\\end{{{kind}}}"
    assert [b.text for b in paper(tmp_path, body).blocks] == [line, "Yield."]


@pytest.mark.parametrize("line", ["(a)", r"\hspace{2cm} \hfill", r"$\,$ \quad $\quad$", r"& \\", "$", "0.5"])
def test_what_only_sets_a_figure_is_no_paragraph(tmp_path, line):
    """Letters of panels, lengths and spaces beside the images."""
    body = f"\\begin{{figure}}\n\\includegraphics{{a.png}} {line}\n\n\\caption{{Yield.}}\n\\end{{figure}}"
    assert [b.text for b in paper(tmp_path, body).blocks] == ["Yield."]


def test_a_long_table_gives_its_caption(tmp_path):
    """Once; the caption of its further pages is none."""
    body = (
        "\\begin{longtable}{ll}\n\\caption{All.}\\label{t}\\\\\nA & B \\\\ \\endfirsthead\n"
        "\\caption[]{(continued)}\\\\ \\endhead\n1 & 2\n\\end{longtable}"
    )
    m = paper(tmp_path, body)
    assert shown(m, "number", "labels") == [
        ("caption", "1", ("t",), "All."),
        ("table", "1", ("t",), m.blocks[1].text),
    ]
    assert "caption" not in m.blocks[1].text


def test_a_subfigure_has_no_number_of_its_own(tmp_path):
    """Its caption does not count; the number of the figure is that of the main caption."""
    body = (
        "\\begin{figure}\\begin{subfigure}{.5\\textwidth}\\caption{left}\\label{f:l}\\end{subfigure}"
        "\\caption{both}\\label{f}\\end{figure}\\begin{figure}\\caption{next}\\end{figure}"
    )
    found = [(b.text, b.number, b.labels) for b in paper(tmp_path, body).blocks]
    assert found == [("left", None, ()), ("both", "1", ("f",)), ("next", "2", ())]


def test_unbalanced_braces_do_not_swallow_the_paper(tmp_path):
    """A heading or the end of an environment starts afresh."""
    m = paper(tmp_path, "a \\emph{b\n\nc\n\\section{S}\nd\n\ne")
    assert texts(m) == ["a \\emph{b\n\nc", "d", "e"]


# -- numbers


def test_headings_are_numbered_as_in_an_article(tmp_path):
    """Starred ones and paragraphs have no number; the appendix has letters."""
    body = (
        "\\section{A}\\subsection{B}\\subsubsection{C}\\paragraph{D}x\\section*{E}\\subsection{F}"
        "\\section{G}\\appendix\\section{H}\\subsection{I}"
    )
    assert numbers(paper(tmp_path, body), "heading") == [
        "1",
        "1.1",
        "1.1.1",
        None,
        None,
        "1.2",
        "2",
        "A",
        "A.1",
    ]


def test_chapters_number_what_stands_in_them(tmp_path):
    """As in the report class."""
    equation = "\\begin{equation}x\\end{equation}"
    body = f"\\chapter{{A}}\\section{{B}}{equation}\\chapter{{C}}{equation}"
    m = paper(tmp_path, body)
    assert numbers(m, "heading") == ["1", "1.1", "2"]
    assert numbers(m, "equation") == ["1.1", "2.1"]
    assert [b.level for b in m.blocks if b.kind == "heading"] == [0, 1, 0]


def test_equations_are_numbered_row_by_row(tmp_path):
    r"""Rows with \\nonumber, stars and tags count as LaTeX counts them."""
    body = (
        "\\begin{align}a\\\\b\\nonumber\\\\c\\end{align}\\begin{equation*}d\\end{equation*}\\[e\\]"
        "\\begin{equation}f\\tag{*}\\end{equation}\\begin{multline}g\\\\h\\end{multline}"
        "\\begin{equation}\\begin{split}i\\\\j\\end{split}\\end{equation}"
        "\\begin{subequations}\\begin{equation}k\\end{equation}\\end{subequations}\\begin{eqnarray}l\\end{eqnarray}"
    )
    found = numbers(paper(tmp_path, body), "equation")
    assert found == ["1, 2", None, None, "*", "3", "4", "5a", "6"]


def test_equations_of_a_group_have_letters(tmp_path):
    """After its number; what comes after counts on."""
    one = "\\begin{equation}a\\end{equation}"
    rows = "\\begin{align}b\\\\c\\nonumber\\\\d\\end{align}"
    body = f"\\section{{A}}{one}\\begin{{subequations}}\\label{{g}}{rows}{one}\\end{{subequations}}{one}"
    assert numbers(paper(tmp_path, body), "equation") == ["1", "2a, 2b", "2c", "3"]
    m = paper(tmp_path, body, "\\numberwithin{equation}{section}")
    assert numbers(m, "equation") == ["1.1", "1.2a, 1.2b", "1.2c", "1.3"]
    assert [block.labels for block in m.blocks if block.kind == "equation"][1] == ("g",)


@pytest.mark.parametrize(
    ("name", "headings"),
    [
        ("revtex4-2", ["I", "I A", "I A 1", "II", "A"]),
        ("IEEEtran", ["I", "I-A", "I-A1", "II", "A"]),
        ("article", ["1", "1.1", "1.1.1", "2", "A"]),
    ],
)
def test_a_class_numbers_in_its_own_way(tmp_path, name, headings):
    """As its references print them; tables too."""
    body = (
        "\\section{A}\\subsection{B}\\subsubsection{C}\\section{D}"
        "\\begin{table}\\caption{t}\\end{table}\\appendix\\section{E}"
    )
    (tmp_path / "p.tex").write_text(f"\\documentclass[a]{{{name}}}\\begin{{document}}{body}\\end{{document}}")
    m = read(tmp_path / "p.tex")
    assert numbers(m, "heading") == headings
    assert numbers(m, "caption") == ["1" if name == "article" else "I"]


def test_a_table_of_astronomers_is_a_table(tmp_path):
    """A deluxetable with its caption, label and rows in one block."""
    body = (
        "Before.\\begin{deluxetable*}{lc}\\tablecaption{Stars.}\\label{tab:s}"
        "\\tablehead{\\colhead{Name} & \\colhead{Mass}}\\startdata A & 1.0 \\\\ B & 2.0 \\enddata"
        "\\tablecomments{In suns.}\\end{deluxetable*}After."
    )
    m = paper(tmp_path, body)
    assert [(b.kind, b.environment) for b in m.blocks[1:3]] == [
        ("caption", "table"),
        ("table", "deluxetable*"),
    ]
    caption, table = m.blocks[1:3]
    assert (caption.text, caption.number, caption.labels) == ("Stars.", "1", ("tab:s",))
    assert "A & 1.0" in table.text
    assert "Stars." not in table.text
    assert [m.blocks[0].text, m.blocks[3].text] == ["Before.", "After."]


def test_only_what_is_to_be_included_is(tmp_path):
    r"""`\\includeonly` holds for `\\include`; what it leaves out is kept aside as what no reader sees."""
    body = "One.\\include{a}\\include{b.tex}\\input{c}Last."
    m = paper(
        tmp_path,
        body,
        "\\includeonly{ b , c }",
        a__tex="Left out.",
        b__tex="Two.",
        c__tex="Three.",
    )
    assert texts(m) == ["One.", "Two.", "Three.\nLast."]
    (hidden,) = m.hidden
    assert (hidden.kind, hidden.text, hidden.source.file) == ("dead-branch", "Left out.", "a.tex")
    assert m.gaps == ()


def test_equations_inside_other_blocks_count(tmp_path):
    """In lists, theorems and notes."""
    body = (
        "\\begin{itemize}\\item \\begin{equation}a\\end{equation}\\end{itemize}"
        "\\begin{theorem}\\begin{align}b\\\\c\\end{align}\\end{theorem}\\begin{equation}d\\end{equation}"
    )
    assert numbers(paper(tmp_path, body), "equation") == ["4"]


def test_the_paper_may_say_how_its_numbers_look(tmp_path):
    r"""\\numberwithin, \\setcounter and \\renewcommand of \\the...; a number that cannot be told is none."""
    body = (
        "\\section{A}\\begin{equation}a\\end{equation}\\setcounter{equation}{7}\\begin{equation}b\\end{equation}"
        "\\renewcommand{\\thefigure}{S\\arabic{figure}}\\begin{figure}\\caption{c}\\end{figure}"
        "\\renewcommand{\\thetable}{\\mystyle{table}}\\begin{table}\\caption{d}\\end{table}"
    )
    m = paper(
        tmp_path, body, "\\numberwithin{equation}{section}\\renewcommand{\\thesection}{\\Roman{section}}"
    )
    assert numbers(m, "heading") == ["I"]
    assert numbers(m, "equation") == ["I.1", "I.8"]
    assert numbers(m, "caption") == ["S1", None]


def test_theorems_share_counters_as_declared(tmp_path):
    """In the paper and in its own style file, by any of the usual commands."""
    body = (
        "\\section{A}\\begin{thm}a\\end{thm}\\begin{lem}b\\end{lem}\\begin{rem}c\\end{rem}"
        "\\begin{defi}d\\end{defi}\\begin{claim}e\\end{claim}\\begin{obs}f\\end{obs}\\begin{conj}g\\end{conj}"
    )
    preamble = (
        "\\usepackage{own}\\newtheorem{thm}{Theorem}[section]\\newtheorem{lem}[thm]{Lemma}"
        "\\newtheorem*{rem}{Remark}\\declaretheorem[name=Definition,sibling=thm]{defi}"
        "\\newmdtheoremenv[a=b]{obs}{Observation}"
    )
    m = paper(tmp_path, body, preamble, own__sty="\\spnewtheorem{conj}[thm]{Conjecture}{\\bf}{\\it}")
    assert [(b.environment, b.number) for b in m.blocks if b.kind == "theorem"] == [
        ("Theorem", "1.1"),
        ("Lemma", "1.2"),
        ("Remark", None),
        ("Definition", "1.3"),
        ("Claim", None),
        ("Observation", "1"),
        ("Conjecture", "1.4"),
    ]


# -- files


def test_included_files_stand_where_they_are_included(tmp_path):
    """A paragraph over several files has several runs; the extension may be left out."""
    m = paper(
        tmp_path,
        "Start \\input{sec/a}and end.\n\n% \\input{dead}\n\\include{b}\n\\input c.tex",
        sec_slash_a__tex="middle% no line end",
        b__tex="Second.",
        c__tex="Third.",
    )
    assert texts(m) == ["Start middle\nand end.", "Second.", "Third."]
    assert [run.file for run in m.blocks[0].source] == ["main.tex", "sec/a.tex", "main.tex"]
    assert m.gaps == ()


def test_subfiles_and_imports_are_read(tmp_path):
    """A subfile without its own preamble; an import from its own folder."""
    m = paper(
        tmp_path,
        "\\subfile{s}\n\n\\import{d/}{e}",
        s__tex="\\documentclass[main]{subfiles}\\begin{document}Sub.\\end{document} tail",
        d_slash_e__tex="\\subimport{f/}{g}",
        d_slash_f_slash_g__tex="Deep.",
    )
    assert texts(m) == ["Sub.", "Deep."]


def test_a_missing_input_is_a_gap(tmp_path):
    """Named as the paper names it; one that may be missing is none."""
    m = paper(tmp_path, "A \\input{gone} B \\InputIfFileExists{opt}{x}{y} C \\input{x.bbl}")
    assert [(gap.kind, gap.name) for gap in m.gaps] == [("input", "gone"), ("bibliography", "x.bbl")]
    assert (
        decoded((tmp_path / "main.tex").read_bytes())[m.gaps[0].source.start : m.gaps[0].source.end]
        == "\\input{gone}"
    )


def test_nothing_outside_of_the_project_is_read(tmp_path):
    """A path that leads out of the folder is a gap, also through a link."""
    (tmp_path / "secret.tex").write_text("SECRET")
    (tmp_path / "secret.png").write_bytes(b"SECRET")
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    body = (
        f"A \\input{{../secret}} \\input{{{tmp_path}/secret.tex}} \\input{{link}}"
        " \\includegraphics{../secret.png}"
    )
    m = paper(folder, body)
    assert "SECRET" not in m.to_json()
    assert [gap.kind for gap in m.gaps] == ["input", "input", "input", "figure"]


def test_files_that_include_each_other_are_refused(tmp_path):
    """The message names the cycle."""
    with pytest.raises(UnusableInput, match=r"a\.tex -> b\.tex -> a\.tex"):
        paper(tmp_path, "\\input{a}", a__tex="\\input{b}", b__tex="\\input{a}")


def test_the_main_file_is_found(tmp_path):
    """It has a class and a document and nobody includes it; then its name, then its size decides."""
    main = "\\documentclass{article}\\begin{document}%s\\end{document}"
    (tmp_path / "zz.tex").write_text(main % ("long " * 50))
    (tmp_path / "ms.tex").write_text(main % "The one. \\input{part}")
    (tmp_path / "part.tex").write_text("Part.")
    (tmp_path / "old.tex").write_text("% " + main % "x")
    assert texts(read(tmp_path)) == ["The one. Part."]
    (tmp_path / "ms.tex").rename(tmp_path / "aa.tex")
    assert texts(read(tmp_path))[0].startswith("long")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "no .tex file"),
        ({"a.tex": "Just text."}, "begin{document}"),
        ({"a.tex": "\\documentclass{a}\\begin{document}\\maketitle % nothing\n\\end{document}"}, "no text"),
    ],
)
def test_a_folder_without_a_paper_is_refused_in_one_line(tmp_path, files, message):
    """What, where, and what would be right."""
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(UnusableInput, match=message) as caught:
        read(tmp_path)
    line = str(caught.value)
    assert "\n" not in line
    assert str(tmp_path) in line
    assert "expected" in line


def test_a_chapter_alone_is_refused(tmp_path):
    """It is a part of a paper."""
    (tmp_path / "chapter.tex").write_text("\\section{A} Text.")
    with pytest.raises(UnusableInput, match=r"chapter\.tex: no \\begin\{document\}; expected the main \.tex"):
        read(tmp_path / "chapter.tex")


def test_too_deep_a_nesting_is_refused(tmp_path):
    """Rather than that Python gives up."""
    for depth, refused in ((49, False), (51, True)):
        body = "\\begin{table}\\begin{tabular}{c}" * depth + "x" + "\\end{tabular}\\end{table}" * depth
        if refused:
            with pytest.raises(UnusableInput, match="nested too deeply; expected at most 100 in each other"):
                paper(tmp_path, body)
        else:
            assert len(paper(tmp_path, body).blocks) == depth
    body = "\\begin{lemma}a\\begin{figure}b" * 600 + "\\end{figure}\\end{lemma}" * 600
    with pytest.raises(UnusableInput, match="nested too deeply"):
        paper(tmp_path, body)


@pytest.mark.parametrize("unit", ["\\section{", "\\iffalse ", "\\newcommand{", "{$x$", "\\caption{"])
def test_no_source_takes_quadratic_time(tmp_path, unit):
    """What nothing closes is not looked for again and again: 40 kB, in seconds of processor time."""
    start = time.process_time()
    paper(tmp_path, "Text.\n\n" + unit * (40_000 // len(unit)))
    assert time.process_time() - start < 6


HARD = {
    "paragraphs": ("", "Words of a paragraph.\n\n" * 50_000),
    "environments that nothing closes": ("", "\\begin{x}a\n\n" * 50_000),
    "comments that join lines": ("", "words% note\nmore" * 3000),
    "dead branches in one paragraph": ("\\newif\\ifa", "\\ifa x\\else y\\fi " * 2000),
    "figures and folders": (
        "\\graphicspath{{a/}{b/}}",
        "\\a " * 100_000 + "".join(f"\\includegraphics{{f{index}}}" for index in range(2000)),
    ),
    "verbatim that nothing closes": ("", "x" + "\\begin{verbatim}" * 60_000),
    "begin and no brace": ("", "x\\begin" + " " * 60_000 + "y"),
    "delimiters of verb": ("", "".join(f"\\verb{chr(0x4E00 + index)}" for index in range(15_000))),
    "theorems within theorems": (
        "\\newtheorem{t0}{T}[section]" + "".join(f"\\newtheorem{{t{i + 1}}}{{T}}[t{i}]" for i in range(5000)),
        "\\section{A} b" * 50,
    ),
    "labels in brackets": ("", "x \\label[" * 40_000),
    "captions of one float": (
        "",
        "\\begin{figure}" + "\\caption{ab}\\label{c}\\includegraphics{d}\n" * 5000 + "\\end{figure}",
    ),
    "stars in a title": ("\\title{" + "**a " * 30_000 + "}", "x"),
    "titles in titles": ("\\title{\\thanks{" * 2000 + "}}" * 2000, "x"),
    "unseen characters": ("", "ab\u200b cd \\a " * 15_000),
    "marks of direction": ("", "ab\u200e cd " * 15_000),
    "white on a ground": ("", "\\begin{tikzpicture}a\\end{tikzpicture}b{\\color{white}. }" * 8_000),
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", HARD)
def test_what_took_quadratic_time_takes_seconds(tmp_path, name):
    """The limit leaves room for slow machines; each of these was above it."""
    preamble, body = HARD[name]
    main = f"\\documentclass{{article}}{preamble}\\begin{{document}}x {body}\\end{{document}}"
    (tmp_path / "main.tex").write_text(main, encoding="utf-8")
    start = time.process_time()
    read(tmp_path)
    assert time.process_time() - start < 10


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("preamble", "body"),
    [
        ("\\numberwithin{equation}{section}\\numberwithin{section}{equation}", "\\section{A}"),
        ("\\setcounter{secnumdepth}{²}", "\\setcounter{section}{²}\\addtocounter{section}{--5}\\section{A}"),
        (
            "\\renewcommand{\\thesection}{\\Roman{section}}",
            f"\\setcounter{{section}}{{{'9' * 5000}}}\\section{{A}}",
        ),
        ("\\newcommand{\\x}[²]{y}\\newenvironment{q}[²]{a}{b}", "A"),
        ("\\newcommand{\\a}{" + "\\a" * 900 + "}\\title{\\a\\a}", "A"),
        ("", "\\begin{center}A \\abstract{b \\end{center} c}"),
        ("", "\\begin{figure}A word \\abstract{b \\end{figure} c}"),
        (
            "\\definecolor{a}{rgb}{nan,}",
            "\\fontsize{1.2.3}{4}\\scalebox{.}{y}\\transparent{..}\\color{white!1.1.1} A",
        ),
        ("", "A\\begin{thebibliography}{9}\\end{thebibliography}"),
    ],
)
def test_what_looped_or_crashed_is_read(tmp_path, preamble, body):
    """It may be strange, and it is a paper."""
    assert any("A" in block.text for block in paper(tmp_path, body, preamble).blocks)


def test_a_name_that_no_file_can_have_is_a_gap(tmp_path):
    """Whatever it is the name of."""
    name = "b" * 300
    m = paper(tmp_path, f"A \\input{{{name}}} \\bibliography{{{name}}} \\includegraphics{{{name}}}")
    assert {(gap.kind, gap.name) for gap in m.gaps} == {
        (kind, name) for kind in ("input", "bibliography", "figure")
    }


@pytest.mark.parametrize("unit", ["\\w{", "\\phantom{"])
def test_commands_that_may_hide_text_are_not_looked_at_without_end(tmp_path, unit):
    """Each is looked at to its end, and nothing in it says anything."""
    depth = 8_000
    preamble = "\\newcommand{\\w}[1]{\\textcolor{white}{#1}}"
    with pytest.raises(UnusableInput, match=r"main\.tex: too many commands that may hide text"):
        paper(tmp_path, "x" + unit * depth + "}" * depth, preamble)


# -- figures


def test_images_are_found_by_path_and_extension(tmp_path):
    """Those that cannot be shown have no path; those that are not there are gaps."""
    body = (
        "Text.\n\\begin{figure}\\includegraphics[width=1cm]{plot}\\includegraphics{a.eps}\\includegraphics{gone}"
        "\\caption{C}\\end{figure}\\begin{tikzpicture}\\draw;\\end{tikzpicture}"
    )
    m = paper(tmp_path, body, "\\graphicspath{{figs/}{more/}}", figs_slash_plot__png=b"png", a__eps=b"eps")
    assert [(f.id, f.name, f.path, f.after, f.caption) for f in m.figures] == [
        ("f1", "plot", "figs/plot.png", "b1", "b2"),
        ("f2", "a.eps", None, "b1", "b2"),
        ("f3", "gone", None, "b1", "b2"),
        ("f4", "TikZ picture", None, "b2", None),
    ]
    assert m.figures[0].sha256 == sha256(b"png").hexdigest()
    assert [(gap.kind, gap.name) for gap in m.gaps] == [("figure", "gone")]
    assert m.sequence == ("b1", "f1", "f2", "f3", "b2", "f4")


# -- macros


def test_macros_are_gathered_over_all_files(tmp_path):
    """In the order of their first definition; the last definition counts."""
    preamble = (
        "\\usepackage{own}\\input{defs}\\renewcommand{\\R}{\\mathbb{R}}\\providecommand{\\R}{no}"
        "\\DeclareMathOperator*{\\argmin}{arg\\,min}\\def\\pair#1#2{(#1,#2)}\\let\\eps\\varepsilon"
        "\\def\\odd#1.{x}"
    )
    m = paper(
        tmp_path,
        "Text.",
        preamble,
        defs__tex="\\newcommand{\\R}{R}\\newcommand\\f[2][x]{#1#2}",
        own__sty="\\newcommand{\\own}{1}\\newcommand{\\in@ternal}{2}",
        unused__sty="\\newcommand{\\unused}{3}",
    )
    assert [(x.name, x.arguments, x.default, x.body) for x in m.macros] == [
        ("\\own", 0, None, "1"),
        ("\\R", 0, None, "\\mathbb{R}"),
        ("\\f", 2, "x", "#1#2"),
        ("\\argmin", 0, None, "\\operatorname*{arg\\,min}"),
        ("\\pair", 2, None, "(#1,#2)"),
        ("\\eps", 0, None, "\\varepsilon"),
    ]


def test_a_macro_for_labels_makes_labels(tmp_path):
    r"""`\\eqlabel{a}` is `\\label{eq:a}` in this paper."""
    m = paper(
        tmp_path,
        "\\begin{equation}\\eqlabel{a}x\\end{equation}",
        "\\newcommand{\\eqlabel}[1]{\\label{eq:#1}}",
    )
    assert m.blocks[0].labels == ("eq:a",)


# -- identity


def test_the_same_content_has_the_same_identity(tmp_path):
    """Comments and file names do not count, words and images do."""
    first = paper(tmp_path / "one", "Text. % a\n")
    assert first.id == paper(tmp_path / "two", "Text. % b\n").id
    assert first.id != paper(tmp_path / "three", "Text!").id
    assert len(first.id) == 16
    assert first.paper_id == "one"
    image = "Text.\\includegraphics{a.png}"
    assert paper(tmp_path / "a", image, a__png=b"1").id != paper(tmp_path / "b", image, a__png=b"2").id


def test_the_example_paper_is_read():
    """The paper that comes with the project: its outline, its table, and the three lost line ends."""
    m = checked(read(EXAMPLE), EXAMPLE)
    assert m.title.startswith("DualScale Diffusion: Adaptive Feature Balancing")
    assert m.paper_id == "adaptive_dual_scale_denoising"
    assert [b.number for b in m.blocks if b.kind == "heading" and b.level == 1] == list("1234567")
    assert [(f.path, f.caption is not None) for f in m.figures] == [
        ("generated_images.png", True),
        ("weight_evolution.png", True),
    ]
    assert numbers(m, "equation") == [str(n) for n in range(1, 10)]
    assert len(texts(m, "reference")) == 9
    lost = [h for h in m.hidden if h.at and m.by_id[h.at.block_id].text[: h.at.start].endswith("12.8")]
    assert [h.text[:10] for h in lost] == ["% compared", "% for the "]
    assert Manuscript.model_validate_json(m.to_json()) == m


def shared_papers():
    """Every real LaTeX file at hand."""
    if not SHARED.exists():
        return []
    return [
        *sorted(SHARED.glob("latex/**/*.tex")),
        *sorted(SHARED.glob("papers/*.tex")),
        *sorted(SHARED.glob("injected-errors/*/*/clean.tex")),
    ]


@pytest.mark.skipif(not SHARED.exists(), reason="the shared papers are not here")
@pytest.mark.parametrize(
    "name",
    ["papers/apep_0001.tex", "latex/equational_theories_paper/paper/main.tex", "latex/emcee/document/ms.tex"],
)
def test_a_real_paper_is_read(name):
    """One of economics with tables, one of many files, one of old macros: every run exact, nothing lost."""
    path = SHARED / name
    m = checked(read(path), path.parent)
    assert m.title != m.paper_id
    assert texts(m, "reference")
    assert [b.text for b in m.blocks if r"\begin{document}" in b.text or r"\end{document}" in b.text] == []


@pytest.mark.long
@pytest.mark.skipif(not SHARED.exists(), reason="the shared papers are not here")
@pytest.mark.parametrize("part", range(4))
def test_real_papers_are_read(part):
    """No crash, and every run exact; what is no main file says so."""
    for path in shared_papers()[part::4]:
        try:
            checked(read(path), path.parent)
        except UnusableInput as error:
            assert "begin{document}" in str(error)  # noqa: PT017, most of these files are parts of papers


def test_a_label_of_a_group_of_equations_is_kept(tmp_path):
    r"""The label that opens `subequations` is one of its first equation; `\tablecaption` is a caption."""
    source = tmp_path / "group.tex"
    source.write_text(
        r"""\documentclass{article}\begin{document}
See \eqref{eq:sys}, \eqref{eq:a} and \ref{tab:x}.
\begin{subequations}\label{eq:sys}
\begin{align} a &= b \label{eq:a} \end{align}
\end{subequations}
\begin{deluxetable}{lc}\tablecaption{Flows\label{tab:x}} 1 & 2 \end{deluxetable}
\end{document}
"""
    )
    paper = read(source)
    labels = {block.kind: block.labels for block in paper.blocks if block.labels}
    assert labels == {"equation": ("eq:sys", "eq:a"), "caption": ("tab:x",), "table": ("tab:x",)}
