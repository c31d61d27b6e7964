"""Passages and frames: everything is in one, and nothing is checked twice."""

from hypothesis import given
from hypothesis import strategies as st

from rereview.reviewers.passages import frames, passages
from reviewers.recorded import paper


def texts(paper, size):
    return tuple(each.text for each in passages(paper, size))


def test_blocks_stay_whole_and_a_heading_begins_a_passage():
    """Where a passage is nearly full."""
    made = texts(paper("a" * 60, "# Two", "b" * 30, "c" * 50), 80)
    assert made == ("a" * 60, "## Two\n\n" + "b" * 30, "c" * 50)


def test_a_block_without_end_is_cut_between_sentences():
    """A paragraph of 60,000 characters is no failure and no single call; without sentences it is cut."""
    long = "The hive is warm. " * 3_000
    made = texts(paper(long), 8_000)
    assert all(len(each) <= 8_000 for each in made)
    assert all(each.endswith(".") for each in made)
    assert "".join(each + " " for each in made) == long
    assert "".join(texts(paper("x" * 20_001), 8_000)) == "x" * 20_001


@given(st.integers(0, 60), st.integers(1, 9), st.integers(0, 3), st.integers(0, 3))
def test_each_passage_is_checked_once_in_order(count, checked, before, after):
    """By frames that are as even as can be, and hold their neighbours."""
    made = frames(["x"] * count, checked=checked, before=before, after=after)
    assert [number for each in made for number in range(*each.checked)] == list(range(count))
    assert all(each.checked[1] - each.checked[0] <= checked for each in made)
    for each in made:
        assert each.first == max(0, each.checked[0] - before)
        assert each.last == min(count, each.checked[1] + after)


@given(st.lists(st.text(st.characters(codec="ascii"), max_size=300), max_size=12), st.integers(20, 200))
def test_no_word_is_lost(texts, size):
    """All that is not white space, in order."""
    made = [each.text for each in passages(paper(*(f"p{text}" for text in texts)), size)]
    assert "".join("".join(made).split()) == "".join("".join(f"p{text}" for text in texts).split())
