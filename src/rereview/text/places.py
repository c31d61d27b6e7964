"""Where a range of a source file stands in the blocks of a manuscript."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rereview.types.manuscript import Block, Manuscript, SourceRun, Span


@dataclass(frozen=True)
class Places:
    """Maps offsets of source files to spans of one manuscript, by `Block.source`."""

    manuscript: Manuscript

    def spans(self, file: str, start: int, end: int) -> tuple[Span, ...]:
        """The spans that show `source[start:end]`, in the order of the blocks.

        What the blocks do not show (a comment, the preamble) has none. An empty range is the empty span
        between the characters around it; where only one of them is shown, the end of its run.
        """
        merged: list[Span] = []
        for block, run in self._near(file, start, end):
            low, high = max(start, run.start), min(end, run.end)
            if low > high or (low == high and start != end):
                continue
            begin = run.text_start + low - run.start
            span = Span(block_id=block.id, start=begin, end=begin + high - low)
            if span not in merged:
                merged.append(span)
        return tuple(_joined(merged))

    def shows(self, file: str, start: int, end: int) -> bool:
        """Whether a reviewer can see any of `source[start:end]`.

        Not a comment, a label, white words, or what says who wrote the paper and is left out.
        """
        left_out = self.manuscript.left_out
        return any(
            not any(low <= span.start and span.end <= high for low, high in left_out.get(span.block_id, ()))
            for span in self.spans(file, start, end)
        )

    def _near(self, file: str, start: int, end: int) -> list[tuple[Block, SourceRun]]:
        """The runs that may touch a range: in source order by their start, then in that of the blocks."""
        runs, starts, reach = self._runs.get(file, ([], [], 0))
        near = runs[bisect_left(starts, start - reach) : bisect_right(starts, end)]
        return sorted(near, key=lambda each: (self._order[each[0].id], each[1].text_start))

    @cached_property
    def _order(self) -> Mapping[str, int]:
        return {block.id: number for number, block in enumerate(self.manuscript.blocks)}

    @cached_property
    def _runs(self) -> Mapping[str, tuple[list[tuple[Block, SourceRun]], list[int], int]]:
        """Of each file its runs by their start, the starts, and the length of the longest run."""
        found: dict[str, list[tuple[Block, SourceRun]]] = {}
        for block in self.manuscript.blocks:
            for run in block.source:
                found.setdefault(run.file, []).append((block, run))
        for runs in found.values():
            runs.sort(key=lambda each: each[1].start)
        return {
            file: (runs, [run.start for _, run in runs], max(run.end - run.start for _, run in runs))
            for file, runs in found.items()
        }


def _joined(spans: list[Span]) -> list[Span]:
    """Spans of one block that follow on each other are one."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and last.block_id == span.block_id and last.end == span.start:
            joined[-1] = Span(block_id=span.block_id, start=last.start, end=span.end)
        else:
            joined.append(span)
    return joined
