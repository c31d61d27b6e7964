"""Characters that leave no ink."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.ingest.hidden import unseen_characters, without_unseen
from rereview.ingest.plain import read

IDLE = st.sampled_from("\u200b\u2060\u202e\u2066\u2069\U000e0061\U000e0041")


@given(st.lists(st.one_of(IDLE, st.sampled_from("abc xyz 0123")), max_size=60).map("".join))
def test_all_are_found_and_nothing_else_is_taken(text):
    """Of a text in Latin letters, what remains is the text without them, and each stretch is listed."""
    idle = set("\u200b\u2060\u202e\u2066\u2069\U000e0061\U000e0041")
    assert without_unseen(text) == "".join(c for c in text if c not in idle)
    assert sum(stretch.end - stretch.start for stretch in unseen_characters(text)) == sum(
        c in idle for c in text
    )


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffA file with a byte-order mark",
        "می\u200cخواهم کتاب",
        "क्\u200dष",
        "\U0001f469\u200d\U0001f52c and words",
        "שלום \u200e(abc)\u200e עולם",
        "a soft\u00adhyphen",
    ],
)
def test_characters_with_work_to_do_stay(text):
    """Joiners of a script that joins, marks of direction beside letters that run to the left."""
    assert list(unseen_characters(text)) == []


def test_markdown_is_read_without_them(tmp_path):
    """They are listed with their place, and offsets of the source stay right."""
    path = tmp_path / "paper.md"
    path.write_text("# Yeast\n\nIt gro\u200bws <!-- or not --> well.\n", encoding="utf-8")
    paper = read(path)
    assert [(each.kind, each.text) for each in paper.hidden] == [
        ("characters", "U+200B"),
        ("comment", "<!-- or not -->"),
    ]
    source = path.read_text(encoding="utf-8")
    block = paper.blocks[1]
    assert block.text == "It grows  well."
    for run in block.source:
        assert block.text[run.text_start :].startswith(source[run.start : run.end])
