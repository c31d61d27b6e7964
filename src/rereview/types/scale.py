"""The scale that scores stand on."""

from __future__ import annotations

from rereview.types.record import Record


class ScoreScale(Record):
    """Lowest and highest score, and all scores there are where they are known."""

    low: float = 1.0
    high: float = 10.0
    points: tuple[float, ...] | None = None
    """Ascending; None: not known, or any number between the ends."""
    form: str = ""
    """The venue form whose scale it is; empty where none is known."""

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest score."""
        return self.low, self.high

    def __str__(self) -> str:
        """`1 to 5`."""
        return f"{self.low:g} to {self.high:g}"
