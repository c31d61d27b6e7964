"""The paper as HTML, block by block, with the places of comments marked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from rereview.report.context import address, context_of, kind_of
from rereview.report.figures import Picture
from rereview.report.latex_reader import Context
from rereview.report.latex_text import read_latex
from rereview.report.marks import VOID, Mark, nowhere, pieces_html
from rereview.report.mathematics import Mathematics
from rereview.report.pieces import Formula, Open, Piece, Reading, Run, shown_text
from rereview.report.plain_text import read_markdown, read_plain
from rereview.text.tables import Grid, TableCell, cells
from rereview.types.manuscript import Block, Figure, Manuscript, Span

BLOCK_ELEMENTS = frozenset(("ul", "ol", "pre", "li"))
LIST_ITEM = re.compile(r"\s*\\item(?![A-Za-z])")
NUMERAL = re.compile(r"[\s$+\-−–~±<>≤≥]*\d[\d.,\s]*(?:[%‰×xs]|±.*|\(.*\)|\[.*\])?[\s$*†‡]*")
HEADINGS = {0: "h3", 1: "h3", 2: "h4", 3: "h5"}


@dataclass
class Paper:
    """One manuscript on its way to HTML. `notes` gives what stands beside a block with comments."""

    manuscript: Manuscript
    marks: Mapping[str, Sequence[Mark]]
    picture: Callable[[Figure], Picture]
    notes: Callable[[Sequence[Mark]], Markup]
    context: Context = field(init=False)
    mathematics: Mathematics = field(init=False)
    ids: dict[str, str] = field(init=False)
    unknown: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.context = context_of(self.manuscript)
        self.mathematics = Mathematics.of(self.context.macros)
        self.ids = address(self.manuscript)
        self.figures = {figure.id: figure for figure in self.manuscript.figures}
        self.captions = {figure.caption for figure in self.manuscript.figures if figure.caption}

    def html(self) -> Markup:
        """All blocks and figures in reading order."""
        return Markup("\n").join(self._parts())

    def _parts(self) -> Iterator[Markup]:
        done: set[str] = set()
        run: list[Block] = []
        for name in reading_order(self.manuscript):
            block = self.manuscript.by_id.get(name)
            if run and not (
                block is not None and _is_item(block) and block.environment == run[0].environment
            ):
                yield self._list(run)
                run = []
            if block is not None and _is_item(block):
                run.append(block)
            elif block is not None:
                if name not in self.captions:
                    yield self.block(block)
            elif name not in done and name in self.figures:
                group = self._sharing(self.figures[name])
                done |= {figure.id for figure in group}
                yield self._figure(group)
        if run:
            yield self._list(run)

    def read(self, text: str, at: int = 0, *, heading: bool = False) -> Reading:
        """Pieces of text in the manuscript's own format."""
        match self.manuscript.format:
            case "latex":
                return read_latex(text, self.context, at=at)
            case "markdown":
                return read_markdown(text, at=at, heading=heading)
        return read_plain(text, at=at)

    def inline(self, block: Block, marks: Sequence[Mark], start: int = 0, end: int | None = None) -> Inner:
        """The text of a block, or of a part of it, with marks."""
        reading = self.read(block.text[start:end], start, heading=block.kind in {"heading", "title"})
        stated = block.kind in {"theorem", "proof"}
        self.unknown.update(name for name in reading.unknown if name.startswith("\\") or not stated)
        pieces = trimmed(reading.pieces)
        holds = any(isinstance(piece, Open) and piece.tag in BLOCK_ELEMENTS for piece in pieces)
        return Inner(pieces_html(pieces, marks, self.mathematics), holds)

    def words(self, text: str) -> str:
        """Text of the paper as words on one line."""
        return shown_text(self.read(text).pieces)

    # -- blocks ---------------------------------------------------------------------------

    def block(self, block: Block) -> Markup:
        """One block with its margin notes."""
        marks = self.marks.get(block.id, ())
        return self.beside(marks, self._element(block, marks))

    def beside(self, marks: Sequence[Mark], html: Markup) -> Markup:
        """An element with the notes of its marks."""
        if not marks:
            return html
        return Markup('<div class="noted">{}<div class="text">{}</div></div>').format(self.notes(marks), html)

    def _element(self, block: Block, marks: Sequence[Mark]) -> Markup:
        match block.kind:
            case "equation":
                return self._equation(block, marks)
            case "table":
                return self._table(block, marks)
            case "page-marker":
                label = f"page {block.page}" if block.page is not None else block.text
                return Markup('<div class="sheet" id="{}">{}{}</div>').format(
                    self.ids[block.id], label, VOID.join(map(nowhere, marks))
                )
        inner = self.inline(block, marks)
        tag, kind = _tag(block, inner)
        kind += _left_out(self.manuscript, block)
        return Markup('<{0} class="{1}" id="{2}" data-b="{3}">{4}{5}</{0}>').format(
            Markup(tag),  # noqa: S704 a tag of ours
            kind,
            self.ids[block.id],
            block.id,
            self._lead(block),
            inner.html,
        )

    def _lead(self, block: Block) -> Markup:
        """What TeX and Word print before the text: a number, "Lemma 2", "Figure 1"."""
        if block.kind == "heading":
            number = self.manuscript.number_before(block)
            return Markup('<span class="number">{}</span> ').format(number) if number else VOID
        if self.manuscript.format != "latex":
            return VOID
        if block.kind in {"theorem", "proof", "caption"}:
            words = kind_of(block).capitalize()
            number = f" {block.number}" if block.number else ""
            return Markup('<b class="lead">{}{}.</b> ').format(words, number)
        if block.kind == "reference":
            target = next((self.context.citations.get(label) for label in block.labels), None)
            if target is None or target.authors:
                return VOID
            return Markup('<span class="number">[{}]</span> ').format(target.number)
        return VOID

    def _equation(self, block: Block, marks: Sequence[Mark]) -> Markup:
        """A formula on its own line; a mark marks it whole."""
        text = block.text.strip()
        for opening, closing in (("$$", "$$"), (r"\[", r"\]"), ("$", "$")):
            if text.startswith(opening) and text.endswith(closing) and len(text) > len(opening):
                text = text[len(opening) : -len(closing)]
                break
        else:
            if self.manuscript.format == "pdf":
                return self._formula_box(block, self.inline(block, marks).html)
            if block.environment and not text.startswith("\\begin"):
                text = f"\\begin{{{block.environment}}}{text}\\end{{{block.environment}}}"
        pieces = (Formula(0, len(block.text), self._opened(text), display=True),)
        return self._formula_box(block, pieces_html(pieces, marks, self.mathematics))

    def _opened(self, tex: str) -> str:
        r"""The TeX with abbreviations such as `\be` written out."""
        for name, macro in self.context.macros.items():
            if not macro.arguments and re.search(r"\\(?:begin|end)\b", macro.body):
                pattern = re.escape(name) + r"(?![A-Za-z])"
                tex = re.sub(pattern, lambda _, body=macro.body: body, tex)  # type: ignore[misc] # bound per macro
        return tex

    def _formula_box(self, block: Block, html: Markup) -> Markup:
        number = Markup('<span class="number">({})</span>').format(block.number) if block.number else VOID
        return Markup(
            '<div class="equation" id="{}" data-b="{}"><div class="scroll">{}</div>{}</div>'
        ).format(self.ids[block.id], block.id, html, number)

    def _list(self, items: Sequence[Block]) -> Markup:
        """Consecutive items of one list."""
        tag = Markup("ol") if (items[0].environment or "").startswith("enum") else Markup("ul")
        rows = []
        for block in items:
            marks = self.marks.get(block.id, ())
            inner = self.inline(block, marks).html
            html = Markup('<div data-b="{}">{}</div>').format(block.id, inner)
            rows.append(Markup('<li id="{}">{}</li>').format(self.ids[block.id], self.beside(marks, html)))
        return Markup('<{0} class="items">{1}</{0}>').format(tag, VOID.join(rows))

    # -- tables and figures ---------------------------------------------------------------

    def _table(self, block: Block, marks: Sequence[Mark]) -> Markup:
        grid = cells(block.text, format=self.manuscript.format)
        if not grid.cells or self.manuscript.format == "pdf":
            html = pieces_html(read_plain(block.text).pieces, marks, self.mathematics)
            return Markup(
                '<div class="scroll" id="{}" data-b="{}" tabindex="0"><pre><code>{}</code></pre></div>'
            ).format(self.ids[block.id], block.id, html)
        outside = [m for m in marks if not any(_in_cell(m, cell) for cell in grid.cells)]
        return Markup(
            '{}<div class="scroll" id="{}" tabindex="0"><table data-b="{}">{}</table></div>'
        ).format(
            VOID.join(map(nowhere, outside)), self.ids[block.id], block.id, self._rows(block, grid, marks)
        )

    def _rows(self, block: Block, grid: Grid, marks: Sequence[Mark]) -> Markup:
        numeric = {cell.column for cell in grid.cells if NUMERAL.fullmatch(cell.plain)}
        head = next((rule for rule in grid.rules if 0 <= rule < grid.rows - 1), -1)
        rows = []
        seen: set[Mark] = set()
        for row in range(grid.rows):
            entries = []
            for cell in (cell for cell in grid.cells if cell.row == row):
                here = [_whole_cell(mark, cell, again=mark in seen) for mark in marks if _in_cell(mark, cell)]
                seen |= {mark for mark in marks if _in_cell(mark, cell)}
                tag = "th" if row <= head else "td"
                entries.append(self._cell(block, cell, here, tag, numeric))
            rule = Markup(' class="rule"') if row in grid.rules and row < grid.rows - 1 else VOID
            rows.append(Markup("<tr{}>{}</tr>").format(rule, VOID.join(entries)))
        return VOID.join(rows)

    def _cell(
        self, block: Block, cell: TableCell, marks: Sequence[Mark], tag: str, numeric: set[int]
    ) -> Markup:
        spans = VOID
        if cell.rows > 1:
            spans += Markup(' rowspan="{}"').format(cell.rows)
        if cell.columns > 1:
            spans += Markup(' colspan="{}"').format(cell.columns)
        kind = "n" if cell.column in numeric and cell.columns == 1 else "c" if cell.columns > 1 else "t"
        html = self.inline(block, marks, cell.start, cell.end).html if cell.end > cell.start else VOID
        return Markup('<{0} class="{1}"{2}>{3}</{0}>').format(Markup(tag), kind, spans, html)  # noqa: S704 a tag of ours

    def cells_in(self, span: Span) -> list[str]:
        """What stands in the cells of a table that a span touches."""
        text = self.manuscript.by_id[span.block_id].text
        mark = Mark(0, "", span.start, span.end, "")
        grid = cells(text, format=self.manuscript.format)
        return [text[cell.start : cell.end] for cell in grid.cells if cell.source and _in_cell(mark, cell)]

    def _sharing(self, figure: Figure) -> list[Figure]:
        """The images under one caption."""
        if figure.caption is None:
            return [figure]
        return [other for other in self.manuscript.figures if other.caption == figure.caption]

    def _figure(self, group: Sequence[Figure]) -> Markup:
        caption = self.manuscript.by_id.get(group[0].caption or "")
        marks = self.marks.get(caption.id, ()) if caption else ()
        alternative = self.words(caption.text) if caption else group[0].name
        images = VOID.join(self.picture(figure).html(alternative, figure.name) for figure in group)
        below = VOID
        if caption:
            below = Markup('<figcaption id="{}" data-b="{}">{}{}</figcaption>').format(
                self.ids[caption.id], caption.id, self._lead(caption), self.inline(caption, marks).html
            )
        return self.beside(marks, Markup("<figure>{}{}</figure>").format(images, below))


