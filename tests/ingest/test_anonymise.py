"""What says who wrote a paper, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptly import promptly
from rereview.ingest.anonymise import anonymous
from rereview.ingest.latex import read as read_latex
from rereview.reviewers.base import as_text
from rereview.text.locate import Locator
from rereview.types.manuscript import Block, Manuscript, Removed, Span


def paper(*blocks):
    """Make a paper of (kind, text) pairs on its first page; a third value is the page."""
    made = tuple(
        Block(id=f"b{n}", kind=kind, text=text, page=rest[0] if rest else 1)
        for n, (kind, text, *rest) in enumerate(blocks, start=1)
    )
    ids = tuple(block.id for block in made)
    return Manuscript(id="0" * 16, paper_id="p", title="t", format="pdf", blocks=made, sequence=ids)


def kinds(*blocks):
    return [(each.kind, each.text) for each in anonymous(paper(*blocks)).removed]


TITLE = ("title", "On the growth of yeast")
ABSTRACT = ("heading", "Abstract")


@pytest.mark.parametrize(
    "names",
    [
        "Jane Doe",
        "Jane Doe and Richard Roe",
        "C. van den Berg H. Smith",
        "Jane Doe∗, Richard Roe† Department of Botany, University of Ypres",
        "School of Biology, Ghent {jane, richard}@ghent.edu",
        "王小明 李华 北京大学",
    ],
)
def test_the_lines_between_title_and_abstract_are_left_out(names):
    """Names, affiliations and addresses go; the abstract stays."""
    text = as_text(anonymous(paper(TITLE, ("paragraph", names), ABSTRACT, ("paragraph", "We grow yeast."))))
    assert text == "# On the growth of yeast\n\n# Abstract\n\nWe grow yeast."


@pytest.mark.parametrize(
    "line",
    [
        "Anonymous authors",
        "Paper under double-blind review",
        "Anonymous Author(s) Affiliation Address email",
        "Evidence from Belgian breweries",
        "A new look at old data",
        "We show that yeast grows in a medium, and we count its cells for three days in a row.",
    ],
)
def test_what_names_nobody_stays(line):
    """The placeholder of a venue, a subtitle, and an abstract without a heading."""
    assert kinds(TITLE, ("paragraph", line), ABSTRACT, ("paragraph", "We grow yeast.")) == []


def test_acknowledgements_go_up_to_the_next_heading():
    """The heading goes with its paragraphs; what comes after does not."""
    found = kinds(
        TITLE,
        ("heading", "5 Conclusion"),
        ("paragraph", "Yeast grows.", 9),
        ("heading", "Acknowledgments and Disclosure of Funding"),
        ("paragraph", "We thank Richard Roe.", 9),
        ("paragraph", "Grant 17 paid for the rye.", 10),
        ("heading", "References"),
        ("reference", "Doe, J. (2001). Rye."),
    )
    assert [text for _, text in found] == [
        "Acknowledgments and Disclosure of Funding",
        "We thank Richard Roe.",
        "Grant 17 paid for the rye.",
    ]


def test_acknowledgements_do_not_swallow_references_without_a_heading():
    """A numbered entry ends them."""
    found = kinds(
        ("heading", "Acknowledgement"),
        ("paragraph", "Thanks to all."),
        ("paragraph", "[1] Doe J., Rye, 2001."),
    )
    assert len(found) == 2


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        (
            "Our code for all of this is at https://github.com/jdoe/yeast and was written for this paper.",
            "https://github.com/jdoe/yeast",
        ),
        (
            "Whoever wants to have them writes to jane.doe@ypres.edu for the data of all years.",
            "jane.doe@ypres.edu",
        ),
        (
            r"There is a page on it, \url{https://sites.google.com/view/janedoe}, with more of the pictures.",
            "https://sites.google.com/view/janedoe",
        ),
        ("Code is available at github.com/jdoe/yeast and runs.", "github.com/jdoe/yeast"),
    ],
)
def test_an_address_of_the_authors_leaves_the_mark_of_an_omission(text, gone):
    """The rest of the sentence stays, and a quote across the mark is still found."""
    made = anonymous(paper(("paragraph", text)))
    given = as_text(made)
    assert given == text.replace(gone, "[…]")
    (span,) = {each.block_id for each in Locator(made).locate(given).spans}
    assert span == "b1"


@pytest.mark.parametrize(
    "text",
    [
        "Data come from https://www.census.gov/data.",
        "The baseline of Roe [3] (https://github.com/roe/rye) is slower.",
        "Code: https://anonymous.4open.science/r/yeast-17.",
        "In earlier work [Doe, 2001] we grew rye; see also Doe and Roe (2002).",
        "The decorator @property and the mean x@y are no addresses.",
        "The University of Ypres has 900 students, of whom we asked 90.",
    ],
)
def test_what_others_wrote_and_what_is_cited_stays(text):
    """Repositories of others, anonymous ones, and citations of the authors' own work."""
    assert kinds(("paragraph", text, 3)) == []


def test_references_are_never_touched():
    """An address in a reference belongs to it."""
    assert kinds(("reference", "Doe, J. Our code. https://github.com/jdoe/yeast, jane@ypres.edu")) == []


def test_a_paper_with_something_left_out_is_another_version():
    """So that its reviews are never taken for those of the whole paper; else nothing changes."""
    whole = paper(TITLE, ("paragraph", "Write to jane@ypres.edu."))
    assert anonymous(whole).id != whole.id
    plain = paper(TITLE, ("paragraph", "Yeast grows."))
    assert anonymous(plain) is plain


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12)), max_size=6))
def test_no_character_that_is_left_out_is_given(ranges):
    """Whatever the ranges, overlapping or not: what remains is what stands outside of them."""
    text = "".join(chr(0x4E00 + at) for at in range(52))
    removed = tuple(
        Removed(kind="email", text="", at=Span(block_id="b1", start=start, end=start + length))
        for start, length in ranges
    )
    given_text = as_text(paper(("paragraph", text)).but(removed=removed)).replace("[…]", "")
    out = {at for start, length in ranges for at in range(start, start + length)}
    assert given_text == "".join(c for at, c in enumerate(text) if at not in out)


def test_the_commands_for_authors_are_listed(tmp_path):
    r"""What `\author` and its like hold was never in a block; anonymous placeholders are not listed."""
    path = tmp_path / "paper.tex"
    path.write_text(
        r"\documentclass{article}\title{T}\author{Jane Doe\thanks{Grant 17}}\affil{Ypres}\author{Anonymous}"
        r"\begin{document}\maketitle We grow yeast.\begin{acks}To Roe.\end{acks}\end{document}"
    )
    found = read_latex(path)
    assert [(each.kind, each.text) for each in found.removed] == [
        ("authors", r"Jane Doe\thanks{Grant 17}"),
        ("authors", "Ypres"),
    ]
    assert "To Roe" not in as_text(anonymous(found))


def test_a_ruled_line_is_read_in_no_time():
    """Underscores to write on, as forms have them, and stars between sections."""
    promptly(
        "from rereview.ingest.anonymise import anonymous\n"
        "from rereview.types.manuscript import Block, Manuscript\n"
        "texts = ('_' * 200, '* ' * 100 + '#' * 100, 'Name: ' + '_' * 200)\n"
        "blocks = tuple(Block(id=f'b{n}', text=text, kind='paragraph') for n, text in enumerate(texts))\n"
        "paper = Manuscript(id='m', paper_id='p', title='', format='pdf', blocks=blocks)\n"
        "assert anonymous(paper).removed == ()\n"
    )
