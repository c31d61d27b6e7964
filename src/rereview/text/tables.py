"""Cells of a table, from LaTeX or Markdown, with the place of each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TableCell:
    """One cell: `text_of_block[start:end]` is its content, white space stripped.

    `row` and `column` count from 0 and include header rows; a cell that spans several rows or
    columns stands once, at its first.
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
    """The cells of one table in reading order, and after which rows a rule is drawn."""

    cells: tuple[TableCell, ...]
    rows: int
    columns: int
    rules: tuple[int, ...] = ()
