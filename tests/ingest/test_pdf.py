"""Reading PDF."""

import subprocess
from pathlib import Path

import pytest

from rereview.errors import UnusableInput
from rereview.ingest import base, package
from rereview.ingest.pdf import MOST_BYTES, read
from rereview.ingest.pdf_quality import unreadable
from rereview.ingest.pdf_text import Line, Page, _why, extract
from rereview.ingest.screening import screen
from rereview.study.store import write_files

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
BODY = 10.0


def pdf(*pages, extra=b"", rotate=0):
    """Make a PDF. A page is a list of (x, y, size, text), or (x, y, size, text, angle matrix)."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    names = []
    for page in pages:
        content = "\n".join(_show(*piece) for piece in page).encode("latin-1")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Rotate %d /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (rotate, len(objects))
        )
        names.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(names), b" ".join(names))
    return _file(objects, extra)


def _show(x, y, size, text, turn="1 0 0 1"):
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F1 {size} Tf {turn} {x} {y} Tm ({escaped}) Tj ET"


def _file(objects, extra):
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n"
        % (count, table, count, extra, len(out))
    )


def written(folder, content, name="paper.pdf"):
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(content)
    return path


def lines(*texts, x=60.0, y=700.0, size=BODY):
    """Set lines one below the other, at usual distance."""
    return [(x, y - 12 * i, size, text) for i, text in enumerate(texts)]


FIRST = [
    (60, 740, 18, "On the growth of yeast"),
    (60, 715, 10, "Jane Doe"),
    (60, 680, 13, "1 Introduction"),
    *lines(
        "We study the growth of yeast in a medium, and we find that the number of",
        "cells reaches 10",
        y=650,
    ),
    *lines(
        "The second paragraph begins after a gap, and it goes on for two lines so",
        "that it ends here.",
        y=600,
    ),
]


def test_title_headings_and_paragraphs_come_with_pages_and_places(tmp_path):
    """A page marker opens each page; a box is a fraction of the page from its top left corner."""
    paper = read(written(tmp_path, pdf(FIRST, lines("And a second page with some words on it."))))
    kinds = [(b.kind, b.text[:22], b.page) for b in paper.blocks]
    assert kinds == [
        ("page-marker", "Page 1", 1),
        ("title", "On the growth of yeast", 1),
        ("paragraph", "Jane Doe", 1),
        ("heading", "1 Introduction", 1),
        ("paragraph", "We study the growth of", 1),
        ("paragraph", "The second paragraph b", 1),
        ("page-marker", "Page 2", 2),
        ("paragraph", "And a second page with", 2),
    ]
    heading = paper.blocks[3]
    assert (heading.level, heading.number) == (1, "1")
    assert heading.bbox == pytest.approx((60 / 600, 1 - 690 / 800, 144 / 600, 1 - 680 / 800), abs=0.02)
    assert (paper.title, paper.format, paper.paper_id) == ("On the growth of yeast", "pdf", "paper")
    assert paper.sequence == tuple(block.id for block in paper.blocks)


def test_a_title_of_the_metadata_is_never_used(tmp_path):
    """Without larger text the first words stand for the title."""
    info = b"/Info << /Title (From the metadata) >>"
    paper = read(written(tmp_path, pdf(lines("These are the first words.", "And more."), extra=info)))
    assert paper.title == "These are the first words. And more."


def test_a_raised_exponent_keeps_its_meaning(tmp_path):
    """Ten to the eighteenth is not one thousand and eighteen; an index and a word's note stay."""
    page = [
        (60, 700, 10, "about 10"),
        (98, 704, 7, "18"),
        (110, 700, 10, "cells, or 10"),
        (166, 704, 7, "-5"),
        (180, 700, 10, "of x"),
        (200, 704, 7, "2"),
    ]
    (block,) = read(written(tmp_path, pdf(page))).blocks[1:]
    assert "10^18 cells" in block.text
    assert "10^-5 of" in block.text
    assert "^2" not in block.text


def test_a_word_divided_at_the_end_of_a_line_is_whole(tmp_path):
    """The hyphen of the division goes, one inside a line stays."""
    page = lines("We describe a well-known method of esti-", "mation that is used in all of these papers.")
    (block,) = read(written(tmp_path, pdf(page))).blocks[1:]
    assert block.text == "We describe a well-known method of estimation that is used in all of these papers."


def test_stamps_across_the_page_are_not_text(tmp_path):
    """A watermark, or the stamp of an archive at the margin, is turned."""
    page = [*lines("These words are the text of a paper."), (20, 300, 20, "arXiv:0000.00000", "0 1 -1 0")]
    paper = read(written(tmp_path, pdf(page)))
    assert [block.text for block in paper.blocks[1:]] == ["These words are the text of a paper."]


