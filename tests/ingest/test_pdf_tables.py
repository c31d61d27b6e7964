"""Tables of a PDF, found by cells that stand below each other."""

import pytest

from rereview.ingest.pdf_blocks import blocks
from rereview.ingest.pdf_figures import places
from rereview.ingest.pdf_tables import aligned
from rereview.ingest.pdf_text import Line, Page

SIZE, WIDTH, HEIGHT = 10.0, 600.0, 800.0
LETTER = 5.0
PROSE = "These words are a line of the text that goes on for all of its usual width"
RIVER = [
    ((60, "River"), (200, "Flow"), (300, "Trout")),
    ((60, "Isar"), (200, "64"), (300, "12.5")),
    ((60, "Upper Lech"), (200, "115"), (300, "8.1")),
    ((60, "Inn"), (200, "354"), (300, "30.0")),
]


def line(y, *cells):
    """One line of cells (x, text)."""
    ends = [(float(x), x + LETTER * len(text)) for x, text in cells]
    return Line(
        text=" ".join(text for _, text in cells),
        x0=ends[0][0],
        x1=ends[-1][1],
        y=y,
        size=SIZE,
        bold=False,
        hyphen=False,
        box=(ends[0][0] / WIDTH, 1 - (y + 7) / HEIGHT, ends[-1][1] / WIDTH, 1 - (y - 2) / HEIGHT),
        cells=tuple(ends) if len(ends) > 1 else (),
    )


def rows(top, *found, step=12):
    return [line(top - step * at, *cells) for at, cells in enumerate(found)]


def prose(top, bottom, x=60, text=PROSE):
    return [line(y, (x, text)) for y in range(top, bottom, -12)]


def caption(y, text="Table 1. Trout in four rivers.", x=60):
    return line(y, (x, text))


def found(lines):
    """The text of each table."""
    return ["|".join(lines[place].text for place in table.lines) for table in aligned(lines)]


RIVERS = "|".join(" ".join(text for _, text in row) for row in RIVER)


@pytest.mark.parametrize("step", [12, 18, 24], ids=["single", "one and a half", "double"])
def test_rows_below_a_caption_are_a_table_at_any_spacing(step):
    """Up to the note, which runs over all columns."""
    note = [line(700 - 5 * step, (60, f"Note: {PROSE}")), line(700 - 6 * step, (60, PROSE))]
    lines = [caption(700), *rows(700 - step, *RIVER, step=step), *note, *prose(400, 300)]
    assert found(lines) == [RIVERS]


def test_rows_above_a_caption_are_a_table():
    """The text above them is none, nor that below the caption."""
    lines = [*prose(760, 700), *rows(680, *RIVER), caption(630), *prose(606, 300)]
    assert found(lines) == [RIVERS]


def test_cells_may_be_lines_of_their_own():
    """A file may draw a table column by column."""
    cells = [
        line(680 - 12 * at, cell)
        for column in range(3)
        for at, cell in enumerate(row[column] for row in RIVER)
    ]
    (table,) = aligned([caption(700), *cells])
    assert len(table.lines) == 12


def test_headings_within_a_table_and_cells_of_two_lines_belong_to_it():
    """One line that crosses the columns, and one that stays in its own."""
    within = [
        *RIVER[:2],
        ((60, "Panel B: after the flood of the year 2005"),),
        *RIVER[2:],
        ((60, "(upper)"),),
    ]
    (text,) = found([caption(700), *rows(680, *within), *prose(560, 500)])
    assert text.startswith("River Flow Trout")
    assert text.endswith("(upper)")


def test_a_caption_of_several_lines_and_a_unit_may_stand_before_the_rows():
    """The caption goes on at its own spacing."""
    lines = [caption(700), *prose(688, 670), line(664, (200, "(tonnes)")), *rows(650, *RIVER)]
    assert found(lines) == [RIVERS]


def test_a_table_stays_in_its_column():
    """The text of the other column is none of it, though it stands at the same heights."""
    short = "Words of the other column here"
    left = [((60, a), (120, b), (170, c)) for (_, a), (_, b), (_, c) in RIVER]
    lines = [caption(700, "Table 1. Trout."), *rows(680, *left), *prose(630, 300, text=short)]
    lines += prose(700, 300, x=330, text=short)
    assert found(lines) == [RIVERS]


def even(words, x=60, white=9.0):
    cells = []
    for word in words.split():
        cells.append((x, word))
        x += LETTER * len(word) + white
    return tuple(cells)


