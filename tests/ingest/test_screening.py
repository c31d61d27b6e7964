"""Which papers a path means when papers are screened, and what cannot be looked into."""

import os

import pytest

from ingest.test_base import folder, somebody_else  # noqa: F401  a fixture
from rereview.ingest.screening import papers, screen

MAIN = "\\documentclass{article}\\begin{document}\\section{A}Text\\end{document}"


def names(path):
    return [each.relative_to(path).as_posix() for each in papers(path)]


def test_a_link_to_a_folder_above_is_not_followed(tmp_path):
    """A folder of links to papers elsewhere is; each paper is screened once a place."""
    (tmp_path / "in" / "b").mkdir(parents=True)
    (tmp_path / "in" / "b" / "c.md").write_text("# Lakes\n\nDeep.\n")
    (tmp_path / "in" / "b" / "up").symlink_to(tmp_path / "in")
    (tmp_path / "in" / "d.md").symlink_to(tmp_path / "in" / "b" / "c.md")
    (tmp_path / "in" / "e").symlink_to(tmp_path / "in" / "b")
    assert names(tmp_path / "in") == ["b/c.md", "d.md", "e/c.md"]


def test_papers_of_every_type_are_found(tmp_path):
    """Those too that are archives or old pages; notes are none."""
    for name in ("a.pdf", "b.tar", "c.XHTML", "d.tgz", "e.txt", "f.docx"):
        (tmp_path / name).write_bytes(b"x")
    assert names(tmp_path) == ["a.pdf", "b.tar", "c.XHTML", "d.tgz", "f.docx"]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs users and rights of POSIX")
def test_what_may_not_be_read_is_a_finding(folder):  # noqa: F811
    """A file and a folder; the papers beside them are screened."""
    for name in ("a.tex", "b.tex"):
        (folder / name).write_text(MAIN)
    (folder / "c.md").write_text("# Lakes\n\nDeep. <!-- note -->\n")
    (folder / "d").mkdir()
    (folder / "d" / "main.tex").write_text(MAIN)
    for name in ("b.tex", "c.md"):  # their readers are loaded before this process loses its rights
        list(screen(folder / name, name))
    (folder / "a.tex").chmod(0)
    (folder / "d").chmod(0)
    with somebody_else():
        found = [each for path in papers(folder) for each in screen(path, path.name)]
    (folder / "d").chmod(0o700)
    assert [(each.paper, each.kind) for each in found] == [
        ("a.tex", "unreadable"),
        ("c.md", "hidden"),
        ("d", "unreadable"),
    ]
    assert all("Permission denied" in each.text for each in found if each.kind == "unreadable")