def test_a_turned_page_is_read_in_its_own_direction(tmp_path):
    """A page in landscape is set with turned text."""
    page = [(100, 100, 10, "A wide table stands", "0 1 -1 0"), (112, 100, 10, "on this page.", "0 1 -1 0")]
    paper = read(written(tmp_path, pdf(page, rotate=90)))
    (block,) = paper.blocks[1:]
    assert block.text == "A wide table stands on this page."
    assert block.bbox[0] == pytest.approx(100 / 800, abs=0.01)
    assert block.bbox[2] - block.bbox[0] > block.bbox[3] - block.bbox[1]


def test_running_heads_and_page_numbers_are_left_out(tmp_path):
    """A sentence over two pages is not interrupted by them."""
    words = ["yeast grows", "rye ripens", "hops climb", "malt dries"]
    pages = [
        [(60, 780, 8, f"{n} Doe and Roe"), *lines(f"Here {word} on page."), (300, 20, 8, str(n))]
        for n, word in enumerate(words, start=1)
    ]
    paper = read(written(tmp_path, pdf(*pages)))
    assert [b.text for b in paper.blocks if b.kind != "page-marker"] == [f"Here {w} on page." for w in words]
    assert [(each.kind, each.text, each.place) for each in paper.removed] == [
        ("running", "1 Doe and Roe … 4 Doe and Roe", "pages 1 to 4"),
        ("running", "1 … 4", "pages 1 to 4"),
    ]


def test_numbers_of_lines_are_left_out_and_listed(tmp_path):
    """Those of both margins, and a package keeps the list."""
    words = ["yeast", "rye", "hops", "malt", "barley", "oats", "wheat"]
    text = [(80, 700 - 12 * at, 10, f"Here grows the {word}, as it does") for at, word in enumerate(words)]
    left = [(40, 700 - 12 * at, 8, str(8 + at)) for at in range(7)]
    right = [(500, 700 - 12 * at, 8, str(57 + at)) for at in range(7)]
    paper = read(written(tmp_path, pdf([*text, *left, *right])))
    (found,) = paper.removed
    assert (found.kind, found.text, found.page) == ("line-numbers", "8 … 63", 1)
    write_files(tmp_path / "out", package.files(paper, lambda _: None))
    assert base.read(tmp_path / "out").removed == paper.removed
    assert not [each for each in screen(tmp_path / "paper.pdf", "paper") if each.kind == "names"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Figure 2 Growth of yeast over time", "caption"),
        ("Table 1 Names of all lakes and their depth.", "caption"),
        ("TABLE IV Rates of the reaction", "caption"),
        ("Fig. 3 Bridges before the storm", "caption"),
        ("Figure A1 Prices by month", "caption"),
        ("Figure 2 shows the growth of yeast over time.", "paragraph"),
        ("Table 1 lists all lakes and their depth.", "paragraph"),
        ("Figures 2 and 3 are drawn at one scale.", "paragraph"),
        ("Table 3 (above) gives the rates of the reaction.", "paragraph"),
        ("Tables are turned in the third act of the play.", "paragraph"),
    ],
)
def test_a_caption_needs_no_stop_behind_its_number(tmp_path, line, kind):
    """What goes on with a small letter is a sentence."""
    page = [*lines("The first words of the page are these.", y=740), *lines(line, y=690)]
    assert read(written(tmp_path, pdf(page))).blocks[-1].kind == kind


def test_captions_and_references_are_told_apart(tmp_path):
    """By how they begin, and by the heading before."""
    page = [
        *lines("Figure 2: Growth of yeast over time.", y=740),
        *lines("References", y=695),
        *lines(
            "[1] Doe, J. Growth of yeast. Journal of Yeast,",
            "12:1-20, 2001.",
            "[2] Roe, R. More yeast. 2002.",
            y=680,
        ),
    ]
    made = read(written(tmp_path, pdf(page))).blocks[1:]
    assert [(b.kind, b.labels, b.number) for b in made] == [
        ("caption", (), "2"),
        ("heading", (), None),
        ("reference", ("1",), None),
        ("reference", ("2",), None),
    ]


ENCRYPTED = (
    b"/Encrypt << /Filter /Standard /V 1 /R 2 /O ("
    + b"o" * 32
    + b") /U ("
    + b"u" * 32
    + b") /P -4 >> /ID [(a) (a)]"
)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "the file is empty"),
        (b"<!DOCTYPE html><p>Not found", "the content is HTML, not PDF"),
        (b"plain words", "the content is not PDF"),
        (b"%PDF-1.4\ngarbage", "the PDF is damaged"),
        (pdf(lines("secret"), extra=ENCRYPTED), "encrypted, it needs a password"),
        (pdf(), "the PDF"),
        (pdf([], []), "no text on any page"),
        (pdf(*[[]] * 401), "401 pages"),
    ],
    ids=["empty", "html", "text", "damaged", "encrypted", "no pages", "no text", "401 pages"],
)
def test_what_cannot_be_read_is_refused_in_one_line(tmp_path, content, what):
    """What it is, where, and what would be right."""
    path = written(tmp_path, content)
    with pytest.raises(UnusableInput) as caught:
        read(path)
    assert caught.value.what.startswith(what)
    assert caught.value.where == str(path)
    assert caught.value.expected.startswith("expected")
    assert "\n" not in str(caught.value)


