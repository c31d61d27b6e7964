"""The page of measured scores: tables of all configurations, their figures, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup, escape

from rereview.measures.tabulate import columns_of
from rereview.report.grid import digits, shown
from rereview.report.pieces import printable
from rereview.report.series import Chart
from rereview.report.shell import environment, sealed, template
from rereview.report.vectors import drawings, level_key, line_key, mark_key
from rereview.types.estimate import Cell, Table

Pairs = tuple[tuple[str, str], ...]
TITLE = "How far can these scores be trusted?"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Measurement:
    """What the page shows. `tables` are by configuration, "" where there is one or for all together."""

    tables: Mapping[str, Sequence[Table]]
    charts: Sequence[Chart] = ()
    left_out: Sequence[str] = ()
    unused: Sequence[str] = ()
    notes: Sequence[str] = ()
    files: tuple[tuple[str, str | None], ...] = ()
    """Name and SHA-256 of each file; None for a folder."""
    settings: Pairs = ()
    versions: Pairs = ()
    title: str = TITLE
    lead: Sequence[str] = ()
    """Sentences above the tables, in place of those on files of scores."""


@dataclass(frozen=True)
class CellView:
    """A cell as it is read: the words, and the letters of its footnotes."""

    words: str
    marks: str


@dataclass(frozen=True)
class RowView:
    """A row: its cells, how many units they are of, and how many were left out."""

    label: str
    cells: tuple[CellView | None, ...]
    n: str
    dropped: str


@dataclass(frozen=True)
class GroupView:
    """The rows of one configuration. `caption` stands here where it differs between configurations."""

    name: str
    caption: str
    rows: tuple[RowView, ...]


@dataclass(frozen=True)
class ChartView:
    """A figure: its drawings with their titles, and the keys with their words."""

    caption: str
    panels: tuple[tuple[str, Markup], ...]
    keys: tuple[tuple[Markup, str], ...]


@dataclass(frozen=True)
class Note:
    """A note of a table, and the configurations that say it; none where all do."""

    names: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class Section:
    """One table over all configurations that have it."""

    id: str
    name: str
    caption: str
    columns: tuple[Markup, ...]
    groups: tuple[GroupView, ...]
    notes: tuple[Note, ...]
    marks: tuple[tuple[str, str], ...]
    charts: tuple[ChartView, ...]

    @property
    def counted(self) -> bool:
        """Whether any row says how many units it is of."""
        return any(row.n for group in self.groups for row in group.rows)

    @property
    def lost(self) -> bool:
        """Whether any row left something out."""
        return any(row.dropped for group in self.groups for row in group.rows)

    @property
    def single(self) -> bool:
        """Whether every configuration has one row: then its name is the label of the row."""
        return all(group.name and not group.caption and len(group.rows) == 1 for group in self.groups)


def measured_page(measurement: Measurement) -> str:
    """The page: one HTML file that needs no other. The same measurement gives the same text."""
    text = (
        environment()
        .get_template("measured.html.j2")
        .render(
            title=measurement.title,
            measurement=measurement,
            sections=list(_sections(measurement)),
            configurations=[name for name in measurement.tables if name],
        )
    )
    return sealed(printable(text), template("style.css") + template("charts.css"))


def _sections(measurement: Measurement) -> Iterator[Section]:
    names = dict.fromkeys(table.name for made in measurement.tables.values() for table in made)
    for name in names:
        found = {
            label: table for label, made in measurement.tables.items() for table in made if table.name == name
        }
        yield _section(name, found, [chart for chart in measurement.charts if chart.table == name])


def _section(name: str, found: Mapping[str, Table], charts: Sequence[Chart]) -> Section:
    tables = list(found.values())
    columns = list(dict.fromkeys(column for table in tables for column in columns_of(table)))
    captions = {table.caption for table in tables}
    footnotes = _Footnotes()
    places = {
        column: digits([c.estimate for table in tables for c in table.cells if c.column == column])
        for column in columns
    }
    grid = _Grid(places, footnotes)
    groups = tuple(
        GroupView(label, table.caption if len(captions) > 1 else "", grid.rows(table))
        for label, table in found.items()
    )
    return Section(
        f"table-{name}",
        name.replace("-", " ").capitalize(),
        tables[0].caption if len(captions) == 1 else "",
        tuple(_breakable(column) for column in columns),
        groups,
        tuple(_notes(found, tuple(footnotes.letters))),
        tuple(footnotes.letters.items()),
        tuple(_chart(chart) for chart in charts),
    )


@dataclass
class _Footnotes:
    """What the cells say of themselves, each under one letter."""

    letters: dict[str, str] = field(default_factory=dict)

    def letter(self, mark: str) -> str:
        at = len(self.letters)
        turn, place = divmod(at, len(LETTERS))
        return self.letters.setdefault(mark, LETTERS[place] * (turn + 1))


@dataclass(frozen=True)
class _Grid:
    """How the cells of one section become words."""

    places: Mapping[str, int]
    """Decimals of each column, in the order of the columns."""
    footnotes: _Footnotes

    def rows(self, table: Table) -> tuple[RowView, ...]:
        labels = dict.fromkeys(cell.row for cell in table.cells)
        return tuple(self._row(label, [c for c in table.cells if c.row == label]) for label in labels)

    def _row(self, label: str, cells: Sequence[Cell]) -> RowView:
        known = {cell.column: cell for cell in cells}
        return RowView(
            label,
            tuple(self._cell(known.get(column)) for column in self.places),
            _span([cell.estimate.n for cell in cells if cell.estimate.n is not None]),
            _span([cell.estimate.dropped for cell in cells], nothing=0),
        )

    def _cell(self, cell: Cell | None) -> CellView | None:
        if cell is None:
            return None
        marks = ",".join(self.footnotes.letter(mark) for mark in cell.estimate.marks)
        words = shown(cell.estimate, self.places[cell.column])
        return CellView(words.replace("-", "−"), marks)


def _span(counts: Sequence[int], nothing: int | None = None) -> str:
    """One number, or the smallest and the largest; "" for none, or if all are `nothing`."""
    known = sorted(set(counts))
    if not known or known == [nothing]:
        return ""
    return f"{known[0]:,}" if len(known) == 1 else f"{known[0]:,}–{known[-1]:,}"


def _breakable(column: str) -> Markup:
    """A name that may go on in the next line after an underscore."""
    return Markup("_<wbr>").join(escape(part) for part in column.split("_"))


def _notes(found: Mapping[str, Table], marks: Sequence[str]) -> Iterator[Note]:
    """Notes of all tables, each once, without those that are footnotes of cells already."""
    said: dict[str, list[str]] = {}
    for label, table in found.items():
        for note in dict.fromkeys(table.notes):
            said.setdefault(note, []).append(label)
    for note, labels in said.items():
        if not any(note.startswith(f"{mark}: ") for mark in marks):
            yield Note(() if len(labels) == len(found) else tuple(filter(None, labels)), note)


def _chart(chart: Chart) -> ChartView:
    marks = [(mark_key(hue, hollow=chart.hollow(hue)), label) for hue, label in chart.keys if label]
    lines = [(line_key(dash), words) for dash, words in chart.dashes]
    level = [(level_key(), chart.level)] if chart.level else []
    return ChartView(chart.caption, drawings(chart), (*marks, *lines, *level))
