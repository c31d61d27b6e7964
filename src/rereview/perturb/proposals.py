"""An error that a rule can make of a place, and which characters of the place it may touch."""

from __future__ import annotations

from typing import NamedTuple

from rereview.text.arguments import arguments
from rereview.text.latex import Token, tokens
from rereview.text.modes import Region, nest
from rereview.types.edit import ErrorType

BLANK, HOLE = "\ue000", "\ue001"
"""Stand for characters that are not to be touched: what is of the other kind, and what is in neither."""

_UNTOUCHED = frozenset({"comment", "dead", "verbatim", "definition", "argument", "begin", "end"})
_HIDDEN = frozenset({"comment", "dead", "definition", "after-end", "argument"})
_NAMING = (
    ("\\label", 1), ("\\tag", 1), ("\\includegraphics", 1), ("\\input", 1), ("\\url", 1), ("\\color", 1),
    ("\\textcolor", 1), ("\\vspace", 1), ("\\hspace", 1), ("\\footnotemark", 1), ("\\operatorname", 1),
)  # fmt: skip
_TEXT_COMMANDS = ("\\text", "\\mbox", "\\mathrm", "\\mathsf", "\\mathit", "\\mathbf", "\\mathtt", "\\hbox")


class Proposal(NamedTuple):
    """`text[start:end]` of a place becomes `new`; `why` says what a careful reader would object."""

    start: int
    end: int
    new: str
    error: ErrorType
    why: str


class Masked(NamedTuple):
    """The text of a place twice: only what is read as formulas, only what is read as words."""

    formulas: str
    words: str


def masked(text: str) -> Masked:
    """Blank comments, names of labels and references, and in each of both what is of the other kind."""
    found = tokens(text)
    closed = list(_closed(text, found))
    math = [region for region in nest(text, found).regions if region.kind != "environment" and region.outer]
    inside = [(region.body_start, region.body_end) for region in math]
    formulas = _without(
        _without(text, [*closed, *_spoken(text, found, math)], HOLE), _rest(inside, len(text))
    )
    words = _without(_without(text, closed, HOLE), [(region.start, region.end) for region in math])
    return Masked(formulas, words)


def seen(text: str) -> str:
    """A LaTeX source in which only what a reader sees is left, every character at its place."""
    found = tokens(text)
    begin = next((t.end for t in found if t.kind == "begin" and t.name == "document"), 0)
    hidden = ((t.start, t.end) for t in found if t.kind in _HIDDEN)
    return _without(text, [(0, begin), *hidden])


def _closed(text: str, found: list[Token]) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for token in found:
        if token.kind in _UNTOUCHED:
            ranges.append((token.start, token.end))
        elif token.kind == "command":
            name = token.name
            count = next((n for command, n in _NAMING if name == command), 0)
            if "cite" in name.lower() or name.endswith("ref"):
                count = 1
            if count:
                ranges.append((token.start, max(arguments(text, token.end, count).end, token.end)))
    return ranges


def _spoken(text: str, found: list[Token], math: list[Region]) -> list[tuple[int, int]]:
    """Words inside of formulas."""
    if not math:
        return []
    return [
        (token.start, arguments(text, token.end, 1).end)
        for token in found
        if token.kind == "command" and token.name.startswith(_TEXT_COMMANDS)
    ]


def _rest(ranges: list[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    edges = [0, *(edge for each in sorted(ranges) for edge in each), length]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _without(text: str, ranges: list[tuple[int, int]], sign: str = BLANK) -> str:
    characters = list(text)
    for start, end in ranges:
        characters[start:end] = sign * (end - start)
    return "".join(characters)
