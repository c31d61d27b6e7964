"""Numbers with their noun."""

from __future__ import annotations


def many(count: int, one: str, several: str | None = None) -> str:
    """`1 paper`, `1,200 papers`; `several` is the plural where an s at the end does not make it."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"
