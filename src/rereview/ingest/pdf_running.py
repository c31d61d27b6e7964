"""What stands around the text of a PDF and is none of it: running heads and feet, page and line numbers.

It is left out of the blocks, and listed: what it says, and on which pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from rereview.ingest.pdf_text import Line, Page
from rereview.types.manuscript import Removed, RemovedKind

_OUTERMOST = 2
"""Lines at the top and at the bottom of a page where running heads stand."""
_REPEATED = 3


def without_running(pages: Sequence[Page]) -> list[tuple[Line, ...]]:
    """Of each page the lines that are left: no running heads, no page numbers, none without text."""
    return [
        tuple(line for line in page.lines if line.text and line not in running)
        for page, running in zip(pages, _running(pages), strict=True)
    ]


def around(pages: Sequence[Page]) -> tuple[Removed, ...]:
    """What is left out of the pages, as it first comes; its digits may differ from page to page."""
    heads = [
        (_form(line), line.text, number)
        for number, lines in enumerate(_running(pages), start=1)
        for line in lines
    ]
    counted = [("", text, number) for number, page in enumerate(pages, start=1) for text in page.numbers]
    return (*_listed("running", heads), *_listed("line-numbers", counted))


def _running(pages: Sequence[Page]) -> list[tuple[Line, ...]]:
    """Lines at the edge of a page that come on several, or that are a number alone."""
    edges = [_edge(page.lines) for page in pages]
    seen = Counter(form for lines in edges for form in {_form(line) for line in lines})
    needed = max(_REPEATED, len(pages) // 5)
    return [
        tuple(line for line in edge if seen[_form(line)] >= needed or line.text.isdecimal()) for edge in edges
    ]


def _edge(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines of the upper and lower margin: the outermost two."""
    ordered = sorted((line for line in lines if line.text), key=lambda line: line.box[1])
    return tuple(dict.fromkeys((*ordered[:_OUTERMOST], *ordered[-_OUTERMOST:])))


def _form(line: Line) -> str:
    return re.sub(r"\d+", "#", line.text.lower())


def _listed(kind: RemovedKind, found: Sequence[tuple[str, str, int]]) -> Iterator[Removed]:
    """One entry for each form of (form, text, page)."""
    forms: dict[str, list[tuple[str, int]]] = {}
    for form, text, page in found:
        forms.setdefault(form, []).append((text, page))
    for each in forms.values():
        (first, page), (last, _) = each[0], each[-1]
        numbers = sorted({number for _, number in each})
        yield Removed(
            kind=kind,
            text=first if first == last else f"{first} … {last}",
            page=page if len(numbers) == 1 else None,
            place="" if len(numbers) == 1 else f"pages {_ranges(numbers)}",
        )


def _ranges(numbers: Sequence[int]) -> str:
    """2, 3, 4 and 7 as "2 to 4, 7"."""
    runs = groupby(enumerate(numbers), key=lambda each: each[1] - each[0])
    parts = [[number for _, number in run] for _, run in runs]
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in parts)
