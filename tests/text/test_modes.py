"""Where mathematics and environments begin and end."""

from pathlib import Path

import pytest

from rereview.text.latex import tokens
from rereview.text.macros import definitions
from rereview.text.modes import nest

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
TORTURE = Path(__file__).parent / "torture.tex"


def regions(source, kinds=("inline", "display"), *, outer=True):
    """The text of the regions of these kinds."""
    known = definitions([(source, tokens(source))]).vocabulary
    found = nest(source, tokens(source, known)).regions
    return [source[r.start : r.end] for r in found if r.kind in kinds and r.outer >= outer]


def problems(source):
    """What does not match."""
    return [problem.what for problem in nest(source, tokens(source)).problems]


def labelled(source):
    """The labels of the torture file: `%<` opens and `%>` closes a labelled span, on lines of their own."""
    spans, start = [], None
    for line_start, line in _lines(source):
        if line.strip() == "%<":
            start = line_start + len(line)
        elif line.strip() == "%>":
            spans.append(source[start:line_start].strip())
    return spans


def _lines(source):
    position = 0
    for line in source.splitlines(keepends=True):
        yield position, line
        position += len(line)


def test_the_torture_file_is_cut_as_labelled():
    """Every outermost piece of mathematics, and no other, stands between two labels."""
    source = TORTURE.read_text(encoding="utf-8")
    assert regions(source) == labelled(source)
    assert problems(source) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("$a$$b$", ["$a$", "$b$"]),
        ("$$a$$ $b$", ["$$a$$", "$b$"]),
        ("\\(a\\) \\[b\\]", ["\\(a\\)", "\\[b\\]"]),
        ("costs \\$5 and $x$", ["$x$"]),
        ("\\begin{align}a\\\\[2pt]b\\end{align}", ["\\begin{align}a\\\\[2pt]b\\end{align}"]),
        ("$x \\text{ if $y$}$ z", ["$x \\text{ if $y$}$"]),
        ("$x \\mbox{\\(j\\)}$", ["$x \\mbox{\\(j\\)}$"]),
        ("$x \\own{for $y$}$ z $w$", ["$x \\own{for $y$}$", "$w$"]),
        (
            "\\newcommand{\\be}{\\begin{equation}}\\newcommand{\\ee}{\\end{equation}}\\be x\\ee",
            ["\\be x\\ee"],
        ),
    ],
)
def test_outermost_mathematics(source, expected):
    """One case each."""
    assert regions(source) == expected


def test_mathematics_in_text_in_mathematics_is_a_region_of_its_own():
    """It is not an outermost one of the surrounding formula, but its text frame is text."""
    assert regions("$x \\text{ if $y$}$", outer=False) == ["$x \\text{ if $y$}$", "$y$"]


def test_a_stray_dollar_costs_one_paragraph():
    """After the blank line the signs pair again."""
    assert regions("It costs $5.\n\nLet $x$ be.") == ["$x$"]
    assert problems("It costs $5.\n\nLet $x$ be.") == ["$ is not closed"]


def test_a_missing_brace_does_not_reach_over_the_end_of_its_environment():
    """What is open inside is dropped when the environment closes."""
    source = "\\begin{lemma}$\\frac{a}{b$ \\end{lemma} $x$"
    assert regions(source)[-1] == "$x$"
    assert regions(source, ("environment",)) == ["\\begin{lemma}$\\frac{a}{b$ \\end{lemma}"]


def test_nested_environments_of_one_name_are_matched_from_the_inside():
    """A proof in a proof."""
    source = "\\begin{proof}a\\begin{proof}b\\end{proof}c\\end{proof}"
    assert regions(source, ("environment",)) == [source, "\\begin{proof}b\\end{proof}"]


def test_what_is_not_closed_is_a_problem_and_no_region():
    """Also at the end of the source."""
    assert regions("\\begin{equation}x") == []
    assert problems("\\begin{equation}x") == ["equation is not closed"]
    assert problems("x}") == ["} closes nothing"]
    assert problems("\\end{a}") == ["\\end{a} closes nothing"]


PEERS = [
    "papers/apep_0001.tex",
    "latex/emcee/document/ms.tex",
    "latex/pfr_blueprint/blueprint/src/chapter/torsion.tex",
    "latex/pfr_blueprint/blueprint/src/chapter/entropy.tex",
    "latex/sphere_eversion_blueprint/blueprint/src/loops.tex",
    "latex/equational_theories_paper/paper/constructions.tex",
    "latex/erdos_szekeres/paper.tex",
    "latex/ai_scientist_examples/example_papers/gan_diffusion/latex/template.tex",
    "injected-errors/math_all/2604.26950v1/clean.tex",
    "injected-errors/stat_AP/2604.25342v1/clean.tex",
]


@pytest.mark.parametrize("name", PEERS)
def test_an_independent_parser_finds_the_same_mathematics(name):
    """Outermost mathematics, as pylatexenc sees it in the live part of the source."""
    walker = pytest.importorskip("pylatexenc.latexwalker")
    path = SHARED / name
    if not path.exists():
        pytest.skip("the shared papers are not here")
    source = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    live = "".join(
        source[token.start : token.end]
        for token in tokens(source)
        if token.kind not in {"comment", "dead", "definition", "verbatim", "argument", "after-end"}
    )
    assert regions(live) == _peer(walker, live)


def _peer(walker, source):
    found = []

    def visit(nodes):
        for node in nodes or ():
            if node is None:
                continue
            if node.isNodeType(walker.LatexMathNode) or _is_display(walker, node):
                found.append((node.pos, source[node.pos : node.pos + node.len]))
                continue
            visit(getattr(node, "nodelist", None))
            visit(getattr(getattr(node, "nodeargd", None), "argnlist", None))

    visit(walker.LatexWalker(source).get_latex_nodes()[0])
    # It gives the optional argument of an environment after its body.
    return [text for _, text in sorted(found)]


def _is_display(walker, node):
    names = {"equation", "align", "gather", "multline", "eqnarray", "flalign", "alignat"}
    return node.isNodeType(walker.LatexEnvironmentNode) and node.environmentname.rstrip("*") in names


def test_the_depth_counts_regions_in_each_other():
    """Not those that follow each other."""
    source = "\\begin{a}$x$ $y$\\begin{b}\\[z\\]\\end{b}\\end{a}\\begin{c}\\end{c}"
    assert nest(source, tokens(source)).depth() == 3
    assert nest("", []).depth() == 0
