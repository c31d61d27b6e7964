r"""Formulas of a PDF as LiteParse sets them, put into the text of the blocks.

Optional: the extra `layout` installs it. It gives `$x_{t}$` for what is drawn as x with a small t. Its
text is never taken as such, for it holds what is hidden and mixes columns: a formula takes the place of
letters that are the same letters (see `text.normalise`), so that words are neither lost nor brought in.

Run as a module it is the child. Arguments: a path, a limit of address space in bytes. Writes a `Layout`
as JSON.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from rereview.ingest.pdf_text import MEMORY, MOST_PAGES, answer
from rereview.text.normalise import Folded, fold
from rereview.types.manuscript import Block
from rereview.types.record import Record

_FORMULA = re.compile(r"(?<!\\)\$(?P<formula>[^$]+)\$")
_FORMAL = re.compile(r"[=<>±×≠≤≥≈≡∼∝∈∉⊂⊆→↦⇒∀∃∂∇∑∏∫√∞Α-Ωα-ωϵϑϕϱ\U0001d400-\U0001d7ff]")
_OUTER = ",.;: "
_SENTENCE = re.compile(r"(?<=[.:?!])\s+")
_FEWEST = 12
"""Folded characters: a shorter passage may stand anywhere."""
_OPENING = {"(": "(", "[": "[", "{": r"\{"}
_CLOSING = {")": ")", "]": "]", "}": r"\}", "∗": r"\ast"}
"""Signs that folded text lacks, and how LaTeX writes them."""
_KINDS = ("paragraph", "equation", "caption", "theorem", "proof")


class Layout(Record):
    """Of each page the text of its blocks, with formulas in dollars."""

    pages: tuple[str, ...]


class Edit(NamedTuple):
    """`text[start:end]` is replaced."""

    start: int
    end: int
    new: str


def is_installed() -> bool:
    """True if LiteParse is here."""
    return importlib.util.find_spec("liteparse") is not None


def is_formal(text: str) -> bool:
    """True if a text has a sign of formulas: without any its paper is not set anew."""
    return _FORMAL.search(text) is not None


def pages(path: Path) -> tuple[str, ...]:
    """Of each page its text as LiteParse sets it. Raises UnusableInput if its process crashes."""
    return answer(Layout, "rereview.ingest.pdf_layout", (str(path), str(MEMORY)), path=path).pages


def typeset(blocks: Sequence[Block], layout: Sequence[str]) -> tuple[Block, ...]:
    """The blocks, with formulas where a page's layout has the same letters."""
    folded = [fold(text) for text in layout]
    return tuple(_typeset(block, layout, folded) for block in blocks)


def _typeset(block: Block, layout: Sequence[str], folded: Sequence[Folded]) -> Block:
    if block.page is None or block.page > len(layout) or block.kind not in _KINDS:
        return block
    text = block.text
    found = list(edits(text, layout[block.page - 1], folded[block.page - 1]))
    for edit in reversed(found):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return block.but(text=text) if found else block


def edits(text: str, layout: str, folded: Folded) -> Iterator[Edit]:
    """What to replace in a text, from its begin to its end, without overlap.

    A passage that is found neither as a whole nor sentence by sentence stays as it is.
    """
    whole = list(_edits(text, 0, layout, folded))
    if whole:
        yield from whole
        return
    cuts = [0, *(found.end() for found in _SENTENCE.finditer(text)), len(text)]
    for begin, end in pairwise(cuts):
        yield from _edits(text[begin:end], begin, layout, folded)


def _edits(text: str, offset: int, layout: str, folded: Folded) -> Iterator[Edit]:
    mine = fold(text)
    at = folded.text.find(mine.text) if len(mine.text) >= _FEWEST else -1
    if at < 0:
        return
    begin, end = folded.original(at, at + len(mine.text))
    done = 0
    for found in _FORMULA.finditer(layout, layout.rfind("\n", 0, begin) + 1):
        if found.start() >= end:
            return
        first, last = (int(folded.starts.searchsorted(place)) - at for place in found.span())
        edit = _formula(text, mine, found["formula"].strip(_OUTER), first, last)
        if edit is not None and edit.start >= done:
            yield Edit(edit.start + offset, edit.end + offset, edit.new)
            done = edit.end


def _formula(text: str, mine: Folded, formula: str, first: int, last: int) -> Edit | None:
    """What the formula takes the place of: the folded characters `first:last`; None if it is not the same."""
    if not 0 <= first < last <= len(mine.text) or not formula.isascii():
        return None
    start, end = _balanced(text, *mine.original(first, last), formula)
    drawn = text[start:end]
    same = fold(formula).text == mine.text[first:last] and all(
        drawn.count(sign) == formula.count(written) for sign, written in (_OPENING | _CLOSING).items()
    )
    return Edit(start, end, f"${formula}$") if same and formula != drawn and _closes(formula) else None


def _closes(formula: str) -> bool:
    return formula.count("(") == formula.count(")") and formula.count("[") == formula.count("]")


def _balanced(text: str, start: int, end: int, formula: str) -> tuple[int, int]:
    """Take in the signs at both ends that the formula has: folded text has none."""
    while (sign := text[end:].lstrip()[:1]) in _CLOSING and _lacks(text[start:end], formula, sign, _CLOSING):
        end = text.index(sign, end) + 1
    while (sign := text[:start].rstrip()[-1:]) in _OPENING and _lacks(
        text[start:end], formula, sign, _OPENING
    ):
        start = text.rindex(sign, 0, start)
    return start, end


def _lacks(drawn: str, formula: str, sign: str, written: dict[str, str]) -> bool:
    return drawn.count(sign) < formula.count(written[sign])


def main(path: str, memory: str) -> None:
    """Parse and write the answer."""
    from liteparse import LiteParse  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415  optional

    from rereview.ingest.pdf_child import limit  # noqa: PLC0415  PDFium is loaded in the child only

    limit(int(memory))
    # Its recognition would fetch data, and its text is not taken.
    parser = LiteParse(
        ocr_enabled=False, extract_blocks=True, quiet=True, num_workers=1, max_pages=MOST_PAGES
    )
    found = sorted(parser.parse(path).pages, key=lambda page: page.page_num)
    sys.stdout.write(Layout(pages=tuple(_page(page.blocks or ()) for page in found)).to_json())


def _page(blocks: Sequence[Any]) -> str:
    return "\n".join(part for block in blocks for part in _parts(block))


def _parts(block: Any) -> Iterator[str]:
    yield from block.lines or ()
    if block.text:
        yield block.text


if __name__ == "__main__":
    main(*sys.argv[1:])
