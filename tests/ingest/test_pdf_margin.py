"""Line numbers in the margin."""

import pytest

from rereview.ingest.pdf_margin import line_numbers
from rereview.ingest.pdf_order import Glyph

SIZE = 10
CELL = "what is said in many words"
ROWS = list(zip(range(1, 13), [1, 0, 2, 1, 2, 0, 1, 1, 3, 0, 2, 1], strict=True))
"""Numbers of rows, and how many lines each of them has more than one."""


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
@pytest.mark.parametrize(("first", "step"), [(1, 1), (98, 1), (5, 5), (210, 10)])
def test_numbers_that_count_beside_the_text_are_dropped(x, first, step):
    """At either side, from any number, of every line, of every fifth or every tenth."""
    numbers = [str(first + step * n) for n in range(6)]
    text = (80, "this is a line of the text")
    rows = [row for number in numbers for row in [[text, (x, number)], *[[text]] * (step - 1)]]
    assert dropped(page(*rows)) == "".join(numbers)


def test_numbers_of_two_columns_are_dropped():
    """Those of each column stand outside of it; headings part some lines."""
    rows = [
        [
            (30, str(n)),
            (60, "a line of the first column"),
            (230, "a line of the second one"),
            (380, str(n + 40)),
        ]
        for n in range(10, 22)
    ]
    said = "".join(f"{n}{n + 40}" for n in range(10, 22))
    assert dropped(page(*rows[:4], [], *rows[4:9], [], [], *rows[9:])) == said


def test_headings_and_formulas_among_every_fifth_line_do_no_harm():
    """The numbers are then not at even distances."""
    text = [(80, "this is a line of the text")]
    blank = [[], [2], [], [0, 3, 4], [], [1], []]
    rows = []
    for n, after in enumerate(blank):
        for line in range(5):
            rows.append([*text, (40, str(5 * n + 5))] if line == 0 else text)
            rows += [[]] * (line in after)
    assert dropped(page(*rows)) == "5101520253035"


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
        [
            row
            for n, more in ROWS
            for row in [[(40, str(n)), (80, "Reed"), (150, CELL)], *[[(150, CELL)]] * more]
        ],
        [
            row
            for n, more in ROWS
            for row in [[(40, str(n)), (80, "Reed, 2009, and more")], *[[(80, CELL)]] * more]
        ],
        [row for n in range(1, 12) for row in [[(40, str(n)), (80, CELL)], [(80, CELL)]]],
        [[(40, "Year"), (80, "hives")], *([(40, str(1998 + n)), (80, "many of them")] for n in range(12))],
        [[(40, str(1900 + 10 * n)), (80, "many of the hives")] for n in range(12)],
        [*([(70, str(n)), (90, CELL)] for n in range(1, 9)), [(77, "The text of a paper")]],
    ],
    ids=[
        "a table in the text",
        "they do not count",
        "too few",
        "numbers alone",
        "rows of a long table, some of two lines and three",
        "entries of a list of one line and more",
        "entries of two lines each",
        "years under a head",
        "every tenth year",
        "no white between",
    ],
)
def test_other_numbers_are_kept(rows):
    """What stands within the text or does not count is what the paper says."""
    assert dropped(page(*rows)) == ""
