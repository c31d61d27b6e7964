"""Recognition of pages that have no text of their own."""

import importlib.util
import subprocess
import sys

import pypdfium2
import pytest

import attacks
from absent import ingest_without
from rereview.ingest.pdf import read
from rereview.ingest.pdf_fallbacks import gaps
from rereview.ingest.pdf_ocr import Strip, lines
from rereview.ingest.pdf_text import Page

SIZE = (600, 800)
INSTALLED = all(importlib.util.find_spec(name) for name in ("rapidocr", "onnxruntime"))
needs_ocr = pytest.mark.skipif(not INSTALLED, reason="needs rapidocr")


def strip(x, y, text, width=200):
    return Strip(text, (x, y, x + width, y + 14))


def test_recognised_lines_of_two_columns_are_read_column_by_column():
    """Though they are recognised row by row, and almost touch at the gutter."""
    rows = [
        each
        for at in range(12)
        for each in (
            strip(80, 700 - 16 * at, f"left line {at} of the text", 218),
            strip(306, 700 - 16 * at, f"right line {at} of the text", 218),
        )
    ]
    read_out = [line.text.split()[0] for line in lines(rows, SIZE)]
    assert read_out == ["left"] * 12 + ["right"] * 12


def test_a_word_that_is_divided_is_marked():
    """The hyphen goes, as in a line of a text layer."""
    first, second = lines([strip(60, 700, "we found an esti-"), strip(60, 684, "mate of 3-")], SIZE)
    assert (first.text, first.hyphen) == ("we found an esti", True)
    assert (second.text, second.hyphen) == ("mate of 3-", False)


def test_lines_without_tall_letters_have_the_size_of_the_others():
    """Or each would begin a paragraph of its own; a title is larger."""
    low, usual = (
        Strip("a man sees us", (60, 684, 260, 695)),
        [strip(60, 700 - 16 * at, "The hill") for at in (0, 2)],
    )
    title = Strip("On yeast", (60, 740, 260, 772))
    sizes = {line.text: line.size for line in lines([title, low, *usual], SIZE)}
    assert sizes["a man sees us"] == sizes["The hill"]
    assert sizes["On yeast"] > 2 * sizes["The hill"]


def test_boxes_are_fractions_of_the_page_from_its_top():
    """As those of lines of a text layer."""
    (line,) = lines([strip(60, 700, "The hill")], SIZE)
    assert line.box == pytest.approx((0.1, 1 - 714 / 800, 260 / 600, 1 - 700 / 800), abs=0.01)


def scanned():
    """A page that is the picture of a page."""
    shown = attacks.pdf(
        [
            "\n".join(
                f"BT /F1 12 Tf 60 {700 - 16 * at} Td ({words}) Tj ET" for at, words in enumerate(attacks.BODY)
            )
        ],
        "",
    )
    with pypdfium2.PdfDocument(shown) as document:
        pixels = document[0].render(scale=2, rev_byteorder=True).to_numpy()[:, :, :3]
    height, width = pixels.shape[:2]
    return attacks.pdf(["q 600 0 0 800 0 0 cm /Im Do Q"], "", image=(pixels.tobytes(), width, height))


@needs_ocr
def test_a_scan_without_text_is_recognised(tmp_path):
    """Its words are those of the picture, and the paper says that they may be wrong."""
    path = tmp_path / "paper.pdf"
    path.write_bytes(scanned())
    paper = read(path)
    text = " ".join(block.text for block in paper.blocks)
    assert all(words in text for words in attacks.BODY)
    assert [gap.name for gap in paper.gaps] == [
        "page 1: text recognised from the image of the page (OCR), with its errors"
    ]


def test_a_scan_is_refused_with_what_would_read_it(tmp_path):
    """In one line, with the command."""
    path = tmp_path / "paper.pdf"
    path.write_bytes(scanned())
    code, said = ingest_without(tmp_path, ["rapidocr"], path)
    assert code == 2
    assert "it is a scan" in said
    assert "pip install 'rereview[ocr" in said
    assert said.count("\n") == 1


def test_recognition_opens_no_connection():
    """What its package would fetch is refused by its process."""
    code = (
        "import sys, socket; from rereview.ingest.pdf_ocr import _refuse; sys.addaudithook(_refuse);"
        "socket.create_connection(('127.0.0.1', 9))"
    )
    path = [*filter(None, sys.path)]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}; {code}"],
        capture_output=True,
        check=False,
    )
    assert b"PermissionError: recognition opens no connection" in done.stderr


def test_pages_that_were_read_otherwise_are_named():
    """In runs, for a long paper."""
    pages = [Page(lines=(), image=False, by="image" if at in {1, 2, 3, 7} else "text") for at in range(9)]
    assert [gap.name.split(":")[0] for gap in gaps(pages)] == ["pages 2 to 4, 8"]
