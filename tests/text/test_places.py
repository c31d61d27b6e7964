"""From offsets of a source file to spans of blocks."""

from hypothesis import given
from hypothesis import strategies as st

from rereview.ingest.base import read
from rereview.text.places import Places
from rereview.types.manuscript import Block, Manuscript, SourceRun, Span


def paper(*blocks):
    """A manuscript of blocks, each a list of runs `(file, start, text)`."""
    made = []
    for number, runs in enumerate(blocks):
        text, source = "", []
        for file, start, piece in runs:
            source.append(SourceRun(file=file, start=start, end=start + len(piece), text_start=len(text)))
            text += piece
        made.append(Block(id=f"b{number}", text=text, kind="paragraph", source=tuple(source)))
    return Manuscript(id="m", paper_id="p", title="", format="latex", blocks=tuple(made))


def span(block, start, end):
    return Span(block_id=block, start=start, end=end)


def test_a_range_is_the_span_of_the_same_characters():
    """Within one run it is a shift."""
    places = Places(paper([("a.tex", 100, "the kestrel hovers")]))
    assert places.spans("a.tex", 104, 111) == (span("b0", 4, 11),)


def test_files_are_told_apart():
    """Equal offsets of another file are another place."""
    places = Places(paper([("a.tex", 0, "one")], [("b.tex", 0, "two")]))
    assert places.spans("b.tex", 0, 3) == (span("b1", 0, 3),)
    assert places.spans("c.tex", 0, 3) == ()


def test_a_range_over_a_comment_is_one_span():
    """A comment that is cut out of a block leaves two runs, which the text shows without a gap."""
    places = Places(paper([("a.tex", 0, "a lake "), ("a.tex", 30, "is deep")]))
    assert places.spans("a.tex", 2, 32) == (span("b0", 2, 9),)


def test_a_range_over_two_blocks_has_a_span_in_each():
    """They come in the order of the blocks."""
    places = Places(paper([("a.tex", 0, "first")], [("a.tex", 10, "second")]))
    assert places.spans("a.tex", 3, 12) == (span("b0", 3, 5), span("b1", 0, 2))


def test_what_no_block_shows_has_no_span():
    """A range in the preamble or in a comment."""
    places = Places(paper([("a.tex", 50, "text")]))
    assert places.spans("a.tex", 0, 40) == places.spans("a.tex", 60, 60) == ()


def test_an_empty_range_is_an_empty_span():
    """Something was taken away between two characters; at the end of a block too."""
    places = Places(paper([("a.tex", 10, "not true")]))
    assert places.spans("a.tex", 13, 13) == (span("b0", 3, 3),)
    assert places.spans("a.tex", 18, 18) == (span("b0", 8, 8),)


def test_the_source_of_a_real_reader_is_followed(tmp_path):
    """Comments, an input and a macro before the place do not shift it."""
    (tmp_path / "part.tex").write_text("Glaciers % slowly\nretreat by $3$ metres a year.\n")
    source = (
        "\\documentclass{article}\n\\begin{document}\nOne % two\nline.\n\n\\input{part}\n\\end{document}\n"
    )
    (tmp_path / "main.tex").write_text(source)
    manuscript = read(tmp_path / "main.tex")
    at = (tmp_path / "part.tex").read_text().index("$3$")
    (found,) = Places(manuscript).spans("part.tex", at, at + 3)
    assert manuscript.text_of(found) == "$3$"


@given(
    st.lists(st.tuples(st.integers(0, 9), st.text("abc", min_size=1, max_size=6)), min_size=1, max_size=9),
    st.data(),
)
def test_every_character_of_a_range_that_is_shown_is_found(pieces, data):
    """Runs with gaps between them: the spans hold exactly the characters of the range that runs show."""
    runs, at, shown = [], 0, {}
    for gap, text in pieces:
        at += gap
        runs.append(("f", at, text))
        shown.update({at + i: character for i, character in enumerate(text)})
        at += len(text)
    manuscript = paper(*([run] for run in runs))
    start = data.draw(st.integers(0, at))
    end = data.draw(st.integers(start, at))
    found = "".join(manuscript.text_of(each) for each in Places(manuscript).spans("f", start, end))
    assert found == "".join(shown.get(i, "") for i in range(start, end))
