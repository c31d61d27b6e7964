"""A number with what is known of its error, and tables of them."""

from __future__ import annotations

from rereview.types.record import Record


class Estimate(Record):
    """A value with its interval. Undefined is None, never NaN and never 0.

    `n` is the number of resampling units (papers, or rounds of one paper), `dropped` how many
    were left out. `marks` says what a reader must know ("cut at the scale's end", "no spread
    seen in 5 rounds").
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    level: float | None = None
    n: int | None = None
    dropped: int = 0
    marks: tuple[str, ...] = ()

    def __str__(self) -> str:
        """`0.62 [0.55, 0.69]`; undefined prints as `–`."""
        if self.value is None:
            return "–"
        shown = f"{self.value:.2f}"
        if self.low is None or self.high is None:
            return shown
        return f"{shown} [{self.low:.2f}, {self.high:.2f}]"


class Cell(Record):
    """One entry of a table."""

    row: str
    column: str
    estimate: Estimate


class Table(Record):
    """A grid of estimates with its caption and notes."""

    name: str
    caption: str
    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()
