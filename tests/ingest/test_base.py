"""Which reader reads a path, and what is refused."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from nobody import somebody_else
from rereview.errors import ConsentError, UnusableInput
from rereview.ingest.base import image_of, local, read, stem_of

MAIN = "\\documentclass{article}\\begin{document}Text.\\end{document}"


def test_a_folder_and_its_main_file_give_the_same_paper(tmp_path):
    """Only the name may differ."""
    (tmp_path / "main.tex").write_text(MAIN)
    assert read(tmp_path) == read(tmp_path / "main.tex")
    (tmp_path / "main.tex").rename(tmp_path / "My Paper.TEX")
    assert read(tmp_path / "My Paper.TEX").paper_id == "my-paper"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tex", b"", "the file is empty"),
        ("a.tex", b"  <!DOCTYPE html><p>", "the content is HTML, not text as the name says"),
        ("a.md", b"\xef\xbb\xbf<html>", "the content is HTML"),
        ("a.tex", b"%PDF-1.5 x", "the content is PDF, not text as the name says"),
        ("a.tex", b"PK\x03\x04 x", "a ZIP archive"),
        ("a.tex", b"\x1f\x8b x", "gzip data"),
        ("a.tex", b"\\documentclass" + b" " * 3000 + b"\0", "binary content"),
        ("a.tex", "words".encode("utf-16"), "text in UTF-16; expected text in UTF-8"),
        ("a.md", b"\xfe\xff\0w", "text in UTF-16"),
        ("a.pdf", b"<html><body>", "the content is HTML, not PDF as the name says"),
        ("a.pdf", b"words", "the content is no PDF, not PDF as the name says"),
        ("a.odt", b"PK\x03\x04 x", "files of type '.odt' are not read; expected a .tex, .md, .docx"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Word file, or one with a password"),
        ("a", b"words", "files of type 'unknown' are not read"),
        ("a.tex", b"\\section{A} words", "no \\begin{document}"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(tmp_path, name, content, message):
    """With the path, what it is, and what would be right."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnusableInput) as caught:
        read(path)
    line = str(caught.value)
    assert message in line
    assert line.startswith(str(path))
    assert "; expected" in line
    assert "\n" not in line


def test_a_path_that_is_not_there_is_refused(tmp_path):
    """It says so."""
    with pytest.raises(UnusableInput, match="no such file or folder"):
        read(tmp_path / "gone.tex")


def test_reading_latex_loads_no_pdf_library():
    """A reader is loaded when its files are read."""
    code = (
        "import sys; from pathlib import Path; from rereview.ingest.base import image_of, read;"
        "read(Path(sys.argv[1]));"
        "print([m for m in ('pypdfium2', 'pandas', 'scipy', 'openai') if m in sys.modules])"
    )
    root = Path(__file__).resolve().parents[2]
    paper = root / "examples" / "adaptive_dual_scale_denoising"
    done = subprocess.run(
        [sys.executable, "-c", code, str(paper)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(root / "src")},
    )
    assert done.stdout.strip() == "[]"


def test_an_arxiv_id_is_fetched_unless_offline(tmp_path):
    """A path that is there is that path, whatever its name; any other address is refused."""
    for typed in ("2501.01234v1", "https:/arxiv.org/abs/2501.01234v1"):
        with pytest.raises(ConsentError, match=r"arXiv:2501.01234v1 is not here"):
            local(Path(typed), offline=True, kept=tmp_path)
    with pytest.raises(UnusableInput, match="no paper of arXiv, and nothing else is fetched"):
        local(Path("https:/evil.example/abs/2501.01234"), offline=True, kept=tmp_path)
    assert local(Path("gone.tex"), offline=True) == Path("gone.tex")
    here = tmp_path / "2501.01234v1"
    here.write_text("x")
    assert local(here, offline=True) == here


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("My Paper.tex", "My Paper"),
        ("2501.01234v1", "2501.01234v1"),
        ("2501.01234v1.tar.gz", "2501.01234v1"),
        ("a.b.PDF", "a.b"),
        ("a.TGZ", "a"),
    ],
)
def test_a_paper_is_called_by_its_name_without_ending(tmp_path, name, stem):
    """The number of an arXiv paper is no ending."""
    (tmp_path / name).write_text("x")
    assert stem_of(tmp_path / name) == stem


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ["a.tex", "a.pdf", "a.md"])
def test_a_pipe_is_not_waited_for(tmp_path, name):
    """Nothing may ever be written to it."""
    os.mkfifo(tmp_path / name)
    with pytest.raises(UnusableInput, match="a pipe or a device is not read; expected"):
        read(tmp_path / name)


def test_a_name_that_no_file_can_have_is_refused():
    """In one line, as every path that cannot be read."""
    with pytest.raises(UnusableInput, match="expected a"):
        read(Path("b" * 300 + ".tex"))


@pytest.fixture
def folder():
    """A folder that everybody may enter, which those of other fixtures are not."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        yield Path(made)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs users and rights of POSIX")
def test_what_the_system_refuses_is_said_in_one_line(folder, tmp_path):
    """With the file that could not be read, which may be one that the paper includes."""
    paper = tmp_path / "paper.tex"
    paper.write_text(MAIN)
    (folder / "main.tex").write_text(MAIN.replace("Text", "\\input{part}"))
    (folder / "part.tex").write_text("Text")
    (folder / "part.tex").chmod(0)
    read(paper)  # its reader is loaded before this process loses its rights
    with (
        somebody_else(),
        pytest.raises(UnusableInput, match=r"part\.tex: cannot be read: Permission denied; expected"),
    ):
        read(folder)


def test_an_image_that_has_gone_since_is_one_line(tmp_path):
    """It was there when the paper was read."""
    (tmp_path / "lake.png").write_bytes(b"an image")
    (tmp_path / "a.md").write_text("# Lakes\n\nDeep.\n\n![It](lake.png)\n")
    (figure,) = read(tmp_path / "a.md").figures
    assert image_of(tmp_path / "a.md", figure) == b"an image"
    (tmp_path / "lake.png").unlink()
    with pytest.raises(
        UnusableInput, match=r"lake\.png: cannot be read: No such file or directory; expected"
    ):
        image_of(tmp_path / "a.md", figure)
