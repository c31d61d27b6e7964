"""Files of every format, damaged at random and on purpose: a paper or one clear line, whatever they are."""

import gzip
import io
import random
import subprocess
import sys
import tarfile
import zipfile

import pytest

from ingest.test_docx import docx, m, p, r
from rereview.errors import UnusableInput
from rereview.ingest.base import read

WORDS = "".join(f"\\section{{S{n}}} Words $x_{{{n}}}$ % a note\n\n" for n in range(20))
TEX = f"\\documentclass{{article}}\\title{{Lakes}}\\begin{{document}}{WORDS}\\end{{document}}".encode()
MARKDOWN = (
    "# Lakes\n\n"
    + "".join(f"Words $x_{n}$ `code` <!-- note -->\n\n| a |\n|---|\n| {n} |\n\n" for n in range(15))
).encode()
HTML = (
    "<!DOCTYPE html><html><body><h1>Lakes</h1>"
    + "<p>Words <b>bold</b> <span hidden>no</span><math><mi>x</mi></math></p><table><tr><td>1</table>" * 15
).encode()
ROUNDS = 12


def packed(kind):
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
            made.writestr("main.tex", TEX)
            made.writestr("a/b.bib", "@article{k, title={x}}")
        return out.getvalue()
    with tarfile.open(fileobj=out, mode="w") as made:
        for name, content in (("main.tex", TEX), ("a/b.bib", b"@article{k, title={x}}")):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            made.addfile(member, io.BytesIO(content))
    return out.getvalue() if kind == "tar" else gzip.compress(out.getvalue(), mtime=0)


def seed(kind, folder):
    plain = {"tex": TEX, "md": MARKDOWN, "html": HTML, "gz": gzip.compress(TEX, mtime=0)}
    if kind == "docx":
        body = (p("Words") + f"<w:p>{r('and')}<m:oMath>{m('x')}</m:oMath></w:p>") * 10
        return docx(folder / "seed.docx", body).read_bytes()
    return plain[kind] if kind in plain else packed(kind)


def damaged(rng, data):
    """Cut off, or with bytes flipped, put in, left out, made NUL or written twice."""
    content, at = bytearray(data), rng.randrange(len(data))
    match rng.randrange(6):
        case 0:
            del content[at:]
        case 1:
            for _ in range(rng.choice([1, 10, 100])):
                content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        case 2:
            content[at:at] = rng.randbytes(rng.choice([1, 40, 1000]))
        case 3:
            del content[at : at + rng.choice([1, 40, 1000])]
        case 4:
            content[at : at + rng.choice([1, 40])] = b"\0"
        case 5:
            content[at:at] = content[at : at + rng.randrange(1, 1000)] * rng.choice([1, 20])
    return bytes(content)


def is_paper_or_line(path):
    """Read it; a title or an error that is one line, with the path and what would be right."""
    try:
        return bool(read(path).title)
    except UnusableInput as error:
        line = str(error)
    return str(path) in line and "; expected" in line and "\n" not in line


@pytest.mark.parametrize("kind", ["tex", "md", "html", "docx", "zip", "tar", "tgz", "gz"])
def test_any_damage_gives_a_paper_or_one_line(tmp_path, kind):
    """A dozen of each format, the same ones in every run."""
    rng = random.Random(f"damage to {kind}")
    data = seed(kind, tmp_path)
    for number in range(ROUNDS):
        path = tmp_path / f"{number}.{kind}"
        path.write_bytes(damaged(rng, data))
        assert is_paper_or_line(path)


@pytest.mark.parametrize("ending", ["tex", "md", "html", "docx", "zip", "tar.gz", "gz", "pdf", "txt", ""])
def test_a_wrong_ending_gives_a_paper_or_one_line(tmp_path, ending):
    """Whatever it really is."""
    for kind in ("tex", "md", "html", "docx", "zip", "tar", "tgz", "gz"):
        path = tmp_path / (f"{kind}.{ending}" if ending else kind)
        path.write_bytes(seed(kind, tmp_path))
        assert is_paper_or_line(path)


@pytest.mark.parametrize("ending", ["tex", "md", "html", "docx", "zip", "tar.gz", "gz", "pdf"])
def test_what_is_no_file_is_refused_in_one_line(tmp_path, ending):
    """A folder, a device that never ends, a link in a circle and one that leads nowhere."""
    folder, device, circle, nowhere = (tmp_path / f"{name}.{ending}" for name in ("a", "b", "c", "d"))
    folder.mkdir()
    device.symlink_to("/dev/zero")
    circle.symlink_to(circle)
    nowhere.symlink_to(tmp_path / "gone")
    for path in (folder, device, circle, nowhere):
        with pytest.raises(UnusableInput) as caught:
            read(path)
        assert "\n" not in str(caught.value)


LONG = {
    "ticks in one line": "`" * 100_000,
    "ticks that nothing closes": "".join(f"a {'`' * count} " for count in range(1200)),
    "comments that nothing closes": "<!-- a " * 60_000,
}
READ = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (40, 40))
from pathlib import Path
from rereview.ingest.base import read
print(len(read(Path(sys.argv[1])).blocks))
"""


@pytest.mark.parametrize("case", LONG)
def test_marks_that_nothing_closes_do_not_keep_markdown_busy(tmp_path, case):
    """It is read well within 40 s of processor time: each mark is looked at once."""
    path = tmp_path / "a.md"
    path.write_text(f"# Lakes\n\nWords. {LONG[case]}\n\nMore.\n")
    done = subprocess.run([sys.executable, "-c", READ, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-300:]
    assert int(done.stdout) >= 2
