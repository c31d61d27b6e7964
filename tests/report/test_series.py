"""What figures show is what tables say."""

import pytest

import score_frames
from report.measurements import SETTINGS, measured
from rereview.measures.curves import curves
from rereview.report.series import charts


@pytest.fixture(scope="module")
def two():
    """Two configurations."""
    return measured()


def test_every_table_of_the_paper_with_a_figure_has_one(two):
    """Five figures, each with the name of its table."""
    assert [(chart.name, chart.table) for chart in two.charts] == [
        ("paper-sd", "variance-quantiles"),
        ("ranking", "ranking"),
        ("close-pairs", "close-pairs"),
        ("human", "human"),
        ("budget", "budget"),
    ]


def test_points_of_the_ranking_are_cells_of_its_table(two):
    """Value, low and high of every row, in the panel of its column."""
    for panel in two.chart("ranking").panels:
        for series in panel.series:
            cells = score_frames.cells(two.table(series.label, "ranking"))
            rows = [f"k={words}" for _, words in panel.x.ticks]
            expected = [cells[row, panel.title] for row in rows]
            assert series.y == tuple(each.value for each in expected)
            assert series.low == tuple(each.low for each in expected)
            assert series.high == tuple(each.high for each in expected)


def test_points_of_close_pairs_are_cells_of_its_table(two):
    """Each gap and size; a gap without pairs has no point."""
    (panel,) = two.chart("close-pairs").panels
    for series in panel.series:
        cells = score_frames.cells(two.table(series.label, "close-pairs"))
        words = dict(panel.x.ticks)
        for at, value in zip(series.x, series.y, strict=True):
            assert value == cells[f"gap {words[at]}, {series.line}", "same"].value
        empty = [at for at in words if at not in series.x]
        assert all(cells[f"gap {words[at]}, {series.line}", "same"].value is None for at in empty)


def test_markers_of_the_budget_stand_at_the_budgets_of_its_table(two):
    """One marker a line, on the target."""
    for panel in two.chart("budget").panels:
        assert panel.level == 0.95
        assert len(panel.series) == 6
        for series in panel.series:
            cells = score_frames.cells(two.table(series.label, "budget"))
            assert series.marks == ((cells[panel.title, series.line].value, 0.95),)


def test_a_budget_that_the_table_does_not_have_is_not_drawn(two):
    """A line without a budget would promise one."""
    kept = {
        "A": [
            table.model_copy(
                update={"cells": tuple(cell for cell in table.cells if cell.column != "certified_tighter")}
            )
            for table in two.tables["A"]
            if table.name == "budget"
        ]
    }
    (chart,) = charts(kept, two.curves, success=0.95)
    assert {series.line for panel in chart.panels for series in panel.series} == {"planning", "certified"}
    assert [dash for dash, _ in chart.dashes] == ["dashed", "solid"]


def test_lines_of_one_configuration_differ_by_dash_and_configurations_by_hue(two):
    """Grey is enough: no two lines share hue and dash."""
    for name in ("budget", "close-pairs"):
        for panel in two.chart(name).panels:
            looks = [(series.hue, series.dash) for series in panel.series]
            assert len(set(looks)) == len(looks)


def test_many_configurations_are_drawn_in_even_parts():
    """Seven are four and three or three and four, none lost, none twice."""
    names = [f"c{at}" for at in range(7)]
    found = measured(names, papers=6, rounds=2)
    parts = [chart for chart in found.charts if chart.table == "budget"]
    assert [chart.name for chart in parts] == ["budget-1", "budget-2"]
    drawn = [label for chart in parts for _, label in chart.keys]
    assert drawn == names
    assert sorted(len(chart.keys) for chart in parts) == [3, 4]


def test_one_configuration_needs_no_key():
    """Its name is empty, and so is the key."""
    found = measured([""])
    assert found.chart("ranking").keys == ((0, ""),)


def test_many_groups_are_one(two):
    """More groups than markers are not told apart."""
    frames = {"A": two.frames["A"].assign(group=two.frames["A"]["paper"])}
    tables = {"A": two.tables["A"]}
    made = charts(tables, curves(frames, tables, SETTINGS), success=0.95)
    human = next(chart for chart in made if chart.name == "human")
    assert human.keys == ((0, ""),)
    assert sum(len(series.x) for panel in human.panels for series in panel.series) == 9
