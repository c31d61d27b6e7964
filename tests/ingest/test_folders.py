"""Folders of papers, and how long papers are."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.packages import put
from ingest.test_base import folder, somebody_else  # noqa: F401  a fixture
from rereview.errors import UnusableInput
from rereview.ingest.folders import holds_papers, papers_in, spread

MAIN = "\\documentclass{article}\\begin{document}Lakes.\\end{document}"


def test_a_folder_with_a_main_latex_file_is_one_paper(tmp_path):
    """Also where there are other files beside it."""
    (tmp_path / "main.tex").write_text(MAIN)
    (tmp_path / "figure.pdf").write_bytes(b"%PDF-")
    assert not holds_papers(tmp_path)


def test_a_folder_without_a_main_file_right_in_it_holds_papers(tmp_path):
    """Its folders may be papers; a LaTeX file that begins no document is no main file."""
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "main.tex").write_text(MAIN)
    (tmp_path / "macros.tex").write_text("\\newcommand{\\x}{y}")
    assert holds_papers(tmp_path)


def test_a_package_and_a_file_are_one_paper(tmp_path):
    """Neither is looked into."""
    assert not holds_papers(put(tmp_path / "p"))
    (tmp_path / "a.md").write_text("# A")
    assert not holds_papers(tmp_path / "a.md")
    assert not holds_papers(tmp_path / "not there")


def test_papers_are_files_of_a_known_type_and_folders(tmp_path):
    """By name; what a system hides and what is no paper is left out."""
    for name in ("b.pdf", "a.md", "C.PDF", "notes.csv", ".hidden.pdf", "e.tar.gz"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "d").mkdir()
    assert [path.name for path in papers_in(tmp_path)] == ["C.PDF", "a.md", "b.pdf", "d", "e.tar.gz"]
    with pytest.raises(UnusableInput, match="no such folder"):
        papers_in(tmp_path / "a.md")


@given(st.lists(st.none() | st.integers(0, 10_000), max_size=30))
def test_a_spread_is_that_of_what_is_known(values):
    """Total, median, 90th percentile and maximum, as numpy has them; what is not known is not 0."""
    known = [value for value in values if value is not None]
    found = spread(values)
    assert found.papers == len(known)
    if not known:
        assert found[1:] == (None, None, None, None)
        return
    assert (found.total, found.maximum) == (sum(known), max(known))
    assert found.median == np.median(known)
    assert found.percentile_90 == pytest.approx(np.percentile(known, 90))


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs users and rights of POSIX")
def test_a_folder_that_may_not_be_read_is_one_line(folder):  # noqa: F811
    """Whether it is asked what it holds, or for its papers; and so is a LaTeX file in it."""
    (folder / "in").mkdir()
    (folder / "in" / "a.tex").write_text(MAIN)
    (folder / "in").chmod(0)
    (folder / "b.tex").write_text(MAIN)
    (folder / "b.tex").chmod(0)
    with somebody_else():
        for path in (folder, folder / "in" / "a.tex"):
            with pytest.raises(UnusableInput, match="cannot be read: Permission denied; expected"):
                holds_papers(path)
        with pytest.raises(UnusableInput, match="cannot be read: Permission denied; expected"):
            papers_in(folder)
    (folder / "in").chmod(0o700)
