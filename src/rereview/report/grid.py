"""Tables as a grid of words: what a reader sees of an estimate, in a terminal, a paper or a page."""

from __future__ import annotations

from collections.abc import Sequence

from rereview.types.estimate import Estimate, Table

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def whole_columns(tables: Sequence[Table]) -> frozenset[str]:
    """Columns that hold only counts."""
    cells = [cell for table in tables for cell in table.cells]
    return frozenset(cell.column for cell in cells) - {
        cell.column for cell in cells if not _whole(cell.estimate)
    }


def _whole(found: Estimate) -> bool:
    return found.low is None and (found.value is None or found.value == int(found.value))


def shown(found: Estimate | None, *, whole: bool) -> str:
    """A count is printed as one; everything else with two decimals and its interval."""
    if found is None:
        return ""
    if whole and found.value is not None:
        return f"{found.value:,.0f}"
    return str(found)


def inert(value: object) -> object:
    """A cell of CSV that no spreadsheet runs: text that looks like a formula gets a quotation mark."""
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return "" if value is None else value
