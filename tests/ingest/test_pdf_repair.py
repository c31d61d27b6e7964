"""Damaged PDFs that pikepdf mends."""

import importlib.util

import pytest

from absent import ingest_without
from rereview.errors import UnusableInput
from rereview.ingest.pdf import read

CONTENT = b"BT /F 10 Tf 60 700 Td (Some words of the text of a paper.) Tj ET"
OBJECTS = (
    b"<< /Type /Catalog /Pages 2 0 R >>",
    b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources 5 0 R >>",
    b"<< /Length %d >>\nstream\n%s\nendstream" % (len(CONTENT), CONTENT),
    b"<< /Font << /F 6 0 R >> >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
)
BODY = b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % (n, o) for n, o in enumerate(OBJECTS, start=1))
NO_ROOT = BODY + b"trailer\n<< /Size 7 /Root 99 0 R >>\n"
"""Its trailer names a catalogue that is not there: PDFium gives up."""
needs_pikepdf = pytest.mark.skipif(importlib.util.find_spec("pikepdf") is None, reason="needs pikepdf")


def written(folder, content):
    path = folder / "paper.pdf"
    path.write_bytes(content)
    return path


def test_a_damaged_file_is_refused_with_what_would_mend_it(tmp_path):
    """In one line, with the command."""
    code, said = ingest_without(tmp_path, ["pikepdf"], written(tmp_path, NO_ROOT))
    assert code == 2
    assert "PDF is damaged" in said
    assert "pip install 'rereview[repair]'" in said
    assert said.count("\n") == 1


@needs_pikepdf
def test_a_damaged_file_is_mended_and_said_to_be(tmp_path):
    """Its words are read, and the gap tells that pages may be missing."""
    paper = read(written(tmp_path, b"junk\n" * 9 + NO_ROOT))
    assert paper.blocks[-1].text == "Some words of the text of a paper."
    assert ["mended" in gap.name for gap in paper.gaps] == [True]


@needs_pikepdf
def test_what_cannot_be_mended_is_refused(tmp_path):
    """The extra would not help, and is not named."""
    with pytest.raises(UnusableInput, match="beyond repair") as caught:
        read(written(tmp_path, b"%PDF-1.4\ngarbage"))
    assert "repair]" not in caught.value.expected


def test_a_whole_file_has_no_gap(tmp_path):
    """It is not written anew."""
    whole = BODY + b"trailer\n<< /Size 7 /Root 1 0 R >>\n"
    assert read(written(tmp_path, whole)).gaps == ()
