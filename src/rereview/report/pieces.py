"""What a block's text becomes before it is HTML: pieces that know where they came from.

`start` and `end` are code points of the block's text. Between `Open` and `Close` the pieces
nest properly, whatever the text was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True)
class Run:
    """Text as shown. It may be cut anywhere if `shown` is `block.text[start:end]`, else nowhere."""

    start: int
    end: int
    shown: str
    exact: bool
    why: str = ""
    """What a reader should know of it ("no such label"); shown as a title."""


@dataclass(frozen=True)
class Formula:
    """`tex` without its delimiters; `display` if it stands on its own line."""

    start: int
    end: int
    tex: str
    display: bool


@dataclass(frozen=True)
class Open:
    """The start of an element."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Close:
    """The end of the innermost open element, which has this tag."""

    tag: str


@dataclass(frozen=True)
class Break:
    """A line break inside a paragraph."""


Piece = Run | Formula | Open | Close | Break


@dataclass(frozen=True)
class Target:
    """What a reference leads to: an address in the page and the words that are shown."""

    href: str
    number: str
    """The printed number of a label; "" if it has none."""
    authors: str = ""
    year: str = ""
    kind: str = ""
    """What stands there in words: "section", "figure", "equation"; "reference" for a citation."""


@dataclass(frozen=True)
class Reading:
    """The pieces of one text, and the names of the commands that were not understood, in order."""

    pieces: tuple[Piece, ...]
    unknown: tuple[str, ...] = ()


def printable(text: str) -> str:
    """The same number of characters, without those that no encoding or terminal should meet."""
    return UNPRINTABLE.sub("\ufffd", text)


def shown_text(pieces: tuple[Piece, ...]) -> str:
    """The words of the pieces on one line; formulas as their TeX."""
    words = [
        piece.shown if isinstance(piece, Run) else piece.tex if isinstance(piece, Formula) else " "
        for piece in pieces
        if isinstance(piece, Run | Formula | Break)
    ]
    return " ".join("".join(words).split())
