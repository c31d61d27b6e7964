"""Blocks and figures before they have ids, and what of a float belongs together."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rereview.ingest.flatten import Sourced
from rereview.ingest.numbering import Counters
from rereview.text.latex import Token
from rereview.text.macros import Theorem
from rereview.text.modes import Region
from rereview.types.manuscript import Block, BlockKind, SourceRun

Range = tuple[int, int]

_WORDLESS = re.compile(
    r"\\(?:label|ref|[hv]space|rule|phantom|color|setcounter)\*?\s*(?:\[[^\]]{0,100}\])?\{[^{}]*\}"
)
_LAYOUT = re.compile(
    r"(?:\s*\\(?:centering|raggedright|noindent|scriptsize|footnotesize|small|normalsize|large|Large|LARGE"
    r"|huge|Huge|normalfont)(?![A-Za-z]))+"
)
_MAYBE_LABEL = re.compile(r"(\\(?:[A-Za-z@]+|.))\s*\{([^{}]*)\}", re.DOTALL)
_CONTROL = re.compile(r"\\(?:[A-Za-z@]+\*?|.)", re.DOTALL)
_WORD = re.compile(r"[^\W_]|\$")
_REAL_WORD = re.compile(r"[^\W\d_]{2}|\$[^$\w=<>]*+[\w=<>][^$]*+\$")
"""A word, or mathematics with something in it."""
_DEPTH = 9
_MOST_LABELS = 100
_BRACE = re.compile(r"\\.|\{|\}", re.DOTALL)


class BlockPiece(NamedTuple):
    """A block before it has an id. `ranges`: where it stands in the flat text."""

    kind: BlockKind
    text: str
    runs: tuple[SourceRun, ...]
    ranges: tuple[Range, ...] = ()
    level: int | None = None
    environment: str | None = None
    labels: tuple[str, ...] = ()
    number: str | None = None


class FigurePiece(NamedTuple):
    """An image before it is looked for. `caption`: the index of the piece that is its caption."""

    name: str
    at: Range
    picture: bool = False
    caption: int | None = None


Piece = BlockPiece | FigurePiece


@dataclass(frozen=True)
class Labels:
    r"""Finds the labels in a text: those of `\label`, and those of the paper's own macros for it."""

    own: Mapping[str, str] = field(default_factory=dict)
    r"""`\eqlabel` -> `\label{eq:#1}`"""

    def within(self, text: str) -> list[str]:
        """All labels in a text, in order."""
        found = (self._name(match) for match in _MAYBE_LABEL.finditer(text))
        return [name for name in found if name is not None]

    def at(self, text: str, position: int) -> tuple[str, int] | None:
        """The label that a command at this position makes, and where the command ends."""
        match = _MAYBE_LABEL.match(text, position)
        name = self._name(match) if match else None
        return None if match is None or name is None else (name, match.end())

    def _name(self, match: re.Match[str]) -> str | None:
        command, argument = match.groups()
        if command == "\\label":
            return argument
        body = self.own.get(command)
        return None if body is None else body.strip()[len("\\label") :].strip()[1:-1].replace("#1", argument)


@dataclass(frozen=True)
class Document:
    """What is known of a document before it is cut; offsets are those of `flat.text`."""

    flat: Sourced
    tokens: Sequence[Token]
    regions: Mapping[int, Region]
    theorems: Mapping[str, Theorem]
    theorem_counters: Mapping[str, str]
    counters: Counters
    chapters: bool
    references: Callable[[Range | None], list[BlockPiece]]
    """The reference blocks of a thebibliography in this range, or (None) of the data bases."""
    labels: Labels
    environment_arguments: Mapping[str, int]
    """Of the environments that the paper itself defines."""


