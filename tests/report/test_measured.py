"""The page of measured scores."""

import base64
import re
from collections import Counter
from hashlib import sha256
from html import unescape

import pytest

from report import htmlcheck
from report.measurements import HOSTILE, measured
from rereview.report.measured import Measurement, measured_page
from rereview.types.estimate import Cell, Estimate, Table


def made(found, **known):
    """The page of some measured scores."""
    return measured_page(Measurement(found.tables, found.charts, **known))


@pytest.fixture(scope="module")
def html():
    """The page of two configurations, with everything that it can say."""
    return made(
        measured(),
        left_out=["cost is left out: it needs the columns input_tokens, output_tokens"],
        unused=["scores.csv: no score (1 row: 4)"],
        notes=["scores.csv: the column 'run' is read as 'round'"],
        files=[("scores.csv", "ab" * 32), ("study", None)],
        settings=[("Scale", "1 to 10")],
        versions=[("rereview", "1.2.3")],
    )


def rows_of(html, name):
    """Cells of the section `name` as words, line by line."""
    section = re.search(rf'<section id="table-{name}".*?</section>', html, re.DOTALL)[0]
    table = re.search(r"<tbody>.*</tbody>", section, re.DOTALL)[0]
    lines = re.findall(r"<tr.*?</tr>", table, re.DOTALL)
    strip = lambda cell: unescape(re.sub(r"<sup>.*?</sup>|<[^>]*>", "", cell))  # noqa: E731
    return [[strip(cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", line, re.DOTALL)] for line in lines]


def test_it_is_well_formed_and_every_link_leads_somewhere(html):
    """Nesting, ids and places, by the strict reader of the other report."""
    seen = htmlcheck.read(html)
    assert seen.wrong == []
    assert [name for name, count in Counter(seen.ids).items() if count > 1] == []
    inside = [link[1:] for link in seen.links if link.startswith("#")]
    assert len(inside) > 8
    assert set(inside) <= set(seen.ids)


def test_nothing_can_be_loaded_or_run(html):
    """The policy names the one style; there is no script, and no attribute is one."""
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'")
    assert f"style-src 'sha256-{digest}'" in policy
    assert "script" not in policy
    seen = htmlcheck.read(html)
    assert "script" not in seen.tags
    assert [each for each in seen.attributes if each[1] == "style" or each[1].startswith("on")] == []


def test_every_cell_of_a_table_stands_on_the_page(html):
    """Values with the signs of the terminal, a true minus, and n behind them."""
    found = measured()
    lines = rows_of(html, "batches")
    for name in ("A", "B"):
        table = found.table(name, "batches")
        start = lines.index([name]) + 1
        for label in dict.fromkeys(cell.row for cell in table.cells):
            cells = [cell.estimate for cell in table.cells if cell.row == label]
            shown = next(line for line in lines[start:] if line[0] == label)
            assert len(shown) == len(cells) + 2
            for words, cell in zip(shown[1:-1], cells, strict=True):
                assert float(words.split()[0].replace("−", "-")) == pytest.approx(cell.value, abs=5e-3)
            assert shown[-1] == str(cells[0].n)


def test_what_was_left_out_is_said(html):
    """Tables, rows, how the file was read, and what made the page."""
    words = " ".join(htmlcheck.read(html).words)
    for part in (
        "cost is left out",
        "no score (1 row: 4)",
        "'run' is read as 'round'",
        "1 to 10",
        "1.2.3",
        "the folder of a study",
    ):
        assert part in words
    assert "ab" * 32 in html


def test_all_rows_used_and_nothing_left_out_is_said_as_well():
    """Not an empty list."""
    words = " ".join(htmlcheck.read(made(measured([""], papers=6, rounds=2))).words)
    assert "Every row of the files was used" in words
    assert words.count("None.") == 2


def test_the_same_measurement_gives_the_same_bytes():
    """No clock, no path, no order of a set."""
    assert made(measured(papers=6, rounds=2)) == made(measured(papers=6, rounds=2))


def test_hostile_names_are_only_words():
    """Of configurations, groups, files and reasons."""
    bad = "<img src=x onerror=alert(1)>"
    found = measured([HOSTILE, bad], papers=6, rounds=4)
    html = made(found, left_out=[bad], unused=[bad], notes=[bad], files=[(bad, None)], versions=[(bad, bad)])
    seen = htmlcheck.read(html)
    assert seen.wrong == []
    assert not {"img", "script"} & seen.tags
    assert "49" not in " ".join(seen.words).split()
    assert bad in " ".join(seen.words)


def test_marks_of_cells_become_footnotes_each_once():
    """The letter at the cell is the letter at the words."""
    few, none = "no interval: too few papers", "no column withdrawn"
    cells = (
        Cell(row="all", column="a", estimate=Estimate(value=0.5, n=3, marks=(few,))),
        Cell(row="all", column="b", estimate=Estimate(value=None, n=3, dropped=2, marks=(few, none))),
    )
    html = measured_page(Measurement({"": [Table(name="t", caption="c", cells=cells)]}))
    assert "0.5000<sup>a</sup>" in html
    assert "–<sup>a,b</sup>" in html
    assert f"<sup>a</sup> {few}" in html
    assert f"<sup>b</sup> {none}" in html
    assert html.count(few) == 1
    assert rows_of(html, "t") == [["all", "0.5000", "–", "3", "0–2"]]


def test_notes_of_one_configuration_have_its_name():
    """What all say is said once, without names."""
    tables = {
        name: [Table(name="t", caption="c", cells=(), notes=("both", *own))]
        for name, own in (("A", ("only A",)), ("B", ()))
    }
    html = measured_page(Measurement(tables))
    assert html.count("<li>both</li>") == 1
    assert "<li><bdi>A</bdi>: only A</li>" in html
