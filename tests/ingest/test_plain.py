"""Reading Markdown."""

import re
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.errors import UnusableInput
from rereview.ingest.plain import read

PAPER = """# On *yeast* #

<!-- for us only -->
Jane Doe <!-- who? --> here, of `<!-- no comment -->`.

## Abstract

We grew yeast.

## 1. Introduction

The rate $x<1$ is
over two lines:
$$
E = mc^2 \\tag{3}\\label{eq:e}
$$
More text.

\\[ a < b \\]

- one
- two

1. first

### 1.1 Numbers

| a | b |
|---|---|
| 1 | 2 |

Table 1: Numbers of things.

![All the *things*](img/a.png)

![](img/gone.png)
Figure 2. What is gone.

```python
x = 1
```

## References

1. Smith, A. (2010). Thing.
2. Doe, B. (2011). Other.

[12] Foo, C. Paper.
[Ba10] Bar, D. Book.

## Appendix

The end.
"""


@pytest.fixture
def paper(tmp_path):
    """Return the paper above, read from a folder that holds one of its two images."""
    return read_text(tmp_path, PAPER)


def read_text(folder, text):
    """Write and read a paper beside an image."""
    (folder / "img").mkdir(exist_ok=True)
    (folder / "img" / "a.png").write_bytes(b"pixels")
    path = folder / "My Paper.md"
    path.write_bytes(text.encode())
    return read(path)


def shown(paper, kind):
    """Return the text of the blocks of a kind."""
    return [block.text for block in paper.blocks if block.kind == kind]


def test_the_first_heading_of_level_one_is_the_title(paper):
    """It is no heading, and the title is given without marks of emphasis."""
    assert (paper.title, shown(paper, "title")) == ("On yeast", ["On *yeast*"])
    assert (paper.format, paper.paper_id) == ("markdown", "my-paper")


def test_headings_have_the_level_of_a_section_and_their_number(paper):
    """The level below the title is 1."""
    headings = [(b.text, b.level, b.number) for b in paper.blocks if b.kind == "heading"]
    assert headings == [
        ("Abstract", 1, None),
        ("1. Introduction", 1, "1"),
        ("1.1 Numbers", 2, "1.1"),
        ("References", 1, None),
        ("Appendix", 1, None),
    ]


def test_the_title_of_the_front_matter_goes_first(tmp_path):
    """Then headings of level 1 are sections."""
    paper = read_text(tmp_path, '---\nauthor: me\ntitle: "Of yeast"\n---\n# One\n\nText.\n\n# Two\n\nText.\n')
    assert paper.title == "Of yeast"
    assert [(b.kind, b.text, b.level) for b in paper.blocks if b.kind != "paragraph"] == [
        ("title", "Of yeast", None),
        ("heading", "One", 1),
        ("heading", "Two", 1),
    ]


def test_a_paper_without_headings_is_titled_by_its_first_words(tmp_path):
    """No title is made up."""
    paper = read_text(tmp_path, "Some words about yeast.\n\nMore.\n")
    assert paper.title == "Some words about yeast."
    assert shown(paper, "title") == []


def test_display_mathematics_is_a_block_even_inside_a_paragraph(paper):
    """With its number and label; the paragraph ends before it and another begins after it."""
    equations = [block for block in paper.blocks if block.kind == "equation"]
    assert [b.text for b in equations] == ["$$\nE = mc^2 \\tag{3}\\label{eq:e}\n$$", "\\[ a < b \\]"]
    assert (equations[0].number, equations[0].labels) == ("3", ("eq:e",))
    assert "The rate $x<1$ is\nover two lines:" in shown(paper, "paragraph")
    assert "More text." in shown(paper, "paragraph")


@pytest.mark.parametrize("text", ["$$ never closed\n\nMore text.\n", "$$5 and $$ are prices\n\nMore text.\n"])
def test_dollars_that_open_no_mathematics_are_text(tmp_path, text):
    """They swallow nothing."""
    paper = read_text(tmp_path, text)
    assert [block.kind for block in paper.blocks] == ["paragraph", "paragraph"]


def test_lists_and_code_are_paragraphs_with_an_environment(paper):
    """One block a list."""
    found = {b.environment: b.text for b in paper.blocks if b.kind == "paragraph"}
    assert found["itemize"] == "- one\n- two"
    assert found["enumerate"] == "1. first"
    assert found["verbatim"] == "```python\nx = 1\n```"
    assert found["abstract"] == "We grew yeast."


def test_tables_and_captions_are_blocks(paper):
    """A caption knows what it belongs to, and its number."""
    assert shown(paper, "table") == ["| a | b |\n|---|---|\n| 1 | 2 |"]
    captions = [(b.text, b.environment, b.number) for b in paper.blocks if b.kind == "caption"]
    assert captions == [
        ("Table 1: Numbers of things.", "table", "1"),
        ("All the *things*", "figure", None),
        ("Figure 2. What is gone.", "figure", "2"),
    ]


def test_an_image_is_a_figure_with_its_hash_and_caption(paper):
    """An image that is not there is a figure that cannot be shown, and a gap."""
    there, gone = paper.figures
    assert (there.path, there.sha256) == ("img/a.png", sha256(b"pixels").hexdigest())
    assert paper.by_id[there.caption].text == "All the *things*"
    assert paper.sequence.index(there.id) == paper.sequence.index(there.after) + 1
    assert (gone.path, gone.sha256, gone.name) == (None, None, "img/gone.png")
    assert [(gap.kind, gap.name) for gap in paper.gaps] == [("figure", "img/gone.png")]


