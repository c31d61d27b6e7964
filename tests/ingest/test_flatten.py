"""A project as one text."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.errors import UnusableInput
from rereview.ingest.flatten import Sourced, flatten
from rereview.ingest.projects import open_project
from rereview.text.latex import PLAIN
from rereview.types.manuscript import SourceRun


def flat(folder, **files):
    """Flatten files, of which `main` is the main one."""
    for name, content in files.items():
        (folder / f"{name}.tex").write_bytes(content.encode())
    return flatten(open_project(folder / "main.tex"), PLAIN)


@pytest.mark.timeout(120)
def test_inputs_that_double_are_refused(tmp_path):
    """Twenty files that each include the next one twice are a million inclusions."""
    files = {f"f{i}": f"\\input{{f{i + 1}}} \\input{{f{i + 1}}}" for i in range(20)}
    with pytest.raises(
        UnusableInput, match=r"f20\.tex: 2,001 files and .* included .*expected at most 2,000"
    ):
        flat(tmp_path, main="\\input{f0}", f20="end", **files)


def test_a_large_file_that_is_included_often_is_refused(tmp_path):
    """Also if nothing of it is printed."""
    with pytest.raises(UnusableInput, match="expected at most 2,000 files and 10,000,000 characters"):
        flat(tmp_path, main="\\input{large} " * 20, large="% " + "x" * 1_000_000)


SOURCE = "\\a b\\c d e"
RUNS = tuple(
    SourceRun(file=name, start=start, end=start + 2, text_start=at)
    for name, start, at in (("a", 0, 0), ("a", 7, 2), ("b", 0, 5), ("b", 2, 8))
)


@given(st.lists(st.integers(0, len(SOURCE)), min_size=2, max_size=8))
def test_the_length_after_each_range_is_that_of_the_text_cut_so_far(cuts):
    """Also where a space keeps a control word apart from what now follows it."""
    ranges = [(start, end) for start, end in pairwise(sorted(cuts)) if start < end][::2]
    sourced = Sourced(SOURCE, RUNS)
    expected = [len(sourced.cut(ranges[:count])[0]) for count in range(1, len(ranges) + 1)]
    assert sourced.lengths(ranges) == expected
    assert sourced.cut_text(ranges) == sourced.cut(ranges)[0]


def test_what_stands_around_a_removed_piece_keeps_its_place(tmp_path):
    """Tokens that follow each other are copied at once, and every run is exact."""
    found = flat(tmp_path, main="a \\b% note\r\nc\r\nd \\input{part} e", part="% none\nf")
    assert found.sourced.text == "a \\b c\nd f\n e\n"
    assert [(hidden.text, offset) for offset, hidden in found.hidden] == [("% note\r\n", 4), ("% none\n", 9)]
    assert [(run.file, run.start, run.end) for run in found.sourced.runs] == [
        ("main.tex", 0, 4),
        ("main.tex", 12, 13),
        ("main.tex", 14, 17),
        ("part.tex", 7, 8),
        ("main.tex", 29, 31),
    ]
