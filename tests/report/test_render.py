"""The paper, block by block."""

from __future__ import annotations

from pathlib import Path

import pytest

from report import documents, htmlcheck
from report.documents import one, report_of
from rereview.ingest.base import read as read_paper
from rereview.reviewers.base import as_text
from rereview.types.manuscript import Block, Figure

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "adaptive_dual_scale_denoising"
DATA = ROOT / ".." / "shared" / "data"


@pytest.fixture(scope="module")
def bundled():
    """The bundled paper."""
    return read_paper(EXAMPLE)


def article(paper):
    """The part of a report that is the paper."""
    html = report_of(paper)
    return html[html.index('<article class="paper">') : html.index("</article>")]


def words(paper):
    """The same as words on one line."""
    return " ".join("".join(htmlcheck.read(article(paper)).words).split())


def test_headings_go_by_their_level():
    """A section under the report's own heading, a subsection under it."""
    blocks = tuple(
        Block(id=f"h{n}", kind="heading", level=n, number=f"{n}", text="Words") for n in (1, 2, 3, 4)
    )
    html = article(documents.manuscript(blocks, figures=(), sequence=()))
    assert [html.count(f"<h{n}") for n in (3, 4, 5, 6)] == [1, 1, 1, 1]


def test_a_table_has_its_cells():
    """Head and rules, spanning cells, and numbers under each other."""
    html = article(documents.manuscript())
    assert '<tr class="rule"><th class="t">' in html
    assert '<td class="c" colspan="2">' in html
    assert html.count('<td class="n">') == 5


def test_a_figure_has_its_caption_as_words_and_below():
    """The caption stands once in the text and once as what is said in the place of the image."""
    html = article(documents.manuscript())
    assert 'aria-label="Two squares."' in html
    assert html.count("<figcaption") == 1
    assert html.count("Two squares.") == 2


def test_a_figure_that_cannot_be_shown_says_so():
    """An empty frame with the name that the source gives it."""
    assert "TikZ picture: not shown" in article(documents.manuscript())


def test_images_under_one_caption_stand_together():
    """Two images, one figure."""
    caption = Block(id="c", kind="caption", text="Both.", environment="figure")
    figures = tuple(Figure(id=f"f{n}", path=None, caption="c", name=f"{n}.png") for n in (1, 2))
    html = article(documents.manuscript((caption,), figures=figures, sequence=("f1", "f2", "c")))
    assert html.count("<figure>") == 1
    assert html.count('class="missing"') == 2


def test_an_equation_keeps_its_number():
    """The number is the block's, not one that was counted here."""
    html = article(one(r"\begin{equation}x = 1\label{a}\end{equation}", "equation", number="7"))
    assert '<span class="number">(7)</span>' in html


def test_an_abbreviated_environment_is_an_equation():
    r"""`\be ... \ee` by the paper's own macros."""
    macros = (
        documents.Macro(name=r"\be", arguments=0, default=None, body=r"\begin{equation}"),
        documents.Macro(name=r"\ee", arguments=0, default=None, body=r"\end{equation}"),
    )
    html = article(one(r"\be a = b \ee", "equation").but(macros=macros))
    assert "<math" in html
    assert 'class="tex"' not in html


def test_blocks_that_are_items_make_one_list():
    """As a reader of PDF or Markdown may give them."""
    blocks = tuple(
        Block(id=f"i{n}", kind="paragraph", environment="enumerate", text=rf"\item Point {n}") for n in (1, 2)
    )
    html = article(documents.manuscript(blocks, figures=(), sequence=()))
    assert html.count("<ol") == 1
    assert html.count("<li") == 2


def test_pages_of_a_pdf_are_marked():
    """The text of a PDF is plain: dollars and backslashes mean nothing."""
    blocks = (
        Block(id="m", kind="page-marker", page=2, text=""),
        Block(id="p", kind="paragraph", text=r"It costs $5 and *not* $6."),
    )
    html = article(documents.manuscript(blocks, figures=(), sequence=(), format="pdf"))
    assert "page 2" in html
    assert "It costs $5 and *not* $6." in html
    assert "<math" not in html


@pytest.mark.parametrize("form", ["pdf", "markdown"])
def test_a_number_that_stands_in_the_text_is_not_printed_twice(form):
    """Only TeX makes the numbers of headings and captions."""
    blocks = (
        Block(id="h", kind="heading", level=1, number="2", text="2 Method"),
        Block(id="c", kind="caption", environment="table", number="1", text="Table 1. Times"),
    )
    assert (
        words(documents.manuscript(blocks, figures=(), sequence=(), format=form)) == "2 Method Table 1. Times"
    )


def test_markdown_is_set():
    """Emphasis, code, a link and a formula; raw HTML stays text."""
    text = "Some **bold** and *soft* `x_1` [there](https://example.org) $x^2$ <b>raw</b> snake_case_name"
    html = article(one(text).but(format="markdown"))
    for part in (
        "<b>",
        "<em>",
        "<code>",
        'href="https://example.org"',
        "<math",
        "&lt;b&gt;",
        "snake_case_name",
    ):
        assert part in html


@pytest.mark.parametrize(
    ("number", "text", "shown"),
    [
        ("1", "1. Introduction", "1. Introduction"),
        (None, "3) Odd", "3) Odd"),
        ("2.1", "2.1 Nets", "2.1 Nets"),
        ("II", "Methods", "II Methods"),
        ("1", "1D models", "1 1D models"),
    ],
)
def test_a_heading_keeps_its_number(number, text, shown):
    """Whether the number stands in the text, as in Markdown, or before it, as in Word; once."""
    heading = Block(id="h", kind="heading", level=1, number=number, text=text)
    paper = documents.manuscript((heading,), figures=(), sequence=()).but(format="markdown")
    assert words(paper) == shown
    assert as_text(paper.but(sequence=("h",))) == f"## {shown}"


def test_the_bundled_paper_is_set_without_a_rest(bundled):
    """No backslash in running text, no formula refused, no command unknown, every label found."""
    html = report_of(bundled)
    seen = htmlcheck.read(html)
    assert seen.wrong == []
    assert [words for words in seen.words if "\\" in words] == []
    assert 'class="tex"' not in html
    assert "not understood" not in html
    assert "no such label" not in html
    assert html.count("<math") > 40
    assert "<table" in html


@pytest.mark.parametrize(
    "name",
    [
        "point_transects",
        *(
            pytest.param(n, marks=pytest.mark.long)
            for n in ("emcee/document", "wdmerger/papers/wdmerger_I", "pfr_blueprint", "erdos_szekeres")
        ),
    ],
)
def test_papers_of_many_fields_are_well_formed(name):
    """Mathematics, astronomy, ecology: nesting right, ids once, links inside lead somewhere, no backslash."""
    folder = DATA / "latex" / name
    if not folder.exists():
        pytest.skip("the collection of papers is not here")
    html = report_of(read_paper(folder))
    seen = htmlcheck.read(html)
    assert seen.wrong == []
    assert len(seen.ids) == len(set(seen.ids))
    assert {link[1:] for link in seen.links if link.startswith("#")} <= set(seen.ids)
    assert [words for words in seen.words if "\\" in words] == []
    assert html.count('class="tex"') <= 0.02 * html.count("<math") + 1
