"""Figures and tables of a PDF, cropped from its pages."""

import io
from hashlib import sha256

import pytest
from PIL import Image

from rereview.ingest.base import image_of, images_of, read
from rereview.ingest.identity import manuscript_id
from rereview.ingest.images import LONGEST

BODY = "These words are a line of the text of a paper that goes on for some time"


def pdf(content, *, form=None):
    """Make a PDF of one page of 600 x 800 points; `form`: what the form /Fm draws, and its matrix."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources 7 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    matrix, drawn = form or (b"1 0 0 1 0 0", b"")
    objects += [
        b"<< /Subtype /Form /BBox [-9999 -9999 9999 9999] /Matrix [%s] /Length %d >>\nstream\n%s\nendstream"
        % (matrix, len(drawn), drawn),
        b"<< /Font << /F 5 0 R >> /XObject << /Fm 6 0 R >> >>",
    ]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (n, o) for n, o in enumerate(objects, start=1))
    return b"%PDF-1.4\n" + body + b"trailer\n<< /Root 1 0 R >>\n"


def show(x, y, text):
    return f"BT 0 g /F 10 Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET\n".encode()


def body(top, bottom, x=60):
    return b"".join(show(x, y, BODY) for y in range(top, bottom, -12))


BOX = b"1 0 0 rg 150 500 200 120 re f\n"
CAPTION = show(60, 470, "Figure 2: A box that is red.")


def figures(folder, content, **options):
    """The file, and its figures."""
    path = folder / "paper.pdf"
    path.write_bytes(pdf(content, **options))
    return path, read(path)


def points(box):
    x0, y0, x1, y1 = box
    return [x0 * 600, 800 - y1 * 800, x1 * 600, 800 - y0 * 800]


def test_a_figure_is_what_is_drawn_above_its_caption(tmp_path):
    """With its labels, up to the text above; its image, hash and place in the sequence are there."""
    label = show(160, 488, "label")
    path, paper = figures(tmp_path, body(740, 650) + BOX + label + CAPTION + body(440, 300))
    (figure,) = paper.figures
    assert points(figure.bbox) == pytest.approx([150, 488, 350, 620], abs=8)
    assert (figure.page, figure.name) == (1, "figure 2")
    assert paper.by_id[figure.caption].text == "Figure 2: A box that is red."
    assert paper.sequence.index(figure.id) == paper.sequence.index(figure.caption) - 1
    content = image_of(path, figure)
    assert sha256(content).hexdigest() == figure.sha256
    image = Image.open(io.BytesIO(content))
    assert image.format == "PNG"
    assert image.width / image.height == pytest.approx(200 / 132, rel=0.1)
    assert image.convert("RGB").getpixel((image.width // 2, image.height // 2)) == (255, 0, 0)


def test_a_large_figure_is_drawn_at_most_1568_pixels_wide(tmp_path):
    """On the longest side."""
    path, paper = figures(tmp_path, b"1 0 0 rg 10 500 580 200 re f\n" + CAPTION + body(440, 300))
    image = Image.open(io.BytesIO(image_of(path, paper.figures[0])))
    assert LONGEST - 10 <= max(image.size) <= LONGEST


def test_what_a_form_draws_stands_where_the_page_shows_it(tmp_path):
    """Its own coordinates may lie outside of the page."""
    content = body(740, 650) + b"q 1 0 0 1 100 0 cm /Fm Do Q\n" + CAPTION + body(440, 300)
    form = (b"0.1 0 0 0.1 0 0", b"0 0 1 rg 500 5000 2000 1200 re f")
    _, paper = figures(tmp_path, content, form=form)
    (figure,) = paper.figures
    assert points(figure.bbox) == pytest.approx([150, 500, 350, 620], abs=8)


def test_a_table_is_what_is_drawn_below_its_caption(tmp_path):
    """From its first rule to its last, and its text stays in the blocks."""
    caption = show(60, 630, "Table 1: Numbers.")
    rules = b"".join(b"60 %d m 400 %d l S\n" % (y, y) for y in (620, 600, 560))
    cells = show(80, 606, "name") + show(80, 580, "yeast 12") + show(80, 566, "rye 14")
    _, paper = figures(tmp_path, body(740, 650) + caption + rules + cells + body(530, 300))
    (figure,) = paper.figures
    assert figure.name == "table 1"
    assert points(figure.bbox) == pytest.approx([60, 560, 400, 620], abs=8)
    assert "yeast 12" in " ".join(block.text for block in paper.blocks)


def test_rows_of_words_are_no_end_of_a_table(tmp_path):
    """They stand between its rules, though they are as wide as the text."""
    caption = show(60, 630, "Table 1: Words.")
    rules = b"".join(b"60 %d m 400 %d l S\n" % (y, y) for y in (620, 604, 540))
    _, paper = figures(tmp_path, body(740, 650) + caption + rules + body(590, 545) + body(520, 300))
    (figure,) = paper.figures
    assert points(figure.bbox) == pytest.approx([60, 540, 400, 620], abs=8)


def test_a_table_without_rules_is_its_rows(tmp_path):
    """From the caption to where the text goes on; a caption with text alone below it has no table."""
    caption = show(60, 630, "Table 1: Numbers.")
    rows = [(616, "name"), (602, "yeast"), (588, "rye"), (574, "hops")]
    cells = b"".join(show(80, y, name) + show(200, y, f"{y}.5") for y, name in rows)
    path, paper = figures(tmp_path, body(740, 650) + caption + cells + body(530, 300))
    (figure,) = paper.figures
    assert points(figure.bbox) == pytest.approx([80, 573, 225, 625], abs=9)
    assert image_of(path, figure) is not None
    _, alone = figures(tmp_path, body(740, 650) + caption + body(610, 300))
    assert alone.figures == ()


def test_a_figure_stays_in_its_column(tmp_path):
    """What is drawn in the other column is another's."""
    short = "These words are a line of one column"
    left = b"".join(show(60, y, short) for y in range(440, 200, -12))
    right = b"".join(show(320, y, short) for y in range(740, 200, -12))
    other = b"0 0 1 rg 330 100 200 60 re f\n"
    drawn = b"1 0 0 rg 70 500 150 120 re f\n"
    _, paper = figures(tmp_path, drawn + CAPTION + left + right + other)
    (figure,) = paper.figures
    assert points(figure.bbox) == pytest.approx([70, 500, 220, 620], abs=8)


