"""Figures as PDF and PNG, and their numbers as CSV."""

import csv
import io

import pytest
from PIL import Image

import score_frames
from report.measurements import HOSTILE, measured
from rereview.report.plots import COLUMN, drawn, numbers, places, write


@pytest.fixture(scope="module")
def two():
    """Two configurations, one of them with a name that means harm."""
    return measured(["A", HOSTILE], papers=6, rounds=4)


def rows(chart):
    return list(csv.DictReader(io.StringIO(numbers(chart))))


def test_the_files_have_the_size_of_a_column_and_fonts_that_can_be_searched(two, tmp_path):
    """PDF with TrueType fonts, PNG of 300 dots an inch, CSV; no date and no program in them."""
    paths = write(two.chart("budget"), tmp_path)
    assert paths == places(two.chart("budget"), tmp_path)
    pdf, png, text = (path.read_bytes() for path in paths)
    assert b"/CIDFontType2" in pdf
    assert b"/Type3" not in pdf
    assert b"CreationDate" not in pdf
    assert b"atplotlib" not in pdf + png
    with Image.open(io.BytesIO(png)) as image:
        assert image.width == round(COLUMN * 300)
    assert text.decode() == numbers(two.chart("budget"))


def test_the_same_chart_gives_the_same_bytes(two):
    """PDF and PNG, whatever was drawn before."""
    assert drawn(two.chart("ranking")) == drawn(two.chart("ranking"))


def test_the_style_of_others_is_neither_used_nor_changed(two):
    """Settings of matplotlib are as before."""
    import matplotlib as mpl  # noqa: PLC0415  an extra

    with mpl.rc_context({"font.size": 31.0, "axes.facecolor": "yellow"}):
        strange = drawn(two.chart("paper-sd"))
        assert mpl.rcParams["font.size"] == 31.0
    assert drawn(two.chart("paper-sd")) == strange


def test_the_numbers_of_the_csv_are_those_of_the_tables(two):
    """Values and limits of the ranking, and each budget."""
    cells = score_frames.cells(two.table("A", "ranking"))
    for row in rows(two.chart("ranking")):
        if row["configuration"] == "A":
            cell = cells[f"k={row['x']}", row["panel"]]
            assert float(row["y"]) == cell.value
            assert row["low"] == ("" if cell.low is None else str(cell.low))
    cells = score_frames.cells(two.table("A", "budget"))
    budgets = [row for row in rows(two.chart("budget")) if row["kind"] == "budget"]
    for row in budgets:
        if row["configuration"] == "A":
            assert float(row["x"]) == cells[row["panel"], row["line"]].value
    assert len(budgets) == 12


def test_a_name_that_a_spreadsheet_would_run_is_text():
    """It gets a quotation mark in front, as in the tables."""
    found = measured(["=1+1", "B"], papers=6, rounds=2)
    assert {row["configuration"] for row in rows(found.chart("ranking"))} == {"'=1+1", "B"}
