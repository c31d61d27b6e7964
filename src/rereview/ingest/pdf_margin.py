"""Line numbers in the margin of a page: no part of what the paper says."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from rereview.ingest.pdf_order import Glyph, Places, Run, runs

_FEWEST = 5
"""Lines that bear a number; fewer numbers aside may be anything."""
_MOST_STEP = 10
"""Numbers of every line, every fifth, every tenth."""
_REGULAR = 0.8
_APART = 0.5
"""Font sizes of white between the numbers and all other text."""
_NEAR, _EVEN = 0.2, 0.6
"""Share of the usual distance by which one may differ, and of the distances that do not differ more: rows of
a table and entries of a list are of one line, two or three."""
_SPARSE = 1.5
"""Lines of text that one count may take; entries of a list have several lines each."""
_FEWEST_LINES = 3
_LEAST = 1.0
"""Points: a size of type that divides; files may say 0."""


def line_numbers(
    lines: Sequence[Sequence[int]], given: Places | Sequence[Glyph | None], texts: Sequence[str]
) -> frozenset[int]:
    """The characters of numbers that stand beside all other text, count from the top, and go by its lines.

    The arguments are those of `pdf_order.ordered`, and what each of the characters says.
    """
    found = runs(lines, given)
    values = {run: int(text) for run in found if (text := _text(run, texts)).isdecimal() and text.isascii()}
    others = [run for run in found if run not in values]
    if not others or len(values) < _FEWEST:
        return frozenset()
    left, right = min(run.x0 for run in others), max(run.x1 for run in others)
    beside = (
        [run for run in values if run.x1 + _APART * run.size <= left],
        [run for run in values if run.x0 - _APART * run.size >= right],
    )
    numbers = [
        side
        for side in beside
        if (step := _step([values[run] for run in side])) is not None and _by_lines(side, step, others)
    ]
    return frozenset(member for side in numbers for run in side for member in run.members)


def _text(run: Run, texts: Sequence[str]) -> str:
    return "".join(texts[member] for member in run.members)


def _step(values: Sequence[int]) -> int | None:
    """By how much they count up; None if they do not."""
    steps = [after - before for before, after in pairwise(values)]
    usual = max(steps, key=steps.count, default=0)
    regular = steps.count(usual) >= _REGULAR * len(steps)
    return usual if len(values) >= _FEWEST and 0 < usual <= _MOST_STEP and regular else None


def _by_lines(numbers: Sequence[Run], step: int, others: Sequence[Run]) -> bool:
    """Tell numbers of lines from those of rows and entries: they are as dense as lines, and as even.

    Between those of every fifth line there may be headings and formulas, so that they are not even; but
    there are lines between them, as there are none between 5, 10 and 15 in the rows of a table.
    """
    apart = _distances(numbers)
    usual = median(apart)
    pitch = _pitch(others)
    if pitch is not None and usual > _SPARSE * step * pitch:
        return False
    if step > 1:
        return pitch is not None and usual * _SPARSE >= step * pitch
    return sum(abs(each - usual) <= _NEAR * usual for each in apart) >= _EVEN * len(apart)


def _pitch(others: Sequence[Run]) -> float | None:
    """The usual distance of lines, where most of the text begins; None where too few begin together."""
    edges: dict[int, list[Run]] = {}
    for run in others:
        edges.setdefault(round(run.x0 / max(run.size, _LEAST)), []).append(run)
    most = max(edges.values(), key=lambda edge: sum(run.x1 - run.x0 for run in edge))
    return median(_distances(most)) if len(most) >= _FEWEST_LINES else None


def _distances(down: Sequence[Run]) -> list[float]:
    return [before.y - after.y for before, after in pairwise(down)]
