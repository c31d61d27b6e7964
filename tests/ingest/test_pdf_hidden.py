"""Hidden text of PDFs: what is found, and what must not be."""

from pathlib import Path

import pytest

import attacks
from rereview.ingest import pdf_child
from rereview.ingest.pdf import drawn, hidden, read

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
BESIDE = {"metadata"}


def found_in(folder, content):
    """What is hidden in a file, without its metadata, and the words that remain on its pages."""
    path = folder / "paper.pdf"
    path.write_bytes(content)
    extract = pdf_child.read(path, 400)
    words = " ".join(line.text for page in extract.pages for line in page.lines)
    return [each for each in hidden(extract) if each.kind not in BESIDE], words


def folded(text):
    return "".join(c for c in text.lower() if c.isalnum())


@pytest.mark.parametrize("place", attacks.PLACES)
@pytest.mark.parametrize("technique", attacks.TECHNIQUES)
def test_hidden_words_are_found_wherever_they_are(tmp_path, technique, place):
    """Each technique is found and named in each place, on its page; the words that are seen remain."""
    payload = attacks.LANGUAGES["en"]
    items, words = found_in(tmp_path, attacks.attack(technique, place, payload))
    assert folded(payload) in folded(" ".join(item.text for item in items))
    assert {item.kind for item in items} == attacks.TECHNIQUES[technique][1]
    assert {item.page for item in items} == {2}
    assert folded(payload) not in folded(words)
    covering = technique in {"under image", "under box", "same colour"}
    assert sum(words.count(line) for line in attacks.BODY) >= (4 if covering else 8)


@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize("technique", ["white", "under image", "clipped", "ActualText"])
def test_no_language_is_needed_to_find_hidden_words(tmp_path, technique, language):
    """Pixels and geometry decide, not what the words say."""
    payload = attacks.LANGUAGES[language]
    items, _ = found_in(tmp_path, attacks.attack(technique, "foot", payload))
    assert folded(payload) in folded(" ".join(item.text for item in items))


@pytest.mark.parametrize("side", sorted(attacks.SIDE))
def test_what_stands_beside_the_pages_is_listed(tmp_path, side):
    """Annotations, Info and XMP are listed and never part of the text."""
    path = tmp_path / "paper.pdf"
    path.write_bytes(attacks.attack(side, "foot", attacks.LANGUAGES["en"]))
    paper = read(path)
    (item,) = [each for each in paper.hidden if each.text == attacks.LANGUAGES["en"]]
    expected = {"annotation": ("annotation", 2), "metadata": ("metadata", None), "xmp": ("metadata", None)}
    assert (item.kind, item.page) == expected[side]
    assert not any("language model" in block.text for block in paper.blocks)


def test_the_place_of_hidden_words_is_that_of_the_page_as_it_is_shown(tmp_path):
    """A box is in fractions from the upper left corner; off the page it lies outside of 0 to 1."""
    (item,), _ = found_in(tmp_path, attacks.attack("white", "foot", "Hidden words at the foot of it."))
    x0, y0, x1, y1 = item.bbox
    assert (x0, y1) == pytest.approx((60 / 600, 1 - 30 / 800), abs=0.01)
    assert x0 < x1 < 0.5
    assert y0 == pytest.approx(y1, abs=0.03)
    (item,), _ = found_in(tmp_path, attacks.attack("off page", "foot", "Hidden words at the foot of it."))
    assert item.bbox[2] < 0


def _shown(state, words, size=10):
    return f"q {state} BT /F1 {size} Tf 1 0 0 1 60 400 Tm ({words}) Tj ET Q"