@dataclass(frozen=True)
class Inner:
    """HTML of running text; `holds_blocks` if lists or source stand in it."""

    html: Markup
    holds_blocks: bool


def reading_order(manuscript: Manuscript) -> tuple[str, ...]:
    """Ids of blocks and figures; what `sequence` leaves out follows where it belongs, or at the end."""
    order = list(manuscript.sequence) or [block.id for block in manuscript.blocks]
    known = set(order)
    order += [block.id for block in manuscript.blocks if block.id not in known]
    for figure in reversed(manuscript.figures):
        if figure.id not in known:
            place = order.index(figure.after) + 1 if figure.after in order else 0
            order.insert(place, figure.id)
    return tuple(dict.fromkeys(order))


def trimmed(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Pieces without white space at their ends."""
    kept = list(pieces)
    while kept and isinstance(kept[-1], Run) and not kept[-1].shown.strip():
        kept.pop()
    while kept and isinstance(kept[0], Run) and not kept[0].shown.strip():
        kept.pop(0)
    return tuple(kept)


def _left_out(manuscript: Manuscript, block: Block) -> str:
    """The class of a block that a model was not given, or not as a whole."""
    ranges = manuscript.left_out.get(block.id, ())
    if not ranges:
        return ""
    whole = sum(end - start for start, end in ranges) >= len(block.text.strip())
    return " left-out" if whole else " partly-left-out"


def _is_item(block: Block) -> bool:
    return block.kind == "paragraph" and LIST_ITEM.match(block.text) is not None


def _tag(block: Block, inner: Inner) -> tuple[str, str]:
    """Element and class of a block of running text."""
    if block.kind == "title" and not inner.holds_blocks:
        return "h2", "title"
    if block.kind == "heading" and not inner.holds_blocks:
        return HEADINGS.get(block.level or 1, "h6"), "heading"
    kind = "abstract" if block.environment == "abstract" else block.kind
    return ("div" if inner.holds_blocks else "p"), kind


def _in_cell(mark: Mark, cell: TableCell) -> bool:
    return mark.covers(cell.start, cell.end) or mark.start == mark.end == cell.end


def _whole_cell(mark: Mark, cell: TableCell, *, again: bool) -> Mark:
    """The mark, grown to the cell; its id is given out once."""
    anchor = f"{mark.anchor}r{cell.row}c{cell.column}" if again else mark.anchor
    return Mark(mark.number, anchor, cell.start, cell.end, mark.severity)
