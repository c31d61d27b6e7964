"""What stands on a page of a PDF and is not seen: found by drawing it and by geometry.

The page is drawn, and text of which nothing can be seen in its place is hidden. Text with a reason
to be unseen (white, covered, clipped, ...) is taken off and the page drawn again: it was seen only
if the two pictures differ where it stands, whatever else stands there. White on dark is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np
import pypdfium2  # type: ignore[import-untyped]  # it has no marker of being typed
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]
from numpy.typing import NDArray

from rereview.ingest.hidden import says_something, unseen_characters, words
from rereview.ingest.pdf_letters import Letters
from rereview.ingest.pdf_measures import SPACE, decoded, shared, without_ink
from rereview.ingest.pdf_objects import Rect, State, clip, drawn, key, state
from rereview.ingest.pdf_pixels import Frame, Picture
from rereview.types.manuscript import Box, Hidden, HiddenKind

MOST_SEEN = 0.6
"""A text object is hidden if more than this share of its characters is: edges of what covers it show."""
TINY = 2.5
"""Points: smaller text is not read."""
MINUTE = 1.2
"""Points: such text is no label of a figure that was drawn smaller; above, only words in a row count."""
_WORDS_IN_A_ROW = 4
_FAINT = 26
"""Of 255: what is painted with less opacity is as good as not painted."""
_LIGHT = 200
"""Of 255: a colour with all three parts above this may be that of the ground."""
_DARK = 40
SCAN = 0.85
"""Share of the page under images from which it is a scan."""
_GRID = 40
_MOSTLY = 0.5
_FEWEST = 3
"""Letters or digits: fewer, of which the pixels show nothing, are a dot or a dash that came out thin."""

_INVISIBLE = (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)
_APART = 0.05
"""Share of the height of the page: hidden lines that are further apart are two passages."""
_BY_PIXELS = frozenset({"no-contrast", "covered", "clipped", "not-drawn"})


class Unseen(NamedTuple):
    """`dropped`: indices of the characters that are no part of the text; `scan`: it is an OCR layer.

    `seen`: the words of each text object that is seen.
    """

    hidden: tuple[Hidden, ...]
    dropped: frozenset[int]
    scan: bool
    seen: frozenset[str]


@dataclass(frozen=True)
class _Text:
    """A text object with its characters (indices into those of the page)."""

    index: int
    handle: object
    state: State
    order: int
    clip: Rect | None
    size: float
    members: NDArray[np.intp]

    @property
    def embedded(self) -> bool:
        """Its font is in the file: the shape of its letters does not depend on this machine."""
        return bool(pdfium.FPDFFont_GetIsEmbedded(pdfium.FPDFTextObj_GetFont(self.handle)) == 1)


def unseen(page: pypdfium2.PdfPage, letters: Letters, number: int) -> Unseen:
    """Find what is not seen. Text objects of the page that were taken off are as before afterwards."""
    return _Page(page, letters, number).unseen()


class _Page:
    def __init__(self, page: pypdfium2.PdfPage, letters: Letters, number: int) -> None:
        self.page, self.letters, self.number = page, letters, number
        self.frame = Frame.of(page)
        self.boxes = self.frame.fractions(letters.boxes)
        self.drawn = drawn(page.raw)
        self.texts = self._texts()

    # -- what stands on the page

    def _texts(self) -> list[_Text]:
        objects, handles = self.letters.objects, self.letters.handles
        order = np.argsort(objects, kind="stable")[np.count_nonzero(objects < 0) :]
        ends = np.cumsum(np.bincount(objects[order], minlength=len(handles)))
        parts = np.split(order, ends[:-1]) if handles else []
        return [self._text_object(at, handles[at], members) for at, members in enumerate(parts)]

    def _text_object(self, index: int, handle: object, members: NDArray[np.intp]) -> _Text:
        order, matrix = self.drawn.texts.get(key(handle), (0, None))
        limit = clip(handle)
        return _Text(
            index=index,
            handle=handle,
            state=state(handle),
            order=order,
            clip=limit if limit is None or matrix is None else matrix.of(limit),
            size=float(self.letters.small[members[0]]),
            members=members,
        )

    @cached_property
    def inked(self) -> NDArray[np.bool_]:
        """Of each character whether it should leave ink."""
        flat, codes = self.boxes, self.letters.codes
        has_box = (flat[:, 2] > flat[:, 0]) & (flat[:, 3] > flat[:, 1])
        known, which = np.unique(codes, return_inverse=True)
        is_mark = np.array([not chr(code).isspace() and code >= SPACE for code in known.tolist()], dtype=bool)
        return np.asarray(has_box & is_mark[which.reshape(-1)] & ~self.letters.generated)

    @cached_property
    def outside(self) -> NDArray[np.bool_]:
        """Of each character whether its middle lies outside of the page."""
        middle = (self.boxes[:, :2] + self.boxes[:, 2:]) / 2
        return np.asarray(((middle < 0) | (middle > 1)).any(axis=1))

    # -- what is seen

    @cached_property
    def picture(self) -> Picture:
        return Picture.of(self.page)

    @cached_property
    def ink(self) -> NDArray[np.bool_]:
        """Of each character that should leave ink whether there is any in its place."""
        found = np.zeros(len(self.letters), dtype=bool)
        found[self.inked] = self.picture.contrast(self.boxes[self.inked])
        return found

    @cached_property
    def blank(self) -> NDArray[np.bool_]:
        """Of each character whether nothing of it is seen."""
        seen = self.ink.copy()
        suspects = [text for text in self.texts if self._suspect(text)]
        if suspects:
            without = self._without(suspects)
            members = np.concatenate([text.members for text in suspects])
            seen[members] = self.picture.differs(without, self.boxes[members])
        for text in self.texts:
            if text.state.fill is not None and (self._is_light(text) or self._is_tinted(text)):
                # It may take away ink of other text: seen it is only against what is below all text.
                alike = self.bare.resemble_colour(text.state.fill, self.boxes[text.members])
                seen[text.members] &= ~alike
        return ~seen

    @cached_property
    def bare(self) -> Picture:
        """The page without any text."""
        return self._without(self.texts)

    def _is_light(self, text: _Text) -> bool:
        return text.state.fill is not None and min(text.state.fill) > _LIGHT

    def _is_tinted(self, text: _Text) -> bool:
        """Whether a text in colour stands on something that may have the same colour."""
        if text.state.fill is None or max(text.state.fill) < _DARK:
            return False
        rect = self._rect(text)
        return rect is not None and any(
            cover.order < text.order and shared(rect, cover.rect) > _MOSTLY for cover in self.drawn.covers
        )

    def _suspect(self, text: _Text) -> bool:
        odd = text.state.mode in _INVISIBLE or text.state.alpha < 255 or text.state.layered  # noqa: PLR2004
        return self._is_light(text) or odd or self._is_clipped(text) or self._cover(text) is not None

    def _without(self, texts: Sequence[_Text]) -> Picture:
        for text in texts:
            pdfium.FPDFTextObj_SetTextRenderMode(text.handle, pdfium.FPDF_TEXTRENDERMODE_INVISIBLE)
        try:
            return Picture.of(self.page)
        finally:
            for text in texts:
                pdfium.FPDFTextObj_SetTextRenderMode(text.handle, text.state.mode)

    def _rect(self, text: _Text) -> Rect | None:
        members = text.members[self.inked[text.members]]
        if not members.size:
            return None
        boxes = self.letters.boxes[members]
        (left, bottom), (right, top) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
        return left, bottom, right, top

    def _is_clipped(self, text: _Text) -> bool:
        rect = self._rect(text) if text.clip else None
        return bool(text.clip and rect and shared(rect, text.clip) < 1 - MOST_SEEN)

    def _cover(self, text: _Text) -> bool | None:
        """Whether what is drawn over most of a text is an image; None if nothing is."""
        if text.order >= self._last:
            return None
        rect = self._rect(text)
        if rect is None:
            return None
        left, bottom, right, top = rect
        over = self._later
        width = np.minimum(over[:, 3], right) - np.maximum(over[:, 1], left)
        height = np.minimum(over[:, 4], top) - np.maximum(over[:, 2], bottom)
        share = np.maximum(width, 0) * np.maximum(height, 0) / max((right - left) * (top - bottom), 1e-9)
        hits = np.flatnonzero((share > MOST_SEEN) & (over[:, 0] > text.order))
        return bool(over[hits, 5].any()) if hits.size else None

    @cached_property
    def _last(self) -> int:
        return max((cover.order for cover in self.drawn.covers), default=-1)

    @cached_property
    def _later(self) -> NDArray[np.float64]:
        rows = [(cover.order, *cover.rect, float(cover.image)) for cover in self.drawn.covers]
        return np.array(rows, dtype=float).reshape(-1, 6)

    # -- scans

    @cached_property
    def scan(self) -> bool:
        """True if images fill the page and most of its text lies under them or is not painted."""
        if not self._under_images() > SCAN:
            return False
        layer = sum(len(text.members) for text in self.texts if self._recognised(text))
        return layer > _MOSTLY * sum(len(text.members) for text in self.texts)

    def _under_images(self) -> float:
        grid = np.zeros((_GRID, _GRID), dtype=bool)
        images = [cover.rect for cover in self.drawn.covers if cover.image]
        for x0, y0, x1, y1 in np.clip(self.frame.fractions(images), 0, 1) * _GRID:
            grid[round(y0) : round(y1), round(x0) : round(x1)] = True
        return float(grid.mean())

    def _recognised(self, text: _Text) -> bool:
        return text.state.mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE or bool(self._cover(text))

    # -- verdicts

    def unseen(self) -> Unseen:
        kinds: dict[int, HiddenKind] = {}
        for text in self._doubtful():
            kinds |= self._judge(text)
        kinds |= dict.fromkeys(without_ink(self.letters.codes), "characters")
        runs = [run for run in self._runs(kinds) if self._counts(run, kinds[run[0]])]
        hidden = tuple(self._hidden(run, kinds[run[0]]) for run in runs)
        return Unseen(hidden, frozenset(at for run in runs for at in run), self.scan, self._seen(kinds))

    def _doubtful(self) -> list[_Text]:
        """The texts of which a character gives a reason to look closer."""
        layers = [self.scan and self._recognised(text) for text in self.texts]
        hints = self.outside.copy()
        if not all(layers):
            hints |= self.blank
        if any(layers):
            hints |= ~self.ink
        has_hint = self._any(hints & self.inked)
        return [
            text
            for text in self.texts
            if has_hint[text.index]
            or text.size < TINY
            or text.state.mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE
        ]

    def _any(self, flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Of each text whether one of its characters is flagged."""
        objects = self.letters.objects
        return np.bincount(objects[flags & (objects >= 0)], minlength=len(self.texts)) > 0

    def _seen(self, kinds: dict[int, HiddenKind]) -> frozenset[str]:
        flags = np.zeros(len(self.letters), dtype=bool)
        flags[list(kinds)] = True
        flagged = self._any(flags)
        texts = (self._said(text.members) for text in self.texts if not flagged[text.index])
        return frozenset(text for text in texts if says_something(text, _FEWEST))

    def _judge(self, text: _Text) -> dict[int, HiddenKind]:
        inked = text.members[self.inked[text.members]]
        if not inked.size:
            return {}
        if text.state.mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE and not self.scan:
            return dict.fromkeys(text.members.tolist(), "invisible")
        if text.size < TINY and not (self.scan and self._recognised(text)):
            return dict.fromkeys(text.members.tolist(), "tiny")
        return self._by_pixels(text, inked) | self._groups(text, self.outside, "off-page")

    def _by_pixels(self, text: _Text, inked: NDArray[np.intp]) -> dict[int, HiddenKind]:
        if self.scan and self._recognised(text):
            # The ink of the scan is what its recognised text says: without ink below it says something else.
            return self._groups(text, ~self.ink, "invisible")
        if not self.blank[inked].any():
            return {}
        reason = self._reason(text, inked)
        # What is not drawn for want of a font on this machine is drawn on another.
        seen = self._is_repeated(text) if reason == "covered" else reason == "not-drawn" and not text.embedded
        return {} if seen else self._groups(text, self.blank, reason)

    def _is_repeated(self, text: _Text) -> bool:
        """Whether the image over a text shows the same letters, as where a printer put in a stamp anew."""
        rect = self._rect(text)
        return rect is not None and self.picture.resembles(self.uncovered, self.frame.fractions([rect])[0])

    @cached_property
    def uncovered(self) -> Picture:
        images = [cover.handle for cover in self.drawn.covers if cover.image]
        for image in images:
            pdfium.FPDFPageObj_SetIsActive(image, False)  # noqa: FBT003  the interface of pdfium
        try:
            return Picture.of(self.page)
        finally:
            for image in images:
                pdfium.FPDFPageObj_SetIsActive(image, True)  # noqa: FBT003  the interface of pdfium

    def _groups(self, text: _Text, flags: NDArray[np.bool_], kind: HiddenKind) -> dict[int, HiddenKind]:
        """The whole object if most of it is flagged, else its words that are."""
        if not (flags[text.members] & self.inked[text.members]).any():
            return {}
        members = text.members.tolist()
        if _most(members, flags, self.inked):
            return dict.fromkeys(members, kind)
        whole = [list(word) for inked, word in groupby(members, lambda at: bool(self.inked[at])) if inked]
        return {at: kind for word in whole if _most(word, flags, self.inked) for at in word}

    def _reason(self, text: _Text, inked: NDArray[np.intp]) -> HiddenKind:
        reasons: tuple[tuple[bool, HiddenKind], ...] = (
            (text.state.mode in _INVISIBLE, "invisible"),
            (text.state.alpha < _FAINT, "transparent"),
            (text.state.layered, "layer-off"),
            (self._is_clipped(text), "clipped"),
            (self._cover(text) is not None, "covered"),
            (text.state.fill is None, "not-drawn"),
        )
        reason = next((kind for holds, kind in reasons if holds), None)
        if reason is not None or text.state.fill is None:
            return reason or "not-drawn"
        alike = self.bare.resemble_colour(text.state.fill, self.boxes[inked[:5]])
        return "no-contrast" if alike.any() else "not-drawn"

    def _runs(self, kinds: dict[int, HiddenKind]) -> list[list[int]]:
        """Characters of one kind that follow each other; what is not painted between them belongs to them."""
        runs: list[list[int]] = []
        waiting: list[int] = []
        for at in range(len(self.letters)) if kinds else ():
            kind = kinds.get(at)
            if kind is None and not self.inked[at] and runs:
                waiting.append(at)
            elif kind is None:
                waiting = [-1]
            elif runs and kinds[runs[-1][0]] == kind and -1 not in waiting and self._near(runs[-1], at):
                runs[-1] += [*waiting, at]
                waiting = []
            else:
                runs.append([at])
                waiting = []
        return runs

    def _near(self, run: Sequence[int], at: int) -> bool:
        before = next((other for other in reversed(run) if self.inked[other]), at)
        height = float(self.boxes[before, 3] - self.boxes[before, 1])
        down = abs(float(self.boxes[before, 1] - self.boxes[at, 1]))
        return down < max(_APART, 2 * height) or not self.inked[at]

    def _counts(self, run: Sequence[int], kind: HiddenKind) -> bool:
        text = self._said(run)
        if kind in _BY_PIXELS or (kind == "invisible" and self.scan):
            return says_something(text, _FEWEST)
        if kind == "tiny":
            sizes = [text.size for text in self.texts if text.index == self.letters.objects[run[0]]]
            return says_something(text, _FEWEST) and (
                min(sizes, default=0.0) < MINUTE or words(text) >= _WORDS_IN_A_ROW
            )
        return bool(text.strip())

    def _said(self, run: Sequence[int] | NDArray[np.intp]) -> str:
        return " ".join(decoded(self.letters.codes[run].tolist()).split())

    def _hidden(self, run: Sequence[int], kind: HiddenKind) -> Hidden:
        boxes = self.boxes[[at for at in run if not self.letters.generated[at]] or list(run)]
        (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        box: Box = (round(float(x0), 4), round(float(y0), 4), round(float(x1), 4), round(float(y1), 4))
        said = self._said(run)
        if kind == "characters":
            said = "; ".join(stretch.shown for stretch in unseen_characters(said)) or said
        return Hidden(kind=kind, text=said, page=self.number, bbox=box)


def _most(members: Sequence[int], flags: NDArray[np.bool_], inked: NDArray[np.bool_]) -> bool:
    marks = flags[members][inked[members]]
    return bool(marks.size) and int(marks.sum()) > MOST_SEEN * len(marks)
