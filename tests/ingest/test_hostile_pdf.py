"""PDFs that would take all memory or time, or crash their reader: each is one paper that is not read."""

import sys
import time
import zlib

import pytest
from click.testing import CliRunner

import attacks
from rereview.cli.ingest import ingest
from rereview.errors import UnusableInput
from rereview.ingest.pdf import read
from rereview.ingest.pdf_text import Extract, answer, extract

SHOWN = b"BT /F1 10 Tf 60 700 Td (Words of a paper that are seen.) Tj ET"
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and limits of memory")


def stream(head, data):
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (head, len(data), data)


def pdf(page=b"/MediaBox [0 0 600 800]", content=SHOWN, *, pages=1, image=None, form=None):
    """Make a PDF whose pages are all the same object, many times over."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>" % (pages, b" ".join([b"3 0 R"] * pages)),
        b"<< /Type /Page /Parent 2 0 R %s /Contents 4 0 R /Resources 5 0 R >>" % page,
        stream(b"", content),
        b"<< /Font << /F1 6 0 R >> /XObject << /Im 7 0 R /Fm 8 0 R >> >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        image or b"null",
        form or b"null",
    ]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (n, o) for n, o in enumerate(objects, start=1))
    return b"%PDF-1.5\n" + body + b"trailer\n<< /Root 1 0 R >>\n"


def bomb(side):
    """An image of so many pixels a side, all of one colour, in a few kilobytes."""
    row = zlib.compressobj(9)
    packed = b"".join(row.compress(bytes(3 * side)) for _ in range(side // 64)) + row.flush()
    head = b"/Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8" % (side, side)
    return stream(head + b" /Filter /FlateDecode", packed)


def written(folder, content, name="paper.pdf"):
    path = folder / name
    path.write_bytes(content)
    return path


def test_a_paper_of_20_000_pages_is_refused(tmp_path):
    """In one line, before its pages are looked at."""
    start = time.monotonic()
    with pytest.raises(UnusableInput, match="20000 pages; expected at most 400"):
        read(written(tmp_path, pdf(pages=20_000)))
    assert time.monotonic() - start < 60


def test_a_page_of_14_400_points_is_read(tmp_path):
    """It is drawn smaller: at full scale it would take 3 GB."""
    page = b"/MediaBox [0 0 14400 14400]"
    found = extract(written(tmp_path, pdf(page)), memory=1024**3)
    assert [line.text for line in found.pages[0].lines] == ["Words of a paper that are seen."]


def test_the_size_of_an_image_is_no_end_of_a_page(tmp_path):
    """What it unfolds to is limited by the memory of the child: words are read, or one line says why not."""
    shown = SHOWN + b" q 400 0 0 400 60 100 cm /Im Do Q"
    path = written(tmp_path, pdf(content=shown, image=bomb(40_000)))
    try:
        paper = read(path)
    except UnusableInput as error:
        assert "memory" in error.what or "crashed" in error.what  # noqa: PT017  either is an answer
    else:
        assert paper.blocks[-1].text == "Words of a paper that are seen."


@posix
def test_forms_that_hold_each_other_without_end_crash_the_child_alone(tmp_path):
    """PDFium unfolds them until its memory ends, and aborts: a crash of native code, in real."""
    form = stream(b"/Subtype /Form /BBox [0 0 600 800] /Resources 5 0 R", b"q /Fm Do Q " * 20)
    path = written(tmp_path, pdf(content=SHOWN + b" /Fm Do", form=form))
    with pytest.raises(UnusableInput, match=r"PDFium crashed \(signal \d+\)|more memory|more than 30 s"):
        extract(path, memory=320 * 1024**2, seconds=30)


def test_a_page_that_takes_for_ever_is_stopped(tmp_path):
    """At the time that a paper may take."""
    content = SHOWN + b" 0 0 m " + b"600 800 l 0 800 l 600 0 l 0 0 l " * 200_000 + b" W n 0 0 600 800 re f"
    start = time.monotonic()
    with pytest.raises(UnusableInput, match="reading took more than 2 s"):
        extract(written(tmp_path, pdf(content=content * 3)), seconds=2)
    assert time.monotonic() - start < 60


@posix
def test_a_crash_of_native_code_is_one_paper_that_is_not_read(tmp_path):
    """The child is gone, and the reason is told."""
    with pytest.raises(UnusableInput, match=r"PDFium crashed \(signal 11\)"):
        answer(Extract, "crashing", (), path=tmp_path / "paper.pdf")


def test_the_others_of_a_folder_are_read(tmp_path):
    """A paper that cannot be read is named with the reason."""
    written(tmp_path, pdf(pages=500), "bomb.pdf")
    written(tmp_path, attacks.harmless(""), "good.pdf")
    done = CliRunner().invoke(ingest, [str(tmp_path)])
    assert done.exit_code == 2, done.output
    assert "1 of 2 papers read" in done.output
    assert "not read: bomb.pdf: 500 pages" in done.output