def test_a_caption_to_which_nothing_is_drawn_has_no_figure(tmp_path):
    """Text alone, and a rule under a running head, are none."""
    _, paper = figures(tmp_path, b"60 760 m 500 760 l S\n" + body(740, 490) + CAPTION + body(440, 300))
    assert paper.figures == ()
    assert paper.sequence == tuple(block.id for block in paper.blocks)


def test_another_caption_ends_a_figure(tmp_path):
    """Two figures one above the other are two, and the end of a paragraph is not a label."""
    upper = b"0 0 1 rg 150 600 200 60 re f\n" + show(60, 580, "Figure 1: A box that is blue.")
    lines = body(740, 690) + show(60, 692, "and ends.")
    _, paper = figures(tmp_path, lines + upper + BOX.replace(b"120", b"60") + CAPTION + body(440, 300))
    first, second = paper.figures
    assert points(first.bbox) == pytest.approx([150, 600, 350, 660], abs=8)
    assert points(second.bbox) == pytest.approx([150, 500, 350, 560], abs=8)


def test_captions_of_parts_belong_to_the_figure_and_a_rule_apart_does_not(tmp_path):
    """They are as wide as the text; the rule is that of a running head."""
    parts = show(60, 488, f"(a) {BODY}")
    head = show(60, 770, "Preprint") + b"60 762 m 500 762 l S\n"
    _, paper = figures(tmp_path, head + BOX + parts + CAPTION + body(440, 300))
    (figure,) = paper.figures
    assert points(figure.bbox)[1::2] == pytest.approx([485, 620], abs=8)


def test_a_caption_does_not_take_the_figure_of_another(tmp_path):
    """That of a listing, which is text alone, stands above a figure with a caption of its own."""
    listing = show(60, 640, "Figure 1: A program.")
    _, paper = figures(tmp_path, body(760, 660) + listing + BOX + CAPTION + body(440, 300))
    assert [figure.name for figure in paper.figures] == ["figure 2"]


def test_a_figure_may_stand_below_its_caption(tmp_path):
    """If nothing stands above."""
    above = show(60, 640, "Figure 1: A box that is red.")
    _, paper = figures(tmp_path, body(760, 660) + above + BOX + body(440, 300))
    assert points(paper.figures[0].bbox) == pytest.approx([150, 500, 350, 620], abs=8)


def test_figures_are_part_of_what_a_manuscript_is(tmp_path):
    """Its id changes with them, as a package that is read again computes it."""
    _, paper = figures(tmp_path, BOX + CAPTION + body(440, 300))
    assert paper.id == manuscript_id("pdf", paper.blocks, paper.figures)


def test_all_figures_are_drawn_in_one_go(tmp_path):
    """Each as alone; a figure that could not be drawn has no image."""
    path, paper = figures(tmp_path, BOX + CAPTION + body(440, 300))
    (figure,) = paper.figures
    lost = figure.but(id="f2", path=None)
    assert images_of(path, [figure, lost]) == {"f1": image_of(path, figure), "f2": None}
    assert images_of(path, []) == {}