@dataclass
class Float:
    """A float that is being read; captions, tables and figures by their index among the pieces."""

    kind: str
    captions: list[int] = field(default_factory=list)
    labels: list[tuple[int, str]] = field(default_factory=list)
    """Each label with the number of captions before it."""
    tables: list[int] = field(default_factory=list)
    figures: list[int] = field(default_factory=list)

    def settle(self, pieces: list[Piece]) -> None:
        """Give the captions, tables and figures what belongs to them."""
        labels = self._labels()
        for order, index in enumerate(self.captions):
            _name(pieces, index, labels.get(order, ()), number=None)
        if len(self.captions) == 1 and self.kind == "table":
            caption = pieces[self.captions[0]]
            if isinstance(caption, BlockPiece):
                for index in self.tables:
                    _name(pieces, index, caption.labels[:_MOST_LABELS], number=caption.number)
        for index in self.figures:
            # The caption of a figure stands under it.
            after = self.captions[bisect_right(self.captions, index) :][:1] or self.captions[-1:]
            figure = pieces[index]
            if after and isinstance(figure, FigurePiece):
                pieces[index] = figure._replace(caption=after[0])

    def _labels(self) -> dict[int, list[str]]:
        """The labels of each caption, by its order."""
        single = len(self.captions) == 1
        labels: dict[int, list[str]] = {}
        for before, name in self.labels:
            labels.setdefault(0 if single else max(before - 1, 0), []).append(name)
        return labels


def _name(pieces: list[Piece], index: int, labels: Sequence[str], *, number: str | None) -> None:
    piece = pieces[index]
    if isinstance(piece, BlockPiece):
        joined = tuple(dict.fromkeys((*piece.labels, *labels)))
        pieces[index] = piece._replace(labels=joined, number=number or piece.number)


def trimmed(text: str, ranges: Sequence[Range]) -> list[Range]:
    """Strip white space at both ends of the joined ranges; empty ranges fall out."""
    kept = [piece for piece in ranges if piece[0] < piece[1]]
    first = next((index for index, piece in enumerate(kept) if text[slice(*piece)].strip()), len(kept))
    del kept[:first]
    while kept and not text[slice(*kept[-1])].strip():
        kept.pop()
    if kept:
        start, end = kept[0]
        kept[0] = (end - len(text[start:end].lstrip()), end)
        start, end = kept[-1]
        kept[-1] = (start, start + len(text[start:end].rstrip()))
    return kept


def without_layout(text: str, ranges: Sequence[Range]) -> list[Range]:
    """Leave out white space at the ends, and sizes and alignment at the start."""
    kept = trimmed(text, ranges)
    for index, (start, end) in enumerate(kept):
        match = _LAYOUT.match(text, start, end)
        rest = text[match.end() if match else start : end].lstrip()
        if rest:
            return [(end - len(rest), end), *kept[index + 1 :]]
    return []


def balanced(text: str, ranges: Sequence[Range]) -> list[Range]:
    """Leave out braces at the ends that open or close around several paragraphs."""
    kept = without_layout(text, ranges)
    depth = low = 0
    for match in _BRACE.finditer("".join(text[slice(*piece)] for piece in kept)):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        low = min(low, depth)
    for _ in range(min(depth - low, _DEPTH)):
        if kept and text[kept[0][0]] == "{":
            kept = without_layout(text, [(kept[0][0] + 1, kept[0][1]), *kept[1:]])
    for _ in range(min(-low, _DEPTH)):
        if kept and text.endswith("}", 0, kept[-1][1]) and not text.endswith("\\}", 0, kept[-1][1]):
            kept = trimmed(text, [*kept[:-1], (kept[-1][0], kept[-1][1] - 1)])
    return kept


def says_something(text: str, *, in_float: bool) -> bool:
    """Say whether a reader would see words or mathematics here, and not only layout."""
    bare = _CONTROL.sub(" ", _WORDLESS.sub("", text))
    return (_REAL_WORD if in_float else _WORD).search(bare) is not None


def ids_of(pieces: Sequence[Piece]) -> list[str]:
    """b1, b2, ... for blocks and f1, f2, ... for figures, in their order."""
    names, blocks, figures = [], 0, 0
    for piece in pieces:
        if isinstance(piece, BlockPiece):
            blocks += 1
            names.append(f"b{blocks}")
        else:
            figures += 1
            names.append(f"f{figures}")
    return names


def blocks_of(pieces: Sequence[Piece]) -> tuple[Block, ...]:
    """The blocks among the pieces, with their ids."""
    return tuple(
        Block(
            id=name,
            text=piece.text,
            kind=piece.kind,
            level=piece.level,
            environment=piece.environment,
            labels=piece.labels,
            number=piece.number,
            source=piece.runs,
        )
        for piece, name in zip(pieces, ids_of(pieces), strict=True)
        if isinstance(piece, BlockPiece)
    )


def is_document(token: Token, kind: str) -> bool:
    """True for the `begin` or `end` of the document itself."""
    return token.kind == kind and token.name == "document"
