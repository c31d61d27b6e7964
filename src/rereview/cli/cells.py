"""Cells of a table for a spreadsheet."""

from __future__ import annotations

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def inert(value: object) -> object:
    """A cell of CSV that no spreadsheet runs: text that looks like a formula gets a quotation mark."""
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return "" if value is None else value
