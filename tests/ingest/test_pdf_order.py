"""Reading order of pages with columns."""

from itertools import pairwise

import pytest

from rereview.ingest import pdf_child
from rereview.ingest.pdf_order import Glyph, ordered

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>"
ROWS, WORDS = 40, 6
LEFT, RIGHT, TOP, LEADING, SIZE = 50, 312, 720, 12, 9
"""A column is WORDS words of five letters and a space, 0.6 em each: 194 points of Courier."""


def pdf(*contents):
    """Make a PDF of pages with these content streams."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", FONT]
    kids = []
    for content in contents:
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 560 792] /Contents %d 0 R "
            b"/Resources << /Font << /F 3 0 R >> >> >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (n, o) for n, o in enumerate(objects, start=1))
    return b"%PDF-1.4\n" + body + b"trailer\n<< /Root 1 0 R >>\n"


def show(x, y, text, size=SIZE):
    return f"BT /F {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET".encode()


def token(number):
    return f"w{number:04d}"


def column(first, *, rows=ROWS):
    """Lines of numbered words."""
    return [" ".join(token(first + row * WORDS + at) for at in range(WORDS)) for row in range(rows)]


def placed(shift=0.0):
    """The two columns of a page as (x, y, text), column by column; `shift`: of the right one, in points."""
    return [
        (x, TOP - LEADING * row - move, text)
        for x, move, first in ((LEFT, 0.0, 0), (RIGHT, shift, ROWS * WORDS))
        for row, text in enumerate(column(first))
    ]


def tokens(folder, content):
    """The numbers of the words in the order in which they are read."""
    path = folder / "paper.pdf"
    path.write_bytes(content)
    (page,) = pdf_child.read(path, 400).pages
    words = " ".join(line.text for line in page.lines).split()
    return [int(word[1:]) for word in words if word[0] == "w" and word[1:].isdecimal()]


def breaks(found):
    return sum(after != before + 1 for before, after in pairwise(found))


@pytest.mark.parametrize("shift", [0.0, 3.0, 6.0], ids=["level", "a little lower", "between the rows"])
@pytest.mark.parametrize("order", ["columns", "rows", "reverse"])
def test_columns_are_read_one_after_the_other_however_they_are_drawn(tmp_path, order, shift):
    """Column by column, row by row across both, or from the bottom: no word is out of order."""
    lines = placed(shift)
    if order == "rows":
        lines.sort(key=lambda line: (-line[1], line[0]))
    if order == "reverse":
        lines.reverse()
    found = tokens(tmp_path, pdf(b"\n".join(show(*line) for line in lines)))
    assert len(found) == 2 * ROWS * WORDS
    assert breaks(found) == 0


def test_words_of_one_row_are_cut_at_the_gutter(tmp_path):
    """Also where both columns of a row are one string."""
    left, right = column(0), column(ROWS * WORDS)
    space = " " * round((RIGHT - LEFT) / (0.6 * SIZE) - len(left[0]))
    content = b"\n".join(
        show(LEFT, TOP - LEADING * row, a + space + b)
        for row, (a, b) in enumerate(zip(left, right, strict=True))
    )
    found = tokens(tmp_path, pdf(content))
    assert len(found) == 2 * ROWS * WORDS
    assert breaks(found) == 0


def test_both_columns_are_read_up_to_a_row_that_crosses(tmp_path):
    """A title first, and what stands above a wide caption before it, in either column."""
    across, upper = " ".join(token(n) for n in range(900, 912)), 15
    above, below = column(0, rows=upper), column(upper * WORDS, rows=upper)
    lines = [(LEFT, TOP + 30, "w9000 a title of the paper that stands over both of its columns")]
    for block, top in ((above, TOP), (below, TOP)):
        x = LEFT if block is above else RIGHT
        lines += [(x, top - LEADING * row, text) for row, text in enumerate(block)]
    middle = TOP - LEADING * (upper + 1)
    lines.append((LEFT + 40, middle, across))
    after = 2 * upper * WORDS
    for x, first in ((LEFT, after), (RIGHT, after + upper * WORDS)):
        lines += [
            (x, middle - LEADING * (row + 2), text) for row, text in enumerate(column(first, rows=upper))
        ]
    lines.sort(key=lambda line: (-line[1], line[0]))
    found = tokens(tmp_path, pdf(b"\n".join(show(*line) for line in lines)))
    assert found[0] == 9000
    assert found[1 : 1 + after] == list(range(after))
    assert found[1 + after : 13 + after] == list(range(900, 912))
    assert found[13 + after :] == list(range(after, 2 * after))


def test_a_word_divided_before_the_gutter_is_whole(tmp_path):
    """It goes on in the next line of its column, not across the gutter."""
    lines = sorted(placed(), key=lambda line: (-line[1], line[0]))
    lines[0] = (LEFT, TOP, "about the twenty-eight sim-")
    lines[2] = (LEFT, TOP - LEADING, "ilar papers of one collection")
    path = tmp_path / "paper.pdf"
    path.write_bytes(pdf(b"\n".join(show(*line) for line in lines)))
    (page,) = pdf_child.read(path, 400).pages
    assert [(line.text, line.hyphen) for line in page.lines[:2]] == [
        ("about the twenty-eight sim", True),
        ("ilar papers of one collection", False),
    ]


def test_a_table_is_read_row_by_row(tmp_path):
    """Cells do not fill columns as lines do."""
    rows = [(f"w{2 * n:04d}", f"w{2 * n + 1:04d}") for n in range(30)]
    content = b"\n".join(
        show(x, TOP - LEADING * n, text)
        for n, row in enumerate(rows)
        for x, text in zip((LEFT, RIGHT + 150), row, strict=True)
    )
    assert tokens(tmp_path, pdf(content)) == list(range(60))


def test_one_column_is_left_as_it_is_drawn():
    """Lines over the whole width have no gutter."""
    glyphs = [Glyph(50 + 6 * n, 55 + 6 * n, 700 - 12 * row, 10) for row in range(20) for n in range(70)]
    assert ordered([range(70 * row, 70 * row + 70) for row in range(20)], glyphs) is None
    assert ordered([], []) is None


def test_text_far_off_the_page_takes_no_memory():
    """A grid of points would take gigabytes."""
    glyphs = [Glyph(x, x + 5, y, 10) for x in (0, 1e7) for y in (0, 1e7, 700)]
    assert ordered([range(6)], glyphs) is None


def set_in(columns, *, rows=ROWS, words=3, last=None, width=560, top=TOP):
    """Lines of numbered words in so many columns as (x, y, text); `last`: rows of the last one."""
    pitch = (width - 2 * LEFT + 20) / columns
    made, number = [], 0
    for at in range(columns):
        for row in range(last if last is not None and at == columns - 1 else rows):
            text = " ".join(token(number + n) for n in range(words))
            made.append((LEFT + pitch * at, top - LEADING * row, text))
            number += words
    return made


def drawn(lines, order):
    """The content of a page whose lines are drawn in another order."""
    if order == "rows":
        lines = sorted(lines, key=lambda line: (-line[1], line[0]))
    if order == "reverse":
        lines = lines[::-1]
    return pdf(b"\n".join(show(*line) for line in lines))


@pytest.mark.parametrize("order", ["columns", "rows", "reverse"])
@pytest.mark.parametrize("last", [None, 12], ids=["full", "the last ends early"])
@pytest.mark.parametrize(("columns", "words"), [(3, 4), (4, 3)])
def test_three_and_four_columns_are_read_one_after_the_other(tmp_path, columns, words, last, order):
    """Of a poster, or of a page of references, in whatever order they are drawn."""
    lines = set_in(columns, words=words, last=last)
    found = tokens(tmp_path, drawn(lines, order))
    assert found == list(range(len(lines) * words))


@pytest.mark.parametrize("order", ["columns", "rows"])
def test_a_title_over_three_columns_comes_first(tmp_path, order):
    """Also a short one, which stands above the middle column alone; and a band below them comes last."""
    lines = set_in(3, words=4, top=TOP - 40)
    title = (LEFT + 175, TOP, "w8000 Soil", 16)
    foot = (LEFT, TOP - 40 - LEADING * (ROWS + 1), "w9000 " + "the growth of rye was measured " * 2)
    found = tokens(tmp_path, drawn([*lines, foot, title], order))
    assert found == [8000, *range(len(lines) * 4), 9000]


def test_what_stands_over_two_of_three_columns_is_read_with_the_first_of_them(tmp_path):
    """No column is cut through by it that it does not reach."""
    lines = set_in(3, words=4)
    pitch = 480 / 3
    wide = [
        (x, y, "w9000 a caption over two columns of the three")
        if (x, y) == (LEFT, TOP - 5 * LEADING)
        else (x, y, text)
        for x, y, text in lines
        if (x, y) != (LEFT + pitch, TOP - 5 * LEADING)
    ]
    found = [number for number in tokens(tmp_path, drawn(wide, "rows")) if number != 9000]
    assert breaks(found) == 2


def cells(top, rows, *starts, first=5000):
    """Rows of a table as (x, y, text): a word in each cell."""
    return [
        (x, top - LEADING * row, token(first + row * len(starts) + at))
        for row in range(rows)
        for at, x in enumerate(starts)
    ]


def test_a_wide_table_of_three_columns_does_not_make_three_of_two(tmp_path):
    """The text is read in its two columns, the rows of the table stay together above it."""
    table = cells(TOP, 8, LEFT, LEFT + 190, LEFT + 400)
    text = [(x, y - 10 * LEADING, words) for x, y, words in placed()]
    found = tokens(tmp_path, drawn([*table, *text], "rows"))
    assert [number for number in found if number < 5000] == list(range(2 * ROWS * WORDS))


def test_a_table_of_three_columns_in_one_column_of_text_is_read_row_by_row(tmp_path):
    """However long it is."""
    lines = [
        (LEFT, TOP - LEADING * row, " ".join(token(row * 12 + n) for n in range(12))) for row in range(10)
    ]
    table = cells(TOP - 11 * LEADING, 30, LEFT, LEFT + 190, LEFT + 400)
    found = tokens(tmp_path, drawn([*lines, *table], "columns"))
    assert found == [*range(120), *range(5000, 5090)]


def test_halves_of_one_column_are_not_columns_of_the_page(tmp_path):
    """Two lists beside each other in the left one of two."""
    left = [
        (
            LEFT + 100 * half,
            TOP - LEADING * row,
            " ".join(token(5000 + 6 * row + 3 * half + n) for n in range(3)),
        )
        for row in range(ROWS)
        for half in (0, 1)
    ]
    right = [(x, y, text) for x, y, text in placed() if x == RIGHT]
    found = tokens(tmp_path, drawn([*left, *right], "columns"))
    assert found == [*range(5000, 5000 + 6 * ROWS), *range(ROWS * WORDS, 2 * ROWS * WORDS)]
