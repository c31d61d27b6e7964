"""A paper with other contents of its files."""

import io
import tarfile
import zipfile

import pytest

from rereview.errors import UnusableInput
from rereview.ingest.base import read
from rereview.ingest.versions import source, with_contents
from rereview.perturb.markdown import places
from rereview.text.decoding import decoded

MAIN = "\\documentclass{article}\n\\begin{document}\nWe see $a < b$.\n\n\\input{part}\n\\end{document}\n"


def project(folder):
    (folder / "main.tex").write_bytes(MAIN.encode().replace(b"\n", b"\r\n"))
    (folder / "part.tex").write_bytes("Schrödinger had 9 cats.\n".encode("latin-1"))
    (folder / "unused.tex").write_text("Not here.")
    return folder


def test_the_files_of_the_text_come_back_byte_for_byte(tmp_path):
    """Every file that the text stands in, and no other."""
    found = source(project(tmp_path))
    assert sorted(found.contents) == ["main.tex", "part.tex"]
    assert found.contents == {name: (tmp_path / name).read_bytes() for name in ("main.tex", "part.tex")}
    assert "unused.tex" not in found.used


def test_nothing_changed_is_the_same_version(tmp_path):
    """The control arm and the paper as submitted have one id."""
    folder = project(tmp_path)
    assert with_contents(folder, {}) == read(folder)


@pytest.mark.parametrize("named", ["", "main.tex"])
def test_a_changed_included_file_changes_the_text(tmp_path, named):
    """A file that is included takes its other content, whether folder or main file is named."""
    path = project(tmp_path) / named
    found = source(path)
    changed = found.contents["part.tex"].replace(b"9", b"7")
    version = with_contents(path, {"part.tex": changed})
    assert any(block.text == "Schrödinger had 7 cats." for block in version.blocks)
    assert version.id != found.manuscript.id
    assert (tmp_path / "part.tex").read_bytes() == found.contents["part.tex"]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_the_scan_and_the_paper_of_markdown_count_alike(tmp_path, mark):
    """What the scan calls a place stands in a block of the paper at the same characters of the file."""
    path = tmp_path / "p.md"
    path.write_text(f"{mark}# Of lakes\n\nThe depth is $d(x) < 2^n$ for all of them.\n")
    found = source(path)
    text = decoded(found.contents["p.md"])
    (place,) = [each for each in places("p.md", text) if each.kind == "inline-equation"]
    assert text[place.start : place.end] == "$d(x) < 2^n$"
    (run,) = found.manuscript.blocks[-1].source
    offset = place.start - run.start
    assert found.manuscript.blocks[-1].text[offset:].startswith("$d(x) < 2^n$")
    assert with_contents(path, found.contents) == found.manuscript


def test_what_has_no_source_is_refused(tmp_path):
    """A PDF cannot carry an edit of its source."""
    path = tmp_path / "p.pdf"
    path.write_bytes(b"%PDF-1.4")
    with pytest.raises(UnusableInput, match="no source"):
        source(path)


@pytest.mark.parametrize("name", ["p.tar.gz", "p.tar", "p.tgz", "p.zip", "2301.01234v2"])
def test_an_archive_has_source_too(tmp_path, name):
    """Its files come back byte for byte under their names inside, and a changed one changes the text."""
    (tmp_path / "made").mkdir()
    made = project(tmp_path / "made")
    contents = {each: (made / each).read_bytes() for each in ("main.tex", "part.tex")}
    path = tmp_path / name
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as packed:
            for inside, content in contents.items():
                packed.writestr(f"paper/{inside}", content)
    else:
        with tarfile.open(path, "w" if name.endswith(".tar") else "w:gz") as packed:
            for inside, content in contents.items():
                member = tarfile.TarInfo(f"paper/{inside}")
                member.size = len(content)
                packed.addfile(member, io.BytesIO(content))
    found = source(path)
    assert dict(found.contents) == contents
    assert found.head == "main.tex"
    assert with_contents(path, {}).id == found.manuscript.id
    version = with_contents(path, {"part.tex": contents["part.tex"].replace(b"9", b"7")})
    assert any(block.text == "Schrödinger had 7 cats." for block in version.blocks)


@pytest.mark.parametrize("name", ["p.tex", "p.md", "p.zip", "folder"])
def test_a_paper_that_is_gone_is_named(tmp_path, name):
    """One line with its path, and no defect."""
    with pytest.raises(UnusableInput, match="no such file") as gone:
        source(tmp_path / name)
    assert gone.value.where.endswith(name)