@pytest.mark.parametrize(
    "place", ["../secret.png", "https://example.org/a.png", "data:image/png;base64,AA", "/etc/hosts"]
)
def test_images_are_read_from_the_folder_of_the_paper_only(tmp_path, place):
    """Nothing above it, nothing from the network."""
    (tmp_path / "secret.png").write_bytes(b"secret")
    folder = tmp_path / "paper"
    folder.mkdir()
    (figure,) = read_text(folder, f"Text.\n\n![x]({place})\n").figures
    assert figure.path is None


def test_references_are_blocks_with_their_key(paper):
    """Items of a list, and lines that begin with a key."""
    references = [(b.labels, b.text) for b in paper.blocks if b.kind == "reference"]
    assert references == [
        (("1",), "1. Smith, A. (2010). Thing."),
        (("2",), "2. Doe, B. (2011). Other."),
        (("12",), "[12] Foo, C. Paper."),
        (("Ba10",), "[Ba10] Bar, D. Book."),
    ]
    assert "The end." in shown(paper, "paragraph")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a `<!-- b -->` c", "a `<!-- b -->` c"),
        ("a ``<!-- b --> ` c`` d", "a ``<!-- b --> ` c`` d"),
        ("a ``<!-- b -->` c", "a ``` c"),
        ("a `<!-- b -->`` c", "a ``` c"),
        ("a <!-- ` --> b <!-- ` --> c", "a  b  c"),
        ("a <!-- b --> c <!-- d", "a  c <!-- d"),
        ("a <!-->b c", "a <!-->b c"),
    ],
)
def test_as_many_ticks_close_code_as_open_it(tmp_path, text, seen):
    """What stands between other numbers of them is no code, and a comment there is one."""
    (tmp_path / "a.md").write_text(f"# Lakes\n\n{text}\n")
    assert read(tmp_path / "a.md").blocks[-1].text == seen


def test_comments_are_hidden_with_their_place(paper):
    """They are in no block; code that shows a comment is text."""
    alone, inline = paper.hidden
    assert (alone.kind, alone.text, alone.at.block_id) == ("comment", "<!-- for us only -->", "b1")
    assert inline.text == PAPER[inline.source.start : inline.source.end] == "<!-- who? -->"
    first = paper.by_id[inline.at.block_id]
    assert first.text == "Jane Doe  here, of `<!-- no comment -->`."
    assert first.text[: inline.at.start] == "Jane Doe "


def test_carriage_returns_are_not_text(tmp_path):
    """The runs still speak of the file as it is."""
    paper = read_text(tmp_path, "# T\r\n\r\nOne\r\ntwo.\r\n")
    source = (tmp_path / "My Paper.md").read_bytes().decode()
    block = paper.blocks[-1]
    assert block.text == "One\ntwo."
    assert "".join(source[run.start : run.end] for run in block.source) == "One\ntwo."


@pytest.mark.parametrize("text", ["# T\n\nOne.\n", "---\ntitle: T\n---\nOne.\n", "T\n===\n\nOne.\n"])
def test_a_byte_order_mark_is_a_character_of_the_file_and_none_of_the_text(tmp_path, text):
    """The paper is the same, every run one further."""
    plain = read_text(tmp_path, text)
    marked = read_text(tmp_path, f"\ufeff{text}")
    assert marked.title == "T"
    assert marked.hidden == ()
    moved = [
        block.but(source=tuple(run.but(start=run.start - 1, end=run.end - 1) for run in block.source))
        for block in marked.blocks
    ]
    assert moved == list(plain.blocks)


MARKDOWN = st.lists(
    st.one_of(
        st.sampled_from(
            ["# A", "## B", "- i", "1. j", "> q", "    code", "```", "`x", "", "", "title: x", "a"]
        ),
        st.sampled_from(
            ["$$", "\\[", "\\]", "text $x$", "| a |", "|---|", "---", "![a](b)", "[^1]: w", "[1]: u"]
        ),
        st.sampled_from(["<!-- c -->", "<!--", "-->", "é\u2028"]),
    ),
    max_size=14,
)


@given(MARKDOWN, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\ufeff"]))
def test_every_block_is_made_of_the_source_and_no_word_is_lost(tmp_path_factory, lines, ending, mark):
    """Runs map text to source exactly, ascend, and with what is hidden cover all words."""
    folder = tmp_path_factory.getbasetemp() / "any"
    folder.mkdir(exist_ok=True)
    text = mark + ending.join(["First.", "", *lines, "", "last"])
    paper = read_text(folder, text)
    runs = [run for block in paper.blocks for run in block.source]
    for block in paper.blocks:
        assert block.text == "".join(text[run.start : run.end] for run in block.source)
    assert all(a.end <= b.start for a, b in pairwise(runs))
    covered = set()
    for piece in [*runs, *(hidden.source for hidden in paper.hidden)]:
        covered |= set(range(piece.start, piece.end))
    lost = "".join(c for i, c in enumerate(text) if i not in covered)
    assert not re.search(r"text|\b[ijquw]\b|code|First|last", lost)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"caf\xe9", "byte 3 (0xe9) is not UTF-8"),
        (b"\n \n", "no text beside a title"),
        (b"# T\n", "no text beside a title"),
    ],
)
def test_a_file_that_is_no_paper_is_refused_in_one_line(tmp_path, content, what):
    """What, where and what would be right."""
    path = tmp_path / "a.md"
    path.write_bytes(content)
    with pytest.raises(UnusableInput) as caught:
        read(path)
    assert caught.value.what == what
    assert caught.value.where == str(path)
    assert "expected" in caught.value.expected
