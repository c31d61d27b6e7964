"""Cells of tables from LaTeX, Markdown and plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.text.tables import MOST_COLUMNS, Grid, cells, grids

MINERALS = r"""\begin{table}[t]\caption{Hardness & cleavage}
\begin{tabular}{l@{ }cc}
\toprule
Mineral & \multicolumn{2}{c}{Hardness} \\
\cmidrule(lr){2-3}
 & dry & wet \\
\midrule
\multirow{2}{*}{Calcite \& spar} & 3.0 & 2{,}9 \\[2pt]
 & 3.1 & {\bf 2 \\ & 3} \\
\midrule
Quartz & \textbf{7.0} & -- \\
\bottomrule
\end{tabular}
\end{table}"""


def shown(grid: Grid) -> list[tuple[int, int, str]]:
    """Row, column and words of each cell."""
    return [(c.row, c.column, c.plain) for c in grid.cells]


def test_cells_of_a_latex_table_stand_at_their_row_and_column() -> None:
    """Spanning cells stand once; ampersands in braces and escaped ones part nothing."""
    grid = cells(MINERALS, format="latex")
    assert shown(grid) == [
        (0, 0, "Mineral"), (0, 1, "Hardness"),
        (1, 0, ""), (1, 1, "dry"), (1, 2, "wet"),
        (2, 0, "Calcite & spar"), (2, 1, "3.0"), (2, 2, "2,9"),
        (3, 1, "3.1"), (3, 2, "2 & 3"),
        (4, 0, "Quartz"), (4, 1, "7.0"), (4, 2, "–"),
    ]  # fmt: skip
    assert (grid.rows, grid.columns) == (5, 3)


def test_rules_are_those_that_cross_the_whole_table() -> None:
    """The rule above the first row is after row -1; partial rules are left out."""
    assert cells(MINERALS, format="latex").rules == (-1, 1, 3, 4)


def test_the_source_of_a_cell_is_its_text_in_the_block() -> None:
    """Places are exact, also inside a cell that spans."""
    for cell in cells(MINERALS, format="latex").cells:
        assert MINERALS[cell.start : cell.end] == cell.source
    spanning = [
        (c.source, c.rows, c.columns) for c in cells(MINERALS, format="latex").cells if c.rows + c.columns > 2
    ]
    assert spanning == [("Hardness", 1, 2), (r"Calcite \& spar", 2, 1)]


def test_markdown_rows_are_parted_at_pipes_and_ruled_below_the_head() -> None:
    """An escaped pipe is part of a cell, outer pipes are optional."""
    text = "Yields.\n\n| Crop | t/ha |\n|:-----|----:|\n| Oats \\| rye | **4.1** |\nBarley | 5.0\n\nAfter."
    grid = cells(text, format="markdown")
    assert shown(grid) == [
        (0, 0, "Crop"), (0, 1, "t/ha"), (1, 0, "Oats | rye"), (1, 1, "4.1"), (2, 0, "Barley"), (2, 1, "5.0"),
    ]  # fmt: skip
    assert grid.rules == (0,)


def test_plain_text_is_parted_at_tabs_and_wide_gaps() -> None:
    """A single space belongs to a cell."""
    grid = cells("Site name   depth\nUpper fen\t12", format="pdf")
    assert shown(grid) == [(0, 0, "Site name"), (0, 1, "depth"), (1, 0, "Upper fen"), (1, 1, "12")]


def test_a_row_that_spans_upwards_stands_at_its_first_row() -> None:
    """A negative count of rows is read as TeX reads it."""
    text = r"\begin{tabular}{ll} & a \\ \multirow{-2}{*}{X} & b \end{tabular}"
    grid = cells(text, format="latex")
    assert [(c.plain, c.row, c.rows) for c in grid.cells if c.plain == "X"] == [("X", 0, 2)]


def test_two_tables_side_by_side_are_two_grids() -> None:
    """`cells` gives the first, `grids` both."""
    text = r"\begin{tabular}{l} a \end{tabular} \begin{tabularx}{\textwidth}{l} b \end{tabularx}"
    assert [shown(g) for g in grids(text, format="latex")] == [[(0, 0, "a")], [(0, 0, "b")]]


@pytest.mark.parametrize("text", ["", "no table here", r"\begin{tabular}"])
def test_where_there_is_no_table_the_grid_is_empty(text: str) -> None:
    """No table and a table that breaks off at once have no rows."""
    assert cells(text, format="latex").rows == 0


words = st.text(st.sampled_from("ab01.%&\\{}$ \n|-[]*"), max_size=80)


@given(words, st.sampled_from(["latex", "markdown", "pdf"]))
def test_any_text_gives_places_that_hold_what_the_cell_says(text: str, form: str) -> None:
    """Broken braces and lost ends never give a place outside of the text."""
    whole = f"\\begin{{tabular}}{{ll}}{text}" if form == "latex" else text
    for grid in grids(whole, format=form):
        for cell in grid.cells:
            assert whole[cell.start : cell.end] == cell.source
            assert cell.source == cell.source.strip()
            assert cell.row < grid.rows
            assert cell.column < grid.columns


def test_a_cell_that_says_it_spans_millions_ends_with_the_table() -> None:
    """A broken count of rows or columns does not make a grid of that size."""
    grid = cells(
        r"\begin{tabular}{l} \multirow{9999999}{*}{a} & b \\ & \multicolumn{9999999}{c}{d} \end{tabular}",
        format="latex",
    )
    assert [(c.plain, c.rows) for c in grid.cells if c.plain == "a"] == [("a", 2)]
    assert grid.columns < 1000


def test_a_span_without_end_is_taken_at_the_most_that_a_page_holds():
    """Thousands of digits in the place of a number of columns or rows."""
    digits = "9" * 5000
    made = cells(
        rf"\begin{{tabular}}{{cc}}\multicolumn{{{digits}}}{{c}}{{a}} & b\\\end{{tabular}}", format="latex"
    )
    assert made.cells[0].columns == MOST_COLUMNS
    made = cells(
        rf"\begin{{tabular}}{{cc}}\multirow{{{digits}}}{{*}}{{a}} & b\\\end{{tabular}}", format="latex"
    )
    assert made.cells[0].rows == 1
