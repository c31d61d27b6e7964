"""Axes: where they begin and end, their ticks, and the words at the ticks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

MOST_TICKS = 7
MUCH = 12.0
"""A ratio of largest to smallest from which an axis is logarithmic."""


@dataclass(frozen=True)
class Axis:
    """From `low` to `high`, with a tick and its words at each of `ticks`."""

    label: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    log: bool = False
    words: bool = False
    """The ticks are categories: only their words have a meaning."""

    def share(self, value: float) -> float:
        """How far along the axis a value stands: 0 at `low`, 1 at `high`."""
        if self.log:
            return log10(value / self.low) / log10(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def holds(self, value: float) -> bool:
        """Whether a value stands on the axis."""
        return self.low <= value <= self.high


def share_axis(label: str, *, low: float = 0.0) -> Axis:
    """A share from `low` to 1, as percentages."""
    step = 0.1 if low else 0.2
    places = [round(low + step * at, 10) for at in range(round((1 - low) / step) + 1)]
    return Axis(label, low, 1.0, tuple((place, f"{place:.0%}") for place in places))


def categories(label: str, names: Sequence[str]) -> Axis:
    """Names at 0, 1, 2, ..., with room at both ends."""
    ticks = tuple((float(at), name) for at, name in enumerate(names))
    return Axis(label, -0.5, max(1, len(names)) - 0.5, ticks, words=True)


def number_axis(
    label: str, smallest: float, largest: float, *, whole: bool = False, log: bool | None = None
) -> Axis:
    """A number. `log` None: logarithmic if the largest is many times the smallest, else linear.

    `whole`: counts, which begin at 0 (at 1 on a logarithmic axis).
    """
    if log or (log is None and smallest > 0 and largest / smallest > MUCH):
        low = 1.0 if whole else 10.0 ** floor(log10(smallest))
        return Axis(label, low, largest, _log_ticks(low, largest), log=True)
    return _linear(label, 0.0 if whole else smallest, largest, whole=whole)


def _linear(label: str, low: float, high: float, *, whole: bool) -> Axis:
    if high <= low:
        high = low + 1.0
    rough = (high - low) / (MOST_TICKS - 2)
    size = 10.0 ** floor(log10(rough))
    step = next(factor * size for factor in (1.0, 2.0, 5.0, 10.0) if factor * size >= rough * 0.999)
    step = max(1.0, step) if whole else step
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    places = [_tidy(at * step) for at in range(first, last + 1)]
    ticks = tuple((place, _words(place)) for place in places)
    return Axis(label, ticks[0][0], ticks[-1][0], ticks)


def _tidy(place: float) -> float:
    """A multiple of a step without the error of the multiplication."""
    return float(f"{place:.12g}")


def _log_ticks(low: float, high: float) -> tuple[tuple[float, str], ...]:
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    for factors in ((1, 2, 5), (1, 3), (1,)):
        places = [factor * 10.0**power for power in powers for factor in factors]
        inside = tuple((place, _words(place)) for place in places if low <= place <= high)
        if len(inside) <= MOST_TICKS:
            break
    return inside


def _words(value: float) -> str:
    return f"{value:,.10g}".replace("-", "−")
