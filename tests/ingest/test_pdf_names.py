"""Fonts whose glyphs are called by numbers."""

import importlib.util
from pathlib import Path

import pytest

from rereview.errors import UnusableInput
from rereview.ingest.pdf import read
from rereview.ingest.pdf_names import letters

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
WORDS = (
    "We study the growth of yeast in a medium and find that it depends on the temperature",
    "of the room in which the plates are kept and on the hour at which they were counted",
    "It is not known whether the same can be said of other species that live in this soil",
)
needs_pikepdf = pytest.mark.skipif(importlib.util.find_spec("pikepdf") is None, reason="needs pikepdf")


def numbered(words, prefix="C"):
    """A PDF whose font numbers its glyphs in the order of their coming, and names them by their place."""
    order = sorted(set("".join(words)) - {" "}, key="".join(words).index)
    codes = {letter: code for code, letter in enumerate(order, start=1)} | {" ": 0x80}
    names = " ".join(f"/{prefix}{ord(letter)}" for letter in order)
    shown = "\n".join(
        f"1 0 0 1 60 {740 - 12 * at} Tm <{''.join(f'{codes[letter]:02x}' for letter in line)}> Tj"
        for at, line in enumerate(words * 15)
    )
    content = f"BT /F 8 Tf\n{shown}\nET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count 1 /Kids [6 0 R] >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding 5 0 R >>",
        b"<< /Type /Encoding /Differences [ 1 %s 128 /space ] >>" % names.encode(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 3 0 R /Resources 7 0 R >>",
        b"<< /Font << /F 4 0 R >> >>",
    ]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (n, o) for n, o in enumerate(objects, start=1))
    return b"%PDF-1.4\n" + body + b"trailer\n<< /Root 1 0 R >>\n"


def written(folder, content):
    path = folder / "paper.pdf"
    path.write_bytes(content)
    return path


@needs_pikepdf
@pytest.mark.parametrize("prefix", ["C", "ch"])
def test_letters_are_told_by_the_numbers_in_the_names_of_their_glyphs(tmp_path, prefix):
    """Where the text layer says nothing; the paper says that its text was made so."""
    paper = read(written(tmp_path, numbered(WORDS, prefix)))
    assert WORDS[0] in " ".join(block.text for block in paper.blocks)
    assert [gap.name for gap in paper.gaps] == [
        "page 1: letters told by the names of glyphs; 0 signs, most of formulas, are missing"
    ]


@needs_pikepdf
def test_signs_of_another_order_are_missing_and_counted(tmp_path):
    """The number of a glyph that is none of the standard encoding tells nothing, and is no letter."""
    words = (*WORDS, "Let \x9f be the number of yeast cells")
    paper = read(written(tmp_path, numbered(words)))
    assert "15 signs" in paper.gaps[0].name
    assert "Let be the number" in " ".join(block.text for block in paper.blocks)


def names(order, prefix="C"):
    return {code: f"/{prefix}{number}" for code, number in enumerate(order, start=1)}


def test_a_font_that_is_not_set_for_words_has_no_letters():
    """Its glyphs have numbers too, in an order of its own."""
    symbols = letters(names([50, 0, 136, 65, 71, 133, 72, 102, 103, 106, 84, 92]))
    assert set(symbols.values()) == {"\ufffd"}


def test_names_that_are_no_numbers_are_left_alone():
    """PDFium knows them."""
    assert letters({1: "/A", 2: "/alpha", 3: "/a", 4: "/C84"}) == {}


def test_ligatures_are_told_in_the_font_of_the_text_only():
    """The first places of a font for formulas hold Greek letters."""
    alphabet = [ord(letter) for letter in "abcdefghijklmnopqrstuvwxyz"]
    text = letters(names([*alphabet, 12, 174, 208]))
    assert [text[code] for code in (27, 28, 29)] == ["fi", "fi", "—"]
    formulas = letters(names([*map(ord, "aeinorst"), 12]))
    assert (formulas[1], formulas[9]) == ("a", "\ufffd")


@pytest.mark.long
@needs_pikepdf
def test_a_real_paper_with_such_fonts_is_read():
    """Of 51 pages, not one of which could be read; its formulas are missing, and it says so."""
    path = SHARED / "papers" / "population_genetics.pdf"
    if not path.is_file():
        pytest.skip("needs papers in shared/data beside the project")
    try:
        paper = read(path)
    except UnusableInput as error:  # as without the extra
        pytest.fail(str(error))
    text = " ".join(block.text for block in paper.blocks)
    assert "we focus on the problem of likelihood inference for" in text
    assert "names of glyphs" in paper.gaps[0].name
