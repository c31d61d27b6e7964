"""Ids of manuscripts and papers."""

from pathlib import Path

import pytest

from rereview.ingest.identity import manuscript_id, paper_id
from rereview.types.manuscript import Block, Figure, Macro, SourceRun

BLOCKS = (Block(id="b1", text="A title", kind="title"), Block(id="b2", text="Words.", kind="paragraph"))


def test_the_id_is_sixteen_hex_digits_and_repeats():
    """The same content has the same id, 16 hex digits long."""
    one = manuscript_id("markdown", BLOCKS)
    assert one == manuscript_id("markdown", BLOCKS)
    assert len(one) == 16
    assert int(one, 16) >= 0


@pytest.mark.parametrize(
    "other",
    [
        manuscript_id("latex", BLOCKS),
        manuscript_id("markdown", BLOCKS[:1]),
        manuscript_id("markdown", BLOCKS[::-1]),
        manuscript_id("markdown", (BLOCKS[0], BLOCKS[1].but(text="Words"))),
        manuscript_id("markdown", BLOCKS, [Figure(id="f1", path="a.png", sha256="00")]),
        manuscript_id("markdown", BLOCKS, (), [Macro(name="\\x", arguments=0, default=None, body="y")]),
    ],
)
def test_any_change_of_content_changes_the_id(other):
    """Format, blocks, their order, figures and macros all count."""
    assert other != manuscript_id("markdown", BLOCKS)


def test_places_in_files_do_not_change_the_id():
    """Source runs, boxes and the path of a figure are not content."""
    run = SourceRun(file="a.md", start=0, end=7, text_start=0)
    moved = (BLOCKS[0].but(source=(run,), bbox=(0.1, 0.1, 0.9, 0.2)), BLOCKS[1])
    here, there = (Figure(id="f1", path=path, sha256="00") for path in ("a.png", "b/a.png"))
    assert manuscript_id("markdown", moved, [here]) == manuscript_id("markdown", BLOCKS, [there])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("My Paper (final).tex", "my-paper-final"),
        ("1710.06026v6.pdf", "1710.06026v6"),
        ("1710.06026v6", "1710.06026v6"),
        ("Überprüfung.md", "uberprufung"),
        (".hidden.md", "hidden"),
        ("a/../b/paper.PDF", "paper"),
    ],
)
def test_a_paper_is_named_after_its_file(name, expected):
    """Lower case, ASCII, no path, no file type."""
    assert paper_id(Path(name)) == expected


def test_a_name_without_ascii_letters_still_differs_from_others():
    """Two Chinese names give two ids."""
    one, two = paper_id(Path("论文.pdf")), paper_id(Path("报告.pdf"))
    assert one != two
    assert one.startswith("paper-")