SEEN = {
    "white on dark": "0 0 0.4 rg 50 395 400 20 re f " + _shown("1 g", "Table head in white"),
    "over an image": "q 300 0 0 200 50 300 cm /Im Do Q " + _shown("0 g", "0.25 0.50 0.75", 8),
    "grey": _shown("0.6 g", "A remark in grey"),
    "outline": _shown("1 Tr 0 G 1 g", "Only an outline", 24),
    "frame": _shown("0 g", "Inside a frame") + " 50 390 300 30 re S",
    "small label": _shown("0 g", "0.1 0.2 0.3", 2),
    "clip that lets it through": "0 380 600 60 re W n " + _shown("0 g", "Inside of it"),
    "ligature": "/Span << /ActualText (fi) >> BDC " + _shown("0 g", "fi") + " EMC",
    "dots": _shown("0 g", ". . . . . . - - -", 4),
    "white placeholder": _shown("1 g", "0"),
}


@pytest.mark.parametrize("name", SEEN)
def test_what_is_seen_is_not_hidden(tmp_path, name):
    """White on dark, labels over graphics, outlines, thin marks: nothing is said of them."""
    items, _ = found_in(tmp_path, attacks.harmless(SEEN[name]))
    assert items == []


def scan(layer, pixels=None):
    """Make a page that is one image, with words in it as noise, and a layer of recognised text."""
    width, height = 60, 80
    noise = bytes((x * y * 37 % 251) for y in range(height) for x in range(width) for _ in range(3))
    content = f"q 600 0 0 800 0 0 cm /Im Do Q\n{layer}"
    return attacks.pdf([content], "", image=(pixels or noise, width, height))


def test_the_recognised_text_of_a_scan_is_its_text(tmp_path):
    """Text that is not painted, over an image of the whole page, is an OCR layer and stays."""
    layer = "q BT 3 Tr /F1 10 Tf 1 0 0 1 60 400 Tm (Words that were recognised) Tj ET Q"
    items, words = found_in(tmp_path, scan(layer))
    assert [item.kind for item in items] == ["ocr-layer"]
    assert words == "Words that were recognised"


def test_recognised_text_over_blank_paper_is_hidden(tmp_path):
    """Where the scan shows nothing, its layer says something that no reader sees."""
    blank = bytes([255]) * (60 * 80 * 3)
    layer = "q BT 3 Tr /F1 10 Tf 1 0 0 1 60 400 Tm (Words that are nowhere) Tj ET Q"
    items, words = found_in(tmp_path, scan(layer, blank))
    assert {"ocr-layer", "invisible"} == {item.kind for item in items}
    assert words == ""


def test_a_watermark_that_a_figure_covers_on_one_page_is_no_news(tmp_path):
    """Words that are covered here and seen on another page are not hidden from anybody."""
    mark = "q BT 0.7 g /F1 30 Tf 1 0 0 1 100 300 Tm (Draft of May) Tj ET Q"
    path = tmp_path / "paper.pdf"
    path.write_bytes(attacks.pdf([mark, f"{mark}\nq 500 0 0 200 50 250 cm /Im Do Q"], ""))
    assert [each for each in hidden(pdf_child.read(path, 9)) if each.kind != "metadata"] == []


@pytest.mark.skipif(not SHARED.exists(), reason="the papers are not beside this checkout")
@pytest.mark.parametrize(
    "name",
    [
        "pdfs/near-white-text/test_case1_angelo.pdf",
        "pdfs/near-white-text/test_professor_cn.pdf",
        "pdfs/hidden-instruction-toys/test_light_235.pdf",
        "pdfs/hidden-instruction-toys/test_tiny_text.pdf",
        "pdfs/hidden-instruction-toys/test_case4_reviewer.pdf",
    ],
)
def test_toys_of_others_are_found(name):
    """Files that other people made to test such detectors."""
    kinds = {each.kind for each in hidden(drawn(SHARED / name))} - BESIDE
    assert kinds <= {"no-contrast", "tiny", "off-page"}
    assert kinds


@pytest.mark.skipif(not SHARED.exists(), reason="the papers are not beside this checkout")
@pytest.mark.parametrize("name", ["papers/smoothing_shifts.pdf", "pdfs/two-column/1001._0908.0054.pdf"])
def test_real_papers_hide_nothing(name):
    """Their labels over figures, formulas and links are seen."""
    assert {each.kind for each in hidden(drawn(SHARED / name))} <= {"metadata", "annotation"}
