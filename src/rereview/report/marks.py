"""Pieces as HTML, with the places of comments marked in them.

Each stretch of text becomes one element that carries its offset; a place is marked stretch by
stretch, so that places may overlap and may begin and end anywhere in the markup. What cannot be
cut (a formula, a character that was written as a command) is marked whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

from rereview.report.mathematics import Mathematics
from rereview.report.pieces import Break, Close, Formula, Open, Piece, Run

VOID = Markup("")


@dataclass(frozen=True)
class Mark:
    """One place of a comment in one block: `anchor` is its id in the page, `number` the comment's."""

    number: int
    anchor: str
    start: int
    end: int
    severity: str

    @property
    def back(self) -> Markup:
        """The link from the place to the comment."""
        return Markup('<sup class="back"><a href="#c{0}" aria-label="comment {0}">{0}</a></sup>').format(
            self.number
        )

    def covers(self, start: int, end: int) -> bool:
        """True if it shares a code point with `start:end`, or is empty and lies in it."""
        if self.start == self.end:
            return start <= self.start < end
        return self.start < end and start < self.end


@dataclass(frozen=True)
class Stretch:
    """Something shown as a whole, and the marks on it."""

    piece: Piece
    marks: tuple[Mark, ...] = ()


def words_html(pieces: Sequence[Piece], mathematics: Mathematics) -> Markup:
    """The HTML of pieces that stand in no block, such as a quotation: without marks and offsets."""
    parts = (_plain(piece, mathematics, placed=False) for piece in pieces)
    return Markup("".join(parts))  # noqa: S704 every text below goes through escape


def pieces_html(pieces: Sequence[Piece], marks: Sequence[Mark], mathematics: Mathematics) -> Markup:
    """The HTML of pieces. Marks that cover nothing shown stand at the end, so that all can be reached."""
    stretches = [stretch for piece in pieces for stretch in _cut(piece, marks)]
    begins = {mark: at for at, s in reversed(list(enumerate(stretches))) for mark in s.marks}
    ends = {mark: at for at, s in enumerate(stretches) for mark in s.marks}
    out: list[str] = []
    waiting: list[str] = []
    links = 0
    for at, stretch in enumerate(stretches):
        out.append(_marked(stretch, frozenset(m for m in stretch.marks if begins[m] == at), mathematics))
        waiting.extend(mark.back for mark in stretch.marks if ends[mark] == at)
        links += _opens_link(stretch.piece)
        if not links:
            out.extend(waiting)
            waiting.clear()
    lost = (nowhere(mark) for mark in marks if mark not in begins)
    return Markup("".join((*out, *waiting, *lost)))  # noqa: S704 every text below goes through escape


def nowhere(mark: Mark) -> Markup:
    """A place without text of its own."""
    return Markup('<span class="at" id="{}"></span>{}').format(mark.anchor, mark.back)


def _opens_link(piece: Piece) -> int:
    if isinstance(piece, Open) and piece.tag == "a":
        return 1
    return -1 if isinstance(piece, Close) and piece.tag == "a" else 0


def _cut(piece: Piece, marks: Sequence[Mark]) -> Iterator[Stretch]:
    """The piece, cut where a mark begins or ends if it may be cut."""
    if not isinstance(piece, Run | Formula):
        yield Stretch(piece)
        return
    cuts = {piece.start, piece.end}
    if isinstance(piece, Run) and piece.exact:
        edges = {edge for mark in marks for edge in (mark.start, mark.end)}
        cuts |= {edge for edge in edges if piece.start < edge < piece.end}
    places = sorted(cuts)
    if len(places) < 3:  # noqa: PLR2004 two ends and nothing between
        yield Stretch(piece, tuple(m for m in marks if m.covers(piece.start, piece.end)))
        return
    assert isinstance(piece, Run)  # noqa: S101 only runs have cuts
    for start, end in pairwise(places):
        part = Run(
            start, end, piece.shown[start - piece.start : end - piece.start], exact=True, why=piece.why
        )
        yield Stretch(part, tuple(mark for mark in marks if mark.covers(start, end)))


def _marked(stretch: Stretch, first: frozenset[Mark], mathematics: Mathematics) -> str:
    """One stretch inside one element per mark; the first stretch of a mark carries its id."""
    html = _plain(stretch.piece, mathematics)
    for mark in stretch.marks:
        anchor = f' id="{escape(mark.anchor)}"' if mark in first else ""
        html = f'<mark class="{escape(mark.severity)}" data-c="{mark.number}"{anchor}>{html}</mark>'
    return html


def _plain(piece: Piece, mathematics: Mathematics, *, placed: bool = True) -> str:
    """One piece without marks. Tags and names of attributes are ours, all else is escaped."""
    match piece:
        case Run():
            why = f' title="{escape(piece.why)}"' if piece.why else ""
            where = f' data-o="{piece.start}"' if placed else ""
            return f"<span{where}{why}>{escape(piece.shown)}</span>" if where or why else escape(piece.shown)
        case Formula():
            kind = "display" if piece.display else "inline"
            html = mathematics.html(piece.tex, display=piece.display)
            where = f' data-o="{piece.start}"' if placed else ""
            return f'<span class="{kind}"{where}>{html}</span>'
        case Open():
            attributes = "".join(f' {name}="{escape(text)}"' for name, text in piece.attributes)
            return f"<{piece.tag}{attributes}>"
        case Close():
            return f"</{piece.tag}>"
        case Break():
            return "<br>"
