"""Line numbers in the margin."""

import pytest

from rereview.ingest.pdf_margin import line_numbers
from rereview.ingest.pdf_order import Glyph

SIZE = 10


def page(*rows):
    """Make a page of rows; a row is pieces (x, text), each drawn as a line of its own."""
    lines, glyphs, texts = [], [], []
    for row, pieces in enumerate(rows):
        for x, text in pieces:
            lines.append(range(len(texts), len(texts) + len(text)))
            glyphs += [
                None if c == " " else Glyph(x + 5 * n, x + 5 * n + 5, 700 - 12 * row, SIZE)
                for n, c in enumerate(text)
            ]
            texts += text
    return lines, glyphs, texts


def dropped(made):
    return "".join(made[2][index] for index in sorted(line_numbers(*made)))


@pytest.mark.parametrize("x", [40, 420], ids=["left", "right"])
@pytest.mark.parametrize(("first", "step"), [(1, 1), (98, 1), (5, 5)])
def test_numbers_that_count_beside_the_text_are_dropped(x, first, step):
    """At either side, from any number, of every line or of every fifth."""
    numbers = [str(first + step * n) for n in range(8)]
    rows = [[(80, "this is a line of the text"), (x, number)] for number in numbers]
    assert dropped(page(*rows)) == "".join(numbers)


def test_a_number_of_a_page_among_them_does_no_harm():
    """At the foot of the margin."""
    rows = [[(80, "this is a line of the text"), (40, str(n))] for n in range(1, 12)]
    assert dropped(page(*rows, [(40, "117")])).startswith("1234567891011")


@pytest.mark.parametrize(
    "rows",
    [
        [[(80, str(n)), (120, "a row of a table")] for n in range(1, 9)] + [[(80, "The text of a paper")]],
        [[(80, "a row of the text"), (40, value)] for value in ("3", "1", "4", "1", "5", "9")],
        [[(80, "a row of the text"), (40, str(n))] for n in range(1, 5)],
        [[(40, str(n)), (80, str(n + 1))] for n in range(9)],
    ],
    ids=["a table in the text", "they do not count", "too few", "numbers alone"],
)
def test_other_numbers_are_kept(rows):
    """What stands within the text or does not count is what the paper says."""
    assert dropped(page(*rows)) == ""