def test_a_file_of_more_than_200_mebibytes_is_refused(tmp_path):
    """Before it is read."""
    path = written(tmp_path, b"%PDF-1.4\n")
    with path.open("r+b") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(UnusableInput, match="200 MiB"):
        read(path)


def test_junk_before_the_header_is_no_obstacle(tmp_path):
    """As some mail gateways put it there."""
    paper = read(written(tmp_path, b"junk\n" * 50 + pdf(lines("Some words of text."))))
    assert paper.blocks[-1].text == "Some words of text."


def test_reading_that_takes_too_long_is_stopped(tmp_path):
    """The child is killed and the reason given."""
    path = written(tmp_path, pdf(lines("Some words.")))
    with pytest.raises(UnusableInput, match=r"reading took more than 0\.01 s"):
        extract(path, seconds=0.01)


def test_reading_that_needs_too_much_memory_is_refused(tmp_path):
    """The limit holds in the child only."""
    pytest.importorskip("resource", reason="the platform cannot limit memory")
    path = written(tmp_path, pdf(lines("Some words.")) + b" " * 50_000_000)
    with pytest.raises(UnusableInput, match="more memory"):
        extract(path, memory=300_000_000 // 10)


@pytest.mark.parametrize(
    ("code", "stderr", "what"),
    [
        (-11, b"", "PDFium crashed (signal 11)"),
        (1, b"Traceback\nOSError: x", "reading failed with code 1 (OSError: x)"),
    ],
)
def test_a_crash_of_the_child_says_what_happened(code, stderr, what):
    """A signal is a crash; else its last line is the reason."""
    assert _why(subprocess.CompletedProcess([], code, b"", stderr)) == what


def page_of(*texts, odd=0):
    """Make a page of lines without geometry of interest."""
    box = (0.1, 0.1, 0.9, 0.2)
    made = tuple(
        Line(text=t, x0=60, x1=500, y=700 - 12 * i, size=10, bold=False, hyphen=False, box=box, odd=odd)
        for i, t in enumerate(texts)
    )
    return Page(lines=made, image=False)


PROSE = "We study the growth of yeast and find that it depends on the temperature of the medium"


@pytest.mark.parametrize(
    ("page", "refused"),
    [
        (page_of(*[PROSE] * 30), False),
        (page_of(*[PROSE] * 30, odd=30), True),
        (page_of(*["/C84 /C104 /C101 /C12 /C13 word word"] * 30), True),
        (page_of(*["Xh vwxgb wkh jurzwk ri bhdvw dqg ilqg wkdw lw ghshqgv rq"] * 30), True),
        (page_of(*["Wir untersuchen das Wachstum der Hefe und finden eine Abhängigkeit"] * 60), False),
        (page_of(*["Tutkimme hiivan kasvua ja havaitsemme riippuvuuden lämpötilasta"] * 60), False),
        (page_of(*["我们研究酵母的生长并发现其依赖于温度"] * 60), False),
        (page_of("1 2 3"), False),
    ],
    ids=[
        "prose",
        "control characters",
        "glyph names",
        "shifted letters",
        "German",
        "Finnish",
        "Chinese",
        "too little",
    ],
)
def test_a_text_layer_that_is_no_language_is_told(page, refused):
    """By odd characters, names of glyphs, stop words and vowels; any human language passes."""
    assert bool(unreadable([page])) == refused


def test_pieces_of_a_formula_are_one_block(tmp_path):
    """And the text around it is not drawn in."""
    page = [
        *lines(f"{PROSE}, hence"),
        (260, 676, 10, "y(t) = a"),
        (310, 684, 14, "X"),
        (312, 664, 7, "i=1"),
        (330, 676, 10, "x(i) + b,"),
        *lines(f"where {PROSE.lower()}.", y=640),
    ]
    made = read(written(tmp_path, pdf(page))).blocks[1:]
    assert [block.kind for block in made] == ["paragraph", "equation", "paragraph"]
    assert made[1].text == "y(t) = a X i=1 x(i) + b,"


@pytest.mark.long
@pytest.mark.parametrize("name", ["coset_codes", "targeting_interventions", "cortical_circuits"])
def test_real_papers_are_read(name):
    """Most of their text stands in paragraphs of some length, and their headings are found."""
    path = SHARED / "papers" / f"{name}.pdf"
    if not path.is_file():
        pytest.skip("needs papers in shared/data beside the project")
    paper = read(path)
    characters = sum(len(b.text) for b in paper.blocks)
    assert sum(len(b.text) for b in paper.blocks if len(b.text) > 150) > 0.6 * characters
    assert sum(b.kind == "heading" for b in paper.blocks) >= 8
    assert any(b.kind == "title" for b in paper.blocks)
