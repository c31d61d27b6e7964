"""Figures as SVG."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from report.measurements import HOSTILE, measured
from rereview.report.scale import number_axis, share_axis
from rereview.report.series import Chart, Panel, Series
from rereview.report.vectors import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, drawings, line_key, mark_key

NARROW, WIDE = 0.4 * 12, 0.64 * 12
"""Units of a sign of punctuation and of any other, at most, on average over words."""


@pytest.fixture(scope="module")
def two():
    """Charts of two configurations."""
    return measured().charts


@pytest.fixture(scope="module")
def read(two):
    """Every drawing, parsed."""
    return [ET.fromstring(str(svg)) for chart in two for _, svg in drawings(chart)]


def extent(text):
    """From where to where a text reaches at most."""
    width, x = sum(NARROW if c in " .,()[]:" else WIDE for c in text.text), float(text.get("x"))
    start = {"mid": x - width / 2, "end": x - width, None: x}[text.get("class")]
    return start, start + width


def test_every_drawing_is_well_formed_and_says_what_it_shows(read):
    """One role, one label, no script, no style, no link."""
    assert len(read) == 9
    for svg in read:
        assert svg.get("role") == "img"
        assert len(svg.get("aria-label")) > 40
        assert {each.tag for each in svg.iter()} <= {"svg", "path", "text"}
        assert not [
            name for each in svg.iter() for name in each.attrib if name == "style" or name[:2] == "on"
        ]


def test_no_text_leaves_the_drawing(read):
    """Even in wide letters."""
    for svg in read:
        for text in svg.iter("text"):
            start, end = extent(text)
            assert start >= 0, text.text
            assert end <= WIDTH, text.text
            assert 9 <= float(text.get("y")) <= HEIGHT - 3


def test_words_at_the_ticks_do_not_touch(read):
    """Each ends before the next begins."""
    for svg in read:
        below = sorted(extent(text) for text in svg.iter("text") if float(text.get("y")) == BOTTOM + 17)
        assert below
        assert all(end < start for (_, end), (start, _) in pairwise(below))


def test_lines_and_markers_stay_inside_the_plot(read):
    """The begin of each path command with absolute places lies between the edges."""
    for svg in read:
        for path in svg.iter("path"):
            if path.get("class", "").split()[0] in {"line", "full", "hollow", "limits", "level"}:
                for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path.get("d")):
                    assert LEFT - 0.1 <= float(x) <= RIGHT + 0.1
                    assert TOP - 0.1 <= float(y) <= BOTTOM + 0.1


def test_a_point_stands_where_its_numbers_say():
    """A quarter along and a half up."""
    series = Series("", "", 0, "solid", (25.0, 50.0), (0.5, 1.0), marks=((25.0, 0.5),))
    chart = chart_of(series)
    ((_, svg),) = drawings(chart)
    x, y = LEFT + 0.25 * (RIGHT - LEFT), (TOP + BOTTOM) / 2
    assert f"M{x:g} {y:g}L{(LEFT + RIGHT) / 2:g} {TOP}" in svg
    assert f"M{x:g} {y:g}m" in svg


def test_a_line_from_below_begins_at_the_foot():
    """Not at its first point that is high enough."""
    series = Series("", "", 0, "solid", (0.0, 100.0), (0.0, 1.0))
    ((_, svg),) = drawings(chart_of(series, low=0.5))
    assert f"M{(LEFT + RIGHT) / 2:g} {BOTTOM}L{RIGHT} {TOP}" in svg


def chart_of(series, low=0.0):
    """One panel from 0 to 100."""
    panel = Panel("", number_axis("x", 0, 100, log=False), share_axis("y", low=low), (series,))
    return Chart("c", "t", "Caption.", (panel,), ((0, ""),))


def test_a_hostile_name_is_only_words():
    """Markup of a name is shown, not obeyed."""
    for chart in measured([HOSTILE, "B"], papers=6, rounds=4).charts:
        for _, svg in drawings(chart):
            assert "<script" not in svg
            assert HOSTILE in ET.fromstring(str(svg)).get("aria-label") or chart.name == "human"


def test_the_same_chart_gives_the_same_bytes(two):
    """No id, no order of a set."""
    assert [drawings(chart) for chart in two] == [drawings(chart) for chart in measured().charts]


def test_keys_differ_without_colour():
    """Every marker has an outline of its own, every kind of line its dashes."""
    outlines = {re.search(r' d="([^"]*)"', mark_key(hue, hollow=False))[1] for hue in range(6)}
    assert len(outlines) == 6
    assert len({line_key(dash) for dash in ("solid", "dashed", "dotted")}) == 3
