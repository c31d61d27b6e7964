"""Line numbers in the margin of a page: no part of what the paper says."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rereview.ingest.pdf_order import Glyph, Places, Run, runs

_FEWEST = 5
"""Lines that bear a number; fewer numbers aside may be anything."""
_MOST_STEP = 10
"""Numbers of every line, every fifth, every tenth."""
_REGULAR = 0.8


def line_numbers(
    lines: Sequence[Sequence[int]], given: Places | Sequence[Glyph | None], texts: Sequence[str]
) -> frozenset[int]:
    """The characters of numbers that stand beside all other text, and count from the top.

    The arguments are those of `pdf_order.ordered`, and what each of the characters says.
    """
    found = runs(lines, given)
    values = {run: int(text) for run in found if (text := _text(run, texts)).isdecimal() and text.isascii()}
    others = [run for run in found if run not in values]
    if not others or len(values) < _FEWEST:
        return frozenset()
    left, right = min(run.x0 for run in others), max(run.x1 for run in others)
    beside = ([run for run in values if run.x1 <= left], [run for run in values if run.x0 >= right])
    counting = [side for side in beside if _counts([values[run] for run in side])]
    return frozenset(member for side in counting for run in side for member in run.members)


def _text(run: Run, texts: Sequence[str]) -> str:
    return "".join(texts[member] for member in run.members)


def _counts(values: Sequence[int]) -> bool:
    steps = [after - before for before, after in pairwise(values)]
    usual = max(steps, key=steps.count, default=0)
    regular = steps.count(usual) >= _REGULAR * len(steps)
    return len(values) >= _FEWEST and 0 < usual <= _MOST_STEP and regular
