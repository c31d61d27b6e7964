r"""Cells of a table, from LaTeX or Markdown, with the place of each.

A cell is where TeX would put it: `&` and `\\` inside braces or inside an inner environment
belong to the cell. Of plain text the lines are rows, and tabs or wide gaps part the columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from rereview.text.cellwords import plain_words
from rereview.types.manuscript import Format


@dataclass(frozen=True)
class TableCell:
    r"""One cell: `text_of_block[start:end]` is its content, white space stripped.

    `row` and `column` count from 0 and include header rows; a cell that spans several rows or
    columns stands once, at its first. `source` is the content as written, without the
    `\multicolumn` or `\multirow` around it; `plain` is what a reader sees.
    """

    row: int
    column: int
    start: int
    end: int
    source: str
    plain: str
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True)
class Grid:
    r"""The cells of one table in reading order, and after which rows a rule is drawn.

    A rule above the first row is after row -1. Partial rules (`\cmidrule`, `\cline`) are left out.
    """

    cells: tuple[TableCell, ...]
    rows: int
    columns: int
    rules: tuple[int, ...] = ()


def cells(text: str, *, format: Format) -> Grid:  # noqa: A002 - the name that Manuscript.format has
    """The first table in `text`; a grid of no rows where there is none."""
    return next(iter(grids(text, format=format)), Grid((), 0, 0))


@lru_cache(maxsize=256)
def grids(text: str, *, format: Format) -> tuple[Grid, ...]:  # noqa: A002 - see cells
    """Every table in `text`, in order; a table inside a cell of another is part of that cell."""
    if format == "latex":
        return tuple(_latex_grid(text, body) for body in bodies(text))
    if format == "markdown":
        return tuple(_line_grid(text, lines, _pipe_cells) for lines in _pipe_tables(text))
    grid = _line_grid(text, _lines(text, 0, len(text)), _gap_cells)
    return (grid,) if grid.rows else ()


# LaTeX: one scan of the body, with the depth of braces and environments.

_NAMES = "tabular|tabularx|tabulary|longtable|xltabular|supertabular|tabu|tblr|longtblr|NiceTabular"
_BEGIN = re.compile(rf"\\begin\s*\{{((?:{_NAMES})\*?)\}}")
_WITH_WIDTH = {"tabular*", "tabularx", "tabulary", "xltabular", "NiceTabular*"}
_TOKEN = re.compile(
    r"\\begin\s*\{[^{}]*\}|\\end\s*\{[^{}]*\}|\\\\\*?|\\tabularnewline\b|\\[a-zA-Z]+|\\.|(?<!\\)%[^\n]*|[{}&]",
    re.DOTALL,
)
_FULL_RULES = {"hline", "toprule", "midrule", "bottomrule", "specialrule", "Xhline", "hlineB", "thickhline"}
_ROW_COMMAND = re.compile(
    r"\s*(?:%[^\n]*\n\s*)*(?:"
    r"\\(?P<plain>hline|toprule|midrule|bottomrule|thickhline|endhead|endfirsthead|endfoot|endlastfoot"
    r"|centering|small|footnotesize|scriptsize|tiny|normalsize|newpage|pagebreak|nopagebreak|hfill)(?![a-zA-Z])"
    r"(?:\s*\[[^\]]*\])?"
    r"|\\(?P<braced>specialrule|Xhline|hlineB|cline|cmidrule|noalign|rowcolor|arrayrulecolor|cdashline|hdashline"
    r"|addlinespace|morecmidrules|vspace|label|caption|extrarowheight|rowfont|hhline|tablefootnote|rule)(?![a-zA-Z])\*?"
    r"(?:\s*\([^)]*\)|\s*\[[^\]]*\]|\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*"
    r")"
)


@dataclass(frozen=True)
class Body:
    r"""Where one LaTeX table stands: `start:end` from its \begin to its \end, `inner:close` its rows."""

    start: int
    inner: int
    close: int
    end: int


def bodies(text: str) -> Iterator[Body]:
    """The outermost LaTeX tables of `text`. One that is never closed goes on to the end of the text."""
    at = 0
    while found := _BEGIN.search(text, at):
        inner = _after_arguments(text, found.end(), 2 if found[1] in _WITH_WIDTH else 1)
        close, end = _matching_end(text, inner)
        yield Body(found.start(), inner, close, end)
        at = end


def _after_arguments(text: str, at: int, braced: int) -> int:
    """The place after `[..]` arguments and `braced` arguments in braces."""
    while True:
        start = at + len(text[at:]) - len(text[at:].lstrip())
        if text.startswith("[", start):
            at = text.find("]", start) + 1 or len(text)
        elif braced and text.startswith("{", start):
            at, braced = group_end(text, start), braced - 1
        else:
            return at


def group_end(text: str, at: int) -> int:
    """The place after the group that opens at `at`; the end of the text if it is never closed."""
    depth = 0
    for token in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, at):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    return len(text)


def _matching_end(text: str, at: int) -> tuple[int, int]:
    r"""Start and end of the \end that closes what was opened before `at`."""
    depth = 1
    for token in _TOKEN.finditer(text, at):
        depth += token[0].startswith("\\begin") - token[0].startswith("\\end")
        if depth == 0:
            return token.start(), token.end()
    return len(text), len(text)


def _latex_grid(text: str, body: Body) -> Grid:
    """The grid of one LaTeX table."""
    raw: list[list[tuple[int, int]]] = []
    rules: list[int] = []
    for pieces in _latex_rows(text, body.inner, body.close):
        start = _take_row_commands(text, pieces[0], len(raw) - 1, rules)
        cut = [(start, pieces[0][1]), *pieces[1:]]
        if len(cut) > 1 or text[start : cut[0][1]].strip():
            raw.append(cut)
    found = [cell for row, pieces in enumerate(raw) for cell in _latex_row(text, row, pieces)]
    return _grid(found, len(raw), tuple(dict.fromkeys(rules)))


def _latex_rows(text: str, start: int, end: int) -> Iterator[list[tuple[int, int]]]:
    """The pieces between `&` of each row, as places in `text`."""
    depth, at = 0, start
    pieces: list[tuple[int, int]] = []
    for token in _TOKEN.finditer(text, start, end):
        word = token[0]
        depth += (word == "{" or word.startswith("\\begin")) - (word == "}" or word.startswith("\\end"))
        if depth or word not in {"&", "\\\\", "\\\\*", "\\tabularnewline"}:
            continue
        pieces.append((at, token.start()))
        at = token.end()
        if word != "&":
            yield pieces
            pieces = []
            gap = re.compile(r"[ \t]*\[[^\]\n]*\]").match(text, at, end)
            at = gap.end() if gap else at
    yield [*pieces, (at, end)]


def _take_row_commands(text: str, piece: tuple[int, int], row: int, rules: list[int]) -> int:
    """The place after rules and spacing commands at the head of a row; notes the rules."""
    at = piece[0]
    while found := _ROW_COMMAND.match(text, at, piece[1]):
        if (found["plain"] or found["braced"]) in _FULL_RULES:
            rules.append(row)
        at = found.end()
    return at


def _latex_row(text: str, row: int, pieces: list[tuple[int, int]]) -> Iterator[TableCell]:
    """The cells of one row, each at its column."""
    column = 0
    for start, end in pieces:
        cell = _unwrapped(text, TableCell(row, column, start, end, "", ""))
        yield cell
        column += cell.columns


MOST_COLUMNS = 256
"""A cell that says it spans more is taken at this: no page has room for them."""
_COUNTED = 9
"""Digits of a count that are read: no table has more rows."""
_WRAPPER = re.compile(r"\\(multicolumn|multirow|multirowcell|cellcolor)(?![a-zA-Z])\*?")


def _unwrapped(text: str, cell: TableCell) -> TableCell:
    r"""The cell with its \multicolumn, \multirow and \cellcolor taken off."""
    start, end = _stripped(text, cell.start, cell.end)
    found = _WRAPPER.match(text, start, end)
    if not found:
        source = text[start:end]
        return replace(cell, start=start, end=end, source=source, plain=plain_words(source))
    groups = list(_groups(text, found.end(), end))
    if found[1] == "cellcolor":
        after = groups[0][1] if groups else found.end()
        return _unwrapped(text, replace(cell, start=after, end=end))
    if len(groups) < 2 or text[groups[-1][1] : end].strip():  # noqa: PLR2004 - a number and the content
        source = text[start:end]
        return replace(cell, start=start, end=end, source=source, plain=plain_words(source))
    inside = replace(cell, start=groups[-1][0] + 1, end=groups[-1][1] - 1)
    count = _whole(text[groups[0][0] + 1 : groups[0][1] - 1])
    if found[1] == "multicolumn":
        return _unwrapped(text, replace(inside, columns=min(max(count, 1), MOST_COLUMNS)))
    # A negative count spans upwards from the row in which it is written.
    top = max(cell.row + count + 1, 0) if count < 0 else cell.row
    return _unwrapped(text, replace(inside, row=top, rows=max(abs(count), 1)))


def _groups(text: str, at: int, end: int) -> Iterator[tuple[int, int]]:
    """The groups in braces that follow `at`, past `[..]` and white space."""
    while found := re.compile(r"(?:\s|\[[^\]]*\]|\*|=)*\{").match(text, at, end):
        at = min(group_end(text, found.end() - 1), end)
        yield found.end() - 1, at


def _whole(text: str) -> int:
    r"""The whole number that `text` is, as far as anybody counts; 1 where it is none (`\multirow{*}`)."""
    found = re.fullmatch(r"\s*(-?\d+)(?:\.\d*)?\s*", text)
    return int(found[1][:_COUNTED]) if found else 1


# Markdown and plain text: a line is a row.

_DELIMITER = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_UNESCAPED_PIPE = re.compile(r"(?<!\\)\|")
Line = tuple[int, int]


def _lines(text: str, start: int, end: int) -> list[Line]:
    """The lines of `text[start:end]` that hold something, as places."""
    found = re.compile(r"[^\n]+").finditer(text, start, end)
    return [m.span() for m in found if m[0].strip()]


def _pipe_tables(text: str) -> Iterator[list[Line]]:
    """Runs of lines with pipes whose second line is a delimiter."""
    for run in re.compile(r"(?:^[^\n]*\|[^\n]*(?:\n|\Z))+", re.MULTILINE).finditer(text):
        lines = _lines(text, *run.span())
        for i in range(1, len(lines)):
            if _DELIMITER.match(text[slice(*lines[i])]):
                yield lines[i - 1 :]
                break


def _pipe_cells(text: str, line: Line) -> list[Line]:
    """The places between the pipes of a line."""
    start, end = _stripped(text, *line)
    start += text.startswith("|", start)
    end -= end > start and text[end - 1] == "|" and text[end - 2] != "\\"
    cuts = [m.start() for m in _UNESCAPED_PIPE.finditer(text, start, end)]
    return list(zip([start, *(c + 1 for c in cuts)], [*cuts, end], strict=True))


def _gap_cells(text: str, line: Line) -> list[Line]:
    """The places between tabs or gaps of two spaces and more."""
    start, end = _stripped(text, *line)
    cuts = [m.span() for m in re.compile(r"\t+| {2,}").finditer(text, start, end)]
    return list(zip([start, *(b for _, b in cuts)], [*(a for a, _ in cuts), end], strict=True))


def _line_grid(text: str, lines: list[Line], split: Callable[[str, Line], list[Line]]) -> Grid:
    """The grid of a table whose rows are lines; a delimiter line is the rule below the head."""
    found: list[TableCell] = []
    rules: list[int] = []
    row = 0
    for line in lines:
        if split is _pipe_cells and _DELIMITER.match(text[slice(*line)]):
            rules.append(row - 1)
            continue
        for column, piece in enumerate(split(text, line)):
            start, end = _stripped(text, *piece)
            source = text[start:end]
            found.append(TableCell(row, column, start, end, source, plain_words(source)))
        row += 1
    return _grid(found, row, tuple(dict.fromkeys(rules)))


def _stripped(text: str, start: int, end: int) -> Line:
    """`start:end` without white space at its ends."""
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), max(end - len(inner) + len(inner.rstrip()), start)


def _grid(found: list[TableCell], rows: int, rules: tuple[int, ...]) -> Grid:
    """The grid without the empty places that a cell above or beside covers."""
    found = [replace(cell, rows=max(min(cell.rows, rows - cell.row), 1)) for cell in found]
    covered = {
        (cell.row + down, cell.column + right)
        for cell in found
        for down in range(cell.rows)
        for right in range(cell.columns)
        if (down or right) and cell.plain
    }
    kept = [c for c in found if c.source or (c.row, c.column) not in covered]
    kept.sort(key=lambda cell: (cell.row, cell.column))
    columns = max((cell.column + cell.columns for cell in kept), default=0)
    return Grid(tuple(kept), rows, columns, rules)