TWO = ((60, "a line of the left column of text"), (320, "a line of the right column of it"))
THREE = tuple((x, "words that fill one of three") for x in (40, 220, 400))


@pytest.mark.parametrize(
    "other",
    [
        [((60, PROSE),)] * 8,
        [even("loose words of a line that is drawn out to fill its column")] * 8,
        [TWO] * 8,
        [THREE] * 8,
        [((60, f"{n}."), (80, "Weigh the sample and wait for it to settle")) for n in range(1, 9)],
        [((60, "•"), (80, "Weigh the sample and wait for it to settle"))] * 8,
        [((200, "y = ax + b"), (500, f"({n})")) for n in range(1, 9)],
        [((60, f"[{n}]"), (90, "A. Doe. On the growth of rye. 1990")) for n in range(1, 9)],
        [((60, "one"), (300 + 40 * n, "other")) for n in range(0, 9, 4)],
        [((60, "Isar"), (200, "64"))],
        [],
    ],
    ids=[
        "prose",
        "drawn out",
        "two columns",
        "three columns",
        "a numbered list",
        "a list",
        "formulas",
        "references",
        "white that does not run down",
        "one row",
        "nothing",
    ],
)
@pytest.mark.parametrize("below", [True, False], ids=["below", "above"])
def test_what_only_looks_like_rows_is_no_table(other, below):
    """Text in columns, lists, formulas with numbers, loose lines."""
    assert found([caption(700), *rows(680 if below else 800, *other)]) == []


def test_rows_far_from_a_caption_or_without_one_are_no_table():
    """Nor those after a paragraph of the text, or beyond another caption."""
    assert found([caption(700), *rows(620, *RIVER)]) == []
    assert found(rows(680, *RIVER)) == []
    assert found([caption(700, "Figure 1. Trout."), *rows(680, *RIVER)]) == []
    assert found([caption(700), *prose(680, 570), *rows(560, *RIVER)]) == []
    assert found([caption(700), caption(680, "Figure 2. A map."), *rows(660, *RIVER)]) == []


def page(lines):
    return Page(lines=tuple(lines), image=False)


def test_rows_are_no_part_of_the_caption():
    """In double spacing neither is what follows them."""
    lines = [caption(700), *rows(676, *RIVER, step=24), *prose(580, 520)]
    texts = [block.text for block in blocks([page(lines)]) if block.kind != "page-marker"]
    assert texts[:2] == ["Table 1. Trout in four rivers.", RIVERS.replace("|", " ")]
    assert all("Isar" not in text for text in texts[2:])


def crops(lines, graphics=()):
    pages = [Page(lines=tuple(lines), image=False, graphics=tuple(graphics))]
    return {place.name: place.box for place in places(pages, blocks(pages))}


def test_a_crop_holds_the_rows_and_the_rules_around_them():
    """And neither the caption nor the text."""
    bottom = (0.1, 1 - 637 / HEIGHT, 0.6, 1 - 636 / HEIGHT)
    lines = [caption(700), *rows(680, *RIVER), *prose(610, 500)]
    x0, y0, x1, y1 = crops(lines, [bottom])["table 1"]
    assert [x0 * WIDTH, (1 - y0) * HEIGHT, x1 * WIDTH, (1 - y1) * HEIGHT] == pytest.approx(
        [58, 690, 362, 634], abs=6
    )


def test_a_crop_ends_before_text_that_follows_closely():
    """The line after the last row is none of it, on either side."""
    below = [caption(700), *rows(680, *RIVER), *prose(632, 500)]
    above = [*prose(706, 690), *rows(680, *RIVER), caption(630)]
    assert crops(below)["table 1"][3] <= 1 - (632 + 4) / HEIGHT
    assert crops(above)["table 1"][1] >= 1 - (694 + 1) / HEIGHT


def test_between_two_captions_rows_go_to_the_side_that_others_have():
    """A table stands above its caption where those do that are plain."""
    first = [*rows(760, *RIVER), caption(710, "Table 1. Trout.")]
    second = [*rows(690, *RIVER), caption(640, "Table 2. Grayling.")]
    lines = [*first, *second, *prose(610, 500)]
    found_ = crops(lines)
    assert found_["table 1"][3] < found_["table 2"][1]
    assert found_["table 2"][1] > lines[4].box[1]


def test_a_rule_alone_is_no_table():
    """A table that is no rows and no drawing gets no crop."""
    flat = (0.1, 1 - 690 / HEIGHT, 0.6, 1 - 689 / HEIGHT)
    assert crops([caption(700), *prose(676, 500)], [flat]) == {}
