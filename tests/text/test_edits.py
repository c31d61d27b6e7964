"""Edits by offset: in, out, and what of a replacement is new."""

import itertools
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.errors import UnusableInput
from rereview.text.edits import apply_edits, changed, diff_blocks, overlap, undo
from rereview.types.edit import Edit
from rereview.types.manuscript import SourceSpan, Span

TEXTS = st.text(alphabet="ab \\{}$0.1\r\n\ufeffé𝔄", max_size=60)


def edit(start, end, original, replacement, name="e1"):
    return Edit(
        id=name,
        paper_id="p",
        span=SourceSpan(file="a.tex", start=start, end=end),
        original=original,
        replacement=replacement,
        author="rules",
    )


@st.composite
def edited(draw):
    """A text and a set of edits of it, in any order, next to each other or empty now and then."""
    text = draw(TEXTS)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=12)))
    edits = [
        edit(low, high, text[low:high], draw(TEXTS), f"e{low}")
        for low, high in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    return text, draw(st.permutations(edits))


@given(edited())
@settings(max_examples=200, deadline=None)
def test_undoing_gives_back_the_text(case):
    """Whatever is replaced by whatever, in whatever order; and outside of the edits nothing changes."""
    text, edits = case
    after = apply_edits(text, edits)
    assert undo(after) == text
    for place in after.places:
        assert after.text[place.start : place.end] == place.edit.replacement
    rest = [(0, 0), *((place.start, place.end) for place in after.places), (len(after.text),) * 2]
    clean = [(0, 0), *((p.edit.span.start, p.edit.span.end) for p in after.places), (len(text),) * 2]
    between = [after.text[a[1] : b[0]] for a, b in itertools.pairwise(rest)]
    assert between == [text[a[1] : b[0]] for a, b in itertools.pairwise(clean)]


def test_a_block_is_edited_as_a_file_is():
    """The span may be one of a block."""
    one = edit(0, 1, "a", "bb").model_copy(update={"span": Span(block_id="b1", start=0, end=1)})
    assert apply_edits("a c", [one]).text == "bb c"


def test_an_original_that_is_not_there_is_an_error():
    """It says what stands there; nothing is searched for."""
    with pytest.raises(UnusableInput, match=r"e1: the original is not at 1:2, where 'b' .* expected 'x'"):
        apply_edits("abc", [edit(1, 2, "x", "y")])


def test_edits_that_share_a_character_are_an_error():
    """Next to each other they may stand."""
    with pytest.raises(UnusableInput, match="e2: it shares characters with e1"):
        apply_edits("abc", [edit(0, 2, "ab", "x"), edit(1, 3, "bc", "y", "e2")])
    assert apply_edits("abc", [edit(0, 1, "a", "x"), edit(1, 2, "b", "y", "e2")]).text == "xyc"


def test_undoing_what_was_changed_since_is_an_error():
    """The clean text is not made up."""
    after = apply_edits("abc", [edit(0, 1, "a", "x")])
    with pytest.raises(UnusableInput, match="e1: the replacement is not at 0:1"):
        undo(after._replace(text="zbc"))


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ((0, 2), (1, 3), True),
        ((0, 2), (2, 3), False),
        ((0, 4), (2, 2), True),
        ((2, 2), (2, 2), True),
        ((2, 2), (2, 4), False),
    ],
)
def test_ranges_overlap_when_they_share_a_character(one, other, shared):
    """An empty one lies inside or not at all; order does not matter."""
    assert overlap(one, other) is overlap(other, one) is shared


@pytest.mark.parametrize(
    ("original", "replacement", "new"),
    [
        ("we find a strong rise", "we find a weak rise", ["weak"]),
        ("p = 0.05 here", "p = 0.01 here", ["0.01"]),
        ("$a \\leq b$", "$a \\geq b$", ["\\geq"]),
        ("x_{i} + y_{i}", "x_{j} + y_{i}", ["j"]),
        ("the gain is not small and rises", "the gain is small and falls", ["", "falls"]),
        ("it rises in A and B", "it falls in A or B", ["falls", "or"]),
        ("a long story", "another tale here", ["another tale here"]),
        ("same", "same", []),
        ("", "new", ["new"]),
        ("old", "", [""]),
    ],
)
def test_what_is_new_in_a_replacement(original, replacement, new):
    """Whole words, numbers and control sequences; an empty range where something is gone."""
    assert [replacement[low:high] for low, high in changed(original, replacement)] == new


def test_differences_speak_of_both_texts():
    """Offsets of the original beside those of the replacement."""
    (only,) = diff_blocks("a \\leq b", "a < b")
    assert (only.start, only.end, only.new_start, only.new_end) == (2, 6, 2, 3)


@given(TEXTS, TEXTS)
@settings(max_examples=300, deadline=None)
def test_differences_turn_one_text_into_the_other(original, replacement):
    """What lies between them is the same in both; there is none only where the texts are equal."""
    found = diff_blocks(original, replacement)
    assert bool(found) is (original != replacement)
    at = new_at = 0
    for each in (*found, (len(original), len(original), len(replacement), len(replacement))):
        assert original[at : each[0]] == replacement[new_at : each[2]]
        at, new_at = each[1], each[3]


def test_two_long_texts_are_compared_in_bounded_time():
    """Beyond a few million pairs the middle counts as a whole."""
    started = time.process_time()
    one, other = "a b " * 20_000, "b a " * 20_000
    assert len(changed(f"x {one} y", f"x {other} y")) == 1
    assert time.process_time() - started < 1
